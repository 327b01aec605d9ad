/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words that declare, view and copy values; see bench-model(5).
 */
#include <math.h>

#include "graph/dtype.h"
#include "model/model_args.h"
#include "model/model_words.h"

enum { MAKE_INPUT, MAKE_WEIGHT, MAKE_STATE, MAKE_ROOM };

/* Reads how a value is filled. */
static void read_fill(struct builder *b, struct graph_value *v)
{
	static const struct {
		const char *name;
		enum graph_fill fill;
		double at, spread;
	} fills[] = { { "normal", FILL_NORMAL, 0, 1 }, { "uniform", FILL_UNIFORM, 0, 1 },
		{ "below", FILL_BELOW, 0, 8 }, { "value", FILL_VALUE, 0, 0 },
		{ "count", FILL_COUNT, 0, 0 } };
	const char *name = arg_text(b, "fill");
	size_t i = 0;

	if (!name)
		name = dtype_is_float(v->dtype) ? "normal" : "below";
	while (i < COUNT(fills) && strcmp(fills[i].name, name) != 0)
		i++;
	if (i == COUNT(fills)) {
		build_fail(b, "fill=%s: no such way to fill a tensor", name);
		return;
	}
	v->fill = fills[i].fill;
	v->at = arg_number(b, "at", fills[i].at);
	v->spread = arg_number(b, "spread", fills[i].spread);
	if (v->spread < 0 || (v->fill == FILL_BELOW && v->spread < 1))
		build_fail(b, "spread= is too small");
}

static void make_value(struct builder *b, const struct model_word *word)
{
	static const enum backend_role roles[] = { BACKEND_INPUT, BACKEND_WEIGHT,
		BACKEND_STATE, BACKEND_ACTIVATION };
	struct shape shape;

	shape.dims = arg_list(b, "sizes", shape.size);
	enum backend_dtype dtype = arg_dtype(b, b->dtype);
	uint32_t made = build_lasting(b, NULL, roles[word->which], dtype, shape);
	struct graph_value *v = build_value(b, made);
	if (word->which == MAKE_STATE)
		v->fill = FILL_VALUE;
	else if (word->which != MAKE_ROOM)
		read_fill(b, v);
	v->counts = word->which == MAKE_WEIGHT && arg_flag(b, "counts", true);
	b->out[0] = made;
}

static void same(struct builder *b, const struct model_word *word)
{
	(void)word;
	b->out[0] = b->in[0];
}

/* Adds a copy of one value to another. */
static void move_to(struct builder *b, uint32_t from, uint32_t to, double alpha)
{
	build_node(b, BACKEND_MOVE, OPERANDS(to, from))->p.move.alpha = alpha;
}

static void move(struct builder *b, const struct model_word *word)
{
	uint32_t from = b->in[0], to = build_in(b, 1);
	double alpha = arg_number(b, "alpha", 1);

	(void)word;
	if (to == GRAPH_NONE)
		to = build_new(
		    b, arg_dtype(b, build_value(b, from)->dtype), build_shape(b, from));
	move_to(b, from, to, alpha);
	b->out[0] = to;
}

/* Marks a value as an output. A view and a value that is not computed are copied, because
 * the host reads whole values. */
static void output(struct builder *b, const struct model_word *word)
{
	uint32_t value = b->in[0];
	struct graph_value *v = build_value(b, value), *base = build_value(b, v->of);

	(void)word;
	if (base->role != BACKEND_ACTIVATION || graph_elements(v) != graph_elements(base)) {
		value = build_new(b, v->dtype, build_shape(b, value));
		move_to(b, b->in[0], value, 1);
		base = build_value(b, value);
	}
	base->role = BACKEND_OUTPUT;
	b->out[0] = value;
}

static void reshape(struct builder *b, const struct model_word *word)
{
	struct shape shape = { 0 };
	int64_t known = 1, open = -1;

	(void)word;
	shape.dims = arg_list(b, "sizes", shape.size);
	for (uint32_t i = 0; i < shape.dims; i++) {
		if (shape.size[i] > 0 && shape.size[i] < INT64_MAX / known)
			known *= shape.size[i];
		else if (shape.size[i] == -1 && open < 0)
			open = i;
		else {
			build_fail(b, "sizes= has a size below 1, or they are too large");
			return;
		}
	}
	if (open >= 0)
		shape.size[open] = graph_elements(build_value(b, b->in[0])) / known;
	b->out[0] = build_reshape(b, b->in[0], shape);
}

static void slice(struct builder *b, const struct model_word *word)
{
	(void)word;
	b->out[0] = build_slice(b, b->in[0], (uint32_t)arg_whole(b, "dim", 0, 0),
	    arg_whole(b, "from", 0, 0), arg_size(b, "size"));
}

static void permute(struct builder *b, const struct model_word *word)
{
	struct graph_value old = *build_value(b, b->in[0]);
	int64_t order[BACKEND_DIMS], stride[BACKEND_DIMS] = { 1, 1, 1, 1 };
	struct shape shape = { .dims = arg_list(b, "order", order) };
	unsigned seen = 0;

	(void)word;
	for (uint32_t i = 0; i < shape.dims && shape.dims == old.dims; i++)
		if (order[i] >= 0 && order[i] < old.dims) {
			seen |= 1u << order[i];
			shape.size[i] = old.size[order[i]];
			stride[i] = old.stride[order[i]];
		}
	if (seen + 1 != 1u << old.dims) {
		build_fail(b, "order= does not name each of the %u dimensions once",
		    (unsigned)old.dims);
		return;
	}
	b->out[0] = build_view(b, b->in[0], shape, stride, 0);
}

static void expand(struct builder *b, const struct model_word *word)
{
	struct graph_value old = *build_value(b, b->in[0]);
	int64_t stride[BACKEND_DIMS];
	struct shape shape;

	(void)word;
	shape.dims = arg_list(b, "sizes", shape.size);
	memcpy(stride, old.stride, sizeof(stride));
	for (uint32_t i = 0; i < old.dims && shape.dims == old.dims; i++)
		if (old.size[i] == 1)
			stride[i] = 0;
		else if (shape.size[i] != old.size[i])
			shape.dims = 0;
	if (shape.dims != old.dims) {
		build_fail(b, "sizes= may change only dimensions of size 1");
		return;
	}
	b->out[0] = build_view(b, b->in[0], shape, stride, 0);
}

static void concat(struct builder *b, const struct model_word *word)
{
	uint32_t dim = (uint32_t)arg_whole(b, "dim", 0, 0), made;
	struct shape shape = build_shape(b, b->in[0]);
	int64_t at = 0;

	(void)word;
	if (dim >= shape.dims) {
		build_fail(b, "dim= is not below %u, the number of dimensions",
		    (unsigned)shape.dims);
		return;
	}
	for (size_t i = 1; i < b->ins; i++) {
		struct shape other = build_shape(b, b->in[i]);

		for (uint32_t d = 0; d < shape.dims; d++)
			if (other.dims != shape.dims ||
			    (d != dim && other.size[d] != shape.size[d])) {
				build_fail(b, "the sizes of '%s' differ", b->line->in[i]);
				return;
			}
		shape.size[dim] += other.size[dim];
	}
	made = build_new(b, build_value(b, b->in[0])->dtype, shape);
	for (size_t i = 0; i < b->ins; i++) {
		int64_t size = build_value(b, b->in[i])->size[dim];

		move_to(b, b->in[i], build_slice(b, made, dim, at, size), 1);
		at += size;
	}
	b->out[0] = made;
}

/* Appends rows of tokens to a state that keeps those of the previous tokens. */
static void cache(struct builder *b, const struct model_word *word)
{
	uint32_t tokens = build_tokens(b, b->in[0]), state;
	struct shape shape = build_shape(b, tokens);
	int64_t before = arg_whole(b, "before", 0, 0), capacity = arg_size(b, "capacity");

	(void)word;
	if (shape.dims != 3) {
		build_fail(b, "the operand is not [batch,tokens,width]");
		return;
	}
	if (shape.size[1] > capacity) {
		build_fail(b, "capacity=%lld is less than %lld tokens", (long long)capacity,
		    (long long)shape.size[1]);
		return;
	}
	int64_t now = shape.size[1];
	shape.size[1] = before + capacity;
	state = build_lasting(b, NULL, BACKEND_STATE, build_value(b, tokens)->dtype, shape);
	build_value(b, state)->fill = FILL_VALUE;
	struct backend_op *op = build_node(
	    b, BACKEND_MOVE, OPERANDS(build_slice(b, state, 1, before, now), tokens));
	op->p.move.alpha = 1;
	op->p.move.advance = shape.size[2];
	b->out[0] = state;
}

const struct model_word model_words_value[] = {
	{ "input", 0, 0, 1, "sizes dtype fill at spread", make_value, MAKE_INPUT },
	{ "weight", 0, 0, 1, "sizes dtype fill at spread counts", make_value, MAKE_WEIGHT },
	{ "state", 0, 0, 1, "sizes dtype", make_value, MAKE_STATE },
	{ "room", 0, 0, 1, "sizes dtype", make_value, MAKE_ROOM },
	{ "output", 1, 1, 1, "", output, 0 },
	{ "same", 1, 1, 1, "", same, 0 },
	{ "reshape", 1, 1, 1, "sizes", reshape, 0 },
	{ "slice", 1, 1, 1, "dim from size", slice, 0 },
	{ "permute", 1, 1, 1, "order", permute, 0 },
	{ "expand", 1, 1, 1, "sizes", expand, 0 },
	{ "move", 1, 2, 1, "alpha dtype", move, 0 },
	{ "concat", 1, BACKEND_INS, 1, "dim", concat, 0 },
	{ "cache", 1, 1, 1, "batch capacity before", cache, 0 },
	{ 0 },
};
