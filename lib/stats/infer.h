/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests and corrections: how surprising a difference between two samples would be if there
 * were none. Pure: sorted or paired arrays in, probabilities out.
 */
#ifndef STATS_INFER_H
#define STATS_INFER_H

#include "base/base.h"

/*
 * Two-sided p of the test of Mann and Whitney (Wilcoxon's rank sum; H. B. Mann, D. R.
 * Whitney, Annals of Mathematical Statistics 18 (1947)). Both sides are sorted ascending.
 * Exact, over all permutations of the midranks, ties or not, as long as there are at most
 * 2500 pairs of values, as with 50 a side (exact.h). Otherwise the normal approximation
 * with the variance corrected for ties and a correction for continuity. The two-sided p is
 * twice the smaller tail. 1 when a side is empty.
 */
double infer_rank_sum(const double *old, size_t olds, const double *new, size_t news);

/*
 * Cliff's delta of two sorted sides (N. Cliff, "Dominance statistics", Psychological
 * Bulletin 114 (1993)): P(new > old) - P(new < old), from -1, all new values are less, to
 * 1, all are greater. NAN when a side is empty.
 */
double infer_cliff_delta(const double *old, size_t olds, const double *new, size_t news);

/*
 * Two-sided p of Wilcoxon's signed-rank test of n pairs (F. Wilcoxon, Biometrics Bulletin 1
 * (1945)); pairs without a difference are left out, as he did. When all values are positive
 * the ratio of a pair is its difference (|log| of the ratios is ranked), otherwise new -
 * old. Exact, over all signs of the midranks, up to 100 pairs that differ; otherwise the
 * normal approximation with the corrections above. 1 when no pair differs. Fills lean: 1
 * when the rises outrank the falls, -1 when the falls do, 0 when neither.
 */
double infer_signed_rank(const double *old, const double *new, size_t n, int *lean);

/*
 * What can be chosen as the test of a comparison. Both functions fill lean as above and
 * give NAN where the test has nothing to go by. Sides are sorted. `rank` takes fewer than 6
 * pairs as two sides, since their signed ranks cannot have a p below 0.05.
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
 * Holm's step-down correction, in place (S. Holm, Scandinavian Journal of Statistics 6
 * (1979)). NAN is passed over and does not count.
 */
void infer_holm(double *p, size_t count);

#endif
