/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reductions, and operators on the rows along an axis; see onnx_import_priv.h.
 */
#include <math.h>

#include "translate/onnx_import_priv.h"

/* A value [before,1,reduced,after], or an image whose planes are reduced. */
struct reduction {
	uint32_t value;
	struct trace_shape shape;
	int64_t kernel[2];
};

/* Returns the order of dimensions in which those that are dropped come last. */
static void dropped_last(uint32_t dims, const bool *drop, uint32_t *order)
{
	uint32_t at = 0;

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < dims; i++)
			if (drop[i] == (pass == 1))
				order[at++] = i;
}

/* Returns whether no dimension remains between those that are dropped, and stores the
 * products of the sizes before them, of them and after them. */
static bool is_adjacent(const struct trace_shape *s, const bool *drop, int64_t size[3])
{
	int part = 0;

	size[0] = size[1] = size[2] = 1;
	for (uint32_t i = 0; i < s->dims; i++) {
		if (s->size[i] == 1)
			continue;
		if (drop[i] && part == 2)
			return false;
		part = drop[i] ? 1 : part == 1 ? 2 : part;
		size[part] *= s->size[i];
	}
	return true;
}

/* Finds the operand of a reduction of the first input. */
static void find_reduction(
    struct import *im, const struct trace_node *n, struct reduction *r)
{
	struct import_view v = import_input(im, n, 0);
	struct rule_call call = n->call;
	bool drop[ONNX_DIMS_MAX];
	uint32_t order[TRACE_DIMS];
	int64_t size[3];

	*r = (struct reduction){ .value = GRAPH_NONE };
	if (rule_reduced_axes(&call, v.shape.dims, drop) != RULE_FINE)
		trace_lack(&im->t, n, "its axes are computed");
	if (im->t.failed)
		return;
	if (v.shape.dims == 4 && !drop[0] && !drop[1] && drop[2] && drop[3]) {
		r->shape = v.shape;
		r->kernel[0] = v.shape.size[2];
		r->kernel[1] = v.shape.size[3];
	} else {
		if (!is_adjacent(&v.shape, drop, size)) {
			const int64_t all = import_count(&v.shape);

			dropped_last(v.shape.dims, drop, order);
			size[1] = size[2] = 1;
			for (uint32_t i = 0; i < v.shape.dims; i++)
				size[1] *= drop[i] ? v.shape.size[i] : 1;
			size[0] = all / size[1];
			v = import_permute(v, order);
		}
		r->shape = IMPORT_SHAPE(size[0], 1, size[1], size[2]);
		r->kernel[0] = size[1];
		r->kernel[1] = 1;
	}
	r->value = import_operand(im, v, r->shape, IMPORT_WHOLE);
}

/* Adds the mean or maximum of each window. Returns it. */
static uint32_t pooled(
    struct import *im, const struct reduction *r, uint32_t x, bool average)
{
	struct trace_shape made = r->shape;
	struct backend_op *op;
	uint32_t out;

	made.size[2] /= r->kernel[0];
	made.size[3] /= r->kernel[1];
	out = import_new(im, made);
	op = import_node(im, BACKEND_POOL, out, x, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE);
	for (int i = 0; i < 2; i++) {
		op->p.pool.kernel[i] = r->kernel[i];
		op->p.pool.stride[i] = 1;
	}
	op->p.pool.average = average;
	return out;
}

/* Adds act(sum) of each window. Returns it. */
static uint32_t summed(
    struct import *im, const struct reduction *r, uint32_t x, enum backend_act act)
{
	return import_unary(
	    im, pooled(im, r, x, true), (double)r->kernel[0] * (double)r->kernel[1], act);
}

static uint32_t squared(struct import *im, uint32_t x)
{
	return import_binary(im, x, x, 1, 1, true, BACKEND_LINEAR);
}

void import_reduce(IMPORT_PARAMS)
{
	struct reduction r;
	uint32_t out;

	(void)m;
	find_reduction(im, n, &r);
	if (im->t.failed)
		return;
	if (trace_is(n, "ReduceMax"))
		out = pooled(im, &r, r.value, false);
	else if (trace_is(n, "ReduceMean"))
		out = pooled(im, &r, r.value, true);
	else if (trace_is(n, "ReduceMin"))
		out = import_unary(im,
		    pooled(im, &r, import_unary(im, r.value, -1, BACKEND_LINEAR), false),
		    -1, BACKEND_LINEAR);
	else if (trace_is(n, "ReduceL1"))
		out = summed(im, &r, import_absolute(im, r.value), BACKEND_LINEAR);
	else if (trace_is(n, "ReduceL2"))
		out = summed(im, &r, squared(im, r.value), BACKEND_SQRT);
	else if (trace_is(n, "ReduceSumSquare"))
		out = summed(im, &r, squared(im, r.value), BACKEND_LINEAR);
	else if (trace_is(n, "ReduceLogSum"))
		out = summed(im, &r, r.value, BACKEND_LOG);
	else
		out = summed(im, &r, r.value, BACKEND_LINEAR);
	import_done(im, n, out);
}

/* A view as rows along one of its dimensions, or along several last ones. */
struct axis_rows {
	uint32_t value; /* [rows,width] */
	int64_t width;
	struct trace_shape shape; /* of the view, with the axis last */
	uint32_t order[TRACE_DIMS];
	struct reduction each; /* a row as a window */
};

/* Finds the rows of the first input along an axis; several: along all from the axis on. */
static void find_rows(struct import *im, const struct trace_node *n, int64_t axis,
    bool several, struct axis_rows *r)
{
	struct import_view v = import_input(im, n, 0);
	const uint32_t dims = v.shape.dims;
	bool drop[TRACE_DIMS] = { false };

	*r = (struct axis_rows){ .value = GRAPH_NONE, .width = 1 };
	axis += axis < 0 ? (int64_t)dims : 0;
	if (axis < 0 || axis >= (int64_t)dims)
		trace_fail(&im->t, n, "the axis is outside its dimensions");
	if (im->t.failed)
		return;
	for (uint32_t i = (uint32_t)axis; i < (several ? dims : (uint32_t)axis + 1); i++) {
		drop[i] = true;
		r->width *= v.shape.size[i];
	}
	dropped_last(dims, drop, r->order);
	v = import_permute(v, r->order);
	r->shape = v.shape;
	const int64_t rows = import_count(&v.shape) / r->width;
	r->value = import_operand(im, v, IMPORT_SHAPE(rows, r->width), IMPORT_WHOLE);
	r->each = (struct reduction){ .value = r->value,
		.shape = IMPORT_SHAPE(rows, 1, 1, r->width),
		.kernel = { 1, r->width } };
}

/* Lets an output be a value with rows of this width, in the order of the input. */
static void done_axis(struct import *im, const struct trace_node *n, uint32_t output,
    const struct axis_rows *r, uint32_t value, int64_t width)
{
	struct trace_shape shape = r->shape;
	uint32_t back[TRACE_DIMS];

	if (im->t.failed)
		return;
	if (width != r->width)
		shape.size[shape.dims - 1] = width;
	for (uint32_t i = 0; i < shape.dims; i++)
		back[r->order[i]] = i;
	struct import_view v = import_permute(import_whole(im, value, shape), back);
	/* Without the axis, if it is dropped. */
	if (trace_out(n, output) != TRACE_NONE)
		import_output(
		    im, n, output, import_reshaped(im, v, *import_made(im, n, output)));
}

/* Returns rows as windows. */
static uint32_t as_windows(struct import *im, const struct axis_rows *r, uint32_t value)
{
	return import_operand(
	    im, import_whole(im, value, r->each.shape), r->each.shape, IMPORT_WHOLE);
}

/* Adds x - y, where y has one element for each row of x. */
static uint32_t less_row(
    struct import *im, uint32_t x, uint32_t y, const struct axis_rows *r)
{
	return import_binary(im, x, y, -1, r->width, false, BACKEND_LINEAR);
}

/* log(sum(exp(x))) is computed as that of x - max(x), plus max(x), so that no exp is
 * infinite. */
static uint32_t log_sum_exp(struct import *im, const struct axis_rows *r, uint32_t less)
{
	const uint32_t e = import_unary(im, less, 1, BACKEND_EXP);

	return summed(im, &r->each, as_windows(im, r, e), BACKEND_LOG);
}

void import_softmax(IMPORT_PARAMS)
{
	const bool old = onnx_opset(im->t.model) < 13;
	struct axis_rows r;
	uint32_t out;

	(void)m;
	find_rows(im, n, rule_int(&n->call, "axis", old ? 1 : -1), old, &r);
	if (im->t.failed)
		return;
	if (trace_is(n, "Softmax")) {
		out = import_like(im, r.value);
		import_node(
		    im, BACKEND_SOFTMAX, out, r.value, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE);
	} else {
		const uint32_t most =
		    pooled(im, &r.each, as_windows(im, &r, r.value), false);
		const uint32_t less = less_row(im, r.value, most, &r);

		out = less_row(im, less, log_sum_exp(im, &r, less), &r);
	}
	done_axis(im, n, 0, &r, out, r.width);
}

/* Adds 1 / x, or 1 where x is 0. */
static uint32_t reciprocal(struct import *im, uint32_t x)
{
	uint32_t is_zero =
	    import_rounded(im, x, &(struct import_rounding){ IMPORT_LEAST, -1, 1, 1, 0 });

	is_zero = import_plus(im, import_absolute(im, is_zero), 1, -1, BACKEND_LINEAR);
	x = import_binary(im, x, is_zero, -1, 1, false, BACKEND_LINEAR);
	return import_unary(im, x, 1, BACKEND_RECIPROCAL);
}

/* Divides by the sum of absolute values, or by the root of the sum of squares. Rows of
 * zeros remain as they are. */
void import_lp_norm(IMPORT_PARAMS)
{
	const bool absolute = rule_int(&n->call, "p", 2) == 1;
	struct axis_rows r;
	uint32_t norm;

	(void)m;
	find_rows(im, n, rule_int(&n->call, "axis", -1), false, &r);
	if (im->t.failed)
		return;
	norm = absolute ? import_absolute(im, r.value) : squared(im, r.value);
	norm = reciprocal(im, summed(im, &r.each, as_windows(im, &r, norm),
	                          absolute ? BACKEND_LINEAR : BACKEND_SQRT));
	done_axis(im, n, 0, &r,
	    import_binary(im, r.value, norm, 1, r.width, true, BACKEND_LINEAR), r.width);
}

/* ReduceProd along one dimension: the elements are multiplied one after the other. */
void import_product_of(IMPORT_PARAMS)
{
	enum { PRODUCT_MAX = 256 };
	struct rule_call call = n->call;
	struct import_view v = import_input(im, n, 0), product, next;
	bool drop[ONNX_DIMS_MAX];
	uint32_t axis = TRACE_DIMS;

	(void)m;
	if (rule_reduced_axes(&call, v.shape.dims, drop) != RULE_FINE)
		trace_lack(&im->t, n, "its axes are computed");
	for (uint32_t i = 0; i < v.shape.dims && !im->t.failed; i++) {
		if (drop[i] && axis < TRACE_DIMS && v.shape.size[i] > 1)
			trace_lack(&im->t, n, "it reduces several dimensions");
		axis = drop[i] && (axis == TRACE_DIMS || v.shape.size[i] > 1) ? i : axis;
	}
	if (!im->t.failed && (axis == TRACE_DIMS || v.shape.size[axis] > PRODUCT_MAX))
		trace_lack(&im->t, n, "it reduces no dimension, or one of more than %d",
		    PRODUCT_MAX);
	if (im->t.failed)
		return;
	const int64_t count = v.shape.size[axis];
	v.shape.size[axis] = 1;
	product = next = v;
	for (int64_t i = 1; i < count && !im->t.failed; i++) {
		next.offset += v.stride[axis];
		product = import_combined_as(im, v.shape, product, next, 1, true);
	}
	if (!im->t.failed)
		import_output(
		    im, n, 0, import_reshaped(im, product, *import_made(im, n, 0)));
}

/* Normalizer of the domain ai.onnx.ml: divides rows by their largest element, the sum of
 * their absolute values, or their length. */
void import_normalizer(IMPORT_PARAMS)
{
	const struct text by = rule_text(&n->call, "norm", "MAX");
	struct axis_rows r;
	uint32_t norm;

	(void)m;
	find_rows(im, n, -1, false, &r);
	if (im->t.failed)
		return;
	if (text_is(by, "L1"))
		norm = summed(im, &r.each, as_windows(im, &r, import_absolute(im, r.value)),
		    BACKEND_LINEAR);
	else if (text_is(by, "L2"))
		norm = summed(
		    im, &r.each, as_windows(im, &r, squared(im, r.value)), BACKEND_SQRT);
	else
		norm = pooled(im, &r.each, as_windows(im, &r, r.value), false);
	/* Rows whose divisor is 0 remain as they are. */
	norm = reciprocal(im, norm);
	done_axis(im, n, 0, &r,
	    import_binary(im, r.value, norm, 1, r.width, true, BACKEND_LINEAR), r.width);
}

void import_log_sum_exp(IMPORT_PARAMS)
{
	struct rule_call call = n->call;
	bool drop[ONNX_DIMS_MAX];
	struct axis_rows r;
	int64_t axis = -1;
	const uint32_t dims = import_input(im, n, 0).shape.dims;

	(void)m;
	if (rule_reduced_axes(&call, dims, drop) != RULE_FINE)
		trace_lack(&im->t, n, "its axes are computed");
	for (uint32_t i = 0; i < dims && !im->t.failed; i++) {
		if (drop[i] && axis >= 0)
			trace_lack(&im->t, n, "it reduces several dimensions");
		axis = drop[i] ? (int64_t)i : axis;
	}
	if (!im->t.failed && axis < 0)
		trace_lack(&im->t, n, "it reduces no dimension");
	if (im->t.failed)
		return;
	find_rows(im, n, axis, false, &r);
	const uint32_t most = pooled(im, &r.each, as_windows(im, &r, r.value), false);
	const uint32_t sum = log_sum_exp(im, &r, less_row(im, r.value, most, &r));
	done_axis(
	    im, n, 0, &r, import_binary(im, sum, most, 1, 1, false, BACKEND_LINEAR), 1);
}

/* TopK, ArgMax and ArgMin. */
void import_top(IMPORT_PARAMS)
{
	const bool arg = !trace_is(n, "TopK");
	const bool least =
	    arg ? trace_is(n, "ArgMin") : rule_int(&n->call, "largest", 1) == 0;
	const uint32_t places = arg ? 0 : 1;
	struct axis_rows r;
	int64_t k = 1, axis = rule_int(&n->call, "axis", arg ? 0 : -1);
	uint32_t x, values = GRAPH_NONE, ids;

	(void)m;
	if (rule_int(&n->call, "select_last_index", 0) != 0)
		trace_lack(&im->t, n, "it selects the last of equal elements");
	find_rows(im, n, axis, false, &r);
	if (im->t.failed)
		return;
	if (!arg) {
		const struct trace_shape *made = import_made(im, n, 0);

		k = made->size[axis < 0 ? axis + (int64_t)made->dims : axis];
	}
	const int64_t rows = import_count(&r.shape) / r.width;
	x = least ? import_unary(im, r.value, -1, BACKEND_LINEAR) : r.value;
	if (!arg)
		values = import_new(im, IMPORT_SHAPE(rows, k));
	ids = import_new(im, IMPORT_SHAPE(rows, k));
	if (im->t.failed)
		return;
	im->g->value[ids].dtype = BACKEND_INT32;
	import_node(im, BACKEND_TOPK, values, x, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE)
	    ->p.route.k = k;
	im->g->node[im->g->nodes - 1].out[1] = ids;
	if (!arg && least)
		values = import_unary(im, values, -1, BACKEND_LINEAR);
	if (!arg)
		done_axis(im, n, 0, &r, values, k);
	done_axis(im, n, places, &r, ids, k);
}
