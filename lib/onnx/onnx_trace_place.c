/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sizes of the results of operators that place elements; see onnx_trace_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "onnx/onnx_trace_priv.h"

void trace_shape_reshape(struct onnx_trace *t, struct trace_node *n)
{
	const struct trace_value *x = trace_needed(t, n, 0);
	struct trace_shape out = { 0 };
	int dims = trace_ints(n, "shape", out.size), open = -1;
	double have = 1, want = 1;

	if (dims < 0)
		dims = trace_list(t, trace_in(n, 1), out.size);
	if (dims < 0) {
		trace_lack(t, n, "its sizes are computed");
		return;
	}
	out.dims = (uint32_t)dims;
	for (uint32_t i = 0; i < x->shape.dims; i++)
		have *= (double)x->shape.size[i];
	for (int i = 0; i < dims; i++) {
		if (out.size[i] == 0 && !trace_int(n, "allowzero", 0) &&
		    i < (int)x->shape.dims)
			out.size[i] = x->shape.size[i];
		if (out.size[i] == -1 && open < 0)
			open = i;
		else
			want *= (double)out.size[i];
	}
	if (open >= 0 && want > 0)
		out.size[open] = (int64_t)(have / want);
	if (open >= 0)
		want *= (double)out.size[open];
	if (have != want)
		trace_fail(
		    t, n, "%.0f elements do not fit sizes of %.0f elements", have, want);
	trace_set(t, n, 0, out);
}

void trace_shape_flatten(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape, out = { 2, { 1, 1 } };
	int64_t axis = trace_int(n, "axis", 1);

	axis += axis < 0 ? (int64_t)s.dims : 0;
	if (axis < 0 || axis > (int64_t)s.dims)
		trace_fail(t, n, "the axis is outside its dimensions");
	for (uint32_t i = 0; i < s.dims; i++)
		out.size[(int64_t)i >= axis] *= s.size[i];
	trace_set(t, n, 0, out);
}

void trace_shape_squeeze(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape, out = { 0 };
	int64_t axis[TRACE_DIMS];
	int axes = trace_axes(t, n, "axes", 1, s.dims, axis);
	bool drop[TRACE_DIMS] = { 0 };

	for (uint32_t i = 0; i < s.dims; i++)
		drop[i] = axes < 0 && s.size[i] == 1;
	for (int i = 0; i < axes; i++) {
		drop[axis[i]] = true;
		if (s.size[axis[i]] != 1)
			trace_fail(t, n, "dimension %lld has the size %lld instead of 1",
			    (long long)axis[i], (long long)s.size[axis[i]]);
	}
	for (uint32_t i = 0; i < s.dims; i++)
		if (!drop[i])
			out.size[out.dims++] = s.size[i];
	trace_set(t, n, 0, out);
}

void trace_shape_unsqueeze(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape, out = { 0 };
	int64_t axis[TRACE_DIMS];
	int count = trace_ints(n, "axes", axis);
	bool added[TRACE_DIMS] = { 0 };

	if (count < 0)
		count = trace_list(t, trace_in(n, 1), axis);
	if (count < 0 || s.dims + (uint32_t)count > TRACE_DIMS) {
		trace_lack(t, n,
		    "its axes are computed, or the result has more than %d "
		    "dimensions",
		    TRACE_DIMS);
		return;
	}
	out.dims = s.dims + (uint32_t)count;
	for (int i = 0; i < count; i++) {
		int64_t at = axis[i] + (axis[i] < 0 ? (int64_t)out.dims : 0);

		if (at < 0 || at >= (int64_t)out.dims || added[at]) {
			trace_fail(t, n, "an axis is outside the result, or given twice");
			return;
		}
		added[at] = true;
	}
	for (uint32_t i = 0, from = 0; i < out.dims; i++)
		out.size[i] = added[i] ? 1 : s.size[from++];
	trace_set(t, n, 0, out);
}

void trace_shape_transpose(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape, out = { .dims = s.dims };
	int64_t from[TRACE_DIMS];
	int count = trace_ints(n, "perm", from);
	bool used[TRACE_DIMS] = { 0 };

	if (count >= 0 && count != (int)s.dims) {
		trace_fail(t, n, "the attribute perm does not have %u numbers", s.dims);
		return;
	}
	for (uint32_t i = 0; i < s.dims; i++) {
		int64_t d = count < 0 ? (int64_t)(s.dims - 1 - i) : from[i];

		if (d < 0 || d >= (int64_t)s.dims || used[d]) {
			trace_fail(t, n, "the attribute perm is not a permutation");
			return;
		}
		used[d] = true;
		out.size[i] = s.size[d];
	}
	trace_set(t, n, 0, out);
}

void trace_shape_slice(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape;
	struct trace_slice part;

	trace_sliced(t, n, &part);
	if (t->failed)
		return;
	for (uint32_t i = 0; i < s.dims; i++)
		s.size[i] = part.size[i];
	trace_set(t, n, 0, s);
}

void trace_shape_split(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape;
	int64_t axis = trace_int(n, "axis", 0), size[TRACE_DIMS], sum = 0, each;
	int count = trace_ints(n, "split", size);

	axis += axis < 0 ? (int64_t)s.dims : 0;
	if (axis < 0 || axis >= (int64_t)s.dims || n->outs == 0) {
		trace_fail(t, n, "the axis is outside its dimensions");
		return;
	}
	if (count < 0 && trace_in(n, 1) != TRACE_NONE &&
	    (count = trace_list(t, n->in[1], size)) < 0) {
		trace_lack(t, n, "its parts are computed, or more than %d", TRACE_DIMS);
		return;
	}
	if (count >= 0 && count != (int)n->outs) {
		trace_lack(t, n, "it has more than %d results", TRACE_DIMS);
		return;
	}
	const int64_t whole = s.size[axis];
	each = (whole + n->outs - 1) / n->outs;
	for (uint32_t i = 0; i < n->outs; i++) {
		s.size[axis] = count >= 0           ? size[i]
		               : each < whole - sum ? each
		                                    : whole - sum;
		sum += s.size[axis];
		trace_set(t, n, i, s);
		if (trace_out(n, i) != TRACE_NONE)
			t->value[n->out[i]].type = trace_needed(t, n, 0)->type;
		if (t->failed)
			return;
	}
	if (sum != whole)
		trace_fail(t, n, "the parts do not add up to %lld", (long long)whole);
}

void trace_shape_expand(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape, to = { 0 }, out;
	int dims = trace_list(t, trace_in(n, 1), to.size);

	if (dims < 0) {
		trace_lack(t, n, "its sizes are computed");
		return;
	}
	to.dims = (uint32_t)dims;
	out = to.dims >= s.dims ? to : s;
	for (uint32_t i = 1; i <= out.dims; i++) {
		int64_t a = i <= s.dims ? s.size[s.dims - i] : 1,
		        b = i <= to.dims ? to.size[to.dims - i] : 1;

		if (a != b && a != 1 && b != 1)
			trace_fail(t, n, "the sizes %lld and %lld do not fit together",
			    (long long)a, (long long)b);
		out.size[out.dims - i] = a == 1 ? b : a;
	}
	trace_set(t, n, 0, out);
}

void trace_shape_tile(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape;
	int64_t times[TRACE_DIMS];

	if (trace_list(t, trace_in(n, 1), times) != (int)s.dims) {
		trace_lack(t, n, "its repeats are computed");
		return;
	}
	for (uint32_t i = 0; i < s.dims; i++) {
		if (times[i] < 0 || times[i] > INT32_MAX || s.size[i] > INT32_MAX) {
			trace_fail(t, n, "a repeat is negative or too large");
			return;
		}
		s.size[i] *= times[i];
	}
	trace_set(t, n, 0, s);
}

void trace_shape_concat(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape;
	int64_t axis = trace_int(n, "axis", 0);

	axis += axis < 0 ? (int64_t)s.dims : 0;
	if (axis < 0 || axis >= (int64_t)s.dims) {
		trace_fail(t, n, "the axis is outside its dimensions");
		return;
	}
	for (uint32_t i = 1; i < n->ins; i++) {
		struct trace_shape more = trace_needed(t, n, i)->shape;
		bool fits = more.dims == s.dims;

		for (uint32_t d = 0; d < s.dims && fits; d++)
			fits = (int64_t)d == axis || more.size[d] == s.size[d];
		if (!fits) {
			trace_fail(t, n, "the inputs have different sizes");
			return;
		}
		s.size[axis] += more.size[axis];
	}
	trace_set(t, n, 0, s);
}

void trace_shape_pad(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape;
	const double *x = trace_numbers(t, trace_in(n, 1));

	if (!x || trace_in(n, 3) != TRACE_NONE ||
	    trace_elements(t, n->in[1]) != 2 * (int64_t)s.dims) {
		trace_lack(t, n, "its paddings are computed, or have axes");
		return;
	}
	for (uint32_t i = 0; i < s.dims; i++) {
		if (!(fabs(x[i]) <= INT32_MAX && fabs(x[s.dims + i]) <= INT32_MAX)) {
			trace_fail(t, n, "a padding is too large");
			return;
		}
		s.size[i] += (int64_t)x[i] + (int64_t)x[s.dims + i];
	}
	trace_set(t, n, 0, s);
}

void trace_shape_gather(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape,
	                   at = trace_needed(t, n, 1)->shape, out = { 0 };
	int64_t axis = trace_int(n, "axis", 0);

	axis += axis < 0 ? (int64_t)s.dims : 0;
	if (axis < 0 || axis >= (int64_t)s.dims) {
		trace_fail(t, n, "the axis is outside its dimensions");
		return;
	}
	if (s.dims + at.dims - 1 > TRACE_DIMS) {
		trace_lack(t, n, "the result has more than %d dimensions", TRACE_DIMS);
		return;
	}
	for (int64_t i = 0; i < axis; i++)
		out.size[out.dims++] = s.size[i];
	for (uint32_t i = 0; i < at.dims; i++)
		out.size[out.dims++] = at.size[i];
	for (uint32_t i = (uint32_t)axis + 1; i < s.dims; i++)
		out.size[out.dims++] = s.size[i];
	trace_set(t, n, 0, out);
}

void trace_shape_gather_elements(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape,
	                   at = trace_needed(t, n, 1)->shape;
	int64_t axis = trace_int(n, "axis", 0);

	if (s.dims != at.dims || axis >= (int64_t)s.dims || axis < -(int64_t)s.dims)
		trace_fail(t, n, "the indices have another number of dimensions");
	trace_set(t, n, 0, at);
}

void trace_shape_gather_nd(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape,
	                   at = trace_needed(t, n, 1)->shape, out = { 0 };

	if (trace_int(n, "batch_dims", 0) != 0) {
		trace_lack(t, n, "batch_dims is not 0");
		return;
	}
	const int64_t deep = at.dims ? at.size[at.dims - 1] : 0;
	if (deep < 1 || deep > (int64_t)s.dims) {
		trace_fail(t, n, "the indices do not fit the dimensions");
		return;
	}
	if (at.dims - 1 + s.dims - (uint32_t)deep > TRACE_DIMS) {
		trace_lack(t, n, "the result has more than %d dimensions", TRACE_DIMS);
		return;
	}
	for (uint32_t i = 0; i + 1 < at.dims; i++)
		out.size[out.dims++] = at.size[i];
	for (uint32_t i = (uint32_t)deep; i < s.dims; i++)
		out.size[out.dims++] = s.size[i];
	trace_set(t, n, 0, out);
}
