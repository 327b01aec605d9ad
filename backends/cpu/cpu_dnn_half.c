/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multiplies in bfloat16 with oneDNN, which uses the instructions of AVX512-BF16: products
 * of two bfloat16 are added up in float32. Weights are reordered once, for all operations
 * of all lists that can use that order.
 */
#include <stdlib.h>
#include <string.h>

#include "cpu_dispatch.h"
#include "cpu_dnn_priv.h"

/* The most rows for which reading the rows of the matrix in their order is faster. */
enum { DNN_ROWS_FEW = 2 };

/* A product and its matrices. */
struct dnn_product {
	const struct backend_op *op;
	int dims;      /* 2 if all rows are multiplied by one matrix, else 3 */
	bool in_place; /* whether the addend is the result */
	dnnl_memory_desc_t a, b, bias, residual, c;
};

/* Describes a matrix of each batch, or with `dims` 2 one matrix of m rows. */
static dnnl_memory_desc_t matrix_describe(
    int dims, int64_t batch, int64_t rows, int64_t columns, const int64_t strides[3])
{
	dnnl_memory_desc_t md;
	dnnl_dims_t size = { batch, rows, columns },
	            apart = { strides[0], strides[1], strides[2] };
	int skip = 3 - dims;
	dnnl_memory_desc_init_by_strides(&md, dims, size + skip, dnnl_bf16, apart + skip);
	return md;
}

/* Returns whether the rows of all batches have the same distance. */
static bool rows_are_even(const struct backend_tensor *t)
{
	return cpu_size(t, 3) == 1 || cpu_stride(t, 3) == cpu_size(t, 2) * cpu_stride(t, 2);
}

/* Describes the matrices. Returns false if a product of oneDNN cannot have them. */
static bool product_describe(struct dnn_product *p)
{
	const struct backend_op *op = p->op;
	const struct backend_tensor *a = op->in[0], *b = op->in[1], *more = op->in[3],
	                            *c = op->out[0];
	bool one = cpu_size(b, 3) == 1;
	int64_t batch = one ? 1 : cpu_size(c, 3), n = cpu_size(c, 1), k = cpu_size(a, 1);
	int64_t m = one ? cpu_row_count(c) : cpu_size(c, 2), ldb = cpu_stride(b, 2);
	if (op->p.gemm.alpha != 1 || (op->p.gemm.transpose && m <= DNN_ROWS_FEW))
		return false;
	if (one &&
	    (!rows_are_even(a) || !rows_are_even(c) || (more && !rows_are_even(more))))
		return false;
	p->dims = one ? 2 : 3;
	p->a = matrix_describe(
	    p->dims, batch, m, k, (int64_t[]){ cpu_stride(a, 3), cpu_stride(a, 2), 1 });
	p->b = matrix_describe(p->dims, batch, k, n,
	    (int64_t[]){ cpu_stride(b, 3), op->p.gemm.transpose ? 1 : ldb,
	        op->p.gemm.transpose ? ldb : 1 });
	p->c = matrix_describe(
	    p->dims, batch, m, n, (int64_t[]){ cpu_stride(c, 3), cpu_stride(c, 2), 1 });
	if (op->in[2])
		p->bias = matrix_describe(p->dims, 1, 1, n, (int64_t[]){ n, n, 1 });
	if (more)
		p->residual = matrix_describe(p->dims, batch, m, n,
		    (int64_t[]){ cpu_stride(more, 3), cpu_stride(more, 2), 1 });
	p->in_place = more && cpu_u16(more) == cpu_u16(c);
	return true;
}

/* Returns a primitive with weights in this layout; NULL if there is none that is fast. */
static dnnl_primitive_desc_t product_create(
    const struct cpu_dnn *d, const struct dnn_product *p, const dnnl_memory_desc_t *weights)
{
	dnnl_primitive_attr_t attr = cpu_dnn_attributes_create();
	dnnl_post_ops_t post = NULL;
	dnnl_matmul_desc_t desc;
	dnnl_primitive_desc_t pd = NULL;
	const char *how = "";
	if (!attr || dnnl_post_ops_create(&post) != dnnl_success)
		goto out;
	if (p->op->in[3] && p->in_place)
		dnnl_post_ops_append_sum(post, 1);
	else if (p->op->in[3])
		dnnl_post_ops_append_binary(post, dnnl_binary_add, &p->residual);
	cpu_dnn_append_act(post, p->op->act);
	dnnl_primitive_attr_set_post_ops(attr, post);
	if (dnnl_matmul_desc_init(&desc, &p->a, weights, p->op->in[2] ? &p->bias : NULL,
	        &p->c) != dnnl_success ||
	    dnnl_primitive_desc_create(&pd, &desc, attr, d->engine, NULL) != dnnl_success)
		pd = NULL;
	if (pd)
		dnnl_primitive_desc_query(pd, dnnl_query_impl_info_str, 0, &how);
	if (pd && strstr(how, "ref")) {
		dnnl_primitive_desc_destroy(pd);
		pd = NULL;
	}
out:
	dnnl_post_ops_destroy(post);
	dnnl_primitive_attr_destroy(attr);
	return pd;
}

/* Reorders a weight into a layout. Returns NULL if that fails. */
static struct dnn_shared *shared_create(struct backend_session *s,
    const struct dnn_product *p, struct backend_tensor *of, const dnnl_memory_desc_t *md)
{
	struct dnn_shared *w = calloc(1, sizeof(*w));
	struct dnn_plan once = { 0 };
	char why[BACKEND_WHY];
	if (w)
		w->bytes = cpu_alloc(s, dnnl_memory_desc_get_size(md));
	bool fine = w && w->bytes &&
	            cpu_dnn_plan_reorder(s->dnn, &once,
	                (struct dnn_memory){ &p->b, cpu_u16(of), 0 },
	                (struct dnn_memory){ md, w->bytes, 0 }) &&
	            cpu_scratch(s, once.scratch_bytes, why) == 0 &&
	            cpu_dnn_step_run(s, &once.step[0]);
	cpu_dnn_step_free(&once.step[0]);
	if (!fine) {
		cpu_free(s, w ? w->bytes : NULL);
		free(w);
		return NULL;
	}
	w->of = of;
	w->transpose = p->op->p.gemm.transpose;
	w->md = *md;
	return w;
}

/* Returns a primitive whose weights are packed, and stores them in the plan. */
static dnnl_primitive_desc_t packed_create(
    struct backend_session *s, const struct dnn_product *p, struct dnn_plan *plan)
{
	struct backend_tensor *b = p->op->in[1];
	struct dnn_shared *shared = b->own;
	bool fits = shared && shared->transpose == p->op->p.gemm.transpose;
	dnnl_primitive_desc_t pd = fits ? product_create(s->dnn, p, &shared->md) : NULL;
	if (!pd) {
		dnnl_memory_desc_t any;
		dnnl_memory_desc_init_by_tag(
		    &any, p->dims, p->b.dims, dnnl_bf16, dnnl_format_tag_any);
		pd = product_create(s->dnn, p, &any);
		if (!pd)
			return NULL;
		dnnl_memory_desc_t md =
		    *dnnl_primitive_desc_query_md(pd, dnnl_query_weights_md, 0);
		shared = shared_create(s, p, b, &md);
		if (!shared) {
			dnnl_primitive_desc_destroy(pd);
			return NULL;
		}
		if (!b->own)
			b->own = shared;
	}
	shared->users++;
	plan->shared = shared;
	return pd;
}

/* Creates the step of a plan. Takes ownership of pd. */
static bool product_fill(const struct cpu_dnn *d, struct dnn_plan *plan,
    const struct dnn_product *p, dnnl_primitive_desc_t pd)
{
	const struct backend_op *op = p->op;
	struct dnn_step *st = &plan->step[plan->steps++];
	void *weights = plan->shared ? plan->shared->bytes : cpu_u16(op->in[1]);
	const dnnl_memory_desc_t *b = plan->shared ? &plan->shared->md : &p->b;
	return cpu_dnn_step_create(d, plan, st, pd) &&
	       cpu_dnn_step_bind(d, st, DNNL_ARG_SRC, &p->a, cpu_u16(op->in[0]), 0) &&
	       cpu_dnn_step_bind(d, st, DNNL_ARG_WEIGHTS, b, weights, 0) &&
	       cpu_dnn_step_bind(d, st, DNNL_ARG_DST, &p->c, cpu_u16(op->out[0]), 0) &&
	       (!op->in[2] || cpu_dnn_step_bind(
	                          d, st, DNNL_ARG_BIAS, &p->bias, cpu_u16(op->in[2]), 0)) &&
	       (!op->in[3] || p->in_place ||
	           cpu_dnn_step_bind(d, st,
	               DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, &p->residual,
	               cpu_u16(op->in[3]), 0));
}

int cpu_dnn_half_gemm(struct backend_session *s, struct backend_op *op, char *why)
{
	struct dnn_product p = { .op = op };
	if (op->in[1]->dtype != BACKEND_BFLOAT16 || !s->dnn->bfloat16 ||
	    !product_describe(&p))
		return 0;
	struct dnn_plan *plan = calloc(1, sizeof(*plan));
	if (!plan)
		return hook_fail(why, "out of memory");
	dnnl_primitive_desc_t pd = op->in[1]->role == BACKEND_WEIGHT && p.dims == 2
	                               ? packed_create(s, &p, plan)
	                               : product_create(s->dnn, &p, &p.b);
	if (!pd) {
		free(plan);
		return 0;
	}
	if (!product_fill(s->dnn, plan, &p, pd)) {
		cpu_dnn_plan_free(s, plan);
		return hook_fail(why, "oneDNN: cannot create a product");
	}
	op->own = plan;
	return cpu_scratch(s, plan->scratch_bytes, why);
}
