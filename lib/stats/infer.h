/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the difference between two sides, and Holm's correction. Pure: sorted or paired
 * arrays in, probabilities out.
 */
#ifndef STATS_INFER_H
#define STATS_INFER_H

#include "base/base.h"

/*
 * Returns the two-sided p, twice the smaller tail, of the test of Mann and Whitney
 * (Wilcoxon's rank sum; H. B. Mann, D. R. Whitney, Annals of Mathematical Statistics 18
 * (1947)). Both sides are sorted in ascending order. The p is exact, over all permutations
 * of the midranks, up to 2500 pairs of values, as with 50 on each side (exact.h). Beyond
 * that it is a normal approximation, with the variance corrected for ties and a correction
 * for continuity. Returns 1 if a side is empty.
 */
double infer_rank_sum(const double *old, size_t olds, const double *new, size_t news);

/*
 * Returns Cliff's delta of two sorted sides (N. Cliff, "Dominance statistics",
 * Psychological Bulletin 114 (1993)): P(new > old) - P(new < old), from -1 (all new values
 * are less) to 1 (all are greater). Returns NAN if a side is empty.
 */
double infer_cliff_delta(const double *old, size_t olds, const double *new, size_t news);

/*
 * Returns the two-sided p of Wilcoxon's signed-rank test of n pairs (F. Wilcoxon,
 * Biometrics Bulletin 1 (1945)). Pairs without a difference are left out, as in that paper.
 * If all values are positive, ratios are ranked (by |log|), otherwise the differences new -
 * old. The p is exact, over all signs of the midranks, up to 100 pairs that differ; beyond
 * that it is the normal approximation with the corrections above. Returns 1 if no pair
 * differs. Fills lean: 1 if the rises outrank the falls, -1 if the falls outrank the rises,
 * otherwise 0.
 */
double infer_signed_rank(const double *old, const double *new, size_t n, int *lean);

/*
 * A test that can be chosen for a comparison. Both functions fill lean as above, and return
 * NAN if the test cannot be computed. Sides are sorted. `rank` tests fewer than 6 pairs as
 * two sides, since their signed ranks cannot have a p below 0.05.
 */
struct infer_test {
	const char *name;
	double (*sides)(
	    const double *old, size_t olds, const double *new, size_t news, int *lean);
	double (*pairs)(const double *old, const double *new, size_t n, int *lean);
	const char *meaning;
};

extern const struct infer_test infer_tests[];
extern const size_t infer_tests_count;

/*
 * Corrects p in place by Holm's step-down method (S. Holm, Scandinavian Journal of
 * Statistics 6 (1979)). NAN is ignored and does not count.
 */
void infer_holm(double *p, size_t count);

#endif
