/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes that many operations need; see onnx_export_priv.h.
 */
#include <math.h>

#include "translate/onnx_export_priv.h"

uint32_t emit_unary(struct emit *e, const char *op, uint32_t a)
{
	return emit_add(e, op, emit_type(e, a), emit_shape(e, a), EMIT_INS(a));
}

/* Returns the shape of an operation by elements, in which dimensions of size 1 are
 * repeated. */
static struct emit_shape joint_shape(const struct emit *e, uint32_t a, uint32_t b)
{
	struct emit_shape x = emit_shape(e, a), y = emit_shape(e, b);
	struct emit_shape all = x.dims >= y.dims ? x : y, less = x.dims >= y.dims ? y : x;

	for (uint32_t i = 0; i < less.dims; i++) {
		int64_t *size = &all.size[all.dims - less.dims + i];

		*size = *size == 1 ? less.size[i] : *size;
	}
	return all;
}

uint32_t emit_binary(struct emit *e, const char *op, uint32_t a, uint32_t b)
{
	return emit_add(e, op, emit_type(e, a), joint_shape(e, a, b), EMIT_INS(a, b));
}

uint32_t emit_compare(struct emit *e, const char *op, uint32_t a, uint32_t b)
{
	return emit_add(e, op, ONNX_BOOL, joint_shape(e, a, b), EMIT_INS(a, b));
}

uint32_t emit_scale(struct emit *e, uint32_t a, double factor)
{
	return factor == 1
	           ? a
	           : emit_binary(e, "Mul", a, emit_number(e, emit_type(e, a), factor));
}

uint32_t emit_shift(struct emit *e, uint32_t a, double addend)
{
	return addend == 0
	           ? a
	           : emit_binary(e, "Add", a, emit_number(e, emit_type(e, a), addend));
}

static bool shape_equal(struct emit_shape a, struct emit_shape b)
{
	bool same = a.dims == b.dims;

	for (uint32_t i = 0; same && i < a.dims; i++)
		same = a.size[i] == b.size[i];
	return same;
}

uint32_t emit_reshape(struct emit *e, uint32_t a, struct emit_shape shape)
{
	uint32_t source = e->tensor[a].source, made;

	if (shape_equal(emit_shape(e, a), shape))
		return a;
	if (source != EMIT_NONE)
		return emit_reshape(e, source, shape);
	made = emit_add(e, "Reshape", emit_type(e, a), shape,
	    EMIT_INS(a, emit_list(e, shape.size, shape.dims)));
	e->tensor[made].source = e->body == &e->main ? a : EMIT_NONE;
	return made;
}

uint32_t emit_transpose(struct emit *e, uint32_t a, const int64_t *order)
{
	struct emit_shape from = emit_shape(e, a), to = from;
	bool same = true;

	for (uint32_t i = 0; i < from.dims; i++) {
		to.size[i] = from.size[order[i]];
		same = same && order[i] == i;
	}
	if (same)
		return a;
	emit_attr_ints(e, "perm", order, from.dims);
	return emit_add(e, "Transpose", emit_type(e, a), to, EMIT_INS(a));
}

uint32_t emit_slice(struct emit *e, uint32_t a, uint32_t axis, int64_t from, int64_t to)
{
	struct emit_shape shape = emit_shape(e, a);
	int64_t at = axis;

	if (from == 0 && to == shape.size[axis])
		return a;
	shape.size[axis] = to - from;
	return emit_add(e, "Slice", emit_type(e, a), shape,
	    EMIT_INS(
	        a, emit_list(e, &from, 1), emit_list(e, &to, 1), emit_list(e, &at, 1)));
}

uint32_t emit_concat(struct emit *e, int64_t axis, const uint32_t *part, uint32_t parts)
{
	struct emit_shape shape = emit_shape(e, part[0]);

	if (parts == 1)
		return part[0];
	for (uint32_t i = 1; i < parts; i++) {
		int64_t more = emit_shape(e, part[i]).size[axis];

		shape.size[axis] =
		    more < 0 || shape.size[axis] < 0 ? -1 : shape.size[axis] + more;
	}
	emit_attr_int(e, "axis", axis);
	return emit_add(
	    e, "Concat", emit_type(e, part[0]), shape, (struct emit_ins){ part, parts });
}

uint32_t emit_cast(struct emit *e, uint32_t a, enum onnx_type type)
{
	if (emit_type(e, a) == type)
		return a;
	emit_attr_int(e, "to", (int64_t)type);
	return emit_add(e, "Cast", type, emit_shape(e, a), EMIT_INS(a));
}

uint32_t emit_gather(struct emit *e, uint32_t table, uint32_t index, uint32_t axis)
{
	struct emit_shape from = emit_shape(e, table), at = emit_shape(e, index),
	                  to = { .dims = from.dims - 1 + at.dims };

	for (uint32_t i = 0; i < to.dims; i++)
		to.size[i] = i < axis             ? from.size[i]
		             : i < axis + at.dims ? at.size[i - axis]
		                                  : from.size[i - at.dims + 1];
	emit_attr_int(e, "axis", axis);
	return emit_add(e, "Gather", emit_type(e, table), to, EMIT_INS(table, index));
}

uint32_t emit_matmul(struct emit *e, uint32_t a, uint32_t b)
{
	struct emit_shape x = emit_shape(e, a), y = emit_shape(e, b), to = x;

	if (y.dims == 1)
		to.dims--;
	else
		to.size[to.dims - 1] = y.size[y.dims - 1];
	return emit_add(e, "MatMul", emit_type(e, a), to, EMIT_INS(a, b));
}

uint32_t emit_expand(struct emit *e, uint32_t a, struct emit_shape shape)
{
	if (shape_equal(emit_shape(e, a), shape))
		return a;
	return emit_add(e, "Expand", emit_type(e, a), shape,
	    EMIT_INS(a, emit_list(e, shape.size, shape.dims)));
}

/* The nodes of gelu are in the order in which engines recognize it. */
static uint32_t act_gelu(struct emit *e, uint32_t a)
{
	uint32_t root = emit_number(e, emit_type(e, a), M_SQRT2);
	uint32_t erf = emit_unary(e, "Erf", emit_binary(e, "Div", a, root));

	return emit_scale(e, emit_binary(e, "Mul", a, emit_shift(e, erf, 1)), 0.5);
}

static uint32_t act_gelu_tanh(struct emit *e, uint32_t a)
{
	uint32_t cube = emit_binary(e, "Pow", a, emit_number(e, emit_type(e, a), 3));
	uint32_t sum = emit_binary(e, "Add", a, emit_scale(e, cube, 0.044715));
	uint32_t tanh = emit_unary(e, "Tanh", emit_scale(e, sum, sqrt(M_2_PI)));

	return emit_binary(e, "Mul", emit_scale(e, a, 0.5), emit_shift(e, tanh, 1));
}

/* Limits elements to 0 .. high. */
static uint32_t emit_clip(struct emit *e, uint32_t a, double high)
{
	const enum onnx_type type = emit_type(e, a);

	return emit_add(e, "Clip", type, emit_shape(e, a),
	    EMIT_INS(a, emit_number(e, type, 0), emit_number(e, type, high)));
}

uint32_t emit_act(struct emit *e, enum backend_act act, uint32_t a)
{
	static const char *const op[BACKEND_ACTS] = { [BACKEND_RELU] = "Relu",
		[BACKEND_TANH] = "Tanh",
		[BACKEND_SIGMOID] = "Sigmoid",
		[BACKEND_SOFTPLUS] = "Softplus",
		[BACKEND_HARD_SWISH] = "HardSwish",
		[BACKEND_EXP] = "Exp",
		[BACKEND_LOG] = "Log",
		[BACKEND_SQRT] = "Sqrt",
		[BACKEND_RECIPROCAL] = "Reciprocal",
		[BACKEND_ERF] = "Erf",
		[BACKEND_SIN] = "Sin",
		[BACKEND_COS] = "Cos" };

	switch (act) {
	case BACKEND_GELU:
		return act_gelu(e, a);
	case BACKEND_GELU_TANH:
		return act_gelu_tanh(e, a);
	case BACKEND_QUICK_GELU:
		return emit_binary(
		    e, "Mul", a, emit_unary(e, "Sigmoid", emit_scale(e, a, 1.702)));
	case BACKEND_SILU:
		return emit_binary(e, "Mul", a, emit_unary(e, "Sigmoid", a));
	case BACKEND_RELU6:
		return emit_clip(e, a, 6);
	case BACKEND_HARD_SIGMOID:
		return emit_clip(e, emit_shift(e, emit_scale(e, a, 1.0 / 6), 0.5), 1);
	default:
		return op[act] ? emit_unary(e, op[act], a) : a;
	}
}

uint32_t emit_past(struct emit *e)
{
	if (!e->opts->step)
		return emit_int(e, e->node->op.past);
	if (e->past == EMIT_NONE)
		e->past = emit_tensor(
		    e, ONNX_EXPORT_PAST, true, ONNX_INT64, (struct emit_shape){ 0 });
	return e->past;
}

uint32_t emit_quantized(struct emit *e, uint32_t a)
{
	const struct emit_like like[] = { { ONNX_UINT8, emit_shape(e, a) },
		{ ONNX_FLOAT, { 0 } }, { ONNX_UINT8, { 0 } } };

	return emit_add_all(e, "DynamicQuantizeLinear", like, 3, EMIT_INS(a));
}
