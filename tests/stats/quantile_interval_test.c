/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Intervals of quantiles of values that may depend on each other, and the names of these
 * statistics. tests/validation/quantiles.sh measures how often the intervals contain the
 * quantile.
 */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "stats/confidence.h"
#include "stats/quantile_name.h"
#include "stats/stats.h"
#include "tests/lib/tap.h"

enum { MOST = 4000 };

static double value[MOST];
static struct sample_id id[MOST];

/* Makes n values in units of equal size, each a run or a process of the same run. The share
 * of a value that all values of its unit have in common is `common`. */
static void make(size_t n, size_t units, bool runs, double common, uint64_t seed)
{
	double shared = 0;
	struct rng rng;

	rng_seed(&rng, seed);
	for (size_t i = 0, last = SIZE_MAX; i < n; i++) {
		size_t unit = i * units / n;

		if (unit != last)
			shared = rng_uniform(&rng);
		last = unit;
		value[i] = common * shared + (1 - common) * rng_uniform(&rng);
		id[i] = (struct sample_id){ runs ? (uint32_t)unit : 0,
			runs ? 0 : (int64_t)unit, (int64_t)i };
	}
}

static struct quantile_interval interval_of(size_t n, double p)
{
	struct quantile_series *s = quantile_series_open(
	    &(struct quantile_input){ .value = value, .identity = id, .values = n });
	struct quantile_interval out = quantile_series_interval(s, p, 0.95);

	quantile_series_close(s);
	return out;
}

/* Returns the interval of independent values. */
static struct quantile_interval independent(size_t n, double p)
{
	double *sorted = mem_resize(NULL, n, sizeof(*sorted));
	struct quantile_interval out = { NAN, NAN, NAN };
	size_t lo, hi;

	memcpy(sorted, value, n * sizeof(*sorted));
	stats_sort(sorted, n);
	confidence_quantile_ranks(n, p, 0.95, &lo, &hi);
	if (lo >= 1 && hi <= n) {
		out.lo = sorted[lo - 1];
		out.hi = sorted[hi - 1];
	}
	free(sorted);
	return out;
}

static void test_independent(void)
{
	static const double p[] = { 0.05, 0.5, 0.9, 0.99 };
	size_t equal = 0, narrower = 0, given = 0;

	for (uint64_t seed = 0; seed < 100; seed++)
		for (size_t k = 0; k < COUNT(p); k++) {
			size_t n = 5 + seed * 17;
			struct quantile_interval own, want;

			make(n, n, true, 0, seed);
			own = interval_of(n, p[k]);
			want = independent(n, p[k]);
			equal += isnan(want.lo) ? isnan(own.lo) && isnan(own.hi)
			                        : own.lo == want.lo && own.hi == want.hi;
			for (size_t i = 0; i < n; i++)
				id[i].run = 0;
			own = interval_of(n, p[k]);
			given += isfinite(own.lo);
			narrower += own.lo > want.lo || own.hi < want.hi ||
			            (isfinite(own.lo) && isnan(want.lo));
		}
	tap_ok(equal == 400,
	    "values of different runs have the intervals of independent values (%zu)",
	    equal);
	tap_ok(narrower == 0 && given > 100,
	    "no interval is narrower than that of independent values (%zu of %zu)",
	    narrower, given);
}

static void test_dependent(void)
{
	struct quantile_interval alone, k;

	make(3000, 10, false, 1, 1);
	k = interval_of(3000, 0.5);
	alone = independent(3000, 0.5);
	tap_ok(k.lo < alone.lo && k.hi > alone.hi && k.needed == 1800,
	    "ten processes, each of equal values, count as ten values (%g)", k.needed);
	tap_ok(isnan(interval_of(3000, 0.9).lo),
	    "ten processes, each of equal values, have no interval of p90");
	make(3000, 1500, false, 1, 2);
	k = interval_of(3000, 0.9);
	tap_ok(isfinite(k.lo) && k.needed == 72, "pairs of equal values count as one (%g)",
	    k.needed);
	make(3000, 10, true, 1, 1);
	tap_ok(interval_of(3000, 0.5).needed == 1800,
	    "ten runs, each of equal values, count as ten values");
}

/* Values that depend on their run alone, in runs of many processes. */
static void test_runs_of_processes(void)
{
	struct quantile_interval k, alone, turned;

	make(3000, 10, true, 1, 1);
	for (size_t i = 0; i < 3000; i++)
		id[i].process = (int64_t)(i / 3);
	tap_ok(interval_of(3000, 0.5).needed == 1800,
	    "ten runs of a hundred processes, all with equal values, count as ten values");
	make(3000, 20, true, 0.2, 5);
	alone = independent(3000, 0.5);
	for (size_t i = 0; i < 3000; i++)
		id[i].process = (int64_t)(i / 3);
	k = interval_of(3000, 0.5);
	for (size_t i = 0; i < 3000; i++)
		id[i].run = 19 - id[i].run;
	turned = interval_of(3000, 0.5);
	tap_ok(k.lo < alone.lo && k.hi > alone.hi,
	    "values that depend on their run have wider intervals (%g to %g, not %g to %g)",
	    k.lo, k.hi, alone.lo, alone.hi);
	tap_ok(fabs(turned.needed - k.needed) <= 1,
	    "the dependence is that of all runs, in any order (%g and %g)", k.needed,
	    turned.needed);
}

/* The sum of the autocorrelations of whether a normal first-order sequence is above its
 * median, 2 asin(r^k) / pi at lag k, is the number of values that count as one. */
static void test_sequences(void)
{
	static const double memory[] = { 0.9, 0.95, 0.98 };

	for (size_t k = 0; k < COUNT(memory); k++) {
		double sum = 1, least = INFINITY;

		for (int lag = 1; lag < 1000; lag++)
			sum += 4 / acos(-1) * asin(pow(memory[k], lag));
		for (uint64_t seed = 1; seed <= 5; seed++) {
			double last = 0;
			struct rng rng;

			rng_seed(&rng, seed);
			for (size_t i = 0; i < MOST; i++) {
				last = memory[k] * last + rng_uniform(&rng) - 0.5;
				value[i] = last;
				id[i] = (struct sample_id){ 0, 0, (int64_t)i };
			}
			least = fmin(least, interval_of(MOST, 0.5).needed);
		}
		tap_ok(least >= 6 * sum,
		    "the median of a sequence of memory %g needs 6 times %.4g values (%g)",
		    memory[k], sum, least);
	}
}

/* A run in the order in which it was made, and in another order of its rows. */
static void test_order(void)
{
	struct quantile_interval ordered, shuffled;
	double last = 0;
	struct rng rng;

	rng_seed(&rng, 7);
	for (size_t i = 0; i < MOST; i++) {
		last = 0.9 * last + rng_uniform(&rng) - 0.5;
		value[i] = last;
		id[i] = (struct sample_id){ 0, 0, (int64_t)i };
	}
	ordered = interval_of(MOST, 0.9);
	tap_ok(ordered.needed > 4 * 36,
	    "a quantile of a dependent sequence needs more values (%g)", ordered.needed);
	for (size_t i = MOST - 1; i > 0; i--) {
		size_t k = rng_below(&rng, i + 1);
		double x = value[i];
		struct sample_id own = id[i];

		value[i] = value[k];
		value[k] = x;
		id[i] = id[k];
		id[k] = own;
	}
	shuffled = interval_of(MOST, 0.9);
	tap_ok(shuffled.lo == ordered.lo && shuffled.hi == ordered.hi,
	    "an interval does not depend on the order of the rows");
	for (size_t i = 0; i < MOST; i++)
		id[i].sample = (int64_t)i;
	shuffled = interval_of(MOST, 0.9);
	tap_ok(shuffled.needed < ordered.needed / 2,
	    "shuffled values are not dependent (%g)", shuffled.needed);
}

static void test_needed(void)
{
	static const struct {
		double p, least;
	} cases[] = { { 0.5, 6 }, { 0.9, 36 }, { 0.95, 72 }, { 0.05, 72 }, { 0.99, 368 },
		{ 0.999, 3688 }, { 0.9999, 36887 } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct quantile_interval none = interval_of(0, cases[i].p);

		tap_ok(none.needed == cases[i].least && isnan(none.lo) && isnan(none.hi),
		    "the quantile for %g needs %g values (%g)", cases[i].p, cases[i].least,
		    none.needed);
	}
	for (size_t n = 1; n < 40; n++)
		value[n - 1] = 5;
	tap_ok(interval_of(5, 0.5).needed == 6 && interval_of(6, 0.5).lo == 5,
	    "six equal values have an interval of the median");
}

static void test_limits(void)
{
	enum { LIMITS = 40 };
	double limit[LIMITS];
	struct sample_id at[LIMITS];
	struct quantile_input in = { .value = value,
		.identity = id,
		.values = 300,
		.limit = limit,
		.limit_identity = at,
		.limits = LIMITS };
	struct quantile_interval full, cut;
	struct quantile_series *s;

	for (size_t i = 0; i < LIMITS; i++) {
		limit[i] = 0.5;
		at[i] = (struct sample_id){ 0, 0, (int64_t)(i * 7) };
	}
	make(300, 1, false, 0, 3);
	s = quantile_series_open(&in);
	full = quantile_series_interval(s, 0.5, 0.95);
	cut = quantile_series_interval(s, 0.85, 0.95);
	quantile_series_close(s);
	tap_ok(isfinite(full.lo) && isfinite(full.hi),
	    "an interval below the timeouts has both ends");
	tap_ok(isfinite(cut.lo) && isnan(cut.hi),
	    "an interval that reaches the timeouts has no upper end (%g %g)", cut.lo,
	    cut.hi);
}

static void test_names(void)
{
	static const struct {
		const char *name;
		double p;
		enum quantile_part part;
	} names[] = { { "p99.5", 0.995, QUANTILE_AT }, { "p50", 0.5, QUANTILE_AT },
		{ "p99.99", 0.9999, QUANTILE_AT }, { "p999", 0.999, QUANTILE_AT },
		{ "median_lo", 0.5, QUANTILE_LO }, { "p9999_hi", 0.9999, QUANTILE_HI },
		{ "p0.1_needed", 0.001, QUANTILE_NEEDED }, { "p5", 0.05, QUANTILE_AT } };
	static const char *const wrong[] = { "p", "p0", "p100", "p99999", "p99.", "p.5",
		"p99.9.9", "p-1", "p1e1", "max_lo", "mean_hi", "_lo", "p_lo", "p99_", "",
		"p99_lo_hi", "p99.99999999999999" };
	struct quantile_name q;

	for (size_t i = 0; i < COUNT(names); i++)
		tap_ok(quantile_name_parse(text_of(names[i].name), &q) &&
		           q.p == names[i].p && q.part == names[i].part,
		    "%s is the name of a quantile", names[i].name);
	for (size_t i = 0; i < COUNT(wrong); i++)
		tap_ok(!quantile_name_parse(text_of(wrong[i]), &q),
		    "'%s' is no name of a quantile", wrong[i]);
}

/* Makes the latencies of an M/M/1 queue at this utilization, with service times of mean 1,
 * in periods that begin in the stationary state. */
static void make_queue(size_t n, size_t periods, double utilization, struct rng *rng)
{
	double wait = 0;

	for (size_t i = 0, last = SIZE_MAX; i < n; i++) {
		size_t period = i * periods / n;
		double service = -log1p(-rng_uniform(rng));

		if (period != last)
			wait = rng_uniform(rng) < utilization
			           ? -log1p(-rng_uniform(rng)) / (1 - utilization)
			           : 0;
		last = period;
		value[i] = wait + service;
		id[i] = (struct sample_id){ 0, (int64_t)period, (int64_t)i };
		wait = fmax(0, value[i] + log1p(-rng_uniform(rng)) / utilization);
	}
}

/* The latency of the queue is exponential with mean 1 / (1 - utilization). */
static void test_queue(void)
{
	enum { TRIES = 200 };
	const double utilization = 0.9, median = log(2) / (1 - utilization);
	size_t given = 0, within = 0, naive = 0;
	struct rng rng;

	rng_seed(&rng, 21);
	for (size_t i = 0; i < TRIES; i++) {
		struct quantile_interval own, as_independent;

		make_queue(MOST, 8, utilization, &rng);
		own = interval_of(MOST, 0.5);
		as_independent = independent(MOST, 0.5);
		given += isfinite(own.lo);
		within += own.lo <= median && median <= own.hi;
		naive += as_independent.lo <= median && median <= as_independent.hi;
	}
	tap_ok(given >= TRIES / 2 && (double)within >= 0.93 * (double)given,
	    "intervals of the median latency of a queue at 0.9 contain it (%zu of %zu)",
	    within, given);
	tap_ok(naive < TRIES / 2,
	    "intervals of independent values seldom contain it (%zu of %d)", naive, TRIES);
	make_queue(60, 1, utilization, &rng);
	tap_ok(isnan(interval_of(60, 0.5).lo),
	    "one short period of a queue has no interval of the median");
}

int main(void)
{
	test_independent();
	test_dependent();
	test_runs_of_processes();
	test_sequences();
	test_order();
	test_needed();
	test_limits();
	test_names();
	test_queue();
	return tap_end();
}
