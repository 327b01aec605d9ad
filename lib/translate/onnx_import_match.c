/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the activations, normalizations and products that exporters write as several nodes;
 * see onnx_import_priv.h. A pattern is matched from the node in which it ends. Attention is
 * in onnx_import_attention.c.
 */
#include <math.h>

#include "translate/onnx_import_priv.h"

enum { FACTORS_MAX = 4 };

static bool is_near(double x, double wanted)
{
	return fabs(x - wanted) <= 1e-3 * fabs(wanted);
}

/* Returns the constant number that is one input of a node with two inputs, and stores the
 * other input; NAN if there is none. */
static double number_beside(
    struct onnx_trace *t, const struct trace_node *n, uint32_t *other)
{
	for (uint32_t i = 0; i < 2; i++) {
		const double x = trace_scalar(t, trace_in(n, i));

		*other = trace_in(n, 1 - i);
		if (!isnan(x) && *other != TRACE_NONE && !t->value[*other].is_constant)
			return x;
	}
	return NAN;
}

uint32_t import_unscaled(struct onnx_trace *t, uint32_t value, double *factor)
{
	for (int i = 0; i < FACTORS_MAX; i++) {
		const struct trace_node *mul = trace_made_by(t, value, "Mul"),
		                        *div = trace_made_by(t, value, "Div");
		uint32_t other;
		double x;

		if (mul) {
			x = number_beside(t, mul, &other);
			if (isnan(x))
				break;
			*factor *= x;
			value = other;
		} else if (div) {
			x = trace_scalar(t, trace_in(div, 1));
			if (isnan(x) || x == 0)
				break;
			*factor /= x;
			value = div->in[0];
		} else
			break;
	}
	return value;
}

/* The factors of a product: values and a number. */
struct factors {
	uint32_t value[FACTORS_MAX];
	size_t count;
	double number;
};

static void add_factor(struct onnx_trace *t, struct factors *f, uint32_t value, int depth)
{
	const struct trace_node *mul = trace_made_by(t, value, "Mul"),
	                        *div = trace_made_by(t, value, "Div");
	const double x = trace_scalar(t, value);

	if (!isnan(x))
		f->number *= x;
	else if (mul && depth > 0) {
		add_factor(t, f, trace_in(mul, 0), depth - 1);
		add_factor(t, f, trace_in(mul, 1), depth - 1);
	} else if (div && depth > 0 && !isnan(trace_scalar(t, trace_in(div, 1)))) {
		f->number /= trace_scalar(t, div->in[1]);
		add_factor(t, f, div->in[0], depth - 1);
	} else if (f->count < FACTORS_MAX)
		f->value[f->count++] = value;
	else
		f->number = NAN;
}

/* Returns the value v if another one is 1 + f(v), where f is an operator. */
static uint32_t one_plus(struct onnx_trace *t, uint32_t value, const char *op)
{
	const struct trace_node *add = trace_made_by(t, value, "Add"), *n;
	uint32_t other;

	if (!add || number_beside(t, add, &other) != 1)
		return TRACE_NONE;
	n = trace_made_by(t, other, op);
	return n ? trace_in(n, 0) : (uint32_t)TRACE_NONE;
}

/* Returns whether a value is x^3. */
static bool is_cube(struct onnx_trace *t, uint32_t value, uint32_t x)
{
	const struct trace_node *pow_node = trace_made_by(t, value, "Pow");
	struct factors f = { .number = 1 };

	if (pow_node)
		return trace_in(pow_node, 0) == x &&
		       trace_scalar(t, trace_in(pow_node, 1)) == 3;
	add_factor(t, &f, value, 2);
	return f.count == 3 && f.number == 1 && f.value[0] == x && f.value[1] == x &&
	       f.value[2] == x;
}

/* Returns whether a value is c (x + 0.044715 x^3), where c is about 0.79788. */
static bool is_gelu_tanh(struct onnx_trace *t, uint32_t value, uint32_t x)
{
	double factor = 1;
	const struct trace_node *add;

	value = import_unscaled(t, value, &factor);
	add = trace_made_by(t, value, "Add");
	for (uint32_t i = 0; add && i < 2; i++) {
		double inner = 1;
		uint32_t cube;

		if (trace_in(add, i) != x || trace_in(add, 1 - i) == TRACE_NONE)
			continue;
		cube = import_unscaled(t, add->in[1 - i], &inner);
		if (is_near(factor, 0.7978845608) && is_near(inner, 0.044715) &&
		    is_cube(t, cube, x))
			return true;
	}
	return false;
}

/* x/2 (1 + erf(x / sqrt 2)), or x/2 (1 + tanh(...)), with the factors in any order. */
bool import_match_gelu(IMPORT_MATCH)
{
	struct onnx_trace *t = &im->t;
	struct factors f = { .number = 1 };

	add_factor(t, &f, trace_in(n, 0), 2);
	add_factor(t, &f, trace_in(n, 1), 2);
	if (f.count != 2 || !is_near(f.number, 0.5))
		return false;
	for (size_t i = 0; i < 2; i++) {
		const uint32_t x = f.value[i];
		uint32_t erf_of = one_plus(t, f.value[1 - i], "Erf"),
		         tanh_of = one_plus(t, f.value[1 - i], "Tanh");
		double factor = 1;

		m->in[0] = x;
		m->number[0] = BACKEND_GELU;
		if (erf_of != TRACE_NONE && import_unscaled(t, erf_of, &factor) == x &&
		    is_near(factor, 0.70710678))
			return true;
		m->number[0] = BACKEND_GELU_TANH;
		if (tanh_of != TRACE_NONE && is_gelu_tanh(t, tanh_of, x))
			return true;
	}
	return false;
}

/* x sigmoid(x), or x sigmoid(1.702 x). */
bool import_match_silu(IMPORT_MATCH)
{
	for (uint32_t i = 0; i < 2; i++) {
		const uint32_t x = trace_in(n, i);
		const struct trace_node *s =
		    trace_made_by(&im->t, trace_in(n, 1 - i), "Sigmoid");
		double factor = 1;

		if (!s || import_unscaled(&im->t, trace_in(s, 0), &factor) != x)
			continue;
		m->in[0] = x;
		m->number[0] = factor == 1 ? BACKEND_SILU : BACKEND_QUICK_GELU;
		if (factor == 1 || is_near(factor, 1.702))
			return true;
	}
	return false;
}

/* Returns whether a node reduces the last dimension to one element. */
static bool reduces_last(const struct onnx_trace *t, const struct trace_node *n)
{
	struct rule_call call;
	bool reduced[ONNX_DIMS_MAX];
	uint32_t dims, count = 0;

	if (!n || trace_in(n, 0) == TRACE_NONE || rule_int(&n->call, "keepdims", 1) == 0)
		return false;
	dims = t->value[n->in[0]].shape.dims;
	call = n->call;
	if (!dims || rule_reduced_axes(&call, dims, reduced) != RULE_FINE)
		return false;
	for (uint32_t i = 0; i < dims; i++)
		count += reduced[i];
	return count == 1 && reduced[dims - 1];
}

/* Returns x if a value is sqrt(mean(x^2) + eps) over the last dimension, and stores eps. */
static uint32_t deviation(struct onnx_trace *t, uint32_t value, double *eps)
{
	const struct trace_node *root = trace_made_by(t, value, "Sqrt"), *add, *mean,
	                        *square;
	uint32_t other;

	add = root ? trace_made_by(t, trace_in(root, 0), "Add") : NULL;
	*eps = add ? number_beside(t, add, &other) : (double)NAN;
	if (isnan(*eps))
		return TRACE_NONE;
	mean = trace_made_by(t, other, "ReduceMean");
	if (!reduces_last(t, mean))
		return TRACE_NONE;
	square = trace_made_by(t, mean->in[0], "Pow");
	if (square && trace_scalar(t, trace_in(square, 1)) == 2)
		return trace_in(square, 0);
	square = trace_made_by(t, mean->in[0], "Mul");
	return square && trace_in(square, 0) == trace_in(square, 1) ? trace_in(square, 0)
	                                                            : (uint32_t)TRACE_NONE;
}

/* Returns the value v if another one is v divided by its deviation, as Div or as Mul with
 * the reciprocal, and stores eps. */
static uint32_t standardized(struct onnx_trace *t, uint32_t value, double *eps)
{
	const struct trace_node *div = trace_made_by(t, value, "Div"),
	                        *mul = trace_made_by(t, value, "Mul"), *inverse;

	if (div && deviation(t, trace_in(div, 1), eps) == trace_in(div, 0))
		return trace_in(div, 0);
	for (uint32_t i = 0; mul && i < 2; i++) {
		uint32_t root = TRACE_NONE;

		inverse = trace_made_by(t, trace_in(mul, 1 - i), "Reciprocal");
		if (inverse)
			root = trace_in(inverse, 0);
		inverse = trace_made_by(t, trace_in(mul, 1 - i), "Div");
		if (inverse && trace_scalar(t, trace_in(inverse, 0)) == 1)
			root = trace_in(inverse, 1);
		if (root != TRACE_NONE && trace_in(mul, i) != TRACE_NONE &&
		    deviation(t, root, eps) == mul->in[i])
			return mul->in[i];
	}
	return TRACE_NONE;
}

/* Returns x if a value is x - mean(x) over the last dimension. */
static uint32_t centered(struct onnx_trace *t, uint32_t value)
{
	const struct trace_node *sub = trace_made_by(t, value, "Sub"), *mean;

	mean = sub ? trace_made_by(t, trace_in(sub, 1), "ReduceMean") : NULL;
	return reduces_last(t, mean) && mean->in[0] == trace_in(sub, 0)
	           ? mean->in[0]
	           : (uint32_t)TRACE_NONE;
}

/* Returns whether a value is a constant with one element for each of the last dimension of
 * another one. */
static bool is_gain(const struct onnx_trace *t, uint32_t value, uint32_t x)
{
	const struct trace_shape *s = &t->value[x].shape;

	return value != TRACE_NONE && t->value[value].is_constant && s->dims &&
	       trace_elements(t, value) == s->size[s->dims - 1] &&
	       t->value[value].shape.dims &&
	       t->value[value].shape.size[t->value[value].shape.dims - 1] ==
	           s->size[s->dims - 1];
}

/* Finds gain times the standardized x; stores the gain and x. */
static bool match_gain(
    struct onnx_trace *t, const struct trace_node *mul, bool center, struct import_match *m)
{
	for (uint32_t i = 0; mul && i < 2; i++) {
		uint32_t inner, x;

		if (trace_in(mul, i) == TRACE_NONE)
			continue;
		inner = standardized(t, mul->in[i], &m->number[0]);
		if (inner == TRACE_NONE)
			continue;
		x = center ? centered(t, inner) : inner;
		if (x == TRACE_NONE || !is_gain(t, trace_in(mul, 1 - i), x))
			continue;
		m->in[0] = x;
		m->in[1] = mul->in[1 - i];
		return true;
	}
	return false;
}

/* (x - mean) / sqrt(var + eps) gain + shift. */
bool import_match_norm(IMPORT_MATCH)
{
	m->flag = false;
	for (uint32_t i = 0; i < 2; i++)
		if (match_gain(
		        &im->t, trace_made_by(&im->t, trace_in(n, i), "Mul"), true, m) &&
		    is_gain(&im->t, trace_in(n, 1 - i), m->in[0])) {
			m->in[2] = n->in[1 - i];
			return true;
		}
	return false;
}

/* x / sqrt(mean(x^2) + eps) gain. */
bool import_match_rms(IMPORT_MATCH)
{
	m->flag = true;
	m->in[2] = TRACE_NONE;
	return match_gain(&im->t, n, false, m);
}

/* The product of rows and a constant matrix, plus a bias for each column. */
bool import_match_linear(IMPORT_MATCH)
{
	for (uint32_t i = 0; i < 2; i++) {
		const struct trace_node *mul =
		    trace_made_by(&im->t, trace_in(n, i), "MatMul");
		const uint32_t right = mul ? trace_in(mul, 1) : (uint32_t)TRACE_NONE;

		if (right == TRACE_NONE || !im->t.value[right].is_constant ||
		    im->t.value[right].shape.dims != 2 ||
		    im->t.value[mul->in[0]].shape.dims < 2 ||
		    trace_elements(&im->t, n->in[i]) != trace_elements(&im->t, n->out[0]) ||
		    !is_gain(&im->t, trace_in(n, 1 - i), n->in[i]))
			continue;
		m->in[0] = mul->in[0];
		m->in[1] = right;
		m->in[2] = n->in[1 - i];
		return true;
	}
	return false;
}
