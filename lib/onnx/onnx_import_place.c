/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators that place elements; see onnx_import_priv.h. Most of them are views only.
 */
#include <math.h>

#include "onnx/onnx_import_priv.h"

static const struct trace_shape *made_shape(
    const struct import *im, const struct trace_node *n, uint32_t i)
{
	return &im->t.value[n->out[i]].shape;
}

/* Returns an axis of a node as a number from 0. */
static uint32_t axis_of(const struct trace_node *n, int64_t otherwise, uint32_t dims)
{
	int64_t axis = trace_int(n, "axis", otherwise);

	return (uint32_t)(axis < 0 ? axis + (int64_t)dims : axis);
}

void import_reshaping(IMPORT_PARAMS)
{
	(void)m;
	import_output(
	    im, n, 0, import_reshaped(im, import_input(im, n, 0), *made_shape(im, n, 0)));
}

void import_transpose(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	int64_t from[TRACE_DIMS];
	uint32_t order[TRACE_DIMS];
	bool given = trace_ints(n, "perm", from) >= 0;

	(void)m;
	for (uint32_t i = 0; i < v.shape.dims; i++)
		order[i] = given ? (uint32_t)from[i] : v.shape.dims - 1 - i;
	import_output(im, n, 0, import_permute(v, order));
}

void import_slice(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	struct trace_slice part;

	(void)m;
	trace_sliced(&im->t, n, &part);
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
	for (uint32_t i = 0; i < n->outs; i++) {
		if (n->out[i] == TRACE_NONE) {
			trace_lack(&im->t, n, "one of its results has no name");
			return;
		}
		v.shape = *made_shape(im, n, i);
		import_output(im, n, i, v);
		v.offset += v.shape.size[axis] * v.stride[axis];
	}
}

void import_expand(IMPORT_PARAMS)
{
	(void)m;
	import_output(
	    im, n, 0, import_broadcast(import_input(im, n, 0), *made_shape(im, n, 0)));
}

/* Takes places of a dimension by constant indices in steps, which is a view. */
static void gather_places(struct import *im, const struct trace_node *n)
{
	struct import_view v = import_input(im, n, 0), out = v;
	const struct trace_shape *made = made_shape(im, n, 0), *at;
	const uint32_t axis = axis_of(n, 0, v.shape.dims);
	const double *index = trace_numbers(&im->t, trace_in(n, 1)),
	             size = (double)v.shape.size[axis];
	const int64_t count = index ? trace_elements(&im->t, n->in[1]) : 0;

	if (count < 1) {
		trace_lack(
		    &im->t, n, "it takes computed places of a value that is no table");
		return;
	}
	at = &im->t.value[n->in[1]].shape;
	const double first = index[0] + (index[0] < 0 ? size : 0);
	const double step = count > 1 ? index[1] - index[0] : 1;
	for (int64_t i = 0; i < count; i++) {
		const double place = index[i] + (index[i] < 0 ? size : 0);

		if (!(place >= 0 && place < size)) {
			trace_fail(&im->t, n, "an index is outside its dimension");
			return;
		}
		if (step < 1 || place != first + (double)i * step || at->dims > 1) {
			trace_lack(&im->t, n, "its places are not in equal steps");
			return;
		}
	}
	out.offset += (int64_t)first * v.stride[axis];
	out.shape = *made;
	for (uint32_t i = 0; i < made->dims; i++)
		out.stride[i] = i < axis    ? v.stride[i]
		                : !at->dims ? v.stride[i + 1]
		                : i == axis ? v.stride[axis] * (int64_t)step
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
	    onnx_type_is_float(im->t.value[n->in[0]].type) == false) {
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
	const struct trace_shape made = *made_shape(im, n, 0);
	const uint32_t axis = axis_of(n, 0, made.dims);
	uint32_t out = import_new(im, import_shortened(made));
	struct import_view whole = import_whole(im, out, made);
	int64_t at = 0;

	(void)m;
	for (uint32_t i = 0; i < n->ins; i++) {
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
	const struct trace_shape made = *made_shape(im, n, 0);
	const double *pad = trace_numbers(&im->t, trace_in(n, 1));
	struct text mode = trace_text(n, "mode");
	double value = trace_in(n, 2) == TRACE_NONE ? 0 : trace_scalar(&im->t, n->in[2]);
	bool none = true;

	(void)m;
	if (!pad || (mode.len && !text_is(mode, "constant")) || isnan(value)) {
		trace_lack(&im->t, n, "it does not pad with a constant");
		return;
	}
	for (uint32_t i = 0; i < made.dims; i++) {
		if (pad[i] < 0 || pad[made.dims + i] < 0)
			trace_lack(&im->t, n, "a padding is negative");
		none &= pad[i] == 0 && pad[made.dims + i] == 0;
	}
	if (none) {
		import_output(im, n, 0, v);
		return;
	}
	to = import_whole(im, import_new(im, import_shortened(made)), made);
	zero = import_whole(im, import_number(im, value, 1), made);
	memset(zero.stride, 0, sizeof(zero.stride));
	import_move(im, zero, to);
	for (uint32_t i = 0; i < made.dims; i++)
		to = part_of(to, to.shape, i, (int64_t)pad[i]);
	to.shape = v.shape;
	import_move(im, v, to);
	to.offset = 0;
	to.shape = made;
	import_output(im, n, 0, to);
}
