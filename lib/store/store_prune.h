/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-store prune: selects and removes old runs.
 */
#ifndef STORE_STORE_PRUNE_H
#define STORE_STORE_PRUNE_H

#include "store/store.h"

struct store_thin {
	uint64_t count; /* number of runs of each benchmark to keep in a period; 0: no
	                   thinning */
	const struct store_period *period;
};

struct store_keep {
	bool has_until;
	int64_t until; /* ns since 1970: only runs before this time are removed */
	int64_t now;   /* the clock from which until is computed */
	bool tagged;   /* keep runs with a tag */
	struct store_thin thin;
};

struct store_pruned {
	uint64_t runs, rows;
};

/* Parses a string such as "1/week". Periods are hour, day, week (from Monday), month and
 * year, in UTC. Returns 0, or -1 and the message. */
int store_thin_parse(const char *text, struct store_thin *thin, struct fault *f);

/*
 * Removes the runs that are older than keep->until, if the filter selects all of their
 * series and keep does not keep them. When thinning, a run is kept if it is among the
 * newest of any of its benchmarks on its host in a period. Fails if has_until is set and a
 * wrong clock may be the reason why runs are old. With dry, removes nothing and prints the
 * runs there, oldest first. Returns 0, or -1 and the message.
 */
int store_prune(struct store *s, const struct store_filter *filter,
    const struct store_keep *keep, struct store_output *dry, struct store_pruned *pruned,
    struct fault *f);
/*
 * Returns free space in the database to the file system. Returns 0, or -1 and the message.
 */
int store_vacuum(struct store *s, struct fault *f);

#endif
