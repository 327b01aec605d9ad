/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Transposes the second matrices of int8 products for libraries whose products of int8 are
 * fast only then: cuBLAS takes twelve times as long otherwise, and a transposition less
 * than a tenth of the product.
 */
#include "gpu.h"
#include "gpu_call.h"
#include "gpu_ops.h"
#include "gpu_product.h"

enum { SIDE = 64, LEAST_ROWS = 16 };

/* Enqueues the transposition of op's second matrices to `to`. */
static int matrix_transpose(
    struct gpu *g, const struct backend_op *op, void *to, size_t to_at, char *why)
{
	const struct backend_tensor *b = op->in[1];
	const uint32_t d = b->dims;
	const int64_t k = b->size[d - 2], n = b->size[d - 1],
	              batch = gpu_tensor_elements(b) / k / n;
	const int64_t tiles_k = (k + SIDE - 1) / SIDE, tiles_n = (n + SIDE - 1) / SIDE;
	struct gpu_call c =
	    gpu_call_begin(g, gpu_kernel_of("transpose", "transpose", b->dtype),
	        batch * tiles_k * tiles_n, why);

	gpu_call_buffer(&c, to, (int64_t)to_at);
	gpu_call_tensor(&c, b);
	GPU_CALL_INTS(&c, k, n, b->stride[d - 2], tiles_k, tiles_n);
	gpu_call_long(&c, d > 2 ? b->stride[d - 3] : 0);
	return gpu_call_rows(&c, why);
}

/* Returns whether a product is faster with a transposed second matrix. */
static bool product_wants_transposed(const struct gpu *g, const struct backend_op *op)
{
	const struct backend_tensor *a = op->in[0], *b = op->in[1];

	return g->driver->transposed_int8 && a->dtype == BACKEND_INT8 &&
	       !op->p.gemm.transpose && gpu_tensor_rows(a) >= LEAST_ROWS &&
	       gpu_tensor_elements(b) < INT32_MAX;
}

int gpu_table_gemm(struct gpu *g, struct backend_op *op, char *why)
{
	struct backend_session *s = (struct backend_session *)g;
	const struct backend_tensor *b = op->in[1];

	if (b->role != BACKEND_WEIGHT || !product_wants_transposed(g, op))
		return 0;
	op->own = gpu_alloc(s, (size_t)gpu_tensor_elements(b), why);
	if (!op->own)
		return -1;
	return matrix_transpose(g, op, ((struct gpu_buffer *)op->own)->handle, 0, why);
}

int gpu_product_transpose(struct gpu *g, const struct backend_op *op, struct gpu_product *p,
    struct gpu_matrices *b, char *why)
{
	struct gpu_product turned = *p;
	size_t used = 0, at = 0;

	if (!product_wants_transposed(g, op))
		return 0;
	turned.transpose_b = true;
	turned.b_at = 0;
	turned.b_ld = p->k;
	turned.b_step = p->k * p->n;
	if (!g->driver->has_product(g, &turned))
		return 0;
	if (op->own)
		turned.b = ((const struct gpu_buffer *)op->own)->handle;
	else {
		gpu_room_take(g, (size_t)gpu_tensor_elements(op->in[1]), &at, &used);
		if (matrix_transpose(g, op, g->room, at, why))
			return -1;
		turned.b = g->room;
		turned.b_at = (int64_t)at;
	}
	*p = turned;
	b->step = turned.b_step;
	b->ld = turned.b_ld;
	return 0;
}
