/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes constants; see onnx_trace_priv.h. Elements are doubles, which hold the sizes and
 * masks of models exactly.
 */
#include <math.h>
#include <stdlib.h>

#include "onnx/onnx_trace_priv.h"

static const struct trace_shape *shape_in(
    const struct onnx_trace *t, const struct trace_node *n, uint32_t i)
{
	return &t->value[n->in[i]].shape;
}

/* Stores the strides of a contiguous shape. */
static void strides_of(const struct trace_shape *s, int64_t stride[TRACE_DIMS])
{
	int64_t step = 1;

	for (uint32_t i = s->dims; i-- > 0; step *= s->size[i])
		stride[i] = step;
}

/* Walks the elements of a shape in order, and the place of each in another array. */
struct walk {
	struct trace_shape shape;
	int64_t stride[TRACE_DIMS], index[TRACE_DIMS], at;
};

/* Moves to the next element. */
static void walk_on(struct walk *w)
{
	for (uint32_t i = w->shape.dims; i-- > 0;) {
		w->at += w->stride[i];
		if (++w->index[i] < w->shape.size[i])
			return;
		w->at -= w->stride[i] * w->shape.size[i];
		w->index[i] = 0;
	}
}

/* Begins a walk over `out` through an input that is broadcast to it. */
static struct walk walk_broadcast(
    const struct trace_shape *out, const struct trace_shape *in)
{
	struct walk w = { .shape = *out };
	int64_t stride[TRACE_DIMS];

	strides_of(in, stride);
	for (uint32_t i = 1; i <= in->dims && i <= out->dims; i++)
		if (in->size[in->dims - i] != 1)
			w.stride[out->dims - i] = stride[in->dims - i];
	return w;
}

static const struct trace_shape *shape_out(
    const struct onnx_trace *t, const struct trace_node *n, uint32_t which)
{
	return &t->value[n->out[which]].shape;
}

void trace_fold_each(FOLD_PARAMS)
{
	int64_t count = trace_elements(t, n->out[which]);

	for (int64_t i = 0; i < count; i++)
		out[i] = n->op->number(in[0][i]);
}

void trace_fold_pair(FOLD_PARAMS)
{
	const struct trace_shape *shape = shape_out(t, n, which);
	const bool whole = !onnx_type_is_float(t->value[n->in[0]].type);
	int64_t count = trace_elements(t, n->out[which]);

	for (uint32_t k = 0; k < n->ins; k++) {
		struct walk w = walk_broadcast(shape, shape_in(t, n, k));

		for (int64_t i = 0; i < count; i++, walk_on(&w))
			out[i] = k ? n->op->pair(out[i], in[k][w.at], whole) : in[k][w.at];
	}
}

void trace_fold_cast(FOLD_PARAMS)
{
	const int64_t to = t->value[n->out[which]].type;
	int64_t count = trace_elements(t, n->out[which]);

	for (int64_t i = 0; i < count; i++) {
		const double x = in[0][i];

		out[i] = to == ONNX_BOOL          ? x != 0
		         : onnx_type_is_float(to) ? x
		         : isnan(x)               ? 0
		                                  : trunc(x);
	}
}

void trace_fold_where(FOLD_PARAMS)
{
	const struct trace_shape *shape = shape_out(t, n, which);
	struct walk c = walk_broadcast(shape, shape_in(t, n, 0)),
	            a = walk_broadcast(shape, shape_in(t, n, 1)),
	            b = walk_broadcast(shape, shape_in(t, n, 2));
	int64_t count = trace_elements(t, n->out[which]);

	for (int64_t i = 0; i < count; i++, walk_on(&c), walk_on(&a), walk_on(&b))
		out[i] = in[0][c.at] != 0 ? in[1][a.at] : in[2][b.at];
}

void trace_fold_matmul(FOLD_PARAMS)
{
	const struct trace_shape made = *shape_out(t, n, which), *a = shape_in(t, n, 0),
	                         *b = shape_in(t, n, 1);
	const int64_t rows = made.size[made.dims - 2], columns = made.size[made.dims - 1],
	              depth = a->size[a->dims - 1];
	struct trace_shape head = made, head_a = *a, head_b = *b;
	int64_t count = trace_elements(t, n->out[which]);

	if ((double)count * (double)depth > TRACE_FOLD_MAX) {
		trace_lack(t, n, "a product of constants is too large");
		return;
	}
	head.dims -= 2;
	head_a.dims -= 2;
	head_b.dims -= 2;
	/* The matrices of each batch, in units of matrices. */
	struct walk x = walk_broadcast(&head, &head_a), y = walk_broadcast(&head, &head_b);
	for (int64_t at = 0; at < count; at += rows * columns, walk_on(&x), walk_on(&y))
		for (int64_t i = 0; i < rows * columns; i++) {
			const double *left = in[0] + (x.at * rows + i / columns) * depth,
			             *right = in[1] + y.at * depth * columns + i % columns;

			for (int64_t k = 0; k < depth; k++)
				out[at + i] += left[k] * right[k * columns];
		}
}

void trace_fold_copy(FOLD_PARAMS)
{
	memcpy(out, in[0], (size_t)trace_elements(t, n->out[which]) * sizeof(*out));
}

/* Copies the elements that a walk visits. */
static void copy_walk(const struct onnx_trace *t, const struct trace_node *n,
    uint32_t which, struct walk *w, const double *from, double *out)
{
	int64_t count = trace_elements(t, n->out[which]);

	for (int64_t i = 0; i < count; i++, walk_on(w))
		out[i] = from[w->at];
}

void trace_fold_transpose(FOLD_PARAMS)
{
	struct walk w = { .shape = *shape_out(t, n, which) };
	int64_t stride[TRACE_DIMS], from[TRACE_DIMS];
	bool given = trace_ints(n, "perm", from) >= 0;

	strides_of(shape_in(t, n, 0), stride);
	for (uint32_t i = 0; i < w.shape.dims; i++)
		w.stride[i] = stride[given ? from[i] : (int64_t)(w.shape.dims - 1 - i)];
	copy_walk(t, n, which, &w, in[0], out);
}

void trace_fold_slice(FOLD_PARAMS)
{
	struct walk w = { .shape = *shape_out(t, n, which) };
	struct trace_slice part;
	int64_t stride[TRACE_DIMS];

	trace_sliced(t, n, &part);
	if (t->failed)
		return;
	strides_of(shape_in(t, n, 0), stride);
	for (uint32_t i = 0; i < w.shape.dims; i++) {
		w.at += part.from[i] * stride[i];
		w.stride[i] = stride[i] * part.step[i];
	}
	copy_walk(t, n, which, &w, in[0], out);
}

void trace_fold_split(FOLD_PARAMS)
{
	struct walk w = { .shape = *shape_out(t, n, which) };
	int64_t axis = trace_int(n, "axis", 0);

	axis += axis < 0 ? (int64_t)w.shape.dims : 0;
	strides_of(shape_in(t, n, 0), w.stride);
	for (uint32_t i = 0; i < which; i++)
		if (n->out[i] != TRACE_NONE)
			w.at += shape_out(t, n, i)->size[axis] * w.stride[axis];
	copy_walk(t, n, which, &w, in[0], out);
}

void trace_fold_expand(FOLD_PARAMS)
{
	struct walk w = walk_broadcast(shape_out(t, n, which), shape_in(t, n, 0));

	copy_walk(t, n, which, &w, in[0], out);
}

void trace_fold_concat(FOLD_PARAMS)
{
	const struct trace_shape *shape = shape_out(t, n, which);
	int64_t axis = trace_int(n, "axis", 0), stride[TRACE_DIMS], at = 0;

	axis += axis < 0 ? (int64_t)shape->dims : 0;
	strides_of(shape, stride);
	for (uint32_t k = 0; k < n->ins; k++) {
		struct walk w = { .shape = *shape_in(t, n, k), .at = at };
		int64_t count = trace_elements(t, n->in[k]);

		memcpy(w.stride, stride, sizeof(stride));
		for (int64_t i = 0; i < count; i++, walk_on(&w))
			out[w.at] = in[k][i];
		at += shape_in(t, n, k)->size[axis] * stride[axis];
	}
}

/* Returns an index that counts from the end if it is negative; fails if it is outside. */
static int64_t index_of(
    struct onnx_trace *t, const struct trace_node *n, double index, int64_t size)
{
	index += index < 0 ? (double)size : 0;
	if (index >= 0 && index < (double)size)
		return (int64_t)index;
	trace_fail(t, n, "an index is outside its dimension of %lld", (long long)size);
	return -1;
}

void trace_fold_gather(FOLD_PARAMS)
{
	const struct trace_shape *from = shape_in(t, n, 0);
	int64_t axis = trace_int(n, "axis", 0), stride[TRACE_DIMS], outer = 1,
	        many = trace_elements(t, n->in[1]);

	(void)which;
	axis += axis < 0 ? (int64_t)from->dims : 0;
	strides_of(from, stride);
	for (int64_t i = 0; i < axis; i++)
		outer *= from->size[i];
	for (int64_t o = 0; o < outer; o++)
		for (int64_t k = 0; k < many; k++) {
			int64_t row = index_of(t, n, in[1][k], from->size[axis]);

			if (row < 0)
				return;
			memcpy(out + (o * many + k) * stride[axis],
			    in[0] + (o * from->size[axis] + row) * stride[axis],
			    (size_t)stride[axis] * sizeof(*out));
		}
}

void trace_fold_gather_elements(FOLD_PARAMS)
{
	const struct trace_shape *from = shape_in(t, n, 0);
	struct walk w = { .shape = *shape_out(t, n, which) };
	int64_t axis = trace_int(n, "axis", 0), stride[TRACE_DIMS] = { 0 },
	        count = trace_elements(t, n->out[which]);

	axis += axis < 0 ? (int64_t)from->dims : 0;
	strides_of(from, stride);
	memcpy(w.stride, stride, sizeof(stride));
	w.stride[axis] = 0;
	for (uint32_t i = 0; i < from->dims; i++)
		if ((int64_t)i != axis && w.shape.size[i] > from->size[i]) {
			trace_fail(t, n, "there are more indices than elements");
			return;
		}
	for (int64_t i = 0; i < count; i++, walk_on(&w)) {
		int64_t at = index_of(t, n, in[1][i], from->size[axis]);

		if (at < 0)
			return;
		out[i] = in[0][w.at + at * stride[axis]];
	}
}

void trace_fold_gather_nd(FOLD_PARAMS)
{
	const struct trace_shape *from = shape_in(t, n, 0), *index = shape_in(t, n, 1);
	const int64_t deep = index->size[index->dims - 1];
	int64_t stride[TRACE_DIMS] = { 0 }, each,
	        count = trace_elements(t, n->in[1]) / deep;

	(void)which;
	strides_of(from, stride);
	each = stride[deep - 1];
	for (int64_t i = 0; i < count; i++) {
		int64_t at = 0;

		for (int64_t k = 0; k < deep; k++) {
			int64_t place = index_of(t, n, in[1][i * deep + k], from->size[k]);

			if (place < 0)
				return;
			at += place * stride[k];
		}
		memcpy(out + i * each, in[0] + at, (size_t)each * sizeof(*out));
	}
}

void trace_fold_trilu(FOLD_PARAMS)
{
	const struct trace_shape *s = shape_in(t, n, 0);
	const bool upper = trace_int(n, "upper", 1) != 0;
	double k = trace_in(n, 1) != TRACE_NONE ? trace_scalar(t, n->in[1]) : 0;
	int64_t count = trace_elements(t, n->out[which]);

	if (s->dims < 2 || isnan(k)) {
		trace_fail(t, n, "its input is not a matrix");
		return;
	}
	const int64_t rows = s->size[s->dims - 2], columns = s->size[s->dims - 1];
	for (int64_t i = 0; i < count; i++) {
		double beyond = (double)(i % columns - i / columns % rows) - k;

		out[i] = (upper ? beyond >= 0 : beyond <= 0) ? in[0][i] : 0;
	}
}

void trace_fold_reduce(FOLD_PARAMS)
{
	const struct trace_shape *s = shape_in(t, n, 0);
	struct walk w = { .shape = *s };
	int64_t axis[TRACE_DIMS], step = 1, count = trace_elements(t, n->in[0]),
	                          made = trace_elements(t, n->out[which]);
	int axes = trace_axes(t, n, "axes", 1, s->dims, axis);
	bool drop[TRACE_DIMS] = { 0 }, *begun;
	const bool mean = trace_is(n, "ReduceMean");

	for (uint32_t i = 0; i < s->dims; i++)
		drop[i] = axes <= 0 && !trace_int(n, "noop_with_empty_axes", 0);
	for (int i = 0; i < axes; i++)
		drop[axis[i]] = true;
	for (uint32_t i = s->dims; i-- > 0;)
		if (!drop[i]) {
			w.stride[i] = step;
			step *= s->size[i];
		}
	begun = mem_zero((size_t)made + 1, sizeof(*begun));
	for (int64_t i = 0; i < count; i++, walk_on(&w)) {
		out[w.at] =
		    begun[w.at] ? n->op->pair(out[w.at], in[0][i], false) : in[0][i];
		begun[w.at] = true;
	}
	free(begun);
	for (int64_t i = 0; mean && i < made; i++)
		out[i] /= (double)count / (double)made;
}

void trace_fold_cumsum(FOLD_PARAMS)
{
	const struct trace_shape *s = shape_in(t, n, 0);
	double axis = trace_scalar(t, trace_in(n, 1));
	int64_t stride[TRACE_DIMS], count = trace_elements(t, n->out[which]);

	axis += axis < 0 ? (double)s->dims : 0;
	if (!(axis >= 0 && axis < (double)s->dims) || trace_int(n, "exclusive", 0) ||
	    trace_int(n, "reverse", 0)) {
		trace_lack(t, n, "it is exclusive or reverse, or has an unusable axis");
		return;
	}
	strides_of(s, stride);
	const int64_t step = stride[(int)axis], size = s->size[(int)axis];
	for (int64_t i = 0; i < count; i++)
		out[i] = in[0][i] + (i / step % size ? out[i - step] : 0);
}
