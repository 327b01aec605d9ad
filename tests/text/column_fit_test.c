/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fitting columns into a width: what gives way first, and that the result fits.
 */
#include <stdlib.h>

#include "base/rng.h"
#include "tests/lib/tap.h"
#include "text/column_fit.h"

enum { COLUMNS_MAX = 5 };

/* Columns as { width, header, least, rank, easy, empty, kept, dropped }; want: the
 * widths, 0 for those dropped.
 */
static const struct {
	struct column_fit column[COLUMNS_MAX];
	size_t count, limit, want[COLUMNS_MAX];
	const char *what;
} cases[] = {
	{ { { 30, 5, 0, 0, 20, false, false, false },
	      { 10, 4, 10, 3, 0, false, false, false } },
	    2, 42, { 30, 10 }, "a table that fits is unchanged" },
	{ { { 30, 5, 0, 0, 20, false, false, false },
	      { 10, 4, 10, 3, 0, false, false, false } },
	    2, 37, { 25, 10 }, "a text becomes narrower before a column is dropped" },
	{ { { 30, 5, 0, 0, 20, false, false, false },
	      { 10, 4, 10, 3, 0, false, false, false } },
	    2, 31, { 30, 0 }, "a column is dropped before a text is hard to read" },
	{ { { 30, 5, 0, 0, 20, false, false, false },
	      { 10, 4, 10, 1, 0, false, false, false } },
	    2, 27, { 15, 10 }, "a column of rank 1 is kept longer than an easy text" },
	{ { { 10, 5, 0, 0, 20, false, false, false },
	      { 10, 4, 10, 2, 0, false, false, false },
	      { 10, 4, 10, 3, 0, false, false, false } },
	    3, 30, { 10, 10, 0 }, "the column of the largest rank is dropped first" },
	{ { { 10, 5, 0, 0, 20, false, false, false },
	      { 10, 4, 10, 2, 0, false, false, false },
	      { 4, 4, 4, 2, 0, false, false, false } },
	    3, 24, { 10, 0, 0 }, "columns of one rank are dropped together" },
	{ { { 10, 5, 0, 0, 20, false, false, false },
	      { 30, 4, 30, 2, 0, false, false, false },
	      { 8, 4, 8, 3, 0, false, false, false } },
	    3, 30, { 10, 0, 8 },
	    "a column is shown again if there is room after a wider one was dropped" },
	{ { { 10, 5, 0, 0, 20, false, false, false },
	      { 10, 4, 10, 5, 0, false, false, false },
	      { 10, 4, 10, 0, 0, true, false, false } },
	    3, 25, { 10, 10, 0 }, "an empty column is dropped before all others" },
	{ { { 30, 5, 0, 0, 20, false, false, false },
	      { 30, 5, 0, 0, 20, false, false, false } },
	    2, 18, { 8, 8 },
	    "texts keep 8 characters before a column of rank 0 is dropped" },
	{ { { 30, 5, 0, 0, 20, false, false, false },
	      { 30, 5, 0, 0, 20, false, false, false } },
	    2, 16, { 16, 0 }, "the last column of rank 0 is dropped first" },
	{ { { 30, 12, 0, 0, 20, false, false, false },
	      { 10, 4, 10, 0, 0, false, false, false } },
	    2, 24, { 12, 10 },
	    "a text is as wide as the name of its column if there is room" },
	{ { { 30, 30, 30, 0, 0, false, false, false } }, 1, 20, { 30 },
	    "the only column is never dropped" },
	{ { { 30, 12, 0, 0, 20, false, false, false },
	      { 10, 4, 10, 0, 0, false, false, false } },
	    2, 20, { 8, 10 },
	    "the name of a column is cut before a column of rank 0 is dropped" },
	{ { { 10, 5, 10, 0, 0, false, false, false },
	      { 10, 5, 10, 0, 0, false, false, false },
	      { 7, 7, 7, 0, 0, false, true, false } },
	    3, 20, { 10, 0, 7 },
	    "a kept column stays longer than the columns to its left" },
	{ { { 10, 5, 10, 0, 0, false, false, false },
	      { 9, 7, 9, 0, 0, false, true, false } },
	    2, 15, { 0, 9 }, "a kept column is the last one that is left" },
};

static void test_cases(void)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct column_fit column[COLUMNS_MAX];
		bool right = true;

		memcpy(column, cases[i].column, sizeof(column));
		column_fit(column, cases[i].count, cases[i].limit);
		for (size_t k = 0; k < cases[i].count; k++) {
			size_t got = column[k].dropped ? 0 : column[k].width;

			right &= got == cases[i].want[k];
			if (got != cases[i].want[k])
				printf("# column %zu: got %zu, want %zu\n", k, got,
				    cases[i].want[k]);
		}
		tap_ok(right, "%s", cases[i].what);
	}
}

/* Returns whether a random table fits, with numbers as wide as before. */
static bool fits_random(struct rng *r)
{
	struct column_fit column[20], before[20];
	size_t count = 1 + rng_below(r, 20), limit = 20 + rng_below(r, 200), all = 0,
	       left = 0;

	for (size_t i = 0; i < count; i++) {
		size_t header = 1 + rng_below(r, 12), width = header + rng_below(r, 60);

		column[i] = (struct column_fit){ .header = header,
			.width = width,
			.rank = (unsigned)rng_below(r, 5),
			.easy = rng_below(r, 2) ? 20 : 0,
			.empty = rng_below(r, 6) == 0,
			.dropped = i && rng_below(r, 8) == 0 };
		if (!column[i].easy)
			column[i].least = width;
	}
	memcpy(before, column, sizeof(before));
	column_fit(column, count, limit);
	for (size_t i = 0; i < count; i++) {
		if (before[i].dropped && !column[i].dropped)
			return false;
		if (column[i].dropped)
			continue;
		left++;
		all += column[i].width + (all ? COLUMN_FIT_GAP : 0);
		if (column[i].width < column[i].least ||
		    (!column[i].easy && column[i].width != before[i].width))
			return false;
	}
	return left && (all <= limit || left == 1);
}

int main(void)
{
	struct rng r;
	size_t right = 0, tables = 5000;

	rng_seed(&r, 1);
	test_cases();
	for (size_t i = 0; i < tables; i++)
		right += fits_random(&r);
	tap_ok(right == tables, "%zu of %zu random tables fit and keep their numbers",
	    right, tables);
	return tap_end();
}
