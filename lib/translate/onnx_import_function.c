/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators that several operations compute, element by element; see onnx_import_priv.h.
 */
#include <math.h>

#include "translate/onnx_import_priv.h"

void import_check_axis(struct import *im, const struct trace_node *n)
{
	const struct trace_shape *a, *b;
	int64_t axis;

	if (!rule_has_attribute(&n->call, "axis") || trace_in(n, 0) == TRACE_NONE ||
	    trace_in(n, 1) == TRACE_NONE)
		return;
	a = &im->t.value[n->in[0]].shape;
	b = &im->t.value[n->in[1]].shape;
	axis = rule_int(&n->call, "axis", 0);
	axis += axis < 0 ? (int64_t)a->dims : 0;
	if (axis != (int64_t)a->dims - (int64_t)b->dims)
		trace_lack(
		    &im->t, n, "its axis aligns other dimensions than the last ones");
}

/* relu(x) - slope relu(-x) */
void import_prelu(IMPORT_PARAMS)
{
	struct import_rows x = import_full(im, n, 0);
	struct import_view under, slope = import_input(im, n, 1);
	uint32_t over;

	(void)m;
	if (im->t.failed)
		return;
	const struct trace_shape made = *import_made(im, n, 0);
	for (uint32_t i = 1; i <= slope.shape.dims; i++)
		if (i > made.dims || (slope.shape.size[slope.shape.dims - i] != 1 &&
		                         slope.shape.size[slope.shape.dims - i] !=
		                             made.size[made.dims - i])) {
			trace_fail(&im->t, n, "its slopes do not fit its input");
			return;
		}
	over = import_unary(im, x.value, 1, BACKEND_RELU);
	under = import_rows_view(im, &x, made, import_unary(im, x.value, -1, BACKEND_RELU));
	under = import_combined(im, n, under, slope, 1, true);
	import_output(im, n, 0,
	    import_combined(im, n, import_rows_view(im, &x, made, over), under, -1, false));
}

/*
 * gamma (relu(x) + alpha (exp(min(x, 0) / beta) - 1)), where Elu has a gamma and beta of 1,
 * and the beta of Celu is its alpha.
 */
void import_elu(IMPORT_PARAMS)
{
	const bool is_selu = trace_is(n, "Selu");
	const double alpha =
	                 trace_float(n, "alpha", is_selu ? 1.67326319217681884765625 : 1),
	             beta = trace_is(n, "Celu") ? alpha : 1,
	             gamma =
	                 is_selu ? trace_float(n, "gamma", 1.05070102214813232421875) : 1;
	struct import_rows x = import_full(im, n, 0);
	uint32_t over, under;

	(void)m;
	over = import_unary(im, x.value, 1, BACKEND_RELU);
	under = import_unary(im, x.value, -1, BACKEND_RELU);
	under = import_unary(im, under, -1 / beta, BACKEND_EXP);
	under = import_plus(im, under, 1, -1, BACKEND_LINEAR);
	over = import_binary(im, over, under, alpha, 1, false, BACKEND_LINEAR);
	import_done_rows(
	    im, n, &x, gamma == 1 ? over : import_unary(im, over, gamma, BACKEND_LINEAR));
}

/* x tanh(softplus(x)) */
void import_mish(IMPORT_PARAMS)
{
	struct import_rows x = import_full(im, n, 0);
	uint32_t y = import_unary(im, x.value, 1, BACKEND_SOFTPLUS);

	(void)m;
	y = import_unary(im, y, 1, BACKEND_TANH);
	import_done_rows(
	    im, n, &x, import_binary(im, x.value, y, 1, 1, true, BACKEND_LINEAR));
}

/* x / (1 + |x|) */
void import_softsign(IMPORT_PARAMS)
{
	struct import_rows x = import_full(im, n, 0);
	uint32_t y = import_absolute(im, x.value);

	(void)m;
	y = import_plus(im, y, 1, 1, BACKEND_RECIPROCAL);
	import_done_rows(
	    im, n, &x, import_binary(im, x.value, y, 1, 1, true, BACKEND_LINEAR));
}

void import_pow(IMPORT_PARAMS)
{
	static const struct {
		double power, alpha;
		enum backend_act first, last;
	} powers[] = { { 1, 1, BACKEND_LINEAR, BACKEND_LINEAR },
		{ 0.5, 1, BACKEND_SQRT, BACKEND_LINEAR },
		{ -0.5, 1, BACKEND_SQRT, BACKEND_RECIPROCAL },
		{ -1, 1, BACKEND_RECIPROCAL, BACKEND_LINEAR } };
	enum { POWER_MAX = 4 };
	const double power = trace_scalar(&im->t, trace_in(n, 1));
	struct import_rows x = import_full(im, n, 0);
	uint32_t out = x.value;

	(void)m;
	for (size_t i = 0; i < COUNT(powers); i++)
		if (power == powers[i].power) {
			out = import_unary(im, out, 1, powers[i].first);
			if (powers[i].last != BACKEND_LINEAR)
				out = import_unary(im, out, 1, powers[i].last);
			import_done_rows(im, n, &x, out);
			return;
		}
	if (!(power >= 2 && power <= POWER_MAX && power == floor(power))) {
		trace_lack(
		    &im->t, n, "only powers up to 4, roots and inverses are available");
		return;
	}
	for (int i = 1; i < (int)power; i++)
		out = import_binary(im, out, x.value, 1, 1, true, BACKEND_LINEAR);
	import_done_rows(im, n, &x, out);
}

/* Returns act(alpha x) of a view: of each element once if it repeats them. */
static struct import_view applied(
    struct import *im, struct import_view v, double alpha, enum backend_act act)
{
	struct import_view each = v;

	for (uint32_t i = 0; i < v.shape.dims; i++)
		if (v.stride[i] == 0)
			each.shape.size[i] = each.stride[i] = 1;
	struct import_rows x = import_as_rows(im, each, 0);
	each = import_rows_view(im, &x, each.shape, import_unary(im, x.value, alpha, act));
	return import_broadcast(each, v.shape);
}

struct import_view import_scaled(struct import *im, struct import_view v, double factor)
{
	return applied(im, v, factor, BACKEND_LINEAR);
}

void import_div(IMPORT_PARAMS)
{
	const double number = trace_scalar(&im->t, trace_in(n, 1)),
	             over = trace_scalar(&im->t, trace_in(n, 0));
	struct import_view a = import_input(im, n, 0), b = import_input(im, n, 1);
	const struct trace_shape made = *import_made(im, n, 0);

	(void)m;
	import_check_axis(im, n);
	if (number == 0)
		trace_lack(&im->t, n, "it divides by 0");
	if (im->t.failed)
		return;
	if (!isnan(number) && import_count(&a.shape) == import_count(&made)) {
		struct import_rows x = import_full(im, n, 0);

		import_done_rows(
		    im, n, &x, import_unary(im, x.value, 1 / number, BACKEND_LINEAR));
		return;
	}
	b = applied(im, b, 1, BACKEND_RECIPROCAL);
	if (!isnan(over) && import_count(&b.shape) == import_count(&made)) {
		b = import_reshaped(im, b, made);
		if (over != 1)
			b = import_scaled(im, b, over);
		import_output(im, n, 0, b);
		return;
	}
	import_output(im, n, 0, import_combined(im, n, a, b, 1, true));
}

void import_sum(IMPORT_PARAMS)
{
	struct import_view sum = import_input(im, n, 0);

	(void)m;
	for (uint32_t i = 1; i < n->call.ins && !im->t.failed; i++)
		sum = import_combined(im, n, sum, import_input(im, n, i), 1, false);
	import_output(im, n, 0, sum);
}

/*
 * Truth values are 0 and 1 in the type of the model. A difference above half of this makes
 * two numbers unequal: the smallest numbers of float32 may be lost in a division.
 */
#define LEAST_DIFFERENCE 0x1p-120

static const struct import_rounding negation = { 1, 0, 1, -1, 1 };

/* Returns a view of numbers in the type of the model: of tokens, which are int32, a copy.
 */
static struct import_view as_numbers(struct import *im, struct import_view v)
{
	struct import_view to;

	if (im->t.failed || v.is_constant || im->g->value[v.base].dtype == im->dtype)
		return v;
	to = import_whole(im, import_new(im, import_shortened(v.shape)), v.shape);
	import_move(im, v, to);
	return to;
}

/* Returns a view of the rounded elements of a view, squared if asked for. */
static struct import_view round_view(struct import *im, struct import_view v,
    const struct import_rounding *rounding, bool squares)
{
	const struct import_rows x = import_as_rows(im, v, 0);
	uint32_t y;

	if (im->t.failed)
		return v;
	y = import_rounded(im, x.value, rounding);
	if (squares)
		y = import_binary(im, y, y, 1, 1, true, BACKEND_LINEAR);
	return import_rows_view(im, &x, v.shape, y);
}

/* Comparisons of numbers, and operators on truth values, from the sum, the difference or
 * the product of the operands. */
void import_logic(IMPORT_PARAMS)
{
	const double least = LEAST_DIFFERENCE;
	const struct {
		const char *op;
		double sign; /* of the second operand; 0: the operands are multiplied */
		bool squares, negates;
		struct import_rounding rounding;
	} operators[] = { { "And", 0, false, false, { 1, 0, 1, 1, 0 } },
		{ "Equal", -1, true, true, { least, -1, 1, 1, 0 } },
		{ "Greater", -1, false, false, { least, 0, 1, 1, 0 } },
		{ "GreaterOrEqual", -1, false, false, { -least, 0, 1, -1, 1 } },
		{ "Less", -1, false, false, { -least, 0, 1, 1, 0 } },
		{ "LessOrEqual", -1, false, false, { least, 0, 1, -1, 1 } },
		{ "Or", 1, false, false, { 1, 0, 1, 1, 0 } },
		{ "Xor", -1, true, false, { 1, -1, 1, 1, 0 } } };
	struct import_view a = as_numbers(im, import_input(im, n, 0)),
	                   b = as_numbers(im, import_input(im, n, 1));
	size_t i = 0;

	(void)m;
	import_check_axis(im, n);
	while (!trace_is(n, operators[i].op))
		i++;
	if (im->t.failed)
		return;
	a = operators[i].sign == 0 ? import_combined(im, n, a, b, 1, true)
	                           : import_combined(im, n, a, b, operators[i].sign, false);
	a = round_view(im, a, &operators[i].rounding, operators[i].squares);
	if (operators[i].negates)
		a = round_view(im, a, &negation, false);
	import_output(im, n, 0, a);
}

void import_not(IMPORT_PARAMS)
{
	(void)m;
	import_output(im, n, 0, round_view(im, import_input(im, n, 0), &negation, false));
}

/* To truth values, or from tokens to numbers. */
void import_cast(IMPORT_PARAMS)
{
	const int64_t from = n->call.in[0]->type, to = n->call.out[0]->type;
	struct import_view v = as_numbers(im, import_input(im, n, 0));

	(void)m;
	if (to == ONNX_BOOL)
		v = round_view(im, v,
		    &(struct import_rounding){ LEAST_DIFFERENCE, -1, 1, 1, 0 }, true);
	else if (!onnx_type_is_float(to))
		trace_lack(&im->t, n, "it makes %s of %s", onnx_type_name(to),
		    onnx_type_name(from));
	import_output(im, n, 0, v);
}

/*
 * A choice by a constant: the sum of both sides, each of which is 0 where the other one is
 * chosen, even if it is infinite or NaN there.
 */
static void choose_by_constant(
    struct import *im, const struct trace_node *n, const struct onnx_fact *choice)
{
	struct import_view side[2], chosen;
	const struct onnx_fact *number[2];

	for (uint32_t i = 0; i < 2; i++) {
		side[i] = import_input(im, n, 1 + i);
		number[i] =
		    side[i].is_constant ? trace_constant(&im->t, n->in[1 + i]) : NULL;
		if (side[i].is_constant && !number[i])
			trace_lack(&im->t, n, "a constant has more than 2^24 elements");
	}
	if (im->t.failed)
		return;
	const struct trace_shape *s = &im->t.value[n->in[0]].shape;
	const int64_t count = import_count(s);
	struct import_view sum = { 0 };
	for (int i = 0; i < 2; i++) {
		const bool adds = number[i] && import_count(&side[i].shape) == 1;
		const double value = adds ? onnx_fact_number(number[i], 0) : 1;
		double *part = mem_zero((size_t)count, sizeof(*part));

		for (int64_t k = 0; k < count; k++)
			part[k] = (choice->integer[k] != 0) == (i == 0) ? value : 0;
		chosen =
		    import_whole(im, import_constant(im, part, import_shortened(*s)), *s);
		if (!adds)
			chosen = import_selected(im, n, side[i], chosen);
		if (i && import_count(&sum.shape) < import_count(&chosen.shape))
			sum = import_combined(im, n, chosen, sum, 1, false);
		else
			sum = i ? import_combined(im, n, sum, chosen, 1, false) : chosen;
	}
	import_output(im, n, 0, sum);
}

/* A choice by a computed condition; see choose_by_constant(). */
static void choose_by_value(struct import *im, const struct trace_node *n)
{
	const struct import_view condition = import_input(im, n, 0),
	                         other = round_view(im, condition, &negation, false);
	struct import_view side[2];

	for (uint32_t i = 0; i < 2 && !im->t.failed; i++)
		side[i] = import_selected(im, n, as_numbers(im, import_input(im, n, 1 + i)),
		    i ? other : condition);
	if (!im->t.failed)
		import_output(im, n, 0, import_combined(im, n, side[0], side[1], 1, false));
}

void import_where(IMPORT_PARAMS)
{
	const struct onnx_fact *choice = trace_constant(&im->t, trace_in(n, 0));

	(void)m;
	if (choice)
		choose_by_constant(im, n, choice);
	else
		choose_by_value(im, n);
}
