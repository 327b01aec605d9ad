/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the difference between two sides, and Holm's correction. Pure: sorted or paired
 * arrays in, probabilities out.
 */
#ifndef STATS_INFER_H
#define STATS_INFER_H

#include "stats/contrast.h"

/*
 * Returns the two-sided p, twice the smaller tail, of the test of Mann and Whitney
 * (Wilcoxon's rank sum; H. B. Mann, D. R. Whitney, Annals of Mathematical Statistics 18
 * (1947)). Both sides are sorted in ascending order. The p is exact, over all permutations
 * of the midranks, up to 2500 pairs of values, as with 50 on each side (exact.h). Beyond
 * that it is a normal approximation, with the variance corrected for ties and a correction
 * for continuity. Returns 1 if a side is empty.
 */
double infer_rank_sum(const double *old, size_t olds, const double *new, size_t news);

/* Returns the two-sided p of the difference of a sum of ranks from its mean, reduced by
 * half a step for continuity, in the normal approximation; 1 if the variance is 0. */
double infer_normal_p(double difference, double variance);

/*
 * Returns Cliff's delta of two sorted sides (N. Cliff, "Dominance statistics",
 * Psychological Bulletin 114 (1993)): P(new > old) - P(new < old), from -1 (all new values
 * are less) to 1 (all are greater). Returns NAN if a side is empty.
 */
double infer_cliff_delta(const double *old, size_t olds, const double *new, size_t news);

/*
 * A test that can be chosen for a comparison. `sides` and `pairs` return the p of no
 * difference, or NAN if the test cannot be computed. `contrast_sides` and `contrast_pairs`
 * fill the estimate and the interval of the same test (contrast.h). Sides are sorted.
 */
struct infer_test {
	const char *name;
	double (*sides)(const double *old, size_t olds, const double *new, size_t news);
	double (*pairs)(const double *old, const double *new, size_t n);
	void (*contrast_sides)(const double *old, size_t olds, const double *new,
	    size_t news, double alpha, struct contrast *out);
	void (*contrast_pairs)(const double *old, const double *new, size_t n, double alpha,
	    struct contrast *out);
	/* Returns the least p of this many values, which may be 0. */
	double (*least_p)(bool paired, double olds, double news);
	const char *meaning;
};

extern const struct infer_test infer_tests[];
extern const size_t infer_tests_count;
/* The test that takes the place of the one of ranks, the first of infer_tests, for pairs
 * that are known to differ from each other (pair_ranks.h). */
extern const struct infer_test infer_signed_ranks;

/*
 * Corrects p in place by Holm's step-down method (S. Holm, Scandinavian Journal of
 * Statistics 6 (1979)). NAN is ignored and does not count.
 */
void infer_holm(double *p, size_t count);

#endif
