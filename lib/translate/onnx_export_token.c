/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Attention and positions, as nodes of ONNX; see onnx_export_priv.h.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "translate/onnx_export_priv.h"

/* Returns the first rows of keys or values, [batch,rows,width]. */
static uint32_t first_rows(struct emit *e, uint32_t value, int64_t rows)
{
	struct graph_value v = e->g->value[value];

	v.size[1] = rows;
	return emit_read_view(e, &v);
}

/* Returns the number of keys that are read: all of a cache if it is not known how many of
 * them there are. */
static int64_t keys_read(const struct emit *e, const struct graph_node *n)
{
	int64_t keys = e->g->value[n->in[1]].size[1],
	        used = n->op.past + e->g->value[n->in[0]].size[1];

	return n->op.p.attention.cached && !e->opts->step && used < keys ? used : keys;
}

/* Returns the scores of keys that a query uses, and a number whose exponential is 0
 * instead of the others. */
static uint32_t mask_scores(struct emit *e, const struct graph_node *n, uint32_t score,
    int64_t tokens, int64_t keys)
{
	static const double lowest[] = { [ONNX_FLOAT] = -FLT_MAX,
		[ONNX_FLOAT16] = -65504,
		[ONNX_DOUBLE] = -DBL_MAX,
		[ONNX_BFLOAT16] = -3e38 };
	bool causal = n->op.p.attention.causal;
	enum onnx_type type = emit_type(e, score);
	uint32_t column, last, used;

	if (!causal && !(n->op.p.attention.cached && e->opts->step))
		return score;
	if (!e->opts->step && n->op.past + 1 >= keys)
		return score;
	column = emit_count(e, 0, EMIT_SHAPE(1, keys));
	last = emit_binary(e, "Add", emit_past(e),
	    causal ? emit_count(e, 0, EMIT_SHAPE(tokens, 1))
	           : emit_count(e, tokens - 1, EMIT_SHAPE(1, 1)));
	used = emit_compare(e, "LessOrEqual", column, last);
	return emit_add(e, "Where", type, emit_shape(e, score),
	    EMIT_INS(used, score, emit_number(e, type, lowest[type])));
}

/* Returns the queries as [batch,kv_heads,queries of its heads,d]. */
static uint32_t split_queries(
    struct emit *e, uint32_t q, int64_t tokens, int64_t heads, int64_t kv_heads)
{
	static const int64_t order[] = { 0, 2, 1, 3 }, grouped[] = { 0, 2, 3, 1, 4 };
	struct emit_shape s = emit_shape(e, q);
	int64_t batch = s.size[0], d = s.size[2] / heads, share = heads / kv_heads;

	if (share == 1)
		return emit_transpose(
		    e, emit_reshape(e, q, EMIT_SHAPE(batch, tokens, heads, d)), order);
	q = emit_reshape(e, q, EMIT_SHAPE(batch, tokens, kv_heads, share, d));
	return emit_reshape(e, emit_transpose(e, q, grouped),
	    EMIT_SHAPE(batch, kv_heads, share * tokens, d));
}

void emit_attention(struct emit *e, const struct graph_node *n)
{
	static const int64_t of_keys[] = { 0, 2, 3, 1 }, of_values[] = { 0, 2, 1, 3 };
	int64_t heads = n->op.p.attention.heads, kv_heads = n->op.p.attention.kv_heads;
	int64_t keys = keys_read(e, n), share = heads / kv_heads;
	uint32_t q = emit_read(e, n->in[0]), k = first_rows(e, n->in[1], keys),
	         v = first_rows(e, n->in[2], keys), bias = emit_read(e, n->in[3]), score;
	int64_t batch = emit_shape(e, q).size[0], tokens = emit_shape(e, q).size[1];
	int64_t d = emit_shape(e, k).size[2] / kv_heads,
	        dv = emit_shape(e, v).size[2] / kv_heads;

	q = split_queries(e, q, tokens, heads, kv_heads);
	k = emit_transpose(
	    e, emit_reshape(e, k, EMIT_SHAPE(batch, keys, kv_heads, d)), of_keys);
	v = emit_transpose(
	    e, emit_reshape(e, v, EMIT_SHAPE(batch, keys, kv_heads, dv)), of_values);
	score = emit_scale(e, emit_matmul(e, q, k), n->op.p.attention.scale);
	score = emit_reshape(e, score, EMIT_SHAPE(batch, heads, tokens, keys));
	if (bias != EMIT_NONE)
		score = emit_binary(e, "Add", score, emit_slice(e, bias, 2, 0, keys));
	score = mask_scores(e, n, score, tokens, keys);
	emit_attr_int(e, "axis", -1);
	score = emit_unary(e, "Softmax", score);
	score = emit_reshape(e, score, EMIT_SHAPE(batch, kv_heads, share * tokens, keys));
	q = emit_reshape(e, emit_matmul(e, score, v), EMIT_SHAPE(batch, heads, tokens, dv));
	q = emit_transpose(e, q, of_values);
	emit_write(e, n->out[0], emit_reshape(e, q, EMIT_SHAPE(batch, tokens, heads * dv)));
}

/* Returns the cosines and sines of the positions of tokens times base^(-2i/d), with the
 * shape [tokens,1,d/2]. */
static void position_waves(struct emit *e, enum onnx_type type, int64_t tokens,
    int64_t half, double base, uint32_t *wave)
{
	struct emit_shape shape = EMIT_SHAPE(tokens, 1, half);
	double *x[3];
	uint32_t at;

	for (int i = 0; i < 3; i++)
		x[i] = mem_zero((size_t)(tokens * half) + 1, sizeof(*x[i]));
	for (int64_t i = 0; i < tokens * half; i++) {
		x[2][i] = pow(base, -(double)(i % half) / (double)half);
		x[0][i] = cos((double)(e->node->op.past + i / half) * x[2][i]);
		x[1][i] = sin((double)(e->node->op.past + i / half) * x[2][i]);
	}
	if (e->opts->step) {
		at = emit_binary(
		    e, "Add", emit_past(e), emit_count(e, 0, EMIT_SHAPE(tokens, 1, 1)));
		at = emit_binary(e, "Mul", emit_cast(e, at, ONNX_FLOAT),
		    emit_numbers(e, ONNX_FLOAT, EMIT_SHAPE(half), x[2]));
		wave[0] = emit_cast(e, emit_unary(e, "Cos", at), type);
		wave[1] = emit_cast(e, emit_unary(e, "Sin", at), type);
	} else
		for (int i = 0; i < 2; i++)
			wave[i] = emit_numbers(e, type, shape, x[i]);
	for (int i = 0; i < 3; i++)
		free(x[i]);
}

void emit_rope(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]), first, second, wave[2], out[2];
	struct emit_shape shape = emit_shape(e, x);
	int64_t heads = n->op.p.rope.heads, d = shape.size[2] / heads, half = d / 2;

	position_waves(e, emit_type(e, x), shape.size[1], half, n->op.p.rope.base, wave);
	x = emit_reshape(e, x, EMIT_SHAPE(shape.size[0], shape.size[1], heads, d));
	first = emit_slice(e, x, 3, 0, half);
	second = emit_slice(e, x, 3, half, d);
	out[0] = emit_binary(e, "Sub", emit_binary(e, "Mul", first, wave[0]),
	    emit_binary(e, "Mul", second, wave[1]));
	out[1] = emit_binary(e, "Add", emit_binary(e, "Mul", first, wave[1]),
	    emit_binary(e, "Mul", second, wave[0]));
	emit_write(e, n->out[0], emit_reshape(e, emit_concat(e, 3, out, 2), shape));
}

/* Returns the bucket of a distance like the operation RELATIVE. */
static int64_t distance_bucket(const struct backend_op *op, int64_t distance)
{
	int64_t buckets = op->p.relative.buckets, first = 0, half, far;

	if (op->p.relative.both_ways) {
		buckets /= 2;
		first = distance > 0 ? buckets : 0;
		distance = distance < 0 ? -distance : distance;
	} else
		distance = distance < 0 ? -distance : 0;
	half = buckets / 2;
	if (distance < half)
		return first + distance;
	far = half + (int64_t)(log((double)distance / (double)half) /
	                           log((double)op->p.relative.distance / (double)half) *
	                           (double)(buckets - half) +
	                       1e-9);
	return first + (far < buckets ? far : buckets - 1);
}

/* All distances beyond the largest distinguished one have the same bucket, so a table has
 * the buckets of all others. */
void emit_relative(struct emit *e, const struct graph_node *n)
{
	static const int64_t order[] = { 2, 0, 1 };
	const struct graph_value *out = &e->g->value[n->out[0]];
	int64_t far = n->op.p.relative.distance, tokens = out->size[1],
	        columns = out->size[2];
	int64_t *bucket = mem_zero((size_t)(2 * far + 1), sizeof(*bucket));
	uint32_t at, table;

	for (int64_t i = 0; i <= 2 * far; i++)
		bucket[i] = distance_bucket(&n->op, i - far);
	at =
	    emit_binary(e, "Add", emit_past(e), emit_count(e, -far, EMIT_SHAPE(tokens, 1)));
	at = emit_binary(e, "Sub", emit_count(e, 0, EMIT_SHAPE(1, columns)), at);
	at = emit_add(e, "Clip", ONNX_INT64, emit_shape(e, at),
	    EMIT_INS(at, emit_int(e, 0), emit_int(e, 2 * far)));
	at = emit_gather(e, emit_list(e, bucket, (size_t)(2 * far + 1)), at, 0);
	table = emit_gather(e, emit_read(e, n->in[0]), at, 0);
	emit_write(e, n->out[0], emit_transpose(e, table, order));
	free(bucket);
}

void emit_sinusoid(struct emit *e, const struct graph_node *n)
{
	const struct graph_value *out = &e->g->value[n->out[0]];
	int64_t half = out->size[1] / 2;
	double *rate = mem_zero((size_t)half + 1, sizeof(*rate));
	uint32_t x = emit_read(e, n->in[0]), wave[2];

	for (int64_t i = 0; i < half; i++)
		rate[i] = pow(10000, -(double)i / (double)half);
	x = emit_reshape(e, x, EMIT_SHAPE(out->size[0], 1));
	x = emit_binary(
	    e, "Mul", x, emit_numbers(e, emit_type(e, x), EMIT_SHAPE(half), rate));
	wave[0] = emit_unary(e, "Cos", x);
	wave[1] = emit_unary(e, "Sin", x);
	emit_write(e, n->out[0],
	    emit_cast(e, emit_concat(e, 1, wave, 2), emit_type_of(out->dtype)));
	free(rate);
}

void emit_lookup(struct emit *e, const struct graph_node *n)
{
	const struct graph_value *out = &e->g->value[n->out[0]];
	uint32_t table = emit_read(e, n->in[0]), at = emit_read(e, n->in[1]);
	int64_t first = n->op.p.gather.first, tokens = out->size[1];

	if (at != EMIT_NONE)
		table = emit_gather(e, table, at, 0);
	else if (e->opts->step)
		table = emit_gather(e, table,
		    emit_binary(
		        e, "Add", emit_past(e), emit_count(e, first, EMIT_SHAPE(tokens))),
		    0);
	else
		table = emit_slice(
		    e, table, 0, first + n->op.past, first + n->op.past + tokens);
	if (at == EMIT_NONE)
		table = emit_reshape(e, table, EMIT_SHAPE(1, tokens, out->size[2]));
	table = emit_expand(e, emit_scale(e, table, n->op.p.gather.alpha),
	    EMIT_SHAPE(out->size[0], tokens, out->size[2]));
	emit_write(e, n->out[0], emit_reshape(e, table, emit_value_shape(out)));
}

/* Converts numbers, which integers round. */
static uint32_t convert(struct emit *e, uint32_t x, enum backend_dtype to)
{
	static const struct {
		double least, most;
	} range[BACKEND_DTYPES] = { [BACKEND_INT8] = { -128, 127 },
		[BACKEND_UINT8] = { 0, 255 },
		[BACKEND_INT32] = { -2147483648.0, 2147483647.0 } };
	enum onnx_type type = emit_type(e, x);

	if (range[to].most > 0) {
		/* float32 would round the largest int32 up. */
		type = to == BACKEND_INT32 ? ONNX_DOUBLE : type;
		x = emit_cast(e, x, type);
		x = emit_unary(e, "Round", x);
		x = emit_add(e, "Clip", type, emit_shape(e, x),
		    EMIT_INS(x, emit_number(e, type, range[to].least),
		        emit_number(e, type, range[to].most)));
	}
	return emit_cast(e, x, emit_type_of(to));
}

void emit_move(struct emit *e, const struct graph_node *n)
{
	enum backend_dtype from = e->g->value[n->in[0]].dtype,
	                   to = e->g->value[n->out[0]].dtype;
	uint32_t x = emit_read(e, n->in[0]);

	if (from != to || n->op.p.move.alpha != 1) {
		bool whole =
		    from == BACKEND_INT8 || from == BACKEND_INT32 || from == BACKEND_UINT8;

		if (whole)
			x = emit_cast(e, x,
			    to == BACKEND_FLOAT64 || from == BACKEND_INT32 ? ONNX_DOUBLE
			                                                   : ONNX_FLOAT);
		x = convert(e, emit_scale(e, x, n->op.p.move.alpha), to);
	}
	emit_write_after_past(e, n->out[0], x, n->op.p.move.advance);
}
