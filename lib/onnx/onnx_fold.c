/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folds small tensors: decodes them, and moves their elements; see onnx_fold_priv.h and
 * onnx_fold_number.c.
 */
#include <stdlib.h>

#include "onnx/onnx_fold_priv.h"

bool fold_is_integer(int64_t type)
{
	return (type >= ONNX_UINT8 && type <= ONNX_INT64) || type == ONNX_BOOL ||
	       type == ONNX_UINT32 || type == ONNX_UINT64;
}

bool fold_is_real(int64_t type)
{
	return type == ONNX_FLOAT || type == ONNX_DOUBLE;
}

/* Makes an element of its little-endian bytes. */
static union fold_cell decode(int64_t type, const unsigned char *at)
{
	uint32_t bytes = onnx_type_bits(type) / 8;
	union fold_cell cell = { 0 };
	uint64_t bits = 0;
	float single;

	for (uint32_t i = 0; i < bytes; i++)
		bits |= (uint64_t)at[i] << (8 * i);
	if (type == ONNX_FLOAT) {
		memcpy(&single, &(uint32_t){ (uint32_t)bits }, sizeof(single));
		cell.r = (double)single;
	} else if (type == ONNX_DOUBLE) {
		memcpy(&cell.r, &bits, sizeof(bits));
	} else {
		bool is_signed =
		    type == ONNX_INT8 || type == ONNX_INT16 || type == ONNX_INT32;
		uint64_t sign = is_signed ? UINT64_C(1) << (8 * bytes - 1) : 0;

		cell.i = (int64_t)((bits ^ sign) - sign);
	}
	return cell;
}

static void keep(struct onnx_fact *v, const union fold_cell *cells)
{
	if (fold_is_real(v->type))
		v->real = &cells->r;
	else
		v->integer = &cells->i;
}

size_t onnx_fold_tensor(struct onnx_fact *v, const struct onnx_tensor *t,
    struct arena *arena, size_t elements_max)
{
	size_t width = onnx_type_bits(t->type) / 8;
	union fold_cell *cells;
	unsigned char *bytes;
	struct fault ignored;

	if ((!fold_is_integer(t->type) && !fold_is_real(t->type)) ||
	    t->elements > elements_max || !v->has_shape)
		return 0;
	bytes = mem_zero((size_t)t->bytes, 1);
	if (onnx_tensor_read(t, bytes, &ignored) < 0) {
		free(bytes);
		return 0;
	}
	cells = arena_zero(arena, (size_t)t->elements, sizeof(*cells));
	for (size_t i = 0; i < t->elements; i++)
		cells[i] = decode(t->type, bytes + i * width);
	free(bytes);
	keep(v, cells);
	return (size_t)t->elements;
}

/* Stores the strides of a tensor in rows. */
static void fold_strides(const struct onnx_fact *v, int64_t stride[ONNX_DIMS_MAX])
{
	int64_t step = 1;

	for (uint32_t i = v->dims; i-- > 0;) {
		stride[i] = step;
		step *= v->dim[i];
	}
}

/*
 * Copies elements of one tensor to all places of another: a step in dimension i of the
 * other is a step of stride[i] elements in the first.
 */
static void fold_strided(union fold_cell *out, const int64_t *dim, uint32_t dims,
    const union fold_cell *in, const int64_t *stride)
{
	int64_t at[ONNX_DIMS_MAX] = { 0 }, from = 0;
	uint32_t i;

	if (rule_product(dim, dims) == 0)
		return;
	do {
		*out++ = in[from];
		for (i = dims; i-- > 0;) {
			from += stride[i];
			if (++at[i] < dim[i])
				break;
			from -= stride[i] * dim[i];
			at[i] = 0;
		}
	} while (i != UINT32_MAX);
}

union fold_cell *fold_broadcast(const struct folding *f, uint32_t i)
{
	union fold_cell *all = mem_zero((size_t)f->elements, sizeof(*all));
	const struct onnx_fact *to = f->result, *v = f->shape[i];
	int64_t own[ONNX_DIMS_MAX], stride[ONNX_DIMS_MAX] = { 0 };

	fold_strides(v, own);
	for (uint32_t j = 0; j < v->dims; j++)
		if (v->dim[v->dims - 1 - j] != 1)
			stride[to->dims - 1 - j] = own[v->dims - 1 - j];
	fold_strided(all, to->dim, to->dims, f->in[i], stride);
	return all;
}

static bool fold_copy(const struct folding *f)
{
	if (f->elements)
		memcpy(f->out, f->in[0], (size_t)f->elements * sizeof(*f->out));
	return true;
}

static bool fold_transpose(const struct folding *f)
{
	uint32_t count, rank = f->result->dims;
	const int64_t *perm = rule_ints(f->call, "perm", &count);
	int64_t own[ONNX_DIMS_MAX], stride[ONNX_DIMS_MAX];

	fold_strides(f->shape[0], own);
	for (uint32_t i = 0; i < rank; i++)
		stride[i] = own[perm ? perm[i] : (int64_t)(rank - 1 - i)];
	fold_strided(f->out, f->result->dim, rank, f->in[0], stride);
	return true;
}

static bool fold_expand(const struct folding *f)
{
	union fold_cell *all = fold_broadcast(f, 0);

	if (f->elements)
		memcpy(f->out, all, (size_t)f->elements * sizeof(*f->out));
	free(all);
	return true;
}

/* The shape rule has checked the operands of this and the following operators. */
static bool fold_slice(const struct folding *f)
{
	struct rule_call *c = f->call;
	const struct onnx_fact *x = f->shape[0];
	uint32_t count, ignored, at;
	const int64_t *start = rule_integers(c, 1, "starts", &count);
	const int64_t *end = rule_integers(c, 2, "ends", &ignored);
	const int64_t *axis = rule_integers(c, 3, "axes", &ignored);
	const int64_t *step = rule_integers(c, 4, NULL, &ignored);
	int64_t stride[ONNX_DIMS_MAX], from = 0;

	fold_strides(x, stride);
	for (uint32_t i = 0; i < count; i++) {
		int64_t s = start[i], e = end[i], by = step ? step[i] : 1;

		if (!rule_axis(c, axis ? axis[i] : (int64_t)i, x->dims, &at) ||
		    !rule_slice_range(x->dim[at], &s, &e, by))
			return false;
		for (uint32_t j = 0; j < i; j++) /* an axis that occurs twice */
			if (axis && (axis[j] == axis[i] || axis[j] + x->dims == axis[i] ||
			                axis[i] + x->dims == axis[j]))
				return false;
		if (f->elements)
			from += s * stride[at];
		stride[at] *= by;
	}
	if (f->elements)
		fold_strided(
		    f->out, f->result->dim, f->result->dims, f->in[0] + from, stride);
	return true;
}

/* Returns the product of the sizes before or after a dimension. */
static int64_t product_around(const struct onnx_fact *v, uint32_t axis, bool after)
{
	return after ? (int64_t)rule_product(v->dim + axis + 1, v->dims - axis - 1)
	             : (int64_t)rule_product(v->dim, axis);
}

static bool fold_concat(const struct folding *f)
{
	uint32_t axis;
	int64_t outer, row, at = 0;

	if (!f->elements)
		return true;
	if (!rule_axis(f->call, rule_int(f->call, "axis", 1), f->result->dims, &axis))
		return false;
	for (uint32_t i = 0; i < f->ins; i++)
		if (f->shape[i]->type != f->result->type)
			return false;
	outer = product_around(f->result, axis, false);
	row = f->elements / outer;
	for (uint32_t i = 0; i < f->ins; i++) {
		int64_t part = onnx_fact_elements(f->shape[i]) / outer;

		for (int64_t j = 0; j < outer && part; j++)
			memcpy(f->out + j * row + at, f->in[i] + j * part,
			    (size_t)part * sizeof(*f->out));
		at += part;
	}
	return true;
}

static bool fold_gather(const struct folding *f)
{
	const struct onnx_fact *x = f->shape[0];
	uint32_t axis;
	int64_t outer, inner, picks = onnx_fact_elements(f->shape[1]);
	union fold_cell *out = f->out;

	if (!f->shape[1]->integer ||
	    !rule_axis(f->call, rule_int(f->call, "axis", 0), x->dims, &axis))
		return false;
	outer = product_around(x, axis, false);
	inner = product_around(x, axis, true);
	for (int64_t i = 0; i < outer && f->elements; i++)
		for (int64_t j = 0; j < picks; j++, out += inner) {
			int64_t pick = f->in[1][j].i;

			pick += pick < 0 ? x->dim[axis] : 0;
			if (pick < 0 || pick >= x->dim[axis])
				return false;
			memcpy(out, f->in[0] + (i * x->dim[axis] + pick) * inner,
			    (size_t)inner * sizeof(*out));
		}
	return true;
}

/* Split: of the first result. The others are not folded. */
static bool fold_split(const struct folding *f)
{
	int64_t stride[ONNX_DIMS_MAX];

	fold_strides(f->shape[0], stride);
	fold_strided(f->out, f->result->dim, f->result->dims, f->in[0], stride);
	return true;
}

static bool fold_shape(const struct folding *f)
{
	int64_t rank = f->shape[0]->dims, start = rule_int(f->call, "start", 0);

	start = start < -rank ? 0 : start < 0 ? start + rank : start;
	for (int64_t i = 0; i < f->elements; i++)
		f->out[i].i = f->shape[0]->dim[start + i];
	return true;
}

static bool fold_size(const struct folding *f)
{
	f->out[0].i = onnx_fact_elements(f->shape[0]);
	return true;
}

/* ConstantOfShape */
static bool fold_filled(const struct folding *f)
{
	const struct onnx_attribute *a = onnx_attribute(f->call->node, "value");
	struct onnx_fact value = { .has_shape = true, .type = f->result->type };
	struct arena arena = { 0 };
	union fold_cell cell = { 0 };

	if (a && a->t && !onnx_fold_tensor(&value, a->t, &arena, 1)) {
		arena_free(&arena);
		return false;
	}
	if (value.integer)
		cell.i = *value.integer;
	if (value.real)
		cell.r = *value.real;
	arena_free(&arena);
	for (int64_t i = 0; i < f->elements; i++)
		f->out[i] = cell;
	return true;
}

static bool fold_constant(const struct folding *f)
{
	const struct onnx_attribute *a = &f->call->node->attribute[0];

	for (int64_t i = 0; i < f->elements; i++)
		if (a->type == ONNX_ATTRIBUTE_INTS)
			f->out[i].i = a->ints[i];
		else if (a->type == ONNX_ATTRIBUTE_FLOATS)
			f->out[i].r = (double)a->floats[i];
		else if (a->type == ONNX_ATTRIBUTE_INT)
			f->out[i].i = a->i;
		else
			f->out[i].r = (double)a->f;
	return true;
}

/* Operators that move elements or make them of shapes. */
static const struct {
	const char *op;
	bool (*fold)(const struct folding *f);
	bool needs_no_elements; /* the shapes of the operands suffice */
} moves[] = {
	{ "Concat", fold_concat, false },
	{ "Constant", fold_constant, true },
	{ "ConstantOfShape", fold_filled, false },
	{ "Expand", fold_expand, false },
	{ "Flatten", fold_copy, false },
	{ "Gather", fold_gather, false },
	{ "Identity", fold_copy, false },
	{ "Reshape", fold_copy, false },
	{ "Shape", fold_shape, true },
	{ "Size", fold_size, true },
	{ "Slice", fold_slice, false },
	{ "Split", fold_split, false },
	{ "Squeeze", fold_copy, false },
	{ "Transpose", fold_transpose, false },
	{ "Unsqueeze", fold_copy, false },
};

static size_t move_of(const struct onnx_node *n)
{
	for (size_t i = 0; i < COUNT(moves); i++)
		if (text_is(n->op, moves[i].op))
			return i;
	return COUNT(moves);
}

/* Finds the elements of the operands. Returns false if some are not known. */
static bool find_operands(struct folding *f)
{
	for (uint32_t i = 0; i < f->ins; i++) {
		const struct onnx_fact *v = f->shape[i];

		if (v && v->integer) /* the first member of its union */
			f->in[i] = (const union fold_cell *)v->integer;
		else if (v && v->real)
			f->in[i] = (const union fold_cell *)v->real;
		else if (v)
			return false;
		/* An operand may be repeated to the shape of the result. */
		if (v)
			f->call->fold_work +=
			    (double)onnx_fact_elements(v) + (double)f->elements;
	}
	return true;
}

/* Computes the elements of the first result. */
static bool compute(struct folding *f)
{
	size_t move = move_of(f->call->node);
	bool with_elements = move == COUNT(moves) || !moves[move].needs_no_elements;

	if (with_elements && !find_operands(f))
		return false;
	return move < COUNT(moves) ? moves[move].fold(f) : fold_numbers(f);
}

size_t onnx_fold(struct rule_call *c, size_t elements_max)
{
	struct onnx_fact *result = c->outs ? c->out[0] : NULL;
	struct folding f = { .call = c, .shape = c->in, .ins = c->ins, .result = result };
	size_t kept = 0;

	if (!result || !result->has_shape || (result->node->domain.len) ||
	    onnx_fact_elements(result) > (int64_t)elements_max ||
	    (!fold_is_integer(result->type) && !fold_is_real(result->type)))
		return 0;
	if (result->tensor)
		return onnx_fold_tensor(result, result->tensor, c->arena, elements_max);
	f.elements = onnx_fact_elements(result);
	f.in = mem_zero(f.ins, sizeof(*f.in));
	f.out = mem_zero((size_t)f.elements, sizeof(*f.out));
	if (compute(&f)) {
		union fold_cell *cells =
		    arena_zero(c->arena, (size_t)f.elements, sizeof(*cells));

		memcpy(cells, f.out, (size_t)f.elements * sizeof(*cells));
		keep(result, cells);
		kept = (size_t)f.elements;
	}
	free(f.in);
	free(f.out);
	return kept;
}
