/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures running processes in a window of time: the difference of two readings.
 */
#ifndef RUN_PROCESS_WINDOW_H
#define RUN_PROCESS_WINDOW_H

#include "counters/counter_groups.h"
#include "sample/run_sample.h"

/* How a window ended. */
enum window_end {
	WINDOW_WHOLE,
	WINDOW_CUT, /* a process ended */
	WINDOW_INTERRUPTED
};

struct process_window;
/*
 * Opens the counters of a subject's processes, or shares those of another window of the
 * same processes, so that they do not take turns; NULL: there is none. The events have been
 * tried. The subject, the set, its groups and the other window must outlive this one. Returns NULL and
 * the message if there are too many counters.
 */
struct process_window *process_window_open(const struct subject *subject,
    const struct counter_set *set, const struct counter_groups *groups,
    const struct process_window *twin, struct fault *f);
void process_window_close(struct process_window *w);
/* Waits for the length of a window, and reads what the processes use meanwhile. */
enum window_end process_window_take(struct process_window *w);
/* Returns the number of the process that ended. */
int process_window_ended(const struct process_window *w);
/* Returns how long the last window took. */
double process_window_wall_ns(const struct process_window *w);
/* Returns the processor time in the last window. */
double process_window_cpu_ns(const struct process_window *w);
/* Fills in the sample of the last window, whose number is set by the caller. */
void process_window_put(struct process_window *w, int64_t number, struct run_sample *s);
/* Appends a line for each problem of the values. */
void process_window_explain(const struct process_window *w, struct buf *lines);

#endif
