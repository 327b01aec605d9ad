/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether an event can be counted here, found out by trying.
 */
#ifndef COUNTERS_EVENT_PROBE_H
#define COUNTERS_EVENT_PROBE_H

#include "counters/event.h"

/*
 * Opens a counter of this process for the event and closes it again. Returns 0, or the
 * errno. user_only tells that only user mode may be counted.
 */
int event_probe(const struct event_code *code, bool *user_only);

#endif
