/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of the kinds of profiles; see profile_kind.h. */
#include "profile/profile_kind.h"
#include "protocol/heap_file.h"

const struct profile_kind profile_kinds[PROFILE_KINDS] = {
	[PROFILE_OF_TIME] = {
		.id = PROFILE_OF_TIME,
		.metric = {
			[PROFILE_SAMPLES] = { "samples", "1" },
			[PROFILE_EVENT] = { "event", "1" },
		},
		.values = PROFILE_VALUES,
		.shown = PROFILE_EVENT,
		.count = PROFILE_SAMPLES,
		.amount = PROFILE_EVENT,
		.counted = "samples",
		.lost = { "lost_samples", "1" },
	},
	[PROFILE_OF_HEAP] = {
		.id = PROFILE_OF_HEAP,
		.metric = {
			[HEAP_BYTES] = { "alloc_bytes", "B" },
			[HEAP_CALLS] = { "alloc_calls", "1" },
			[HEAP_LIVE] = { "live_bytes", "B" },
			[HEAP_PEAK] = { "peak_bytes", "B" },
		},
		.values = HEAP_VALUES,
		.shown = HEAP_BYTES,
		.count = HEAP_CALLS,
		.amount = HEAP_BYTES,
		.counted = "allocations",
		.lost = { "lost_calls", "1" },
	},
	[PROFILE_OF_WAITS] = {
		.id = PROFILE_OF_WAITS,
		.metric = {
			[WAIT_BLOCKED] = { "blocked", "ns" },
			[WAIT_COUNT] = { "waits", "1" },
			[WAIT_PREEMPTED] = { "preempted", "ns" },
		},
		.values = WAIT_VALUES,
		.shown = WAIT_BLOCKED,
		.count = WAIT_COUNT,
		.amount = WAIT_BLOCKED,
		.counted = "waits",
		.lost = { "lost_samples", "1" },
	},
};

void profile_kind_name_event(
    struct profile_kind *kind, struct counter_set *events, size_t number)
{
	const struct counter *taken = &events->counter[number];

	counter_opened(events, number, 0, taken->user_only);
	kind->metric[PROFILE_EVENT] = (struct profile_metric){ taken->name, taken->unit };
}
