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
	/* Before version 7, a list has the slopes of the channels. */
	if (onnx_opset(im->t.model) < 7 && slope.shape.dims == 1 && made.dims > 2 &&
	    slope.shape.size[0] == made.size[1]) {
		struct trace_shape channels = { .dims = made.dims - 1 };

		for (uint32_t i = 0; i < channels.dims; i++)
			channels.size[i] = i ? 1 : made.size[1];
		slope = import_reshaped(im, slope, channels);
	}
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

/* x sigmoid(alpha x): Swish, and QuickGelu of ONNX Runtime. */
void import_swish(IMPORT_PARAMS)
{
	const struct import_rows x = import_full(im, n, 0);
	const double alpha = trace_float(n, "alpha", trace_is(n, "Swish") ? 1 : 1.702);
	uint32_t out;

	(void)m;
	if (im->t.failed)
		return;
	if (alpha == 1)
		out = import_unary(im, x.value, 1, BACKEND_SILU);
	else
		out = import_binary(im, x.value,
		    import_unary(im, x.value, alpha, BACKEND_SIGMOID), 1, 1, true,
		    BACKEND_LINEAR);
	import_done_rows(im, n, &x, out);
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

/* A power of a constant above 0: exp(x log(c)). */
static void pow_computed(struct import *im, const struct trace_node *n)
{
	const double base = trace_scalar(&im->t, trace_in(n, 0));
	struct import_view v = import_input(im, n, 1);

	if (!(base > 0 && base < INFINITY))
		trace_lack(&im->t, n,
		    "its power is computed, and its base is not one "
		    "constant above 0");
	if (im->t.failed)
		return;
	const struct import_rows x =
	    import_as_rows(im, import_reshaped(im, v, *import_made(im, n, 0)), 0);
	import_done_rows(im, n, &x, import_unary(im, x.value, log(base), BACKEND_EXP));
}

uint32_t import_power(
    struct import *im, const struct trace_node *n, uint32_t x, double power)
{
	static const struct {
		double power, alpha;
		enum backend_act first, last;
	} powers[] = { { 1, 1, BACKEND_LINEAR, BACKEND_LINEAR },
		{ 0.5, 1, BACKEND_SQRT, BACKEND_LINEAR },
		{ -0.5, 1, BACKEND_SQRT, BACKEND_RECIPROCAL },
		{ -1, 1, BACKEND_RECIPROCAL, BACKEND_LINEAR } };
	enum { POWER_MAX = 64 };
	const double times = fabs(power);
	uint32_t out = x;

	for (size_t i = 0; i < COUNT(powers); i++)
		if (power == powers[i].power) {
			out = import_unary(im, out, 1, powers[i].first);
			return powers[i].last == BACKEND_LINEAR
			           ? out
				   : import_unary(im, out, 1, powers[i].last);
		}
	if (times == floor(times) && times > POWER_MAX) {
		trace_lack(&im->t, n, "its power is a whole number above %d", POWER_MAX);
		return x;
	}
	if (times == 0)
		return import_rounded(im, x, &(struct import_rounding){ 1, 0, 0, 1, 1 });
	if (times == floor(times))
		for (int i = 1; i < (int)times; i++)
			out = import_binary(im, out, x, 1, 1, true, BACKEND_LINEAR);
	else /* exp(times log(x)), of which the logarithm of a negative number is NaN */
		out = import_unary(
		    im, import_unary(im, out, 1, BACKEND_LOG), times, BACKEND_EXP);
	return power < 0 ? import_unary(im, out, 1, BACKEND_RECIPROCAL) : out;
}

void import_pow(IMPORT_PARAMS)
{
	const double power = trace_scalar(&im->t, trace_in(n, 1));

	(void)m;
	if (isnan(power)) {
		pow_computed(im, n);
		return;
	}
	const struct import_rows x = import_full(im, n, 0);
	import_done_rows(im, n, &x, import_power(im, n, x.value, power));
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
	else if (!onnx_type_is_float(n->call.out[0]->type)) {
		import_div_whole(im, n);
		return;
	}
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

void import_mean(IMPORT_PARAMS)
{
	struct import_view sum = import_input(im, n, 0);

	(void)m;
	for (uint32_t i = 1; i < n->call.ins && !im->t.failed; i++)
		sum = import_combined(im, n, sum, import_input(im, n, i), 1, false);
	if (!im->t.failed)
		import_output(im, n, 0, import_scaled(im, sum, 1 / (double)n->call.ins));
}
