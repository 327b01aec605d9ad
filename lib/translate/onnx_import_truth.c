/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Truth values, which are 0 and 1 in the type of the model, and choices by them; see
 * onnx_import_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "translate/onnx_import_priv.h"

static const struct import_rounding negation = { 1, 0, 1, -1, 1 };

/* Returns a view of the rounded elements of a view, squared if asked for. */
static struct import_view truth_rounded(struct import *im, struct import_view v,
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

/* Returns whether input i of a node is one infinite number. */
static bool is_infinite(struct import *im, const struct trace_node *n, uint32_t i)
{
	const double number = trace_scalar(&im->t, trace_in(n, i));

	return !isnan(number) && isinf(number);
}

/* Compares input i of a node with an infinite number: their difference could be NaN. The
 * largest numbers of the type, above a quarter of the limit, count as infinite. */
static void equal_infinite(struct import *im, const struct trace_node *n, uint32_t i)
{
	const struct import_view v = import_numbers(im, import_input(im, n, i));
	const double least = im->dtype == BACKEND_FLOAT64 ? 0x1p1023 : 0x1p127,
	             sign = trace_scalar(&im->t, trace_in(n, 1 - i)) < 0 ? -1 : 1;

	if (!trace_is(n, "Equal") || v.is_constant ||
	    import_count(&v.shape) != import_count(import_made(im, n, 0)))
		trace_lack(&im->t, n, "it compares numbers with an infinite one");
	if (im->t.failed)
		return;
	import_output(im, n, 0,
	    import_reshaped(im,
	        truth_rounded(
	            im, v, &(struct import_rounding){ sign * least, 0, 1, 1, 0 }, false),
	        *import_made(im, n, 0)));
}

/* Comparisons of numbers, and operators on truth values, from the sum, the difference or
 * the product of the operands. */
void import_logic(IMPORT_PARAMS)
{
	const double least = IMPORT_LEAST;
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
	struct import_view a = import_numbers(im, import_input(im, n, 0)),
	                   b = import_numbers(im, import_input(im, n, 1));
	size_t i = 0;

	(void)m;
	if (is_infinite(im, n, 0) || is_infinite(im, n, 1)) {
		equal_infinite(im, n, is_infinite(im, n, 0));
		return;
	}
	import_check_axis(im, n);
	while (!trace_is(n, operators[i].op))
		i++;
	if (im->t.failed)
		return;
	a = operators[i].sign == 0 ? import_combined(im, n, a, b, 1, true)
	                           : import_combined(im, n, a, b, operators[i].sign, false);
	a = truth_rounded(im, a, &operators[i].rounding, operators[i].squares);
	if (operators[i].negates)
		a = truth_rounded(im, a, &negation, false);
	import_output(im, n, 0, a);
}

void import_not(IMPORT_PARAMS)
{
	(void)m;
	import_output(
	    im, n, 0, truth_rounded(im, import_input(im, n, 0), &negation, false));
}

/* A NaN is before infinity for TOPK, and no number is. */
struct import_view import_nans(struct import *im, struct import_view v)
{
	const struct import_rows x = import_as_rows(im, v, 0);
	uint32_t pairs, places;

	if (im->t.failed)
		return v;
	const int64_t count = graph_elements(&im->g->value[x.value]);
	struct import_view column[2];
	pairs = import_new(im, IMPORT_SHAPE(count, 2));
	for (int i = 0; i < 2; i++) {
		column[i] = import_whole(im, pairs, IMPORT_SHAPE(count, 2));
		column[i].shape.size[1] = 1;
		column[i].offset = i;
	}
	import_move(im,
	    import_whole(im, import_number(im, INFINITY, count), column[0].shape),
	    column[0]);
	import_move(im, import_whole(im, x.value, column[1].shape), column[1]);
	places = import_new(im, IMPORT_SHAPE(count, 1));
	im->g->value[places].dtype = BACKEND_INT32;
	import_node(im, BACKEND_TOPK, GRAPH_NONE, pairs, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE)
	    ->p.route.k = 1;
	im->g->node[im->g->nodes - 1].out[1] = places;
	v = import_numbers(im, import_whole(im, places, IMPORT_SHAPE(count)));
	return import_rows_view(im, &x, x.shape, v.base);
}

void import_is_nan(IMPORT_PARAMS)
{
	(void)m;
	import_output(im, n, 0, import_nans(im, import_input(im, n, 0)));
}

/* To truth values, from tokens to numbers, or to whole numbers. */
void import_cast(IMPORT_PARAMS)
{
	const int64_t from = n->call.in[0]->type, to = n->call.out[0]->type;
	struct import_view v = import_numbers(im, import_input(im, n, 0));

	(void)m;
	if (to == ONNX_BOOL)
		v = truth_rounded(
		    im, v, &(struct import_rounding){ IMPORT_LEAST, -1, 1, 1, 0 }, true);
	else if (!onnx_type_is_float(to) && onnx_type_is_float(from))
		v = import_truncated(im, v);
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
	                         other = truth_rounded(im, condition, &negation, false);
	struct import_view side[2];

	for (uint32_t i = 0; i < 2 && !im->t.failed; i++)
		side[i] = import_selected(im, n,
		    import_numbers(im, import_input(im, n, 1 + i)), i ? other : condition);
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

/* Returns the larger of two numbers, or the smaller one, which a comparison chooses: a sum
 * of one and the difference would lose digits. */
static struct import_view extreme(struct import *im, const struct trace_node *n,
    struct import_view a, struct import_view b, bool least)
{
	const double sign = least ? -IMPORT_LEAST : IMPORT_LEAST;
	struct import_view is_b = import_combined(im, n, b, a, -1, false);

	is_b =
	    truth_rounded(im, is_b, &(struct import_rounding){ sign, 0, 1, 1, 0 }, false);
	a = import_selected(im, n, a, truth_rounded(im, is_b, &negation, false));
	b = import_selected(im, n, b, is_b);
	return import_combined(im, n, a, b, 1, false);
}

void import_extremes(struct import *im, const struct trace_node *n)
{
	struct import_view v = import_input(im, n, 0);

	for (uint32_t i = 1; i < n->call.ins && !im->t.failed; i++)
		v = extreme(im, n, v, import_input(im, n, i), trace_is(n, "Min"));
	import_output(im, n, 0, v);
}

void import_clip_computed(struct import *im, const struct trace_node *n)
{
	struct import_view v = import_input(im, n, 0);

	for (uint32_t i = 1; i < 3 && !im->t.failed; i++)
		if (trace_in(n, i) != TRACE_NONE)
			v = extreme(im, n, v, import_input(im, n, i), i == 2);
	import_output(im, n, 0, v);
}

/* The positions are compared with each number of the depth. */
void import_one_hot(IMPORT_PARAMS)
{
	enum { ONE_HOT_MAX = 1 << 20 };
	const struct trace_shape made = *import_made(im, n, 0);
	const struct onnx_fact *values = trace_constant(&im->t, trace_in(n, 2));
	const int64_t axis = rule_int(&n->call, "axis", -1);
	const uint32_t at = (uint32_t)(axis < 0 ? axis + (int64_t)made.dims : axis);
	struct import_view v = import_input(im, n, 0), each;
	double *place;

	(void)m;
	if (!values || onnx_fact_elements(values) != 2) {
		trace_lack(&im->t, n, "its values are computed");
		return;
	}
	if (im->t.failed)
		return;
	const double off = onnx_fact_number(values, 0), on = onnx_fact_number(values, 1);
	const int64_t depth = made.size[at];
	if (depth > ONE_HOT_MAX) {
		trace_lack(&im->t, n, "its depth is above 2^20");
		return;
	}
	struct trace_shape column = made, row = made;
	column.size[at] = 1;
	for (uint32_t i = 0; i < row.dims; i++)
		row.size[i] = i == at ? depth : 1;
	place = mem_zero((size_t)depth, sizeof(*place));
	for (int64_t i = 0; i < depth; i++)
		place[i] = (double)i;
	each = import_whole(im, import_constant(im, place, IMPORT_SHAPE(depth)), row);
	v = import_broadcast(import_reshaped(im, v, column), made);
	v = import_combined(im, n, v, each, -1, false);
	v = truth_rounded(im, v, &(struct import_rounding){ 1, -1, 1, 1, 0 }, true);
	v = truth_rounded(im, v, &(struct import_rounding){ 1, 0, 1, off - on, on }, false);
	import_output(im, n, 0, v);
}

/* The elements on one side of a diagonal; the others are 0. */
void import_trilu(IMPORT_PARAMS)
{
	enum { SIDE_MOST = 1 << 12 };
	const struct import_view v = import_numbers(im, import_input(im, n, 0));
	const bool upper = rule_int(&n->call, "upper", 1) != 0;
	const double diagonal =
	    trace_in(n, 1) == TRACE_NONE ? 0 : trace_scalar(&im->t, n->in[1]);
	const int64_t rows = v.shape.dims < 2 ? 0 : v.shape.size[v.shape.dims - 2],
	              columns = v.shape.dims < 2 ? 0 : v.shape.size[v.shape.dims - 1];
	const struct trace_shape shape = IMPORT_SHAPE(rows, columns);
	double *chosen;

	(void)m;
	if (isnan(diagonal) || rows < 1 || columns < 1 || rows > SIDE_MOST ||
	    columns > SIDE_MOST)
		trace_lack(&im->t, n,
		    "its diagonal is computed, or it has no elements or more than %d rows "
		    "or columns",
		    SIDE_MOST);
	if (im->t.failed)
		return;
	chosen = mem_zero((size_t)(rows * columns), sizeof(*chosen));
	for (int64_t i = 0; i < rows; i++)
		for (int64_t k = 0; k < columns; k++)
			chosen[i * columns + k] = upper ? (double)(k - i) >= diagonal
			                                : (double)(k - i) <= diagonal;
	import_output(im, n, 0,
	    import_selected(
	        im, n, v, import_whole(im, import_constant(im, chosen, shape), shape)));
}
