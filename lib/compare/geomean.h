/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One number for many benchmarks: the geometric mean of the ratios of a metric.
 */
#ifndef COMPARE_GEOMEAN_H
#define COMPARE_GEOMEAN_H

#include "compare/compare.h"

/* Of the subjects that have a ratio, two at least. */
struct geomean {
	size_t side;  /* the new one */
	size_t group; /* one of them, for metric and unit */
	size_t count;
	double old, new, ratio; /* geometric means; old times ratio is new */
	double lo, hi;          /* of ratio; NAN when a subject lacks an interval */
};

/*
 * Of each side and metric and unit, in the order of the comparisons; *out is allocated.
 * The interval is that of a mean of independent parts from the intervals of the parts, by
 * their logarithms: the squares of the arms are added (MOVER: G. Y. Zou, A. Donner,
 * "Construction of confidence limits about effect measures: a general approach", Statistics
 * in Medicine 27 (2008)). So it tells how well the mean of these benchmarks is known, not
 * what others would give.
 */
size_t geomeans_of(const struct compare *c, struct geomean **out);

#endif
