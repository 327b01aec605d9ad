/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distinguishes a drift, which continues from value to value, from changes of level. Pure.
 *
 * A search for change points approximates a drift by steps. Here a straight line, with as
 * few steps as improve it, competes with the steps that were found, and wins if its
 * Bayesian information criterion is lower (C. Beaulieu, R. Killick, "Distinguishing trends
 * and shifts from memory in climate data", Journal of Climate 31 (2018)) by at least 2,
 * "positive" evidence, or with steps 6, "strong" evidence (R. E. Kass, A. E. Raftery,
 * "Bayes factors", Journal of the American Statistical Association 90 (1995)). A step
 * counts as two parameters, its size and place. With an autocorrelation of
 * r, n values have the effective number n (1 - r) / (1 + r); r is the smaller one of both
 * fits, because a poor fit increases it. For p and the interval, the line is fitted with
 * its steps. Values farther than three robust standard deviations from the median of their
 * level are moved to that distance.
 *
 * A search that removes autocorrelation also removes a steep drift, and finds no step. A
 * line then competes with a single level, and must win by 10, "very strong" evidence.
 */
#ifndef STATS_DRIFT_H
#define STATS_DRIFT_H

#include "stats/change.h"

struct drift {
	double first, last; /* where the line begins and ends, with its steps */
	double slope;       /* from value to value */
	double slope_lo, slope_hi;
	double p; /* two-sided, of the slope, by Student's t */
	size_t steps;
};

/* A series in which a drift is sought. */
struct drift_series {
	const double *x; /* n values */
	size_t n;
	size_t least;      /* values between two steps, at least */
	double confidence; /* of the interval of the slope, such as 0.95 */
};

/*
 * Decides whether a line explains the values better than the steps that change_find() found
 * in them, at most 20; with more, returns false. If so, fills out, replaces the steps by
 * those that remain in addition to the line, at most as many, and returns true.
 */
bool drift_find(
    const struct drift_series *s, struct change *step, size_t steps, struct drift *out);

#endif
