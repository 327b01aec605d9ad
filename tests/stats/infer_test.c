/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests against published examples and counts of all cases, the bootstrap against plain
 * resampling, and verdicts by a table of cases.
 */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "compare/two_sample.h"
#include "stats/infer.h"
#include "stats/stats.h"
#include "tests/lib/tap.h"

static struct bootstrap *bootstrap;

static bool near(double got, double want)
{
	return fabs(got - want) <= 1e-12 * fabs(want);
}

static double rank_sum(double *old, size_t olds, double *new, size_t news)
{
	stats_sort(old, olds);
	stats_sort(new, news);
	return infer_rank_sum(old, olds, new, news);
}

/* Examples of M. Hollander, D. A. Wolfe, "Nonparametric Statistical Methods" (1973). */
static void test_published(void)
{
	/* table 4.1: permeability at term and in weeks 12 to 26; W = 35, one-sided 0.1272
	 */
	double term[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
	double early[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	/* table 3.1: depression before and after; V = 40, one-sided 0.01953125. The shift
	 * keeps the differences and makes them count instead of ratios. */
	double before[] = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 };
	double after[] = { 0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29 };
	/* all of one kind against all of the other: Fisher's exact test, 2 / C(8, 4) */
	double none[] = { 0, 0, 0, 0 }, all[] = { 1, 1, 1, 1 };
	double p = rank_sum(term, COUNT(term), early, COUNT(early));
	int lean;

	tap_ok(near(p, 2 * 382.0 / 3003),
	    "infer_rank_sum() returns the published p (%.17g)", p);
	for (size_t i = 0; i < COUNT(before); i++) {
		before[i] -= 5;
		after[i] -= 5;
	}
	p = infer_signed_rank(before, after, COUNT(before), &lean);
	tap_ok(near(p, 0.0390625) && lean == -1,
	    "infer_signed_rank() returns the published p (%.17g)", p);
	p = rank_sum(none, 4, all, 4);
	tap_ok(near(p, 2.0 / 70), "rank sum of two kinds of values is Fisher's exact p");
}

/* The numbers of cases whose rank sum is at most, or at least, the observed one. */
struct tails {
	double upto, from, all;
};

static double tails_p(const struct tails *t)
{
	return fmin(1, 2 * fmin(t->upto, t->from) / t->all);
}

static double midrank(const double *x, size_t n, double of)
{
	double below = 0, equal = 0;

	for (size_t i = 0; i < n; i++) {
		below += x[i] < of;
		equal += x[i] == of;
	}
	return below + (equal + 1) / 2;
}

static void tails_add(struct tails *t, double sum, double seen)
{
	t->upto += sum <= seen;
	t->from += sum >= seen;
	t->all++;
}

/* Counts all ways to choose the new side from the pooled values. */
static double rank_sum_counted(
    const double *old, size_t olds, const double *new, size_t news)
{
	size_t n = olds + news;
	double pooled[16], seen = 0;
	struct tails t = { 0 };

	memcpy(pooled, old, olds * sizeof(*old));
	memcpy(pooled + olds, new, news * sizeof(*new));
	for (size_t i = 0; i < news; i++)
		seen += midrank(pooled, n, new[i]);
	for (unsigned bits = 0; bits < 1u << n; bits++) {
		double sum = 0;

		if (__builtin_popcount(bits) != (int)news)
			continue;
		for (size_t i = 0; i < n; i++)
			sum += bits >> i & 1 ? midrank(pooled, n, pooled[i]) : 0;
		tails_add(&t, sum, seen);
	}
	return tails_p(&t);
}

/* Counts all signs of the differences that are not zero. */
static double signed_rank_counted(const double *old, const double *new, size_t n)
{
	double size[16], rank[16], seen = 0;
	size_t k = 0;
	unsigned up = 0;
	struct tails t = { 0 };

	for (size_t i = 0; i < n; i++)
		if (new[i] != old[i]) {
			up |= (unsigned)(new[i] > old[i]) << k;
			size[k++] = fabs(new[i] - old[i]);
		}
	for (size_t i = 0; i < k; i++) {
		rank[i] = midrank(size, k, size[i]);
		seen += up >> i & 1 ? rank[i] : 0;
	}
	for (unsigned bits = 0; bits < 1u << k; bits++) {
		double sum = 0;

		for (size_t i = 0; i < k; i++)
			sum += bits >> i & 1 ? rank[i] : 0;
		tails_add(&t, sum, seen);
	}
	return tails_p(&t);
}

static void test_counted(void)
{
	struct rng r;
	int sums = 0, signs = 0, deltas = 0;

	rng_seed(&r, 3);
	for (int round = 0; round < 300; round++) {
		size_t olds = 1 + rng_below(&r, 6), news = 1 + rng_below(&r, 6);
		uint64_t levels = 2 + rng_below(&r, 12);
		double old[6], new[6], delta = 0;
		int lean;

		for (size_t i = 0; i < 6; i++) {
			old[i] = (double)rng_below(&r, levels) - 4;
			new[i] = (double)rng_below(&r, levels) - 4;
		}
		signs += !near(infer_signed_rank(old, new, 6, &lean),
		    signed_rank_counted(old, new, 6));
		sums += !near(
		    rank_sum(old, olds, new, news), rank_sum_counted(old, olds, new, news));
		for (size_t i = 0; i < olds; i++)
			for (size_t k = 0; k < news; k++)
				delta += (new[k] > old[i]) - (new[k] < old[i]);
		delta /= (double)(olds * news);
		deltas += fabs(infer_cliff_delta(old, olds, new, news) - delta) > 1e-15;
	}
	tap_ok(sums == 0,
	    "the p of rank sums with ties is that of all permutations (%d differ)", sums);
	tap_ok(signs == 0,
	    "the p of signed ranks with ties is that of all signs (%d differ)", signs);
	tap_ok(deltas == 0, "Cliff's delta is that of all pairs (%d differ)", deltas);
}

static void test_properties(void)
{
	double old[] = { 1, 2, 3, 4, 5, 6 }, new[] = { 2, 4, 6, 8, 10, 12 };
	double big_old[3000], big_new[3000], least;
	double p[] = { 0.01, 0.04, NAN, 0.03, 0.005 };
	struct rng r;
	int lean;

	tap_ok(
	    infer_rank_sum(old, 6, new, 0) == 1, "the rank sum of an empty side has p = 1");
	tap_ok(near(infer_signed_rank(old, new, 6, &lean), 2.0 / 64) && lean == 1,
	    "pairs that all double have tied ratios and the least p");
	tap_ok(infer_signed_rank(old, old, 6, &lean) == 1 && lean == 0,
	    "pairs that are equal have p = 1");
	infer_holm(p, COUNT(p));
	tap_ok(near(p[0], 0.03) && near(p[1], 0.06) && isnan(p[2]) && near(p[3], 0.06) &&
	           near(p[4], 0.02),
	    "Holm's correction of four p ignores a missing one");
	rng_seed(&r, 5);
	for (size_t i = 0; i < 3000; i++) {
		big_old[i] = rng_uniform(&r);
		big_new[i] = rng_uniform(&r) + 1;
	}
	least = rank_sum(big_old, 3000, big_new, 3000);
	tap_ok(least >= 0 && least < 1e-300,
	    "thousands of values that do not overlap have a tiny p (%.3g)", least);
}

/* Computes the interval of sides or pairs without levels. */
static bool interval_of(bool pairs, enum location location, const double *old, size_t olds,
    const double *new, size_t news, double confidence, uint64_t seed, struct interval *out)
{
	static const struct sample_id ids[64];
	struct inference_opts opts = {
		.resamples = 2000, .confidence = confidence, .seed = seed
	};
	struct hierarchy a, b;
	bool done;

	hierarchy_init(&a, location, TIER_SAMPLE, ids, old, olds);
	hierarchy_init(&b, location, TIER_SAMPLE, ids, new, news);
	done = pairs ? bootstrap_pairs(bootstrap, &a, &b, &opts, out)
	             : bootstrap_sides(bootstrap, &a, &b, &opts, out);
	hierarchy_free(&b);
	hierarchy_free(&a);
	return done;
}

static double location_plainly(struct rng *r, const double *sorted, size_t n)
{
	double *drawn = mem_resize(NULL, n, sizeof(*drawn)), median;

	for (size_t i = 0; i < n; i++)
		drawn[i] = sorted[rng_below(r, n)];
	stats_sort(drawn, n);
	median = stats_quantile(drawn, n, 0.5);
	free(drawn);
	return median;
}

/* Directly drawn order statistics give the same interval as plain resampling. */
static void test_bootstrap_sides(size_t n)
{
	enum { PLAINLY = 20000 };
	double old[64], new[64], *ratio = mem_resize(NULL, PLAINLY, sizeof(*ratio)), lo, hi;
	struct interval got = { 0, 0 }, again = { 0, 0 };
	struct rng r;

	rng_seed(&r, 17);
	for (size_t i = 0; i < n; i++) {
		old[i] = 1 + rng_uniform(&r) * rng_uniform(&r);
		new[i] = 1 + rng_uniform(&r);
	}
	stats_sort(old, n);
	stats_sort(new, n);
	for (int i = 0; i < PLAINLY; i++)
		ratio[i] = location_plainly(&r, new, n) / location_plainly(&r, old, n);
	stats_sort(ratio, PLAINLY);
	lo = stats_quantile(ratio, PLAINLY, 0.1);
	hi = stats_quantile(ratio, PLAINLY, 0.9);
	interval_of(false, LOCATION_MEDIAN, old, n, new, n, 0.8, 1, &got);
	interval_of(false, LOCATION_MEDIAN, old, n, new, n, 0.8, 1, &again);
	tap_ok(fabs(got.lo - lo) < 0.05 * (hi - lo) && fabs(got.hi - hi) < 0.05 * (hi - lo),
	    "%zu values have the interval of plain resampling (%.3f to %.3f, %.3f to %.3f)",
	    n, got.lo, got.hi, lo, hi);
	tap_ok(got.lo == again.lo && got.hi == again.hi,
	    "the same seed gives the same bootstrap interval");
	free(ratio);
}

/*
 * The mean of all percentiles of a resampled median is the mean of the medians, here 3.5 by
 * symmetry; over 20 seeds its standard error is about 0.005.
 */
static void test_bootstrap_centre(void)
{
	double old[] = { 1, 1, 1, 1, 1, 1 }, new[] = { 1, 2, 3, 4, 5, 6 }, sum = 0;
	struct interval got = { NAN, NAN };
	int count = 0;

	for (uint64_t seed = 1; seed <= 20; seed++)
		for (int k = 1; k < 200; k += 2, count += 2) {
			interval_of(
			    false, LOCATION_MEDIAN, old, 6, new, 6, k / 200.0, seed, &got);
			sum += got.lo + got.hi;
		}
	tap_ok(fabs(sum / count - 3.5) < 0.02,
	    "resampled medians have the right mean (%.4f)", sum / count);
}

static void test_bootstrap(void)
{
	double old[40], new[40];
	struct interval got = { -1, -1 };
	struct rng r;
	bool done;

	test_bootstrap_sides(7);
	test_bootstrap_sides(12);
	test_bootstrap_sides(51);
	test_bootstrap_centre();
	rng_seed(&r, 23);
	for (size_t i = 0; i < 40; i++) {
		old[i] = 1 + 9 * rng_uniform(&r); /* the effect of a block on both sides */
		new[i] = old[i] * 1.1;
	}
	tap_ok(interval_of(true, LOCATION_MEDIAN, old, 40, new, 40, 0.95, 1, &got) &&
	           fabs(got.lo - 1.1) < 1e-12 && fabs(got.hi - 1.1) < 1e-12,
	    "a drift of both values of the pairs leaves their ratio exact");
	tap_ok(!interval_of(true, LOCATION_MEDIAN, old, 5, new, 5, 0.95, 1, &got),
	    "five pairs have no bootstrap interval");
	done = interval_of(false, LOCATION_MEAN, new, 40, new, 40, 0.95, 1, &got);
	tap_ok(done && got.lo < 1 && got.lo > 0.6 && got.hi > 1 && got.hi < 1.6,
	    "means have a bootstrap interval (%.3f to %.3f)", got.lo, got.hi);
	memset(old, 0, sizeof(old));
	tap_ok(!interval_of(false, LOCATION_MEDIAN, old, 40, new, 40, 0.95, 1, &got),
	    "an old side of zeros has no bootstrap interval");
}

/* A side of n values about a level, in blocks 0, 1, 2, ... of one run. */
struct made {
	double value[64];
	struct sample_id identity[64];
	struct collected side;
};

static void make(
    struct made *m, struct rng *r, size_t n, double level, double spread, uint32_t run)
{
	for (size_t i = 0; i < n; i++) {
		m->value[i] = level * (1 + spread * (rng_uniform(r) - 0.5));
		m->identity[i] = (struct sample_id){ run, INT64_MIN, (int64_t)i };
	}
	m->side =
	    (struct collected){ .value = m->value, .identity = m->identity, .count = n };
}

static struct two_sample result_of(
    const struct made *old, const struct made *new, const struct two_sample_opts *opts)
{
	struct two_sample c, *list[] = { &c };

	two_sample_measure(&old->side, &new->side, opts, bootstrap, &c);
	two_sample_judge(&c, opts, two_sample_adjust(list, 1, ADJUST_HOLM));
	return c;
}

static void test_verdicts(void)
{
	static const struct {
		double location, spread;
		size_t n;
		enum better better;
		enum verdict want;
		bool needs;
	} cases[] = {
		{ 110, 0.02, 20, BETTER_LOWER, VERDICT_WORSE, false },
		{ 90, 0.02, 20, BETTER_LOWER, VERDICT_BETTER, false },
		{ 110, 0.02, 20, BETTER_HIGHER, VERDICT_BETTER, false },
		{ 90, 0.02, 20, BETTER_HIGHER, VERDICT_WORSE, false },
		{ 110, 0.02, 20, BETTER_NEITHER, VERDICT_DIFFERS, false },
		{ 101, 0.005, 20, BETTER_LOWER, VERDICT_SAME, false },
		{ 100, 0.02, 20, BETTER_NEITHER, VERDICT_SAME, false },
		{ 100, 0.5, 20, BETTER_LOWER, VERDICT_UNSURE, true },
		{ 110, 0.02, 3, BETTER_LOWER, VERDICT_UNSURE, true },
		{ 100, 0, 20, BETTER_LOWER, VERDICT_SAME, false },
		{ 0, 0, 20, BETTER_LOWER, VERDICT_WORSE, false },
	};
	struct made old, new;
	struct rng r;

	rng_seed(&r, 29);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct two_sample_opts opts = { .better = cases[i].better,
			.inference = INFERENCE_DEFAULTS,
			.threshold = 0.02 };
		struct two_sample c;

		make(&old, &r, cases[i].n, 100, cases[i].spread, 0);
		make(&new, &r, cases[i].n, cases[i].location, cases[i].spread, 1);
		if (cases[i].location == 0) /* an old value of 0: there is no ratio */
			new.value[0] = old.value[0] = 0, c = result_of(&new, &old, &opts);
		else
			c = result_of(&old, &new, &opts);
		tap_ok(c.verdict == cases[i].want && isnan(c.runs_needed) != cases[i].needs,
		    "%zu values at 100 and %g, spread %g, are %s (ratio %.3f, p %.2g, "
		    "needs %g)",
		    cases[i].n, cases[i].location, cases[i].spread,
		    verdict_names[c.verdict], c.ratio, c.p_adj, c.runs_needed);
	}
}

/* runs_needed computed by hand, from results with 20 values on each side. */
static void test_needed(void)
{
	static const struct {
		double ratio, lo, hi, p, want;
		const char *what;
	} cases[] = {
		/* 20 ((z(0.05 / 4 / 2) + z(0.2)) / z(0.1 / 2))^2
		 * = 20 ((2.4977 + 0.8416) / 1.6449)^2 = 82.4 */
		{ 1.1, 0.9, 1.3, 0.1, 63, "makes p small enough" },
		/* 20 ((z(0.025) + z(0.1)) error / log 1.02)^2, error = log(1.03 / 0.96) / 2
		 * / z(0.025): 20 (3.2415 0.017957 / 0.019803)^2 = 172.8 */
		{ 1, 0.96, 1.03, 0.5, 153, "brings both ends within the margin" },
		{ 1.1, 0.9, 1.3, 1, NAN, "is empty for p = 1" },
		{ 1.02, 0.9, 1.1, 0.5, NAN, "is empty for a ratio on the margin" },
		{ 0.9, 0.8, 1.1, 1e-9, NAN, "is empty for a test that disagrees" },
	};
	struct two_sample_opts opts = {
		.better = BETTER_LOWER, .inference = INFERENCE_DEFAULTS, .threshold = 0.02
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct two_sample c = { BASIS_SAMPLE, 20, 20, 100, 100 * cases[i].ratio,
			cases[i].ratio, cases[i].lo, cases[i].hi, cases[i].p,
			fmin(1, 4 * cases[i].p), 0.1, 1, true, VERDICT_UNSURE, NAN, "rank",
			NAN };

		two_sample_judge(&c, &opts, 4);
		tap_ok(c.verdict == VERDICT_UNSURE &&
		           (c.runs_needed == cases[i].want ||
		               (isnan(c.runs_needed) && isnan(cases[i].want))),
		    "runs_needed %s (%g)", cases[i].what, c.runs_needed);
	}
}

static void test_basis(void)
{
	struct two_sample_opts opts = {
		.better = BETTER_LOWER, .inference = INFERENCE_DEFAULTS, .threshold = 0.02
	};
	struct made old, new;
	struct two_sample c;
	struct rng r;

	rng_seed(&r, 31);
	make(&old, &r, 30, 100, 0.1, 0);
	make(&new, &r, 30, 100, 0.1, 0);
	new.side.count = 28;
	c = result_of(&old, &new, &opts);
	tap_ok(c.basis == BASIS_BLOCK && c.n_old == 28 && c.n_new == 28,
	    "sides of the same run are compared in the blocks that both have");
	for (size_t i = 0; i < 30; i++)
		new.identity[i].sample = 0;
	c = result_of(&old, &new, &opts);
	tap_ok(c.basis == BASIS_SAMPLE && c.n_new == 28,
	    "samples that cannot be distinguished are not paired");
	make(&new, &r, 30, 100, 0.1, 1);
	c = result_of(&old, &new, &opts);
	tap_ok(c.basis == BASIS_SAMPLE, "sides of one run each are compared by samples");
	for (size_t i = 0; i < 30; i++)
		new.identity[i].run = 1 + (uint32_t)i / 5;
	c = result_of(&old, &new, &opts);
	tap_ok(c.basis == BASIS_RUN && c.n_old == 1 && c.n_new == 6,
	    "a side of several runs is compared by the medians of its runs");
	c.p = 0;
	two_sample_measure(&old.side, NULL, &opts, bootstrap, &c);
	tap_ok(c.basis == BASIS_NONE && c.n_old == 30 && c.n_new == 0 && isnan(c.p) &&
	           isnan(c.new) && isnan(c.effect),
	    "a missing side gives no p");
}

/* Counts the differences found between equal sides, in a thousand rounds. */
static void test_alike(void)
{
	enum { ROUNDS = 1000, EACH = 20 };
	struct two_sample_opts opts = {
		.better = BETTER_LOWER, .inference = INFERENCE_DEFAULTS, .threshold = 0.02
	};
	int low = 0, wrong = 0, covered = 0;
	struct made old, new;
	struct rng r;

	rng_seed(&r, 37);
	for (int i = 0; i < ROUNDS; i++) {
		struct two_sample c;

		make(&old, &r, EACH, 100, 0.2, 0);
		make(&new, &r, EACH, 100, 0.2, 1);
		c = result_of(&old, &new, &opts);
		low += c.p < 0.05;
		wrong += c.verdict == VERDICT_WORSE || c.verdict == VERDICT_BETTER;
		covered += c.ratio_lo <= 1 && c.ratio_hi >= 1;
	}
	tap_ok(low >= 30 && low <= 70 && wrong <= 60,
	    "equal sides have p < 0.05 in %d of %d, and a verdict in %d", low, ROUNDS,
	    wrong);
	tap_ok(
	    covered >= 930, "the interval contains the true ratio in %d of 1000", covered);
}

int main(void)
{
	bootstrap = bootstrap_open();
	test_published();
	test_counted();
	test_properties();
	test_bootstrap();
	test_verdicts();
	test_needed();
	test_basis();
	test_alike();
	bootstrap_close(bootstrap);
	return tap_end();
}
