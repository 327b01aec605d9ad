/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the changes and the drift of one series, given as an array. Pure. Every program
 * that shows changes uses it, so that they agree about them.
 */
#ifndef HISTORY_SERIES_CHANGE_H
#define HISTORY_SERIES_CHANGE_H

#include "stats/change.h"
#include "stats/drift.h"

struct series_change_opts {
	double confidence, threshold; /* see struct history_opts */
	size_t least, window;         /* see struct change_opts */
	/* The number of series searched: p is multiplied by it. */
	double tests;
	uint64_t seed; /* see series_change_seed() */
};

struct series_changes {
	struct change *change; /* free() it */
	size_t count;
	bool drifts; /* from the first value to the last; changes are in addition */
	struct drift drift;
	struct change whole; /* the drift as a change, at the last value */
};

/*
 * Finds the changes of n values, at least 2 * least. A drift replaces the steps that only
 * approximate it; a drift within the threshold is ignored.
 */
void series_changes_find(const double *x, size_t n, const struct series_change_opts *opts,
    struct series_changes *out);
/*
 * Adds a column of the name of a series to a seed, in any order of the columns. The seed of
 * a series thus depends on its name and not on other series. Empty cells do not count.
 */
uint64_t series_change_seed(uint64_t seed, struct text column, struct text cell);

#endif
