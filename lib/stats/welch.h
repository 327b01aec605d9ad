/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of means: Welch's t and that of pairs. Pure.
 */
#ifndef STATS_WELCH_H
#define STATS_WELCH_H

#include "base/base.h"

/*
 * Two-sided p of Welch's test of two means with unequal variances (B. L. Welch, "The
 * generalization of 'Student's' problem when several different population variances are
 * involved", Biometrika 34 (1947)), the degrees of freedom by Satterthwaite's formula.
 * Fills lean: 1 when the new mean is greater, -1 when it is less. NAN when there is no
 * variance to measure with: fewer than two values a side, or none that differs from its
 * side's others.
 */
double welch_sides(
    const double *old, size_t olds, const double *new, size_t news, int *lean);
/* The same of the differences new - old of n pairs (Student's one-sample test). */
double welch_pairs(const double *old, const double *new, size_t n, int *lean);

#endif
