/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tiers of a side: runs, processes in each run, and samples in each process (T.
 * Kalibera, R. Jones, "Rigorous benchmarking in reasonable time", ISMM 2013). Pure. A unit
 * counts as one independent value: a run, a process of the only run, or a sample. A unit
 * consists of leaves: processes, whose samples are adjacent.
 */
#ifndef STATS_HIERARCHY_H
#define STATS_HIERARCHY_H

#include "base/base.h"
#include "base/sample_id.h"

/* How the location of values is computed: the median, or for proportions the mean. */
enum location { LOCATION_MEDIAN, LOCATION_MEAN };

/* Returns the location of sorted values. */
double location_of(enum location location, const double *sorted, size_t n);

/* From the lowest to the highest. */
enum tier { TIER_SAMPLE, TIER_PROCESS, TIER_RUN, TIERS };

struct hierarchy {
	enum location location;
	size_t units, leaves, values;
	size_t *unit; /* first leaf of each unit, and the end */
	size_t *leaf; /* first value of each leaf, and the end */
	double *value;
};

/*
 * Builds a hierarchy of a copy of the values, which are in the order of run and process.
 * tier: what a unit is; at TIER_SAMPLE each value is a unit.
 */
void hierarchy_init(struct hierarchy *n, enum location location, enum tier tier,
    const struct sample_id *identity, const double *value, size_t values);
/* Fills the location of each unit: the location of the locations of its leaves. */
void hierarchy_units(const struct hierarchy *n, double *out);
void hierarchy_free(struct hierarchy *n);

#endif
