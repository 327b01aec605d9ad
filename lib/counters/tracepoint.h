/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tracepoints of the kernel, which are counted as events. tracefs numbers them.
 */
#ifndef COUNTERS_TRACEPOINT_H
#define COUNTERS_TRACEPOINT_H

#include "counters/event.h"

/*
 * Encodes a tracepoint, for example "sched" and "sched_switch". Returns 0, 1 if tracefs
 * does not have the tracepoint, or -1 and a message if tracefs cannot be read.
 */
int tracepoint_encode(const struct kernel_files *t, struct text system, struct text event,
    struct event_code *out, struct fault *f);
/* Calls visit for each tracepoint. */
void tracepoint_each(const struct kernel_files *t, event_visit *visit, void *ctx);

#endif
