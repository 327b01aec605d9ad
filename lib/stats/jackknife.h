/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The acceleration of a ratio of locations by the jackknife: how the error of the ratio
 * changes with its size. For the intervals of bootstrap.h. Pure.
 */
#ifndef STATS_JACKKNIFE_H
#define STATS_JACKKNIFE_H

#include "stats/hierarchy.h"

/*
 * Return the acceleration of location(new) / location(old). One unit after the other is
 * left out: of each side separately, or of both sides in pairs. From U = (n - 1) (mean of
 * these ratios - ratio), the acceleration is the sum over the sides of sum U^3 / n^3,
 * divided by (sum over the sides of sum U^2 / n^2)^(3/2), divided by 6 (B. Efron, R. J.
 * Tibshirani, "An Introduction to the Bootstrap", 1993, equation 14.15 and section 14.5).
 * It is 0 if no ratio differs, and NAN if a ratio does not exist.
 */
double jackknife_sides(
    enum location location, const double *old, size_t olds, const double *new, size_t news);
double jackknife_pairs(
    enum location location, const double *old, const double *new, size_t n);

#endif
