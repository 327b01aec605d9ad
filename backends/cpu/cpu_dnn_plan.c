/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds and runs plans: primitives of oneDNN and the places of their arguments. Describes
 * tensors, types and activations for them.
 */
#include <stdlib.h>

#include "cpu_dnn_priv.h"

/* The activations as post-operations, with oneDNN's parameters. Those that only elements
 * end in are not among them. */
static const struct {
	dnnl_alg_kind_t alg;
	float alpha, beta;
} eltwises[BACKEND_ACTS] = {
	[BACKEND_RELU] = { .alg = dnnl_eltwise_relu },
	[BACKEND_GELU] = { .alg = dnnl_eltwise_gelu_erf },
	[BACKEND_GELU_TANH] = { .alg = dnnl_eltwise_gelu_tanh },
	[BACKEND_QUICK_GELU] = { .alg = dnnl_eltwise_swish, .alpha = 1.702f },
	[BACKEND_SILU] = { .alg = dnnl_eltwise_swish, .alpha = 1 },
	[BACKEND_TANH] = { .alg = dnnl_eltwise_tanh },
	[BACKEND_SIGMOID] = { .alg = dnnl_eltwise_logistic },
	[BACKEND_SOFTPLUS] = { .alg = dnnl_eltwise_soft_relu },
	[BACKEND_RELU6] = { .alg = dnnl_eltwise_clip, .beta = 6 },
	[BACKEND_HARD_SIGMOID] = { .alg = dnnl_eltwise_clip, .beta = 1 },
	[BACKEND_HARD_SWISH] = { .alg = dnnl_eltwise_hardswish },
};

bool cpu_dnn_takes(const struct cpu_dnn *d, enum backend_dtype dtype)
{
	return dtype == BACKEND_FLOAT32 || (dtype == BACKEND_BFLOAT16 && d->bfloat16);
}

dnnl_data_type_t cpu_dnn_type(const struct backend_tensor *t)
{
	return t->dtype == BACKEND_BFLOAT16 ? dnnl_bf16 : dnnl_f32;
}

void *cpu_dnn_first(const struct backend_tensor *t)
{
	return t->dtype == BACKEND_BFLOAT16 ? (void *)cpu_u16(t) : (void *)cpu_f32(t);
}

void cpu_dnn_append_act(dnnl_post_ops_t post, enum backend_act act)
{
	if (act == BACKEND_HARD_SIGMOID)
		dnnl_post_ops_append_eltwise(post, 1, dnnl_eltwise_linear, 1.0f / 6, 0.5f);
	if (act != BACKEND_LINEAR)
		dnnl_post_ops_append_eltwise(
		    post, 1, eltwises[act].alg, eltwises[act].alpha, eltwises[act].beta);
}

dnnl_memory_desc_t cpu_dnn_describe(
    const struct cpu_dnn *d, const struct backend_tensor *t, bool blocked)
{
	dnnl_memory_desc_t md;
	dnnl_dims_t dims = { t->size[0], t->size[1], t->size[2], t->size[3] };
	dnnl_memory_desc_init_by_tag(
	    &md, 4, dims, cpu_dnn_type(t), blocked ? d->blocked : dnnl_nchw);
	return md;
}

bool cpu_dnn_step_bind(const struct cpu_dnn *d, struct dnn_step *st, int name,
    const dnnl_memory_desc_t *md, void *bytes, size_t scratch)
{
	struct dnn_place *p = &st->place[st->args];
	p->in_scratch = bytes == NULL;
	p->scratch = scratch;
	if (dnnl_memory_create(&p->memory, md, d->engine,
	        bytes ? bytes : DNNL_MEMORY_NONE) != dnnl_success)
		return false;
	st->arg[st->args++] = (dnnl_exec_arg_t){ name, p->memory };
	return true;
}

size_t cpu_dnn_scratch_take(struct dnn_plan *p, const dnnl_memory_desc_t *md)
{
	size_t at = p->scratch_bytes;
	p->scratch_bytes += (dnnl_memory_desc_get_size(md) + 63) / 64 * 64;
	return at;
}

dnnl_primitive_attr_t cpu_dnn_attributes_create(void)
{
	dnnl_primitive_attr_t attr;
	if (dnnl_primitive_attr_create(&attr) != dnnl_success)
		return NULL;
	dnnl_primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user);
	return attr;
}

bool cpu_dnn_step_create(const struct cpu_dnn *d, struct dnn_plan *p, struct dnn_step *st,
    dnnl_primitive_desc_t pd)
{
	const dnnl_memory_desc_t *pad =
	    dnnl_primitive_desc_query_md(pd, dnnl_query_scratchpad_md, 0);
	bool fine = dnnl_primitive_create(&st->primitive, pd) == dnnl_success &&
	            (dnnl_memory_desc_get_size(pad) == 0 ||
	                cpu_dnn_step_bind(d, st, DNNL_ARG_SCRATCHPAD, pad, NULL,
	                    cpu_dnn_scratch_take(p, pad)));
	dnnl_primitive_desc_destroy(pd);
	return fine;
}

bool cpu_dnn_plan_reorder(const struct cpu_dnn *d, struct dnn_plan *p,
    struct dnn_memory from, struct dnn_memory to)
{
	struct dnn_step *st = &p->step[p->steps++];
	dnnl_primitive_attr_t attr = cpu_dnn_attributes_create();
	dnnl_primitive_desc_t pd;
	bool fine =
	    attr &&
	    dnnl_reorder_primitive_desc_create(
	        &pd, from.md, d->engine, to.md, d->engine, attr) == dnnl_success &&
	    cpu_dnn_step_create(d, p, st, pd) &&
	    cpu_dnn_step_bind(d, st, DNNL_ARG_FROM, from.md, from.bytes, from.scratch) &&
	    cpu_dnn_step_bind(d, st, DNNL_ARG_TO, to.md, to.bytes, to.scratch);
	dnnl_primitive_attr_destroy(attr);
	return fine;
}

bool cpu_dnn_step_run(const struct backend_session *s, const struct dnn_step *st)
{
	for (int i = 0; i < st->args; i++)
		if (st->place[i].in_scratch &&
		    dnnl_memory_set_data_handle(st->place[i].memory,
		        (char *)s->scratch + st->place[i].scratch) != dnnl_success)
			return false;
	return dnnl_primitive_execute(st->primitive, s->dnn->stream, st->args, st->arg) ==
	       dnnl_success;
}

void cpu_dnn_step_free(struct dnn_step *st)
{
	for (int i = 0; i < st->args; i++)
		dnnl_memory_destroy(st->place[i].memory);
	dnnl_primitive_destroy(st->primitive);
}

void cpu_dnn_shared_release(struct backend_session *s, struct dnn_shared *shared)
{
	if (!shared || --shared->users)
		return;
	if (shared->of->own == shared)
		shared->of->own = NULL;
	cpu_free(s, shared->bytes);
	free(shared);
}

void cpu_dnn_plan_free(struct backend_session *s, struct dnn_plan *p)
{
	for (int i = 0; i < p->steps; i++)
		cpu_dnn_step_free(&p->step[i]);
	cpu_free(s, p->weights);
	cpu_free(s, p->padded);
	cpu_dnn_shared_release(s, p->shared);
	free(p);
}
