/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws resamples for bootstrap.c. The median of a side is drawn directly if possible
 * (bootstrap_median.h), at a cost that does not grow with the number of values. The values
 * of a pair are drawn together, so whole resamples of pairs are drawn.
 */
#ifndef STATS_RESAMPLE_H
#define STATS_RESAMPLE_H

#include "stats/bootstrap_median.h"
#include "stats/hierarchy.h"

/* One side, ready to be drawn from. */
struct resample_side {
	const struct hierarchy *hierarchy;
	bool flat;
	double *value; /* sorted within each leaf; if flat, all sorted */
	const struct bootstrap_median_table *
	    *table;                /* by leaf; if flat, only the first; or NULL */
	double *middle;            /* by entry of the table, if flat */
	double *of_unit, *of_leaf; /* scratch space */
};

void resample_side_init(
    struct resample_side *s, struct bootstrap_median *medians, const struct hierarchy *n);
double resample_side_draw(const struct resample_side *s, struct rng *r);
void resample_side_free(struct resample_side *s);

/* Pairs, ready to be drawn from. */
struct resample_pairs {
	const struct hierarchy *old, *new;
	size_t *old_order, *new_order; /* within each leaf: indices by ascending value */
	uint32_t *times;               /* how often each pair was drawn */
	double *old_leaf, *new_leaf, *old_unit, *new_unit; /* scratch space */
};

void resample_pairs_init(
    struct resample_pairs *p, const struct hierarchy *old, const struct hierarchy *new);
void resample_pairs_draw(struct resample_pairs *p, struct rng *r, double *old, double *new);
void resample_pairs_free(struct resample_pairs *p);

#endif
