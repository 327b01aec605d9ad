/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fused operators of ONNX Runtime that are no sequence of standard ones; see
 * onnx_import_priv.h and onnx_expand.c.
 */
#include <math.h>

#include "translate/onnx_import_priv.h"

/* The weight of a MatMulNBits: [N,blocks,bytes], in which each block of a row has a scale
 * and a zero point. */
struct bits_weight {
	const struct onnx_fact *packed, *scale, *zero; /* zero may be NULL */
	int64_t rows, width, blocks, block, bits;
};

/* Reads the operands. Returns false if they are not available. */
static bool bits_read(struct import *im, const struct trace_node *n, struct bits_weight *w)
{
	*w = (struct bits_weight){ .packed = trace_constant(&im->t, trace_in(n, 1)),
		.scale = trace_constant(&im->t, trace_in(n, 2)),
		.zero = trace_constant(&im->t, trace_in(n, 3)),
		.rows = rule_int(&n->call, "N", 0),
		.width = rule_int(&n->call, "K", 0),
		.bits = rule_int(&n->call, "bits", 4),
		.block = rule_int(&n->call, "block_size", 0) };
	if ((w->bits != 2 && w->bits != 4 && w->bits != 8) || w->block < 8 ||
	    w->block > INT32_MAX || w->block % 8 || w->rows < 1 || w->rows > INT32_MAX ||
	    w->width < 1 || w->width > INT32_MAX)
		return false;
	w->blocks = (w->width + w->block - 1) / w->block;
	return w->packed && w->packed->integer && w->scale && w->scale->real &&
	       onnx_fact_elements(w->packed) / (w->block * w->bits / 8) ==
	           w->rows * w->blocks &&
	       onnx_fact_elements(w->scale) == w->rows * w->blocks &&
	       (trace_in(n, 3) == TRACE_NONE ||
	           (w->zero && (w->zero->real || w->zero->type == ONNX_UINT8))) &&
	       trace_in(n, 4) == TRACE_NONE;
}

/* Returns number i of a row of packed ones, which begins at a byte. */
static double bits_number(const int64_t *row, int64_t bits, int64_t i)
{
	const int64_t each = 8 / bits;

	return (double)(row[i / each] >> (i % each * bits) & ((1 << bits) - 1));
}

/* Returns the zero point of a block. */
static double bits_zero(const struct bits_weight *w, int64_t row, int64_t block)
{
	const int64_t bytes = (w->blocks * w->bits + 7) / 8;

	if (!w->zero)
		return (double)(1 << (w->bits - 1));
	return w->zero->real ? w->zero->real[row * w->blocks + block]
	                     : bits_number(w->zero->integer + row * bytes, w->bits, block);
}

/* Returns whether there is a zero point for each block. */
static bool bits_zeros_fit(const struct bits_weight *w)
{
	const int64_t bytes = (w->blocks * w->bits + 7) / 8;

	return !w->zero ||
	       onnx_fact_elements(w->zero) == w->rows * (w->zero->real ? w->blocks : bytes);
}

void import_matmul_bits(IMPORT_PARAMS)
{
	struct bits_weight w;
	double *number;
	uint32_t weight, bias, x, out;

	(void)m;
	if (!bits_read(im, n, &w) || !bits_zeros_fit(&w)) {
		trace_lack(&im->t, n,
		    "its weight is not made of blocks of 2, 4 or 8 bits that are "
		    "constants");
		return;
	}
	const struct import_rows rows = import_as_rows(im, import_input(im, n, 0), 1);
	if (im->t.failed)
		return;
	number = mem_zero((size_t)(w.rows * w.width), sizeof(*number));
	for (int64_t i = 0; i < w.rows; i++)
		for (int64_t k = 0; k < w.width; k++) {
			const int64_t block = k / w.block, at = i * w.blocks + block;
			const int64_t *bytes =
			    w.packed->integer + at * (w.block * w.bits / 8);

			number[i * w.width + k] = (bits_number(bytes, w.bits, k % w.block) -
			                              bits_zero(&w, i, block)) *
			                          w.scale->real[at];
		}
	weight = import_constant(im, number, IMPORT_SHAPE(w.rows, w.width));
	im->g->value[weight].counts = true;
	bias = import_vector(im, trace_in(n, 5), w.rows);
	const int64_t count = import_count(&rows.shape) / w.width;
	x = im->g->value[rows.value].dims == 2
	        ? rows.value
	        : import_operand(im, import_whole(im, rows.value, rows.shape),
	              IMPORT_SHAPE(count, w.width), IMPORT_WHOLE);
	out = import_new(im, IMPORT_SHAPE(count, w.rows));
	struct backend_op *op =
	    import_node(im, BACKEND_GEMM, out, x, weight, bias, GRAPH_NONE);
	op->p.gemm.alpha = 1;
	op->p.gemm.transpose = true;
	import_done_rows(im, n, &rows, out);
}
