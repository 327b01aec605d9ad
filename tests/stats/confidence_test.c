/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Confidence intervals of one sample, against R and by their definition.
 */
#include <math.h>

#include "base/base.h"
#include "stats/confidence.h"
#include "stats/dist.h"
#include "stats/stats.h"
#include "tests/lib/tap.h"

static bool near(double got, double want)
{
	return got == want || fabs(got - want) <= 1e-12 * fabs(want);
}

/* Ranks from R: qbinom(a, n, p) and qbinom(a, n, p, lower.tail = FALSE) + 1, with a = (1 -
 * confidence) / 2. */
static void test_ranks(void)
{
	static const struct {
		size_t n;
		double p, confidence;
		size_t lo, hi;
	} cases[] = {
		{ 20, 0.95, 0.95, 17, 21 },
		{ 368, 0.99, 0.95, 360, 368 },
		{ 367, 0.99, 0.95, 359, 368 },
		{ 1000, 0.9, 0.99, 875, 925 },
		{ 100, 0.05, 0.95, 1, 11 },
		{ 10, 0.5, 0.95, 2, 9 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t lo, hi;

		confidence_quantile_ranks(
		    cases[i].n, cases[i].p, cases[i].confidence, &lo, &hi);
		tap_ok(lo == cases[i].lo && hi == cases[i].hi,
		    "the quantile for %g of %zu values has the ranks %zu and %zu of R (%zu "
		    "%zu)",
		    cases[i].p, cases[i].n, cases[i].lo, cases[i].hi, lo, hi);
	}
}

/* Returns P(X >= k), for X binomial. */
static double binomial_from(double k, double n, double chance)
{
	double sum = 0;

	for (double x = fmax(k, 0); x <= n; x++)
		sum += exp(dist_log_factorial(n) - dist_log_factorial(x) -
		           dist_log_factorial(n - x) + x * log(chance) +
		           (n - x) * log1p(-chance));
	return sum;
}

/* Each tail has at most half of the error, and one rank less would have more. */
static void test_tails(void)
{
	static const double probs[] = { 0.05, 0.5, 0.9, 0.99 };
	size_t wrong = 0, other = 0;

	for (size_t n = 1; n <= 400; n++)
		for (size_t i = 0; i < COUNT(probs); i++) {
			double p = probs[i], tail = 0.025, trials = (double)n;
			size_t lo, hi, a, b;

			confidence_quantile_ranks(n, p, 0.95, &lo, &hi);
			wrong += 1 - binomial_from((double)lo, trials, p) > tail ||
			         1 - binomial_from((double)lo + 1, trials, p) < tail ||
			         binomial_from((double)hi, trials, p) > tail ||
			         binomial_from((double)hi - 1, trials, p) < tail;
			wrong += (trials >= confidence_quantile_values(p, 0.95, true)) !=
			         (hi <= n);
			wrong += (trials >= confidence_quantile_values(p, 0.95, false)) !=
			         (lo >= 1);
			if (p == 0.5 && stats_median_ranks(n, 0.95, &a, &b))
				other += lo != a || hi != b;
		}
	tap_ok(wrong == 0,
	    "quantiles have the narrowest ranks with half of the error in "
	    "each tail (%zu differ)",
	    wrong);
	tap_ok(other == 0, "the ranks of the median are those of bench-stat (%zu differ)",
	    other);
}

/* Intervals from R's t.test. */
static void test_means(void)
{
	static const double values[] = { 4.1, 5.2, 3.9, 4.4, 6.0 };
	double lo, hi;

	confidence_mean(values, COUNT(values), 0.95, &lo, &hi);
	tap_ok(near(lo, 3.63968096391966) && near(hi, 5.80031903608034),
	    "the mean of five values has the interval of R's t.test at 95%% (%.15g %.15g)",
	    lo, hi);
	confidence_mean(values, COUNT(values), 0.9, &lo, &hi);
	tap_ok(near(lo, 3.89049515549081) && near(hi, 5.54950484450919),
	    "the mean of five values has the interval of R's t.test at 90%% (%.15g %.15g)",
	    lo, hi);
	confidence_mean((const double[]){ 10, 12 }, 2, 0.95, &lo, &hi);
	tap_ok(near(lo, -1.70620473617469) && near(hi, 23.70620473617469),
	    "the mean of two values has the interval of R's t.test (%.15g %.15g)", lo, hi);
	confidence_mean(values, 1, 0.95, &lo, &hi);
	tap_ok(lo == -INFINITY && hi == INFINITY,
	    "the mean of one value has no interval (%g %g)", lo, hi);
}

/* Intervals from R's binom.test. */
static void test_proportions(void)
{
	static const struct {
		double successes, n, lo, hi;
	} cases[] = {
		{ 20, 20, 0.831566529016915, 1 },
		{ 0, 10, 0, 0.308497107818761 },
		{ 7, 10, 0.347547149940003, 0.933260488822266 },
		{ 995, 1000, 0.988370529440188, 0.998374580482437 },
		{ 0, 0, 0, 1 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		double lo, hi;

		confidence_proportion(cases[i].successes, cases[i].n, 0.95, &lo, &hi);
		tap_ok(near(lo, cases[i].lo) && near(hi, cases[i].hi),
		    "%g successes in %g trials have the interval of R's binom.test (%.15g "
		    "%.15g)",
		    cases[i].successes, cases[i].n, lo, hi);
	}
}

int main(void)
{
	test_ranks();
	test_tails();
	test_means();
	test_proportions();
	return tap_end();
}
