/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the reader of benchmark metadata: entries as bench.h writes them, and invalid
 * ones.
 */
#include <stdlib.h>

#include "discover/meta.h"
#include "tests/lib/tap.h"

#define SECTION(literal) literal, sizeof(literal) - 1
#define HEAD "bench1\tcall\tf\ta.c\t1\t"

/* Returns the entries of a section as text, each followed by a bar: "symbol file:line
 * loop|call text", or "symbol: fault" for an invalid entry. */
static char *entries(struct text section)
{
	struct meta_entry e;
	struct buf b = { 0 };

	buf_put(&b, "", 0);
	while (meta_next(&section, &e)) {
		buf_text(&b, e.symbol);
		if (e.wrong)
			buf_printf(&b, ": %s|", e.wrong);
		else
			buf_printf(&b, " %.*s:%d %s %.*s|", (int)e.file.len, e.file.ptr,
			    (int)e.line, e.loop ? "loop" : "call", (int)e.text.len,
			    e.text.ptr);
	}
	return b.ptr;
}

static void test_entries(void)
{
	static const struct {
		const char *bytes;
		size_t size;
		const char *want;
	} cases[] = {
		{ SECTION(""), "" },
		{ SECTION("\0\0\0"), "" },
		{ SECTION(HEAD "\0"), "f a.c:1 call |" },
		{ SECTION("\0\0bench1\tloop\tg\tb c.h\t20\tx=1 y\0\0\0" HEAD "z=\0"),
		    "g b c.h:20 loop x=1 y|f a.c:1 call z=|" },
		{ SECTION(HEAD "\0" HEAD), "f a.c:1 call |: the entry is not terminated|" },
		{ SECTION("x\0"), ": the entry does not begin with bench1|" },
		{ SECTION("\t\0"), ": the entry does not begin with bench1|" },
		{ SECTION("bench2\tcall\tf\ta\t1\t\0"),
		    ": the entry does not begin with bench1|" },
		{ SECTION("bench1\0"), ": the entry does not begin with bench1|" },
		{ SECTION("bench1\tcall\0"), ": the entry has no symbol|" },
		{ SECTION("bench1\tcall\t\ta\t1\t\0"), ": the entry has no symbol|" },
		{ SECTION("bench1\tcall\t\x1b[2J\ta\t1\t\0"),
		    ": the entry has no symbol|" },
		{ SECTION("bench1\tonce\tf\ta\t1\t\0"),
		    "f: the entry is neither loop nor call|" },
		{ SECTION("bench1\tcall\tf\ta\0"), "f: the entry has no file and line|" },
		{ SECTION("bench1\tcall\tf\ta\tx\t\0"),
		    "f: the entry has no file and line|" },
		{ SECTION("bench1\tcall\tf\ta\t-1\t\0"),
		    "f: the entry has no file and line|" },
		{ SECTION("bench1\tcall\tf\ta\t99999999999999999999\t\0"),
		    "f: the entry has no file and line|" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char *got = entries((struct text){ cases[i].bytes, cases[i].size });

		tap_text(got, cases[i].want,
		    "meta_next returns the entries of a section and their faults");
		free(got);
	}
}

static void test_long(void)
{
	struct buf b = { 0 };
	char *got;

	buf_str(&b, HEAD);
	while (b.len < META_MAX)
		buf_byte(&b, 'x');
	buf_byte(&b, '\0');
	got = entries(text_in(&b));
	tap_ok(strncmp(got, "f a.c:1 call xxx", 16) == 0,
	    "meta_next accepts an entry of the maximum length");
	free(got);
	b.len--;
	while (b.len < 2000000)
		buf_byte(&b, 'x');
	buf_put(&b, "\0" HEAD, sizeof(HEAD) + 1);
	got = entries(text_in(&b));
	tap_text(got, ": the entry is longer than 16384 bytes|f a.c:1 call |",
	    "meta_next rejects a longer entry and reads the next");
	free(got);
	buf_free(&b);
}

static void test_words(void)
{
	static const char text[] = "  category=sort  word param.n=1,2 x==y = param.=3 a=";
	struct text left = TEXT(""), key, value;
	struct buf b = { 0 };

	left = text_of(text);
	while (meta_word(&left, &key, &value))
		buf_printf(&b, "%.*s%s%.*s|", (int)key.len, key.ptr, value.ptr ? ":" : "",
		    (int)value.len, value.ptr ? value.ptr : "");
	tap_text(b.ptr, "category:sort|word|param.n:1,2|x:=y|:|param.:3|a:|",
	    "meta_word splits a text into keys and values");
	buf_free(&b);

	left = text_of(text);
	while (meta_param(&left, &key, &value))
		buf_printf(
		    &b, "%.*s:%.*s|", (int)key.len, key.ptr, (int)value.len, value.ptr);
	tap_text(b.ptr, "n:1,2|:3|", "meta_param returns only the parameters");
	buf_free(&b);

	tap_ok(text_is(meta_find(text_of(text), "category"), "sort") &&
	           text_is(meta_find(text_of(text), "word"), "") &&
	           text_is(meta_find(text_of(text), "items"), ""),
	    "meta_find returns the value of a key, or empty");
}

static void test_check(void)
{
	static const struct {
		const char *text, *want; /* NULL: valid */
	} cases[] = {
		{ "", NULL },
		{ "category=a items=n bytes=8*n param.n=1,2..5 unknown=1", NULL },
		{ "items", "'items' is not key=value" },
		{ "items=", "'items=' is not key=value" },
		{ "=1", "'=1' is not key=value" },
		{ "bytes=n*", "formula 'n*': a number was expected at ''" },
		{ "a=1 a=2", "'a' is given twice" },
		{ "param.=1", "a parameter has no name" },
		{ "param.value=1", "parameter 'value': the name is reserved for a column" },
		{ "a=\x01", "the text contains a control character" },
		{ "a=\n", "the text contains a control character" },
	};
	struct fault f;

	for (size_t i = 0; i < COUNT(cases); i++) {
		bool fine = meta_check(text_of(cases[i].text), &f) == 0;

		if (cases[i].want)
			tap_text(fine ? NULL : f.text, cases[i].want,
			    "meta_check reports the fault of invalid metadata");
		else
			tap_ok(fine, "meta_check accepts '%s'", cases[i].text);
	}
	tap_ok(meta_check(TEXT("param.n=5..1"), &f) < 0,
	    "meta_check rejects a parameter with an invalid list");
}

int main(void)
{
	test_entries();
	test_long();
	test_words();
	test_check();
	return tap_end();
}
