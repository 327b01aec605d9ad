/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tracepoints of the kernel, which are counted like events: tracefs gives each a number.
 */
#ifndef COUNTERS_TRACEPOINT_H
#define COUNTERS_TRACEPOINT_H

#include "counters/event.h"

/*
 * "sched", "sched_switch". Returns 0; 1 when tracefs has no such; or -1 and the message,
 * when tracefs cannot be looked into.
 */
int tracepoint_encode(const struct kernel_files *t, struct text system, struct text event,
    struct event_code *out, struct fault *f);
void tracepoint_each(const struct kernel_files *t, event_visit *visit, void *ctx);

#endif
