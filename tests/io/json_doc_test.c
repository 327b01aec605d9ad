/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON documents: texts and numbers as they are written and as they are read back.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "io/json_doc.h"
#include "tests/lib/tap.h"

static void writes_texts(void)
{
	static const struct {
		struct text text;
		const char *want;
	} cases[] = {
		{ TEXT(""), "\"\"" },
		{ TEXT("plain / text"), "\"plain / text\"" },
		{ TEXT("\"\\\b\f\n\r\t"), "\"\\\"\\\\\\b\\f\\n\\r\\t\"" },
		{ TEXT("\x01\x1f\x7f"), "\"\\u0001\\u001F\x7f\"" },
		{ TEXT("a\0b"), "\"a\\\\x00b\"" },
		{ TEXT("\u00e9\u20ac\U0010ffff"), "\"\u00e9\u20ac\U0010ffff\"" },
		{ TEXT("\xff\n"), "\"\\\\xff\\n\"" },
		{ TEXT("\xc3"), "\"\\\\xc3\"" },
		{ TEXT("\xc0\x80"), "\"\\\\xc0\\\\x80\"" },
		{ TEXT("\xe0\x80\x80"), "\"\\\\xe0\\\\x80\\\\x80\"" },
		{ TEXT("\xed\xa0\x80"), "\"\\\\xed\\\\xa0\\\\x80\"" },
		{ TEXT("\xf0\x80\x80\x80"), "\"\\\\xf0\\\\x80\\\\x80\\\\x80\"" },
		{ TEXT("\xf4\x90\x80\x80"), "\"\\\\xf4\\\\x90\\\\x80\\\\x80\"" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf b = { 0 };
		struct json_t *doc;
		struct fault f;

		doc_put_text(&b, cases[i].text);
		tap_ok(strcmp(b.ptr, cases[i].want) == 0,
		    "text %zu is written as a JSON string", i);
		buf_str(&b, "]");
		b.ptr[0] = '"';
		struct buf list = { 0 };
		buf_printf(&list, "[%s", b.ptr);
		doc = doc_read(text_in(&list), "a file", &f);
		tap_ok(doc != NULL, "text %zu can be read back", i);
		if (doc)
			doc_free(doc);
		buf_free(&list);
		buf_free(&b);
	}
}

static double number_of(const char *json)
{
	struct fault f;
	struct json_t *doc = doc_read(text_of(json), "a file", &f);
	double x = NAN;

	if (doc) {
		doc_number(doc_item(doc, 0), &x);
		doc_free(doc);
	}
	return x;
}

static void reads_numbers(void)
{
	tap_ok(number_of("[18446744073709551615, 1]") == 0x1p64,
	    "an integer of more than 64 bits is still a number");
	tap_ok(number_of("[9007199254740993]") == 9007199254740992.0,
	    "an integer above 2^53 is read as the nearest double");
	tap_ok(signbit(number_of("[-0.0]")), "negative zero keeps its sign");
	tap_ok(isnan(number_of("[1e999]")), "a number beyond doubles is refused");
}

static void writes_numbers(void)
{
	static const struct {
		double x;
		const char *want;
	} cases[] = { { 0, "0" }, { -0.0, "-0.0" }, { 0.1, "0.1" }, { 5e-324, "5e-324" },
		{ NAN, "null" }, { INFINITY, "null" } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf b = { 0 };

		doc_put_number(&b, cases[i].x);
		tap_ok(strcmp(b.ptr, cases[i].want) == 0, "%s is written", cases[i].want);
		buf_free(&b);
	}
}

int main(void)
{
	writes_texts();
	reads_numbers();
	writes_numbers();
	return tap_end();
}
