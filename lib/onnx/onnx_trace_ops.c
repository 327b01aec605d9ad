/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of operators; see onnx_trace_priv.h. Pure.
 */
#include <math.h>

#include "onnx/onnx_trace_priv.h"

/* Functions of one element. */
static double negative(double x)
{
	return -x;
}

static double opposite(double x)
{
	return x == 0;
}

static double is_nan(double x)
{
	return isnan(x);
}

static double inverse(double x)
{
	return 1 / x;
}

static double logistic(double x)
{
	return 1 / (1 + exp(-x));
}

static double positive(double x)
{
	return x > 0 ? x : 0;
}

/* Functions of two elements; whole: of whole numbers. */
static double plus(double a, double b, bool whole)
{
	(void)whole;
	return a + b;
}

static double minus(double a, double b, bool whole)
{
	(void)whole;
	return a - b;
}

static double product(double a, double b, bool whole)
{
	(void)whole;
	return a * b;
}

static double over(double a, double b, bool whole)
{
	return !whole ? a / b : b == 0 ? 0 : trunc(a / b);
}

static double modulo(double a, double b, bool whole)
{
	(void)whole;
	return b == 0 ? 0 : a - floor(a / b) * b;
}

static double power(double a, double b, bool whole)
{
	(void)whole;
	return pow(a, b);
}

static double least(double a, double b, bool whole)
{
	(void)whole;
	return a < b ? a : b;
}

static double most(double a, double b, bool whole)
{
	(void)whole;
	return a > b ? a : b;
}

/* Defines a comparison. */
#define COMPARISON(name, condition)                        \
	static double name(double a, double b, bool whole) \
	{                                                  \
		(void)whole;                               \
		return condition;                          \
	}
COMPARISON(equals, a == b)
COMPARISON(below, a < b)
COMPARISON(above, a > b)
COMPARISON(at_most, a <= b)
COMPARISON(at_least, a >= b)
COMPARISON(both, a != 0 && b != 0)
COMPARISON(either, a != 0 || b != 0)
COMPARISON(one_of, (a != 0) != (b != 0))

#define EACH(op, function)                                                       \
	{                                                                        \
		.name = op, .shape = trace_shape_alike, .fold = trace_fold_each, \
		.number = function                                               \
	}
#define PAIR(op, function)                                                           \
	{                                                                            \
		.name = op, .shape = trace_shape_broadcast, .fold = trace_fold_pair, \
		.pair = function                                                     \
	}
#define TRUTH(op, function)                                                          \
	{                                                                            \
		.name = op, .shape = trace_shape_broadcast, .fold = trace_fold_pair, \
		.pair = function, .is_truth = true                                   \
	}
#define REDUCE(op, function)                                                        \
	{                                                                           \
		.name = op, .shape = trace_shape_reduce, .fold = trace_fold_reduce, \
		.pair = function                                                    \
	}
#define VIEW(op, rule, compute)                                             \
	{                                                                   \
		.name = op, .shape = rule, .fold = compute, .is_view = true \
	}
#define DO(op, rule, compute)                              \
	{                                                  \
		.name = op, .shape = rule, .fold = compute \
	}
#define RUN(op, rule)                     \
	{                                 \
		.name = op, .shape = rule \
	}

static const struct trace_op ops[] = {
	EACH("Abs", fabs),
	EACH("Ceil", ceil),
	EACH("Cos", cos),
	EACH("Erf", erf),
	EACH("Exp", exp),
	EACH("Floor", floor),

	EACH("Log", log),
	EACH("Neg", negative),
	EACH("Reciprocal", inverse),
	EACH("Relu", positive),
	EACH("Round", nearbyint),
	EACH("Sigmoid", logistic),
	EACH("Sin", sin),
	EACH("Sqrt", sqrt),
	EACH("Tanh", tanh),
	{ .name = "IsNaN",
	    .shape = trace_shape_alike,
	    .fold = trace_fold_each,
	    .number = is_nan,
	    .is_truth = true },
	{ .name = "Not",
	    .shape = trace_shape_alike,
	    .fold = trace_fold_each,
	    .number = opposite,
	    .is_truth = true },
	PAIR("Add", plus),
	PAIR("Div", over),
	PAIR("Max", most),
	PAIR("Min", least),
	PAIR("Mod", modulo),
	PAIR("Mul", product),
	PAIR("Pow", power),
	PAIR("Sub", minus),
	TRUTH("And", both),
	TRUTH("Equal", equals),
	TRUTH("Greater", above),
	TRUTH("GreaterOrEqual", at_least),
	TRUTH("Less", below),
	TRUTH("LessOrEqual", at_most),
	TRUTH("Or", either),
	TRUTH("Xor", one_of),
	REDUCE("ReduceMax", most),
	REDUCE("ReduceMean", plus),
	REDUCE("ReduceMin", least),
	REDUCE("ReduceProd", product),
	REDUCE("ReduceSum", plus),
	DO("Cast", trace_shape_cast, trace_fold_cast),
	DO("Concat", trace_shape_concat, trace_fold_concat),
	DO("CumSum", trace_shape_alike, trace_fold_cumsum),
	DO("Gather", trace_shape_gather, trace_fold_gather),
	DO("GatherElements", trace_shape_gather_elements, trace_fold_gather_elements),
	DO("GatherND", trace_shape_gather_nd, trace_fold_gather_nd),
	DO("MatMul", trace_shape_matmul, trace_fold_matmul),
	DO("Trilu", trace_shape_alike, trace_fold_trilu),
	DO("Where", trace_shape_where, trace_fold_where),
	VIEW("Expand", trace_shape_expand, trace_fold_expand),
	VIEW("Flatten", trace_shape_flatten, trace_fold_copy),
	VIEW("Reshape", trace_shape_reshape, trace_fold_copy),
	VIEW("Slice", trace_shape_slice, trace_fold_slice),
	VIEW("Split", trace_shape_split, trace_fold_split),
	VIEW("Squeeze", trace_shape_squeeze, trace_fold_copy),
	VIEW("Transpose", trace_shape_transpose, trace_fold_transpose),
	VIEW("Unsqueeze", trace_shape_unsqueeze, trace_fold_copy),
	RUN("Constant", trace_shape_constant),
	RUN("ConstantOfShape", trace_shape_filled),
	RUN("Range", trace_shape_range),
	RUN("Shape", trace_shape_of),
	RUN("Size", trace_shape_size),
	RUN("AveragePool", trace_shape_pool),
	RUN("BatchNormalization", trace_shape_alike),
	RUN("Clip", trace_shape_alike),
	RUN("Conv", trace_shape_conv),
	RUN("Dropout", trace_shape_alike),
	RUN("Identity", trace_shape_alike),
	RUN("Gelu", trace_shape_alike),
	RUN("Gemm", trace_shape_gemm),
	RUN("GlobalAveragePool", trace_shape_global),
	RUN("GlobalMaxPool", trace_shape_global),
	RUN("GroupNormalization", trace_shape_alike),
	RUN("HardSigmoid", trace_shape_alike),
	RUN("HardSwish", trace_shape_alike),
	RUN("InstanceNormalization", trace_shape_alike),
	RUN("LayerNormalization", trace_shape_alike),
	RUN("LeakyRelu", trace_shape_alike),
	RUN("LogSoftmax", trace_shape_alike),
	RUN("MaxPool", trace_shape_pool),
	RUN("Pad", trace_shape_pad),
	RUN("Resize", trace_shape_resize),
	RUN("Softmax", trace_shape_alike),
	RUN("Softplus", trace_shape_alike),
	RUN("Tile", trace_shape_tile),
	RUN("Upsample", trace_shape_resize),
};

const struct trace_op *trace_find_op(struct text name)
{
	for (size_t i = 0; i < COUNT(ops); i++)
		if (text_is(name, ops[i].name))
			return &ops[i];
	return NULL;
}
