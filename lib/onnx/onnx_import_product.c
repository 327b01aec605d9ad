/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products of matrices, normalizations of rows, and attention; see onnx_import_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "onnx/onnx_import_priv.h"

/* Exchanges the last two dimensions of a view. */
static struct import_view turned(struct import_view v)
{
	uint32_t order[TRACE_DIMS];

	for (uint32_t i = 0; i < v.shape.dims; i++)
		order[i] = i;
	order[v.shape.dims - 1] = v.shape.dims - 2;
	order[v.shape.dims - 2] = v.shape.dims - 1;
	return import_permute(v, order);
}

/* Returns the second operand [..,k,n] of a product with `batch` matrices; 0: without
 * batches. Stores whether it is [..,n,k]. */
static uint32_t second(
    struct import *im, struct import_view b, int64_t batch, bool *transposed)
{
	const uint32_t dims = b.shape.dims;

	*transposed = b.stride[dims - 2] == 1 && b.stride[dims - 1] != 1;
	if (*transposed)
		b = turned(b);
	const int64_t rows = b.shape.size[dims - 2], columns = b.shape.size[dims - 1];
	return import_operand(im, b,
	    batch ? IMPORT_SHAPE(batch, rows, columns) : IMPORT_SHAPE(rows, columns),
	    IMPORT_ROWS);
}

/* Returns whether all but the last two dimensions have one element. */
static bool is_matrix(const struct import_view *v)
{
	for (uint32_t i = 0; i + 2 < v->shape.dims; i++)
		if (v->shape.size[i] != 1)
			return false;
	return true;
}

/* Multiplies the rows of a value by a matrix, and adds a bias for each column, a value of
 * the trace or TRACE_NONE. */
static void multiply_rows(struct import *im, const struct trace_node *n, uint32_t left,
    uint32_t right, uint32_t bias)
{
	struct import_rows x = import_as_rows(im, import_see(im, left), 1);
	struct import_view b = import_see(im, right);
	const int64_t width = b.shape.size[b.shape.dims - 1],
	              depth = b.shape.size[b.shape.dims - 2];
	bool transposed;

	if (im->t.failed)
		return;
	/* The product takes matrices of two dimensions. */
	struct import_view a = import_whole(im, x.value, x.shape);
	uint32_t rows =
	    im->g->value[x.value].dims == 2
	        ? x.value
	        : import_operand(im, a, IMPORT_SHAPE(import_count(&x.shape) / depth, depth),
	              IMPORT_WHOLE);
	uint32_t weights = second(im, b, 0, &transposed),
	         shift = import_vector(im, bias, width),
	         out = import_new(im, IMPORT_SHAPE(import_count(&x.shape) / depth, width));
	struct backend_op *op =
	    import_node(im, BACKEND_GEMM, out, rows, weights, shift, GRAPH_NONE);
	op->p.gemm.alpha = 1;
	op->p.gemm.transpose = transposed;
	import_done_rows(im, n, &x, out);
}

void import_matmul(IMPORT_PARAMS)
{
	struct import_view a = import_input(im, n, 0), b = import_input(im, n, 1);
	struct trace_shape made = *import_made(im, n, 0);
	bool transposed;

	(void)m;
	if (a.shape.dims < 2 || b.shape.dims < 2)
		trace_lack(&im->t, n, "an operand has fewer than 2 dimensions");
	if (im->t.failed)
		return;
	if (is_matrix(&b)) {
		multiply_rows(im, n, n->in[0], n->in[1], TRACE_NONE);
		return;
	}
	const int64_t rows = a.shape.size[a.shape.dims - 2],
	              depth = a.shape.size[a.shape.dims - 1],
	              width = b.shape.size[b.shape.dims - 1],
	              batch = import_count(&made) / rows / width;
	struct trace_shape left = made, right = made;
	left.size[made.dims - 1] = depth;
	right.size[made.dims - 2] = depth;
	uint32_t x = import_operand(im, import_broadcast(a, left),
	             IMPORT_SHAPE(batch, rows, depth), IMPORT_ROWS),
	         y = second(im, import_broadcast(b, right), batch, &transposed),
	         out = import_new(im, IMPORT_SHAPE(batch, rows, width));
	struct backend_op *op =
	    import_node(im, BACKEND_GEMM, out, x, y, GRAPH_NONE, GRAPH_NONE);
	op->p.gemm.alpha = 1;
	op->p.gemm.transpose = transposed;
	import_done(im, n, out);
}

void import_matched_linear(IMPORT_PARAMS)
{
	multiply_rows(im, n, m->in[0], m->in[1], m->in[2]);
}

void import_gemm(IMPORT_PARAMS)
{
	struct import_view a = import_input(im, n, 0), b = import_input(im, n, 1), c;
	struct trace_shape made = *import_made(im, n, 0);
	const uint32_t add = trace_in(n, 2);
	uint32_t shift = GRAPH_NONE, more = GRAPH_NONE;
	bool transposed;

	(void)m;
	if (rule_int(&n->call, "transA", 0))
		a = turned(a);
	if (rule_int(&n->call, "transB", 0))
		b = turned(b);
	if (add != TRACE_NONE && trace_float(n, "beta", 1) != 1)
		trace_lack(&im->t, n, "beta is not 1");
	if (im->t.failed)
		return;
	if (add != TRACE_NONE) {
		c = import_see(im, add);
		int64_t count = import_count(&c.shape);

		if (count == made.size[1] && (!c.shape.dims || count == 1 ||
		                                 c.shape.size[c.shape.dims - 1] == count))
			shift = import_operand(im, c, IMPORT_SHAPE(count), IMPORT_WHOLE);
		else if (count == 1)
			shift = import_operand(im,
			    import_broadcast(c, IMPORT_SHAPE(made.size[1])),
			    IMPORT_SHAPE(made.size[1]), IMPORT_WHOLE);
		else
			more = import_operand(
			    im, import_broadcast(c, made), made, IMPORT_ROWS);
	}
	uint32_t x = import_operand(im, a, a.shape, IMPORT_ROWS),
	         y = second(im, b, 0, &transposed), out = import_new(im, made);
	struct backend_op *op = import_node(im, BACKEND_GEMM, out, x, y, shift, more);
	op->p.gemm.alpha = trace_float(n, "alpha", 1);
	op->p.gemm.transpose = transposed;
	import_done(im, n, out);
}

/* Adds the softmax over the last dimension of a view, which is that of the output. */
static void softmax_rows(
    struct import *im, const struct trace_node *n, struct import_view v, uint32_t fixed)
{
	struct import_rows x = import_as_rows(im, v, fixed);
	uint32_t out = import_like(im, x.value);

	import_node(im, BACKEND_SOFTMAX, out, x.value, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE);
	import_done_rows(im, n, &x, out);
}

void import_softmax(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	const bool old = onnx_opset(im->t.model) < 13;
	int64_t axis = rule_int(&n->call, "axis", old ? 1 : -1);

	(void)m;
	axis += axis < 0 ? (int64_t)v.shape.dims : 0;
	if (axis < 0 || axis >= (int64_t)v.shape.dims ||
	    (!old && axis != (int64_t)v.shape.dims - 1)) {
		trace_lack(&im->t, n, "its axis is not the last one");
		return;
	}
	softmax_rows(im, n, v, v.shape.dims - (uint32_t)axis);
}

void import_matched_softmax(IMPORT_PARAMS)
{
	import_output(im, n, 0, import_see(im, m->in[0]));
}

/* Adds a normalization of rows. The gain and the shift are values of the trace. */
static void normalize(struct import *im, const struct trace_node *n, enum backend_kind kind,
    struct import_view v, uint32_t fixed, uint32_t gain, uint32_t shift, double eps)
{
	int64_t width = 1;

	for (uint32_t i = v.shape.dims - fixed; i < v.shape.dims; i++)
		width *= v.shape.size[i];
	struct import_rows x = import_as_rows(im, v, fixed);
	uint32_t by = import_vector(im, gain, width),
	         plus = import_vector(im, shift, width), out = import_like(im, x.value);
	struct backend_op *op = import_node(im, kind, out, x.value, by, plus, GRAPH_NONE);
	op->p.norm.eps = eps;
	op->p.norm.alpha = 1;
	import_done_rows(im, n, &x, out);
}

void import_layer_norm(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	int64_t axis = rule_int(&n->call, "axis", -1);

	(void)m;
	axis += axis < 0 ? (int64_t)v.shape.dims : 0;
	if (axis < 0 || axis >= (int64_t)v.shape.dims) {
		trace_fail(&im->t, n, "the axis is outside its dimensions");
		return;
	}
	normalize(im, n, BACKEND_LAYERNORM, v, v.shape.dims - (uint32_t)axis,
	    trace_in(n, 1), trace_in(n, 2), trace_float(n, "epsilon", 1e-5));
}

void import_matched_norm(IMPORT_PARAMS)
{
	normalize(im, n, m->flag ? BACKEND_RMSNORM : BACKEND_LAYERNORM,
	    import_see(im, m->in[0]), 1, m->in[1], m->in[2], m->number[0]);
}

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
		k = turned(k);
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
