/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests labels: their characters, and how they are cut and wrapped. */
#include <stdlib.h>

#include "tests/lib/tap.h"
#include "text/display_text.h"
#include "text/display_width.h"

static void test_labels(void)
{
	struct buf b = { 0 };
	char *label[3], *line[2], *part[3] = { "one", "two three", "four" },
	                          wide[] = "a part that is too wide";
	size_t lines;

	display_text_label(&b, TEXT("a\033[31m\n\tµ\xff"), true);
	tap_text(b.ptr, "a\\x1b[31m\\n\\tµ\\xff",
	    "control characters and broken UTF-8 are visible in a label");
	b.len = 0;
	display_text_label(&b, TEXT("µs…x"), false);
	tap_text(b.ptr, "?s?x", "a label without UTF-8 has one ? for each character");
	buf_free(&b);
	tap_ok(display_width(TEXT("µs…")) == 3, "the width of a label is in columns");
	tap_ok(display_width(TEXT("快速 sort（한）")) == 15,
	    "characters of East Asia are two columns wide");

	label[0] = str_copy("a/long/start --with=1 a/long/middle/that/fills --end, n=10");
	label[1] = str_copy("a/long/start --with=1 a/long/middle/that/fills --end, n=20");
	label[2] = str_copy("a/long/start --with=2 a/long/middle/that/fills --end, n=10");
	display_text_fit(label, 3, 24, true);
	tap_text(label[1], "a/long…1 a/long…nd, n=20",
	    "both differences of labels are kept when they are cut");
	for (int i = 0; i < 3; i++)
		free(label[i]);

	label[0] = str_copy("short");
	label[1] = str_copy("0123456789abcdefghij");
	display_text_fit(label, 2, 10, true);
	tap_text(label[0], "short", "a label that fits is not cut");
	tap_text(label[1], "01234…ghij", "the middle of a long label is left out");
	free(label[0]);
	free(label[1]);

	label[0] = str_copy("/long/common/path/to/a/thing/with/a/tail");
	label[1] = str_copy("/long/common/path/to/b/thing/with/a/tail");
	display_text_fit(label, 2, 16, false);
	tap_ok(strcmp(label[0], label[1]) != 0 && strlen(label[0]) <= 16,
	    "labels that differ in the middle still differ when cut (%s, %s)", label[0],
	    label[1]);
	free(label[0]);
	free(label[1]);

	label[0] =
	    str_copy("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb");
	label[1] =
	    str_copy("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb");
	label[2] = str_copy("zzz");
	display_text_fit(label, 3, 12, true);
	tap_ok(strcmp(label[0], label[1]) != 0 && display_width(text_of(label[0])) <= 12,
	    "labels that cannot be distinguished are numbered (%s, %s)", label[0],
	    label[1]);
	for (size_t i = 0; i < 3; i++)
		free(label[i]);

	label[0] = str_copy("order=sorted down");
	label[1] = str_copy("order=sorted up and down");
	label[2] = str_copy("order=sorted down");
	tap_ok(display_text_fit(label, 3, 10, true), "labels need no numbers if one is repeated");
	tap_ok(strcmp(label[0], label[1]) != 0 && strcmp(label[0], label[2]) == 0,
	    "labels that differ still differ when another is repeated (%s, %s)", label[0],
	    label[1]);
	for (size_t i = 0; i < 3; i++)
		free(label[i]);

	lines = display_text_wrap(part, 3, 12, true, line, 2);
	tap_ok(lines == 2, "three parts are wrapped into two lines");
	tap_text(line[0], "one,", "the first line ends after a part");
	tap_text(line[1], "two three, …", "the last line has the rest, cut");
	free(line[0]);
	free(line[1]);
	lines = display_text_wrap((char *[]){ wide }, 1, 12, true, line, 2);
	tap_ok(lines == 2, "a part that is too wide takes two lines");
	tap_text(line[0], "a part that", "a part that is too wide is broken at a blank");
	tap_text(line[1], "is too wide", "the next line has the rest of the part");
	free(line[0]);
	free(line[1]);
}

int main(void)
{
	test_labels();
	return tap_end();
}
