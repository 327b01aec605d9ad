/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of means: Welch's test of two sides and Student's test of pairs, and the contrasts
 * (contrast.h) by their inversion. Pure.
 */
#ifndef STATS_WELCH_H
#define STATS_WELCH_H

#include "stats/contrast.h"

/*
 * Returns the two-sided p of Welch's test of two means with unequal variances (B. L. Welch,
 * "The generalization of 'Student's' problem when several different population variances
 * are involved", Biometrika 34 (1947)), the degrees of freedom by Satterthwaite's formula.
 * Returns NAN if there are fewer than two values on a side. If neither side has any
 * variance, returns 1 if the means are equal, otherwise the p of ranks, 2 / C(m + n, m):
 * few equal values do not show that there is no variance.
 */
double welch_sides(const double *old, size_t olds, const double *new, size_t news);
/*
 * Returns welch_sides(), or NAN if a side has a variance and the numbers of values are not
 * valid. They are valid, so that the p and the interval have nearly the stated error rates
 * although the values are skewed, with at least 7 values on each side and
 * |1 / olds - 1 / news| / sqrt(1 / olds + 1 / news) <= 1 / 7. This is the skewness of the
 * difference of the means of values that all have the skewness 1. It follows from the
 * cumulants, which are additive (P. Hall, "The Bootstrap and Edgeworth Expansion", 1992,
 * chapter 2). docs/evidence.md has the error rates.
 */
double welch_valid_sides(const double *old, size_t olds, const double *new, size_t news);
/* Returns the two-sided p of Student's test of the differences new - old of n pairs; if
 * they are equal but not 0, 2 / 2^n. */
double welch_pairs(const double *old, const double *new, size_t n);

/*
 * Fills the estimate, the ratio or difference of the means, and the interval. The interval
 * of a ratio r consists of the r for which the test of new / r against old has a p of at
 * least alpha (E. C. Fieller, "Some problems in interval estimation", Journal of the Royal
 * Statistical Society B 16 (1954), with the degrees of freedom of each r). It begins at 0
 * if the new mean does not differ from 0, and has no upper end if the old mean does not.
 * If p < alpha, it ends before 1. There is none if p >= alpha and the old mean does not
 * differ from 0, or means that differ have no variance; nor if welch_valid_sides() is NAN.
 */
void welch_interval_sides(const double *old, size_t olds, const double *new, size_t news,
    double alpha, struct contrast *out);
void welch_interval_pairs(
    const double *old, const double *new, size_t n, double alpha, struct contrast *out);
/* Returns 0, the least p of valid numbers of values or of two or more pairs, otherwise 1.
 */
double welch_least_p(bool paired, double olds, double news);

#endif
