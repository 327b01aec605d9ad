/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact distributions of a rank sum under all permutations, ties included, and of sums
 * of scores that are in them or not. Pure.
 */
#ifndef STATS_EXACT_H
#define STATS_EXACT_H

#include "base/base.h"

enum { EXACT_PAIRS_MOST = 2500 }; /* limit of m n */
enum { EXACT_FLIPS_MOST = 50 };   /* limit of the number of scores */

/*
 * Returns the two-sided p, twice the smaller tail, of Mann and Whitney's U of m values
 * against n. tied: the sizes of the groups of equal values of both sides, from the least
 * value; their sum is m + n. twice_u: twice the number of pairs in which the value of the
 * first side is greater, equal values counting half. m n is at most EXACT_PAIRS_MOST.
 *
 * Counts the ways to choose the values of the first side, by U, one group of equal values
 * after the other. Of t equal values with b values below, j belong to the first side in
 * C(t, j) ways, which adds j (2 b + t - j) to 2 U. The lower half of the values is counted
 * from below and the upper half from above, and then the halves are joined, so sums remain
 * small. Only the counts that the smaller tail needs are computed. All are sums of positive
 * numbers, so nothing cancels, and the doubles, which may exceed 2^53, keep almost full
 * relative precision.
 */
double exact_rank_sum(
    const size_t *tied, size_t groups, size_t m, size_t n, double twice_u);
/*
 * Returns the same without ties, for a U of at most m n / 2. The distribution then depends
 * only on the sizes, which are the same in many rows of a table. So each thread computes
 * the p of all U at once, and caches those of the last sizes.
 */
double exact_rank_sum_untied(size_t m, size_t n, size_t u);

/*
 * Returns the two-sided p, twice the smaller tail, of the sum of the scores of m values if
 * all choices of m of the values are equally likely. Scores are integers, in groups:
 * tied[i] values have score[i]; the sum of all scores is 0. m times the number of the other
 * values is at most EXACT_PAIRS_MOST. Counts the choices by their number and sum, one group
 * after the other (B. Streitberg, J. Roehmel, "Exact distributions for permutation and rank
 * tests", Statistical Software Newsletter 12 (1986)).
 */
double exact_score_sum(
    const double *score, const size_t *tied, size_t groups, size_t m, double sum);

/*
 * Returns the probability that the sum of some of n scores is at most `limit`, if each
 * score is equally likely to be in it or not. n is at most EXACT_FLIPS_MOST. Counts the
 * subsets of the scores by their sum, one score after the other.
 */
double exact_flips(const size_t *score, size_t n, size_t limit);
/* Returns the greatest common divisor of two numbers; a if b is 0. Scores are divided by
 * it, because the counts of their sums are computed for each integer. */
size_t common_divisor(size_t a, size_t b);

#endif
