/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Confidence intervals of one sample; see confidence.h.
 */
#include <math.h>

#include "stats/confidence.h"
#include "stats/dist.h"
#include "stats/stats.h"

void confidence_quantile_ranks(
    size_t n, double p, double confidence, size_t *lo, size_t *hi)
{
	double tail = (1 - confidence) / 2, trials = (double)n;

	*lo = (size_t)dist_binomial_quantile(tail, trials, p);
	*hi = (size_t)dist_binomial_quantile_above(tail, trials, p) + 1;
}

double confidence_quantile_values(double p, double confidence, bool upper)
{
	double tail = (1 - confidence) / 2, kept = upper ? p : 1 - p;

	/* The least n with kept^n <= tail. */
	return ceil(log(tail) / log(kept));
}

void confidence_mean(
    const double *values, size_t n, double confidence, double *lo, double *hi)
{
	double mean = stats_mean(values, n), reach = INFINITY;

	if (n >= 2)
		reach = dist_student_quantile_above((1 - confidence) / 2, (double)(n - 1)) *
		        stats_sd(values, n, mean) / sqrt((double)n);
	*lo = n >= 2 ? mean - reach : -INFINITY;
	*hi = n >= 2 ? mean + reach : INFINITY;
}

void confidence_proportion(
    double successes, double n, double confidence, double *lo, double *hi)
{
	double tail = (1 - confidence) / 2;

	*lo = successes > 0 ? dist_beta_quantile(tail, successes, n - successes + 1) : 0;
	*hi = successes < n ? dist_beta_quantile_above(tail, successes + 1, n - successes)
	                    : 1;
}
