/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operations on streams, elements and rows, as nodes of ONNX; see onnx_export_priv.h.
 */
#include <stdlib.h>

#include "translate/onnx_export_priv.h"

void emit_copy(struct emit *e, const struct graph_node *n)
{
	emit_write(e, n->out[0], emit_read(e, n->in[0]));
}

void emit_stream_scale(struct emit *e, const struct graph_node *n)
{
	emit_write(
	    e, n->out[0], emit_scale(e, emit_read(e, n->in[0]), n->op.p.stream.alpha));
}

void emit_triad(struct emit *e, const struct graph_node *n)
{
	uint32_t more = emit_scale(e, emit_read(e, n->in[1]), n->op.p.stream.alpha);

	emit_write(e, n->out[0], emit_binary(e, "Add", emit_read(e, n->in[0]), more));
}

void emit_axpy(struct emit *e, const struct graph_node *n)
{
	uint32_t more = emit_scale(e, emit_read(e, n->in[0]), n->op.p.stream.alpha);

	emit_write(e, n->out[0], emit_binary(e, "Add", emit_read(e, n->out[0]), more));
}

void emit_dot(struct emit *e, const struct graph_node *n)
{
	enum onnx_type type = emit_type_of(e->g->value[n->out[0]].dtype);
	uint32_t a = emit_cast(e, emit_read(e, n->in[0]), type),
	         b = emit_cast(e, emit_read(e, n->in[1]), type);
	int64_t count = emit_elements(emit_shape(e, a));

	a = emit_matmul(e, emit_reshape(e, a, EMIT_SHAPE(1, count)),
	    emit_reshape(e, b, EMIT_SHAPE(count, 1)));
	emit_write(e, n->out[0], emit_reshape(e, a, EMIT_SHAPE(1)));
}

/* The chain of multiply-adds is a Loop. */
void emit_fma(struct emit *e, const struct graph_node *n)
{
	static const char yes = 1;
	uint32_t x = emit_read(e, n->in[0]), out[2];
	struct emit_like like = { emit_type(e, x), emit_shape(e, x) };
	uint32_t go =
	    emit_constant(e, ONNX_BOOL, (struct emit_shape){ 0 }, (struct text){ &yes, 1 });
	uint32_t factor = emit_number(e, like.type, n->op.p.stream.alpha),
	         addend = emit_number(e, like.type, n->op.p.stream.beta);
	struct emit_body body;

	emit_begin_body(e, &body);
	(void)emit_body_input(e, ONNX_INT64, (struct emit_shape){ 0 });
	out[0] = emit_body_input(e, ONNX_BOOL, (struct emit_shape){ 0 });
	out[1] = emit_body_input(e, like.type, like.shape);
	out[0] = emit_unary(e, "Identity", out[0]);
	out[1] = emit_binary(e, "Add", emit_binary(e, "Mul", out[1], factor), addend);
	emit_end_body(e, out, 2);
	emit_write(e, n->out[0],
	    emit_add_with_body(e, "Loop", &body, &like, 1,
	        EMIT_INS(emit_int(e, n->op.p.stream.repeat), go, x)));
}

void emit_unary_op(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_scale(e, emit_read(e, n->in[0]), n->op.p.element.alpha);

	emit_write(e, n->out[0], emit_act(e, n->op.act, x));
}

void emit_round(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]);
	const enum onnx_type type = emit_type(e, x);

	x = emit_binary(e, "Div", x, emit_number(e, type, n->op.p.round.scale));
	x = emit_unary(e, "Round", x);
	x = emit_add(e, "Clip", type, emit_shape(e, x),
	    EMIT_INS(x, emit_number(e, type, n->op.p.round.low),
	        emit_number(e, type, n->op.p.round.high)));
	x = emit_shift(e, emit_scale(e, x, n->op.p.round.alpha), n->op.p.round.beta);
	emit_write(e, n->out[0], x);
}

/* Returns the elements of gate k of products [batch,gates h]. */
static uint32_t emit_gate(struct emit *e, uint32_t products, int64_t k, int64_t h)
{
	return emit_slice(e, products, 1, k * h, (k + 1) * h);
}

void emit_cell(struct emit *e, const struct graph_node *n)
{
	const uint32_t x = emit_read(e, n->in[0]), y = emit_read(e, n->in[1]),
	               before = emit_read(e, n->in[2]);
	const int64_t gates = n->op.p.cell.gates, h = emit_shape(e, before).size[1];
	uint32_t gate[3], c;

	for (int64_t k = 0; k + 1 < gates; k++)
		gate[k] = emit_unary(e, "Sigmoid",
		    emit_binary(e, "Add", emit_gate(e, x, k, h), emit_gate(e, y, k, h)));
	c = emit_gate(e, y, gates - 1, h);
	if (gates == 3)
		c = emit_binary(e, "Mul", gate[1], c);
	c = emit_unary(e, "Tanh", emit_binary(e, "Add", emit_gate(e, x, gates - 1, h), c));
	if (gates == 4) {
		c = emit_binary(e, "Add", emit_binary(e, "Mul", gate[2], before),
		    emit_binary(e, "Mul", gate[0], c));
		emit_write(e, n->out[1], c);
		c = emit_binary(e, "Mul", gate[1], emit_unary(e, "Tanh", c));
	} else {
		/* c + z (before - c) */
		c = emit_binary(e, "Add", c,
		    emit_binary(e, "Mul", gate[0], emit_binary(e, "Sub", before, c)));
	}
	emit_write(e, n->out[0], c);
}

/* Finds the dimensions from *begin to *end of a shape that have `count` elements, and are
 * followed by `inner` elements. Returns false if there are none. */
static bool dims_find(
    struct emit_shape s, int64_t count, int64_t inner, uint32_t *begin, uint32_t *end)
{
	int64_t after = 1, inside = 1;

	for (*end = s.dims; *end > 0 && after < inner; --*end)
		after *= s.size[*end - 1];
	for (*begin = *end; *begin > 0 && inside < count; --*begin)
		inside *= s.size[*begin - 1];
	return after == inner && inside == count;
}

/* Returns whether the last sizes of x are those of y, apart from leading ones of y. */
static bool ends_with(struct emit_shape x, struct emit_shape y)
{
	uint32_t skip = 0;

	while (skip < y.dims && y.size[skip] == 1)
		skip++;
	for (uint32_t i = skip; i < y.dims && y.dims <= x.dims; i++)
		if (y.size[i] != x.size[x.dims - y.dims + i])
			return false;
	return y.dims <= x.dims;
}

/* Shapes the operands so that ONNX repeats the second one as `inner` requires. Shapes that
 * fit are kept, because engines fuse operations only if no Reshape is between them. */
static void shape_to_repeat(
    struct emit *e, uint32_t *first, uint32_t *second, int64_t inner)
{
	struct emit_shape x = emit_shape(e, *first), y = emit_shape(e, *second);
	int64_t count = emit_elements(y);
	uint32_t begin, end;

	if (inner == 1 && ends_with(x, y))
		return;
	if (!dims_find(x, count, inner, &begin, &end)) {
		x = EMIT_SHAPE(emit_elements(x) / count / inner, count, inner);
		begin = 1;
		end = 2;
	}
	y.dims = 0;
	for (uint32_t i = begin; i < x.dims; i++)
		y.size[y.dims++] = i < end ? x.size[i] : 1;
	*first = emit_reshape(e, *first, x);
	*second = emit_reshape(e, *second, y);
}

void emit_binary_op(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]),
	         y = emit_scale(e, emit_read(e, n->in[1]), n->op.p.element.alpha),
	         hidden = EMIT_NONE;
	struct emit_shape shape = emit_shape(e, x);

	shape_to_repeat(e, &x, &y, n->op.p.element.inner);
	if (n->op.p.element.select)
		hidden = emit_compare(e, "Equal", y, emit_number(e, emit_type(e, y), 0));
	x = emit_binary(e, n->op.p.element.multiply ? "Mul" : "Add", x, y);
	if (hidden != EMIT_NONE)
		x = emit_add(e, "Where", emit_type(e, x), emit_shape(e, x),
		    EMIT_INS(hidden, emit_number(e, emit_type(e, x), 0), x));
	emit_write(e, n->out[0], emit_act(e, n->op.act, emit_reshape(e, x, shape)));
}

void emit_glu(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]);
	uint32_t last = emit_shape(e, x).dims - 1;
	int64_t width = emit_shape(e, x).size[last] / 2;
	uint32_t first = emit_slice(e, x, last, 0, width),
	         second = emit_slice(e, x, last, width, 2 * width);

	if (n->op.p.element.gate_last)
		second = emit_act(e, n->op.act, second);
	else
		first = emit_act(e, n->op.act, first);
	emit_write(e, n->out[0], emit_binary(e, "Mul", first, second));
}

void emit_softmax(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]);

	emit_attr_int(e, "axis", -1);
	emit_write(e, n->out[0], emit_unary(e, "Softmax", x));
}

void emit_layernorm(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]), gain = emit_read(e, n->in[1]),
	         shift = emit_read(e, n->in[2]);
	struct emit_shape shape = emit_shape(e, x);
	enum onnx_type type = emit_type(e, x);
	int64_t width = shape.size[shape.dims - 1];

	if (gain == EMIT_NONE)
		gain = emit_expand(e, emit_number(e, type, 1), EMIT_SHAPE(width));
	emit_attr_int(e, "axis", -1);
	emit_attr_float(e, "epsilon", n->op.p.norm.eps);
	x = emit_add(e, "LayerNormalization", type, shape,
	    (struct emit_ins){
	        (uint32_t[]){ x, gain, shift }, shift == EMIT_NONE ? 2 : 3 });
	emit_write(e, n->out[0], x);
}

/* The nodes are in the order in which engines recognize this norm. */
void emit_rmsnorm(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]), gain = emit_read(e, n->in[1]), mean;
	struct emit_shape shape = emit_shape(e, x);
	enum onnx_type type = emit_type(e, x);
	int64_t last = -1;

	mean = emit_binary(e, "Pow", x, emit_number(e, type, 2));
	shape.size[shape.dims - 1] = 1;
	emit_attr_int(e, "keepdims", 1);
	if (e->opset > EMIT_OPSET) { /* the axes are an operand since version 18 */
		mean = emit_add(
		    e, "ReduceMean", type, shape, EMIT_INS(mean, emit_list(e, &last, 1)));
	} else {
		emit_attr_ints(e, "axes", &last, 1);
		mean = emit_add(e, "ReduceMean", type, shape, EMIT_INS(mean));
	}
	mean = emit_unary(e, "Sqrt", emit_shift(e, mean, n->op.p.norm.eps));
	x = emit_binary(e, "Div", x, mean);
	if (gain != EMIT_NONE)
		x = emit_binary(e, "Mul", x, gain);
	emit_write(e, n->out[0], emit_scale(e, x, n->op.p.norm.alpha));
}

/* Returns a shape that repeats one number for each channel. */
static struct emit_shape channel_shape(struct emit_shape x)
{
	struct emit_shape s = { .dims = x.dims - 1 };

	for (uint32_t i = 0; i < s.dims; i++)
		s.size[i] = i ? 1 : x.size[1];
	return s;
}

void emit_groupnorm(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]), gain = emit_read(e, n->in[1]),
	         shift = emit_read(e, n->in[2]);
	struct emit_shape shape = emit_shape(e, x);
	enum onnx_type type = emit_type(e, x);
	int64_t groups = n->op.p.norm.groups, channels = shape.size[1];
	struct emit_shape rows = EMIT_SHAPE(
	    shape.size[0], groups, emit_elements(shape) / shape.size[0] / groups);
	uint32_t one = gain, zero = shift;

	if (groups != channels) {
		one = emit_expand(e, emit_number(e, type, 1), EMIT_SHAPE(groups));
		zero = emit_expand(e, emit_number(e, type, 0), EMIT_SHAPE(groups));
	}
	x = emit_reshape(e, x, rows);
	emit_attr_float(e, "epsilon", n->op.p.norm.eps);
	x = emit_add(e, "InstanceNormalization", type, rows, EMIT_INS(x, one, zero));
	x = emit_reshape(e, x, shape);
	if (groups != channels) {
		gain = emit_reshape(e, gain, channel_shape(shape));
		shift = emit_reshape(e, shift, channel_shape(shape));
		x = emit_binary(e, "Add", emit_binary(e, "Mul", x, gain), shift);
	}
	emit_write(e, n->out[0], emit_act(e, n->op.act, x));
}

void emit_batchnorm(struct emit *e, const struct graph_node *n)
{
	uint32_t in[5];

	for (int i = 0; i < 5; i++)
		in[i] = emit_read(e, n->in[i]);
	emit_attr_float(e, "epsilon", n->op.p.norm.eps);
	in[0] = emit_add(e, "BatchNormalization", emit_type(e, in[0]), emit_shape(e, in[0]),
	    (struct emit_ins){ in, 5 });
	emit_write(e, n->out[0], emit_act(e, n->op.act, in[0]));
}
