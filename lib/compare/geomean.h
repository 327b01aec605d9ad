/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Geometric means of the ratios of all benchmarks in a metric.
 */
#ifndef COMPARE_GEOMEAN_H
#define COMPARE_GEOMEAN_H

#include "compare/compare.h"

/* The geometric mean over the subjects that have a ratio, at least two. */
struct geomean {
	size_t side;  /* the new side */
	size_t group; /* of one of the subjects, for metric and unit */
	size_t count;
	/* geometric means; NAN if the value of a subject is only known to exceed a limit */
	double old, new, ratio;
	double lo, hi; /* of ratio; NAN if a subject has no interval */
	bool decides;  /* a row of it decides */
	bool varies;   /* a row of it has values that differ; see compare_constant() */
};

/*
 * Computes the means of each side, metric and unit, in the order of the comparisons.
 * Returns their number; *out is allocated.
 *
 * The interval of a mean follows from the intervals of the ratios, which are taken as
 * independent: the squares of their arms are added, in logarithms (MOVER: G. Y. Zou, A.
 * Donner, "Construction of confidence limits about effect measures: a general approach",
 * Statistics in Medicine 27 (2008)). It describes how precisely the mean of these
 * benchmarks is known, not the results of other benchmarks.
 */
size_t geomeans_of(const struct compare *c, struct geomean **out);

#endif
