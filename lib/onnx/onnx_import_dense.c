/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products, convolutions and windows; see onnx_import_priv.h.
 */
#include <math.h>

#include "onnx/onnx_import_priv.h"

/* Returns an image [N,C,W] or [N,C,H,W] as [N,C,H,W]. */
static struct trace_shape as_image(struct trace_shape s)
{
	if (s.dims == 3)
		return IMPORT_SHAPE(s.size[0], s.size[1], 1, s.size[2]);
	return s;
}

/* Returns an input as an image. */
static uint32_t image(struct import *im, const struct trace_node *n, uint32_t i)
{
	struct import_view v = import_input(im, n, i);

	return import_operand(im, v, as_image(v.shape), IMPORT_WHOLE);
}

void import_conv(IMPORT_PARAMS)
{
	struct trace_window w;
	struct trace_shape made = *import_made(im, n, 0);

	(void)m;
	trace_windows(&im->t, n, &w);
	if (im->t.failed)
		return;
	uint32_t x = image(im, n, 0), weights = image(im, n, 1),
	         bias = import_vector(im, trace_in(n, 2), made.size[1]),
	         out = import_new(im, as_image(made));
	struct backend_op *op =
	    import_node(im, BACKEND_CONV, out, x, weights, bias, GRAPH_NONE);
	for (int i = 0; i < 2; i++) {
		op->p.conv.stride[i] = w.stride[i];
		op->p.conv.before[i] = w.before[i];
		op->p.conv.after[i] = w.after[i];
		op->p.conv.dilation[i] = w.dilation[i];
	}
	op->p.conv.groups = rule_int(&n->call, "group", 1);
	import_done(im, n, out);
}

/* Returns the first input as [N,C,...]. */
static uint32_t channels(struct import *im, const struct trace_node *n)
{
	struct import_view v = import_input(im, n, 0);
	struct trace_shape s = v.shape;

	for (; s.dims > BACKEND_DIMS; s.dims--)
		s.size[s.dims - 2] *= s.size[s.dims - 1];
	return import_operand(im, v, s, IMPORT_WHOLE);
}

void import_batch_norm(IMPORT_PARAMS)
{
	struct trace_shape made = *import_made(im, n, 0);
	uint32_t x = channels(im, n), p[4], out;

	(void)m;
	if (made.dims < 2 || rule_int(&n->call, "training_mode", 0) != 0) {
		trace_lack(&im->t, n, "it is in training mode, or has no channels");
		return;
	}
	for (uint32_t i = 0; i < 4; i++)
		p[i] = import_vector(im, trace_in(n, i + 1), made.size[1]);
	out = import_like(im, x);
	struct backend_op *op =
	    import_node(im, BACKEND_BATCHNORM, out, x, p[0], p[1], p[2]);
	op->p.norm.eps = trace_float(n, "epsilon", 1e-5);
	op->p.norm.alpha = 1;
	im->g->node[im->g->nodes - 1].in[4] = p[3];
	import_done(im, n, out);
}

void import_group_norm(IMPORT_PARAMS)
{
	struct trace_shape made = *import_made(im, n, 0);
	const bool instance = trace_is(n, "InstanceNormalization");
	uint32_t x = channels(im, n), gain, shift, out;

	(void)m;
	if (made.dims < 2) {
		trace_lack(&im->t, n, "it has no channels");
		return;
	}
	if (trace_in(n, 1) != TRACE_NONE &&
	    trace_elements(&im->t, n->in[1]) != made.size[1]) {
		trace_lack(&im->t, n, "its gains are not one for each channel");
		return;
	}
	gain = import_vector(im, trace_in(n, 1), made.size[1]);
	shift = import_vector(im, trace_in(n, 2), made.size[1]);
	out = import_like(im, x);
	struct backend_op *op =
	    import_node(im, BACKEND_GROUPNORM, out, x, gain, shift, GRAPH_NONE);
	op->p.norm.eps = trace_float(n, "epsilon", 1e-5);
	op->p.norm.alpha = 1;
	op->p.norm.groups = instance ? made.size[1] : rule_int(&n->call, "num_groups", 1);
	import_done(im, n, out);
}

/* Returns whether a window reaches beyond the padded image, as ceil_mode allows. */
static int64_t beyond(const struct trace_window *w, int i, int64_t size, int64_t made)
{
	int64_t all = (made - 1) * w->stride[i] + w->kernel[i];

	return all - size - w->before[i];
}

void import_pool(IMPORT_PARAMS)
{
	struct trace_window w;
	struct trace_shape made = as_image(*import_made(im, n, 0)),
	                   size = as_image(import_input(im, n, 0).shape);
	const bool average = trace_is(n, "AveragePool") || trace_is(n, "GlobalAveragePool");
	bool padded = false;

	(void)m;
	trace_windows(&im->t, n, &w);
	if (im->t.failed)
		return;
	for (int i = 0; i < 2; i++) {
		int64_t after = beyond(&w, i, size.size[2 + i], made.size[2 + i]);

		if (w.dilation[i] != 1)
			trace_lack(&im->t, n, "its windows are dilated");
		padded |= w.before[i] || w.after[i];
		w.after[i] = after > w.after[i] ? after : w.after[i];
	}
	if (average && padded && rule_int(&n->call, "count_include_pad", 0) != 0)
		trace_lack(&im->t, n, "count_include_pad=1 with paddings");
	uint32_t x = image(im, n, 0), out = import_new(im, made);
	struct backend_op *op =
	    import_node(im, BACKEND_POOL, out, x, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE);
	for (int i = 0; i < 2; i++) {
		op->p.pool.kernel[i] = w.kernel[i];
		op->p.pool.stride[i] = w.stride[i];
		op->p.pool.before[i] = w.before[i];
		op->p.pool.after[i] = w.after[i];
	}
	op->p.pool.average = average;
	import_done(im, n, out);
}

/* The dimensions that an operator reduces: first to last, and the sizes of all dimensions
 * before them, of them and after them. */
struct reduction {
	uint32_t first, last;
	int64_t size[3];
};

/* Finds the dimensions, which must be adjacent apart from those of size 1. */
static void find_reduction(struct import *im, const struct trace_node *n,
    const struct trace_shape *shape, struct reduction *r)
{
	struct rule_call call = n->call;
	bool drop[ONNX_DIMS_MAX];

	*r = (struct reduction){ .first = shape->dims, .size = { 1, 1, 1 } };
	if (rule_reduced_axes(&call, shape->dims, drop) != RULE_FINE)
		trace_lack(&im->t, n, "its axes are computed");
	if (im->t.failed)
		return;
	for (uint32_t i = 0; i < shape->dims; i++)
		if (drop[i]) {
			r->first = i < r->first ? i : r->first;
			r->last = i;
		}
	for (uint32_t i = 0; i < shape->dims; i++) {
		bool inside = i > r->first && i < r->last;

		if (inside && !drop[i] && shape->size[i] != 1)
			trace_lack(
			    &im->t, n, "the dimensions that it reduces are not adjacent");
		r->size[i < r->first ? 0 : i <= r->last ? 1 : 2] *= shape->size[i];
	}
}

/* Reduces adjacent dimensions as windows of [before,1,reduced,after], or of the height and
 * width of an image. */
void import_reduce(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	struct reduction r;

	(void)m;
	find_reduction(im, n, &v.shape, &r);
	if (trace_is(n, "ReduceMin") || trace_is(n, "ReduceProd"))
		trace_lack(&im->t, n, "only sums, means and maxima are available");
	if (im->t.failed)
		return;
	const bool planes = v.shape.dims == 4 && r.first == 2 && r.last == 3;
	struct trace_shape in =
	    planes ? v.shape : IMPORT_SHAPE(r.size[0], 1, r.size[1], r.size[2]);
	uint32_t x = import_operand(im, v, in, IMPORT_WHOLE);
	in.size[2] = 1;
	in.size[3] = planes ? 1 : in.size[3];
	uint32_t out = import_new(im, in);
	struct backend_op *op =
	    import_node(im, BACKEND_POOL, out, x, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE);
	op->p.pool.kernel[0] = planes ? v.shape.size[2] : r.size[1];
	op->p.pool.kernel[1] = planes ? v.shape.size[3] : 1;
	op->p.pool.stride[0] = op->p.pool.stride[1] = 1;
	op->p.pool.average = !trace_is(n, "ReduceMax");
	if (trace_is(n, "ReduceSum")) {
		uint32_t sum = import_like(im, out);

		import_node(im, BACKEND_UNARY, sum, out, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE)
		    ->p.element.alpha = (double)r.size[1];
		out = sum;
	}
	import_done(im, n, out);
}

/* The attributes of a Resize that choose the elements of its input. */
struct resize_modes {
	struct text mode, place, nearest;
	bool old;     /* an older operator, which has no modes of coordinates */
	bool factors; /* the sizes are multiplied by whole numbers */
};

/* Returns whether the scales of a Resize, if it has some, are the ratios of the sizes, from
 * which BACKEND_RESIZE computes the places. They are not if a size was rounded. */
static bool scales_fit(struct import *im, const struct trace_node *n,
    const struct trace_shape *from, const struct trace_shape *to)
{
	const uint32_t i = trace_is(n, "Upsample") || onnx_opset(im->t.model) < 11 ? 1 : 2;
	const struct onnx_fact *x = trace_constant(&im->t, trace_in(n, i));
	const struct onnx_attribute *a = onnx_attribute(n->call.node, "scales");
	const int64_t count = x ? onnx_fact_elements(x) : a ? (int64_t)a->float_count : 0;

	for (int64_t k = 0; k < 2 && count >= 2; k++) {
		const double scale = x ? onnx_fact_number(x, count - 1 - k)
		                       : (double)a->floats[count - 1 - k],
		             size = (double)to->size[3 - k];

		if (fabs(scale * (double)from->size[3 - k] - size) > 1e-6 * size)
			return false;
	}
	return true;
}

/* Returns whether an operator interpolates as BACKEND_RESIZE does. pytorch_half_pixel takes
 * the first element for a size of 1, instead of the middle. */
static bool linear_fits(const struct resize_modes *r, const struct trace_shape *to)
{
	return (!r->place.len && !r->old) || text_is(r->place, "half_pixel") ||
	       (text_is(r->place, "pytorch_half_pixel") && to->size[2] > 1 &&
	           to->size[3] > 1);
}

/* Returns whether an operator takes the elements that BACKEND_RESIZE takes. Whole factors
 * make those of half_pixel the same as those of asymmetric. */
static bool nearest_fits(const struct resize_modes *r)
{
	if (r->mode.len && !text_is(r->mode, "nearest"))
		return false;
	if (r->old)
		return true;
	if (text_is(r->place, "asymmetric"))
		return text_is(r->nearest, "floor");
	return r->factors && (!r->place.len || text_is(r->place, "half_pixel")) &&
	       (!r->nearest.len || text_is(r->nearest, "round_prefer_floor"));
}

void import_resize(IMPORT_PARAMS)
{
	struct trace_shape made = *import_made(im, n, 0);
	struct import_view v = import_input(im, n, 0);
	struct resize_modes r = { .mode = rule_text(&n->call, "mode", ""),
		.place = rule_text(&n->call, "coordinate_transformation_mode", ""),
		.nearest = rule_text(&n->call, "nearest_mode", ""),
		.old = trace_is(n, "Upsample") || onnx_opset(im->t.model) < 11 };
	const bool linear = text_is(r.mode, "linear");

	(void)m;
	if (v.shape.dims != 4 || v.shape.size[0] != made.size[0] ||
	    v.shape.size[1] != made.size[1] || import_count(&v.shape) < 1) {
		trace_lack(&im->t, n, "it does not only change height and width");
		return;
	}
	r.factors =
	    made.size[2] % v.shape.size[2] == 0 && made.size[3] % v.shape.size[3] == 0;
	if (!(linear ? linear_fits(&r, &made) : nearest_fits(&r)) ||
	    rule_int(&n->call, "antialias", 0) != 0) {
		trace_lack(&im->t, n, "its mode '%.*s' with '%.*s' and '%.*s'",
		    (int)r.mode.len, r.mode.ptr, (int)r.place.len, r.place.ptr,
		    (int)r.nearest.len, r.nearest.ptr);
		return;
	}
	if (!scales_fit(im, n, &v.shape, &made)) {
		trace_lack(&im->t, n, "a scale times a size is not a whole number");
		return;
	}
	uint32_t x = import_operand(im, v, v.shape, IMPORT_WHOLE),
	         out = import_new(im, made);
	import_node(im, BACKEND_RESIZE, out, x, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE)
	    ->p.resize.bilinear = linear;
	import_done(im, n, out);
}
