/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processes of a command over time: a thread that looks at all descendants of the
 * helper in intervals while a run goes on.
 *
 * It takes care not to disturb: it keeps the files of a process open and reads them again;
 * the walk through the threads of processes with several, and pss, for which the kernel
 * walks page tables, are done only so often that they take 0.3 % of the time each, and all
 * of it together 1 %: beyond that the interval grows.
 */
#ifndef RUN_PROCESS_MONITOR_H
#define RUN_PROCESS_MONITOR_H

#include <sys/types.h>

#include "protocol/run_metric.h"
#include "sys/gpu.h"

/* One row of the series. */
struct watch_value {
	int64_t at_ns; /* CLOCK_MONOTONIC */
	enum run_metric metric;
	const char *device; /* of a graphics card; NULL: of the processes */
	double value;
};

struct process_monitor;
/*
 * helper: the process whose descendants are looked at; gpus: cards to be looked at, too, or
 * NULL; they must outlive it. NULL and the message.
 */
struct process_monitor *process_monitor_open(
    pid_t helper, double interval_ns, const struct gpus *gpus, struct fault *f);
void process_monitor_close(struct process_monitor *w);
/* A run begins, and has ended. NULL is nobody who watches. */
void process_monitor_start(struct process_monitor *w);
void process_monitor_stop(struct process_monitor *w);
/* The values of the last run; they live until the next one. */
size_t process_monitor_values(
    const struct process_monitor *w, const struct watch_value **values);

#endif
