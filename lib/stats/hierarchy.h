/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tiers of a side: runs, processes in them, samples in those (T. Kalibera, R. Jones,
 * "Rigorous benchmarking in reasonable time", ISMM 2013). Pure. A unit is what counts as
 * one independent value: a run, or a process of the only run; each has leaves, the
 * processes whose samples stand together.
 */
#ifndef STATS_HIERARCHY_H
#define STATS_HIERARCHY_H

#include "base/base.h"
#include "base/sample_id.h"

/* The location of some values: their median, or their mean (for proportions). */
enum location { LOCATION_MEDIAN, LOCATION_MEAN };

double location_of(enum location location, const double *sorted, size_t n);
/* Returns the location of values in any order, which are sorted in place. */
double location_sorting(enum location location, double *values, size_t n);

/* From the lowest to the highest. */
enum tier { TIER_SAMPLE, TIER_PROCESS, TIER_RUN, TIERS };

struct hierarchy {
	enum location location;
	size_t units, leaves, values;
	size_t *unit; /* by unit, and one more: its first leaf */
	size_t *leaf; /* by leaf, and one more: its first value */
	double *value;
};

/*
 * Copies values, which are in the order of run and process as identity says. The tier says
 * what a unit is; at TIER_SAMPLE each value is one.
 */
void hierarchy_init(struct hierarchy *n, enum location location, enum tier tier,
    const struct sample_id *identity, const double *value, size_t values);
/* Fills the location of each unit: that of its leaves, whose locations are their values'.
 */
void hierarchy_units(const struct hierarchy *n, double *out);
/* Returns whether each unit is a single value. */
bool hierarchy_flat(const struct hierarchy *n);
void hierarchy_free(struct hierarchy *n);

#endif
