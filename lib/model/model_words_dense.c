/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words that multiply matrices and process images; see bench-model(5).
 */
#include <math.h>

#include "graph/dtype.h"
#include "model/model_args.h"
#include "model/model_words.h"

static const double bias_spread = 0.05;

/* Adds a vector of biases. Returns GRAPH_NONE if bias=0. */
static uint32_t bias(struct builder *b, int64_t n)
{
	return arg_flag(b, "bias", true) ? build_weight(b, "bias", SHAPE(n), 0, bias_spread)
	                                 : (uint32_t)GRAPH_NONE;
}

/* Returns the element type of a product. */
static enum backend_dtype product_dtype(enum backend_dtype dtype)
{
	return dtype_is_float(dtype) ? dtype : BACKEND_INT32;
}

static void linear(struct builder *b, const struct model_word *word)
{
	struct shape shape = build_shape(b, b->in[0]);
	uint32_t x = build_rows(b, b->in[0]);
	int64_t rows = build_value(b, x)->size[0], k = build_last(b, x),
	        n = arg_size(b, "out");
	uint32_t w = build_tied(
	    b, "weight", SHAPE(n, k), arg_number(b, "gain", 1) / sqrt((double)k));
	uint32_t shift = bias(b, n);

	(void)word;
	uint32_t out = build_new(b, product_dtype(b->dtype), SHAPE(rows, n));
	struct backend_op *op = build_node(b, BACKEND_GEMM, OPERANDS(out, x, w, shift));
	op->act = arg_act(b);
	op->p.gemm.alpha = arg_number(b, "alpha", 1);
	op->p.gemm.transpose = true;
	shape.size[shape.dims - 1] = n;
	b->out[0] = shape.dims == 2 ? out : build_reshape(b, out, shape);
}

static void matmul(struct builder *b, const struct model_word *word)
{
	struct shape shape = build_shape(b, b->in[0]), other = build_shape(b, b->in[1]);
	bool across = arg_flag(b, "transpose", false);

	(void)word;
	if (shape.dims < 2 || shape.dims > 3 || other.dims != shape.dims) {
		build_fail(b,
		    "the operands are not [m,k] and [k,n], or such with a batch in front");
		return;
	}
	shape.size[shape.dims - 1] = other.size[shape.dims - (across ? 2 : 1)];
	uint32_t out = build_new(b, product_dtype(build_value(b, b->in[0])->dtype), shape);
	struct backend_op *op = build_node(b, BACKEND_GEMM,
	    OPERANDS(out, b->in[0], b->in[1], build_in(b, 2), build_in(b, 3)));
	op->act = arg_act(b);
	op->p.gemm.alpha = arg_number(b, "alpha", 1);
	op->p.gemm.transpose = across;
	b->out[0] = out;
}

static void gemv(struct builder *b, const struct model_word *word)
{
	uint32_t out = build_new(b, b->dtype, SHAPE(build_value(b, b->in[0])->size[0]));

	(void)word;
	build_node(b, BACKEND_GEMV, OPERANDS(out, b->in[0], b->in[1]));
	b->out[0] = out;
}

/* Returns the number of positions of a window of `reach` elements. Returns 1 and fails if
 * there is none. */
static int64_t windows(
    struct builder *b, int64_t size, int64_t around, int64_t reach, int64_t stride)
{
	if (size + around < reach) {
		build_fail(b, "the window of %lld is larger than the padded size, %lld",
		    (long long)reach, (long long)(size + around));
		return 1;
	}
	return (size + around - reach) / stride + 1;
}

/* Builds conv, and conv1d if which is 1, whose images are one element high. */
static void conv(struct builder *b, const struct model_word *word)
{
	struct graph_value x = *build_value(b, b->in[0]);
	bool flat = word->which == 1;
	int64_t n = arg_size(b, "out"), kernel = arg_size(b, "kernel"),
	        stride = arg_whole(b, "stride", 1, 1), pad = arg_whole(b, "pad", 0, 0),
	        pad_after = arg_whole(b, "pad_after", pad, 0),
	        dilation = arg_whole(b, "dilation", 1, 1),
	        groups = arg_whole(b, "groups", 1, 1);

	if (x.dims != 4 || (flat && x.size[2] != 1)) {
		build_fail(b, "the operand is not [N,C,%s,W]", flat ? "1" : "H");
		return;
	}
	if (x.size[1] % groups || n % groups) {
		build_fail(b, "%lld and %lld channels cannot be divided into %lld groups",
		    (long long)x.size[1], (long long)n, (long long)groups);
		return;
	}
	if (kernel > 1 << 20 || dilation > 1 << 20) {
		build_fail(b, "the window is too large");
		return;
	}
	int64_t in = x.size[1] / groups, high = flat ? 1 : kernel,
	        reach = dilation * (kernel - 1) + 1;
	double fan_in = (double)in * (double)high * (double)kernel;
	uint32_t w = build_weight(b, "weight", SHAPE(n, in, high, kernel), 0,
	    arg_number(b, "gain", 1) / sqrt(fan_in));
	uint32_t shift = bias(b, n);
	int64_t rows = flat ? 1 : windows(b, x.size[2], pad + pad_after, reach, stride);
	uint32_t out = build_new(b, b->dtype,
	    SHAPE(
	        x.size[0], n, rows, windows(b, x.size[3], pad + pad_after, reach, stride)));
	struct backend_op *op =
	    build_node(b, BACKEND_CONV, OPERANDS(out, b->in[0], w, shift));
	op->act = arg_act(b);
	op->p.conv.groups = groups;
	for (int i = flat; i < 2; i++) {
		op->p.conv.stride[i] = stride;
		op->p.conv.before[i] = pad;
		op->p.conv.after[i] = pad_after;
		op->p.conv.dilation[i] = dilation;
	}
	if (flat)
		op->p.conv.stride[0] = op->p.conv.dilation[0] = 1;
	b->out[0] = out;
}

/* Builds pool. Without kernel=, one window covers the whole image. */
static void pool(struct builder *b, const struct model_word *word)
{
	struct graph_value x = *build_value(b, b->in[0]);
	bool whole = !model_line_arg(b->line, "kernel");
	const char *mode = arg_text(b, "mode");
	int64_t size[2], kernel[2], pad = arg_whole(b, "pad", 0, 0), stride;

	(void)word;
	if (x.dims != 4) {
		build_fail(b, "the operand is not [N,C,H,W]");
		return;
	}
	if (mode && strcmp(mode, "max") != 0 && strcmp(mode, "average") != 0)
		build_fail(b, "mode=%s: not max or average", mode);
	for (int i = 0; i < 2; i++)
		kernel[i] = whole ? x.size[2 + i] : arg_size(b, "kernel");
	stride = arg_whole(b, "stride", kernel[0], 1);
	for (int i = 0; i < 2; i++)
		size[i] = windows(b, x.size[2 + i], 2 * pad, kernel[i], stride);
	uint32_t out = build_new(b, x.dtype, SHAPE(x.size[0], x.size[1], size[0], size[1]));
	struct backend_op *op = build_node(b, BACKEND_POOL, OPERANDS(out, b->in[0]));
	op->p.pool.average = mode && *mode == 'a';
	for (int i = 0; i < 2; i++) {
		op->p.pool.kernel[i] = kernel[i];
		op->p.pool.stride[i] = stride;
		op->p.pool.before[i] = op->p.pool.after[i] = pad;
	}
	b->out[0] = out;
}

static void resize(struct builder *b, const struct model_word *word)
{
	struct graph_value x = *build_value(b, b->in[0]);
	const char *mode = arg_text(b, "mode");
	int64_t factor = arg_whole(b, "factor", 1, 1);

	(void)word;
	if (x.dims != 4 || factor > 1 << 20) {
		build_fail(b,
		    x.dims != 4 ? "the operand is not [N,C,H,W]" : "factor= is too large");
		return;
	}
	if (mode && strcmp(mode, "nearest") != 0 && strcmp(mode, "bilinear") != 0)
		build_fail(b, "mode=%s: not nearest or bilinear", mode);
	uint32_t out = build_new(b, x.dtype,
	    SHAPE(x.size[0], x.size[1], arg_whole(b, "height", x.size[2] * factor, 1),
	        arg_whole(b, "width", x.size[3] * factor, 1)));
	build_node(b, BACKEND_RESIZE, OPERANDS(out, b->in[0]))->p.resize.bilinear =
	    mode && *mode == 'b';
	b->out[0] = out;
}

const struct model_word model_words_dense[] = {
	{ "linear", 1, 1, 1, "out bias act alpha gain weight", linear, 0 },
	{ "matmul", 2, 4, 1, "transpose act alpha", matmul, 0 },
	{ "gemv", 2, 2, 1, "", gemv, 0 },
	{ "conv", 1, 1, 1, "out kernel stride pad pad_after dilation groups bias act gain",
	    conv, 0 },
	{ "conv1d", 1, 1, 1,
	    "out kernel stride pad pad_after dilation groups bias act gain", conv, 1 },
	{ "pool", 1, 1, 1, "kernel stride pad mode", pool, 0 },
	{ "resize", 1, 1, 1, "height width factor mode", resize, 0 },
	{ 0 },
};
