/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures what runs already in a window of time, which has a fixed length or lasts as long
 * as a command runs: the difference of two readings. The kinds
 * of subjects are a table; window_priv.h describes what each of them does.
 */
#ifndef WINDOW_WINDOW_H
#define WINDOW_WINDOW_H

#include "counters/counter_groups.h"
#include "sample/energy_meter.h"
#include "sample/run_sample.h"

/* Is shared by the windows of a run. */
struct window_means {
	struct counter_set *set;
	struct counter_groups groups;
	struct energy_meter *meter; /* NULL: no energy is measured */
};

/* How a window ended. */
enum window_end {
	WINDOW_WHOLE,
	WINDOW_CUT, /* a process ended, or the machine can no longer be read */
	WINDOW_INTERRUPTED
};

/* Returns the least length of a window of the machine with processor times, which are
 * counted in ticks. */
double window_least_ns(void);
/* Returns whether a subject is measured in windows. */
bool window_measures(const struct subject *subject);
/* Tries the events of the set on all subjects that are measured in windows, and makes the
 * groups. */
void window_try_events(struct window_means *means, const struct subjects *subjects);

struct time_window;
/*
 * Opens the counters of the subject with this number, or shares those of another window of
 * the same subject, so that they do not take turns; NULL: there is none. The events have
 * been tried. The subject, the means and the other window must outlive this one. Returns
 * NULL and the message if there are too many counters, or nothing can be read.
 */
struct time_window *window_open(const struct subject *subject, size_t number,
    struct window_means *means, const struct time_window *twin, struct fault *f);
void window_close(struct time_window *w);
/* Waits for the fixed length of a window, and reads what the subject uses meanwhile. */
enum window_end window_take(struct time_window *w);
/* Begins a window that lasts until window_stop(). Returns false if the subject can no
 * longer be read. */
bool window_start(struct time_window *w);
bool window_stop(struct time_window *w);
/* Returns why a window was cut, such as "process 12 ended". */
const char *window_ended(const struct time_window *w);
/* Returns how long the last window took. */
double window_wall_ns(const struct time_window *w);
/* Returns the processor time in the last window; NAN: unknown. */
double window_cpu_ns(const struct time_window *w);
/* Returns when the last window began, by CLOCK_REALTIME. */
int64_t window_begin_ns(const struct time_window *w);
/* Adds the values of the last window to its sample, whose number and status are set. */
void window_put(struct time_window *w, struct run_sample *s);
/* Appends a line for each problem of the values. */
void window_explain(const struct time_window *w, struct buf *lines);

#endif
