/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds attention; see onnx_import_priv.h. onnx_import_attention.c finds it in other nodes.
 */
#include <math.h>

#include "onnx/onnx_import_priv.h"

/* Returns queries, keys or values [..,heads,tokens,width] as [batch,tokens,heads width].
 * Stores the number of heads. */
static uint32_t tokens(struct import *im, struct import_view v, int64_t *heads)
{
	static const uint32_t order[] = { 0, 2, 1, 3 };
	struct import_view four = v;

	if (v.shape.dims == 3) {
		const int64_t *s = v.shape.size;

		four.shape = IMPORT_SHAPE(1, s[0], s[1], s[2]);
		for (uint32_t i = 3; i > 0; i--)
			four.stride[i] = v.stride[i - 1];
		four.stride[0] = s[0] * v.stride[0];
	}
	*heads = four.shape.size[1];
	four = import_permute(four, order);
	const int64_t *s = four.shape.size;
	return import_operand(im, four, IMPORT_SHAPE(s[0], s[1], s[2] * s[3]), IMPORT_ROWS);
}

/* Returns the bias [heads,queries,keys] of a mask, or GRAPH_NONE. */
static uint32_t mask_bias(struct import *im, const struct import_match *m, int64_t heads,
    int64_t queries, int64_t keys)
{
	struct import_view v;

	if (m->in[3] == TRACE_NONE || m->number[1] < 2)
		return GRAPH_NONE;
	v = import_see(im, m->in[3]);
	/* The mask is the same for all batches. */
	if (v.shape.dims == 4) {
		v.shape.size[0] = 1;
		(void)import_reshape(&v, import_shape(3, v.shape.size + 1));
	}
	v = import_broadcast(v, IMPORT_SHAPE(heads, queries, keys));
	return import_operand(im, v, v.shape, IMPORT_ROWS);
}

void import_matched_attention(IMPORT_PARAMS)
{
	static const uint32_t back[] = { 0, 2, 1, 3 };
	struct import_view q = import_see(im, m->in[0]), k = import_see(im, m->in[1]),
	                   v = import_see(im, m->in[2]), whole;
	const uint32_t dims = q.shape.dims;
	struct trace_shape made = *import_made(im, n, 0);
	int64_t heads, kv_heads, value_heads, batch = dims == 4 ? q.shape.size[0] : 1,
	                                      queries = q.shape.size[dims - 2],
	                                      width = v.shape.size[dims - 1];

	if (!m->flag)
		k = import_turned(k);
	const int64_t keys = k.shape.size[dims - 2];
	uint32_t a = tokens(im, q, &heads), b = tokens(im, k, &kv_heads),
	         c = tokens(im, v, &value_heads),
	         bias = mask_bias(im, m, heads, queries, keys),
	         out = import_new(im, IMPORT_SHAPE(batch, queries, heads * width));
	struct backend_op *op = import_node(im, BACKEND_ATTENTION, out, a, b, c, bias);
	op->p.attention.heads = heads;
	op->p.attention.kv_heads = kv_heads;
	op->p.attention.scale = m->number[0];
	op->p.attention.causal = m->number[1] == 1;
	whole = import_permute(
	    import_whole(im, out, IMPORT_SHAPE(batch, queries, heads, width)), back);
	if (dims == 3)
		(void)import_reshape(&whole, made);
	import_output(im, n, 0, whole);
}

/* Returns queries, keys or values of the operator Attention as [batch,tokens,heads width].
 */
static uint32_t attention_tokens(struct import *im, const struct trace_node *n, uint32_t i,
    const char *attribute, int64_t *heads)
{
	struct import_view v = import_input(im, n, i);

	*heads = rule_int(&n->call, attribute, 1);
	return v.shape.dims == 4 ? tokens(im, v, heads)
	                         : import_operand(im, v, v.shape, IMPORT_ROWS);
}

/* Returns the mask of the operator Attention as numbers that are added to the scores
 * [heads,queries,keys]. */
static uint32_t attention_mask(struct import *im, const struct trace_node *n, int64_t heads,
    int64_t queries, int64_t keys)
{
	const struct onnx_fact *x = trace_constant(&im->t, n->in[3]);
	struct trace_shape shape = im->t.value[n->in[3]].shape;
	const int64_t count = x ? import_count(&shape) : 0;
	struct import_view v;
	double *bias;

	if (!x || (shape.dims > 3 && shape.size[0] != 1)) {
		trace_lack(&im->t, n, "its mask is computed, or differs between batches");
		return GRAPH_NONE;
	}
	if (shape.dims > 3)
		shape = import_shape(3, shape.size + 1);
	bias = mem_zero((size_t)count, sizeof(*bias));
	for (int64_t i = 0; i < count; i++)
		bias[i] = x->type != ONNX_BOOL ? onnx_fact_number(x, i)
		          : x->integer[i]      ? 0
		                               : (double)-INFINITY;
	v = import_whole(im, import_constant(im, bias, shape), shape);
	if (!shape.dims || shape.size[shape.dims - 1] != keys ||
	    (shape.dims > 1 && shape.size[shape.dims - 2] != queries &&
	        shape.size[shape.dims - 2] != 1) ||
	    (shape.dims > 2 && shape.size[0] != heads && shape.size[0] != 1)) {
		trace_lack(&im->t, n, "its mask does not fit the scores");
		return GRAPH_NONE;
	}
	v = import_broadcast(v, IMPORT_SHAPE(heads, queries, keys));
	return import_operand(im, v, v.shape, IMPORT_ROWS);
}

void import_attention(IMPORT_PARAMS)
{
	static const uint32_t back[] = { 0, 2, 1, 3 };
	const bool causal = rule_int(&n->call, "is_causal", 0) != 0;
	struct trace_shape made = *import_made(im, n, 0);
	int64_t heads, kv_heads, value_heads;

	(void)m;
	if (trace_in(n, 4) != TRACE_NONE || trace_in(n, 5) != TRACE_NONE ||
	    trace_in(n, 6) != TRACE_NONE)
		trace_lack(&im->t, n, "it has past keys, or a length of them");
	if (trace_float(n, "softcap", 0) != 0)
		trace_lack(&im->t, n, "its scores have a soft cap");
	if (im->t.failed)
		return;
	uint32_t a = attention_tokens(im, n, 0, "q_num_heads", &heads),
	         b = attention_tokens(im, n, 1, "kv_num_heads", &kv_heads),
	         c = attention_tokens(im, n, 2, "kv_num_heads", &value_heads),
	         bias = GRAPH_NONE;
	if (im->t.failed)
		return;
	const int64_t *q = im->g->value[a].size, *v = im->g->value[c].size;
	const int64_t batch = q[0], queries = q[1], width = q[2] / heads,
	              keys = im->g->value[b].size[1], value_width = v[2] / value_heads;
	if (causal && queries != keys)
		trace_lack(&im->t, n, "it is causal, with other keys than queries");
	if (trace_in(n, 3) != TRACE_NONE && !im->t.failed)
		bias = attention_mask(im, n, heads, queries, keys);
	const uint32_t out =
	    import_new(im, IMPORT_SHAPE(batch, queries, heads * value_width));
	struct backend_op *op = import_node(im, BACKEND_ATTENTION, out, a, b, c, bias);
	op->p.attention.heads = heads;
	op->p.attention.kv_heads = kv_heads;
	op->p.attention.scale = trace_float(n, "scale", 1 / sqrt((double)width));
	op->p.attention.causal = causal;
	if (made.dims == 3)
		import_done(im, n, out);
	else
		import_output(im, n, 0,
		    import_permute(import_whole(im, out,
		                       IMPORT_SHAPE(batch, queries, heads, value_width)),
		        back));
}
