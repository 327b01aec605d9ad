/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs products of matrices.
 */
#include "gpu_call.h"
#include "gpu_ops.h"
#include "gpu_product.h"

static struct gpu_matrices matrices_of(const struct backend_tensor *t)
{
	const uint32_t d = t->dims;

	return (struct gpu_matrices){
		.batch = d > 2 ? t->size[d - 3] : 1,
		.rows = d > 1 ? t->size[d - 2] : 1,
		.columns = t->size[d - 1],
		.step = d > 2 ? t->stride[d - 3] : 0,
		.ld = d > 1 ? t->stride[d - 2] : t->size[d - 1],
	};
}

/* Returns whether the matrices of a batch follow each other as rows of one. */
static bool matrices_are_stacked(const struct gpu_matrices *x)
{
	return x->batch == 1 || x->step == x->rows * x->ld;
}

/* Runs a product joined with the addition of the bias and of the other operand, and the
 * activation. Returns 1 if the library has no such product, which is the case for most
 * activations. Products of one row have a kernel of ours. */
static int gemm_run_joined(struct gpu *g, const struct backend_op *op,
    const struct gpu_product *p, const struct gpu_matrices *other, char *why)
{
	const struct backend_tensor *bias = op->in[2], *add = op->in[3];
	struct gpu_product joined = *p;

	if ((!bias && !add && op->act == BACKEND_LINEAR) || p->dtype != p->out ||
	    (p->m == 1 && g->driver->own_rows))
		return 1;
	joined.beta = 0;
	joined.batch = 1;
	joined.act = op->act;
	joined.bias = gpu_tensor_handle(bias);
	joined.bias_at = bias ? bias->offset : 0;
	joined.other = gpu_tensor_handle(add);
	joined.other_at = add ? add->offset : 0;
	joined.other_ld = other->ld;
	return gpu_product_run_joined(g, &joined, why);
}

int gpu_op_gemm(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *ta = op->in[0], *tb = op->in[1], *out = op->out[0];
	const struct backend_tensor *other = op->in[3];
	struct gpu_matrices a = matrices_of(ta), b = matrices_of(tb), c = matrices_of(out);
	struct gpu_matrices o = matrices_of(other ? other : out);
	const bool add =
	    other && other->buffer == out->buffer && other->offset == out->offset;

	/* Products with one common matrix are one product of more rows. */
	if (b.batch == 1 && matrices_are_stacked(&a) && matrices_are_stacked(&c) &&
	    matrices_are_stacked(&o)) {
		a.rows *= a.batch;
		c.rows *= c.batch;
		a.batch = b.batch = c.batch = o.batch = 1;
	}
	struct gpu_product p = {
		.dtype = ta->dtype,
		.out = out->dtype,
		.transpose_b = op->p.gemm.transpose,
		.m = c.rows,
		.n = c.columns,
		.k = a.columns,
		.alpha = op->p.gemm.alpha,
		.beta = add,
		.a = gpu_tensor_handle(ta),
		.b = gpu_tensor_handle(tb),
		.c = gpu_tensor_handle(out),
		.a_at = ta->offset,
		.b_at = tb->offset,
		.c_at = out->offset,
		.a_ld = a.ld,
		.b_ld = b.ld,
		.c_ld = c.ld,
	};
	if (gpu_product_transpose(g, op, &p, &b, why))
		return -1;
	const struct gpu_batch batch[3] = {
		{ c.batch, a.batch > 1 ? a.step : 0, b.batch > 1 ? b.step : 0, c.step },
		{ .count = 1 },
		{ .count = 1 },
	};
	const int joined = c.batch == 1 ? gemm_run_joined(g, op, &p, &o, why) : 1;

	if (joined <= 0)
		return joined;
	if (gpu_product_run(g, &p, batch, why))
		return -1;
	return gpu_epilogue(g, op, &c, add ? NULL : other, &o, why);
}
