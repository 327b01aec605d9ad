/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares pairs of values some of which are censored (censored.h). Pure.
 *
 * Both values of a pair are cut at the smaller of their limits. The limit of a censored
 * value is its own; that of another value is the largest limit of its side if the largest
 * value of the side is censored, otherwise it has none. If the values of a pair are
 * exchangeable, so are the cut ones, so the test of the cut pairs is exact if the limits of
 * each side are the same in all pairs. A pair of two timeouts has no difference.
 */
#ifndef STATS_CENSORED_PAIRS_H
#define STATS_CENSORED_PAIRS_H

#include "stats/pair_ranks.h"

struct censored_pairs {
	const double *old, *new;
	const bool *old_above, *new_above; /* the value is a limit */
	size_t n;
	enum pair_score score;
};

/*
 * Returns the two-sided p of pair_ranks_test() of the cut values, and fills the estimate
 * and the interval of the ratio, or difference, by inversion: the new values and their
 * limits are divided by the ratio before both are cut. The estimate is where the sum of the
 * scores is 0. A ratio may have no estimate and only one end.
 */
double censored_pairs_measure(
    const struct censored_pairs *p, double alpha, struct contrast *out);

#endif
