/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact distribution of a rank sum under all permutations, ties included. Pure.
 */
#ifndef STATS_EXACT_H
#define STATS_EXACT_H

#include "base/base.h"

enum { EXACT_PAIRS_MOST = 2500 }; /* m n up to this is counted */

/*
 * Two-sided p, twice the smaller tail, of Mann and Whitney's U of m values against n. tied
 * says, from the least value of both sides on, how many values are equal each time (their
 * numbers add up to m + n); twice_u is twice the number of pairs in which the first side's
 * value is the greater, equal ones counting half. m n is at most EXACT_PAIRS_MOST.
 *
 * The ways to choose the first side's values are counted by U, group of equal values after
 * group: of t equal values that have b others below, j belong to the first side in C(t, j)
 * ways, which adds j (2 b + t - j) to 2 U. Only counts that the smaller tail needs are
 * made; all are sums of positive numbers, so nothing cancels and the doubles, which may
 * exceed 2^53, keep almost full relative precision.
 */
double exact_rank_sum(
    const size_t *tied, size_t groups, size_t m, size_t n, double twice_u);

#endif
