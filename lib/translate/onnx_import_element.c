/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators that compute each element by itself; see onnx_import_priv.h.
 */
#include <math.h>

#include "translate/onnx_import_priv.h"

uint32_t import_unary(struct import *im, uint32_t x, double alpha, enum backend_act act)
{
	uint32_t out = import_like(im, x);
	struct backend_op *op =
	    import_node(im, BACKEND_UNARY, out, x, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE);

	op->p.element.alpha = alpha;
	op->act = act;
	return out;
}

uint32_t import_binary(struct import *im, uint32_t x, uint32_t y, double alpha,
    int64_t inner, bool multiply, enum backend_act act)
{
	uint32_t out = import_like(im, x);
	struct backend_op *op =
	    import_node(im, BACKEND_BINARY, out, x, y, GRAPH_NONE, GRAPH_NONE);

	op->p.element.alpha = alpha;
	op->p.element.inner = inner;
	op->p.element.multiply = multiply;
	op->act = act;
	return out;
}

uint32_t import_plus(
    struct import *im, uint32_t x, double alpha, double number, enum backend_act act)
{
	if (number == 0 && act == BACKEND_LINEAR)
		return x;
	return import_binary(im, x, import_number(im, number, 1), alpha, 1, false, act);
}

uint32_t import_rounded(
    struct import *im, uint32_t x, const struct import_rounding *rounding)
{
	const uint32_t out = import_like(im, x);
	struct backend_op *op =
	    import_node(im, BACKEND_ROUND, out, x, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE);

	op->p.round.scale = rounding->scale;
	op->p.round.low = rounding->low;
	op->p.round.high = rounding->high;
	op->p.round.alpha = rounding->alpha;
	op->p.round.beta = rounding->beta;
	return out;
}

struct import_rows import_full(struct import *im, const struct trace_node *n, uint32_t i)
{
	struct import_view v = import_input(im, n, i);

	if (!im->t.failed)
		v = import_reshaped(im, v, *import_made(im, n, 0));
	return import_as_rows(im, v, 0);
}

/* Applies a function to the elements of the first input. */
static struct import_rows first_input(struct import *im, const struct trace_node *n)
{
	return import_full(im, n, 0);
}

void import_act(IMPORT_PARAMS)
{
	struct import_rows x = first_input(im, n);
	enum backend_act act = BACKEND_LINEAR;
	static const struct {
		const char *op;
		enum backend_act act;
	} acts[] = { { "Cos", BACKEND_COS }, { "Erf", BACKEND_ERF }, { "Exp", BACKEND_EXP },
		{ "Gelu", BACKEND_GELU }, { "HardSwish", BACKEND_HARD_SWISH },
		{ "Log", BACKEND_LOG }, { "Reciprocal", BACKEND_RECIPROCAL },
		{ "Relu", BACKEND_RELU }, { "Sigmoid", BACKEND_SIGMOID },
		{ "Sin", BACKEND_SIN }, { "Softplus", BACKEND_SOFTPLUS },
		{ "Sqrt", BACKEND_SQRT }, { "Tanh", BACKEND_TANH } };

	(void)m;
	for (size_t i = 0; i < COUNT(acts); i++)
		if (trace_is(n, acts[i].op))
			act = acts[i].act;
	if (text_is(rule_text(&n->call, "approximate", ""), "tanh"))
		act = BACKEND_GELU_TANH;
	import_done_rows(im, n, &x, import_unary(im, x.value, 1, act));
}

uint32_t import_activated(struct import *im, const struct trace_node *n, uint32_t x)
{
	const struct onnx_attribute *given =
	    onnx_attribute(n->call.node, "activation_params");
	const float *param = given ? given->floats : NULL;
	const uint32_t params = given ? given->float_count : 0;
	const double slope =
	    params ? (double)param[0] : trace_float(n, "activation_alpha", 0.01);
	const struct text name = rule_text(&n->call, "activation", "");

	if (!name.len || im->t.failed)
		return x;
	if (text_is(name, "Relu"))
		return import_unary(im, x, 1, BACKEND_RELU);
	if (text_is(name, "Sigmoid"))
		return import_unary(im, x, 1, BACKEND_SIGMOID);
	if (text_is(name, "Tanh"))
		return import_unary(im, x, 1, BACKEND_TANH);
	if (text_is(name, "Clip") && params == 2)
		return import_clamped(im, x, (double)param[0], (double)param[1]);
	if (text_is(name, "LeakyRelu"))
		return import_binary(im, import_unary(im, x, 1, BACKEND_RELU),
		    import_unary(im, x, -1, BACKEND_RELU), -slope, 1, false,
		    BACKEND_LINEAR);
	if (text_is(name, "HardSigmoid") && params == 2) {
		x = import_unary(im, x, (double)param[0], BACKEND_LINEAR);
		return import_clamped(
		    im, import_plus(im, x, 1, (double)param[1], BACKEND_LINEAR), 0, 1);
	}
	trace_lack(&im->t, n, "its activation is '%.*s'", (int)name.len, name.ptr);
	return x;
}

void import_matched_act(IMPORT_PARAMS)
{
	struct import_rows x = import_as_rows(im, import_see(im, m->in[0]), 0);

	import_done_rows(
	    im, n, &x, import_unary(im, x.value, 1, (enum backend_act)(int)m->number[0]));
}

uint32_t import_absolute(struct import *im, uint32_t x)
{
	const uint32_t a = import_unary(im, x, 1, BACKEND_RELU),
	               b = import_unary(im, x, -1, BACKEND_RELU);

	return import_binary(im, a, b, 1, 1, false, BACKEND_LINEAR);
}

void import_negate(IMPORT_PARAMS)
{
	struct import_rows x = first_input(im, n);

	(void)m;
	import_done_rows(im, n, &x,
	    trace_is(n, "Neg") ? import_unary(im, x.value, -1, BACKEND_LINEAR)
	                       : import_absolute(im, x.value));
}

void import_leaky(IMPORT_PARAMS)
{
	struct import_rows x = first_input(im, n);
	uint32_t a = import_unary(im, x.value, 1, BACKEND_RELU),
	         b = import_unary(im, x.value, -1, BACKEND_RELU);

	(void)m;
	import_done_rows(im, n, &x,
	    import_binary(
	        im, a, b, -trace_float(n, "alpha", 0.01), 1, false, BACKEND_LINEAR));
}

uint32_t import_clamped(struct import *im, uint32_t x, double low, double high)
{
	if (low == 0 && high == 6)
		return import_unary(im, x, 1, BACKEND_RELU6);
	if (low < -1 && low > -INFINITY) {
		/* max(x, low) = x + relu(low - x): a sum of x and a large number would lose
		 * the digits of x, all of them if the number is the lowest one of a type.
		 */
		uint32_t under = import_plus(
		    im, import_unary(im, x, -1, BACKEND_LINEAR), 1, low, BACKEND_RELU);

		x = import_binary(im, x, under, 1, 1, false, BACKEND_LINEAR);
	} else if (low >= -1) {
		/* max(x, low) = relu(x - low) + low */
		x = low == 0 ? import_unary(im, x, 1, BACKEND_RELU)
		             : import_plus(im, x, -1, low, BACKEND_RELU);
		x = import_plus(im, x, 1, low, BACKEND_LINEAR);
	}
	if (!isnan(high) && high < INFINITY) {
		/* min(x, high) = x - relu(x - high) */
		uint32_t over = import_plus(im, x, -1, high, BACKEND_RELU);

		x = import_binary(im, x, over, -1, 1, false, BACKEND_LINEAR);
	}
	return x;
}

void import_clip(IMPORT_PARAMS)
{
	struct import_rows x;
	double limit[2];

	(void)m;
	for (uint32_t i = 0; i < 2; i++) {
		limit[i] = trace_float(n, i ? "max" : "min", NAN);
		if (trace_in(n, i + 1) == TRACE_NONE)
			continue;
		limit[i] = trace_scalar(&im->t, n->in[i + 1]);
		if (isnan(limit[i])) {
			import_clip_computed(im, n);
			return;
		}
	}
	x = first_input(im, n);
	import_done_rows(im, n, &x, import_clamped(im, x.value, limit[0], limit[1]));
}

/* min(max(alpha x + beta, 0), 1) */
void import_hard(IMPORT_PARAMS)
{
	struct import_rows x = first_input(im, n);
	const double alpha = trace_float(n, "alpha", 0.2),
	             beta = trace_float(n, "beta", 0.5);
	uint32_t out;

	(void)m;
	if (beta == 0.5)
		out = import_unary(im, x.value, 6 * alpha, BACKEND_HARD_SIGMOID);
	else {
		out = import_unary(im, x.value, alpha, BACKEND_LINEAR);
		out =
		    import_clamped(im, import_plus(im, out, 1, beta, BACKEND_LINEAR), 0, 1);
	}
	import_done_rows(im, n, &x, out);
}

/* Min and Max: of a value and a constant, or of others. */
void import_extreme(IMPORT_PARAMS)
{
	const uint32_t which =
	    trace_in(n, 0) != TRACE_NONE && im->t.value[n->in[0]].is_constant ? 1 : 0;
	double limit =
	    n->call.ins == 2 ? trace_scalar(&im->t, trace_in(n, 1 - which)) : NAN;
	struct import_rows x;

	(void)m;
	if (isnan(limit)) {
		import_extremes(im, n);
		return;
	}
	x = import_full(im, n, which);
	const bool least = trace_is(n, "Max");
	import_done_rows(im, n, &x,
	    import_clamped(
	        im, x.value, least ? limit : (double)NAN, least ? (double)NAN : limit));
}

/*
 * Finds how the elements of a smaller operand repeat over a larger one, whose sizes are
 * those of both views: returns the number of elements, each of which belongs to one of the
 * smaller one, or -1 if the dimensions that repeat are between others.
 */
static int64_t repeats(const struct import_view *small, const struct trace_shape *large)
{
	int64_t inner = 1;
	uint32_t i = large->dims;
	bool outside = false;

	for (; i > 0 && (small->stride[i - 1] == 0 || large->size[i - 1] == 1); i--)
		inner *= large->size[i - 1];
	for (; i > 0; i--) {
		if (large->size[i - 1] == 1)
			continue;
		if (small->stride[i - 1] == 0)
			outside = true;
		else if (outside)
			return -1;
	}
	return inner;
}

struct import_view import_combined_as(struct import *im, struct trace_shape made,
    struct import_view a, struct import_view b, double alpha, bool multiply)
{
	struct import_view wide, small;
	int64_t inner = 1;
	uint32_t y;

	if (import_count(&a.shape) != import_count(&made))
		a = import_broadcast(a, made);
	a = import_reshaped(im, a, made);
	b = import_unrepeated(b);
	struct import_rows x = import_as_rows(im, a, 0);
	wide = import_permute(import_broadcast(b, made), x.order);
	if (import_count(&b.shape) == import_count(&made)) {
		const struct graph_value *like = &im->g->value[x.value];

		y = import_operand(
		    im, wide, import_shape(like->dims, like->size), IMPORT_WHOLE);
	} else {
		inner = repeats(&wide, &wide.shape);
		small = import_unrepeated(wide);
		if (inner < 0) {
			inner = 1;
			small = wide;
		}
		y = import_operand(
		    im, small, IMPORT_SHAPE(import_count(&small.shape)), IMPORT_WHOLE);
	}
	return import_rows_view(im, &x, made,
	    import_binary(im, x.value, y, alpha, inner, multiply, BACKEND_LINEAR));
}

struct import_view import_combined(struct import *im, const struct trace_node *n,
    struct import_view a, struct import_view b, double alpha, bool multiply)
{
	return import_combined_as(im, *import_made(im, n, 0), a, b, alpha, multiply);
}

struct import_view import_selected(struct import *im, const struct trace_node *n,
    struct import_view a, struct import_view factor)
{
	struct import_view made = import_combined(im, n, a, factor, 1, true);

	if (!im->t.failed)
		im->g->node[im->g->nodes - 1].op.p.element.select = true;
	return made;
}

/* Lets output 0 be a + alpha b, or a alpha b. */
static void combine(struct import *im, const struct trace_node *n, struct import_view a,
    struct import_view b, double alpha, bool multiply)
{
	import_output(im, n, 0, import_combined(im, n, a, b, alpha, multiply));
}

/* Returns which of two inputs is a number, or -1. Stores the number. */
static int number_input(struct import *im, const struct trace_node *n, double *number)
{
	for (uint32_t i = 2; i-- > 0;) {
		*number = trace_scalar(&im->t, trace_in(n, i));
		if (!isnan(*number) && trace_elements(&im->t, n->in[1 - i]) ==
		                           trace_elements(&im->t, n->out[0]))
			return (int)i;
	}
	return -1;
}

/* Lets the larger of two operands be the first. */
static void order_operands(struct import_view *a, struct import_view *b)
{
	struct import_view other = *a;

	if (import_count(&a->shape) >= import_count(&b->shape) && !a->is_constant)
		return;
	if (import_count(&b->shape) < import_count(&a->shape))
		return;
	*a = *b;
	*b = other;
}

/* Add, Sub and Mul. */
void import_pair(IMPORT_PARAMS)
{
	const bool multiply = trace_is(n, "Mul");
	const double sign = trace_is(n, "Sub") ? -1 : 1;
	struct import_view a = import_input(im, n, 0), b = import_input(im, n, 1);
	double number;
	int which = number_input(im, n, &number);

	(void)m;
	import_check_axis(im, n);
	if (im->t.failed)
		return;
	if (which >= 0) {
		struct import_rows x = import_full(im, n, (uint32_t)!which);
		uint32_t value = x.value;

		if (!which && sign < 0)
			value = import_unary(im, value, -1, BACKEND_LINEAR);
		value = multiply ? import_unary(im, value, number, BACKEND_LINEAR)
		                 : import_plus(
		                       im, value, which ? sign : 1, number, BACKEND_LINEAR);
		import_done_rows(im, n, &x, value);
		return;
	}
	if (sign > 0)
		order_operands(&a, &b);
	combine(im, n, a, b, sign, multiply);
}
