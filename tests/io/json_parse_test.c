/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON documents: which texts are refused, with what message, and how the values of long
 * and short arrays and objects are found.
 */
#include <stdlib.h>

#include "io/json_doc.h"
#include "tests/lib/tap.h"

static void refuses_texts(void)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "", "f:1: not valid JSON: '[' or '{' expected near end of file" },
		{ "1", "f:1: not valid JSON: '[' or '{' expected near '1'" },
		{ "[1\n", "f:2: not valid JSON: ']' expected near end of file" },
		{ "[1] 2", "f:1: not valid JSON: end of file expected near '2'" },
		{ "[01]", "f:1: not valid JSON: invalid token near '0'" },
		{ "[1.]", "f:1: not valid JSON: invalid token near '1.'" },
		{ "[+1]", "f:1: not valid JSON: invalid token near '+'" },
		{ "[-]", "f:1: not valid JSON: invalid token near '-'" },
		{ "[1e999]", "f:1: not valid JSON: real number overflow near '1e999'" },
		{ "[1,]", "f:1: not valid JSON: unexpected token near ']'" },
		{ "[NaN0]", "f:1: not valid JSON: ']' expected near '0'" },
		{ "[nul]", "f:1: not valid JSON: invalid token near 'nul'" },
		{ "{\"a\":1,\"a\":2}",
		    "f:1: not valid JSON: duplicate object key near '\"a\"'" },
		{ "{\"a\" 1}", "f:1: not valid JSON: ':' expected near '1'" },
		{ "{a:1}", "f:1: not valid JSON: string or '}' expected near 'a'" },
		{ "[\"\t\"]", "f:1: not valid JSON: control character 0x9 near '\"'" },
		{ "[\"\\x\"]", "f:1: not valid JSON: invalid escape near '\"\\x'" },
		{ "[\"\\u12\"]", "f:1: not valid JSON: invalid escape near '\"\\u12\"'" },
		{ "[\"\\ud800\"]",
		    "f:1: not valid JSON: invalid Unicode '\\uD800' near '\"\\ud800\"'" },
		{ "[\"\\udc00\"]",
		    "f:1: not valid JSON: invalid Unicode '\\uDC00' near '\"\\udc00\"'" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct fault f = { "" };
		struct json_t *doc = doc_read(text_of(cases[i].text), "f", &f);

		struct buf name = { 0 };

		buf_printf(&name, "refused text %zu has the message of jansson", i);
		tap_text(doc ? "" : f.text, cases[i].why, name.ptr);
		buf_free(&name);
		doc_free(doc);
	}
}

/* Returns whether a text nested to this depth is read. */
static bool reads_depth(size_t depth)
{
	struct buf b = { 0 };
	struct json_t *doc;
	struct fault f;

	for (size_t i = 0; i < depth; i++)
		buf_byte(&b, '[');
	for (size_t i = 0; i < depth; i++)
		buf_byte(&b, ']');
	doc = doc_read(text_in(&b), "f", &f);
	buf_free(&b);
	doc_free(doc);
	return doc;
}

static void reads_texts(void)
{
	struct fault f;
	struct json_t *doc = doc_read(
	    TEXT("[\"\", \"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"a\\u00E9b\\ud83D\\uDe00\", "
	         "NaN, -NaN, Infinity, -Infinity, -0, true, false]"),
	    "f", &f);
	struct text t;
	double x = 1;

	tap_ok(doc_text(doc_item(doc, 0), &t) && !t.len, "an empty text is read");
	tap_ok(doc_text(doc_item(doc, 1), &t) && text_is(t, "\"\\/\b\f\n\r\t"),
	    "escapes become their characters");
	tap_ok(doc_text(doc_item(doc, 2), &t) && text_is(t, "a\u00e9b\U0001f600"),
	    "escapes of UTF-16 become UTF-8");
	tap_ok(doc_is_nan(doc_item(doc, 3)) && doc_is_nan(doc_item(doc, 4)),
	    "NaN with and without a sign is NaN");
	tap_ok(doc_is_null(doc_item(doc, 5)) && doc_is_null(doc_item(doc, 6)) &&
	           !doc_is_nan(doc_item(doc, 5)),
	    "an infinity is null");
	tap_ok(doc_number(doc_item(doc, 7), &x) && 1 / x > 0, "the integer -0 is 0");
	tap_ok(doc_true(doc_item(doc, 8)) && doc_is_truth(doc_item(doc, 9)) &&
	           !doc_true(doc_item(doc, 9)),
	    "true and false are read");
	tap_ok(!doc_item(doc, 10) && !doc_member(doc, "a"),
	    "an array has no value after its last, and no member");
	doc_free(doc);
	tap_ok(reads_depth(2048) && !reads_depth(2049),
	    "2048 nested arrays are read, and 2049 are refused");
}

/* Checks arrays and objects of this many values, every third of which has values. */
static void finds_parts(size_t count)
{
	struct buf array = { 0 }, object = { 0 };
	struct json_t *items, *members;
	bool all = true;
	struct fault f;

	for (size_t i = 0; i < count; i++) {
		const char *before = i ? ", " : "";

		buf_printf(&array, i % 3 ? "%s%zu" : "%s[%zu, {}]", before, i);
		buf_printf(&object, "%s\"k%zu\": %zu", before, (i * 7919) % count, i);
	}
	char *text = str_format("[%s]", count ? array.ptr : "");
	items = doc_read(text_of(text), "f", &f);
	free(text);
	text = str_format("{%s}", count ? object.ptr : "");
	members = doc_read(text_of(text), "f", &f);
	free(text);
	for (size_t i = 0; i < count; i++) {
		const struct json_t *v = doc_item(items, i);
		char name[32];
		double x, y;

		snprintf(name, sizeof(name), "k%zu", (i * 7919) % count);
		all &=
		    doc_number(doc_is_array(v) ? doc_item(v, 0) : v, &x) && x == (double)i;
		all &= doc_number(doc_member(members, name), &y) && y == (double)i;
	}
	tap_ok(all && doc_length(items) == count && !doc_item(items, count),
	    "all values of an array and an object with %zu are found", count);
	tap_ok(!doc_member(members, "") && !doc_member(members, "k") &&
	           !doc_member(members, "l"),
	    "a member that an object with %zu lacks is not found", count);
	doc_free(items);
	doc_free(members);
	buf_free(&array);
	buf_free(&object);
}

static void refuses_duplicates(void)
{
	struct buf b = { 0 };
	struct json_t *doc;
	struct fault f;

	buf_str(&b, "{");
	for (size_t i = 0; i < 40; i++)
		buf_printf(&b, "\"a%zu\": {\"b\": 1}, ", i);
	buf_str(&b, "\"a7\": 1}");
	doc = doc_read(text_in(&b), "f", &f);
	tap_ok(!doc && strcmp(f.text,
	                   "f:1: not valid JSON: duplicate object key near '\"a7\"'") == 0,
	    "two members of one name in a large object are refused");
	buf_free(&b);
	doc = doc_read(TEXT("{\"a\": 1, \"a\": 1.0, \"b\": \"x\", \"b\": \"x\", \"c\": "
	                    "null, \"c\": null}"),
	    "f", &f);
	tap_ok(doc, "two members of one name with the same value are read");
	doc_free(doc);
	doc = doc_read(TEXT("{\"a\": [], \"a\": []}"), "f", &f);
	tap_ok(!doc, "two arrays of one name are refused");
	doc_free(doc);
}

int main(void)
{
	static const size_t counts[] = { 0, 1, 8, 9, 16, 17, 1000 };

	refuses_texts();
	reads_texts();
	for (size_t i = 0; i < COUNT(counts); i++)
		finds_parts(counts[i]);
	refuses_duplicates();
	return tap_end();
}
