/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products of matrices and operations on images, as nodes of ONNX; see onnx_export_priv.h.
 */
#include <stdlib.h>

#include "translate/onnx_export_priv.h"

void emit_gemv(struct emit *e, const struct graph_node *n)
{
	emit_write(
	    e, n->out[0], emit_matmul(e, emit_read(e, n->in[0]), emit_read(e, n->in[1])));
}

/* Returns a matrix, or a batch of them, with its last two dimensions exchanged. */
static uint32_t transposed(struct emit *e, uint32_t a)
{
	static const int64_t one[] = { 1, 0 }, batch[] = { 0, 2, 1 };

	return emit_transpose(e, a, emit_shape(e, a).dims == 2 ? one : batch);
}

/* Multiplies matrices of int8. */
static void gemm_integer(struct emit *e, const struct graph_node *n)
{
	uint32_t a = emit_read(e, n->in[0]), b = emit_read(e, n->in[1]);

	if (n->op.p.gemm.transpose)
		b = transposed(e, b);
	emit_write(e, n->out[0],
	    emit_add(e, "MatMulInteger", ONNX_INT32,
	        emit_value_shape(&e->g->value[n->out[0]]), EMIT_INS(a, b)));
}

void emit_gemm(struct emit *e, const struct graph_node *n)
{
	uint32_t a = emit_read(e, n->in[0]), b = emit_read(e, n->in[1]),
	         bias = emit_read(e, n->in[2]), more = emit_read(e, n->in[3]);
	bool flat = emit_shape(e, a).dims == 2;
	enum onnx_type type = emit_type(e, a);

	if (type == ONNX_INT8) {
		gemm_integer(e, n);
		return;
	}
	if (flat) {
		if (n->op.p.gemm.alpha != 1)
			emit_attr_float(e, "alpha", n->op.p.gemm.alpha);
		if (n->op.p.gemm.transpose)
			emit_attr_int(e, "transB", 1);
		a = emit_add(e, "Gemm", type, emit_value_shape(&e->g->value[n->out[0]]),
		    (struct emit_ins){
		        (uint32_t[]){ a, b, bias }, bias == EMIT_NONE ? 2 : 3 });
	} else {
		b = n->op.p.gemm.transpose ? transposed(e, b) : b;
		a = emit_scale(e, emit_matmul(e, a, b), n->op.p.gemm.alpha);
		if (bias != EMIT_NONE)
			a = emit_binary(e, "Add", a, bias);
	}
	if (more != EMIT_NONE)
		a = emit_binary(e, "Add", a, more);
	emit_write(e, n->out[0], emit_act(e, n->op.act, a));
}

void emit_qgemm(struct emit *e, const struct graph_node *n)
{
	uint32_t a = emit_read(e, n->in[0]), b = transposed(e, emit_read(e, n->in[1])),
	         bias = emit_read(e, n->in[2]), more = emit_read(e, n->in[3]);
	struct emit_shape shape = emit_value_shape(&e->g->value[n->out[0]]);
	uint32_t q = emit_quantized(e, a);
	uint32_t scale = emit_binary(e, "Mul", emit_read(e, n->in[4]), q + 1);

	a = emit_add(e, "MatMulInteger", ONNX_INT32, shape, EMIT_INS(q, b, q + 2));
	a = emit_binary(e, "Mul", emit_cast(e, a, ONNX_FLOAT), scale);
	a = emit_scale(e, a, n->op.p.gemm.alpha);
	if (bias != EMIT_NONE)
		a = emit_binary(e, "Add", a, bias);
	if (more != EMIT_NONE)
		a = emit_binary(e, "Add", a, more);
	emit_write(e, n->out[0], emit_act(e, n->op.act, a));
}

/* Sets the attributes of a window. A flat one has one dimension. */
static void attr_window(struct emit *e, bool flat, const int64_t *kernel,
    const int64_t *stride, const int64_t *before, const int64_t *after)
{
	int64_t pads[4] = { before[0], before[1], after[0], after[1] };
	uint32_t dims = flat ? 1 : 2;

	if (flat) {
		pads[0] = before[1];
		pads[1] = after[1];
	}
	emit_attr_ints(e, "kernel_shape", kernel + flat, dims);
	emit_attr_ints(e, "strides", stride + flat, dims);
	emit_attr_ints(e, "pads", pads, 2 * (size_t)dims);
}

/* Sets the attributes of a convolution with this weight. */
static void attr_conv(struct emit *e, const struct graph_node *n, uint32_t w)
{
	struct emit_shape filter = emit_shape(e, w);
	bool flat = filter.dims == 3;
	int64_t kernel[2] = { flat ? 1 : filter.size[2], filter.size[filter.dims - 1] };

	attr_window(
	    e, flat, kernel, n->op.p.conv.stride, n->op.p.conv.before, n->op.p.conv.after);
	emit_attr_ints(e, "dilations", n->op.p.conv.dilation + flat, flat ? 1 : 2);
	emit_attr_int(e, "group", n->op.p.conv.groups);
}

void emit_conv(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]), w = emit_read(e, n->in[1]),
	         bias = emit_read(e, n->in[2]), more = emit_read(e, n->in[3]);

	attr_conv(e, n, w);
	x = emit_add(e, "Conv", emit_type(e, x), emit_value_shape(&e->g->value[n->out[0]]),
	    (struct emit_ins){ (uint32_t[]){ x, w, bias }, bias == EMIT_NONE ? 2 : 3 });
	if (more != EMIT_NONE)
		x = emit_binary(e, "Add", x, more);
	emit_write(e, n->out[0], emit_act(e, n->op.act, x));
}

/* Returns numbers of channels with a shape that is added to [N,C,H,W]. */
static uint32_t of_channels(struct emit *e, uint32_t a)
{
	return emit_reshape(e, a, EMIT_SHAPE(emit_shape(e, a).size[0], 1, 1));
}

void emit_qconv(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]), w = emit_read(e, n->in[1]),
	         bias = emit_read(e, n->in[2]), more = emit_read(e, n->in[3]);
	uint32_t q = emit_quantized(e, x), scale = emit_read(e, n->in[4]);

	scale = emit_binary(e, "Mul", of_channels(e, scale), q + 1);
	attr_conv(e, n, w);
	x = emit_add(e, "ConvInteger", ONNX_INT32,
	    emit_value_shape(&e->g->value[n->out[0]]), EMIT_INS(q, w, q + 2));
	x = emit_binary(e, "Mul", emit_cast(e, x, ONNX_FLOAT), scale);
	if (bias != EMIT_NONE)
		x = emit_binary(e, "Add", x, of_channels(e, bias));
	if (more != EMIT_NONE)
		x = emit_binary(e, "Add", x, more);
	emit_write(e, n->out[0], emit_act(e, n->op.act, x));
}

void emit_pool(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]);
	struct emit_shape from = emit_shape(e, x),
	                  to = emit_value_shape(&e->g->value[n->out[0]]);
	const int64_t *kernel = n->op.p.pool.kernel, *before = n->op.p.pool.before,
	              *after = n->op.p.pool.after;
	bool all = kernel[0] == from.size[2] && kernel[1] == from.size[3] &&
	           !(before[0] | before[1] | after[0] | after[1]);

	if (!all) {
		attr_window(e, false, kernel, n->op.p.pool.stride, before, after);
		x = emit_add(e, n->op.p.pool.average ? "AveragePool" : "MaxPool",
		    emit_type(e, x), to, EMIT_INS(x));
	} else
		x = emit_add(e,
		    n->op.p.pool.average ? "GlobalAveragePool" : "GlobalMaxPool",
		    emit_type(e, x), to, EMIT_INS(x));
	emit_write(e, n->out[0], x);
}

/* Returns the nearest elements along one dimension. Resize does that for whole factors;
 * other factors are subject to its rounding, so their places are listed. */
static uint32_t resize_places(struct emit *e, uint32_t x, uint32_t axis, int64_t size)
{
	int64_t from = emit_shape(e, x).size[axis];
	int64_t *place = mem_zero((size_t)size + 1, sizeof(*place));

	for (int64_t i = 0; i < size; i++)
		place[i] = i * from / size;
	if (from != size)
		x = emit_gather(e, x, emit_list(e, place, (size_t)size), axis);
	free(place);
	return x;
}

void emit_resize(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]);
	struct emit_shape from = emit_shape(e, x),
	                  to = emit_value_shape(&e->g->value[n->out[0]]);
	bool bilinear = n->op.p.resize.bilinear;

	if (!bilinear && (to.size[2] % from.size[2] || to.size[3] % from.size[3])) {
		for (uint32_t axis = 2; axis < 4; axis++)
			x = resize_places(e, x, axis, to.size[axis]);
		emit_write(e, n->out[0], x);
		return;
	}
	emit_attr_text(e, "mode", bilinear ? "linear" : "nearest");
	emit_attr_text(
	    e, "coordinate_transformation_mode", bilinear ? "half_pixel" : "asymmetric");
	if (!bilinear)
		emit_attr_text(e, "nearest_mode", "floor");
	x = emit_add(e, "Resize", emit_type(e, x), to,
	    EMIT_INS(x, EMIT_NONE, EMIT_NONE, emit_list(e, to.size, to.dims)));
	emit_write(e, n->out[0], x);
}
