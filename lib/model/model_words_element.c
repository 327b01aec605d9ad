/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words that compute elements or rows: streams, norms, activations; see bench-model(5).
 */
#include "model/model_args.h"
#include "model/model_words.h"

static const double gain_spread = 0.1, shift_spread = 0.05;

/* Adds a value of the same shape and element type. */
static uint32_t like(struct builder *b, uint32_t value)
{
	return build_new(b, build_value(b, value)->dtype, build_shape(b, value));
}

static void nop(struct builder *b, const struct model_word *word)
{
	(void)word;
	build_node(b, BACKEND_NOP, (struct operands){ 0 });
}

/* Builds the streams. axpy adds to its second operand. */
static void stream(struct builder *b, const struct model_word *word)
{
	bool sum = word->which == BACKEND_DOT;
	enum backend_dtype dtype = build_value(b, b->in[0])->dtype;
	uint32_t out;

	if (word->which == BACKEND_AXPY)
		out = b->in[1];
	else if (sum)
		out = build_new(b,
		    dtype == BACKEND_FLOAT64 ? BACKEND_FLOAT64 : BACKEND_FLOAT32, SHAPE(1));
	else
		out = like(b, b->in[0]);
	struct backend_op *op = build_node(b, (enum backend_kind)word->which,
	    OPERANDS(out, b->in[0],
	        word->which == BACKEND_AXPY ? (uint32_t)GRAPH_NONE : build_in(b, 1)));
	op->p.stream.alpha = arg_number(b, "alpha", 1);
	op->p.stream.beta = arg_number(b, "beta", 0);
	op->p.stream.repeat = arg_whole(b, "repeat", 1, 1);
	b->out[0] = out;
}

static uint32_t gain(struct builder *b, const char *name, int64_t n)
{
	return build_weight(b, name, SHAPE(n), 1, gain_spread);
}

static uint32_t shift(struct builder *b, int64_t n)
{
	return build_weight(b, "bias", SHAPE(n), 0, shift_spread);
}

static void row_norm(struct builder *b, const struct model_word *word)
{
	int64_t n = build_last(b, b->in[0]);
	uint32_t scale = GRAPH_NONE, add = GRAPH_NONE;
	bool root = word->which == BACKEND_RMSNORM;

	if (!arg_flag(b, "plain", false)) {
		scale = gain(b, "weight", n);
		if (!root)
			add = shift(b, n);
	}
	uint32_t out = like(b, b->in[0]);
	struct backend_op *op = build_node(
	    b, (enum backend_kind)word->which, OPERANDS(out, b->in[0], scale, add));
	op->p.norm.eps = arg_number(b, "eps", root ? 1e-6 : 1e-5);
	op->p.norm.alpha = arg_number(b, "alpha", 1);
	op->p.norm.groups = 1;
	b->out[0] = out;
}

static void channel_norm(struct builder *b, const struct model_word *word)
{
	struct graph_value x = *build_value(b, b->in[0]);
	bool kept = word->which == BACKEND_BATCHNORM;
	uint32_t mean = GRAPH_NONE, variance = GRAPH_NONE;

	if (x.dims < 2) {
		build_fail(b, "the operand is not [N,C,...]");
		return;
	}
	uint32_t scale = gain(b, "weight", x.size[1]), add = shift(b, x.size[1]);
	if (kept) {
		mean = build_weight(b, "mean", SHAPE(x.size[1]), 0, shift_spread);
		variance = build_weight(b, "variance", SHAPE(x.size[1]), 0.5, 1);
		struct graph_value *v = build_value(b, variance);
		v->fill = FILL_UNIFORM;
		/* Published counts contain only trained parameters. */
		v->counts = build_value(b, mean)->counts = false;
	}
	uint32_t out = like(b, b->in[0]);
	struct backend_op *op = build_node(b, (enum backend_kind)word->which,
	    OPERANDS(out, b->in[0], scale, add, mean, variance));
	op->act = arg_act(b);
	op->p.norm.eps = arg_number(b, "eps", 1e-5);
	op->p.norm.alpha = 1;
	op->p.norm.groups = arg_whole(b, "groups", kept ? 1 : 32, 1);
	b->out[0] = out;
}

static void softmax(struct builder *b, const struct model_word *word)
{
	uint32_t out = like(b, b->in[0]);

	(void)word;
	build_node(b, BACKEND_SOFTMAX, OPERANDS(out, b->in[0]));
	b->out[0] = out;
}

static void unary(struct builder *b, const struct model_word *word)
{
	uint32_t out = like(b, b->in[0]);
	struct backend_op *op = build_node(b, BACKEND_UNARY, OPERANDS(out, b->in[0]));

	op->act = (enum backend_act)word->which;
	op->p.element.alpha = arg_number(b, "alpha", 1);
	op->p.element.inner = 1;
	b->out[0] = out;
}

/* Returns whether b is one number, or its sizes without leading ones are the last sizes of
 * a. */
static bool ends_alike(const struct graph_value *a, const struct graph_value *b)
{
	uint32_t skip = 0;

	while (skip + 1 < b->dims && b->size[skip] == 1)
		skip++;
	uint32_t dims = b->dims - skip;
	if (graph_elements(b) == 1)
		return true;
	if (dims > a->dims)
		return false;
	for (uint32_t i = 0; i < dims; i++)
		if (a->size[a->dims - dims + i] != b->size[skip + i])
			return false;
	return true;
}

/* Returns whether the sizes of b are the first sizes of a. */
static bool begins_alike(const struct graph_value *a, const struct graph_value *b)
{
	if (b->dims > a->dims)
		return false;
	for (uint32_t i = 0; i < b->dims; i++)
		if (a->size[i] != b->size[i])
			return false;
	return true;
}

/* Builds add and mul. The second operand may be a row for all rows, or a number for each
 * channel. */
static void binary(struct builder *b, const struct model_word *word)
{
	struct graph_value first = *build_value(b, b->in[0]),
	                   second = *build_value(b, b->in[1]);
	bool channels = arg_flag(b, "channels", !ends_alike(&first, &second));
	int64_t inner = 1;

	if (channels && !begins_alike(&first, &second)) {
		build_fail(b,
		    "the sizes of the second operand are neither the last nor the "
		    "first sizes of the first");
		return;
	}
	if (channels)
		inner = graph_elements(&first) / graph_elements(&second);
	uint32_t out = like(b, b->in[0]);
	struct backend_op *op =
	    build_node(b, BACKEND_BINARY, OPERANDS(out, b->in[0], b->in[1]));
	op->act = arg_act(b);
	op->p.element.alpha = arg_number(b, "alpha", 1);
	op->p.element.inner = inner;
	op->p.element.multiply = word->which;
	b->out[0] = out;
}

static void glu(struct builder *b, const struct model_word *word)
{
	struct shape shape = build_shape(b, b->in[0]);

	(void)word;
	if (shape.size[shape.dims - 1] % 2) {
		build_fail(b, "the width of the operand is odd");
		return;
	}
	shape.size[shape.dims - 1] /= 2;
	uint32_t out = build_new(b, b->dtype, shape);
	struct backend_op *op = build_node(b, BACKEND_GLU, OPERANDS(out, b->in[0]));
	op->act = arg_act(b);
	op->p.element.alpha = 1;
	op->p.element.inner = 1;
	op->p.element.gate_last = arg_flag(b, "gate_last", false);
	b->out[0] = out;
}

const struct model_word model_words_element[] = {
	{ "nop", 0, 0, 0, "", nop, 0 },
	{ "copy", 1, 1, 1, "", stream, BACKEND_COPY },
	{ "scale", 1, 1, 1, "alpha", stream, BACKEND_SCALE },
	{ "triad", 2, 2, 1, "alpha", stream, BACKEND_TRIAD },
	{ "axpy", 2, 2, 1, "alpha", stream, BACKEND_AXPY },
	{ "dot", 2, 2, 1, "", stream, BACKEND_DOT },
	{ "fma", 1, 1, 1, "alpha beta repeat", stream, BACKEND_FMA },
	{ "layernorm", 1, 1, 1, "eps plain", row_norm, BACKEND_LAYERNORM },
	{ "rmsnorm", 1, 1, 1, "eps alpha plain", row_norm, BACKEND_RMSNORM },
	{ "groupnorm", 1, 1, 1, "eps groups act", channel_norm, BACKEND_GROUPNORM },
	{ "batchnorm", 1, 1, 1, "eps act", channel_norm, BACKEND_BATCHNORM },
	{ "softmax", 1, 1, 1, "", softmax, 0 },
	{ "relu", 1, 1, 1, "alpha", unary, BACKEND_RELU },
	{ "gelu", 1, 1, 1, "alpha", unary, BACKEND_GELU },
	{ "gelu_tanh", 1, 1, 1, "alpha", unary, BACKEND_GELU_TANH },
	{ "quickgelu", 1, 1, 1, "alpha", unary, BACKEND_QUICK_GELU },
	{ "silu", 1, 1, 1, "alpha", unary, BACKEND_SILU },
	{ "tanh", 1, 1, 1, "alpha", unary, BACKEND_TANH },
	{ "sigmoid", 1, 1, 1, "alpha", unary, BACKEND_SIGMOID },
	{ "softplus", 1, 1, 1, "alpha", unary, BACKEND_SOFTPLUS },
	{ "relu6", 1, 1, 1, "alpha", unary, BACKEND_RELU6 },
	{ "hardsigmoid", 1, 1, 1, "alpha", unary, BACKEND_HARD_SIGMOID },
	{ "hardswish", 1, 1, 1, "alpha", unary, BACKEND_HARD_SWISH },
	{ "exp", 1, 1, 1, "alpha", unary, BACKEND_EXP },
	{ "log", 1, 1, 1, "alpha", unary, BACKEND_LOG },
	{ "sqrt", 1, 1, 1, "alpha", unary, BACKEND_SQRT },
	{ "reciprocal", 1, 1, 1, "alpha", unary, BACKEND_RECIPROCAL },
	{ "erf", 1, 1, 1, "alpha", unary, BACKEND_ERF },
	{ "sin", 1, 1, 1, "alpha", unary, BACKEND_SIN },
	{ "cos", 1, 1, 1, "alpha", unary, BACKEND_COS },
	{ "multiply", 1, 1, 1, "alpha", unary, BACKEND_LINEAR },
	{ "add", 2, 2, 1, "alpha act channels", binary, false },
	{ "mul", 2, 2, 1, "alpha act channels", binary, true },
	{ "glu", 1, 1, 1, "act gate_last", glu, 0 },
	{ 0 },
};
