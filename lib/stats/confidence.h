/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Confidence intervals of one sample's quantiles, mean and proportion. Each tail has half
 * of the error. Pure.
 */
#ifndef STATS_CONFIDENCE_H
#define STATS_CONFIDENCE_H

#include "base/base.h"

/*
 * Fills the ranks, from 1, of the sorted values that enclose the quantile for p, 0 < p < 1,
 * with at least this confidence, for every distribution (H. A. David, H. N. Nagaraja,
 * "Order Statistics", 3rd ed., section 7.1). *lo is 0, and *hi is n + 1, if the interval
 * has no such end, because there are too few values. For p = 0.5 the ranks are those of
 * stats_median_ranks().
 */
void confidence_quantile_ranks(
    size_t n, double p, double confidence, size_t *lo, size_t *hi);
/* Returns the least number of values for which the interval of a quantile has a lower end,
 * or, if upper, an upper end. */
double confidence_quantile_values(double p, double confidence, bool upper);

/* Fills the interval of the mean by Student's t, or -INFINITY and INFINITY for fewer than
 * two values. */
void confidence_mean(
    const double *values, size_t n, double confidence, double *lo, double *hi);

/*
 * Fills the interval of the chance of success, given the number of successes in n trials
 * (C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in
 * the case of the binomial", Biometrika 26 (1934)). For n = 0 it is 0 to 1.
 */
void confidence_proportion(
    double successes, double n, double confidence, double *lo, double *hi);

#endif
