/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates and intervals against the tests that they invert: the p of every candidate is
 * computed by the test itself, on the new values divided by a ratio or less a difference.
 */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "stats/infer.h"
#include "stats/pair_ranks.h"
#include "stats/pair_select.h"
#include "stats/rate_interval.h"
#include "stats/stats.h"
#include "tests/lib/tap.h"

enum { MOST = 12, MANY = 150, LARGE = 3000 };

static struct rng rng;

/* A comparison, and the new values moved by a candidate. */
struct made_sides {
	double old[MOST], new[MOST], moved[MOST];
	size_t olds, news;
	bool paired, ratio;
};

/* Fills a comparison. levels: the number of different values; 0: all are different. */
static void make(struct made_sides *s, size_t least, size_t most, uint64_t levels)
{
	s->olds = least + rng_below(&rng, most - least + 1);
	s->news = s->paired ? s->olds : least + rng_below(&rng, most - least + 1);
	for (size_t i = 0; i < MOST; i++) {
		s->old[i] = levels ? (double)rng_below(&rng, levels)
		                   : 5 + rng_uniform(&rng) * rng_uniform(&rng);
		s->new[i] =
		    levels ? (double)rng_below(&rng, levels) + 1 : 5.5 + rng_uniform(&rng);
		/* values of both signs, as the test of pairs ranks ratios otherwise */
		s->old[i] += s->ratio ? 7 : -20;
		s->new[i] += s->ratio ? 7 : -20;
	}
	if (!s->paired) {
		stats_sort(s->old, s->olds);
		stats_sort(s->new, s->news);
	}
}

static void contrast_of(const struct made_sides *s, const struct infer_test *test,
    double alpha, struct contrast *out)
{
	*out = (struct contrast){ .ratio = s->ratio };
	if (s->paired)
		test->contrast_pairs(s->old, s->new, s->news, alpha, out);
	else
		test->contrast_sides(s->old, s->olds, s->new, s->news, alpha, out);
}

static double p_at(struct made_sides *s, const struct infer_test *test, double candidate)
{
	for (size_t i = 0; i < s->news; i++)
		s->moved[i] = s->ratio ? s->new[i] / candidate : s->new[i] - candidate;
	return s->paired ? test->pairs(s->old, s->moved, s->news)
	                 : test->sides(s->old, s->olds, s->moved, s->news);
}

/* Lists the points at which p changes, in ascending order. Returns their number. */
static size_t list_points(const struct made_sides *s, double *point)
{
	size_t n = 0, distinct = 0;

	for (size_t i = 0; i < s->olds; i++)
		for (size_t j = 0; j < s->news; j++)
			point[n++] =
			    s->ratio ? s->new[j] / s->old[i] : s->new[j] - s->old[i];
	for (size_t i = 0; s->paired && i < s->olds; i++)
		for (size_t j = i + 1; j < s->news; j++)
			point[n++] =
			    s->ratio
			        ? sqrt(s->new[i] / s->old[i]) * sqrt(s->new[j] / s->old[j])
			        : (s->new[i] - s->old[i]) / 2 + (s->new[j] - s->old[j]) / 2;
	stats_sort(point, n);
	/* Rounding separates equal points by less than this. */
	for (size_t i = 0; i < n; i++)
		if (!distinct || point[i] > point[distinct - 1] + 1e-12)
			point[distinct++] = point[i];
	return distinct;
}

/* Returns whether the interval ends at the points around the gaps with p >= alpha. */
static bool agrees(struct made_sides *s, double alpha)
{
	double point[2 * MOST * MOST], lo = NAN, hi = NAN;
	size_t points = list_points(s, point);
	bool open[2] = { false, false }, any = false, same;
	struct contrast c;

	for (size_t gap = 0; gap <= points; gap++) {
		double from = gap ? point[gap - 1] : s->ratio ? point[0] / 2 : point[0] - 1;
		double to = gap < points ? point[gap] : point[points - 1] + 1;

		if (p_at(s, &infer_tests[0], (from + to) / 2) < alpha)
			continue;
		open[0] |= gap == 0;
		open[1] |= gap == points;
		lo = any ? lo : from;
		hi = to;
		any = true;
	}
	contrast_of(s, &infer_tests[0], alpha, &c);
	if (open[0] || open[1])
		same = isnan(c.lo) && isnan(c.hi);
	else if (!any) /* at most the point at which the direction changes is accepted */
		same = c.lo == c.hi && c.lo == c.at;
	else
		same = fabs(c.lo - lo) < 1e-9 && fabs(c.hi - hi) < 1e-9;
	if (!same)
		printf("# %g to %g, not %g to %g\n", c.lo, c.hi, lo, hi);
	return same;
}

static void test_ranks(void)
{
	static const double alphas[] = { 0.05, 0.01, 0.2, 0.5 };
	static const uint64_t levels[] = { 0, 3, 9, 1 };
	enum { ROUNDS = 160 };

	rng_seed(&rng, 83);
	for (int paired = 0; paired < 2; paired++)
		for (int ratio = 0; ratio < 2; ratio++) {
			struct made_sides s = { .paired = paired, .ratio = ratio };
			int wrong = 0;

			for (size_t i = 0; i < ROUNDS; i++) {
				make(&s, paired ? 4 : 2, paired ? 10 : 8,
				    levels[i % COUNT(levels)]);
				wrong += !agrees(&s, alphas[i / 4 % COUNT(alphas)]);
			}
			tap_ok(!wrong,
			    "the rank interval of a %s of %s contains exactly the "
			    "candidates with p >= alpha (%d of %d differ)",
			    ratio ? "ratio" : "difference", paired ? "pairs" : "sides",
			    wrong, ROUNDS);
		}
}

/* Makes the values of a side equal to 5 or 5.5, in ascending order. */
static void tie(double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = x[i] < 5.5 ? 5 : 5.5;
}

/* With many values p is an approximation. It crosses alpha at both ends, even if a side has
 * few distinct values. */
static void test_many(void)
{
	static double old[MANY], new[MANY], moved[MANY];

	rng_seed(&rng, 101);
	for (int paired = 0; paired < 2; paired++) {
		const struct infer_test *test = &infer_tests[0];
		int wrong = 0;

		for (int i = 0; i < 40; i++) {
			struct contrast c = { .ratio = true };

			for (size_t k = 0; k < MANY; k++) {
				old[k] = 5 + rng_uniform(&rng);
				new[k] = i % 2 ? old[k] * (1 + 0.1 * rng_uniform(&rng))
				               : 5 + rng_uniform(&rng);
			}
			if (!paired) {
				stats_sort(old, MANY);
				stats_sort(new, MANY);
				if (i % 4 == 2)
					tie(i % 8 == 2 ? old : new, MANY);
				test->contrast_sides(old, MANY, new, MANY, 0.05, &c);
			} else
				test->contrast_pairs(old, new, MANY, 0.05, &c);
			for (int at = 0; at < 4; at++) {
				double r =
				    (at < 2 ? c.lo : c.hi) + (at % 2 ? 1e-12 : -1e-12);
				bool inside = at == 1 || at == 2;

				for (size_t k = 0; k < MANY; k++)
					moved[k] = new[k] / r;
				wrong += inside != ((paired ? test->pairs(old, moved, MANY)
				                            : test->sides(old, MANY, moved,
				                                  MANY)) >= 0.05);
			}
		}
		tap_ok(!wrong,
		    "p crosses alpha at the ends of intervals of %d %s (%d do not)", MANY,
		    paired ? "pairs" : "values a side", wrong);
	}
}

static void test_means(void)
{
	int wrong = 0, rounds = 0;

	rng_seed(&rng, 89);
	for (int i = 0; i < 400; i++) {
		struct made_sides s = { .paired = i % 2, .ratio = i / 2 % 2 };
		double alpha = i % 3 ? 0.05 : 0.2;
		struct contrast c;

		make(&s, s.paired ? 4 : 7, MOST, 0);
		contrast_of(&s, &infer_tests[1], alpha, &c);
		if (isnan(c.lo))
			continue;
		rounds++;
		/* a ratio of pairs is the one whose differences new - r old have p = alpha
		 */
		if (s.paired && s.ratio)
			for (int end = 0; end < 2; end++) {
				double r = end ? c.hi : c.lo, scaled[MOST];

				for (size_t k = 0; k < s.olds; k++)
					scaled[k] = r * s.old[k];
				wrong += fabs(infer_tests[1].pairs(scaled, s.new, s.news) -
				              alpha) > 1e-9;
			}
		else
			wrong += fabs(p_at(&s, &infer_tests[1], c.lo) - alpha) > 1e-9 ||
			         fabs(p_at(&s, &infer_tests[1], c.hi) - alpha) > 1e-9;
		wrong += !(c.lo < c.at && c.at < c.hi);
	}
	tap_ok(!wrong && rounds > 300,
	    "p is alpha at both ends of %d intervals of means (%d differ)", rounds, wrong);
}

/* Means whose test or interval is not the usual one. The p are those of R's t.test, and the
 * ends of ratios are where R's p of the old values times the ratio is 0.05. */
static void test_means_edges(void)
{
	static const struct {
		const char *name;
		size_t n;
		double old[8], new[8];
		bool paired, ratio;
		double p, lo, hi; /* lo and hi: NAN: none */
	} cases[] = {
		{ "an old mean that does not differ from 0", 8, { 1, 1, 1, 1, 1, 1, 1, 33 },
		    { 36, 44, 36, 44, 36, 44, 36, 44 }, false, true, 1.893639838e-05,
		    2.762958652363, NAN },
		{ "a new mean that does not differ from 0", 8,
		    { 36, 44, 36, 44, 36, 44, 36, 44 }, { 1, 1, 1, 1, 1, 1, 1, 33 }, false,
		    true, 1.893639838e-05, 0, 0.3619308595678 },
		{ "three constant values a side", 3, { 100, 100, 100 }, { 200, 200, 200 },
		    false, true, 0.1, NAN, NAN },
		{ "four constant values a side", 4, { 100, 100, 100, 100 },
		    { 200, 200, 200, 200 }, false, true, 2 / 70.0, 2, 2 },
		{ "equal constant values", 3, { 0.1, 0.1, 0.1 }, { 0.1, 0.1, 0.1 }, false,
		    true, 1, 1, 1 },
		{ "the difference of constant values", 2, { -1, -1 }, { 3, 3 }, false,
		    false, 1 / 3.0, NAN, NAN },
		{ "constant pairs", 2, { 100, 100 }, { 50, 50 }, true, true, 0.5, NAN,
		    NAN },
		{ "equal pairs that vary", 5, { 2, 1, 1, 1, 3 }, { 2, 1, 1, 1, 3 }, true,
		    true, 1, 1, 1 },
		{ "equal pairs that vary a lot", 4, { 7, 5, 2, 2 }, { 7, 5, 2, 2 }, true,
		    true, 1, 1, 1 },
		{ "pairs with a constant difference", 3, { 1, 2, 3 }, { 3, 4, 5 }, true,
		    false, 0.25, NAN, NAN },
		{ "six pairs with a constant difference", 6, { 1, 2, 3, 4, 5, 6 },
		    { 3, 4, 5, 6, 7, 8 }, true, false, 2 / 64.0, 2, 2 },
		{ "equal pairs", 3, { 1, 1, 1 }, { 1, 1, 1 }, true, false, 1, 0, 0 },
		{ "pairs whose old mean does not differ from 0", 2, { 100, 120 },
		    { 1000, 1010 }, true, true, 0.0035565, 4.507389671069, NAN },
		{ "pairs whose new mean does not differ from 0", 2, { 1000, 1010 },
		    { 100, 120 }, true, true, 0.0035565, 0, 0.221857898468 },
		{ "pairs of two means that do not differ from 0", 2, { 100, 120 },
		    { 10, 30.1 }, true, true, 0.0003538742117, 0, 0.6232434050192 },
		{ "constant old values", 8, { 10, 10, 10, 10, 10, 10, 10, 10 },
		    { 36, 44, 36, 44, 36, 44, 36, 44 }, false, true, 2.063905223e-07,
		    3.64250241635, 4.35749758365 },
		{ "constant new values", 8, { 36, 44, 36, 44, 36, 44, 36, 44 },
		    { 10, 10, 10, 10, 10, 10, 10, 10 }, false, true, 2.063905223e-07,
		    0.229489513374, 0.274536537165 },
		{ "values near 1e-90", 7,
		    { 1e-90, 2e-90, 3e-90, 4e-90, 5e-90, 6e-90, 7e-90 },
		    { 11e-90, 12e-90, 13e-90, 14e-90, 15e-90, 16e-90, 17e-90 }, false,
		    false, 1.654494352e-06, 7.484123653e-90, 12.515876347e-90 },
		{ "values near 1e-200", 7,
		    { 1e-200, 2e-200, 3e-200, 4e-200, 5e-200, 6e-200, 7e-200 },
		    { 11e-200, 12e-200, 13e-200, 14e-200, 15e-200, 16e-200, 17e-200 },
		    false, false, 1.654494352e-06, 7.484123653e-200, 12.515876347e-200 },
		{ "values near 1e200", 7,
		    { 1e200, 2e200, 3e200, 4e200, 5e200, 6e200, 7e200 },
		    { 11e200, 12e200, 13e200, 14e200, 15e200, 16e200, 17e200 }, false,
		    false, 1.654494352e-06, 7.484123653e200, 12.515876347e200 },
		{ "pairs near 1e200", 3, { 1e200, 2e200, 4e200 },
		    { 11e200, 12e200, 13e200 }, true, false, 0.00118694, 8.232449e200,
		    11.100884e200 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct infer_test *test = &infer_tests[1];
		struct contrast c = { .ratio = cases[i].ratio };
		size_t n = cases[i].n;
		const double *old = cases[i].old, *new = cases[i].new;
		double p = cases[i].paired ? test->pairs(old, new, n)
		                           : test->sides(old, n, new, n);
		double end[2], want[2] = { cases[i].lo, cases[i].hi };
		bool right = fabs(p - cases[i].p) <= 1e-4 * cases[i].p;

		if (cases[i].paired)
			test->contrast_pairs(old, new, n, 0.05, &c);
		else
			test->contrast_sides(old, n, new, n, 0.05, &c);
		end[0] = c.lo;
		end[1] = c.hi;
		for (int k = 0; k < 2; k++)
			if (isnan(want[k]))
				right = right && isnan(end[k]);
			else
				right =
				    right && fabs(end[k] - want[k]) <= 1e-6 * fabs(want[k]);
		right = right && !(c.lo > c.at) && !(c.hi < c.at);
		tap_ok(right, "%s have a p and an interval of means (p %g, %g to %g)",
		    cases[i].name, p, c.lo, c.hi);
	}
}

/* Pairs of values of 1 and 0 with these numbers of successes. */
static void test_rates(void)
{
	double old[40], new[40], p, least = 1;
	struct contrast c = { .ratio = true }, d = { .ratio = false };
	int wrong = 0;

	for (size_t i = 0; i < 40; i++) {
		old[i] = i < 38;
		new[i] = i < 20;
	}
	p = rate_sides(old, 40, new, 40, 0.05, &c);
	tap_ok(fabs(p / 8.334442818832e-06 - 1) < 1e-9 && c.at == 20.0 / 38,
	    "rates have Fisher's p (%.11g) and the ratio of the rates", p);
	rate_sides(old, 40, new, 40, 0.05, &d);
	tap_ok(
	    fabs(d.at + 0.45) < 1e-15 && d.lo < d.at && d.at < d.hi && d.hi < 0 && c.hi < 1,
	    "rates have the difference of the rates with an interval (%g to %g, ratio %g "
	    "to %g)",
	    d.lo, d.hi, c.lo, c.hi);
	/* the interval excludes 1 exactly if p < alpha */
	for (size_t successes = 0; successes <= 40; successes++)
		for (int paired = 0; paired < 2; paired++) {
			for (size_t i = 0; i < 40; i++)
				new[i] = i < successes;
			p = paired ? rate_pairs(old, new, 40, 0.05, &c)
			           : rate_sides(old, 40, new, 40, 0.05, &c);
			wrong += (c.lo > 1 || c.hi < 1) != (p < 0.05);
			least = fmin(least, fabs(p - 0.05));
		}
	tap_ok(!wrong,
	    "rates that do not differ are in the interval if p >= alpha (%d "
	    "differ, nearest p %g)",
	    wrong, least);
	/* 3 pairs succeed twice, 9 only before, 1 only after: R's binom.test(1, 10) */
	for (size_t i = 0; i < 13; i++) {
		old[i] = i < 12;
		new[i] = i < 3 || i == 12;
	}
	p = rate_pairs(old, new, 13, 0.05, &c);
	tap_ok(fabs(p - 0.021484375) < 1e-12 && fabs(c.at - 1.0 / 3) < 1e-12 && c.hi < 1,
	    "pairs of rates have the p of McNemar's exact test, and the ratio of the rates "
	    "(%g, %g)",
	    p, c.at);
	p = rate_pairs(new, old, 13, 0.05, &c);
	tap_ok(fabs(p - 0.021484375) < 1e-12 && fabs(c.at - 3) < 1e-12 && c.lo > 1,
	    "swapped pairs of rates have the same p and the inverse ratio (%g, %g)", p,
	    c.at);
	for (size_t i = 0; i < 4; i++)
		old[i] = 1;
	rate_sides(old, 3, old, 3, 0.05, &c);
	tap_ok(isnan(c.lo), "three successes each have no interval");
	rate_sides(old, 4, old, 4, 0.05, &c);
	tap_ok(c.lo == 1 && c.hi == 1, "four successes each have the interval 1 to 1");
}

static double drawn(int family)
{
	return family == 0   ? rng_uniform(&rng) + 1
	       : family == 1 ? (double)rng_below(&rng, 5) + 1
	       : family == 2 ? 1 / (rng_uniform(&rng) + 1e-9)
	                     : 1e15 + (double)rng_below(&rng, 3);
}

/* Compares a selection with sorting all combinations. */
static void test_select(void)
{
	static double old[LARGE], new[LARGE], all[300 * 300];
	int wrong = 0;

	rng_seed(&rng, 97);
	for (int i = 0; i < 120; i++) {
		size_t m = 1 + rng_below(&rng, 300), n = 1 + rng_below(&rng, 300), k = 0;
		struct combinations c = { (enum combination)(i % 3), old, m, new, n };

		for (size_t j = 0; j < 300; j++) {
			old[j] = drawn(i / 3 % 4);
			new[j] = drawn(i / 3 % 4);
		}
		stats_sort(old, m);
		stats_sort(new, n);
		for (size_t a = 0; a < (c.kind == COMBINE_MEAN ? n : m); a++)
			for (size_t b = c.kind == COMBINE_MEAN ? a : 0; b < n; b++)
				all[k++] = combine(c.kind,
				    c.kind == COMBINE_MEAN ? new[a] : old[a], new[b]);
		stats_sort(all, k);
		for (int try = 0; try < 5; try++) {
			size_t at = try == 0   ? 0
			            : try == 1 ? k - 1
			                       : (size_t)rng_below(&rng, k);

			wrong += pair_select(&c, (double)at + 1) != all[at];
		}
		wrong += fabs(pair_median(&c) /
		                  (c.kind == COMBINE_RATIO
		                          ? sqrt(all[(k - 1) / 2]) * sqrt(all[k / 2])
		                          : all[(k - 1) / 2] / 2 + all[k / 2] / 2) -
		              1) > 1e-14 &&
		         fabs(pair_median(&c)) > 1e-14;
	}
	tap_ok(!wrong, "selected combinations are those of all sorted ones (%d differ)",
	    wrong);
	for (int kind = 0; kind < 3; kind++) {
		struct combinations c = { (enum combination)kind, old, LARGE, new, LARGE };
		double count = pair_count(&c), k = floor(count / 3), x, upto = 0, less = 0;

		for (size_t j = 0; j < LARGE; j++) {
			old[j] = drawn(kind);
			new[j] = drawn(kind);
		}
		stats_sort(old, LARGE);
		stats_sort(new, LARGE);
		x = pair_select(&c, k);
		for (size_t a = 0; a < LARGE; a++)
			for (size_t b = kind == COMBINE_MEAN ? a : 0; b < LARGE; b++) {
				double y = combine(
				    c.kind, kind == COMBINE_MEAN ? new[a] : old[a], new[b]);

				upto += y <= x;
				less += y < x;
			}
		tap_ok(less < k && k <= upto,
		    "of %d values, the combination selected has the right rank (%.0f)",
		    LARGE, k);
	}
}

static void test_pairs_without_ranks(void)
{
	double old[60], new[60];
	struct contrast few = { 0 }, many = { 0 };
	bool any;

	for (size_t i = 0; i < 60; i++) {
		old[i] = (double)i;
		new[i] = (double)(2 * i + 1);
	}
	old[2] = NAN;
	pair_ranks_interval(old, new, 6, 0.05, &few);
	tap_ok(isnan(pair_ranks_p(old, new, 6)) && isnan(pair_ranks_p(old, new, 60)) &&
	           isnan(few.at) && isnan(few.lo) && isnan(few.hi),
	    "pairs of which one has no change have neither p nor interval");
	old[2] = -1e308;
	new[2] = 1e308;
	pair_ranks_interval(old, new, 6, 0.05, &few);
	pair_ranks_interval(old, new, 60, 0.05, &many);
	any = !isnan(few.at) || !isnan(few.lo) || !isnan(many.at) || !isnan(many.lo);
	tap_ok(fabs(pair_ranks_p(old, new, 6) - 2.0 / 64) < 1e-15 && !any,
	    "pairs of which one has an infinite change have p, and no interval");
}

int main(void)
{
	test_pairs_without_ranks();
	test_select();
	test_ranks();
	test_many();
	test_means();
	test_means_edges();
	test_rates();
	return tap_end();
}
