/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Begins a trace with the initializers and inputs of a model; see onnx_trace_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "onnx/onnx_trace_priv.h"
#include "text/units.h"

/* Returns an element of a constant whose bytes are at p. */
static double element_at(int64_t type, const char *p)
{
	union {
		float f;
		double d;
		int64_t i64;
		uint64_t u64;
		int32_t i32;
		uint32_t u32;
		int16_t i16;
		uint16_t u16;
		int8_t i8;
		uint8_t u8;
	} u = { 0 };

	memcpy(&u, p, onnx_type_bits(type) / 8);
	switch (type) {
	case ONNX_FLOAT:
		return (double)u.f;
	case ONNX_DOUBLE:
		return u.d;
	case ONNX_INT64:
		return (double)u.i64;
	case ONNX_UINT64:
		return (double)u.u64;
	case ONNX_INT32:
		return u.i32;
	case ONNX_UINT32:
		return u.u32;
	case ONNX_INT16:
		return u.i16;
	case ONNX_UINT16:
		return u.u16;
	case ONNX_INT8:
		return u.i8;
	case ONNX_BFLOAT16:
		u.u32 = (uint32_t)u.u16 << 16;
		return (double)u.f;
	case ONNX_FLOAT16: {
		const int exponent = u.u16 >> 10 & 31, part = u.u16 & 1023;
		const double sign = u.u16 >> 15 ? -1 : 1;

		if (exponent == 31)
			return part ? NAN : sign * INFINITY;
		return sign *
		       (exponent ? ldexp(1024 + part, exponent - 25) : ldexp(part, -24));
	}
	default:
		return u.u8;
	}
}

/* Returns whether elements of a type can be read as numbers. */
static bool is_numeric(int64_t type)
{
	return type == ONNX_FLOAT16 || type == ONNX_BFLOAT16 || type == ONNX_BOOL ||
	       type == ONNX_FLOAT || type == ONNX_DOUBLE ||
	       (type >= ONNX_UINT8 && type <= ONNX_INT64) || type == ONNX_UINT32 ||
	       type == ONNX_UINT64;
}

const double *trace_numbers(struct onnx_trace *t, uint32_t value)
{
	struct trace_value *v;
	struct fault ignored;
	char *bytes;

	if (value == TRACE_NONE)
		return NULL;
	v = &t->value[value];
	if (!v->is_constant || v->number)
		return v->is_constant ? v->number : NULL;
	if (v->file->elements > TRACE_FOLD_MAX || !is_numeric(v->file->type))
		return NULL;
	bytes = mem_zero((size_t)v->file->bytes + 1, 1);
	if (onnx_tensor_read(v->file, bytes, &ignored) == 0) {
		const size_t size = onnx_type_bits(v->file->type) / 8;

		v->number = mem_zero((size_t)v->file->elements + 1, sizeof(double));
		for (size_t i = 0; i < v->file->elements; i++)
			v->number[i] = element_at(v->file->type, bytes + i * size);
	}
	free(bytes);
	return v->number;
}

void trace_add_initializer(struct onnx_trace *t, const struct onnx_tensor *tensor)
{
	uint32_t number;
	struct trace_value *v;

	if (tensor->dims > TRACE_DIMS || !is_numeric(tensor->type)) {
		trace_lack(t, NULL,
		    "the initializer '%.*s' has the type %s and %u dimensions",
		    (int)tensor->name.len, tensor->name.ptr, onnx_type_name(tensor->type),
		    tensor->dims);
		return;
	}
	v = trace_add(t, tensor->name, &number);
	v->type = tensor->type;
	v->is_constant = true;
	v->file = tensor;
	v->shape.dims = tensor->dims;
	if (tensor->dims)
		memcpy(v->shape.size, tensor->dim, tensor->dims * sizeof(*tensor->dim));
}

/* Returns whether a parameter names an open dimension: by the name that the model gives it,
 * or by INPUT.NUMBER. */
static bool names_dimension(const char *param, const struct onnx_value *input, uint32_t dim)
{
	char *name = str_format("%.*s.%u", (int)input->name.len, input->name.ptr, dim);
	const bool same = strcmp(param, name) == 0;

	free(name);
	return same || text_is(input->dim[dim].name, param);
}

/* Returns the size of an open dimension: that of its parameter, or 1 for a first one. */
static int64_t open_size(struct onnx_trace *t, const struct onnx_value *input, uint32_t dim,
    const struct binding *param, size_t params)
{
	const struct text name = input->dim[dim].name;

	for (size_t i = 0; i < params; i++) {
		double size;

		if (!names_dimension(param[i].name, input, dim))
			continue;
		if (units_number(param[i].value, &size, &t->fault) < 0) {
			t->failed = true;
			return 1;
		}
		if (size >= 1 && size <= INT32_MAX && size == floor(size))
			return (int64_t)size;
		trace_fail(t, NULL, "-P %s: %s is not a whole number from 1 to %d",
		    param[i].name, param[i].value, INT32_MAX);
		return 1;
	}
	if (dim == 0)
		return 1;
	if (name.len)
		trace_fail(t, NULL,
		    "input '%.*s' has the open dimension '%.*s'; set it, as in -P %.*s=1",
		    (int)input->name.len, input->name.ptr, (int)name.len, name.ptr,
		    (int)name.len, name.ptr);
	else
		trace_fail(t, NULL,
		    "dimension %u of input '%.*s' is open; set it, as in -P %.*s.%u=1", dim,
		    (int)input->name.len, input->name.ptr, (int)input->name.len,
		    input->name.ptr, dim);
	return 1;
}

void trace_add_input(struct onnx_trace *t, const struct onnx_value *input, double rows,
    const struct binding *param, size_t params)
{
	uint32_t number;
	struct trace_value *v;
	struct trace_shape shape = { .dims = input->dims };
	bool whole = !onnx_type_is_float(input->type);

	if (!input->is_tensor || !input->has_shape || input->dims > TRACE_DIMS ||
	    !is_numeric(input->type)) {
		trace_lack(t, NULL,
		    "the input '%.*s' is not a tensor with a known number of dimensions, "
		    "at "
		    "most %d",
		    (int)input->name.len, input->name.ptr, TRACE_DIMS);
		return;
	}
	for (uint32_t i = 0; i < input->dims; i++) {
		const struct onnx_dim *d = &input->dim[i];

		shape.size[i] =
		    d->is_fixed ? d->size : open_size(t, input, i, param, params);
		if (t->failed)
			return;
		if (shape.size[i] < 1 || shape.size[i] > INT32_MAX) {
			trace_lack(t, NULL, "the input '%.*s' has a dimension of %lld",
			    (int)input->name.len, input->name.ptr,
			    (long long)shape.size[i]);
			return;
		}
	}
	v = trace_add(t, input->name, &number);
	v->type = input->type;
	v->shape = shape;
	v->rows = rows;
	if (!whole || rows > 0) {
		*VEC_ADD(t->input, t->inputs, t->input_cap) = number;
		return;
	}
	double elements = 1;
	for (uint32_t i = 0; i < shape.dims; i++)
		elements *= (double)shape.size[i];
	v->number = trace_room(t, NULL, elements);
	v->is_constant = v->is_mask = true;
	for (int64_t i = 0; v->number && i < (int64_t)elements; i++)
		v->number[i] = 1;
}

void trace_find_indices(struct onnx_trace *t, double *rows)
{
	static const char *const keeps[] = { "Identity", "Cast", "Reshape", "Flatten",
		"Squeeze", "Unsqueeze", "Transpose", "Slice", "Expand" };
	const struct onnx_graph *g = &t->model->graph;
	/* By name: the number of the input that it comes from, plus 1; and of the
	 * initializer. */
	struct intern from = { 0 };
	uint32_t *input = mem_zero(g->inputs + g->nodes + 1, sizeof(*input));

	for (uint32_t i = 0; i < g->inputs; i++)
		if (intern_add(&from, g->input[i].name) < g->inputs)
			input[intern_find(&from, g->input[i].name)] = i + 1;
	for (uint32_t i = 0; i < g->nodes; i++) {
		const struct onnx_node *n = &g->node[i];
		const bool gathers = text_is(n->op, "Gather") && n->inputs == 2;
		bool passes = false;

		if (n->inputs < 1 || n->outputs < 1)
			continue;
		for (size_t k = 0; k < COUNT(keeps) && !passes; k++)
			passes = text_is(n->op, keeps[k]);
		if (!passes && !gathers)
			continue;
		long source = intern_find(&from, n->input[gathers ? 1 : 0]);
		if (source < 0)
			continue;
		if (passes) {
			size_t made = intern_add(&from, n->output[0]);

			if (made < g->inputs + g->nodes)
				input[made] = input[source];
			continue;
		}
		uint32_t table = trace_find_value(t, n->input[0]), which = input[source];
		if (which && table != TRACE_NONE &&
		    onnx_type_is_float(t->value[table].type) &&
		    t->value[table].shape.dims) {
			const double has = (double)t->value[table].shape.size[0];

			rows[which - 1] =
			    rows[which - 1] > 0 ? fmin(rows[which - 1], has) : has;
		}
	}
	intern_free(&from);
	free(input);
}
