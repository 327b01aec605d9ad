/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folds arithmetic, comparisons, conversions and reductions; see onnx_fold_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "onnx/onnx_fold_priv.h"

/* Integers wrap around, as in other implementations; see fold_narrowed(). */
static int64_t add_i(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t sub_i(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t mul_i(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* The divisor is not 0; see is_valid(). */
static int64_t div_i(int64_t a, int64_t b)
{
	return b == -1 ? sub_i(0, a) : a / b;
}

/* The result has the sign of the divisor, as in Python. */
static int64_t mod_i(int64_t a, int64_t b)
{
	int64_t rest = b == -1 ? 0 : a % b;

	return rest && (rest < 0) != (b < 0) ? rest + b : rest;
}

static int64_t min_i(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t max_i(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t and_i(int64_t a, int64_t b)
{
	return a && b;
}

static int64_t or_i(int64_t a, int64_t b)
{
	return a || b;
}

static int64_t xor_i(int64_t a, int64_t b)
{
	return !a != !b;
}

static double add_r(double a, double b)
{
	return a + b;
}

static double sub_r(double a, double b)
{
	return a - b;
}

static double mul_r(double a, double b)
{
	return a * b;
}

static double div_r(double a, double b)
{
	return a / b;
}

/* Comparisons return 0 or 1 for both kinds of numbers. */
#define COMPARE(name, operator)                       \
	static int64_t name##_i(int64_t a, int64_t b) \
	{                                             \
		return a operator b;                  \
	}                                             \
	static double name##_r(double a, double b)    \
	{                                             \
		return a operator b;                  \
	}

COMPARE(equal, ==)
COMPARE(less, <)
COMPARE(less_equal, <=)

static int64_t greater_i(int64_t a, int64_t b)
{
	return less_i(b, a);
}

static double greater_r(double a, double b)
{
	return less_r(b, a);
}

static int64_t greater_equal_i(int64_t a, int64_t b)
{
	return less_equal_i(b, a);
}

static double greater_equal_r(double a, double b)
{
	return less_equal_r(b, a);
}

static const struct {
	const char *op;
	int64_t (*integer)(int64_t a, int64_t b); /* NULL: not folded */
	double (*real)(double a, double b);
	bool divides;
} binaries[] = {
	{ "Add", add_i, add_r, false },
	{ "And", and_i, NULL, false },
	{ "Div", div_i, div_r, true },
	{ "Equal", equal_i, equal_r, false },
	{ "Greater", greater_i, greater_r, false },
	{ "GreaterOrEqual", greater_equal_i, greater_equal_r, false },
	{ "Less", less_i, less_r, false },
	{ "LessOrEqual", less_equal_i, less_equal_r, false },
	{ "Max", max_i, fmax, false },
	{ "Min", min_i, fmin, false },
	{ "Mod", mod_i, NULL, true },
	{ "Mul", mul_i, mul_r, false },
	{ "Or", or_i, NULL, false },
	{ "Sub", sub_i, sub_r, false },
	{ "Sum", add_i, add_r, false },
	{ "Xor", xor_i, NULL, false },
};

/* Reductions use the same functions. */
static const struct {
	const char *op, *binary;
} reductions[] = {
	{ "ReduceMax", "Max" },
	{ "ReduceMean", "Sum" },
	{ "ReduceMin", "Min" },
	{ "ReduceProd", "Mul" },
	{ "ReduceSum", "Sum" },
};

static int64_t neg_i(int64_t a)
{
	return sub_i(0, a);
}

static int64_t abs_i(int64_t a)
{
	return a < 0 ? neg_i(a) : a;
}

static int64_t not_i(int64_t a)
{
	return !a;
}

static double neg_r(double a)
{
	return -a;
}

static double reciprocal_r(double a)
{
	return 1 / a;
}

static double sigmoid_r(double a)
{
	return 1 / (1 + exp(-a));
}

static int64_t relu_i(int64_t a)
{
	return a > 0 ? a : 0;
}

static double relu_r(double a)
{
	return a < 0 ? 0 : a;
}

static double is_nan_r(double a)
{
	return isnan(a);
}

static const struct {
	const char *op;
	int64_t (*integer)(int64_t a);
	double (*real)(double a);
} unaries[] = {
	{ "Abs", abs_i, fabs },
	{ "Ceil", NULL, ceil },
	{ "Cos", NULL, cos },
	{ "Erf", NULL, erf },
	{ "Exp", NULL, exp },
	{ "Floor", NULL, floor },
	{ "IsNaN", NULL, is_nan_r },
	{ "Log", NULL, log },
	{ "Neg", neg_i, neg_r },
	{ "Not", not_i, NULL },
	{ "Reciprocal", NULL, reciprocal_r },
	{ "Relu", relu_i, relu_r },
	{ "Round", NULL, rint },
	{ "Sigmoid", NULL, sigmoid_r },
	{ "Sin", NULL, sin },
	{ "Sqrt", NULL, sqrt },
	{ "Tanh", NULL, tanh },
};

union fold_cell fold_narrowed(int64_t type, union fold_cell x)
{
	uint32_t bits = onnx_type_bits(type);
	uint64_t low;

	if (type == ONNX_FLOAT)
		x.r = (double)(float)x.r;
	if (!fold_is_integer(type) || bits == 64)
		return x;
	low = (uint64_t)x.i & ((UINT64_C(1) << bits) - 1);
	if (type == ONNX_INT8 || type == ONNX_INT16 || type == ONNX_INT32) {
		uint64_t sign = UINT64_C(1) << (bits - 1);

		low = (low ^ sign) - sign;
	}
	x.i = (int64_t)low;
	return x;
}

union fold_cell fold_sum(int64_t type, union fold_cell a, union fold_cell b)
{
	if (fold_is_real(type))
		a.r += b.r;
	else
		a.i = add_i(a.i, b.i);
	return fold_narrowed(type, a);
}

/* Converts an element. The operators do not define which integer an infinite or too large
 * number becomes: exported models compute it and do not use it. */
static union fold_cell convert(int64_t from, int64_t to, union fold_cell x)
{
	const bool from_real = fold_is_real(from), to_real = fold_is_real(to);

	if (to == ONNX_BOOL)
		x.i = from_real ? x.r != 0 : x.i != 0;
	else if (from_real && !to_real)
		x.i = fabs(x.r) < 0x1p63 ? (int64_t)x.r : INT64_MIN;
	else if (to_real && !from_real)
		x.r = (double)x.i;
	return fold_narrowed(to, x);
}

/* Returns the row of binaries[] of an operator; COUNT(binaries): none. */
static size_t binary_of(struct text op)
{
	size_t i = 0;

	while (i < COUNT(binaries) && !text_is(op, binaries[i].op))
		i++;
	return i;
}

/* Computes a and b. The result of comparisons of doubles is an integer. */
static bool combine(size_t row, int64_t type, int64_t result_type, union fold_cell a,
    union fold_cell b, union fold_cell *out)
{
	bool is_real = fold_is_real(type);

	if (is_real ? !binaries[row].real : !binaries[row].integer)
		return false;
	if (!is_real && binaries[row].divides && !b.i)
		return false;
	if (!is_real)
		out->i = binaries[row].integer(a.i, b.i);
	else if (fold_is_real(result_type))
		out->r = binaries[row].real(a.r, b.r);
	else
		out->i = binaries[row].real(a.r, b.r) != 0;
	*out = fold_narrowed(result_type, *out);
	return true;
}

static bool fold_binary(const struct folding *f)
{
	const size_t row = binary_of(f->call->node->op);
	const int64_t type = f->shape[0]->type;
	bool is_fine = fold_copy(f, f->in[0], fold_broadcast(f, 0));

	for (uint32_t j = 1; j < f->ins && is_fine; j++) {
		struct fold_walk w = fold_broadcast(f, j);

		/* The results of more than two operands have the type of the operands. */
		is_fine =
		    f->shape[j]->type == type && (f->ins == 2 || f->result->type == type);
		for (int64_t i = 0; i < f->elements && is_fine; i++, fold_walk_on(&w))
			is_fine = combine(row, type, f->result->type, f->out[i],
			    f->in[j][w.from], &f->out[i]);
	}
	return is_fine;
}

static double as_real(const struct folding *f, uint32_t i, int64_t place)
{
	return fold_is_real(f->shape[i]->type) ? f->in[i][place].r
	                                       : (double)f->in[i][place].i;
}

/* Pow: the exponents may have another type. */
static bool fold_power(const struct folding *f)
{
	struct fold_walk a = fold_broadcast(f, 0), b;

	if (f->ins != 2)
		return false;
	b = fold_broadcast(f, 1);
	for (int64_t i = 0; i < f->elements; i++) {
		const union fold_cell x = { .r = pow(as_real(f, 0, a.from),
			                        as_real(f, 1, b.from)) };

		f->out[i] = convert(ONNX_DOUBLE, f->result->type, x);
		fold_walk_on(&a);
		fold_walk_on(&b);
	}
	return true;
}

/* Divides the sums of ReduceMean by the number of elements of each. */
static bool fold_mean(const struct folding *f, int64_t each)
{
	const bool is_real = fold_is_real(f->result->type);
	const union fold_cell count =
	    is_real ? (union fold_cell){ .r = (double)each } : (union fold_cell){ each };
	const size_t row = binary_of(TEXT("Div"));
	bool is_fine = true;

	for (int64_t i = 0; i < f->elements && is_fine; i++)
		is_fine = combine(
		    row, f->result->type, f->result->type, f->out[i], count, &f->out[i]);
	return is_fine;
}

static bool fold_reduction(const struct folding *f)
{
	const struct onnx_fact *x = f->shape[0];
	const int64_t type = f->result->type, count = onnx_fact_elements(x);
	const char *binary = NULL;
	struct fold_walk w = { .dim = x->dim, .dims = x->dims };
	bool reduced[ONNX_DIMS_MAX], is_fine = true, *is_begun;
	int64_t step = 1;

	for (size_t i = 0; i < COUNT(reductions); i++)
		if (text_is(f->call->node->op, reductions[i].op))
			binary = reductions[i].binary;
	if (rule_reduced_axes(f->call, x->dims, reduced) != RULE_FINE || !f->elements ||
	    !count)
		return false;
	for (uint32_t i = x->dims; i-- > 0;)
		if (!reduced[i]) {
			w.stride[i] = step;
			step *= x->dim[i];
		}
	const size_t row = binary_of(text_of(binary));
	is_begun = mem_zero((size_t)f->elements, sizeof(*is_begun));
	for (int64_t i = 0; i < count && is_fine; i++, fold_walk_on(&w)) {
		union fold_cell *out = &f->out[w.from];

		if (is_begun[w.from])
			is_fine = combine(row, type, type, *out, f->in[0][i], out);
		else
			*out = f->in[0][i];
		is_begun[w.from] = true;
	}
	free(is_begun);
	return is_fine && (!text_is(f->call->node->op, "ReduceMean") ||
	                      fold_mean(f, count / f->elements));
}

static bool fold_unary(const struct folding *f)
{
	const bool is_real = fold_is_real(f->shape[0]->type);
	size_t row = 0;

	while (!text_is(f->call->node->op, unaries[row].op))
		row++;
	if (is_real ? !unaries[row].real : !unaries[row].integer)
		return false;
	for (int64_t i = 0; i < f->elements; i++) {
		if (!is_real)
			f->out[i].i = unaries[row].integer(f->in[0][i].i);
		else if (fold_is_real(f->result->type))
			f->out[i].r = unaries[row].real(f->in[0][i].r);
		else
			f->out[i].i = unaries[row].real(f->in[0][i].r) != 0;
		f->out[i] = fold_narrowed(f->result->type, f->out[i]);
	}
	return true;
}

static bool fold_cast(const struct folding *f)
{
	for (int64_t i = 0; i < f->elements; i++)
		f->out[i] = convert(f->shape[0]->type, f->result->type, f->in[0][i]);
	return true;
}

static bool fold_where(const struct folding *f)
{
	struct fold_walk choice, yes, no;

	if (f->shape[1]->type != f->shape[2]->type)
		return false;
	choice = fold_broadcast(f, 0);
	yes = fold_broadcast(f, 1);
	no = fold_broadcast(f, 2);
	for (int64_t i = 0; i < f->elements; i++) {
		f->out[i] =
		    f->in[0][choice.from].i ? f->in[1][yes.from] : f->in[2][no.from];
		fold_walk_on(&choice);
		fold_walk_on(&yes);
		fold_walk_on(&no);
	}
	return true;
}

static bool fold_range(const struct folding *f)
{
	bool is_real = fold_is_real(f->result->type);

	if (f->shape[2]->type != f->shape[0]->type)
		return false;
	for (int64_t i = 0; i < f->elements; i++) {
		if (is_real)
			f->out[i].r = f->in[0][0].r + (double)i * f->in[2][0].r;
		else
			f->out[i].i = add_i(f->in[0][0].i, mul_i(i, f->in[2][0].i));
		f->out[i] = fold_narrowed(f->result->type, f->out[i]);
	}
	return true;
}

fold_function *fold_numbers_of(struct text op)
{
	static const struct {
		const char *op;
		fold_function *fold;
	} others[] = { { "Cast", fold_cast }, { "Pow", fold_power },
		{ "Range", fold_range }, { "Where", fold_where } };

	for (size_t i = 0; i < COUNT(others); i++)
		if (text_is(op, others[i].op))
			return others[i].fold;
	for (size_t i = 0; i < COUNT(unaries); i++)
		if (text_is(op, unaries[i].op))
			return fold_unary;
	for (size_t i = 0; i < COUNT(reductions); i++)
		if (text_is(op, reductions[i].op))
			return fold_reduction;
	return binary_of(op) < COUNT(binaries) ? fold_binary : NULL;
}
