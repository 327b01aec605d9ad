/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the best place to divide a series in two, and its significance: e-divisive means
 * (D. S. Matteson, N. A. James, "A nonparametric approach for multiple change point
 * analysis of multivariate data", JASA 109 (2014)), for one variable and the exponent 1.
 * Pure.
 *
 * The statistic of a division of n values into m before and k after is m k / (m + k) times
 * the energy distance of the two sides: twice the mean distance between a value of each,
 * minus the mean distances of the pairs within each. As in D. Daly, W. Brown, H. Ingo and
 * others, "The use of change point detection to identify software performance regressions
 * in a continuous integration system", ICPE 2020, the right side is the whole rest of the
 * series. For one variable, all divisions are computed in O(n log n).
 */
#ifndef STATS_E_DIVISIVE_H
#define STATS_E_DIVISIVE_H

#include "base/base.h"
#include "base/rng.h"

struct division {
	size_t at; /* the first value after the division */
	double statistic;
};

struct e_divisive;
/* Returns the memory for series of up to `most` values, to be freed with
 * e_divisive_close(). */
struct e_divisive *e_divisive_open(size_t most);
/*
 * Finds the division with the largest statistic, with at least `least` values, 2 or more,
 * on each side. Returns false if the series is shorter than 2 * least, or all its values
 * are equal.
 */
bool e_divisive_find(
    struct e_divisive *d, const double *x, size_t n, size_t least, struct division *out);
/*
 * Returns the probability of a statistic as great anywhere in the series last divided, if
 * its values are in random order: a permutation test, valid for every distribution. Stops
 * when `enough` permutations have been as great (J. Besag, P. Clifford, "Sequential Monte
 * Carlo p-values", Biometrika 78 (1991)).
 */
double e_divisive_permute(struct e_divisive *d, const struct division *found,
    size_t permutations, size_t enough, struct rng *rng);
/*
 * Returns the two-sided p of the rank-sum test of the two sides, as if the place were
 * given: a normal approximation, corrected for ties and continuity. Multiplied by the
 * number of places, it bounds the probability above, without a least value.
 */
double e_divisive_ranks(const struct e_divisive *d, const struct division *found);
void e_divisive_close(struct e_divisive *d);

#endif
