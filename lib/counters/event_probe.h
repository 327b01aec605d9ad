/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tries whether an event can be counted on this machine.
 */
#ifndef COUNTERS_EVENT_PROBE_H
#define COUNTERS_EVENT_PROBE_H

#include "counters/event.h"

/*
 * Opens a counter for the event on this process and closes it. Returns 0 or an errno. Sets
 * *user_only if only user mode may be counted.
 */
int event_probe(const struct event_code *code, bool *user_only);

#endif
