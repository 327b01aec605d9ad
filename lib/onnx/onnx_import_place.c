/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators that place elements; see onnx_import_priv.h. Most of them are views only.
 */
#include <math.h>
#include <stdlib.h>

#include "onnx/onnx_import_priv.h"

/* The largest number of copies that gather places. */
enum { PLACES_MAX = 4096 };

/* Returns an axis of a node as a number from 0. */
static uint32_t axis_of(const struct trace_node *n, int64_t otherwise, uint32_t dims)
{
	int64_t axis = rule_int(&n->call, "axis", otherwise);

	return (uint32_t)(axis < 0 ? axis + (int64_t)dims : axis);
}

void import_reshaping(IMPORT_PARAMS)
{
	(void)m;
	import_output(
	    im, n, 0, import_reshaped(im, import_input(im, n, 0), *import_made(im, n, 0)));
}

void import_transpose(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	uint32_t order[TRACE_DIMS], count;
	const int64_t *perm = rule_ints(&n->call, "perm", &count);

	(void)m;
	for (uint32_t i = 0; i < v.shape.dims; i++)
		order[i] = perm ? (uint32_t)perm[i] : v.shape.dims - 1 - i;
	import_output(im, n, 0, import_permute(v, order));
}

void import_slice(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	struct rule_call call = n->call;
	struct rule_part part;

	(void)m;
	if (rule_sliced(&call, &part) != RULE_FINE)
		trace_lack(&im->t, n, "the part that it takes is computed");
	for (uint32_t i = 0; i < v.shape.dims && !im->t.failed; i++) {
		if (part.step[i] < 0)
			trace_lack(&im->t, n, "its step is negative");
		v.offset += part.from[i] * v.stride[i];
		v.stride[i] *= part.step[i];
		v.shape.size[i] = part.size[i];
	}
	import_output(im, n, 0, v);
}

void import_split(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	const uint32_t axis = axis_of(n, 0, v.shape.dims);

	(void)m;
	for (uint32_t i = 0; i < n->call.outs; i++) {
		if (n->out[i] == TRACE_NONE) {
			trace_lack(&im->t, n, "one of its results has no name");
			return;
		}
		v.shape = *import_made(im, n, i);
		import_output(im, n, i, v);
		v.offset += v.shape.size[axis] * v.stride[axis];
	}
}

void import_expand(IMPORT_PARAMS)
{
	(void)m;
	import_output(
	    im, n, 0, import_broadcast(import_input(im, n, 0), *import_made(im, n, 0)));
}

/* Returns a view of a part of a new value. */
static struct import_view part_of(
    struct import_view whole, struct trace_shape shape, uint32_t axis, int64_t from)
{
	whole.offset += from * whole.stride[axis];
	whole.shape = shape;
	return whole;
}

/* Returns the number of indices from one on that have equal steps above 0, and stores the
 * step. */
static int64_t even_places(const int64_t *place, int64_t count, int64_t *step)
{
	int64_t run = 1;

	*step = count > 1 ? place[1] - place[0] : 1;
	if (*step < 1) {
		*step = 1;
		return 1;
	}
	while (run < count && place[run] - place[run - 1] == *step)
		run++;
	return run;
}

/* Takes places of a dimension by constant indices: equal steps are a view, others copies.
 */
static void gather_places(struct import *im, const struct trace_node *n)
{
	struct import_view v = import_input(im, n, 0), part, whole = { 0 };
	const struct trace_shape *made = import_made(im, n, 0);
	const uint32_t axis = axis_of(n, 0, v.shape.dims);
	const struct onnx_fact *index = trace_constant(&im->t, trace_in(n, 1));
	const int64_t count = index && index->integer ? onnx_fact_elements(index) : 0;
	int64_t *place, run, step;

	if (count < 1) {
		trace_lack(&im->t, n,
		    "it selects computed positions of a value that is not a table");
		return;
	}
	place = mem_zero((size_t)count, sizeof(*place));
	for (int64_t i = 0; i < count; i++) {
		place[i] = index->integer[i];
		place[i] += place[i] < 0 ? v.shape.size[axis] : 0;
		if (place[i] < 0 || place[i] >= v.shape.size[axis])
			trace_fail(&im->t, n, "an index is outside its dimension of %lld",
			    (long long)v.shape.size[axis]);
	}
	run = even_places(place, count, &step);
	if (run < count && !im->t.failed) {
		whole.shape = v.shape;
		whole.shape.size[axis] = count;
		whole = import_whole(
		    im, import_new(im, import_shortened(whole.shape)), whole.shape);
	}
	part = v;
	for (int64_t i = 0, moves = 0; i < count && !im->t.failed; i += run) {
		run = even_places(place + i, count - i, &step);
		part.offset = v.offset + place[i] * v.stride[axis];
		part.stride[axis] = v.stride[axis] * step;
		part.shape.size[axis] = run;
		if (run < count)
			import_move(im, part, part_of(whole, part.shape, axis, i));
		if (++moves > PLACES_MAX)
			trace_lack(&im->t, n, "its places are not in equal steps");
	}
	free(place);
	if (!im->t.failed)
		import_output(
		    im, n, 0, import_reshaped(im, run < count ? whole : part, *made));
}

void import_gather(IMPORT_PARAMS)
{
	struct import_view table = import_input(im, n, 0), ids;
	const struct trace_value *index =
	    trace_in(n, 1) == TRACE_NONE ? NULL : &im->t.value[n->in[1]];
	uint32_t out;

	(void)m;
	if (!index || index->is_constant || table.shape.dims != 2 ||
	    axis_of(n, 0, table.shape.dims) != 0 ||
	    onnx_type_is_float(im->t.value[n->in[0]].fact->type) == false) {
		gather_places(im, n);
		return;
	}
	ids = import_see(im, n->in[1]);
	struct trace_shape shape =
	    ids.shape.dims == 2 ? ids.shape : IMPORT_SHAPE(1, import_count(&ids.shape));
	uint32_t a = import_operand(im, table, table.shape, IMPORT_WHOLE),
	         b = import_operand(im, ids, shape, IMPORT_WHOLE);
	out =
	    import_new(im, IMPORT_SHAPE(shape.size[0], shape.size[1], table.shape.size[1]));
	import_node(im, BACKEND_GATHER, out, a, b, GRAPH_NONE, GRAPH_NONE)->p.gather.alpha =
	    1;
	import_done(im, n, out);
}

void import_concat(IMPORT_PARAMS)
{
	const struct trace_shape made = *import_made(im, n, 0);
	const uint32_t axis = axis_of(n, 0, made.dims);
	uint32_t out = import_new(im, import_shortened(made));
	struct import_view whole = import_whole(im, out, made);
	int64_t at = 0;

	(void)m;
	for (uint32_t i = 0; i < n->call.ins; i++) {
		struct import_view v = import_input(im, n, i);

		if (import_count(&v.shape) > 0)
			import_move(im, v, part_of(whole, v.shape, axis, at));
		at += v.shape.size[axis];
	}
	import_output(im, n, 0, whole);
}

struct import_view import_filled(struct import *im, struct trace_shape shape, double value)
{
	struct import_view to = import_whole(
	                       im, import_new(im, import_shortened(shape)), shape),
	                   number = import_whole(im, import_number(im, value, 1), shape);

	memset(number.stride, 0, sizeof(number.stride));
	import_move(im, number, to);
	return to;
}

struct import_view import_padded(struct import *im, struct import_view v,
    const int64_t *before, const int64_t *after, double value)
{
	struct trace_shape made = v.shape;
	struct import_view to, part;

	for (uint32_t i = 0; i < made.dims; i++)
		made.size[i] += before[i] + after[i];
	to = import_filled(im, made, value);
	part = to;
	for (uint32_t i = 0; i < made.dims; i++)
		part.offset += before[i] * to.stride[i];
	part.shape = v.shape;
	import_move(im, v, part);
	return to;
}

/* The numbers of elements that a Pad adds before and after each dimension. */
struct pad_sizes {
	int64_t before[TRACE_DIMS], after[TRACE_DIMS];
	bool none;
};

/* Takes the elements away that a negative padding removes, and finds the others. */
static void read_pads(struct import *im, const struct trace_node *n, struct import_view *v,
    struct pad_sizes *p)
{
	uint32_t count, axes;
	const int64_t *pads = rule_integers(&n->call, 1,
	                  rule_has_attribute(&n->call, "paddings") ? "paddings" : "pads",
	                  &count),
	              *axis = rule_integers(&n->call, 3, NULL, &axes);

	*p = (struct pad_sizes){ .none = true };
	if (!pads || (trace_in(n, 3) != TRACE_NONE && !axis)) {
		trace_lack(&im->t, n, "its paddings are computed");
		return;
	}
	for (uint32_t i = 0; i < count / 2; i++) {
		const int64_t given = axis ? axis[i] : (int64_t)i,
		              at = given < 0 ? given + (int64_t)v->shape.dims : given;
		int64_t *side[] = { &p->before[at], &p->after[at] };

		for (int k = 0; k < 2; k++) {
			const int64_t pad = pads[k ? i + count / 2 : i];

			*side[k] = pad > 0 ? pad : 0;
			if (pad < 0)
				v->shape.size[at] += pad;
			if (pad < 0 && k == 0)
				v->offset -= pad * v->stride[at];
			p->none &= pad <= 0;
		}
		if (v->shape.size[at] < 1)
			trace_lack(&im->t, n, "it removes all elements");
	}
}

void import_pad(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	struct text mode = rule_text(&n->call, "mode", "");
	double value = trace_in(n, 2) == TRACE_NONE ? trace_float(n, "value", 0)
	                                            : trace_scalar(&im->t, n->in[2]);
	struct pad_sizes pads;

	(void)m;
	if ((mode.len && !text_is(mode, "constant")) || isnan(value)) {
		trace_lack(&im->t, n, "it does not pad with a constant");
		return;
	}
	read_pads(im, n, &v, &pads);
	if (im->t.failed)
		return;
	import_output(
	    im, n, 0, pads.none ? v : import_padded(im, v, pads.before, pads.after, value));
}

/* Repeats a tensor along its dimensions: [r,size] for each dimension that is repeated. */
void import_tile(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0), out = v;
	const struct trace_shape made = *import_made(im, n, 0);
	uint32_t dims = 0;

	(void)m;
	for (uint32_t i = 0; i < v.shape.dims; i++) {
		const int64_t times = v.shape.size[i] ? made.size[i] / v.shape.size[i] : 1;

		if (dims + 2 > TRACE_DIMS) {
			trace_lack(&im->t, n, "it repeats too many dimensions");
			return;
		}
		if (times != 1) {
			out.shape.size[dims] = times;
			out.stride[dims++] = 0;
		}
		out.shape.size[dims] = v.shape.size[i];
		out.stride[dims++] = v.stride[i];
	}
	out.shape.dims = dims;
	import_output(im, n, 0, import_reshaped(im, out, made));
}

/* Moves blocks of channels to the plane. The channels are [block,block,C], or
 * [C,block,block] in the mode CRD. */
void import_depth_to_space(IMPORT_PARAMS)
{
	static const uint32_t blocks_first[] = { 0, 3, 4, 1, 5, 2 },
	                      blocks_last[] = { 0, 1, 4, 2, 5, 3 };
	const struct trace_shape made = *import_made(im, n, 0);
	const int64_t block = rule_int(&n->call, "blocksize", 1);
	const bool last = text_is(rule_text(&n->call, "mode", "DCR"), "CRD");
	struct import_view v = import_input(im, n, 0);
	const int64_t *s = v.shape.size, channels = made.size[1];

	(void)m;
	v = import_reshaped(im, v,
	    last ? IMPORT_SHAPE(s[0], channels, block, block, s[2], s[3])
	         : IMPORT_SHAPE(s[0], block, block, channels, s[2], s[3]));
	v = import_permute(v, last ? blocks_last : blocks_first);
	import_output(im, n, 0, import_reshaped(im, v, made));
}

void import_space_to_depth(IMPORT_PARAMS)
{
	static const uint32_t order[] = { 0, 3, 5, 1, 2, 4 };
	const int64_t block = rule_int(&n->call, "blocksize", 1);
	struct import_view v = import_input(im, n, 0);
	const int64_t *s = v.shape.size;

	(void)m;
	v = import_reshaped(
	    im, v, IMPORT_SHAPE(s[0], s[1], s[2] / block, block, s[3] / block, block));
	import_output(im, n, 0,
	    import_reshaped(im, import_permute(v, order), *import_made(im, n, 0)));
}
