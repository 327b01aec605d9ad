/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact distributions of a rank sum under all permutations, and of signed ranks under
 * all signs, ties included. Pure.
 */
#ifndef STATS_EXACT_H
#define STATS_EXACT_H

#include "base/base.h"

enum { EXACT_PAIRS_MOST = 2500 }; /* limit of m n */
enum { EXACT_SIGNS_MOST = 100 };  /* limit of the number of signed ranks */

/*
 * Returns the two-sided p, twice the smaller tail, of Mann and Whitney's U of m values
 * against n. tied: the sizes of the groups of equal values of both sides, from the least
 * value; their sum is m + n. twice_u: twice the number of pairs in which the value of the
 * first side is greater, equal values counting half. m n is at most EXACT_PAIRS_MOST.
 *
 * Counts the ways to choose the values of the first side, by U, one group of equal values
 * after the other. Of t equal values with b values below, j belong to the first side in
 * C(t, j) ways, which adds j (2 b + t - j) to 2 U. Only the counts that the smaller tail
 * needs are computed. All are sums of positive numbers, so nothing cancels, and the
 * doubles, which may exceed 2^53, keep almost full relative precision.
 */
double exact_rank_sum(
    const size_t *tied, size_t groups, size_t m, size_t n, double twice_u);
/*
 * Returns the same without ties, for a U of at most m n / 2. The distribution then depends
 * only on the sizes, which are the same in many rows of a table. So each thread caches the
 * p of the last sizes.
 */
double exact_rank_sum_untied(size_t m, size_t n, size_t u);

/*
 * Returns the two-sided p, twice the smaller tail, of a sum of signed ranks if both signs
 * are equally likely. tied: the sizes of the groups of equal ranks, from the least rank;
 * their sum is at most EXACT_SIGNS_MOST. twice_sum: twice the sum of the positive midranks.
 * Counts the subsets of the ranks by their sum, one rank after the other.
 */
double exact_signed_ranks(const size_t *tied, size_t groups, size_t twice_sum);
/* Returns the same for n ranks without ties, for a sum of at most half of the greatest one.
 * Each thread caches the distribution of the last n. */
double exact_signed_ranks_untied(size_t n, size_t sum);

#endif
