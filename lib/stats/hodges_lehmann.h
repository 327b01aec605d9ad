/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hodges and Lehmann's estimate of the shift between two sides. Pure.
 */
#ifndef STATS_HODGES_LEHMANN_H
#define STATS_HODGES_LEHMANN_H

#include "base/base.h"

/*
 * Returns the median of all differences new[j] - old[i] of two sorted sides (J. L. Hodges,
 * E. L. Lehmann, "Estimates of location based on rank tests", Annals of Mathematical
 * Statistics 34 (1963)). It corresponds to the test of Mann and Whitney. The cost grows
 * with the number of values, not of differences. Returns NAN if a side is empty.
 */
double hodges_lehmann_sides(const double *old, size_t olds, const double *new, size_t news);
/*
 * Returns, for n pairs, the median of the means of any two of the differences new[i] -
 * old[i], each also with itself (Walsh averages). It corresponds to the signed-rank test.
 */
double hodges_lehmann_pairs(const double *old, const double *new, size_t n);

#endif
