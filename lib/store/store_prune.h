/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which runs need not be kept any longer, and their end.
 */
#ifndef STORE_STORE_PRUNE_H
#define STORE_STORE_PRUNE_H

#include "store/store.h"

struct store_thin {
	uint64_t count; /* so many runs of each benchmark in each period stay; 0: none */
	const struct store_period *period;
};

struct store_keep {
	bool has_until;
	int64_t until; /* ns since 1970: runs before then may go */
	bool tagged;   /* runs with a tag stay */
	struct store_thin thin;
};

struct store_pruned {
	uint64_t runs, rows;
};

/* "1/week": periods are hour, day, week (from Monday), month and year, in UTC. 0 or -1. */
int store_thin_parse(const char *text, struct store_thin *thin, struct fault *f);

/*
 * Remove the runs all of whose series the filter selects, that are older than keep->until
 * and that nothing else keeps. When thinning, a run stays if it is among the newest of any
 * of its benchmarks on its host in their period. With dry, they are only printed there,
 * oldest first. 0 or -1.
 */
int store_prune(struct store *s, const struct store_filter *filter,
    const struct store_keep *keep, struct store_output *dry, struct store_pruned *pruned,
    struct fault *f);
/* Give the room of what was removed back to the disk. 0 or -1. */
int store_vacuum(struct store *s, struct fault *f);

#endif
