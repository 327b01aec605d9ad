/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what a node says: attributes, axes, windows and parts; see onnx_trace.h.
 */
#include <math.h>

#include "onnx/onnx_trace_priv.h"

uint32_t trace_in(const struct trace_node *n, uint32_t i)
{
	return i < n->ins ? n->in[i] : (uint32_t)TRACE_NONE;
}

uint32_t trace_out(const struct trace_node *n, uint32_t i)
{
	return i < n->outs ? n->out[i] : (uint32_t)TRACE_NONE;
}

bool trace_is(const struct trace_node *n, const char *op)
{
	return text_is(n->from->op, op);
}

const struct trace_node *trace_made_by(
    const struct onnx_trace *t, uint32_t value, const char *op)
{
	const struct trace_node *n;

	if (value == TRACE_NONE || t->value[value].node == TRACE_NONE)
		return NULL;
	n = &t->node[t->value[value].node];
	return trace_is(n, op) ? n : NULL;
}

int64_t trace_int(const struct trace_node *n, const char *name, int64_t otherwise)
{
	const struct onnx_attribute *a = onnx_attribute(n->from, name);

	return a && a->type == ONNX_ATTRIBUTE_INT ? a->i : otherwise;
}

double trace_float(const struct trace_node *n, const char *name, double otherwise)
{
	const struct onnx_attribute *a = onnx_attribute(n->from, name);

	return a && a->type == ONNX_ATTRIBUTE_FLOAT ? (double)a->f : otherwise;
}

struct text trace_text(const struct trace_node *n, const char *name)
{
	const struct onnx_attribute *a = onnx_attribute(n->from, name);

	return a && a->type == ONNX_ATTRIBUTE_STRING ? a->s : TEXT("");
}

int trace_ints(const struct trace_node *n, const char *name, int64_t out[TRACE_DIMS])
{
	const struct onnx_attribute *a = onnx_attribute(n->from, name);

	if (!a || a->type != ONNX_ATTRIBUTE_INTS || a->int_count > 2 * TRACE_DIMS)
		return -1;
	for (uint32_t i = 0; i < a->int_count && i < TRACE_DIMS; i++)
		out[i] = a->ints[i];
	return a->int_count < TRACE_DIMS ? (int)a->int_count : TRACE_DIMS;
}

/* Returns a number as a whole one, clamped to +-2^62. */
static int64_t whole(double x)
{
	const double most = 4611686018427387904.0;

	return isnan(x) ? 0 : (int64_t)(x > most ? most : x < -most ? -most : x);
}

int trace_list(struct onnx_trace *t, uint32_t value, int64_t out[TRACE_DIMS])
{
	const double *x = trace_numbers(t, value);
	int64_t count;

	if (!x)
		return -1;
	count = trace_elements(t, value);
	if (count > TRACE_DIMS)
		return -1;
	for (int64_t i = 0; i < count; i++)
		out[i] = whole(x[i]);
	return (int)count;
}

int trace_axes(struct onnx_trace *t, const struct trace_node *n, const char *name,
    uint32_t i, uint32_t dims, int64_t out[TRACE_DIMS])
{
	int count = trace_ints(n, name, out);

	if (count < 0 && trace_in(n, i) != TRACE_NONE) {
		count = trace_list(t, n->in[i], out);
		if (count < 0)
			trace_lack(t, n, "its axes are computed");
	}
	for (int k = 0; k < count; k++) {
		out[k] += out[k] < 0 ? (int64_t)dims : 0;
		if (out[k] < 0 || out[k] >= (int64_t)dims) {
			trace_fail(t, n, "an axis is outside its %u dimensions", dims);
			return 0;
		}
	}
	return count;
}

/* Stores a list of one or two numbers for height and width. */
static void read_pair(struct onnx_trace *t, const struct trace_node *n, const char *name,
    bool flat, int64_t otherwise, int64_t out[2])
{
	int64_t list[TRACE_DIMS] = { 0 };
	int count = trace_ints(n, name, list);

	out[0] = flat ? 1 : otherwise;
	out[1] = otherwise;
	if (count < 0)
		return;
	if (count != (flat ? 1 : 2) || list[0] < 1 || (!flat && list[1] < 1) ||
	    list[0] > INT32_MAX || (!flat && list[1] > INT32_MAX)) {
		trace_fail(t, n, "the attribute %s does not have %d positive numbers", name,
		    flat ? 1 : 2);
		return;
	}
	out[0] = flat ? 1 : list[0];
	out[1] = flat ? list[0] : list[1];
}

/* Stores the paddings that SAME_UPPER or SAME_LOWER ask for. */
static void pad_same(struct trace_window *w, int64_t high, int64_t wide, bool lower)
{
	const int64_t size[2] = { high, wide };

	for (int i = 0; i < 2; i++) {
		int64_t out = (size[i] + w->stride[i] - 1) / w->stride[i];
		int64_t all = (out - 1) * w->stride[i] +
		              (w->kernel[i] - 1) * w->dilation[i] + 1 - size[i];

		all = all > 0 ? all : 0;
		w->before[i] = lower ? all - all / 2 : all / 2;
		w->after[i] = all - w->before[i];
	}
}

static void read_pads(
    struct onnx_trace *t, const struct trace_node *n, struct trace_window *w)
{
	int64_t list[TRACE_DIMS] = { 0 };
	int count = trace_ints(n, "pads", list), each = w->flat ? 1 : 2;

	if (count < 0)
		return;
	if (count != 2 * each)
		trace_fail(t, n, "the attribute pads does not have %d numbers", 2 * each);
	for (int i = 0; i < 2 * each; i++)
		if (list[i] < 0 || list[i] > INT32_MAX)
			trace_fail(t, n, "a padding is negative or too large");
	if (t->failed)
		return;
	for (int i = 0; i < each; i++) {
		w->before[2 - each + i] = list[i];
		w->after[2 - each + i] = list[each + i];
	}
}

void trace_windows(struct onnx_trace *t, const struct trace_node *n, struct trace_window *w)
{
	const struct trace_value *x = trace_needed(t, n, 0);
	struct text pad = trace_text(n, "auto_pad");

	*w = (struct trace_window){ { 1, 1 }, { 1, 1 }, { 0 }, { 0 }, { 1, 1 }, false };
	if (x->shape.dims != 3 && x->shape.dims != 4) {
		trace_lack(
		    t, n, "its input has %u dimensions instead of 3 or 4", x->shape.dims);
		return;
	}
	w->flat = x->shape.dims == 3;
	const int64_t *size = x->shape.size;
	int64_t high = w->flat ? 1 : size[2], wide = w->flat ? size[2] : size[3];
	if (trace_is(n, "Conv")) {
		const struct trace_value *k = trace_needed(t, n, 1);

		if (k->shape.dims != x->shape.dims) {
			trace_fail(t, n, "the weights have another number of dimensions");
			return;
		}
		w->kernel[0] = w->flat ? 1 : k->shape.size[2];
		w->kernel[1] = k->shape.size[w->flat ? 2 : 3];
	} else if (n->op->shape == trace_shape_global) {
		w->kernel[0] = high;
		w->kernel[1] = wide;
		return;
	} else
		read_pair(t, n, "kernel_shape", w->flat, 1, w->kernel);
	read_pair(t, n, "strides", w->flat, 1, w->stride);
	read_pair(t, n, "dilations", w->flat, 1, w->dilation);
	if (w->kernel[0] < 1 || w->kernel[1] < 1)
		trace_fail(t, n, "the kernel is empty");
	else if (text_is(pad, "SAME_UPPER") || text_is(pad, "SAME_LOWER"))
		pad_same(w, high, wide, text_is(pad, "SAME_LOWER"));
	else
		read_pads(t, n, w);
}

/* Returns a place of a slice, clamped to its dimension. */
static int64_t clamped(int64_t at, int64_t size, int64_t step)
{
	at += at < 0 ? size : 0;
	if (step < 0)
		return at < -1 ? -1 : at > size - 1 ? size - 1 : at;
	return at < 0 ? 0 : at > size ? size : at;
}

void trace_sliced(struct onnx_trace *t, const struct trace_node *n, struct trace_slice *out)
{
	const struct trace_value *x = trace_needed(t, n, 0);
	int64_t from[TRACE_DIMS], to[TRACE_DIMS], axis[TRACE_DIMS], step[TRACE_DIMS];
	const uint32_t dims = x->shape.dims;
	int count = trace_ints(n, "starts", from), ends = trace_ints(n, "ends", to), axes,
	    steps = -1;

	for (uint32_t i = 0; i < dims; i++) {
		out->from[i] = 0;
		out->step[i] = 1;
		out->size[i] = x->shape.size[i];
	}
	if (count < 0) {
		count = trace_list(t, trace_in(n, 1), from);
		ends = trace_list(t, trace_in(n, 2), to);
		steps = trace_list(t, trace_in(n, 4), step);
	}
	axes = trace_axes(t, n, "axes", 3, dims, axis);
	if (count < 0 || ends != count || (axes >= 0 && axes != count) ||
	    (steps >= 0 && steps != count) || count > (int)dims ||
	    (steps < 0 && trace_in(n, 4) != TRACE_NONE)) {
		trace_lack(t, n, "the part that it takes is computed");
		return;
	}
	for (int i = 0; i < count; i++) {
		int64_t d = axes >= 0 ? axis[i] : i, by = steps >= 0 ? step[i] : 1,
		        size = x->shape.size[d];

		if (by == 0 || by > INT32_MAX || by < -INT32_MAX) {
			trace_fail(t, n, "a step is 0 or too large");
			return;
		}
		int64_t first = clamped(from[i], size, by);
		int64_t last = by < 0 && to[i] < -size ? -1 : clamped(to[i], size, by);
		int64_t span = by < 0 ? first - last : last - first;
		first = by > 0 || first < size ? first : size - 1;
		out->from[d] = first;
		out->step[d] = by;
		out->size[d] =
		    span <= 0 ? 0 : (span + (by < 0 ? -by : by) - 1) / (by < 0 ? -by : by);
	}
}
