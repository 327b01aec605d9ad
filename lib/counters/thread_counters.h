/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts events in processes that are already running: in each of their threads, and in
 * those that these start. The children of the processes are not counted, except before
 * Linux 5.13.
 */
#ifndef COUNTERS_THREAD_COUNTERS_H
#define COUNTERS_THREAD_COUNTERS_H

#include "counters/counter.h"
#include "protocol/spawn_proto.h"
#include "sys/running_process.h"

/*
 * Tries the events of a set on each of these processes, and records the results in the set:
 * an event that cannot be counted in one of them is counted in none. Called once for a set.
 */
void thread_counters_try(
    struct counter_set *set, struct running_process *const *process, size_t count);

struct thread_counters;
/*
 * Begins to count the events that can be counted in all threads of some processes. The set
 * must outlive the counters. Returns NULL and the message if there are too many.
 */
struct thread_counters *thread_counters_open(const struct counter_set *set,
    struct running_process *const *process, size_t count, struct fault *f);
void thread_counters_close(struct thread_counters *c);
/* Returns whether threads that started while the counters were opened may be missing. */
bool thread_counters_incomplete(const struct thread_counters *c);
/* Stores the sums since the counters were opened, by event; zeros for those that are not
 * counted. */
void thread_counters_read(const struct thread_counters *c, struct wire_count *out);

#endif
