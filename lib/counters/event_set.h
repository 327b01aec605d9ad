/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads sets of events with derived metrics from text files, such as those of share/events.
 * bench-events(7) describes the format.
 */
#ifndef COUNTERS_EVENT_SET_H
#define COUNTERS_EVENT_SET_H

#include "counters/counter.h"
#include "text/near_name.h"

/*
 * Adds the events and the sets that the user named. The event "none" counts nothing and
 * cannot be combined with others. If there is neither an event nor a set, the set "default"
 * is added. Returns 0, or -1 and a message.
 */
int event_set_choose(struct counter_set *set, const char *const *events, size_t event_count,
    const char *const *sets, size_t set_count, struct fault *f);

/* Adds the names of the installed sets, which are allocated. */
void event_set_names(struct known_names *k);

#endif
