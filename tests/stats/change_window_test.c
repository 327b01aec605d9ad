/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change points by windows: every step is found in any window, and what is said about each
 * point agrees with tests of the values around it.
 */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "stats/change_window.h"
#include "stats/infer.h"
#include "stats/stats.h"
#include "stats/welch.h"
#include "tests/lib/tap.h"

enum { LONGEST = 240 };

static const struct change_opts opts = { .alpha = 0.05, .least = 4, .window = 40 };

static double normal(struct rng *r)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += rng_uniform(r);
	return sum - 6;
}

/* Tests steps at all positions, including those that only the last window has: it begins at
 * no multiple of half a window. */
static void test_single_steps(void)
{
	struct change_point found[LONGEST];
	double x[LONGEST];
	size_t missing = 0, more = 0, series = 0;
	struct rng rng;

	rng_seed(&rng, 1);
	for (size_t n = opts.window; n <= 121; n += 9)
		for (size_t at = opts.least; at + opts.least <= n; at++, series++) {
			for (size_t i = 0; i < n; i++)
				x[i] = 100 + 0.1 * normal(&rng) + (i < at ? 0 : 20);
			const size_t count = change_window_find(x, n, &opts, found);
			bool seen = false;

			for (size_t i = 0; i < count; i++)
				seen |= found[i].at == at;
			missing += !seen;
			more += count - seen;
		}
	tap_ok(!missing,
	    "change_window_find() finds the step in all of %zu series (%zu missing)",
	    series, missing);
	tap_ok((double)more < opts.alpha * (double)series,
	    "change_window_find() finds few other changes (%zu)", more);
}

/* Returns the p of a point, from the values on both sides. */
static double expected_p(const double *x, size_t n, const struct change_point *p)
{
	double sorted[LONGEST];
	const size_t m = p->at - p->from, k = p->to - p->at;

	memcpy(sorted, x + p->from, (m + k) * sizeof(*x));
	stats_sort(sorted, m);
	stats_sort(sorted + m, k);
	return (double)n * fmax(welch_sides(x + p->from, m, x + p->at, k),
	                       infer_rank_sum(sorted, m, sorted + m, k));
}

/* Random steps, some of which are closer than the least distance or hardly visible. */
static void test_many_steps(void)
{
	struct change_point found[LONGEST];
	double x[LONGEST];
	size_t misplaced = 0, points = 0;
	double error = 0, largest = 0;
	struct rng rng;

	rng_seed(&rng, 2);
	for (int round = 0; round < 300; round++) {
		const size_t n = LONGEST - rng_below(&rng, 60);
		double level = 100;
		size_t count;

		for (size_t i = 0; i < n; i++) {
			if (rng_below(&rng, 20) == 0)
				level += 3 * normal(&rng);
			x[i] = level + normal(&rng);
		}
		count = change_window_find(x, n, &opts, found);
		points += count;
		for (size_t i = 0; i < count; i++) {
			const struct change_point *p = &found[i];

			misplaced += p->from != (i ? p[-1].at : 0) ||
			             p->to != (i + 1 < count ? p[1].at : n) ||
			             p->at < p->from + opts.least ||
			             p->to < p->at + opts.least;
			error = fmax(error, fabs(log(p->p / expected_p(x, n, p))));
			largest = fmax(largest, p->p);
		}
	}
	tap_ok(points > 500 && !misplaced,
	    "change_window_find() puts each point between its neighbors, not too close "
	    "(%zu points, %zu misplaced)",
	    points, misplaced);
	tap_ok(error < 1e-6,
	    "change_window_find() returns the greater p of Welch's test and of the ranks "
	    "(%g)",
	    error);
	tap_ok(largest < opts.alpha && largest > opts.alpha / 5,
	    "change_window_find() returns the points below alpha (the largest has %g)",
	    largest);
}

/* Four similar values have a tiny p by Welch's test, but not by ranks. */
static void test_similar_values(void)
{
	struct change_point found[LONGEST];
	double x[100];
	struct rng rng;

	rng_seed(&rng, 3);
	for (size_t i = 0; i < COUNT(x); i++)
		x[i] = i < 96 ? 100 + normal(&rng) : 101 + 1e-6 * normal(&rng);
	tap_ok(welch_sides(x, 96, x + 96, 4) * (double)COUNT(x) < 1e-9,
	    "welch_sides() finds a tiny p if a side has similar values");
	tap_ok(change_window_find(x, COUNT(x), &opts, found) == 0,
	    "change_window_find() finds no change in similar values that are not unusual");
}

/* Two sides whose values are all equal have no variance, and no t. */
static void test_constant_sides(void)
{
	struct change_point found[LONGEST];
	double x[60];
	size_t wrong = 0;

	for (size_t at = opts.least; at + opts.least <= COUNT(x); at++) {
		for (size_t i = 0; i < COUNT(x); i++)
			x[i] = i < at ? 100 : 101;
		const double p = COUNT(x) * infer_rank_sum(x, at, x + at, COUNT(x) - at);
		const size_t count = change_window_find(x, COUNT(x), &opts, found);

		if (p < opts.alpha)
			wrong += count != 1 || found[0].at != at ||
			         fabs(found[0].p / p - 1) > 1e-9;
		else
			wrong += count != 0;
	}
	tap_ok(!wrong,
	    "change_window_find() finds the step between constant values (%zu wrong)",
	    wrong);
	for (size_t i = 0; i < COUNT(x); i++)
		x[i] = 100;
	tap_ok(change_window_find(x, COUNT(x), &opts, found) == 0,
	    "change_window_find() finds no change in equal values");
}

int main(void)
{
	test_single_steps();
	test_many_steps();
	test_similar_values();
	test_constant_sides();
	return tap_end();
}
