/*
 * Operations whose kernels have a row, or a group of channels, for each group: norms,
 * softmax, the largest; and routing.
 */
#include "gpu_call.h"

/* A call on tensors of one type, beginning with out and the ins that there may be. */
static struct gpu_call begin(struct gpu *g, const char *file, const char *name,
    const struct backend_op *op, size_t ins, int64_t count, char *why)
{
	const enum backend_dtype dtype = op->in[0]->dtype;
	struct gpu_call c = call_begin(g, file, name, dtype, dtype, 0, count, why);

	call_tensor(&c, op->out[0]);
	for (size_t i = 0; i < ins; i++)
		call_tensor(&c, op->in[i]);
	return c;
}

int op_layernorm(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c =
	    begin(g, "norm", "layernorm", op, 3, tensor_rows(op->in[0]), why);

	call_int(&c, tensor_columns(op->in[0]));
	call_real(&c, op->p.norm.eps);
	return call_rows(&c, why);
}

int op_rmsnorm(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c = begin(g, "norm", "rmsnorm", op, 2, tensor_rows(op->in[0]), why);

	call_int(&c, tensor_columns(op->in[0]));
	call_real(&c, op->p.norm.eps);
	call_real(&c, op->p.norm.alpha);
	return call_rows(&c, why);
}

int op_groupnorm(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0];
	const int64_t groups = op->p.norm.groups, channels = x->size[1] / groups;
	const int64_t inner = tensor_elements(x) / x->size[0] / x->size[1];
	struct gpu_call c = begin(g, "norm", "groupnorm", op, 3, x->size[0] * groups, why);

	INTS(&c, channels, inner, groups);
	call_real(&c, op->p.norm.eps);
	call_int(&c, op->act);
	return call_rows(&c, why);
}

int op_batchnorm(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0];
	const int64_t inner = tensor_elements(x) / x->size[0] / x->size[1];
	struct gpu_call c =
	    begin(g, "norm", "batchnorm", op, 5, x->size[0] * x->size[1], why);

	INTS(&c, x->size[1], inner);
	call_real(&c, op->p.norm.eps);
	call_int(&c, op->act);
	return call_rows(&c, why);
}

int op_softmax(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c = begin(g, "norm", "softmax", op, 1, tensor_rows(op->in[0]), why);

	call_int(&c, tensor_columns(op->in[0]));
	return call_rows(&c, why);
}

int op_topk(struct gpu *g, const struct backend_op *op, char *why)
{
	const enum backend_dtype dtype = op->in[0]->dtype;
	struct gpu_call c =
	    call_begin(g, "expert", "topk", dtype, dtype, 0, tensor_rows(op->in[0]), why);

	call_tensor(&c, op->out[0]);
	call_tensor(&c, op->out[1]);
	call_tensor(&c, op->in[0]);
	INTS(&c, tensor_columns(op->in[0]), op->p.route.k);
	return call_rows(&c, why);
}

int op_route(struct gpu *g, const struct backend_op *op, char *why)
{
	const enum backend_dtype dtype = op->in[0]->dtype;
	struct gpu_call c =
	    call_begin(g, "expert", "route", dtype, dtype, 0, tensor_rows(op->in[0]), why);

	call_tensor(&c, op->out[0]);
	call_tensor(&c, op->out[1]);
	call_tensor(&c, op->in[0]);
	INTS(&c, tensor_columns(op->in[0]), op->p.route.k, op->p.route.renormalise);
	return call_each(&c, 1, why);
}

int op_combine(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c =
	    begin(g, "expert", "combine", op, 3, tensor_elements(op->out[0]), why);

	INTS(&c, tensor_columns(op->out[0]), op->p.route.k);
	return call_each(&c, 1, why);
}
