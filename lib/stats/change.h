/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Change points of a series: where its level moved, and how sure that is. Pure; the same
 * seed gives the same points.
 *
 * A series is divided at its best place (e_divisive.h) if the level there says so, and each
 * part again; every point is then tried anew between its neighbours, which were not known
 * when it was found, and moves or goes. What values remember of the ones before them is
 * taken out first (prewhiten.h).
 *
 * With windows a series of any length costs a time in proportion to it, after M. Fleming,
 * P. Kolodziejczyk, I. Kumar and others, "Hunter: Using change point detection to hunt for
 * performance regressions", ICPE 2023: windows of a fixed length that overlap by a half are
 * divided as long as Welch's t-test finds p < 0.01; the points of all windows are tested
 * again between their neighbours, and the least sure goes until all are sure. Unlike there,
 * sure counts all places where there might have been a point.
 */
#ifndef STATS_CHANGE_H
#define STATS_CHANGE_H

#include "base/base.h"

struct change_opts {
	double alpha;     /* what p must be below */
	double threshold; /* medians whose ratio is within 1 / (1 + this) .. 1 + this are
	                     alike */
	size_t least;     /* values between two points, 2 or more */
	size_t
	    window; /* length; longer series are searched so; 0: 200 beyond 2000 values */
	size_t permutations;
	uint64_t seed;
};

struct change {
	size_t at; /* the first value behind */
	/*
	 * How probable so great a change is somewhere in a series that has none: between
	 * the neighbouring points, with windows in the whole.
	 */
	double p;
	double before, after; /* medians up to the neighbouring points */
};

/* The changes of n finite values, ascending. out has room for n / least. Returns how many.
 */
size_t change_find(
    const double *x, size_t n, const struct change_opts *opts, struct change *out);
/*
 * after / before as bench-compare defines a ratio: NAN unless before is positive and after
 * not negative.
 */
double change_ratio(double before, double after);

#endif
