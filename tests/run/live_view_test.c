/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The view of bench-run --live: its figures agree with a separate computation from the
 * samples, its bars have a common scale, and its lines fit the terminal.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/live_view.h"
#include "tests/lib/tap.h"

static const double fast[] = { 3e6, 1e6, 2e6, 5e6, 4e6, 6e6, 7e6, 9e6, 8e6 };
static const double slow[] = { 12e6, 12e6, 12e6, 12e6, 12e6, 12e6 };

/* The drawing as a text, and how many lines it said it has. */
static char *drawn(size_t width, size_t height, const struct live_subject *s, size_t count,
    size_t now, size_t *lines)
{
	struct buf b = { 0 };

	*lines = live_draw(&b, &(struct live_view){ width, height, 0.95 }, s, count, now);
	buf_byte(&b, '\0');
	return b.ptr;
}

/* Columns of the longest line; continuation bytes take none. */
static size_t widest(const char *text)
{
	size_t most = 0, now = 0;

	for (; *text; text++) {
		now = *text == '\n' ? 0 : now + (((unsigned char)*text & 0xc0) != 0x80);
		most = now > most ? now : most;
	}
	return most;
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

int main(void)
{
	struct live_subject two[] = {
		{ "fast", fast, COUNT(fast), 1, COUNT(fast), true },
		{ "slow", slow, COUNT(slow), 0.5, COUNT(slow) + 1, false },
	};
	struct live_subject many[50];
	size_t lines;
	char *text = drawn(100, 20, two, 2, 0, &lines);

	/* Ranks 2 and 8 of 9 values enclose the median with 95%: half of 2 to 8 is 60%
	 * of 5.
	 */
	tap_ok(strstr(text, "> fast      9      5.000 ms      +-60%") == text,
	    "live_draw shows the median and half its interval");
	tap_ok(strstr(text, ". slow      6      6.000 ms       +-0% !") != NULL,
	    "live_draw scales the values and marks failures: %s", text);
	tap_ok(lines == 2 && count_lines(text) == 2,
	    "live_draw draws one line for each subject");
	tap_ok(strchr(text, '-') && strchr(text, '='),
	    "live_draw shows samples and interval on a scale");
	/* 1.4 to 8.6 ms are nine tenths of the first; 6 ms is 0.64 of the way. */
	const char *bar = strrchr(text, '|'), *line = strchr(text, '\n') + 1;
	size_t columns = 100 - 4 - 38 - 1 - 2;
	size_t begin = 2 + 4 + 32 + 2;
	size_t want = begin + (size_t)((6 - 1.4) / 7.2 * (double)(columns - 1) + 0.5);
	tap_ok((size_t)(bar - line) == want,
	    "all subjects share one scale: column %zu, expected %zu", (size_t)(bar - line),
	    want);
	free(text);

	for (size_t width = 1; width < 120; width += 7) {
		text = drawn(width, 20, two, 2, 1, &lines);
		tap_ok(widest(text) < (width > 1 ? width : 2), "lines fit into %zu columns",
		    width);
		free(text);
	}

	for (size_t i = 0; i < COUNT(many); i++)
		many[i] = (struct live_subject){ i == 30 ? "n\303\266w\033[2J" : "other",
			NULL, 0, 1, 0, true };
	text = drawn(80, 5, many, COUNT(many), 30, &lines);
	tap_ok(lines == 5 && count_lines(text) == 5,
	    "live_draw draws no more lines than the height");
	tap_ok(strstr(text, "\n> n\303\266w"),
	    "the subject that is measured is among the lines");
	tap_ok(!strchr(text, '\033'),
	    "control characters in a name are not written to the terminal");
	free(text);
	text = drawn(80, 5, many, COUNT(many), 49, &lines);
	tap_ok(lines == 5 && strstr(text, "\n> other"),
	    "the last subject is among the lines when it is measured");
	tap_ok(!strchr(text, '|'), "no scale is drawn for a subject without samples");
	free(text);

	two[0].name = "快速排序";
	two[1].name = "cafe\u0301";
	text = drawn(48, 5, two, 2, 0, &lines);
	tap_ok(strstr(text, "> 快速排序      9      5.000 ms") == text,
	    "figures follow a name of wide characters in the right column: %s", text);
	tap_ok(strstr(text, "\n. cafe\u0301          6      6.000 ms") != NULL,
	    "a shorter name with a combining accent is padded to the same column");
	free(text);
	two[0].name = "a long benchmark n=10000 order=random";
	two[1].name = "a long benchmark n=10000 order=sorted";
	text = drawn(60, 5, two, 2, 0, &lines);
	tap_ok(strstr(text, "random ") && strstr(text, "sorted "),
	    "names that are too long still differ: %s", text);
	free(text);
	text = drawn(80, 5, two, 2, 0, &lines);
	tap_ok(strstr(text, "> a long benchmark n=10000 order=random ") == text,
	    "a name takes the room that is too small for a scale: %s", text);
	free(text);
	two[1].name = "cafe\u0301";
	two[0].name = "快速排序快速排序快速排序快速排序快速排序";
	text = drawn(8, 5, two, 2, 0, &lines);
	tap_ok(strstr(text, "> 快速\n") == text,
	    "a line is cut before a wide character that does not fit");
	free(text);
	return tap_end();
}
