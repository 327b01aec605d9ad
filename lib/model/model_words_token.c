/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words on tokens: lookup, attention, positions, state spaces, experts; see
 * bench-model(5).
 */
#include <math.h>

#include "model/model_args.h"
#include "model/model_words.h"

/* Builds embed, and positions if which is 1. */
static void embed(struct builder *b, const struct model_word *word)
{
	bool positions = word->which == 1;
	int64_t rows = arg_size(b, "rows"), size = arg_size(b, "size");
	uint32_t table =
	    build_tied(b, "weight", SHAPE(rows, size), arg_number(b, "spread", 1));
	struct shape shape = { 3, { 1, 1, size } };

	if (positions)
		shape.size[1] = arg_size(b, "tokens");
	else {
		const struct graph_value *ids = build_value(b, b->in[0]);

		if (ids->dims != 2 || ids->dtype != BACKEND_INT32) {
			build_fail(b, "the operand is not [batch,tokens] of int32");
			return;
		}
		shape.size[0] = ids->size[0];
		shape.size[1] = ids->size[1];
	}
	uint32_t out = build_new(b, b->dtype, shape);
	struct backend_op *op =
	    build_node(b, BACKEND_GATHER, OPERANDS(out, table, build_in(b, 0)));
	op->p.gather.alpha = arg_number(b, "alpha", 1);
	op->p.gather.first = arg_whole(b, "first", 0, 0);
	b->out[0] = out;
}

static void attention(struct builder *b, const struct model_word *word)
{
	bool rows = build_value(b, b->in[0])->dims == 2;
	uint32_t q = build_tokens(b, b->in[0]), k = build_tokens(b, b->in[1]),
	         v = build_tokens(b, b->in[2]);
	struct shape shape = build_shape(b, q);
	int64_t heads = arg_size(b, "heads"), kv = arg_whole(b, "kv_heads", heads, 1);

	(void)word;
	if (shape.dims != 3) {
		build_fail(b, "the first operand is not [batch,tokens,width]");
		return;
	}
	double head = (double)(shape.size[2] / heads), scale = arg_number(b, "scale", 0);
	shape.size[2] = build_last(b, v) / kv * heads;
	uint32_t out = build_new(b, b->dtype, shape);
	struct backend_op *op =
	    build_node(b, BACKEND_ATTENTION, OPERANDS(out, q, k, v, build_in(b, 3)));
	op->past = arg_whole(b, "past", 0, 0);
	op->p.attention.heads = heads;
	op->p.attention.kv_heads = kv;
	op->p.attention.scale = scale != 0 ? scale : 1 / sqrt(head > 0 ? head : 1);
	op->p.attention.causal = arg_flag(b, "causal", false);
	op->p.attention.cached = arg_flag(b, "cached", false);
	b->out[0] = rows ? build_rows(b, out) : out;
}

static void rope(struct builder *b, const struct model_word *word)
{
	bool rows = build_value(b, b->in[0])->dims == 2;
	uint32_t x = build_tokens(b, b->in[0]),
	         out = build_new(b, b->dtype, build_shape(b, x));
	struct backend_op *op = build_node(b, BACKEND_ROPE, OPERANDS(out, x));

	(void)word;
	op->p.rope.heads = arg_size(b, "heads");
	op->p.rope.base = arg_number(b, "base", 10000);
	b->out[0] = rows ? build_rows(b, out) : out;
}

static void relative(struct builder *b, const struct model_word *word)
{
	int64_t heads = arg_size(b, "heads"), buckets = arg_whole(b, "buckets", 32, 1);
	uint32_t table =
	    build_tied(b, "weight", SHAPE(buckets, heads), arg_number(b, "spread", 1));
	uint32_t out = build_new(
	    b, b->dtype, SHAPE(heads, arg_size(b, "tokens"), arg_size(b, "keys")));
	struct backend_op *op = build_node(b, BACKEND_RELATIVE, OPERANDS(out, table));

	(void)word;
	op->p.relative.buckets = buckets;
	op->p.relative.distance = arg_whole(b, "distance", 128, 1);
	op->p.relative.both_ways = arg_flag(b, "both_ways", false);
	op->p.relative.cached = arg_flag(b, "cached", false);
	b->out[0] = out;
}

static void sinusoid(struct builder *b, const struct model_word *word)
{
	uint32_t out = build_new(
	    b, b->dtype, SHAPE(build_value(b, b->in[0])->size[0], arg_size(b, "size")));

	(void)word;
	build_node(b, BACKEND_SINUSOID, OPERANDS(out, b->in[0]));
	b->out[0] = out;
}

/* Builds scan of x, steps, B and C. Its weights are the decay, D and the bias of the steps.
 */
static void scan(struct builder *b, const struct model_word *word)
{
	uint32_t x[4];

	(void)word;
	for (size_t i = 0; i < 4; i++)
		x[i] = build_tokens(b, b->in[i]);
	struct shape shape = build_shape(b, x[0]);
	if (shape.dims != 3) {
		build_fail(b, "the operand is not [batch,tokens,channels]");
		return;
	}
	int64_t channels = shape.size[2], states = build_last(b, x[2]);
	uint32_t decay = build_weight(b, "decay", SHAPE(channels, states), 0, 0);
	build_value(b, decay)->fill = FILL_COUNT;
	uint32_t through = build_weight(b, "through", SHAPE(channels), 1, 0.1);
	uint32_t bias = build_weight(b, "bias", SHAPE(channels), -3, 1);
	uint32_t state = build_lasting(b, "state", BACKEND_STATE, BACKEND_FLOAT32,
	    SHAPE(shape.size[0], channels, states));
	build_value(b, state)->fill = FILL_VALUE;
	uint32_t out = build_new(b, b->dtype, shape);
	build_node(b, BACKEND_SCAN,
	    OPERANDS(out, x[0], x[1], decay, x[2], x[3], through, bias, state));
	b->out[0] = build_value(b, b->in[0])->dims == 2 ? build_rows(b, out) : out;
}

static void causal_conv(struct builder *b, const struct model_word *word)
{
	struct graph_value x = *build_value(b, b->in[0]);
	int64_t kernel = arg_size(b, "kernel"), tokens = arg_size(b, "tokens");

	(void)word;
	if (x.dims != 3) {
		build_fail(b, "the operand is not [batch,tokens,channels]");
		return;
	}
	uint32_t w = build_weight(
	    b, "weight", SHAPE(x.size[2], kernel), 0, 1 / sqrt((double)kernel));
	uint32_t bias = build_weight(b, "bias", SHAPE(x.size[2]), 0, 0.05);
	uint32_t out = build_new(b, b->dtype, SHAPE(x.size[0], tokens, x.size[2]));
	build_node(b, BACKEND_CAUSAL_CONV, OPERANDS(out, b->in[0], w, bias))->act =
	    arg_act(b);
	b->out[0] = out;
}

static void route(struct builder *b, const struct model_word *word)
{
	int64_t k = arg_size(b, "k"), tokens = build_value(b, b->in[0])->size[0];
	uint32_t weights = build_new(b, b->dtype, SHAPE(tokens, k)),
	         chosen = build_new(b, BACKEND_INT32, SHAPE(tokens, k));
	struct operands operands = OPERANDS(weights, b->in[0]);

	(void)word;
	operands.out[operands.outs++] = chosen;
	struct backend_op *op = build_node(b, BACKEND_ROUTE, operands);
	op->p.route.k = k;
	op->p.route.renormalise = arg_flag(b, "renormalise", false);
	b->out[0] = weights;
	b->out[1] = chosen;
}

static void experts(struct builder *b, const struct model_word *word)
{
	int64_t width = build_last(b, b->in[0]), n = arg_size(b, "out"),
	        tokens = build_value(b, b->in[1])->size[0], k = build_last(b, b->in[1]);
	uint32_t w = build_weight(b, "weight", SHAPE(arg_size(b, "experts"), n, width), 0,
	    arg_number(b, "gain", 1) / sqrt((double)width));
	uint32_t out = build_new(b, b->dtype, SHAPE(tokens * k, n));
	struct backend_op *op =
	    build_node(b, BACKEND_EXPERTS, OPERANDS(out, b->in[0], w, b->in[1]));

	(void)word;
	op->act = arg_act(b);
	op->p.route.k = k;
	b->out[0] = out;
}

static void combine(struct builder *b, const struct model_word *word)
{
	const struct graph_value *weights = build_value(b, b->in[1]);
	int64_t tokens = weights->size[0], k = build_last(b, b->in[1]);
	uint32_t out = build_new(b, b->dtype, SHAPE(tokens, build_last(b, b->in[0])));

	(void)word;
	build_node(b, BACKEND_COMBINE, OPERANDS(out, b->in[0], b->in[1], build_in(b, 2)))
	    ->p.route.k = k;
	b->out[0] = out;
}

/* Builds topk, which makes positions, or values and positions. The positions are written to
 * the second operand if there is one. */
static void topk(struct builder *b, const struct model_word *word)
{
	int64_t k = arg_size(b, "k"), rows = build_value(b, b->in[0])->size[0];
	uint32_t values = GRAPH_NONE, places = build_in(b, 1);

	(void)word;
	if (b->line->outs == 2)
		values = build_new(b, b->dtype, SHAPE(rows, k));
	if (places == GRAPH_NONE)
		places = build_new(b, BACKEND_INT32, SHAPE(rows, k));
	struct operands operands = OPERANDS(values, b->in[0]);
	operands.out[operands.outs++] = places;
	build_node(b, BACKEND_TOPK, operands)->p.route.k = k;
	b->out[0] = b->line->outs == 2 ? values : places;
	b->out[1] = places;
}

const struct model_word model_words_token[] = {
	{ "embed", 1, 1, 1, "rows size alpha spread weight", embed, 0 },
	{ "positions", 0, 0, 1, "rows size tokens first alpha spread weight", embed, 1 },
	{ "attention", 3, 4, 1, "batch heads kv_heads scale causal cached past", attention,
	    0 },
	{ "rope", 1, 1, 1, "batch heads base", rope, 0 },
	{ "relative", 0, 0, 1,
	    "heads tokens keys buckets distance both_ways cached spread weight", relative,
	    0 },
	{ "sinusoid", 1, 1, 1, "size", sinusoid, 0 },
	{ "scan", 4, 4, 1, "batch", scan, 0 },
	{ "causal_conv", 1, 1, 1, "kernel tokens act", causal_conv, 0 },
	{ "route", 1, 1, 2, "k renormalise", route, 0 },
	{ "experts", 2, 2, 1, "experts out act gain", experts, 0 },
	{ "combine", 2, 3, 1, "", combine, 0 },
	{ "topk", 1, 2, 2, "k", topk, 0 },
	{ 0 },
};
