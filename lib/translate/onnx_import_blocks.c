/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Constants whose numbers are packed in bytes and have a scale for each block:
 * DequantizeLinear, and GatherBlockQuantized and MatMulNBits of ONNX Runtime; see
 * onnx_import_priv.h. They become weights in float32, as which ONNX Runtime computes them.
 */
#include <math.h>
#include <stdlib.h>

#include "translate/onnx_import_priv.h"

/* Whole numbers of 2, 4 or 8 bits, the first in the lowest bits of a byte. */
struct packed {
	const unsigned char *byte;
	unsigned char *copy;
	int64_t count;
	uint32_t bits;
	bool is_signed;
};

/* Opens the numbers of a constant. bits: of numbers that are packed in bytes of uint8; 8: a
 * number is a byte. Returns false if it has no such numbers. Free p->copy. */
static bool packed_open(struct import *im, uint32_t value, uint32_t bits, struct packed *p)
{
	static const struct {
		enum onnx_type type;
		bool is_signed;
	} types[] = { { ONNX_UINT8, false }, { ONNX_INT8, true }, { ONNX_UINT4, false },
		{ ONNX_INT4, true }, { ONNX_UINT2, false }, { ONNX_INT2, true } };
	const struct onnx_fact *fact = value == TRACE_NONE ? NULL : im->t.value[value].fact;
	const struct onnx_tensor *tensor = fact ? fact->tensor : NULL;
	struct fault ignored;

	*p = (struct packed){ 0 };
	for (size_t i = 0; i < COUNT(types) && tensor; i++)
		if (tensor->type == types[i].type && fact->type == types[i].type) {
			p->bits = onnx_type_bits(tensor->type);
			p->is_signed = types[i].is_signed;
		}
	if (!p->bits)
		return false;
	p->bits = tensor->type == ONNX_UINT8 ? bits : p->bits;
	p->count = (int64_t)tensor->elements;
	if (tensor->type == ONNX_UINT8)
		p->count *= 8 / bits;
	p->byte = (const unsigned char *)tensor->data.ptr;
	if (p->byte)
		return true;
	p->copy = mem_zero((size_t)tensor->bytes + 1, 1);
	p->byte = p->copy;
	return onnx_tensor_read(tensor, p->copy, &ignored) == 0;
}

static double packed_number(const struct packed *p, int64_t i)
{
	const uint32_t each = 8 / p->bits, mask = (1u << p->bits) - 1;
	const uint32_t number =
	    (uint32_t)p->byte[i / each] >> ((uint32_t)(i % each) * p->bits) & mask;

	return p->is_signed && number >> (p->bits - 1) ? (double)number - (mask + 1)
	                                               : (double)number;
}

/* Adds a weight with these elements, which count as parameters. Returns it. */
static uint32_t block_weight(struct import *im, float *number, struct trace_shape shape)
{
	const uint32_t weight = import_floats(im, number, shape);

	im->g->value[weight].counts = true;
	return weight;
}

/* A constant [outer,axis,inner] that is dequantized: the number of the scale of an element
 * is the sum of its places times these steps, of which that of the axis is divided by the
 * block first. */
struct block_tensor {
	struct packed number, zero;
	const struct onnx_fact *scale;
	bool has_zero;
	double otherwise; /* the zero point if there is none */
	int64_t outer, axis, inner, block;
	int64_t outer_step, block_step, inner_step;
	/* The zero points of a row of scales, and how many numbers their bytes hold. */
	int64_t zeros, zero_room;
};

/* Finds the blocks along the axis. Returns false if the scales do not fit them. */
static bool blocks_find(
    const struct trace_node *n, const struct trace_shape *shape, struct block_tensor *b)
{
	const int64_t given = rule_int(&n->call, "axis", 1),
	              axis = given < 0 ? given + (int64_t)shape->dims : given,
	              scales = onnx_fact_elements(b->scale),
	              block = rule_int(&n->call, "block_size", 0);

	b->outer = b->inner = b->axis = b->block = 1;
	if (scales == 1 && block == 0) {
		b->axis = import_count(shape);
		return true;
	}
	if (axis < 0 || axis >= (int64_t)shape->dims || block < 0)
		return false;
	for (uint32_t i = 0; i < shape->dims; i++)
		*(i < axis      ? &b->outer
		    : i == axis ? &b->axis
		                : &b->inner) *= shape->size[i];
	if (block == 0) { /* a scale for each place of the axis */
		b->block_step = 1;
		return scales == b->axis && b->scale->dims == 1;
	}
	b->block = block;
	b->inner_step = 1;
	b->block_step = b->inner;
	b->outer_step = (b->axis / block + (b->axis % block != 0)) * b->inner;
	return scales == b->outer * b->outer_step;
}

/* Opens the operands. Returns false if they are not constants that fit each other. */
static bool blocks_open(struct import *im, const struct trace_node *n,
    const struct trace_shape *shape, struct block_tensor *b)
{
	const bool packs = trace_is(n, "DequantizeBlocks");
	const int64_t bits = packs ? rule_int(&n->call, "bits", 4) : 8;
	const uint32_t zero = trace_in(n, 2);

	*b = (struct block_tensor){ .has_zero = zero != TRACE_NONE,
		.scale = trace_constant(&im->t, trace_in(n, 1)) };
	if ((bits != 2 && bits != 4 && bits != 8) || !b->scale || !b->scale->real ||
	    !packed_open(im, trace_in(n, 0), (uint32_t)bits, &b->number) ||
	    (b->has_zero && !packed_open(im, zero, (uint32_t)bits, &b->zero)) ||
	    !blocks_find(n, shape, b))
		return false;
	const bool in_bytes = im->t.value[n->in[0]].fact->type == ONNX_UINT8;
	const int64_t each = packs && in_bytes ? 8 / bits : 1;
	b->otherwise = packs && in_bytes ? 1 << (bits - 1) : 0;
	b->zeros = b->scale->dims ? b->scale->dim[b->scale->dims - 1] : 1;
	b->zero_room = (b->zeros + each - 1) / each * each;
	return b->number.count == import_count(shape) && b->zeros > 0 &&
	       (!b->has_zero ||
	           b->zero.count == onnx_fact_elements(b->scale) / b->zeros * b->zero_room);
}

static double block_zero(const struct block_tensor *b, int64_t scale)
{
	return b->has_zero ? packed_number(&b->zero,
	                         scale / b->zeros * b->zero_room + scale % b->zeros)
	                   : b->otherwise;
}

/* Returns the elements of a constant. */
static float *blocks_read(const struct block_tensor *b)
{
	float *number = mem_zero((size_t)b->number.count + 1, sizeof(*number));
	int64_t at = 0;

	for (int64_t i = 0; i < b->outer; i++)
		for (int64_t k = 0; k < b->axis; k++)
			for (int64_t j = 0; j < b->inner; j++, at++) {
				const int64_t scale = i * b->outer_step +
				                      k / b->block * b->block_step +
				                      j * b->inner_step;

				number[at] = (float)((packed_number(&b->number, at) -
				                         block_zero(b, scale)) *
				                     onnx_fact_number(b->scale, scale));
			}
	return number;
}

/* A constant that is dequantized. */
void import_dequantize_blocks(IMPORT_PARAMS)
{
	const struct trace_shape shape = *import_made(im, n, 0);
	struct block_tensor b;

	(void)m;
	if (!blocks_open(im, n, &shape, &b))
		trace_lack(&im->t, n,
		    "it is not a constant of 2, 4 or 8 bits with constant scales that fit "
		    "it");
	else
		import_output(im, n, 0,
		    import_whole(im,
		        block_weight(im, blocks_read(&b), import_shortened(shape)), shape));
	free(b.number.copy);
	free(b.zero.copy);
}

/* The weight of a MatMulNBits: rows of blocks, each of which has a scale and a zero point.
 * The blocks and the zero points of a row fill whole bytes. */
struct bits_weight {
	struct packed number, zero;
	const struct onnx_fact *scale, *real_zero; /* real_zero may be NULL */
	int64_t rows, width, blocks, block, zero_room;
	bool has_zero;
};

/* Opens the zero points. Returns false if there are not enough. */
static bool bits_zeros_open(
    struct import *im, uint32_t zero, uint32_t bits, struct bits_weight *w)
{
	const int64_t each = 8 / bits;

	w->has_zero = zero != TRACE_NONE;
	w->zero_room = (w->blocks + each - 1) / each * each;
	if (!w->has_zero)
		return true;
	if (packed_open(im, zero, bits, &w->zero))
		return w->zero.count == w->rows * w->zero_room;
	w->real_zero = trace_constant(&im->t, zero);
	return w->real_zero && w->real_zero->real &&
	       onnx_fact_elements(w->real_zero) == w->rows * w->blocks;
}

/* Opens the operands. Returns false if they are not constants that fit each other. */
static bool bits_open(struct import *im, const struct trace_node *n, struct bits_weight *w)
{
	const int64_t bits = rule_int(&n->call, "bits", 4);

	*w = (struct bits_weight){ .scale = trace_constant(&im->t, trace_in(n, 2)),
		.rows = rule_int(&n->call, "N", 0),
		.width = rule_int(&n->call, "K", 0),
		.block = rule_int(&n->call, "block_size", 0) };
	if ((bits != 2 && bits != 4 && bits != 8) || w->block < 8 || w->block > INT32_MAX ||
	    w->block % 8 || w->rows < 1 || w->rows > INT32_MAX || w->width < 1 ||
	    w->width > INT32_MAX)
		return false;
	w->blocks = (w->width + w->block - 1) / w->block;
	return packed_open(im, trace_in(n, 1), (uint32_t)bits, &w->number) && w->scale &&
	       w->scale->real && w->number.count / w->block == w->rows * w->blocks &&
	       onnx_fact_elements(w->scale) == w->rows * w->blocks &&
	       bits_zeros_open(im, trace_in(n, 3), (uint32_t)bits, w) &&
	       trace_in(n, 4) == TRACE_NONE;
}

/* Returns the zero point of a block. */
static double bits_zero(const struct bits_weight *w, int64_t row, int64_t block)
{
	if (!w->has_zero)
		return 1 << (w->number.bits - 1);
	return w->real_zero ? w->real_zero->real[row * w->blocks + block]
	                    : packed_number(&w->zero, row * w->zero_room + block);
}

/* Returns the weight [rows,width]. */
static float *bits_read(const struct bits_weight *w)
{
	float *number = mem_zero((size_t)(w->rows * w->width), sizeof(*number));

	for (int64_t i = 0; i < w->rows; i++)
		for (int64_t k = 0; k < w->width; k++) {
			const int64_t block = k / w->block, at = i * w->blocks + block;

			number[i * w->width + k] =
			    (float)((packed_number(
			                 &w->number, at * w->block + k % w->block) -
			                bits_zero(w, i, block)) *
			            w->scale->real[at]);
		}
	return number;
}

void import_matmul_bits(IMPORT_PARAMS)
{
	const struct import_rows rows = import_as_rows(im, import_input(im, n, 0), 1);
	struct bits_weight w = { 0 };

	(void)m;
	if (im->t.failed || !bits_open(im, n, &w)) {
		trace_lack(&im->t, n,
		    "its weight is not made of blocks of 2, 4 or 8 bits that are "
		    "constants");
	} else {
		const int64_t count = import_count(&rows.shape) / w.width;
		const uint32_t weight = block_weight(
		                   im, bits_read(&w), IMPORT_SHAPE(w.rows, w.width)),
		               bias = import_vector(im, trace_in(n, 5), w.rows),
		               x = im->g->value[rows.value].dims == 2
			               ? rows.value
			               : import_operand(im,
		                             import_whole(im, rows.value, rows.shape),
		                             IMPORT_SHAPE(count, w.width), IMPORT_WHOLE),
		               out = import_new(im, IMPORT_SHAPE(count, w.rows));
		struct backend_op *op =
		    import_node(im, BACKEND_GEMM, out, x, weight, bias, GRAPH_NONE);

		op->p.gemm.alpha = 1;
		op->p.gemm.transpose = true;
		import_done_rows(im, n, &rows, out);
	}
	free(w.number.copy);
	free(w.zero.copy);
}
