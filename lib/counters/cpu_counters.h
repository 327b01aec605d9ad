/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts events on processors: of all that they execute, or of a control group.
 */
#ifndef COUNTERS_CPU_COUNTERS_H
#define COUNTERS_CPU_COUNTERS_H

#include "counters/placed_counters.h"

/* Processors by their numbers, in increasing order, and what is counted there. */
struct cpu_numbers {
	unsigned *number;
	size_t count;
	int group; /* the directory of a control group; -1: all that they execute */
};

/*
 * Tries the events of a set on these processors, and records the results in the set. An
 * event of a PMU that counts on some processors only, as those of a package, or of one kind
 * of processors, is tried on these. Makes the groups. Called once for a set.
 */
void cpu_counters_try(
    struct counter_set *set, struct counter_groups *groups, struct cpu_numbers cpus);

struct cpu_counters;
/*
 * Begins to count the events that can be counted on some processors. The set and the groups
 * must outlive the counters. Returns NULL and the message if there are too many processors.
 */
struct cpu_counters *cpu_counters_open(const struct counter_set *set,
    const struct counter_groups *groups, struct cpu_numbers cpus, struct fault *f);
void cpu_counters_close(struct cpu_counters *c);
/*
 * Counts on these processors from now on. The kernel ends the counters of a processor that
 * goes offline, so all are opened again if other processors were counted so far, or after
 * cpu_counters_expire(). If that fails, nothing is counted.
 */
void cpu_counters_follow(struct cpu_counters *c, struct cpu_numbers cpus);
/* Lets the next cpu_counters_follow() open the counters again. */
void cpu_counters_expire(struct cpu_counters *c);
/*
 * Stores the counts since the counters were opened, for each processor by event: the number
 * of processors times the number of events; zeros for what is not counted.
 */
void cpu_counters_read(const struct cpu_counters *c, struct wire_count *out);

#endif
