/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sizes of the results of operators that compute; see onnx_trace_priv.h. Those of
 * operators that place elements are in onnx_trace_place.c.
 */
#include <math.h>
#include <stdlib.h>

#include "onnx/onnx_trace_priv.h"

void trace_shape_alike(struct onnx_trace *t, struct trace_node *n)
{
	trace_set(t, n, 0, trace_needed(t, n, 0)->shape);
}

/* Returns the shape to which two shapes are broadcast. */
static struct trace_shape joined(struct onnx_trace *t, const struct trace_node *n,
    struct trace_shape a, struct trace_shape b)
{
	struct trace_shape out = a.dims >= b.dims ? a : b;

	for (uint32_t i = 1; i <= out.dims; i++) {
		int64_t x = i <= a.dims ? a.size[a.dims - i] : 1,
		        y = i <= b.dims ? b.size[b.dims - i] : 1;

		if (x != y && x != 1 && y != 1)
			trace_fail(t, n, "the sizes %lld and %lld do not fit together",
			    (long long)x, (long long)y);
		out.size[out.dims - i] = x == 1 ? y : x;
	}
	return out;
}

void trace_shape_broadcast(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape shape = trace_needed(t, n, 0)->shape;

	for (uint32_t i = 1; i < n->ins; i++)
		shape = joined(t, n, shape, trace_needed(t, n, i)->shape);
	trace_set(t, n, 0, shape);
}

void trace_shape_where(struct onnx_trace *t, struct trace_node *n)
{
	trace_shape_broadcast(t, n);
	if (trace_out(n, 0) != TRACE_NONE)
		t->value[n->out[0]].type = trace_needed(t, n, 1)->type;
}

void trace_shape_cast(struct onnx_trace *t, struct trace_node *n)
{
	int64_t to = trace_int(n, "to", 0);

	trace_shape_alike(t, n);
	if (onnx_type_bits(to) < 8 || to == ONNX_COMPLEX64 || to == ONNX_COMPLEX128)
		trace_lack(t, n, "it converts to the type %s", onnx_type_name(to));
	else if (trace_out(n, 0) != TRACE_NONE)
		t->value[n->out[0]].type = to;
}

void trace_shape_matmul(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape a = trace_needed(t, n, 0)->shape,
	                   b = trace_needed(t, n, 1)->shape, head_a = a, head_b = b, out;

	if (a.dims < 2 || b.dims < 2) {
		trace_lack(t, n, "an operand has fewer than 2 dimensions");
		return;
	}
	if (a.size[a.dims - 1] != b.size[b.dims - 2])
		trace_fail(t, n, "the inner sizes %lld and %lld differ",
		    (long long)a.size[a.dims - 1], (long long)b.size[b.dims - 2]);
	head_a.dims -= 2;
	head_b.dims -= 2;
	out = joined(t, n, head_a, head_b);
	out.size[out.dims] = a.size[a.dims - 2];
	out.size[out.dims + 1] = b.size[b.dims - 1];
	out.dims += 2;
	trace_set(t, n, 0, out);
}

void trace_shape_gemm(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape a = trace_needed(t, n, 0)->shape,
	                   b = trace_needed(t, n, 1)->shape;
	bool turn_a = trace_int(n, "transA", 0) != 0,
	     turn_b = trace_int(n, "transB", 0) != 0;

	if (a.dims != 2 || b.dims != 2 || a.size[!turn_a] != b.size[turn_b])
		trace_fail(t, n, "the operands are not two matrices that fit together");
	trace_set(t, n, 0, (struct trace_shape){ 2, { a.size[turn_a], b.size[!turn_b] } });
}

/* Returns how many windows fit in one dimension. */
static int64_t windows(const struct trace_window *w, int i, int64_t size, bool ceiling)
{
	int64_t room =
	    size + w->before[i] + w->after[i] - w->dilation[i] * (w->kernel[i] - 1) - 1;
	int64_t out;

	if (room < 0)
		return 0;
	out = (room + (ceiling ? w->stride[i] - 1 : 0)) / w->stride[i] + 1;
	/* A window must not begin beyond the elements. */
	if (ceiling && (out - 1) * w->stride[i] >= size + w->before[i])
		out--;
	return out;
}

/* Stores the sizes [N,channels,H,W] of a result. */
static void set_windows(struct onnx_trace *t, struct trace_node *n, int64_t channels)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape;
	struct trace_window w;
	bool ceiling = trace_int(n, "ceil_mode", 0) != 0;

	trace_windows(t, n, &w);
	if (t->failed)
		return;
	s.size[1] = channels;
	if (!w.flat)
		s.size[2] = windows(&w, 0, s.size[2], ceiling);
	s.size[s.dims - 1] = windows(&w, 1, s.size[s.dims - 1], ceiling);
	if (s.size[s.dims - 1] < 1 || s.size[2] < 1)
		trace_fail(t, n, "the kernel is larger than the image");
	trace_set(t, n, 0, s);
}

void trace_shape_conv(struct onnx_trace *t, struct trace_node *n)
{
	const struct trace_value *k = trace_needed(t, n, 1);

	set_windows(t, n, k->shape.dims ? k->shape.size[0] : 0);
}

void trace_shape_pool(struct onnx_trace *t, struct trace_node *n)
{
	const struct trace_value *x = trace_needed(t, n, 0);

	if (trace_out(n, 1) != TRACE_NONE)
		trace_lack(t, n, "its second result, the positions of the maxima");
	set_windows(t, n, x->shape.dims > 1 ? x->shape.size[1] : 0);
}

void trace_shape_global(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape;

	for (uint32_t i = 2; i < s.dims; i++)
		s.size[i] = 1;
	trace_set(t, n, 0, s);
}

void trace_shape_reduce(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape, out = { 0 };
	int64_t axis[TRACE_DIMS];
	int axes = trace_axes(t, n, "axes", 1, s.dims, axis);
	bool keep = trace_int(n, "keepdims", 1) != 0, drop[TRACE_DIMS] = { 0 };

	if (axes <= 0 && trace_int(n, "noop_with_empty_axes", 0)) {
		trace_set(t, n, 0, s);
		return;
	}
	for (uint32_t i = 0; i < s.dims; i++)
		drop[i] = axes <= 0;
	for (int i = 0; i < axes; i++)
		drop[axis[i]] = true;
	for (uint32_t i = 0; i < s.dims; i++)
		if (!drop[i] || keep)
			out.size[out.dims++] = drop[i] ? 1 : s.size[i];
	trace_set(t, n, 0, out);
}

void trace_shape_resize(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape;
	bool upsample = trace_is(n, "Upsample");
	const double *scale = trace_numbers(t, trace_in(n, upsample ? 1 : 2)),
	             *size =
	                 trace_numbers(t, upsample ? (uint32_t)TRACE_NONE : trace_in(n, 3));
	const double *use = size ? size : scale;

	if (!use || trace_elements(t, trace_in(n, upsample ? 1
	                                          : size   ? 3
	                                                   : 2)) != (int64_t)s.dims) {
		trace_lack(t, n, "its sizes are computed or incomplete");
		return;
	}
	for (uint32_t i = 0; i < s.dims; i++) {
		double to = size ? size[i] : floor((double)s.size[i] * scale[i]);

		if (!(to >= 1 && to <= INT32_MAX)) {
			trace_fail(t, n, "a result has a size below 1 or above 2^31");
			return;
		}
		s.size[i] = (int64_t)to;
	}
	trace_set(t, n, 0, s);
}

void trace_shape_constant(struct onnx_trace *t, struct trace_node *n)
{
	static const char *const names[] = { "value", "value_float", "value_floats",
		"value_int", "value_ints" };
	const struct onnx_attribute *a = NULL;
	struct trace_shape shape = { 0 };
	double *x;

	for (size_t i = 0; i < COUNT(names) && !a; i++)
		a = onnx_attribute(n->from, names[i]);
	if (!a) {
		trace_lack(t, n, "its value is a text or sparse");
		return;
	}
	if (a->type == ONNX_ATTRIBUTE_TENSOR && a->t) {
		if (trace_out(n, 0) == TRACE_NONE || a->t->dims > TRACE_DIMS ||
		    onnx_type_bits(a->t->type) < 8) {
			trace_lack(
			    t, n, "its tensor has an unusable type or too many dimensions");
			return;
		}
		shape.dims = a->t->dims;
		for (uint32_t i = 0; i < shape.dims; i++)
			shape.size[i] = a->t->dim[i];
		trace_set(t, n, 0, shape);
		struct trace_value *v = &t->value[n->out[0]];
		v->type = a->t->type;
		v->is_constant = true;
		v->file = a->t;
		return;
	}
	bool list = a->type == ONNX_ATTRIBUTE_FLOATS || a->type == ONNX_ATTRIBUTE_INTS,
	     whole = a->type == ONNX_ATTRIBUTE_INT || a->type == ONNX_ATTRIBUTE_INTS;
	if (!list && !whole && a->type != ONNX_ATTRIBUTE_FLOAT) {
		trace_fail(t, n, "its attribute has the wrong type");
		return;
	}
	uint32_t count = !list ? 1 : whole ? a->int_count : a->float_count;
	shape = (struct trace_shape){ list, { count } };
	x = trace_room(t, n, count);
	for (uint32_t i = 0; x && i < count; i++)
		x[i] = list ? (whole ? (double)a->ints[i] : (double)a->floats[i])
		            : (whole ? (double)a->i : (double)a->f);
	if (x)
		trace_set_numbers(t, n, 0, whole ? ONNX_INT64 : ONNX_FLOAT, shape, x);
}

void trace_shape_of(struct onnx_trace *t, struct trace_node *n)
{
	struct trace_shape s = trace_needed(t, n, 0)->shape;
	int64_t dims = s.dims, from = trace_int(n, "start", 0),
	        to = trace_int(n, "end", dims);
	double *x;

	from += from < 0 ? dims : 0;
	to += to < 0 ? dims : 0;
	from = from < 0 ? 0 : from > dims ? dims : from;
	to = to < from ? from : to > dims ? dims : to;
	x = trace_room(t, n, (double)(to - from));
	for (int64_t i = from; x && i < to; i++)
		x[i - from] = (double)s.size[i];
	if (x)
		trace_set_numbers(
		    t, n, 0, ONNX_INT64, (struct trace_shape){ 1, { to - from } }, x);
}

void trace_shape_size(struct onnx_trace *t, struct trace_node *n)
{
	double *x = trace_room(t, n, 1);

	(void)trace_needed(t, n, 0);
	if (!x)
		return;
	*x = t->failed ? 0 : (double)trace_elements(t, n->in[0]);
	trace_set_numbers(t, n, 0, ONNX_INT64, (struct trace_shape){ 0 }, x);
}

void trace_shape_filled(struct onnx_trace *t, struct trace_node *n)
{
	const struct onnx_attribute *a = onnx_attribute(n->from, "value");
	struct trace_shape shape = { 0 };
	double value = 0, elements = 1, *x;
	int dims = trace_list(t, trace_in(n, 0), shape.size);

	if (dims < 0) {
		trace_lack(t, n, "the sizes of its result are computed");
		return;
	}
	shape.dims = (uint32_t)dims;
	for (int i = 0; i < dims; i++)
		elements *= shape.size[i] < 0 ? NAN : (double)shape.size[i];
	if (!(elements <= TRACE_FOLD_MAX)) {
		trace_lack(t, n, "its constant has more than 2^24 elements");
		return;
	}
	int64_t type = ONNX_FLOAT;
	if (a && a->type == ONNX_ATTRIBUTE_TENSOR && a->t && a->t->elements == 1 &&
	    a->t->dims <= TRACE_DIMS && onnx_type_bits(a->t->type) >= 8) {
		/* A constant of its own reads the element. */
		struct onnx_trace one = { .value = &(struct trace_value){
			                      .is_constant = true, .file = a->t } };

		type = a->t->type;
		value = trace_scalar(&one, 0);
		free(one.value->number);
	}
	x = trace_room(t, n, elements);
	for (size_t i = 0; x && i < (size_t)elements; i++)
		x[i] = value;
	if (x)
		trace_set_numbers(t, n, 0, type, shape, x);
}

void trace_shape_range(struct onnx_trace *t, struct trace_node *n)
{
	double from = trace_scalar(t, trace_in(n, 0)), to = trace_scalar(t, trace_in(n, 1)),
	       step = trace_scalar(t, trace_in(n, 2)), count, *x;

	if (isnan(from) || isnan(to) || isnan(step) || step == 0) {
		trace_lack(t, n, "its limits are computed");
		return;
	}
	count = fmax(0, ceil((to - from) / step));
	x = trace_room(t, n, count);
	for (size_t i = 0; x && i < (size_t)count; i++)
		x[i] = from + (double)i * step;
	if (x)
		trace_set_numbers(t, n, 0, trace_needed(t, n, 0)->type,
		    (struct trace_shape){ 1, { (int64_t)count } }, x);
}
