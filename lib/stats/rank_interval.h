/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contrasts (contrast.h) by inversion of the rank test of two sides (infer.h). Pure.
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
/* Returns the least p that the test of two sides, or of pairs, of different values can
 * have. */
double rank_least_p(bool paired, double olds, double news);

#endif
