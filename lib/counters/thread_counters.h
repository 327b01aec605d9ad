/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts events in processes that are already running: in each of their threads, and in
 * those that these start. The children of the processes are not counted, except before
 * Linux 5.13.
 */
#ifndef COUNTERS_THREAD_COUNTERS_H
#define COUNTERS_THREAD_COUNTERS_H

#include "counters/placed_counters.h"
#include "sys/running_process.h"

/*
 * Tries the events of a set on each of these processes, and records the results in the set:
 * an event that cannot be counted in one of them is counted in none. Makes the groups.
 * Called once for a set.
 */
void thread_counters_try(struct counter_set *set, struct counter_groups *groups,
    struct running_process *const *process, size_t count);

/*
 * Begins to count the events that can be counted in all threads of some processes. The set
 * and the groups must outlive the counters. Sets *incomplete if threads that started
 * meanwhile may be missing. Returns NULL and the message if there are too many threads.
 */
struct placed_counters *thread_counters_open(const struct counter_set *set,
    const struct counter_groups *groups, struct running_process *const *process,
    size_t count, bool *incomplete, struct fault *f);

#endif
