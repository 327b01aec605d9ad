/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of events with the metrics derived from them: text files, some of them below
 * share/events. bench-events(7) describes the format.
 */
#ifndef COUNTERS_EVENT_SET_H
#define COUNTERS_EVENT_SET_H

#include "counters/counter.h"

/*
 * Adds the events and the sets that the user named. The event "none" stands alone: nothing
 * is counted; with neither an event nor a set, the set "default" is added. Returns 0, or -1
 * and the message.
 */
int event_set_choose(struct counter_set *set, const char *const *events, size_t event_count,
    const char *const *sets, size_t set_count, struct fault *f);

#endif
