/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products of matrices, normalizations of rows, and attention; see onnx_import_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "translate/onnx_import_priv.h"

struct import_view import_turned(struct import_view v)
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
		b = import_turned(b);
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
static void multiply_rows(struct import *im, const struct trace_node *n,
    struct import_view left, struct import_view b, uint32_t bias)
{
	struct import_rows x = import_as_rows(im, left, 1);
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
	op->p.gemm.alpha = trace_float(n, "alpha", 1);
	op->p.gemm.transpose = transposed;
	import_done_rows(im, n, &x, out);
}

/* Returns the sizes of a product with those that an operand of one dimension leaves out. */
static struct trace_shape matrix_sizes(
    struct trace_shape made, const struct import_view *a, const struct import_view *b)
{
	const bool is_row = a->shape.dims == 1, is_column = b->shape.dims == 1;
	const uint32_t batches = made.dims - !is_row - !is_column;
	struct trace_shape out = made;

	out.dims = batches + 2;
	out.size[batches] = is_row ? 1 : a->shape.size[a->shape.dims - 2];
	out.size[batches + 1] = is_column ? 1 : b->shape.size[b->shape.dims - 1];
	return out;
}

/* MatMul and FusedMatMul. */
void import_matmul(IMPORT_PARAMS)
{
	struct import_view a = import_input(im, n, 0), b = import_input(im, n, 1);
	struct trace_shape made = *import_made(im, n, 0);
	const bool is_row = a.shape.dims == 1, is_column = b.shape.dims == 1;
	bool transposed;

	(void)m;
	if ((is_row && rule_int(&n->call, "transA", 0)) ||
	    (is_column && rule_int(&n->call, "transB", 0)))
		trace_lack(&im->t, n, "it transposes an operand of one dimension");
	if (rule_int(&n->call, "transBatchA", 0) || rule_int(&n->call, "transBatchB", 0))
		trace_lack(&im->t, n, "it transposes batches");
	if (im->t.failed)
		return;
	if (is_row || is_column)
		made = matrix_sizes(made, &a, &b);
	if (is_row)
		a = import_reshaped(im, a, IMPORT_SHAPE(1, a.shape.size[0]));
	if (is_column)
		b = import_reshaped(im, b, IMPORT_SHAPE(b.shape.size[0], 1));
	if (rule_int(&n->call, "transA", 0))
		a = import_turned(a);
	if (rule_int(&n->call, "transB", 0))
		b = import_turned(b);
	if (!is_row && !is_column && is_matrix(&b)) {
		multiply_rows(im, n, a, b, TRACE_NONE);
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
	op->p.gemm.alpha = trace_float(n, "alpha", 1);
	op->p.gemm.transpose = transposed;
	import_done(im, n, out);
}

/* The sums along an axis are a product with a triangle of ones. */
void import_cumsum(IMPORT_PARAMS)
{
	enum { SIZE_MAX_SUMMED = 4096 };
	struct import_view v = import_input(im, n, 0);
	const struct trace_shape made = *import_made(im, n, 0);
	const double given = trace_scalar(&im->t, trace_in(n, 1));
	const bool exclusive = rule_int(&n->call, "exclusive", 0) != 0,
	           reverse = rule_int(&n->call, "reverse", 0) != 0;
	const double place = given < 0 ? given + (double)made.dims : given;
	const bool known = place >= 0 && place < (double)made.dims;
	const uint32_t last = made.dims - 1, axis = known ? (uint32_t)place : 0;
	uint32_t order[TRACE_DIMS];

	(void)m;
	if (!known || made.size[axis] > SIZE_MAX_SUMMED) {
		trace_lack(&im->t, n, "its axis is computed, or has more than %d elements",
		    SIZE_MAX_SUMMED);
		return;
	}
	for (uint32_t i = 0; i <= last; i++)
		order[i] = i;
	order[axis] = last;
	order[last] = axis;
	v = import_permute(v, order);
	const int64_t size = made.size[axis], rows = import_count(&made) / size;
	double *ones = mem_zero((size_t)(size * size), sizeof(*ones));

	for (int64_t i = 0; i < size; i++)
		for (int64_t k = 0; k < size; k++)
			ones[i * size + k] =
			    (reverse ? i > k : i < k) || (!exclusive && i == k);
	const uint32_t x = import_operand(im, v, IMPORT_SHAPE(rows, size), IMPORT_ROWS),
	               triangle = import_constant(im, ones, IMPORT_SHAPE(size, size)),
	               out = import_new(im, IMPORT_SHAPE(rows, size));
	import_node(im, BACKEND_GEMM, out, x, triangle, GRAPH_NONE, GRAPH_NONE)
	    ->p.gemm.alpha = 1;
	import_output(im, n, 0, import_permute(import_whole(im, out, v.shape), order));
}

void import_matched_linear(IMPORT_PARAMS)
{
	multiply_rows(im, n, import_see(im, m->in[0]), import_see(im, m->in[1]), m->in[2]);
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
		a = import_turned(a);
	if (rule_int(&n->call, "transB", 0))
		b = import_turned(b);
	if (im->t.failed)
		return;
	if (add != TRACE_NONE) {
		c = import_see(im, add);
		int64_t count = import_count(&c.shape);
		const double beta = trace_float(n, "beta", 1);

		if (beta != 1)
			c = import_scaled(im, c, beta);
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
	import_done(im, n, import_activated(im, n, out));
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

/* Adds a normalization over the dimensions from the attribute axis on. */
static void normalize_from_axis(
    struct import *im, const struct trace_node *n, enum backend_kind kind, uint32_t shift)
{
	struct import_view v = import_input(im, n, 0);
	int64_t axis = rule_int(&n->call, "axis", -1);

	axis += axis < 0 ? (int64_t)v.shape.dims : 0;
	if (axis < 0 || axis >= (int64_t)v.shape.dims) {
		trace_fail(&im->t, n, "the axis is outside its dimensions");
		return;
	}
	normalize(im, n, kind, v, v.shape.dims - (uint32_t)axis, trace_in(n, 1), shift,
	    trace_float(n, "epsilon", 1e-5));
}

void import_layer_norm(IMPORT_PARAMS)
{
	(void)m;
	normalize_from_axis(im, n, BACKEND_LAYERNORM, trace_in(n, 2));
}

void import_rms_norm(IMPORT_PARAMS)
{
	(void)m;
	normalize_from_axis(im, n, BACKEND_RMSNORM, TRACE_NONE);
}

void import_matched_norm(IMPORT_PARAMS)
{
	normalize(im, n, m->flag ? BACKEND_RMSNORM : BACKEND_LAYERNORM,
	    import_see(im, m->in[0]), 1, m->in[1], m->in[2], m->number[0]);
}
