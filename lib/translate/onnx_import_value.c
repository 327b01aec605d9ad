/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds values, weights, copies and operations to the graph; see onnx_import_priv.h.
 */
#include <stdlib.h>

#include "graph/dtype.h"
#include "translate/onnx_import_priv.h"

enum { MOVES_MAX = 4096 };

/* Returns NAME.N with a number from 2 that no name of a table has. It is searched for in
 * halves, because a recurrent network has many values of one name. */
static char *numbered_name(const struct intern *names, const char *name)
{
	size_t used = 1, unused = 2;
	char *out = str_format("%s.%zu", name, unused);

	while (intern_find(names, text_of(out)) >= 0) {
		used = unused;
		unused *= 2;
		free(out);
		out = str_format("%s.%zu", name, unused);
	}
	while (used + 1 < unused) {
		const size_t middle = used + (unused - used) / 2;
		char *other = str_format("%s.%zu", name, middle);
		const bool is_used = intern_find(names, text_of(other)) >= 0;

		if (is_used)
			used = middle;
		else
			unused = middle;
		free(is_used ? other : out);
		out = is_used ? out : other;
	}
	return out;
}

/* Returns a name that is not among those of a table, and adds it. */
static char *free_name(struct intern *names, struct text name)
{
	char *text = name.len ? mem_text(name.ptr, name.len) : str_copy("value");
	char *out = str_copy(text);

	if (intern_find(names, text_of(out)) >= 0) {
		free(out);
		out = numbered_name(names, text);
	}
	free(text);
	intern_add(names, text_of(out));
	return out;
}

char *import_name(struct import *im, struct text name)
{
	return free_name(&im->names, name);
}

/* Returns the name of the present node, or else of its first result. */
static struct text present_name(const struct import *im)
{
	const struct onnx_node *n = im->now ? im->now->call.node : NULL;

	return !n ? TEXT("") : n->name.len ? n->name : n->outputs ? n->output[0] : TEXT("");
}

static struct graph_value *add_value(
    struct import *im, struct text name, struct trace_shape shape, uint32_t *number)
{
	struct graph_value *v;
	int64_t step = 1;

	if (shape.dims > BACKEND_DIMS) {
		trace_lack(&im->t, im->now, "a value has %u dimensions", shape.dims);
		shape = IMPORT_SHAPE(1);
	}
	for (uint32_t i = 0; i < shape.dims; i++)
		if (shape.size[i] < 1) {
			trace_lack(&im->t, im->now, "a value has no elements");
			shape = IMPORT_SHAPE(1);
		}
	*number = (uint32_t)im->g->values;
	v = VEC_ADD(im->g->value, im->g->values, im->g->value_cap);
	*v = (struct graph_value){ .name = import_name(im, name),
		.dtype = im->dtype,
		.role = BACKEND_ACTIVATION,
		.dims = shape.dims,
		.of = *number };
	for (uint32_t i = shape.dims; i-- > 0; step *= shape.size[i]) {
		v->size[i] = shape.size[i];
		v->stride[i] = step;
	}
	return v;
}

uint32_t import_new(struct import *im, struct trace_shape shape)
{
	uint32_t number;

	add_value(im, present_name(im), shape, &number);
	return number;
}

uint32_t import_like(struct import *im, uint32_t value)
{
	const struct graph_value *v = &im->g->value[value];

	return import_new(im, import_shape(v->dims, v->size));
}

struct backend_op *import_node(struct import *im, enum backend_kind kind, uint32_t out,
    uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	struct graph_node *n = VEC_ADD(im->g->node, im->g->nodes, im->g->node_cap);

	*n = (struct graph_node){ .name = free_name(&im->node_names, present_name(im)),
		.word = im->word,
		.op.kind = kind,
		.in = { a, b, c, d },
		.out = { out, GRAPH_NONE } };
	for (size_t i = 4; i < BACKEND_INS; i++)
		n->in[i] = GRAPH_NONE;
	return &n->op;
}

/* Returns the backend's type of a constant in the file, or -1 if it has none. */
static int stored_dtype(const struct onnx_tensor *file)
{
	static const struct {
		int64_t type;
		int dtype;
	} types[] = { { ONNX_FLOAT, BACKEND_FLOAT32 }, { ONNX_DOUBLE, BACKEND_FLOAT64 },
		{ ONNX_FLOAT16, BACKEND_FLOAT16 }, { ONNX_BFLOAT16, BACKEND_BFLOAT16 },
		{ ONNX_INT32, BACKEND_INT32 }, { ONNX_INT8, BACKEND_INT8 },
		{ ONNX_UINT8, BACKEND_UINT8 } };

	for (size_t i = 0; file && file->data.ptr && i < COUNT(types); i++)
		if (types[i].type == file->type)
			return types[i].dtype;
	return -1;
}

/* Keeps memory until the graph is freed. */
static void *keep(struct graph *g, void *memory)
{
	*VEC_ADD(g->kept, g->kepts, g->kept_cap) = memory;
	return memory;
}

/* Copies the elements of a constant, which the graph keeps. */
static const double *kept_numbers(struct import *im, uint32_t constant)
{
	const struct onnx_fact *x = trace_constant(&im->t, constant);
	const size_t count = x ? (size_t)onnx_fact_elements(x) : 0;
	double *copy;

	if (!x) {
		trace_lack(&im->t, im->now,
		    "a constant has a type that is not available, or "
		    "more than 2^24 elements");
		return NULL;
	}
	copy = keep(im->g, mem_zero(count + 1, sizeof(*copy)));
	for (size_t i = 0; i < count; i++)
		copy[i] = onnx_fact_number(x, (int64_t)i);
	return copy;
}

static bool same_view(
    const struct import *im, const struct import_view *a, const struct import_view *b)
{
	const struct onnx_tensor *tensor = im->t.value[a->constant].fact->tensor;

	if (a->constant != b->constant &&
	    (!tensor || tensor != im->t.value[b->constant].fact->tensor))
		return false;
	if (a->offset != b->offset || a->shape.dims != b->shape.dims)
		return false;
	for (uint32_t i = 0; i < a->shape.dims; i++)
		if (a->shape.size[i] != b->shape.size[i] || a->stride[i] != b->stride[i])
			return false;
	return true;
}

/* Returns the weight with the elements of a view of a constant. */
static uint32_t weight(struct import *im, const struct import_view *v)
{
	const struct onnx_fact *constant = im->t.value[v->constant].fact;
	const int dtype = stored_dtype(constant->tensor);
	const char *data;
	uint32_t number;

	for (size_t i = 0; i < im->weights; i++)
		if (same_view(im, &im->weight[i].view, v))
			return im->weight[i].value;
	struct graph_value *w = add_value(im, constant->name, v->shape, &number);
	w->role = BACKEND_WEIGHT;
	w->fill = FILL_DATA;
	w->counts = constant->tensor && onnx_type_is_float(constant->type);
	w->data_dtype = dtype < 0 ? BACKEND_FLOAT64 : (enum backend_dtype)dtype;
	data = dtype < 0 ? (const char *)kept_numbers(im, v->constant)
	                 : constant->tensor->data.ptr;
	if (data)
		w->data = data + (size_t)v->offset * dtype_bytes(w->data_dtype);
	memcpy(w->data_stride, v->stride, sizeof(w->data_stride));
	*VEC_ADD(im->weight, im->weights, im->weight_cap) =
	    (struct import_weight){ *v, number };
	return number;
}

/* Adds a view of a value of the graph. */
static uint32_t add_view(struct import *im, const struct import_view *v)
{
	const struct graph_value *base = &im->g->value[v->base];
	enum backend_dtype dtype = base->dtype;
	enum backend_role role = base->role;
	char *name = str_format("%s.view", base->name);
	uint32_t number;
	struct graph_value *made = add_value(im, text_of(name), v->shape, &number);

	made->dtype = dtype;
	made->role = role;
	made->of = v->base;
	made->offset = v->offset;
	for (uint32_t i = 0; i < made->dims; i++)
		made->stride[i] = v->stride[i];
	free(name);
	return number;
}

/* Returns whether a view is all of its base, in the base's order. */
static bool is_all(const struct import *im, const struct import_view *v)
{
	return !v->is_constant && v->offset == 0 && import_contiguous(v) &&
	       import_count(&v->shape) == graph_elements(&im->g->value[v->base]);
}

/* Returns the value of a view that has the right sizes. */
static uint32_t value_of(struct import *im, const struct import_view *v)
{
	const struct graph_value *base = &im->g->value[v->base];
	bool same = is_all(im, v) && base->dims == v->shape.dims;

	for (uint32_t i = 0; same && i < v->shape.dims; i++)
		same = base->size[i] == v->shape.size[i];
	return same ? v->base : add_view(im, v);
}

/* Returns a contiguous copy of a view. */
static struct import_view copied(struct import *im, const struct import_view *v)
{
	uint32_t value = import_new(im, import_shortened(v->shape));
	struct import_view to = import_whole(im, value, v->shape);

	if (!im->t.failed && !v->is_constant)
		im->g->value[value].dtype = im->g->value[v->base].dtype;
	import_move(im, *v, to);
	return to;
}

struct import_view import_numbers(struct import *im, struct import_view v)
{
	struct import_view to;

	if (im->t.failed || v.is_constant || im->g->value[v.base].dtype == im->dtype)
		return v;
	to = import_whole(im, import_new(im, import_shortened(v.shape)), v.shape);
	import_move(im, v, to);
	return to;
}

/* Joins dimensions of two views of the same sizes where that is possible in both, and drops
 * those of one element. */
static void join_dims(struct import_view *a, struct import_view *b)
{
	uint32_t dims = 0;

	for (uint32_t i = 0; i < a->shape.dims; i++) {
		const int64_t size = a->shape.size[i];

		if (size == 1)
			continue;
		if (dims && a->stride[dims - 1] == size * a->stride[i] &&
		    b->stride[dims - 1] == size * b->stride[i])
			a->shape.size[dims - 1] *= size;
		else
			a->shape.size[dims++] = size;
		a->stride[dims - 1] = a->stride[i];
		b->stride[dims - 1] = b->stride[i];
	}
	if (!dims) {
		a->shape.size[0] = a->stride[0] = b->stride[0] = 1;
		dims = 1;
	}
	a->shape.dims = dims;
	b->shape = a->shape;
}

/* Returns the weight with the elements of a view of a constant in their order, whose
 * dimensions are joined where that is possible. */
static uint32_t joined_weight(struct import *im, struct import_view v)
{
	struct import_view same = v;

	join_dims(&v, &same);
	return weight(im, &v);
}

uint32_t import_operand(struct import *im, struct import_view v, struct trace_shape shape,
    enum import_form form)
{
	struct import_view out = v;

	if (im->t.failed || import_count(&v.shape) != import_count(&shape)) {
		trace_fail(&im->t, im->now, "an operand has another number of elements");
		return import_new(im, IMPORT_SHAPE(1));
	}
	bool fits = import_reshape(&out, shape);
	if (v.is_constant) {
		if (fits)
			return weight(im, &out);
		out = import_whole(im, joined_weight(im, v), shape);
		return value_of(im, &out);
	}
	if (!fits ||
	    !(form == IMPORT_ROWS ? import_in_rows(&out) : import_contiguous(&out))) {
		out = copied(im, &v);
		(void)import_reshape(&out, shape);
	}
	return value_of(im, &out);
}

/* Returns a value with the elements of a view; a view of the whole base keeps the sizes of
 * the base. */
static uint32_t flat(struct import *im, struct import_view v)
{
	return is_all(im, &v)
	           ? v.base
	           : import_operand(im, v, import_shortened(v.shape), IMPORT_WHOLE);
}

struct import_rows import_as_rows(struct import *im, struct import_view v, uint32_t fixed)
{
	struct import_rows r = { .fixed = fixed };
	int64_t width = 1;

	for (uint32_t i = v.shape.dims - (fixed < v.shape.dims ? fixed : v.shape.dims);
	     i < v.shape.dims; i++)
		width *= v.shape.size[i];
	if (!v.is_constant && import_memory_order(&v, fixed, r.order))
		v = import_permute(v, r.order);
	else
		for (uint32_t i = 0; i < v.shape.dims; i++)
			r.order[i] = i;
	r.shape = v.shape;
	const struct graph_value *base = v.is_constant ? NULL : &im->g->value[v.base];
	if (!fixed || (is_all(im, &v) && base->size[base->dims - 1] == width))
		r.value = flat(im, v);
	else
		r.value = import_operand(im, v,
		    IMPORT_SHAPE(import_count(&v.shape) / width, width), IMPORT_WHOLE);
	return r;
}

struct import_view import_rows_view(struct import *im, const struct import_rows *rows,
    struct trace_shape shape, uint32_t value)
{
	struct trace_shape turned = shape;
	struct import_view v, out;

	for (uint32_t i = 0; i < shape.dims; i++)
		turned.size[i] = shape.size[rows->order[i]];
	out = v = import_whole(im, value, turned);
	for (uint32_t i = 0; i < shape.dims; i++) {
		out.shape.size[rows->order[i]] = v.shape.size[i];
		out.stride[rows->order[i]] = v.stride[i];
	}
	return out;
}

void import_done_rows(struct import *im, const struct trace_node *n,
    const struct import_rows *rows, uint32_t value)
{
	const uint32_t out = trace_out(n, 0);

	if (out != TRACE_NONE && !im->t.failed)
		im->view[out] = import_rows_view(im, rows, im->t.value[out].shape, value);
}

struct import_view import_reshaped(
    struct import *im, struct import_view v, struct trace_shape shape)
{
	struct import_view out = v;

	if (import_reshape(&out, shape))
		return out;
	if (v.is_constant)
		return import_whole(im, joined_weight(im, v), shape);
	out = copied(im, &v);
	if (!import_reshape(&out, shape))
		trace_fail(&im->t, im->now, "the sizes do not fit");
	return out;
}

uint32_t import_vector(struct import *im, uint32_t value, int64_t size)
{
	if (value == TRACE_NONE)
		return GRAPH_NONE;
	return import_operand(im, import_see(im, value), IMPORT_SHAPE(size), IMPORT_WHOLE);
}

uint32_t import_number(struct import *im, double number, int64_t count)
{
	uint32_t value;
	struct graph_value *v =
	    add_value(im, TEXT("constant"), IMPORT_SHAPE(count), &value);

	v->role = BACKEND_WEIGHT;
	v->fill = FILL_VALUE;
	v->at = number;
	return value;
}

/* Returns a weight with these elements of a type, which the graph frees. */
static uint32_t typed_constant(
    struct import *im, void *elements, enum backend_dtype dtype, struct trace_shape shape)
{
	uint32_t value;
	struct graph_value *v = add_value(im, present_name(im), shape, &value);

	v->role = BACKEND_WEIGHT;
	v->fill = FILL_DATA;
	v->data_dtype = dtype;
	v->data = keep(im->g, elements);
	memcpy(v->data_stride, v->stride, sizeof(v->data_stride));
	return value;
}

uint32_t import_constant(struct import *im, double *elements, struct trace_shape shape)
{
	return typed_constant(im, elements, BACKEND_FLOAT64, shape);
}

uint32_t import_floats(struct import *im, float *elements, struct trace_shape shape)
{
	return typed_constant(im, elements, BACKEND_FLOAT32, shape);
}

uint32_t import_integers(struct import *im, int32_t *elements, struct trace_shape shape)
{
	const uint32_t value = typed_constant(im, elements, BACKEND_INT32, shape);

	im->g->value[value].dtype = BACKEND_INT32;
	return value;
}

void import_move(struct import *im, struct import_view from, struct import_view to)
{
	if (im->t.failed)
		return;
	if (from.is_constant)
		from = import_whole(im,
		    import_operand(im, from, import_shortened(from.shape), IMPORT_WHOLE),
		    from.shape);
	join_dims(&from, &to);
	if (from.shape.dims <= BACKEND_DIMS) {
		uint32_t a = value_of(im, &from), b = value_of(im, &to);

		import_node(im, BACKEND_MOVE, b, a, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE)
		    ->p.move.alpha = 1;
		return;
	}
	/* One copy for each place of the first dimension. */
	const int64_t count = from.shape.size[0], step = from.stride[0],
	              to_step = to.stride[0];
	if (count > MOVES_MAX)
		trace_lack(
		    &im->t, im->now, "a copy has more than %d dimensions", BACKEND_DIMS);
	from.shape.size[0] = to.shape.size[0] = 1;
	for (int64_t i = 0; i < count && !im->t.failed; i++) {
		import_move(im, from, to);
		from.offset += step;
		to.offset += to_step;
	}
}
