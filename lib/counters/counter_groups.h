/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decides which events are opened together, as a group of perf_event_open(2). Pure.
 *
 * If all counters of the processor count, a bond is a group, and each other event has a
 * group of its own; the kernel schedules as many groups at once as there is room for. If
 * some do not count (working_counters.h), the groups must take turns on the first
 * counters, which do. Then groups are no larger than the number of these, they share what
 * fits into one, and they are filled up with copies of an event until no two of them fit on
 * the processor together.
 */
#ifndef COUNTERS_COUNTER_GROUPS_H
#define COUNTERS_COUNTER_GROUPS_H

#include "counters/counter.h"

#define NO_GROUP SIZE_MAX

/* The groups of a set, by event. */
struct counter_groups {
	size_t *leader; /* the first event of its group, or NO_GROUP */
	size_t *copies; /* that fill up its group; 0 if it does not lead one */
	size_t files;   /* that each place needs: of the events and the copies */
};

/* The counters of the processor that do not count: all but the first ones. */
struct dead_counters {
	uint32_t alive;
	uint32_t among; /* that the processor has; 0: all of them count */
};

/* Returns whether an event takes a counter of the processor. */
bool counter_is_of_processor(const struct counter *c);
/*
 * Makes groups of the events whose error is 0. Sets the error of those that cannot be
 * counted because of dead counters: ECANCELED if their strict bond is too large, else
 * ENOSPC. Removes other bonds that are too large from the set.
 */
void counter_groups_make(struct counter_groups *g, struct counter_set *set, int *error,
    struct dead_counters dead);
void counter_groups_free(struct counter_groups *g);

#endif
