/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the shares; see profile_quality.h. Functions of the C library that start a
 * thread do not count as nameless: Debian strips them, and they are omitted anyway.
 */
#include <stdlib.h>

#include "profile/profile_quality.h"

static bool begins_well(struct text name)
{
	name = stack_symbols_function(name);
	return stack_symbols_is_start(name) || text_is(name, "main") ||
	       text_is(name, "runtime.goexit") || text_is(name, "runtime.goexit.abi0") ||
	       text_is(name, "runtime.mstart") || text_is(name, "runtime.mcall") ||
	       text_is(name, "runtime.rt0_go");
}

struct profile_quality profile_quality_of(const struct stacks *s, unsigned which,
    const struct maps *maps, struct symbolizer *symbolizer)
{
	double *sum = mem_zero(s->count, sizeof(*sum));
	double *lacking = mem_zero(maps_objects(maps), sizeof(*lacking));
	double frames = 0, unknown = 0, nameless = 0, stacks = 0, broken = 0;
	struct profile_quality h = { 0 };

	for (size_t i = s->count; i-- > 0;) {
		const struct frame *frame = &s->frame[s->node[i].frame];
		uint32_t caller = s->node[i].caller;
		enum object_kind kind;
		struct text name;

		sum[i] += (double)stacks_value(s, i, which);
		if (caller == STACK_ROOT)
			continue;
		sum[caller] += sum[i];
		kind = maps_object(maps, frame->object).kind;
		if (kind == OBJECT_IS_EARLIER)
			continue;
		frames += sum[i];
		name = symbolizer_name(symbolizer, frame->object, frame->where);
		if (kind == OBJECT_IS_UNKNOWN)
			unknown += sum[i];
		else if (name.len && *name.ptr == '[' && !stack_symbols_is_start(name)) {
			nameless += sum[i];
			lacking[frame->object] += sum[i];
			if (lacking[frame->object] > lacking[h.worst])
				h.worst = frame->object;
		}
		if (s->node[caller].caller == STACK_ROOT && kind != OBJECT_IS_KERNEL) {
			stacks += sum[i];
			if (!begins_well(name))
				broken += sum[i];
		}
	}
	if (frames > 0) {
		h.unknown = unknown / frames;
		h.nameless = nameless / frames;
	}
	if (stacks > 0)
		h.broken = broken / stacks;
	free(sum);
	free(lacking);
	return h;
}

void profile_quality_explain(const struct profile_quality *h, bool unwound,
    struct symbolizer *symbolizer, struct buf *out)
{
	struct text object = symbolizer_object(symbolizer, h->worst);

	if (h->broken > 0.1)
		buf_printf(out,
		    "%.0f%% of the stacks do not reach the start of their thread: %s\n",
		    100 * h->broken,
		    unwound
		        ? "the copy of the stack is too small (use -g dwarf,32K), or code "
		          "has no call frame information"
		        : "code without frame pointers truncates them (compile with "
		          "-fno-omit-frame-pointer, or use -g dwarf)");
	if (h->unknown > 0.01)
		buf_printf(out,
		    "%.0f%% of the frames are [unknown]: their addresses are in no program "
		    "or library%s\n",
		    100 * h->unknown,
		    unwound ? "" : " (-g dwarf unwinds code without frame pointers)");
	if (h->nameless > 0.05)
		buf_printf(out,
		    "%.0f%% of the frames have no name, most of them in %.*s (install its "
		    "-dbgsym package, or do not strip it)\n",
		    100 * h->nameless, (int)object.len, object.ptr);
}
