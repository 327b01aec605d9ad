/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that cut strings into lines and words; see base.h.
 */
#include "base/base.h"
#include "tests/lib/tap.h"

static void test_trim(void)
{
	tap_ok(text_is(text_trim(TEXT("\t a b\r\n")), "a b"),
	    "text_trim removes white space from both ends of a string");
	tap_ok(!text_trim(TEXT(" \n ")).len && !text_trim((struct text){ 0 }).len,
	    "text_trim leaves nothing of white space and of an empty string");
}

static void test_lines(void)
{
	struct text rest = TEXT("one\n\nthree");

	tap_ok(text_is(text_next_line(&rest), "one") && !text_next_line(&rest).len &&
	           text_is(text_next_line(&rest), "three") && !rest.len,
	    "text_next_line returns each line without its end, also an empty one");
}

static void test_words(void)
{
	struct text rest = TEXT(" one\ttwo  \nthree"), none = { 0 };

	tap_ok(text_is(text_next_word(&rest), "one") && text_is(text_next_word(&rest), "two"),
	    "text_next_word returns words between spaces and tabs");
	tap_ok(!text_next_word(&rest).len && text_is(rest, "\nthree"),
	    "text_next_word returns no word beyond the end of a line");
	tap_ok(!text_next_word(&none).len && !none.ptr,
	    "text_next_word returns no word of an empty string");
	rest = (struct text){ "a\0b c", 5 };
	tap_ok(text_equal(text_next_word(&rest), (struct text){ "a\0b", 3 }),
	    "text_next_word keeps a NUL as a byte of a word");
}

int main(void)
{
	test_trim();
	test_lines();
	test_words();
	return tap_end();
}
