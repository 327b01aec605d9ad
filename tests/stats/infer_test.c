/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests against published examples and counts of all cases, and verdicts by a table of
 * cases.
 */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "compare/two_sample.h"
#include "stats/adjust.h"
#include "stats/infer.h"
#include "stats/pair_ranks.h"
#include "stats/stats.h"
#include "tests/lib/tap.h"

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
	/* all of one kind against all of the other: Fisher's exact test, 2 / C(8, 4) */
	double none[] = { 0, 0, 0, 0 }, all[] = { 1, 1, 1, 1 };
	double p = rank_sum(term, COUNT(term), early, COUNT(early));

	tap_ok(near(p, 2 * 382.0 / 3003),
	    "infer_rank_sum() returns the published p (%.17g)", p);
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

/* Counts all exchanges of the values of pairs, with the scores of pair_ranks.h. */
static double pair_ranks_counted(const double *old, const double *new, size_t n)
{
	double all[32], size[16], score[16], seen = 0;
	struct tails t = { 0 };

	for (size_t i = 0; i < n; i++) {
		all[i] = old[i];
		all[n + i] = new[i];
		size[i] = fabs(new[i] - old[i]);
	}
	for (size_t i = 0; i < n; i++) {
		score[i] = 3 * (midrank(all, 2 * n, new[i]) - midrank(all, 2 * n, old[i]));
		score[i] +=
		    2 * midrank(size, n, size[i]) * ((new[i] > old[i]) - (new[i] < old[i]));
		seen += score[i];
	}
	for (unsigned bits = 0; bits < 1u << n; bits++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += bits >> i & 1 ? score[i] : -score[i];
		tails_add(&t, sum, seen);
	}
	return tails_p(&t);
}

static void test_counted(void)
{
	struct rng r;
	int sums = 0, pairs = 0, deltas = 0;

	rng_seed(&r, 3);
	for (int round = 0; round < 300; round++) {
		size_t olds = 1 + rng_below(&r, 6), news = 1 + rng_below(&r, 6);
		uint64_t levels = 2 + rng_below(&r, 12);
		double old[6], new[6], delta = 0;

		for (size_t i = 0; i < 6; i++) {
			old[i] = (double)rng_below(&r, levels) - 4;
			new[i] = (double)rng_below(&r, levels) - 4;
		}
		pairs +=
		    !near(pair_ranks_p(old, new, olds), pair_ranks_counted(old, new, olds));
		sums += !near(
		    rank_sum(old, olds, new, news), rank_sum_counted(old, olds, new, news));
		for (size_t i = 0; i < olds; i++)
			for (size_t k = 0; k < news; k++)
				delta += (new[k] > old[i]) - (new[k] < old[i]);
		delta /= (double)(olds * news);
		deltas += !(fabs(infer_cliff_delta(old, olds, new, news) - delta) <= 1e-15);
	}
	tap_ok(sums == 0,
	    "the p of rank sums with ties is that of all permutations (%d differ)", sums);
	tap_ok(pairs == 0, "the p of pairs with ties is that of all exchanges (%d differ)",
	    pairs);
	tap_ok(deltas == 0, "Cliff's delta is that of all pairs (%d differ)", deltas);
}

static void test_properties(void)
{
	double old[] = { 1, 2, 3, 4, 5, 6 }, new[] = { 2, 4, 6, 8, 10, 12 };
	double big_old[3000], big_new[3000], least;
	int equal = 0;
	double p[] = { 0.01, 0.04, NAN, 0.03, 0.005 },
	       bh[] = { 0.01, 0.04, NAN, 0.03, 0.005 };
	struct rng r;

	for (size_t i = 0; i < 3000; i++)
		big_old[i] = big_new[i] = 7;
	for (size_t n = 1; n <= 3000; n = n < 6 ? n + 1 : n * 10)
		equal += infer_rank_sum(big_old, n, big_new, 3000) == 1 &&
		         infer_rank_sum(big_old, n, big_new, 6) == 1 &&
		         infer_cliff_delta(big_old, n, big_new, 6) == 0;
	tap_ok(equal == 8, "sides whose values are all equal have p = 1, and no effect");
	tap_ok(infer_rank_sum(old, 6, new, 0) == 1 && infer_rank_sum(old, 0, new, 6) == 1,
	    "the rank sum of an empty side has p = 1");
	tap_ok(isnan(infer_cliff_delta(old, 6, new, 0)) &&
	           isnan(infer_cliff_delta(old, 0, new, 6)),
	    "an empty side has no effect, not one of 0");
	tap_ok(near(pair_ranks_p(old, new, 6), 2.0 / 64),
	    "six pairs that all double have the least p, 2 / 2^6");
	tap_ok(pair_ranks_p(old, old, 6) == 1, "pairs that are equal have p = 1");
	adjust_p(ADJUST_NONE, p, COUNT(p));
	tap_ok(p[0] == 0.01 && p[1] == 0.04 && isnan(p[2]) && p[3] == 0.03 && p[4] == 0.005,
	    "no correction leaves all p as they are");
	adjust_p(ADJUST_HOLM, p, COUNT(p));
	tap_ok(near(p[0], 0.03) && near(p[1], 0.06) && isnan(p[2]) && near(p[3], 0.06) &&
	           near(p[4], 0.02),
	    "Holm's correction of four p ignores a missing one");
	adjust_p(ADJUST_BH, bh, COUNT(bh));
	tap_ok(near(bh[0], 0.02) && near(bh[1], 0.04) && isnan(bh[2]) &&
	           near(bh[3], 0.04) && near(bh[4], 0.02),
	    "the correction of four p by Benjamini and Hochberg is that of R's p.adjust");
	rng_seed(&r, 5);
	for (size_t i = 0; i < 3000; i++) {
		big_old[i] = rng_uniform(&r);
		big_new[i] = rng_uniform(&r) + 1;
	}
	least = rank_sum(big_old, 3000, big_new, 3000);
	tap_ok(least >= 0 && least < 1e-300,
	    "thousands of values that do not overlap have a tiny p (%.3g)", least);
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
	m->side = (struct collected){
		.value = m->value, .identity = m->identity, .count = n, .missing = &none_missing
	};
}

static struct two_sample result_of(
    const struct made *old, const struct made *new, const struct two_sample_opts *opts)
{
	struct two_sample c, *list[] = { &c };

	two_sample_measure(&old->side, &new->side, opts, &c);
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
		{ 100, 0.4, 20, BETTER_LOWER, VERDICT_UNSURE, true },
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

/* Verdicts by their definition: an interval beyond the margin and p < 0.05, or an interval
 * within the margin. An end on the margin is within it. A missing number decides nothing.
 */
static void test_margin(void)
{
	static const struct {
		double lo, hi, p;
		enum verdict of_ratio, of_difference;
	} cases[] = {
		{ 1.26, 1.5, 0.01, VERDICT_WORSE, VERDICT_WORSE },
		{ 1.25, 1.5, 0.01, VERDICT_UNSURE, VERDICT_UNSURE },
		{ 1.26, 1.5, 0.05, VERDICT_UNSURE, VERDICT_UNSURE },
		{ 1.26, 1.5, NAN, VERDICT_UNSURE, VERDICT_UNSURE },
		{ 1.26, NAN, 0.01, VERDICT_WORSE, VERDICT_WORSE },
		{ NAN, 1.5, 0.01, VERDICT_UNSURE, VERDICT_UNSURE },
		{ 0.6, 0.74, 0.01, VERDICT_BETTER, VERDICT_BETTER },
		{ 0.6, 0.75, 0.01, VERDICT_BETTER, VERDICT_UNSURE },
		{ 0.6, 0.8, 0.01, VERDICT_UNSURE, VERDICT_UNSURE },
		{ NAN, 0.74, 0.01, VERDICT_BETTER, VERDICT_BETTER },
		{ 0.6, NAN, 0.01, VERDICT_UNSURE, VERDICT_UNSURE },
		{ 0.8, 1.25, 0.01, VERDICT_SAME, VERDICT_SAME },
		{ 0.8, 1.25, NAN, VERDICT_SAME, VERDICT_SAME },
		{ 0.75, 1.25, 0.01, VERDICT_UNSURE, VERDICT_SAME },
		{ 0.7, 1.25, 0.01, VERDICT_UNSURE, VERDICT_UNSURE },
		{ 0.8, 1.3, 0.01, VERDICT_UNSURE, VERDICT_UNSURE },
		{ NAN, 1, 0.01, VERDICT_UNSURE, VERDICT_UNSURE },
		{ 1, NAN, 0.01, VERDICT_UNSURE, VERDICT_UNSURE },
		{ NAN, NAN, 0.01, VERDICT_UNSURE, VERDICT_UNSURE },
	};
	struct two_sample_opts opts = {
		.better = BETTER_LOWER, .inference = INFERENCE_DEFAULTS, .threshold = 0.25
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct two_sample r = TWO_SAMPLE_NONE, d = TWO_SAMPLE_NONE;

		r.p_adj = d.p_adj = cases[i].p;
		r.ratio_lo = cases[i].lo;
		r.ratio_hi = cases[i].hi;
		/* the same, as a difference from 8, whose margin is 2 */
		d.old = -8;
		d.new = 10;
		d.diff_lo = 8 * (cases[i].lo - 1);
		d.diff_hi = 8 * (cases[i].hi - 1);
		tap_ok(two_sample_verdict(&r, &opts) == cases[i].of_ratio &&
		           two_sample_verdict(&d, &opts) == cases[i].of_difference,
		    "a ratio from %g to %g with p %g at a margin of 1.25 is %s, its "
		    "difference from 8 is %s",
		    cases[i].lo, cases[i].hi, cases[i].p,
		    verdict_names[two_sample_verdict(&r, &opts)],
		    verdict_names[two_sample_verdict(&d, &opts)]);
	}
}

/* runs_needed computed by hand, from results with 20 values on each side and 4 tests. */
static void test_needed(void)
{
	static const struct {
		double old, new, at, lo, hi, p, want;
		const char *what;
	} cases[] = {
		/* error = log(1.3 / 0.9) / 2 / z(0.025) = 0.093809
		 * 20 ((z(0.025) + z(0.2)) error / log(1.1 / 1.02))^2
		 * = 20 (2.80159 0.093809 / 0.075508)^2 = 242.3; p needs only
		 * 20 ((z(0.05 / 4 / 2) + z(0.2)) / z(0.1 / 2))^2 = 82.4 */
		{ 100, 110, 1.1, 0.9, 1.3, 0.1, 223,
		    "brings the interval beyond the margin" },
		/* 20 ((z(0.05 / 4 / 2) + z(0.2)) / z(0.1 / 2))^2 = 82.4 */
		{ 100, 110, 1.1, 1.03, 1.2, 0.1, 63, "makes p small enough" },
		/* 20 ((z(0.025) + z(0.1)) error / log 1.02)^2, error = log(1.03 / 0.96) / 2
		 * / z(0.025): 20 (3.2415 0.017957 / 0.019803)^2 = 172.8 */
		{ 100, 100, 1, 0.96, 1.03, 0.5, 153, "brings both ends within the margin" },
		{ 100, 110, 1.1, 0.9, 1.3, 1, NAN, "is empty for p = 1" },
		{ 100, 102, 1.02, 0.9, 1.1, 0.5, NAN,
		    "is empty for a ratio on the margin" },
		/* 20 (2.80159 6.0985 / 0.075508)^2 = 1024000 */
		{ 100, 110, 1.1, 7.084e-6, 170811, 0.1, NAN, "is empty above a million" },
		/* without a margin: 20 (2.80159 (16 / 2 / 1.95996) / 5)^2 = 104.6 */
		{ 0, 5, 5, -3, 13, 0.1, 85,
		    "brings the interval of a difference beyond 0" },
	};
	struct two_sample_opts opts = {
		.better = BETTER_LOWER, .inference = INFERENCE_DEFAULTS, .threshold = 0.02
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct two_sample c = TWO_SAMPLE_NONE;
		bool ratio = cases[i].old > 0;

		c.basis = BASIS_SAMPLE;
		c.n_old = c.n_new = 20;
		c.old = cases[i].old;
		c.new = cases[i].new;
		*(ratio ? &c.ratio : &c.diff) = cases[i].at;
		*(ratio ? &c.ratio_lo : &c.diff_lo) = cases[i].lo;
		*(ratio ? &c.ratio_hi : &c.diff_hi) = cases[i].hi;
		c.p = cases[i].p;
		c.p_adj = fmin(1, 4 * cases[i].p);
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
	for (size_t i = 0; i < 30; i++) {
		new.identity[i].run = 0;
		new.value[i] = old.value[i] + (i < 6 ? 70 : 7);
	}
	opts.shift = true;
	c = result_of(&old, &new, &opts);
	tap_ok(c.basis == BASIS_BLOCK && fabs(c.shift - 7) < 1e-9,
	    "the shift of pairs is the median of their differences (%g)", c.shift);
	for (size_t i = 0; i < 30; i++) {
		old.value[i] = -1.5e308;
		new.value[i] = 1.5e308;
	}
	c = result_of(&old, &new, &opts);
	tap_ok(isnan(c.diff) && isnan(c.diff_lo) && isnan(c.diff_hi) && c.p < 1e-6 &&
	           c.verdict == VERDICT_UNSURE,
	    "a difference that no double can hold is missing, not 0 (%g)", c.diff);
	new.side = (struct collected){ .missing = &(struct missing_values){
		                           .limit = new.value,
		                           .limit_identity = new.identity,
		                           .limits = 30,
		                           .censored = 30 } };
	c = result_of(&old, &new, &opts);
	tap_ok(c.can_differ && isnan(c.new) && c.new_above == 1.5e308 && isnan(c.diff) &&
	           isnan(c.shift),
	    "values and timeouts can differ, and the median of timeouts is a bound");
	c.p = 0;
	two_sample_measure(&old.side, NULL, &opts, &c);
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
	test_published();
	test_counted();
	test_properties();
	test_verdicts();
	test_margin();
	test_needed();
	test_basis();
	test_alike();
	return tap_end();
}
