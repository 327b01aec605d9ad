/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts the name of an event to the arguments of perf_event_open(2). Names come from
 * perf, from libpfm4 (see event_pfm.h) and from the kernel; bench-events(7) describes them.
 * The result is a separate struct, because the headers of libpfm4 redefine struct
 * perf_event_attr.
 */
#ifndef COUNTERS_EVENT_H
#define COUNTERS_EVENT_H

#include "sys/kernel_files.h"

struct event_code {
	uint32_t type;
	uint64_t config, config1, config2;
	bool exclude_user, exclude_kernel, exclude_hv;
	bool any_processor; /* its meaning depends on the processor that runs it */
	bool no_pmu;        /* names a PMU that the kernel lacks */
	bool of_packages;   /* counts whole packages, so not for threads */
	bool unknown;       /* no event has this name */
	double scale;       /* value = count * scale */
	char unit[16];      /* unit of the value; "1" if unknown */
};

/*
 * Encodes an event: "cycles", "LLC-load-misses:u", "r01c2", "cpu/event=0x3c/k",
 * "sched:sched_switch", or a name of the vendor. Returns 0, or -1 and a message.
 * out->no_pmu is then set if the event is rejected only because the kernel lacks its PMU,
 * and out->unknown if no event has this name.
 */
int event_encode(const struct kernel_files *t, const char *name, struct event_code *out,
    struct fault *f);

/* Receives an event. description is "" for names of perf, which metrics.csv describes. */
typedef void event_visit(
    void *ctx, const char *name, const char *pmu, const char *description);
/* Calls visit for each event of perf, libpfm4 and the kernel of the machine. Returns 0 or
 * -1. */
int event_each(
    const struct kernel_files *t, event_visit *visit, void *ctx, struct fault *f);

/* Appends the names of events that are near to one that event_encode() rejects, as
 * near_names_ask() does. */
void event_ask_near(const struct kernel_files *t, const char *name, struct buf *b);

/* Applies modifiers in the syntax of perf: u, k and h. Returns false for any other letter.
 */
bool event_modify(struct text modifiers, struct event_code *code);

/*
 * Returns whether the event is meaningful if only user mode is counted. Context switches,
 * migrations and tracepoints occur in the kernel and would read 0.
 */
bool event_counts_in_user_mode(const struct event_code *code);

#endif
