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

/* Sums of values while a profile is examined. */
struct quality_sums {
	double frames, unknown, nameless; /* by frame: all, without an object or a name */
	double stacks, broken;            /* by stack: all, without a start */
	double *lacking;                  /* by object: without a name */
	uint32_t worst;                   /* the object that lacks most */
};

/* Returns whether the frame of a known object has no name of a function. */
static bool is_nameless(struct text name)
{
	return name.len && *name.ptr == '[' && !stack_symbols_is_start(name);
}

/* Adds a frame of this value; outermost: no other frame called it. */
static void add_frame(struct quality_sums *sums, const struct frame *frame,
    enum object_kind kind, struct text name, double value, bool outermost)
{
	sums->frames += value;
	if (kind == OBJECT_IS_UNKNOWN)
		sums->unknown += value;
	else if (is_nameless(name)) {
		sums->nameless += value;
		sums->lacking[frame->object] += value;
		if (sums->lacking[frame->object] > sums->lacking[sums->worst])
			sums->worst = frame->object;
	}
	if (outermost && kind != OBJECT_IS_KERNEL) {
		sums->stacks += value;
		sums->broken += begins_well(name) ? 0 : value;
	}
}

struct profile_quality profile_quality_of(const struct stacks *s, unsigned which,
    const struct maps *maps, struct symbolizer *symbolizer)
{
	double *sum = mem_zero(s->count, sizeof(*sum)); /* by node, with its callees */
	struct quality_sums sums = { .lacking = mem_zero(
		                         maps_objects(maps), sizeof(*sums.lacking)) };
	struct profile_quality h = { 0 };

	/* A node comes after its caller. */
	for (size_t i = s->count; i-- > 0;) {
		const struct frame *frame = &s->frame[s->node[i].frame];
		const uint32_t caller = s->node[i].caller;
		enum object_kind kind;

		sum[i] += (double)stacks_value(s, i, which);
		if (caller == STACK_ROOT)
			continue;
		sum[caller] += sum[i];
		kind = maps_object(maps, frame->object).kind;
		if (kind != OBJECT_IS_EARLIER)
			add_frame(&sums, frame, kind,
			    symbolizer_name(symbolizer, frame->object, frame->where),
			    sum[i], s->node[caller].caller == STACK_ROOT);
	}
	h.worst = sums.worst;
	if (sums.frames > 0) {
		h.unknown = sums.unknown / sums.frames;
		h.nameless = sums.nameless / sums.frames;
	}
	if (sums.stacks > 0)
		h.broken = sums.broken / sums.stacks;
	free(sum);
	free(sums.lacking);
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
