/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A test of pairs by ranks, and the contrasts (contrast.h) by its inversion. Pure.
 *
 * The score of a pair is the weighted sum of two numbers, which have the sign of its
 * change: PAIR_POOLED_WEIGHT times the rank of its new value among all values of both sides
 * minus the rank of its old value (W. J. Conover, R. L. Iman, "Rank transformations as a
 * bridge between parametric and nonparametric statistics", American Statistician 35
 * (1981)), and PAIR_SIGNED_WEIGHT times Wilcoxon's signed rank of its change. The sum of
 * the former is Mann and Whitney's statistic, which is better if the values of a pair are
 * independent; the sum of the latter is better if they resemble each other. Their
 * combination loses little in both cases, as that of S. R. Dubnicka, R. C. Blair, T. P.
 * Hettmansperger, "Rank-based procedures for mixed paired and two-sample designs", Journal
 * of Modern Applied Statistical Methods 1 (2002).
 *
 * p is that of all exchanges of the two values of pairs (R. A. Fisher, "The Design of
 * Experiments" (1935), section 21). It is valid if both orders in a pair are equally
 * likely, regardless of what the pairs have in common. Pairs without a difference are
 * ranked and have the score 0 (J. W. Pratt, "Remarks on zeros and ties in the Wilcoxon
 * signed rank procedures", Journal of the American Statistical Association 54 (1959)).
 *
 * For pairs that are known to differ from each other, such as inputs of different sizes,
 * the scores are the signed ranks alone: Wilcoxon's signed-rank test (F. Wilcoxon,
 * "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945)).
 */
#ifndef STATS_PAIR_RANKS_H
#define STATS_PAIR_RANKS_H

#include "stats/contrast.h"

/* Noncommensurate enough that few exchanges have equal sums with 10 pairs. */
enum { PAIR_POOLED_WEIGHT = 3, PAIR_SIGNED_WEIGHT = 2 };
/* The ranks of which a score consists. */
enum pair_score { PAIR_SCORE_BOTH, PAIR_SCORE_SIGNED };

/*
 * Returns the two-sided p, twice the smaller tail, of n pairs. If all values are positive,
 * changes are ratios, otherwise differences. p is exact up to EXACT_FLIPS_MOST pairs;
 * beyond that it is a normal approximation. It is at least 2 / 2^n. Returns 1 if no pair
 * differs, and NAN if the change of a pair is not a number.
 */
double pair_ranks_p(const double *old, const double *new, size_t n);
/* Returns the same for signed ranks alone. */
double signed_ranks_p(const double *old, const double *new, size_t n);
/* Returns the same for scores of a kind, and for changes that are ratios, or differences.
 * Sets *total to the sum of the scores, which is above 0 if new values are greater, or NAN.
 */
double pair_ranks_test(const double *old, const double *new, size_t n,
    enum pair_score score, bool ratio, double *total);
/*
 * Fills the estimate and the interval. The estimate is the weighted median of all ratios,
 * or differences, of a new and an old value, each with PAIR_POOLED_WEIGHT, and of the means
 * of any two changes, each also with itself, each with PAIR_SIGNED_WEIGHT; the means of
 * ratios are geometric. The ends of the interval are two of these, unless p is approximate.
 * All are NAN if the change of a pair is not finite.
 */
void pair_ranks_interval(
    const double *old, const double *new, size_t n, double alpha, struct contrast *out);
/*
 * Fills the same for signed ranks alone. The estimate is the median of the means of any two
 * changes, each also with itself (J. L. Hodges, E. L. Lehmann, "Estimates of location based
 * on rank tests", Annals of Mathematical Statistics 34 (1963)), and the ends of the
 * interval are two of these (J. W. Tukey; M. Hollander, D. A. Wolfe, E. Chicken,
 * "Nonparametric Statistical Methods" (2014), section 3.3).
 */
void signed_ranks_interval(
    const double *old, const double *new, size_t n, double alpha, struct contrast *out);

#endif
