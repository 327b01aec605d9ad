/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contrasts (contrast.h) by inversion of the rank tests of infer.h. Pure.
 */
#ifndef STATS_RANK_INTERVAL_H
#define STATS_RANK_INTERVAL_H

#include "stats/contrast.h"

/*
 * Fills the estimate and the interval of Mann and Whitney's test of two sorted sides (J. L.
 * Hodges, E. L. Lehmann, "Estimates of location based on rank tests", Annals of
 * Mathematical Statistics 34 (1963); M. Hollander, D. A. Wolfe, E. Chicken, "Nonparametric
 * Statistical Methods", 3rd edition (2013), section 4.3). The estimate is the median of all
 * ratios, or differences, of a new and an old value. The ends of the interval are two of
 * these. Ratios need positive values.
 */
void rank_interval_sides(const double *old, size_t olds, const double *new, size_t news,
    double alpha, struct contrast *out);
/*
 * Does the same for the signed-rank test of n pairs (section 3.3 of that book; J. W. Tukey,
 * 1949). The estimate is the median of the means of any two of the changes of the pairs,
 * each also with itself; for ratios, of their logarithms. With fewer than 6 pairs, the
 * pairs are two sides, as in the test.
 */
void rank_interval_pairs(
    const double *old, const double *new, size_t n, double alpha, struct contrast *out);
/* Returns the least p that the test of two sides, or of pairs, of different values can
 * have. */
double rank_least_p(bool paired, double olds, double news);

#endif
