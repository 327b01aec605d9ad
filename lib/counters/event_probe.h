/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tries whether an event can be counted on this machine.
 */
#ifndef COUNTERS_EVENT_PROBE_H
#define COUNTERS_EVENT_PROBE_H

#include "counters/event.h"

/* Tries events one after another. Zero it to begin. */
struct event_probe {
	char *tracepoint; /* the last that was tried, and the result */
	int error;
	bool user_only;
};

/*
 * Opens a counter for the event on this process and closes it. Returns 0 or an errno. Sets
 * *user_only if only user mode may be counted. Of the tracepoints of a system, such as
 * sched, only the first is tried, because the kernel needs hundredths of a second to close
 * one and has thousands.
 */
int event_probe_try(struct event_probe *p, const char *name, const struct event_code *code,
    bool *user_only);
void event_probe_free(struct event_probe *p);

#endif
