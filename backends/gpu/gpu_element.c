/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs element-wise operations: activations, copies, images.
 */
#include "gpu_call.h"
#include "gpu_channels.h"
#include "gpu_layout.h"
#include "gpu_ops.h"

int gpu_op_nop(struct gpu *g, const struct backend_op *op, char *why)
{
	(void)g;
	(void)op;
	(void)why;
	return 0;
}

/* Begins a call on tensors of out's type, whose first argument is out. */
static struct gpu_call call_begin_element(struct gpu *g, const char *file, const char *name,
    const struct backend_op *op, char *why)
{
	const struct backend_tensor *out = op->out[0];
	struct gpu_call c = gpu_call_begin(
	    g, gpu_kernel_of(file, name, out->dtype), gpu_tensor_elements(out), why);

	gpu_call_tensor(&c, out);
	return c;
}

int gpu_op_unary(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c = call_begin_element(g, "element", "unary", op, why);

	gpu_call_tensor(&c, op->in[0]);
	gpu_call_real(&c, op->p.element.alpha);
	gpu_call_int(&c, op->act);
	return gpu_call_packs(&c, op->out[0]->dtype, why);
}

int gpu_op_binary(struct gpu *g, const struct backend_op *op, char *why)
{
	if (gpu_binary_is_stream(op))
		return gpu_op_binary_stream(g, op, why);
	if (gpu_layout_is_last(op->out[0]) && gpu_layout_adds_channels(op) &&
	    op->p.element.inner > 1)
		return gpu_channels_add(g, op, why);
	struct gpu_call c = call_begin_element(g, "element", "binary", op, why);

	gpu_call_tensor(&c, op->in[0]);
	gpu_call_tensor(&c, op->in[1]);
	GPU_CALL_INTS(&c, op->p.element.inner, gpu_tensor_elements(op->in[1]),
	    op->p.element.multiply, op->p.element.select);
	gpu_call_real(&c, op->p.element.alpha);
	gpu_call_int(&c, op->act);
	return gpu_call_each(&c, 1, why);
}

int gpu_op_round(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c = call_begin_element(g, "element", "whole", op, why);

	gpu_call_tensor(&c, op->in[0]);
	gpu_call_real(&c, op->p.round.scale);
	gpu_call_real(&c, op->p.round.low);
	gpu_call_real(&c, op->p.round.high);
	gpu_call_real(&c, op->p.round.alpha);
	gpu_call_real(&c, op->p.round.beta);
	return gpu_call_each(&c, 1, why);
}

int gpu_op_cell(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c = call_begin_element(g, "element", "cell", op, why);

	gpu_call_tensor(&c, op->out[1]);
	for (int i = 0; i < 3; i++)
		gpu_call_tensor(&c, op->in[i]);
	GPU_CALL_INTS(&c, gpu_tensor_columns(op->out[0]), op->p.cell.gates);
	return gpu_call_each(&c, 1, why);
}

int gpu_op_glu(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *out = op->out[0], *in = op->in[0];
	const int64_t columns = gpu_tensor_columns(out);
	struct gpu_steps x;

	gpu_tensor_steps(in, &x);
	const bool vectors =
	    g->driver->convolution &&
	    (out->offset | in->offset | columns | x.outer_stride | x.inner_stride) %
	            GPU_VECTOR ==
	        0;
	struct gpu_call c = gpu_call_begin(g,
	    gpu_kernel_of(
	        vectors ? "channels" : "element", vectors ? "glu_rows" : "glu", out->dtype),
	    gpu_tensor_elements(out) / (vectors ? GPU_VECTOR : 1), why);

	gpu_call_tensor(&c, out);
	gpu_call_tensor(&c, in);
	GPU_CALL_INTS(&c, vectors ? columns / GPU_VECTOR : columns, x.inner, x.outer_stride,
	    x.inner_stride, op->p.element.gate_last, op->act);
	return gpu_call_each(&c, 1, why);
}

int gpu_op_gather(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *out = op->out[0];
	struct gpu_call c = call_begin_element(g, "element", "gather", op, why);

	gpu_call_tensor(&c, op->in[0]);
	gpu_call_tensor(&c, op->in[1]);
	GPU_CALL_INTS(&c, gpu_tensor_columns(out),
	    out->dims > 1 ? out->size[out->dims - 2] : 1, op->in[0]->stride[0],
	    op->in[0]->size[0] - 1, op->p.gather.first);
	gpu_call_real(&c, op->p.gather.alpha);
	gpu_call_past(&c, op->past);
	return gpu_call_each(&c, 1, why);
}

int gpu_op_pool(struct gpu *g, const struct backend_op *op, char *why)
{
	if (gpu_layout_is_last(op->in[0]))
		return gpu_channels_pool(g, op, why);
	const int64_t *x = op->in[0]->size, *y = op->out[0]->size;
	struct gpu_call c = call_begin_element(g, "image", "pool", op, why);

	gpu_call_tensor(&c, op->in[0]);
	GPU_CALL_INTS(&c, x[2], x[3], y[2], y[3], op->p.pool.kernel[0],
	    op->p.pool.kernel[1], op->p.pool.stride[0], op->p.pool.stride[1],
	    op->p.pool.before[0], op->p.pool.before[1], op->p.pool.average);
	return gpu_call_each(&c, 1, why);
}

int gpu_op_resize(struct gpu *g, const struct backend_op *op, char *why)
{
	if (gpu_layout_is_last(op->in[0]))
		return gpu_channels_resize(g, op, why);
	const int64_t *x = op->in[0]->size, *y = op->out[0]->size;
	struct gpu_call c = call_begin_element(g, "image", "resize", op, why);

	gpu_call_tensor(&c, op->in[0]);
	GPU_CALL_INTS(&c, x[2], x[3], y[2], y[3], op->p.resize.bilinear);
	return gpu_call_each(&c, 1, why);
}
