/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares two sides with values that are censored (censored.h). Pure.
 *
 * A value is greater than another one if this is certain: the other one is not censored,
 * and the value exceeds it, or is censored and its limit is not below it (E. A. Gehan, "A
 * generalized Wilcoxon test for comparing arbitrarily singly-censored samples", Biometrika
 * 52 (1965)). With one limit for all values, the censored ones are thus equal and greater
 * than all others, and the test is that of Mann and Whitney. The score of a value is the
 * number of values that are less, minus the number of those that are greater (N. Mantel,
 * "Ranking procedures for arbitrarily restricted observation", Biometrics 23 (1967)); the
 * test is one of the sum of the scores of the new side, over all permutations. If the
 * largest value of a side is censored, first all values beyond its limit are cut at that
 * limit, on both sides, so that sides with different limits do not differ for that reason.
 */
#ifndef STATS_GEHAN_H
#define STATS_GEHAN_H

#include "stats/censored.h"
#include "stats/contrast.h"

/*
 * Returns the two-sided p, twice the smaller tail: exact up to EXACT_PAIRS_MOST pairs of
 * values (exact.h), beyond that the normal approximation of infer_rank_sum(). It requires
 * that limits among the values, as opposed to the last ones, are distributed alike on both
 * sides. Sets *delta to the share of pairs in which new is greater, minus the share of
 * those in which it is less. Returns 1 and sets NAN if a side is empty.
 */
double gehan_sides(const struct censored *old, const struct censored *new, double *delta);

/*
 * Fills the estimate and the interval of the ratio, or difference, by inversion of the test
 * (L. J. Wei, M. H. Gail, "Nonparametric estimation for a scale-change with censored
 * observations", JASA 78 (1983)): the new values and their limits are divided by the ratio.
 * With each ratio other values are cut, so the ratios that the test does not reject may
 * have gaps, which are part of the interval. A ratio may have no estimate and only one end.
 * If the lower end of a ratio is unknown, it is 0, unless both are.
 */
void gehan_contrast_sides(const struct censored *old, const struct censored *new,
    double alpha, struct contrast *out);

#endif
