/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs operations whose kernels have a row, or a group of channels, for each group: norms,
 * softmax, the largest elements; and routing.
 */
#include "gpu_call.h"
#include "gpu_ops.h"

/* Begins a call on tensors of one type, whose first arguments are out and the inputs. */
static struct gpu_call call_begin_rows(struct gpu *g, const char *file, const char *name,
    const struct backend_op *op, size_t ins, int64_t count, char *why)
{
	const enum backend_dtype dtype = op->in[0]->dtype;
	struct gpu_call c = gpu_call_begin(g, file, name, dtype, dtype, 0, count, why);

	gpu_call_tensor(&c, op->out[0]);
	for (size_t i = 0; i < ins; i++)
		gpu_call_tensor(&c, op->in[i]);
	return c;
}

int gpu_op_layernorm(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c =
	    call_begin_rows(g, "norm", "layernorm", op, 3, gpu_tensor_rows(op->in[0]), why);

	gpu_call_int(&c, gpu_tensor_columns(op->in[0]));
	gpu_call_real(&c, op->p.norm.eps);
	return gpu_call_rows(&c, why);
}

int gpu_op_rmsnorm(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c =
	    call_begin_rows(g, "norm", "rmsnorm", op, 2, gpu_tensor_rows(op->in[0]), why);

	gpu_call_int(&c, gpu_tensor_columns(op->in[0]));
	gpu_call_real(&c, op->p.norm.eps);
	gpu_call_real(&c, op->p.norm.alpha);
	return gpu_call_rows(&c, why);
}

int gpu_op_groupnorm(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0];
	const int64_t groups = op->p.norm.groups, channels = x->size[1] / groups;
	const int64_t inner = gpu_tensor_elements(x) / x->size[0] / x->size[1];
	struct gpu_call c =
	    call_begin_rows(g, "norm", "groupnorm", op, 3, x->size[0] * groups, why);

	GPU_CALL_INTS(&c, channels, inner, groups);
	gpu_call_real(&c, op->p.norm.eps);
	gpu_call_int(&c, op->act);
	return gpu_call_rows(&c, why);
}

int gpu_op_batchnorm(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0];
	const int64_t inner = gpu_tensor_elements(x) / x->size[0] / x->size[1];
	struct gpu_call c =
	    call_begin_rows(g, "norm", "batchnorm", op, 5, x->size[0] * x->size[1], why);

	GPU_CALL_INTS(&c, x->size[1], inner);
	gpu_call_real(&c, op->p.norm.eps);
	gpu_call_int(&c, op->act);
	return gpu_call_rows(&c, why);
}

int gpu_op_softmax(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c =
	    call_begin_rows(g, "norm", "softmax", op, 1, gpu_tensor_rows(op->in[0]), why);

	gpu_call_int(&c, gpu_tensor_columns(op->in[0]));
	return gpu_call_rows(&c, why);
}

int gpu_op_topk(struct gpu *g, const struct backend_op *op, char *why)
{
	const enum backend_dtype dtype = op->in[0]->dtype;
	struct gpu_call c = gpu_call_begin(
	    g, "expert", "topk", dtype, dtype, 0, gpu_tensor_rows(op->in[0]), why);

	gpu_call_tensor(&c, op->out[0]);
	gpu_call_tensor(&c, op->out[1]);
	gpu_call_tensor(&c, op->in[0]);
	GPU_CALL_INTS(&c, gpu_tensor_columns(op->in[0]), op->p.route.k);
	return gpu_call_rows(&c, why);
}

int gpu_op_route(struct gpu *g, const struct backend_op *op, char *why)
{
	const enum backend_dtype dtype = op->in[0]->dtype;
	struct gpu_call c = gpu_call_begin(
	    g, "expert", "route", dtype, dtype, 0, gpu_tensor_rows(op->in[0]), why);

	gpu_call_tensor(&c, op->out[0]);
	gpu_call_tensor(&c, op->out[1]);
	gpu_call_tensor(&c, op->in[0]);
	GPU_CALL_INTS(
	    &c, gpu_tensor_columns(op->in[0]), op->p.route.k, op->p.route.renormalise);
	return gpu_call_each(&c, 1, why);
}

int gpu_op_combine(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c = call_begin_rows(
	    g, "expert", "combine", op, 3, gpu_tensor_elements(op->out[0]), why);

	GPU_CALL_INTS(&c, gpu_tensor_columns(op->out[0]), op->p.route.k);
	return gpu_call_each(&c, 1, why);
}
