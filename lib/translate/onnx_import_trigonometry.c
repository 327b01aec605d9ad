/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trigonometric and hyperbolic functions, their inverses, and functions with a threshold;
 * see onnx_import_priv.h.
 */
#include <math.h>

#include "translate/onnx_import_priv.h"

static uint32_t multiplied(struct import *im, uint32_t a, uint32_t b)
{
	return import_binary(im, a, b, 1, 1, true, BACKEND_LINEAR);
}

static uint32_t plus(struct import *im, uint32_t a, uint32_t b, double factor)
{
	return import_binary(im, a, b, factor, 1, false, BACKEND_LINEAR);
}

/* Returns t / (1 + sqrt(1 + sign t^2)): the tangent of half the angle whose tangent is t;
 * or, with a sign of -1, whose sine is t. */
static uint32_t half_tangent(struct import *im, uint32_t t, double sign)
{
	uint32_t y = import_unary(im, multiplied(im, t, t), sign, BACKEND_LINEAR);

	y = import_plus(im, y, 1, 1, BACKEND_SQRT);
	return multiplied(im, t, import_plus(im, y, 1, 1, BACKEND_RECIPROCAL));
}

/* Returns the same for an angle of any tangent: with s = 1 / (1 + |t|), it is
 * t s / (s + sqrt(s^2 + (t s)^2)), in which no square is beyond the range of the type. */
static uint32_t half_any_tangent(struct import *im, uint32_t t)
{
	const uint32_t s = import_plus(
	                   im, import_absolute(im, t), 1, 1, BACKEND_RECIPROCAL),
	               part = multiplied(im, t, s),
	               root = import_unary(im,
	                   plus(im, multiplied(im, s, s), multiplied(im, part, part), 1), 1,
	                   BACKEND_SQRT);

	return multiplied(
	    im, part, import_unary(im, plus(im, s, root, 1), 1, BACKEND_RECIPROCAL));
}

/* Returns the arc tangent of t, or its arc sine. The angle is halved three times, after
 * which its tangent is below 0.2, and the rest of the series is below 1e-11. */
static uint32_t arc_tangent(struct import *im, uint32_t t, double sign)
{
	enum { HALVINGS = 3, TERMS = 7 };
	uint32_t square, sum = GRAPH_NONE;

	t = sign > 0 ? half_any_tangent(im, t) : half_tangent(im, t, sign);
	for (int i = 1; i < HALVINGS; i++)
		t = half_tangent(im, t, 1);
	square = multiplied(im, t, t);
	for (int k = TERMS; k-- > 0;) {
		const double term = (k % 2 ? -1.0 : 1.0) / (2 * k + 1);

		if (sum == GRAPH_NONE)
			sum = import_unary(im, square, term, BACKEND_LINEAR);
		else if (k > 0)
			sum = multiplied(
			    im, square, import_plus(im, sum, 1, term, BACKEND_LINEAR));
		else
			sum = import_plus(im, sum, 1, term, BACKEND_LINEAR);
	}
	return import_unary(im, multiplied(im, t, sum), 1 << HALVINGS, BACKEND_LINEAR);
}

/* Returns log(x + sqrt(x - shift) sqrt(x + shift)), or with a shift of 0, sqrt(x^2 + 1). */
static uint32_t area(struct import *im, uint32_t x, double shift)
{
	uint32_t root;

	if (shift == 0)
		root = import_plus(im, multiplied(im, x, x), 1, 1, BACKEND_SQRT);
	else
		root = multiplied(im, import_plus(im, x, 1, -shift, BACKEND_SQRT),
		    import_plus(im, x, 1, shift, BACKEND_SQRT));
	return import_unary(im, plus(im, root, x, 1), 1, BACKEND_LOG);
}

/* Returns the arc tangent, arc sine or arc cosine of x. */
static uint32_t arc(struct import *im, const struct trace_node *n, uint32_t x)
{
	const double right_angle = 2 * atan(1);

	if (trace_is(n, "Atan"))
		return arc_tangent(im, x, 1);
	if (trace_is(n, "Asin"))
		return arc_tangent(im, x, -1);
	return import_plus(im, import_unary(im, arc_tangent(im, x, -1), -1, BACKEND_LINEAR),
	    1, right_angle, BACKEND_LINEAR);
}

/* Returns the inverse of a hyperbolic function. */
static uint32_t inverse_hyperbolic(
    struct import *im, const struct trace_node *n, uint32_t x)
{
	if (trace_is(n, "Acosh"))
		return area(im, x, 1);
	if (trace_is(n, "Asinh")) /* of both sides: a sum near 0 would lose digits */
		return plus(im, area(im, import_unary(im, x, 1, BACKEND_RELU), 0),
		    area(im, import_unary(im, x, -1, BACKEND_RELU), 0), -1);
	return import_unary(im,
	    plus(im, import_plus(im, x, 1, 1, BACKEND_LOG),
	        import_plus(im, import_unary(im, x, -1, BACKEND_LINEAR), 1, 1, BACKEND_LOG),
	        -1),
	    0.5, BACKEND_LINEAR);
}

/* Returns Sinh or Cosh, (exp(x) -+ exp(-x)) / 2; or Tan, the sine over the cosine. */
static uint32_t hyperbolic(struct import *im, const struct trace_node *n, uint32_t x)
{
	if (trace_is(n, "Tan"))
		return multiplied(im, import_unary(im, x, 1, BACKEND_SIN),
		    import_unary(
		        im, import_unary(im, x, 1, BACKEND_COS), 1, BACKEND_RECIPROCAL));
	return import_unary(im,
	    plus(im, import_unary(im, x, 1, BACKEND_EXP),
	        import_unary(im, x, -1, BACKEND_EXP), trace_is(n, "Sinh") ? -1 : 1),
	    0.5, BACKEND_LINEAR);
}

/* Imports a function of each element. */
static void import_function(struct import *im, const struct trace_node *n,
    uint32_t (*function)(struct import *, const struct trace_node *, uint32_t))
{
	const struct import_rows x = import_full(im, n, 0);

	if (!im->t.failed)
		import_done_rows(im, n, &x, function(im, n, x.value));
}

void import_arc(IMPORT_PARAMS)
{
	(void)m;
	import_function(im, n, arc);
}

void import_area(IMPORT_PARAMS)
{
	(void)m;
	import_function(im, n, inverse_hyperbolic);
}

void import_hyperbolic(IMPORT_PARAMS)
{
	(void)m;
	import_function(im, n, hyperbolic);
}

/* Returns (x - shift) where x is above a threshold; elsewhere 0. sign: -1: of -x. */
static uint32_t above(
    struct import *im, uint32_t x, double sign, double threshold, double shift)
{
	const uint32_t over = import_rounded(im,
	    import_plus(im, import_unary(im, x, sign, BACKEND_LINEAR), 1, -threshold,
	        BACKEND_LINEAR),
	    &(struct import_rounding){ IMPORT_LEAST, 0, 1, 1, 0 });

	return multiplied(im, import_plus(im, x, 1, -sign * shift, BACKEND_LINEAR), over);
}

/* ThresholdedRelu, and Shrink: elements above a threshold, or also those below the negative
 * one, which are moved toward 0. */
void import_threshold(IMPORT_PARAMS)
{
	const struct import_rows x = import_full(im, n, 0);
	const double threshold = trace_float(n, "lambd", 0.5),
	             shift = trace_float(n, "bias", 0);

	(void)m;
	if (im->t.failed)
		return;
	if (trace_is(n, "ThresholdedRelu"))
		import_done_rows(
		    im, n, &x, above(im, x.value, 1, trace_float(n, "alpha", 1), 0));
	else
		import_done_rows(im, n, &x,
		    plus(im, above(im, x.value, 1, threshold, shift),
		        above(im, x.value, -1, threshold, shift), 1));
}

/* x (bias + alpha / size sum(x^2))^-beta, with the sum over the channels nearby. */
void import_lrn(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0), padded, part;
	const struct trace_shape made = v.shape;
	const int64_t size = rule_int(&n->call, "size", 1);
	enum { SIZE_MOST = 64 };

	(void)m;
	if (made.dims < 2 || made.dims > 4 || size < 1 || size > SIZE_MOST)
		trace_lack(&im->t, n, "its sums are of more than %d channels", SIZE_MOST);
	if (im->t.failed)
		return;
	const int64_t before[TRACE_DIMS] = { 0, (size - 1) / 2 },
	              after[TRACE_DIMS] = { 0, size - 1 - (size - 1) / 2 };
	const uint32_t x = import_operand(im, v, made, IMPORT_WHOLE);
	uint32_t sum = GRAPH_NONE;
	padded = part = import_padded(
	    im, import_whole(im, multiplied(im, x, x), made), before, after, 0);
	part.shape = made;
	for (int64_t i = 0; i < size && !im->t.failed; i++) {
		const uint32_t each = import_operand(im, part, made, IMPORT_WHOLE);

		sum = sum == GRAPH_NONE ? each : plus(im, sum, each, 1);
		part.offset += padded.stride[1];
	}
	sum = import_plus(im,
	    import_unary(
	        im, sum, trace_float(n, "alpha", 1e-4) / (double)size, BACKEND_LINEAR),
	    1, trace_float(n, "bias", 1), BACKEND_LOG);
	sum = import_unary(im, sum, -trace_float(n, "beta", 0.75), BACKEND_EXP);
	import_done(im, n, multiplied(im, x, sum));
}
