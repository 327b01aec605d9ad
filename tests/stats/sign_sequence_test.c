/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sequential sign test: known values, its exact level, and the rates of errors of
 * someone who looks after each difference and stops as soon as there is a result.
 */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "stats/sign_sequence.h"
#include "tests/lib/tap.h"

enum { REPEATS = 2000, ROUNDS = 200, NULL_ROUNDS = 1500 };

/* From 2^n B(k + 1, n - k + 1) in fractions, and for large n from lbeta() of R 4.2.2. */
static void test_martingale(void)
{
	static const struct {
		size_t above, below;
		double log_m;
	} cases[] = {
		{ 0, 0, 0 },
		{ 1, 0, 0 },
		{ 1, 1, -0.405465108108164 }, /* 4 / 6 */
		{ 7, 0, 2.772588722239781 },  /* 16 */
		{ 8, 0, 3.347952867143344 },  /* 256 / 9 */
		{ 0, 11, 5.139712336374304 }, /* 2048 / 12 */
		{ 5, 5, -0.995852554710341 }, /* 1024 / 2772 */
		{ 14, 0, 6.996010327520951 }, /* 16384 / 15 */
		{ 600, 400, 16.8862806550845 },
		{ 50500, 49500, -0.530645545295556 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		double m = sign_martingale_log(cases[i].above, cases[i].below);

		tap_ok(fabs(m - cases[i].log_m) <= 1e-8 * fmax(1, fabs(m)),
		    "the martingale of %zu signs above and %zu below has the logarithm "
		    "%.10g "
		    "(%.15g)",
		    cases[i].above, cases[i].below, cases[i].log_m, m);
	}
}

static void test_least_rounds(void)
{
	tap_ok(sign_sequence_least(0.05) == 8, "one test at 5%% takes 8 rounds at least");
	tap_ok(sign_sequence_least(0.05 / 8) == 11,
	    "the first of 8 tests takes 11 rounds at least");
	tap_ok(sign_sequence_least(0.05 / 50) == 14,
	    "the first of 50 tests takes 14 rounds at least");
}

/*
 * Computes the distribution of the number of fair signs "above", round by round, of the
 * sequences that have not reached 1/level yet. Returns the probability of those that have.
 */
static double crossing_probability(double level, size_t rounds, double *mean_m)
{
	double *p = mem_zero(rounds + 2, sizeof(*p)), crossed = 0;

	p[0] = 1;
	*mean_m = 0;
	for (size_t n = 1; n <= rounds; n++) {
		for (size_t k = n + 1; k-- > 0;)
			p[k] = (p[k] + (k ? p[k - 1] : 0)) / 2;
		for (size_t k = 0; k <= n; k++)
			if (sign_martingale_log(k, n - k) >= -log(level)) {
				crossed += p[k];
				p[k] = 0;
			}
	}
	for (size_t k = 0; k <= rounds; k++)
		*mean_m += p[k] * exp(sign_martingale_log(k, rounds - k));
	free(p);
	return crossed;
}

static void test_level(void)
{
	double mean, crossed = crossing_probability(1e-300, 60, &mean);

	tap_ok(crossed == 0 && fabs(mean - 1) < 1e-12,
	    "the martingale of 60 fair signs has the expectation 1 (%.15g)", mean);
	for (double level = 0.05; level > 0.0005; level /= 10) {
		crossed = crossing_probability(level, NULL_ROUNDS, &mean);
		tap_ok(crossed <= level && crossed > level / 4,
		    "fair signs ever reach 1/%g with probability %.3g, which is below it "
		    "and "
		    "not much less",
		    level, crossed);
	}
}

static double normal(struct rng *r)
{
	return sqrt(-2 * log(1 - rng_uniform(r))) * cos(6.283185307179586 * rng_uniform(r));
}

/* Draws of a difference with median 0. memory is the last draw of the sequence. */
static double draw_normal(struct rng *r, double *memory)
{
	(void)memory;
	return normal(r) / 50;
}
static double draw_cauchy(struct rng *r, double *memory)
{
	(void)memory;
	return tan(3.141592653589793 * (rng_uniform(r) - 0.5)) / 50;
}
/* A fair sign; the size depends on the last one, as on a machine with busy periods. */
static double draw_busy(struct rng *r, double *memory)
{
	*memory = 0.9 * *memory + normal(r);
	return (rng_below(r, 2) ? 1 : -1) * exp(*memory) / 50;
}
/* Times in ticks of a clock: one in five differences is exactly 0. */
static double draw_ticks(struct rng *r, double *memory)
{
	(void)memory;
	return ((double)rng_below(r, 5) - 2) / 50;
}

static const struct {
	const char *name;
	double (*draw)(struct rng *r, double *memory);
} families[] = {
	{ "normal", draw_normal },
	{ "Cauchy", draw_cauchy },
	{ "busy", draw_busy },
	{ "tick", draw_ticks },
};

struct rates {
	double missed, beyond, within;
};

/*
 * Returns the shares of sequences with this median in which, after any round, the
 * confidence sequence does not contain the median, or p claims that the median is beyond
 * the margin, or within it.
 */
static struct rates rates_of(size_t family, double median, double margin)
{
	struct rates sum = { 0 };
	struct rng r;

	rng_seed(&r, 20261123 + family);
	for (int i = 0; i < REPEATS; i++) {
		struct sign_sequence s;
		double memory = 0;
		bool missed = false;

		sign_sequence_begin(&s, 0.05, margin);
		for (int round = 0; round < ROUNDS; round++) {
			sign_sequence_add(&s, median + families[family].draw(&r, &memory));
			missed = missed || median < s.lo || median > s.hi;
		}
		sum.missed += missed;
		sum.beyond += sign_sequence_p_beyond(&s) < 0.05;
		sum.within += sign_sequence_p_within(&s) < 0.05;
		sign_sequence_free(&s);
	}
	return (struct rates){ sum.missed / REPEATS, sum.beyond / REPEATS,
		sum.within / REPEATS };
}

static void test_rates(void)
{
	for (size_t i = 0; i < COUNT(families); i++) {
		const char *name = families[i].name;
		struct rates none = rates_of(i, 0, 0), edge = rates_of(i, 0.02, 0.02),
		             far = rates_of(i, 0.1, 0.02);

		tap_ok(none.missed <= 0.05,
		    "the confidence sequence of %s differences misses the median ever in "
		    "%g "
		    "of all sequences",
		    name, none.missed);
		tap_ok(none.beyond <= 0.05 && none.beyond >= 0.005,
		    "a difference without margin is found in %g of all sequences of %s "
		    "differences with median 0",
		    none.beyond, name);
		tap_ok(edge.beyond <= 0.05,
		    "%s differences whose median is the margin are beyond it in %g of all "
		    "sequences",
		    name, edge.beyond);
		tap_ok(edge.within <= 0.05,
		    "%s differences whose median is the margin are within it in %g of all "
		    "sequences",
		    name, edge.within);
		tap_ok(far.beyond > 0.95 && far.within == 0,
		    "%s differences far from 0 are beyond the margin in %g of all "
		    "sequences",
		    name, far.beyond);
	}
}

/* Returns whether the test rejects a median after all differences of a sequence. */
static bool is_rejected(const double *d, size_t n, double median, double level)
{
	size_t above = 0, below = 0;

	for (size_t i = 0; i < n; i++) {
		above += d[i] > median;
		below += d[i] < median;
	}
	return sign_martingale_log(above, below) > -log(level);
}

/* Compares the confidence sequence with a search of all medians, even with equal values. */
static void test_interval(void)
{
	enum { STEPS = 40 };
	double d[60];
	size_t wrong = 0, rejected = 0;
	struct rng r;

	rng_seed(&r, 7);
	for (int i = 0; i < 100; i++) {
		struct sign_sequence s;
		bool out[2 * STEPS + 1] = { false };

		sign_sequence_begin(&s, 0.05, 0);
		for (size_t n = 0; n < COUNT(d); n++) {
			d[n] = (double)rng_below(&r, i % 2 ? 10 : 3) +
			       (rng_below(&r, 9) ? 5 : 0);
			sign_sequence_add(&s, d[n]);
			for (int k = 0; k <= 2 * STEPS; k++)
				out[k] = out[k] || is_rejected(d, n + 1, k / 4.0, 0.05);
		}
		for (int k = 0; k <= 2 * STEPS; k++) {
			rejected += out[k];
			wrong += !out[k] && (k / 4.0 < s.lo || k / 4.0 > s.hi);
			wrong += out[k] && k / 4.0 > s.lo && k / 4.0 < s.hi;
		}
		sign_sequence_free(&s);
	}
	tap_ok(!wrong && rejected > 100,
	    "the confidence sequence contains exactly the medians that no round rejects "
	    "(%zu "
	    "wrong, %zu rejected)",
	    wrong, rejected);
}

/* Eight equal differences: M(8, 0) = 2^8 / 9, at both ends of the margin. */
static void test_ends(void)
{
	static const struct {
		double difference, margin, beyond, within;
		int side;
	} cases[] = {
		{ 0.1, 0.02, 9 / 256.0, 1, SIGN_ABOVE },
		{ -0.1, 0.02, 9 / 256.0, 1, SIGN_BELOW },
		{ 0, 0.02, 1, 9 / 256.0, SIGN_BELOW },
		{ 0.1, 0, 9 / 256.0, 1, SIGN_ABOVE },
		{ -0.1, 0, 9 / 256.0, 1, SIGN_BELOW },
		{ 0, 0, 1, 1, SIGN_BELOW },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sign_sequence s;

		sign_sequence_begin(&s, 0.05, cases[i].margin);
		for (int k = 0; k < 8; k++)
			sign_sequence_add(&s, cases[i].difference);
		tap_ok(fabs(sign_sequence_p_beyond(&s) - cases[i].beyond) < 1e-12 &&
		           fabs(sign_sequence_p_within(&s) - cases[i].within) < 1e-12 &&
		           sign_sequence_side(&s) == cases[i].side,
		    "eight differences of %g are beyond a margin of %g with p = %g, and "
		    "within "
		    "it with p = %g",
		    cases[i].difference, cases[i].margin, cases[i].beyond, cases[i].within);
		sign_sequence_free(&s);
	}
}

static void test_sequence(void)
{
	struct sign_sequence s;

	sign_sequence_begin(&s, 0.05, 0.02);
	tap_ok(isnan(sign_sequence_median(&s)),
	    "a sequence without differences has no median");
	for (int i = 0; i < 7; i++)
		sign_sequence_add(&s, 0.1 + i / 100.0);
	tap_ok(isinf(s.lo) && isinf(s.hi) && sign_sequence_p_beyond(&s) > 0.05,
	    "seven differences of one sign decide nothing");
	sign_sequence_add(&s, INFINITY);
	tap_ok(s.lo == 0.1 && isinf(s.hi) && s.hi > 0,
	    "the confidence sequence of eight differences is between the extremes, also "
	    "infinite ones");
	tap_ok(fabs(sign_sequence_p_beyond(&s) - 9.0 / 256) < 1e-12 &&
	           sign_sequence_side(&s) == SIGN_ABOVE,
	    "eight differences above the margin have p = 9/256");
	tap_ok(sign_sequence_p_within(&s) == 1,
	    "differences beyond the margin are not within it");
	tap_ok(fabs(sign_sequence_median(&s) - 0.135) < 1e-12,
	    "the median of an even number of differences is the mean of the middle ones");
	sign_sequence_free(&s);
	sign_sequence_begin(&s, 0.05, 0.02);
	for (int i = 0; i < 16; i++)
		sign_sequence_add(&s, i % 2 ? 0.02 : 0.1);
	tap_ok(fabs(sign_sequence_p_beyond(&s) - 9.0 / 256) < 1e-12,
	    "differences that equal the margin count as neither");
	sign_sequence_free(&s);
}

int main(void)
{
	test_martingale();
	test_least_rounds();
	test_level();
	test_ends();
	test_sequence();
	test_interval();
	test_rates();
	return tap_end();
}
