/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Views of values during the import; see onnx_import_priv.h.
 */
#include "translate/onnx_import_priv.h"

struct trace_shape import_shape(uint32_t dims, const int64_t *size)
{
	struct trace_shape s = { .dims = dims };

	memcpy(s.size, size, dims * sizeof(*size));
	return s;
}

int64_t import_count(const struct trace_shape *s)
{
	int64_t count = 1;

	for (uint32_t i = 0; i < s->dims; i++)
		count *= s->size[i];
	return count;
}

struct trace_shape import_shortened(struct trace_shape s)
{
	if (!s.dims)
		return IMPORT_SHAPE(1);
	while (s.dims > BACKEND_DIMS) {
		s.size[1] *= s.size[0];
		s.dims--;
		memmove(s.size, s.size + 1, s.dims * sizeof(*s.size));
	}
	return s;
}

/* Gives a view the strides of a contiguous one. */
static void pack(struct import_view *v)
{
	int64_t step = 1;

	for (uint32_t i = v->shape.dims; i-- > 0; step *= v->shape.size[i])
		v->stride[i] = step;
}

struct import_view import_whole(struct import *im, uint32_t value, struct trace_shape shape)
{
	struct import_view v = { .made = true, .base = value, .shape = shape };

	(void)im;
	pack(&v);
	return v;
}

struct import_view import_see(struct import *im, uint32_t value)
{
	const struct trace_value *v = &im->t.value[value];
	struct import_view view = {
		.made = true, .is_constant = true, .constant = value, .shape = v->shape
	};

	if (im->view[value].made)
		return im->view[value];
	if (!v->is_constant)
		trace_fail(&im->t, im->now, "'%.*s' is not computed before it is used",
		    (int)v->fact->name.len, v->fact->name.ptr);
	pack(&view);
	return view;
}

struct import_view import_input(struct import *im, const struct trace_node *n, uint32_t i)
{
	uint32_t value = trace_in(n, i);

	if (value != TRACE_NONE && im->converts)
		return import_numbers(im, import_see(im, value));
	if (value != TRACE_NONE)
		return import_see(im, value);
	trace_fail(&im->t, n, "input %u is missing", i + 1);
	return (struct import_view){ .made = true, .shape = { 1, { 1 } }, .stride = { 1 } };
}

const struct trace_shape *import_made(
    const struct import *im, const struct trace_node *n, uint32_t i)
{
	return &im->t.value[n->out[i]].shape;
}

void import_output(
    struct import *im, const struct trace_node *n, uint32_t i, struct import_view view)
{
	uint32_t value = trace_out(n, i);

	if (value != TRACE_NONE)
		im->view[value] = view;
}

void import_done(struct import *im, const struct trace_node *n, uint32_t value)
{
	uint32_t out = trace_out(n, 0);

	if (out != TRACE_NONE)
		im->view[out] = import_whole(im, value, im->t.value[out].shape);
}

bool import_contiguous(const struct import_view *v)
{
	int64_t step = 1;

	for (uint32_t i = v->shape.dims; i-- > 0; step *= v->shape.size[i])
		if (v->shape.size[i] != 1 && v->stride[i] != step)
			return false;
	return true;
}

bool import_in_rows(const struct import_view *v)
{
	int64_t least = 1;

	for (uint32_t i = v->shape.dims; i-- > 0;) {
		if (v->shape.size[i] == 1)
			continue;
		if (v->stride[i] < least || (i == v->shape.dims - 1 && v->stride[i] != 1))
			return false;
		least = v->stride[i] * v->shape.size[i];
	}
	return true;
}

struct import_view import_permute(struct import_view v, const uint32_t *from)
{
	struct import_view out = v;

	for (uint32_t i = 0; i < v.shape.dims; i++) {
		out.shape.size[i] = v.shape.size[from[i]];
		out.stride[i] = v.stride[from[i]];
	}
	return out;
}

struct import_view import_broadcast(struct import_view v, struct trace_shape shape)
{
	struct import_view out = v;

	out.shape = shape;
	for (uint32_t i = 1; i <= shape.dims; i++) {
		const uint32_t to = shape.dims - i;
		const bool has = i <= v.shape.dims && v.shape.size[v.shape.dims - i] != 1;

		out.stride[to] = has ? v.stride[v.shape.dims - i] : 0;
	}
	return out;
}

struct import_view import_unrepeated(struct import_view v)
{
	for (uint32_t i = 0; i < v.shape.dims; i++)
		if (v.stride[i] == 0)
			v.shape.size[i] = v.stride[i] = 1;
	return v;
}

/*
 * Matches runs of dimensions whose products are equal, as model_views.c does for lists;
 * within a run, the old dimensions must be contiguous.
 */
bool import_reshape(struct import_view *v, struct trace_shape shape)
{
	struct import_view out = *v;
	int64_t size[TRACE_DIMS], step[TRACE_DIMS];
	uint32_t dims = 0, o = 0, n = 0;

	for (uint32_t i = 0; i < v->shape.dims; i++)
		if (v->shape.size[i] != 1) {
			size[dims] = v->shape.size[i];
			step[dims++] = v->stride[i];
		}
	out.shape = shape;
	for (uint32_t i = 0; i < TRACE_DIMS; i++)
		out.stride[i] = 1;
	while (o < dims && n < shape.dims) {
		uint32_t o_end = o + 1, n_end = n + 1;
		int64_t have = size[o], want = shape.size[n];

		while (have != want)
			if (have < want && o_end < dims)
				have *= size[o_end++];
			else if (want < have && n_end < shape.dims)
				want *= shape.size[n_end++];
			else
				return false;
		for (uint32_t i = o; i + 1 < o_end; i++)
			if (step[i] != size[i + 1] * step[i + 1])
				return false;
		out.stride[n_end - 1] = step[o_end - 1];
		for (uint32_t i = n_end - 1; i > n; i--)
			out.stride[i - 1] = out.stride[i] * shape.size[i];
		o = o_end;
		n = n_end;
	}
	for (; o < dims || n < shape.dims; n++)
		if (o < dims || shape.size[n] != 1)
			return false;
	*v = out;
	return true;
}

bool import_memory_order(const struct import_view *v, uint32_t fixed, uint32_t *order)
{
	const uint32_t dims = v->shape.dims, most = dims > fixed ? dims - fixed : 0;
	uint32_t place[TRACE_DIMS], sorted[TRACE_DIMS], count = 0;
	struct import_view turned;

	/* Dimensions of one element remain where they are. */
	for (uint32_t i = 0; i < dims; i++) {
		uint32_t k = count;

		order[i] = i;
		if (i >= most || v->shape.size[i] == 1)
			continue;
		for (; k > 0 && v->stride[sorted[k - 1]] < v->stride[i]; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = i;
		place[count++] = i;
	}
	for (uint32_t i = 0; i < count; i++)
		order[place[i]] = sorted[i];
	turned = import_permute(*v, order);
	return import_contiguous(&turned);
}
