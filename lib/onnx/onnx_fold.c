/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folds tensors: decodes them, and moves their elements; see onnx_fold_priv.h,
 * onnx_fold_index.c and onnx_fold_number.c.
 */
#include <math.h>
#include <stdlib.h>

#include "onnx/onnx_fold_priv.h"

/* Of operands with more floating-point numbers than this, operators that only place
 * elements are not folded: they are weights. */
enum { PLACED_MAX = 65536 };

bool fold_is_integer(int64_t type)
{
	return (type >= ONNX_UINT8 && type <= ONNX_INT64) || type == ONNX_BOOL ||
	       type == ONNX_UINT32 || type == ONNX_UINT64;
}

bool fold_is_real(int64_t type)
{
	return type == ONNX_FLOAT || type == ONNX_DOUBLE || type == ONNX_FLOAT16 ||
	       type == ONNX_BFLOAT16;
}

/* Returns the number with these bits. */
static double real_of(int64_t type, uint64_t bits)
{
	const int exponent = (int)(bits >> 10 & 31), part = (int)(bits & 1023);
	const double sign = bits >> 15 & 1 ? -1 : 1;
	double number;
	float single;

	if (type == ONNX_DOUBLE) {
		memcpy(&number, &bits, sizeof(bits));
		return number;
	}
	if (type == ONNX_FLOAT16 && exponent == 31)
		return part ? (double)NAN : sign * (double)INFINITY;
	if (type == ONNX_FLOAT16)
		return sign *
		       (exponent ? ldexp(1024 + part, exponent - 25) : ldexp(part, -24));
	memcpy(&single, &(uint32_t){ (uint32_t)bits << (type == ONNX_BFLOAT16 ? 16 : 0) },
	    sizeof(single));
	return (double)single;
}

/* Makes an element of its little-endian bytes. */
static union fold_cell decode(int64_t type, const char *at)
{
	const uint32_t bytes = onnx_type_bits(type) / 8;
	const bool is_signed =
	    type == ONNX_INT8 || type == ONNX_INT16 || type == ONNX_INT32;
	const uint64_t sign = is_signed ? UINT64_C(1) << (8 * bytes - 1) : 0;
	uint64_t bits = 0;

	for (uint32_t i = 0; i < bytes; i++)
		bits |= (uint64_t)(unsigned char)at[i] << (8 * i);
	return fold_is_real(type) ? (union fold_cell){ .r = real_of(type, bits) }
	                          : (union fold_cell){ (int64_t)((bits ^ sign) - sign) };
}

/* Decodes a tensor of integers or real numbers. */
static bool decode_tensor(const struct onnx_tensor *t, union fold_cell *out)
{
	const size_t width = onnx_type_bits(t->type) / 8;
	char *copy = t->data.ptr ? NULL : mem_zero((size_t)t->bytes, 1);
	const char *bytes = copy ? copy : t->data.ptr;
	struct fault ignored;
	const bool is_read = !copy || onnx_tensor_read(t, copy, &ignored) == 0;

	if (t->type == ONNX_FLOAT) /* the most frequent type, in the form of the memory */
		for (size_t i = 0; i < t->elements && is_read; i++) {
			float single;

			memcpy(&single, bytes + i * width, sizeof(single));
			out[i].r = (double)single;
		}
	else
		for (size_t i = 0; i < t->elements && is_read; i++)
			out[i] = decode(t->type, bytes + i * width);
	free(copy);
	return is_read;
}

static void keep(struct onnx_fact *v, const union fold_cell *cells)
{
	if (fold_is_real(v->type))
		v->real = &cells->r;
	else
		v->integer = &cells->i;
}

/* Returns an array for the elements of a value, or NULL if there are too many. */
static union fold_cell *fold_room(struct onnx_shapes *s, int64_t elements)
{
	if (elements > (int64_t)s->fold_max || (size_t)elements > s->folded_max - s->folded)
		return NULL;
	s->folded += (size_t)elements;
	return arena_zero(&s->arena, (size_t)elements, sizeof(union fold_cell));
}

bool onnx_fact_known(struct onnx_shapes *s, const struct onnx_fact *v)
{
	union fold_cell *cells;

	if (v->integer || v->real)
		return true;
	if (!v->tensor || !v->has_shape ||
	    (uint64_t)onnx_fact_elements(v) != v->tensor->elements ||
	    !(fold_is_real(v->type)
	            ? fold_is_real(v->tensor->type)
	            : fold_is_integer(v->type) && fold_is_integer(v->tensor->type)))
		return false;
	cells = fold_room(s, onnx_fact_elements(v));
	if (!cells || !decode_tensor(v->tensor, cells))
		return false;
	keep(&s->fact[v - s->fact], cells);
	return true;
}

void onnx_fold_equal(struct onnx_shapes *s, struct onnx_fact *v, int64_t number)
{
	const int64_t elements = onnx_fact_elements(v);
	union fold_cell *cells =
	    fold_is_integer(v->type) && v->has_shape ? fold_room(s, elements) : NULL;

	for (int64_t i = 0; i < elements && cells; i++)
		cells[i].i = number;
	if (cells)
		keep(v, cells);
}

void fold_strides(const struct onnx_fact *v, int64_t stride[ONNX_DIMS_MAX])
{
	int64_t step = 1;

	for (uint32_t i = v->dims; i-- > 0;) {
		stride[i] = step;
		step *= v->dim[i];
	}
}

struct fold_walk fold_walk_of(
    const struct folding *f, uint32_t result_dims, uint32_t i, uint32_t dims)
{
	struct fold_walk w = { .dim = f->result->dim, .dims = result_dims };
	int64_t own[ONNX_DIMS_MAX];

	fold_strides(f->shape[i], own);
	for (uint32_t j = 1; j <= dims; j++)
		if (f->shape[i]->dim[dims - j] != 1)
			w.stride[result_dims - j] = own[dims - j];
	return w;
}

struct fold_walk fold_broadcast(const struct folding *f, uint32_t i)
{
	return fold_walk_of(f, f->result->dims, i, f->shape[i]->dims);
}

bool fold_copy(const struct folding *f, const union fold_cell *in, struct fold_walk w)
{
	for (int64_t i = 0; i < f->elements; i++, fold_walk_on(&w))
		f->out[i] = in[w.from];
	return true;
}

/* Begins a walk over the result with the strides of operand 0. */
static struct fold_walk walk_strided(const struct folding *f)
{
	struct fold_walk w = { .dim = f->result->dim, .dims = f->result->dims };

	fold_strides(f->shape[0], w.stride);
	return w;
}

static bool fold_transpose(const struct folding *f)
{
	const uint32_t rank = f->result->dims;
	uint32_t count;
	const int64_t *perm = rule_ints(f->call, "perm", &count);
	struct fold_walk w = walk_strided(f);
	int64_t own[ONNX_DIMS_MAX];

	memcpy(own, w.stride, sizeof(own));
	for (uint32_t i = 0; i < rank; i++)
		w.stride[i] = own[perm ? perm[i] : (int64_t)(rank - 1 - i)];
	return fold_copy(f, f->in[0], w);
}

static bool fold_expand(const struct folding *f)
{
	return fold_copy(f, f->in[0], fold_broadcast(f, 0));
}

static bool fold_slice(const struct folding *f)
{
	struct fold_walk w = walk_strided(f);
	struct rule_part part;

	if (rule_sliced(f->call, &part) != RULE_FINE)
		return false;
	for (uint32_t i = 0; i < w.dims && f->elements; i++) {
		w.from += part.from[i] * w.stride[i];
		w.stride[i] *= part.step[i];
	}
	return fold_copy(f, f->in[0], w);
}

static bool fold_split(const struct folding *f)
{
	struct fold_walk w = walk_strided(f);
	uint32_t axis;

	if (!rule_axis(f->call, rule_int(f->call, "axis", 0), w.dims, &axis))
		return false;
	for (uint32_t i = 0; i < f->which; i++) {
		if (!f->call->out[i]) /* its size is not kept */
			return false;
		w.from += f->call->out[i]->dim[axis] * w.stride[axis];
	}
	return fold_copy(f, f->in[0], w);
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
	outer = (int64_t)rule_product(f->result->dim, axis);
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
	union fold_cell cell = { 0 };

	if (a && a->t && (a->t->elements != 1 || !decode_tensor(a->t, &cell)))
		return false;
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

/* How an operator gets its elements. */
enum move_kind {
	MOVE_ALL,    /* from those of its operands */
	MOVE_PLACED, /* from those of operand 0, each of which remains what it is */
	MOVE_SAME,   /* they are those of operand 0, in the same order */
	MOVE_SIZES   /* from shapes and attributes */
};

/* Operators that move elements or make them of shapes. */
static const struct {
	const char *op;
	fold_function *fold;
	enum move_kind kind;
} moves[] = {
	{ "Concat", fold_concat, MOVE_ALL },
	{ "Constant", fold_constant, MOVE_SIZES },
	{ "ConstantOfShape", fold_filled, MOVE_SIZES },
	{ "CumSum", fold_cumsum, MOVE_ALL },
	{ "DequantizeLinear", fold_dequantize, MOVE_ALL },
	{ "Dropout", NULL, MOVE_SAME },
	{ "Einsum", fold_einsum, MOVE_ALL },
	{ "Expand", fold_expand, MOVE_PLACED },
	{ "Flatten", NULL, MOVE_SAME },
	{ "Gather", fold_gather, MOVE_ALL },
	{ "GatherElements", fold_gather_elements, MOVE_ALL },
	{ "GatherND", fold_gather_nd, MOVE_ALL },
	{ "Identity", NULL, MOVE_SAME },
	{ "MatMul", fold_matmul, MOVE_ALL },
	{ "NonZero", fold_non_zero, MOVE_ALL },
	{ "Pad", fold_pad, MOVE_ALL },
	{ "QuantizeLinear", fold_quantize, MOVE_ALL },
	{ "Reshape", NULL, MOVE_SAME },
	{ "Shape", fold_shape, MOVE_SIZES },
	{ "Size", fold_size, MOVE_SIZES },
	{ "Slice", fold_slice, MOVE_PLACED },
	{ "Split", fold_split, MOVE_PLACED },
	{ "Squeeze", NULL, MOVE_SAME },
	{ "Transpose", fold_transpose, MOVE_PLACED },
	{ "Trilu", fold_trilu, MOVE_ALL },
	{ "Unsqueeze", NULL, MOVE_SAME },
};

/* Finds how the elements of a result are computed. Returns false if they are not. */
static bool find_move(
    const struct rule_call *c, uint32_t which, fold_function **fold, enum move_kind *kind)
{
	*kind = MOVE_ALL;
	*fold = NULL;
	for (size_t i = 0; i < COUNT(moves); i++)
		if (text_is(c->node->op, moves[i].op)) {
			*fold = moves[i].fold;
			*kind = moves[i].kind;
			return which == 0 || *fold == fold_split;
		}
	*fold = rule_int(c, "fmod", 0) ? NULL : fold_numbers_of(c->node->op);
	if (!*fold || which != 0)
		return false;
	/* No other type is rounded. */
	if (text_is(c->node->op, "Cast") && fold_is_real(c->in[0]->type) &&
	    fold_is_real(c->out[0]->type))
		*kind = c->in[0]->type == ONNX_DOUBLE && c->out[0]->type == ONNX_FLOAT
		            ? MOVE_PLACED
		            : MOVE_SAME;
	return true;
}

/* Whether a value is a constant, which may have too many elements. */
static bool is_constant(const struct onnx_fact *v)
{
	return v->integer || v->real || v->tensor;
}

/* Finds the elements of the operands. Returns false if some are not known, or if reading
 * them would take too long. */
static bool find_operands(struct folding *f)
{
	struct onnx_shapes *s = f->call->shapes;
	double work = 0;

	for (uint32_t i = 0; i < f->ins; i++) {
		if (f->shape[i] && !is_constant(f->shape[i]))
			return false;
		/* An operand may be repeated to the shape of the result. */
		if (f->shape[i])
			work +=
			    (double)onnx_fact_elements(f->shape[i]) + (double)f->elements;
	}
	if (s->fold_work + work > s->fold_work_max)
		return false;
	s->fold_work += work;
	for (uint32_t i = 0; i < f->ins; i++) {
		const struct onnx_fact *v = f->shape[i];

		if (v && !onnx_fact_known(s, v))
			return false;
		if (v) /* the first member of the union */
			f->in[i] = v->integer ? (const union fold_cell *)v->integer
			                      : (const union fold_cell *)v->real;
	}
	return true;
}

/* Computes the elements of a result. */
static void fold_result(struct folding *f, struct onnx_fact *result)
{
	fold_function *fold;
	enum move_kind kind;

	if (!find_move(f->call, f->which, &fold, &kind))
		return;
	if (kind == MOVE_SAME) {
		result->integer = f->shape[0]->integer;
		result->real = f->shape[0]->real;
		result->tensor = f->shape[0]->tensor;
		return;
	}
	f->elements = onnx_fact_elements(result);
	if (f->elements > (int64_t)f->call->shapes->fold_max ||
	    (kind == MOVE_PLACED && fold_is_real(f->shape[0]->type) &&
	        onnx_fact_elements(f->shape[0]) > PLACED_MAX) ||
	    (kind != MOVE_SIZES && !find_operands(f)))
		return;
	f->out = fold_room(f->call->shapes, f->elements);
	if (f->out && fold(f))
		keep(result, f->out);
}

void onnx_fold(struct rule_call *c)
{
	struct folding f = { .call = c, .shape = c->in, .ins = c->ins };
	const struct text op = c->node->op;

	/* Of most nodes, operand 0 is not a constant. */
	if (c->node->domain.len || (c->ins && !(c->in[0] && is_constant(c->in[0])) &&
	                               !text_is(op, "Shape") && !text_is(op, "Size")))
		return;
	f.in = mem_zero(f.ins, sizeof(*f.in));
	for (; f.which < c->outs; f.which++) {
		struct onnx_fact *result = c->out[f.which];

		f.result = result;
		if (result && result->has_shape && !result->tensor &&
		    (fold_is_integer(result->type) || fold_is_real(result->type)))
			fold_result(&f, result);
	}
	free(f.in);
}
