/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kinds of profiles: of time, of allocations and of waits; the metrics of their stacks
 * and the words that describe them.
 */
#ifndef PROFILE_PROFILE_KIND_H
#define PROFILE_PROFILE_KIND_H

#include "counters/counter.h"
#include "profile/profile.h"
#include "profile/profile_rows.h"

enum profile_kind_id { PROFILE_OF_TIME, PROFILE_OF_HEAP, PROFILE_OF_WAITS, PROFILE_KINDS };

struct profile_kind {
	enum profile_kind_id id;
	struct profile_metric metric[STACK_VALUES]; /* by index of the value of a stack */
	unsigned values;                            /* number of metrics */
	unsigned shown, count, amount; /* indexes of the value that tables show, of the
	                                  number of items, and of their sum */
	const char *counted;           /* the items: "samples" */
	struct profile_metric lost;    /* of the row without a stack */
};

/* By profile_kind_id. The event of PROFILE_OF_TIME is named "event". */
extern const struct profile_kind profile_kinds[PROFILE_KINDS];

/* Names the metric of a profile of time after the event that was opened, by its number in
 * the set, as bench-run does. */
void profile_kind_name_event(
    struct profile_kind *kind, struct counter_set *events, size_t number);

#endif
