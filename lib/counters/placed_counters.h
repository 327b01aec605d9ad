/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts the events of a set in several places: threads or processors. bench-run itself
 * opens these counters; those of commands are opened by bench-spawn.
 */
#ifndef COUNTERS_PLACED_COUNTERS_H
#define COUNTERS_PLACED_COUNTERS_H

#include <sys/types.h>

#include "counters/counter_groups.h"
#include "protocol/spawn_proto.h"

/* A thread on all processors, with those that it starts, or a processor with all threads,
 * or with those of a control group. */
struct counter_place {
	pid_t tid; /* -1: all; of a group the descriptor of its directory */
	int cpu;   /* -1: all */
	bool in_group;
};

/* Places in which events are tried. */
struct counter_trials {
	const struct counter_place *place;
	size_t count;
	size_t quiet; /* the place in which each group also runs for a moment */
	/* Returns whether an event is counted in a place at all; NULL: all are. */
	bool (*has)(const void *ctx, size_t event, size_t place);
	const void *ctx;
};

/*
 * Tries the events of a set in each of these places, and records the results in the set: an
 * event that cannot be counted in one of them is counted in none. Makes the groups. Called
 * once for a set.
 */
void placed_counters_try(struct counter_set *set, const struct counter_trials *trials,
    struct counter_groups *groups);

struct placed_counters;
/* Returns counters without places. The set and the groups must outlive them. */
struct placed_counters *placed_counters_new(
    const struct counter_set *set, const struct counter_groups *groups);
void placed_counters_close(struct placed_counters *c);
/*
 * Begins to count in one more place the events of the set that are ready, except those for
 * which lacks, if it is not NULL, is true. Returns 0, even if the thread has ended or the
 * processor is offline, or an errno.
 */
int placed_counters_add(
    struct placed_counters *c, struct counter_place place, const bool *lacks);
/* Closes the counters of all places but the first ones. */
void placed_counters_keep(struct placed_counters *c, size_t places);
/* Returns the number of places. */
size_t placed_counters_places(const struct placed_counters *c);
/*
 * Adds the counts of a place, by event, to out. Events that are not counted there add
 * nothing.
 */
void placed_counters_read(
    const struct placed_counters *c, size_t place, struct wire_count *out);
/* Sets the message after an errno of placed_counters_add(). Returns NULL. */
void *placed_counters_fail(
    const struct placed_counters *c, const char *places, int error, struct fault *f);

#endif
