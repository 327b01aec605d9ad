/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators that place elements; see onnx_import_priv.h. Most of them are views only.
 */
#include <math.h>

#include "onnx/onnx_import_priv.h"

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

/* Finds the first of constant indices in equal steps, and the step. Fails if they are not.
 */
static void find_places(struct import *im, const struct trace_node *n,
    const struct onnx_fact *index, int64_t size, int64_t *first, int64_t *step)
{
	const int64_t count = onnx_fact_elements(index);
	bool is_even = index->dims <= 1;
	int64_t last = 0;

	*first = 0;
	*step = 1;
	for (int64_t i = 0; i < count; i++) {
		const int64_t place =
		    index->integer[i] + (index->integer[i] < 0 ? size : 0);

		if (place < 0 || place >= size) {
			trace_fail(&im->t, n, "an index is outside its dimension of %lld",
			    (long long)size);
			return;
		}
		if (i == 0)
			*first = place;
		else if (i == 1)
			*step = place - last;
		is_even &= i == 0 || (place - last == *step && *step > 0);
		last = place;
	}
	if (!is_even)
		trace_lack(&im->t, n, "its places are not in equal steps");
}

/* Takes places of a dimension by constant indices in steps, which is a view. */
static void gather_places(struct import *im, const struct trace_node *n)
{
	struct import_view v = import_input(im, n, 0), out = v;
	const struct trace_shape *made = import_made(im, n, 0);
	const uint32_t axis = axis_of(n, 0, v.shape.dims);
	const struct onnx_fact *index = trace_constant(&im->t, trace_in(n, 1));
	int64_t first, step;

	if (!index || !index->integer || onnx_fact_elements(index) < 1) {
		trace_lack(
		    &im->t, n, "it takes computed places of a value that is no table");
		return;
	}
	find_places(im, n, index, v.shape.size[axis], &first, &step);
	if (im->t.failed)
		return;
	out.offset += first * v.stride[axis];
	out.shape = *made;
	for (uint32_t i = 0; i < made->dims; i++)
		out.stride[i] = i < axis       ? v.stride[i]
		                : !index->dims ? v.stride[i + 1]
		                : i == axis    ? v.stride[axis] * step
		                               : v.stride[i];
	import_output(im, n, 0, out);
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

/* Returns a view of a part of a new value. */
static struct import_view part_of(
    struct import_view whole, struct trace_shape shape, uint32_t axis, int64_t from)
{
	whole.offset += from * whole.stride[axis];
	whole.shape = shape;
	return whole;
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

void import_pad(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0), to, zero;
	const struct trace_shape made = *import_made(im, n, 0);
	const struct onnx_fact *pads = trace_constant(&im->t, trace_in(n, 1));
	const int64_t *pad = pads ? pads->integer : NULL;
	struct text mode = rule_text(&n->call, "mode", "");
	double value = trace_in(n, 2) == TRACE_NONE ? 0 : trace_scalar(&im->t, n->in[2]);
	bool none = true;

	(void)m;
	if (!pad || trace_in(n, 3) != TRACE_NONE ||
	    (mode.len && !text_is(mode, "constant")) || isnan(value)) {
		trace_lack(&im->t, n, "it does not pad with a constant, or has axes");
		return;
	}
	for (uint32_t i = 0; i < made.dims; i++) {
		if (pad[i] < 0 || pad[made.dims + i] < 0)
			trace_lack(&im->t, n, "a padding is negative");
		none &= pad[i] == 0 && pad[made.dims + i] == 0;
	}
	if (im->t.failed)
		return;
	if (none) {
		import_output(im, n, 0, v);
		return;
	}
	to = import_whole(im, import_new(im, import_shortened(made)), made);
	zero = import_whole(im, import_number(im, value, 1), made);
	memset(zero.stride, 0, sizeof(zero.stride));
	import_move(im, zero, to);
	for (uint32_t i = 0; i < made.dims; i++)
		to = part_of(to, to.shape, i, pad[i]);
	to.shape = v.shape;
	import_move(im, v, to);
	to.offset = 0;
	to.shape = made;
	import_output(im, n, 0, to);
}
