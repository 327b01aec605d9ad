/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The acceleration of a ratio of locations by the jackknife: how its error changes with its
 * size, for bootstrap.h's intervals. Pure.
 */
#ifndef STATS_JACKKNIFE_H
#define STATS_JACKKNIFE_H

#include "stats/hierarchy.h"

/*
 * Of location(new) / location(old), when one unit after the other is left out: of each side
 * for itself, or of both in pairs. From U = (n - 1) (mean of these ratios - ratio) it is
 * sum over the sides of sum U^3 / n^3, over (sum over the sides of sum U^2 / n^2)^(3/2),
 * over 6 (B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap", 1993,
 * equation 14.15 and section 14.5). 0 where no ratio differs, NAN where one does not exist.
 */
double jackknife_sides(
    enum location location, const double *old, size_t olds, const double *new, size_t news);
double jackknife_pairs(
    enum location location, const double *old, const double *new, size_t n);

#endif
