/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Order statistics of the combinations of two values, without computing all of them. Pure.
 */
#ifndef STATS_PAIR_SELECT_H
#define STATS_PAIR_SELECT_H

#include "base/base.h"

/* How two values are combined. Combinations are rounded doubles. They grow with new
 * and fall with old, even with rounding, so both arrays order them. */
enum combination {
	COMBINE_RATIO,      /* new / old, of positive values */
	COMBINE_DIFFERENCE, /* new - old */
	COMBINE_MEAN,       /* the mean of two elements of `new`, each also with itself */
};

/* Sorted arrays, in ascending order, and how their elements are combined. */
struct combinations {
	enum combination kind;
	const double *old; /* not of COMBINE_MEAN */
	size_t olds;
	const double *new;
	size_t news;
};

double combine(enum combination kind, double old, double new);
/* Returns the number of combinations. */
double pair_count(const struct combinations *c);
/*
 * Returns the k-th least combination, k from 1 to their number. The bounds of the k-th
 * combination are moved toward each other, alternately by interpolation of the number of
 * combinations and by halves, until few combinations are between them, which are selected
 * from. Each step walks once along the arrays, as in J. F. Monahan, "Algorithm 616", ACM
 * Transactions on Mathematical Software 10 (1984), which draws its steps at random.
 */
double pair_select(const struct combinations *c, double k);
/* Returns the median of the combinations; of two middle ratios the geometric mean. */
double pair_median(const struct combinations *c);

#endif
