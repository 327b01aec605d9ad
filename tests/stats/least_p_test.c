/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The least p of each test, and the values that a significant difference takes.
 */
#include <math.h>

#include "base/base.h"
#include "stats/least_p.h"
#include "tests/lib/tap.h"

/* m values against n of the rank test: 2 / C(m + n, m); n pairs: 2 / 2^n. The p are
 * those of R's wilcox.test with exact = TRUE. */
static void test_ranks(void)
{
	static const struct {
		size_t m, n;
		double sides, pairs;
	} cases[] = {
		{ 1, 1, 1, 1 },
		{ 3, 3, 0.1, 0.25 },
		{ 4, 4, 2 / 70.0, 2 / 16.0 },
		{ 5, 5, 2 / 252.0, 2 / 32.0 },
		{ 6, 6, 2 / 924.0, 2 / 64.0 },
		{ 10, 8, 2 / 43758.0, 2 / 256.0 },
		{ 10, 1, 2 / 11.0, 1 },
		{ 20, 20, 2 / 137846528820.0, 2 / 1048576.0 },
		{ 1000, 1, 2 / 1001.0, 1 },
		{ 5, 0, 1, 1 },
	};
	const struct infer_test *rank = &infer_tests[0];

	for (size_t i = 0; i < COUNT(cases); i++) {
		double sides = least_p_sides(rank, cases[i].m, cases[i].n);
		double pairs = least_p_pairs(rank, cases[i].n);

		tap_ok(fabs(sides - cases[i].sides) <= 1e-12 * sides,
		    "the least p of %zu and %zu values by ranks is %g (%g)", cases[i].m,
		    cases[i].n, cases[i].sides, sides);
		tap_ok(fabs(pairs - cases[i].pairs) <= 1e-12 * pairs,
		    "the least p of %zu pairs by ranks is %g (%g)", cases[i].n,
		    cases[i].pairs, pairs);
	}
	tap_ok(least_p_sides(rank, 5000, 4000) < 1e-12,
	    "the least p of very many values by ranks is tiny");
	tap_ok(least_p_sides(rank, 1000000, 1) > 0.08,
	    "one value against a million has the p of the normal approximation, 0.083");
}

static void test_means(void)
{
	const struct infer_test *welch = &infer_tests[1];

	/* 49 (m - n)^2 <= m n (m + n) */
	static const struct {
		size_t m, n;
		bool valid;
	} cases[] = {
		{ 1, 9, false },
		{ 6, 6, false },
		{ 6, 7, false },
		{ 7, 7, true },
		{ 7, 13, true },
		{ 13, 7, true },
		{ 7, 14, false },
		{ 14, 7, false },
		{ 10, 21, true },
		{ 10, 22, false },
		{ 20, 71, true },
		{ 20, 72, false },
		{ 48, 1000000, false },
		{ 49, 1000000, true },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		tap_ok((least_p_sides(welch, cases[i].m, cases[i].n) < 1e-6) ==
		           cases[i].valid,
		    "Welch's test has %s p with %zu and %zu values",
		    cases[i].valid ? "any" : "no", cases[i].m, cases[i].n);
	tap_ok(least_p_pairs(welch, 1) == 1, "one pair has no Student's test");
	tap_ok(least_p_pairs(welch, 2) < 1e-6, "two pairs have any p by Student's test");
}

static void test_values(void)
{
	static const struct {
		size_t test;
		bool paired;
		size_t m, n, tests;
		double confidence;
		size_t least;
	} cases[] = {
		{ 0, false, 5, 5, 6, 0.95, 0 },  /* 6 * 0.0079 = 0.048 */
		{ 0, false, 5, 5, 7, 0.95, 6 },  /* 7 * 0.0079 = 0.056 */
		{ 0, false, 1, 1, 1, 0.95, 4 },  /* 3 and 3 have 0.1 */
		{ 0, false, 10, 1, 1, 0.95, 2 }, /* 10 and 2 have 0.030 */
		{ 0, false, 39, 1, 1, 0.95, 2 }, /* 2 / 40 is not below 0.05 */
		{ 0, false, 40, 1, 1, 0.95, 0 },
		{ 0, false, 5, 5, 1, 0.999, 7 }, /* 6 and 6 have 0.0022 */
		{ 0, true, 1, 1, 1, 0.95, 6 },   /* 5 pairs have 0.0625, 6 have 0.031 */
		{ 0, true, 6, 6, 3, 0.95, 7 },   /* 3 * 0.0156 = 0.047 */
		{ 0, true, 8, 8, 7, 0.95, 9 },
		{ 0, true, 5, 5, 6, 0.95, 8 }, /* 7 pairs have 6 * 0.0156 = 0.094 */
		{ 1, false, 1, 5, 1000, 0.95, 7 },
		{ 1, false, 7, 7, 1000, 0.95, 0 },
		{ 1, false, 7, 14, 1000, 0.95, 8 },
		{ 1, false, 50, 10, 1, 0.95, 17 },
		{ 1, false, 10, 1000000, 1, 0.95, 49 },
		{ 1, true, 2, 2, 1000, 0.95, 0 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t least = least_p_values(&infer_tests[cases[i].test], cases[i].paired,
		    cases[i].m, cases[i].n, cases[i].tests, cases[i].confidence);

		tap_ok(least == cases[i].least,
		    "%zu and %zu values%s and %zu tests at %g need %zu values (%zu)",
		    cases[i].m, cases[i].n, cases[i].paired ? " in pairs" : "",
		    cases[i].tests, cases[i].confidence, cases[i].least, least);
	}
}

int main(void)
{
	test_ranks();
	test_means();
	test_values();
	return tap_end();
}
