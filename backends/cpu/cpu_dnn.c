/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs convolutions with oneDNN, and chooses the layouts of the tensors between them.
 *
 * Convolutions of oneDNN are fastest on channels in blocks of a vector's width, innermost.
 * A tensor gets this layout if it is whole, belongs to this list only, and is used only by
 * operations that support the layout: convolutions, poolings, and element-wise operations
 * on equal sizes, whose result does not depend on the order of elements. Its channels are a
 * multiple of the block, so it takes the same number of bytes. A convolution reorders
 * tensors in another layout. Residual and activation are post-operations; weights are
 * reordered once.
 *
 * The plans of the operations store the layouts, instead of the tensors, because a tensor
 * may have another layout in another list.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_dispatch.h"
#include "cpu_dnn_priv.h"

static bool dnn_is_enabled(void)
{
	const char *said = getenv("BENCH_CPU_DNN");
	return !said || strcmp(said, "no") != 0;
}

const char *cpu_dnn_version(void)
{
	static char text[32];
	if (!dnn_is_enabled())
		return "";
	const dnnl_version_t *v = dnnl_version();
	snprintf(text, sizeof(text), "%d.%d.%d", v->major, v->minor, v->patch);
	return text;
}

bool cpu_dnn_bfloat16(void)
{
#ifdef __x86_64__
	return *cpu_dnn_version() && cpu_isa_best()->bits == 512 &&
	       __builtin_cpu_supports("avx512bf16");
#else
	return false;
#endif
}

struct cpu_dnn *cpu_dnn_open(const struct backend_session *s)
{
	struct cpu_dnn *d = dnn_is_enabled() ? calloc(1, sizeof(*d)) : NULL;
	if (!d)
		return NULL;
	d->block = s->isa->bits == 512 ? 16 : 8;
	d->blocked = d->block == 16 ? dnnl_nChw16c : dnnl_nChw8c;
	d->bfloat16 = cpu_dnn_bfloat16();
	if (dnnl_engine_create(&d->engine, dnnl_cpu, 0) != dnnl_success ||
	    dnnl_stream_create(&d->stream, d->engine, dnnl_stream_default_flags) !=
	        dnnl_success) {
		cpu_dnn_close(d);
		return NULL;
	}
	return d;
}

bool cpu_dnn_products(void)
{
	const char *core = getenv("OPENBLAS_CORETYPE");
	return dnn_is_enabled() && cpu_isa_best()->bits == 512 && !(core && *core);
}

void cpu_dnn_gemm(const struct cpu_blas *g)
{
	/* The session's threads share the tiles; each tile has one thread. */
	omp_set_num_threads(1);
	dnnl_sgemm('N', g->transpose ? 'T' : 'N', g->m, g->n, g->k, (float)g->alpha, g->a,
	    g->lda, g->b, g->ldb, (float)g->beta, g->c, g->ldc);
}

void cpu_dnn_close(struct cpu_dnn *d)
{
	if (!d)
		return;
	dnnl_stream_destroy(d->stream);
	dnnl_engine_destroy(d->engine);
	free(d);
}

static void pool_run_maxima(struct backend_session *s, const struct backend_op *op)
{
	cpu_pool_blocks *run = op->in[0]->dtype == BACKEND_BFLOAT16
	                           ? s->isa->pool_blocks_bfloat16
	                           : s->isa->pool_blocks;
	run(s, op, s->dnn->block);
}

int cpu_dnn_run(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct dnn_plan *p = op->own;
	if (p->maxima) {
		pool_run_maxima(s, op);
		return 0;
	}
	omp_set_num_threads(p->single ? 1 : s->threads);
	for (int i = 0; i < p->steps; i++)
		if (!cpu_dnn_step_run(s, &p->step[i]))
			return hook_fail(why, "oneDNN: a primitive failed");
	return 0;
}

static int op_set_plan(struct backend_session *s, struct backend_op *op, struct dnn_plan *p,
    bool fine, char *why)
{
	if (!fine) {
		cpu_dnn_plan_free(s, p);
		return hook_fail(why, "oneDNN: cannot create a primitive");
	}
	op->own = p;
	return cpu_scratch(s, p->scratch_bytes, why);
}

/* Returns whether one thread computes a convolution sooner than several: measured with
 * AVX-512, 2^19 multiply-adds take one thread about 15 us, but two threads of a busy
 * machine 180 us, most of which is the time to wake the other one. */
static bool conv_is_small(const struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *w = op->in[1];
	const int64_t macs = cpu_count(op->out[0]) * w->size[1] * w->size[2] * w->size[3];
	return cpu_team(s, macs / 16) == 1;
}

static int conv_prepare(struct backend_session *s, struct backend_op *op, char *why)
{
	if (!cpu_dnn_takes(s->dnn, op->out[0]->dtype) || op->out[0]->dims != 4 ||
	    !cpu_dnn_takes_weights(op))
		return 0;
	struct dnn_conv c = cpu_dnn_conv_of(s->dnn, op);
	const bool single = conv_is_small(s, op);
	/* A primitive runs with the threads for which it was created. */
	omp_set_num_threads(single ? 1 : s->threads);
	dnnl_primitive_desc_t pd = cpu_dnn_conv_describe(s->dnn, &c);
	if (!pd)
		return 0;
	struct dnn_plan *p = calloc(1, sizeof(*p));
	if (!p) {
		dnnl_primitive_desc_destroy(pd);
		return hook_fail(why, "out of memory");
	}
	p->single = single;
	return op_set_plan(s, op, p, cpu_dnn_conv_fill(s, p, &c, pd), why);
}

/* Describes a mean of blocked tensors. Kernels of ours run other poolings. */
static dnnl_primitive_desc_t pool_describe(const struct cpu_dnn *d,
    const struct backend_op *op, dnnl_memory_desc_t *src, dnnl_memory_desc_t *dst)
{
	*src = cpu_dnn_describe(d, op->in[0], true);
	*dst = cpu_dnn_describe(d, op->out[0], true);
	const int64_t *step = op->p.pool.stride, *before = op->p.pool.before;
	dnnl_dims_t strides = { step[0], step[1] }, left = { before[0], before[1] }, right;
	dnnl_dims_t kernel = { op->p.pool.kernel[0], op->p.pool.kernel[1] };
	for (int i = 0; i < 2; i++)
		right[i] = (op->out[0]->size[2 + i] - 1) * step[i] + kernel[i] -
		           op->in[0]->size[2 + i] - before[i];
	dnnl_pooling_desc_t desc;
	dnnl_primitive_attr_t attr = cpu_dnn_attributes_create();
	dnnl_primitive_desc_t pd = NULL;
	if (dnnl_pooling_forward_desc_init(&desc, dnnl_forward_inference,
	        dnnl_pooling_avg_exclude_padding, src, dst, strides, kernel, left,
	        right) != dnnl_success ||
	    dnnl_primitive_desc_create(&pd, &desc, attr, d->engine, NULL) != dnnl_success)
		pd = NULL;
	dnnl_primitive_attr_destroy(attr);
	return pd;
}

static int pool_prepare(struct backend_session *s, struct backend_op *op, char *why)
{
	dnnl_memory_desc_t src, dst;
	struct dnn_plan *p = calloc(1, sizeof(*p));
	omp_set_num_threads(s->threads);
	if (p && !op->p.pool.average) {
		p->maxima = true;
		op->own = p;
		return 0;
	}
	dnnl_primitive_desc_t pd = pool_describe(s->dnn, op, &src, &dst);
	if (!pd || !p) {
		free(p);
		return hook_fail(why, "oneDNN: these sizes of a pooling are not supported");
	}
	struct dnn_step *st = &p->step[p->steps++];
	return op_set_plan(s, op, p,
	    cpu_dnn_step_create(s->dnn, p, st, pd) &&
	        cpu_dnn_step_bind(
	            s->dnn, st, DNNL_ARG_SRC, &src, cpu_dnn_first(op->in[0]), 0) &&
	        cpu_dnn_step_bind(
	            s->dnn, st, DNNL_ARG_DST, &dst, cpu_dnn_first(op->out[0]), 0),
	    why);
}

/* Removes the marks of a convolution or pooling for which oneDNN has no fast primitive.
 * Returns whether there were any; marks of other operations may then have to be removed. */
static bool op_unmark_slow(const struct cpu_dnn *d, const struct backend_op *op)
{
	dnnl_memory_desc_t src, dst;
	dnnl_primitive_desc_t pd = NULL;
	if (op->kind == BACKEND_POOL && op->p.pool.average &&
	    cpu_dnn_is_blocked(op->in[0])) {
		pd = pool_describe(d, op, &src, &dst);
	} else if (op->kind == BACKEND_CONV &&
	           (cpu_dnn_is_blocked(op->in[0]) || cpu_dnn_is_blocked(op->out[0]))) {
		struct dnn_conv c = cpu_dnn_conv_of(d, op);
		pd = cpu_dnn_conv_describe(d, &c);
	} else {
		return false;
	}
	if (!pd)
		return cpu_dnn_make_plain(op);
	dnnl_primitive_desc_destroy(pd);
	return false;
}

int cpu_dnn_prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why)
{
	omp_set_num_threads(s->threads);
	cpu_dnn_mark(s->dnn, op, count);
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < count; i++)
			changed = op_unmark_slow(s->dnn, &op[i]) || changed;
		for (bool more = changed; more;) {
			more = false;
			for (size_t i = 0; i < count; i++)
				more = cpu_dnn_settle(s->dnn, &op[i]) || more;
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (op[i].kind == BACKEND_CONV && !op[i].own &&
		    conv_prepare(s, &op[i], why) < 0)
			return -1;
		if (op[i].kind == BACKEND_POOL && cpu_dnn_is_blocked(op[i].in[0]) &&
		    pool_prepare(s, &op[i], why) < 0)
			return -1;
	}
	omp_set_num_threads(s->threads);
	return 0;
}

void cpu_dnn_release(struct backend_session *s, struct backend_op *op)
{
	cpu_dnn_plan_free(s, op->own);
	op->own = NULL;
}

bool cpu_dnn_int8(void)
{
#ifdef __x86_64__
	/* Without VNNI its sums of two products saturate at 16 bits. */
	return dnn_is_enabled() && __builtin_cpu_supports("avx512vnni");
#else
	return dnn_is_enabled();
#endif
}

int cpu_dnn_gemm_int8(struct backend_session *s, const struct cpu_int8_product *p)
{
	if (!s->dnn || !cpu_dnn_int8())
		return -1;
	const int32_t zero = 0;
	omp_set_num_threads(s->threads);
	return dnnl_gemm_s8s8s32('N', p->transpose ? 'T' : 'N', 'F', p->m, p->n, p->k, 1,
	           p->a, p->lda, 0, p->b, p->ldb, 0, 0, p->c, p->ldc, &zero) == dnnl_success
	           ? 0
	           : -1;
}

int cpu_dnn_gemm_u8s8(struct backend_session *s, int64_t m, int64_t n, int64_t k,
    const uint8_t *a, const int8_t *b, int32_t *c)
{
	if (!s->dnn || !cpu_dnn_int8())
		return -1;
	const int32_t zero = 0;
	omp_set_num_threads(s->threads);
	return dnnl_gemm_u8s8s32('N', 'T', 'F', m, n, k, 1, a, k, 0, b, k, 0, 0, c, n,
	           &zero) == dnnl_success
	           ? 0
	           : -1;
}
