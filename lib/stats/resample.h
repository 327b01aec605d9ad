/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One resample after the other, for bootstrap.c. A side's median is drawn directly where it
 * can be (bootstrap_median.h), at a cost that does not grow with the sample; pairs keep
 * together, so there the whole resample is drawn.
 */
#ifndef STATS_RESAMPLE_H
#define STATS_RESAMPLE_H

#include "stats/bootstrap_median.h"
#include "stats/hierarchy.h"

/* One side, ready to be drawn from. */
struct resample_side {
	const struct hierarchy *hierarchy;
	bool flat;
	double *value; /* sorted within leaves, all of them when flat */
	const struct bootstrap_median_table *
	    *table;                /* by leaf, the first one when flat; or NULL */
	double *middle;            /* when flat, with a table: by entry of it */
	double *of_unit, *of_leaf; /* room */
};

void resample_side_init(
    struct resample_side *s, struct bootstrap_median *medians, const struct hierarchy *n);
double resample_side_draw(const struct resample_side *s, struct rng *r);
void resample_side_free(struct resample_side *s);

/* Pairs, ready to be drawn from. */
struct resample_pairs {
	const struct hierarchy *old, *new;
	size_t *old_order, *new_order; /* within each leaf: indices by ascending value */
	uint32_t *times;               /* room: how often each was drawn */
	double *old_leaf, *new_leaf, *old_unit, *new_unit; /* room */
};

void resample_pairs_init(
    struct resample_pairs *p, const struct hierarchy *old, const struct hierarchy *new);
void resample_pairs_draw(struct resample_pairs *p, struct rng *r, double *old, double *new);
void resample_pairs_free(struct resample_pairs *p);

#endif
