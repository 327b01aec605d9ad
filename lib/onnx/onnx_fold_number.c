/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folds arithmetic, comparisons, conversions and reductions; see onnx_fold_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "onnx/onnx_fold_priv.h"

/* Integers wrap around, as in other implementations; see narrow(). */
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
	{ "Pow", NULL, pow, false },
	{ "Sub", sub_i, sub_r, false },
	{ "Sum", add_i, add_r, false },
	{ "Xor", xor_i, NULL, false },
};

/* Operands of one node, so that small hostile files do not take long. */
enum { OPERANDS_MAX = 64 };

/* Reductions to one element use the same functions. */
static const struct {
	const char *op, *binary;
} reductions[] = {
	{ "ReduceMax", "Max" },
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

static const struct {
	const char *op;
	int64_t (*integer)(int64_t a);
	double (*real)(double a);
} unaries[] = {
	{ "Abs", abs_i, fabs },
	{ "Ceil", NULL, ceil },
	{ "Exp", NULL, exp },
	{ "Floor", NULL, floor },
	{ "Log", NULL, log },
	{ "Neg", neg_i, neg_r },
	{ "Not", not_i, NULL },
	{ "Reciprocal", NULL, reciprocal_r },
	{ "Round", NULL, rint },
	{ "Sqrt", NULL, sqrt },
};

/* Returns the value that a type can represent. */
static union fold_cell narrow(int64_t type, union fold_cell x)
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
	*out = narrow(result_type, *out);
	return true;
}

static bool fold_binary(const struct folding *f, size_t row)
{
	union fold_cell *a = fold_broadcast(f, 0), *b;
	bool is_fine = true;

	for (uint32_t j = 1; j < f->ins && is_fine; j++) {
		/* The results of more than two operands have the type of the operands. */
		is_fine = f->shape[j] && f->shape[j]->type == f->shape[0]->type &&
		          (f->ins == 2 || f->result->type == f->shape[0]->type);
		b = is_fine ? fold_broadcast(f, j) : NULL;
		for (int64_t i = 0; i < f->elements && is_fine; i++)
			is_fine = combine(
			    row, f->shape[0]->type, f->result->type, a[i], b[i], &a[i]);
		free(b);
	}
	if (is_fine && f->elements)
		memcpy(f->out, a, (size_t)f->elements * sizeof(*a));
	free(a);
	return is_fine;
}

static bool fold_reduction(const struct folding *f, size_t row)
{
	int64_t n = onnx_fact_elements(f->shape[0]);

	if (f->elements != 1 || n < 1)
		return false;
	f->out[0] = f->in[0][0];
	for (int64_t i = 1; i < n; i++)
		if (!combine(row, f->result->type, f->result->type, f->out[0], f->in[0][i],
		        &f->out[0]))
			return false;
	return true;
}

static bool fold_unary(const struct folding *f, size_t row)
{
	bool is_real = fold_is_real(f->result->type);

	if (is_real ? !unaries[row].real : !unaries[row].integer)
		return false;
	for (int64_t i = 0; i < f->elements; i++) {
		if (is_real)
			f->out[i].r = unaries[row].real(f->in[0][i].r);
		else
			f->out[i].i = unaries[row].integer(f->in[0][i].i);
		f->out[i] = narrow(f->result->type, f->out[i]);
	}
	return true;
}

static bool fold_cast(const struct folding *f)
{
	bool from_real = fold_is_real(f->shape[0]->type);
	bool to_real = fold_is_real(f->result->type);

	for (int64_t i = 0; i < f->elements; i++) {
		union fold_cell x = f->in[0][i], *out = &f->out[i];

		if (from_real && !to_real && !(fabs(x.r) < 0x1p63))
			return false;
		if (from_real == to_real)
			*out = x;
		else if (to_real)
			out->r = (double)x.i;
		else
			out->i = f->result->type == ONNX_BOOL ? x.r != 0 : (int64_t)x.r;
		if (f->result->type == ONNX_BOOL && !from_real)
			out->i = x.i != 0;
		*out = narrow(f->result->type, *out);
	}
	return true;
}

static bool fold_where(const struct folding *f)
{
	union fold_cell *choice, *yes, *no;

	if (f->shape[1]->type != f->shape[2]->type)
		return false;
	choice = fold_broadcast(f, 0);
	yes = fold_broadcast(f, 1);
	no = fold_broadcast(f, 2);
	for (int64_t i = 0; i < f->elements; i++)
		f->out[i] = choice[i].i ? yes[i] : no[i];
	free(choice);
	free(yes);
	free(no);
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
		f->out[i] = narrow(f->result->type, f->out[i]);
	}
	return true;
}

bool fold_numbers(const struct folding *f)
{
	struct text op = f->call->node->op;
	size_t row = binary_of(op);

	for (uint32_t i = 0; i < f->ins; i++)
		if (!f->shape[i])
			return false;
	if (!f->ins || f->ins > OPERANDS_MAX || rule_int(f->call, "fmod", 0))
		return false;
	if (text_is(op, "Cast"))
		return fold_cast(f);
	if (text_is(op, "Where"))
		return fold_where(f);
	if (text_is(op, "Range"))
		return fold_range(f);
	if (row < COUNT(binaries))
		return fold_binary(f, row);
	for (size_t i = 0; i < COUNT(unaries); i++)
		if (text_is(op, unaries[i].op))
			return fold_unary(f, i);
	for (size_t i = 0; i < COUNT(reductions); i++)
		if (text_is(op, reductions[i].op))
			return fold_reduction(f, binary_of(text_of(reductions[i].binary)));
	return false;
}
