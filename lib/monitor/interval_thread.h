/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A thread that observes something at an interval while it is switched on. It measures the
 * cost of the observations by its own processor time: an observation that waits, for
 * example for a driver, costs nothing and does not make the interval longer.
 */
#ifndef MONITOR_INTERVAL_THREAD_H
#define MONITOR_INTERVAL_THREAD_H

#include "base/base.h"

/*
 * Takes one observation. Returns the least time between the beginnings of this observation
 * and the next one, as a multiple of the processor time that this one took; 0: no limit.
 */
typedef double interval_look(void *ctx);

struct interval_thread;
/*
 * Starts the thread, which is switched off. The cost of an observation delays the next one
 * by at most pause_max_ns. Returns NULL and the message on failure.
 */
struct interval_thread *interval_thread_open(int64_t interval_ns, int64_t pause_max_ns,
    interval_look *look, void *ctx, struct fault *f);
/* Ends the thread. NULL is allowed. */
void interval_thread_close(struct interval_thread *t);
/* Switches the thread on. The first observation is due one interval after start_ns. */
void interval_thread_start(struct interval_thread *t, int64_t start_ns);
/* Switches the thread off, and waits for the end of an observation. */
void interval_thread_stop(struct interval_thread *t);

#endif
