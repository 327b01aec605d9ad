/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The name of an event -> what perf_event_open(2) calls it. Names come from libpfm4 (this
 * is the one module that includes it; its headers define struct perf_event_attr anew, so
 * the result is ours), from perf and from the kernel; bench-events(7) tells them all.
 */
#ifndef COUNTERS_EVENT_H
#define COUNTERS_EVENT_H

#include "sys/kernel_files.h"

struct event_code {
	uint32_t type;
	uint64_t config, config1, config2;
	bool exclude_user, exclude_kernel, exclude_hv;
	bool any_processor; /* means what the processor it runs on makes of it */
	bool no_pmu;        /* names a PMU that the kernel lacks */
	double scale;       /* value = count * scale */
	char unit[16];      /* of the value; "1" where nobody says more */
};

/*
 * "cycles", "LLC-load-misses:u", "r01c2", "cpu/event=0x3c/k", "sched:sched_switch", a
 * vendor's name. Returns 0, or -1 and the message; out->no_pmu says then whether the event
 * is refused only because the kernel lacks its PMU, so that another machine may have it.
 */
int event_encode(const struct kernel_files *t, const char *name, struct event_code *out,
    struct fault *f);

/*
 * Each name that perf, libpfm4 or the machine's kernel has, with what is known about it: ""
 * for perf's own, which the metric table explains.
 */
typedef void event_visit(
    void *ctx, const char *name, const char *pmu, const char *description);
int event_each(
    const struct kernel_files *t, event_visit *visit, void *ctx, struct fault *f);

/*
 * Apply modifiers as perf writes them: u, k and h keep what they name. False for others.
 */
bool event_modify(struct text modifiers, struct event_code *code);

/*
 * Returns whether the event tells anything when only user mode may be counted: switches,
 * migrations and tracepoints happen in the kernel, and would read 0.
 */
bool event_counts_in_user_mode(const struct event_code *code);

#endif
