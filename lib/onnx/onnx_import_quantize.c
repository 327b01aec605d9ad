/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantized models: QuantizeLinear and DequantizeLinear between operators of floating-point
 * numbers; see onnx_import_priv.h. A quantized value is a value of floating-point numbers
 * that are whole. The operation MOVE rounds to nearest, ties to even, and clamps to the
 * range of a type, as QuantizeLinear does.
 */
#include <math.h>

#include "onnx/onnx_import_priv.h"

/* How a node quantizes: q = clamp(round(x / scale) + zero, low, high). */
struct quantization {
	double scale, zero, low, high;
};

/* Reads the operands of a node. Returns false and fails if they are not available. */
static bool quantization_read(
    struct import *im, const struct trace_node *n, struct quantization *q)
{
	const bool quantizes = trace_is(n, "QuantizeLinear");
	const uint32_t zero = trace_in(n, 2),
	               whole = quantizes ? trace_out(n, 0) : trace_in(n, 0);
	const int64_t type =
	    whole == TRACE_NONE ? ONNX_UNDEFINED : im->t.value[whole].fact->type;

	*q = (struct quantization){ .scale = trace_scalar(&im->t, trace_in(n, 1)),
		.zero = zero == TRACE_NONE ? 0 : trace_scalar(&im->t, zero),
		.low = type == ONNX_INT8 ? INT8_MIN : 0,
		.high = type == ONNX_INT8 ? INT8_MAX : UINT8_MAX };
	if (rule_int(&n->call, "block_size", 0) != 0)
		trace_lack(&im->t, n, "it has a scale for each block");
	else if (type != ONNX_INT8 && type != ONNX_UINT8)
		trace_lack(&im->t, n, "its quantized type is %s", onnx_type_name(type));
	else if (isnan(q->scale) || isnan(q->zero))
		trace_lack(
		    &im->t, n, "its scale or zero point is computed, or is not one number");
	else if (!(q->scale > 0 && q->scale < INFINITY))
		trace_lack(&im->t, n, "its scale is %g", q->scale);
	return !im->t.failed;
}

/* Adds a copy of a value in another type. Returns it. */
static uint32_t converted(
    struct import *im, uint32_t x, enum backend_dtype dtype, double alpha)
{
	const uint32_t out = import_like(im, x);

	im->g->value[out].dtype = dtype;
	import_node(im, BACKEND_MOVE, out, x, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE)
	    ->p.move.alpha = alpha;
	return out;
}

/* Adds after (q - zero), where q are the quantized numbers of a value. If the range of
 * q - zero is not that of a type, whole numbers are moved to that of uint8. Returns it. */
static uint32_t rounded(
    struct import *im, uint32_t x, const struct quantization *q, double after)
{
	const double least = q->low - q->zero, most = q->high - q->zero;

	if (least == INT8_MIN && most == INT8_MAX)
		return converted(
		    im, converted(im, x, BACKEND_INT8, 1 / q->scale), im->dtype, after);
	if (least == 0 && most == UINT8_MAX)
		return converted(
		    im, converted(im, x, BACKEND_UINT8, 1 / q->scale), im->dtype, after);
	x = converted(im, x, BACKEND_INT32, 1 / q->scale);
	x = import_plus(im, converted(im, x, im->dtype, 1), 1, -least, BACKEND_LINEAR);
	x = converted(im, converted(im, x, BACKEND_UINT8, 1), im->dtype, 1);
	x = import_plus(im, x, 1, least, BACKEND_LINEAR);
	return after == 1 ? x : import_unary(im, x, after, BACKEND_LINEAR);
}

void import_quantize(IMPORT_PARAMS)
{
	struct quantization q;
	struct import_rows x;

	(void)m;
	if (!quantization_read(im, n, &q))
		return;
	x = import_full(im, n, 0);
	import_done_rows(im, n, &x,
	    import_plus(im, rounded(im, x.value, &q, 1), 1, q.zero, BACKEND_LINEAR));
}

void import_dequantize(IMPORT_PARAMS)
{
	struct quantization q;
	struct import_rows x;

	(void)m;
	if (!quantization_read(im, n, &q))
		return;
	x = import_full(im, n, 0);
	import_done_rows(im, n, &x,
	    import_unary(im, import_plus(im, x.value, 1, -q.zero, BACKEND_LINEAR), q.scale,
	        BACKEND_LINEAR));
}

/* Returns whether two operands of nodes are absent, or the same number. */
static bool same_number(struct import *im, uint32_t a, uint32_t b)
{
	if (a == TRACE_NONE || b == TRACE_NONE)
		return a == b;
	return a == b || trace_scalar(&im->t, a) == trace_scalar(&im->t, b);
}

/* A value that is quantized and at once dequantized. */
bool import_match_quantized(IMPORT_MATCH)
{
	const struct trace_node *made =
	    trace_made_by(&im->t, trace_in(n, 0), "QuantizeLinear");

	if (!made || !same_number(im, trace_in(made, 1), trace_in(n, 1)) ||
	    !same_number(im, trace_in(made, 2), trace_in(n, 2)))
		return false;
	m->in[0] = trace_in(made, 0);
	return m->in[0] != TRACE_NONE;
}

void import_matched_quantized(IMPORT_PARAMS)
{
	struct quantization q;
	struct import_rows x;

	if (!quantization_read(im, n, &q))
		return;
	x = import_as_rows(im, import_see(im, m->in[0]), 0);
	import_done_rows(im, n, &x, rounded(im, x.value, &q, q.scale));
}
