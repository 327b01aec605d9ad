/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observes GPUs over time. A driver may let a query wait, for example while a program
 * starts to use the GPU. The monitor therefore has a thread that does nothing else, so that
 * a wait delays no other series.
 */
#ifndef MONITOR_GPU_MONITOR_H
#define MONITOR_GPU_MONITOR_H

#include "monitor/watch_value.h"
#include "sys/gpu.h"

struct gpu_monitor;
/*
 * Prepares to observe the GPUs, which must outlive the monitor. Returns NULL and the
 * message on failure.
 */
struct gpu_monitor *gpu_monitor_open(
    const struct gpus *gpus, double interval_ns, struct fault *f);
void gpu_monitor_close(struct gpu_monitor *m);
/* Begins a time series. NULL is allowed. */
void gpu_monitor_start(struct gpu_monitor *m);
/* Ends a time series. NULL is allowed. */
void gpu_monitor_stop(struct gpu_monitor *m);
/* Returns the number of values of the last series; *values is valid until the next one. */
size_t gpu_monitor_values(const struct gpu_monitor *m, const struct watch_value **values);

#endif
