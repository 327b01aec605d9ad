/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of means: Welch's test of two sides and Student's test of pairs. Pure.
 */
#ifndef STATS_WELCH_H
#define STATS_WELCH_H

#include "base/base.h"

/*
 * Returns the two-sided p of Welch's test of two means with unequal variances (B. L. Welch,
 * "The generalization of 'Student's' problem when several different population variances
 * are involved", Biometrika 34 (1947)), the degrees of freedom by Satterthwaite's formula.
 * Fills lean: 1 if the new mean is greater, -1 if it is less. Returns NAN if there are
 * fewer than two values on a side, or if neither side has any variance.
 */
double welch_sides(
    const double *old, size_t olds, const double *new, size_t news, int *lean);
/* Returns the two-sided p of Student's test of the differences new - old of n pairs. */
double welch_pairs(const double *old, const double *new, size_t n, int *lean);

#endif
