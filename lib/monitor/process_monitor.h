/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observes the processes of a subject over time: a thread samples all descendants of the
 * helper at an interval while an execution or a batch of iterations is running.
 *
 * The thread keeps its own cost low. It keeps the files of a process open and reads
 * them again. Walking the threads of multi-threaded processes, and pss, for which the
 * kernel walks page tables, are limited to 0.3% of the time each, and all observations
 * together to 1%: the interval grows if necessary.
 */
#ifndef MONITOR_PROCESS_MONITOR_H
#define MONITOR_PROCESS_MONITOR_H

#include <sys/types.h>

#include "base/base.h"
#include "monitor/watch_value.h"

struct process_monitor;
/*
 * Starts observing the descendants of the process helper, and the helper itself if
 * with_helper is set. The helper must outlive the monitor. Returns NULL and the message on
 * failure.
 */
struct process_monitor *process_monitor_open(
    pid_t helper, bool with_helper, double interval_ns, struct fault *f);
void process_monitor_close(struct process_monitor *w);
/* Begins the time series of an execution. NULL is allowed. */
void process_monitor_start(struct process_monitor *w);
/* Ends the time series of an execution. NULL is allowed. */
void process_monitor_stop(struct process_monitor *w);
/*
 * Returns the number of values of the last execution; *values is valid until the next
 * one.
 */
size_t process_monitor_values(
    const struct process_monitor *w, const struct watch_value **values);

#endif
