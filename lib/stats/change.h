/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change points of a series: where its level moved, and with which p. Pure; the same seed
 * gives the same points.
 *
 * A series is divided at its best place (e_divisive.h) if that is significant, and then
 * each part. Each point is then tested again between its neighbors, which were not known
 * when it was found, and moves or is removed. Autocorrelation is removed before the test
 * (prewhiten.h).
 *
 * With windows, the time is proportional to the length of the series (M. Fleming, P.
 * Kolaczkowski, I. Kumar and others, "Hunter: Using change point detection to hunt for
 * performance regressions", ICPE 2023). Windows of a fixed length that overlap by half are
 * divided as long as Welch's t-test finds p < 0.01. The points of all windows are tested
 * again between their neighbors, and the point with the largest p is removed until all are
 * significant. Unlike in that paper, p is multiplied by the number of places where a point
 * might be.
 */
#ifndef STATS_CHANGE_H
#define STATS_CHANGE_H

#include "base/base.h"

struct change_opts {
	double alpha; /* p must be below */
	double
	    threshold; /* ratios of medians from 1 / (1 + this) to 1 + this are no change */
	size_t least;  /* values between two points, 2 or more */
	/* Length of windows, in which longer series are searched. 0: 200, beyond 2000
	 * values. */
	size_t window;
	size_t permutations;
	uint64_t seed;
};

struct change {
	size_t at; /* the first value after the change */
	/*
	 * The probability of so great a change anywhere in a series that has none: between
	 * the neighboring points, or with windows in the whole series.
	 */
	double p;
	double before, after; /* medians up to the neighboring points */
};

/* Finds the changes of n finite values, in ascending order. out has room for n / least.
 * Returns their number. */
size_t change_find(
    const double *x, size_t n, const struct change_opts *opts, struct change *out);
/*
 * Returns after / before as bench-compare defines a ratio: NAN unless before is positive
 * and after is not negative.
 */
double change_ratio(double before, double after);

#endif
