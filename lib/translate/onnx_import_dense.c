/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products, convolutions and windows; see onnx_import_priv.h.
 */
#include <math.h>

#include "translate/onnx_import_priv.h"

struct trace_shape import_image_shape(struct trace_shape s)
{
	if (s.dims == 3)
		return IMPORT_SHAPE(s.size[0], s.size[1], 1, s.size[2]);
	return s;
}

/* Returns an input as an image. */
static uint32_t image(struct import *im, const struct trace_node *n, uint32_t i)
{
	struct import_view v = import_input(im, n, i);

	return import_operand(im, v, import_image_shape(v.shape), IMPORT_WHOLE);
}

void import_conv_places(
    struct import *im, const struct trace_node *n, struct backend_op *op)
{
	struct trace_window w;

	trace_windows(&im->t, n, &w);
	for (int i = 0; i < 2 && !im->t.failed; i++) {
		op->p.conv.stride[i] = w.stride[i];
		op->p.conv.before[i] = w.before[i];
		op->p.conv.after[i] = w.after[i];
		op->p.conv.dilation[i] = w.dilation[i];
	}
	op->p.conv.groups = rule_int(&n->call, "group", 1);
}

void import_conv(IMPORT_PARAMS)
{
	struct trace_shape made = *import_made(im, n, 0);

	(void)m;
	uint32_t x = image(im, n, 0), weights = image(im, n, 1),
	         bias = import_vector(im, trace_in(n, 2), made.size[1]),
	         out = import_new(im, import_image_shape(made));
	import_conv_places(
	    im, n, import_node(im, BACKEND_CONV, out, x, weights, bias, GRAPH_NONE));
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

/* Returns an input with a number for each channel; before version 21 of the operators it
 * has one for each group. */
static uint32_t channel_vector(struct import *im, const struct trace_node *n, uint32_t i,
    int64_t count, int64_t groups)
{
	struct import_view v = import_input(im, n, i);

	if (im->t.failed || import_count(&v.shape) != groups || groups == count)
		return import_vector(im, trace_in(n, i), count);
	v.shape = IMPORT_SHAPE(groups, count / groups);
	v.stride[1] = 0;
	return import_operand(im, v, IMPORT_SHAPE(count), IMPORT_WHOLE);
}

void import_group_norm(IMPORT_PARAMS)
{
	struct trace_shape made = *import_made(im, n, 0);
	const int64_t groups = trace_is(n, "InstanceNormalization")
	                           ? made.size[1]
	                           : rule_int(&n->call, "num_groups", 1);
	uint32_t x = channels(im, n), gain, shift, out;

	(void)m;
	if (made.dims < 2 || groups < 1 || made.size[1] % groups) {
		trace_lack(&im->t, n, "its channels cannot be divided into groups");
		return;
	}
	gain = channel_vector(im, n, 1, made.size[1], groups);
	shift = channel_vector(im, n, 2, made.size[1], groups);
	out = import_like(im, x);
	struct backend_op *op =
	    import_node(im, BACKEND_GROUPNORM, out, x, gain, shift, GRAPH_NONE);
	op->p.norm.eps = trace_float(n, "epsilon", 1e-5);
	op->p.norm.alpha = 1;
	op->p.norm.groups = groups;
	import_done(im, n, out);
}

/* Returns whether a window reaches beyond the padded image, as ceil_mode allows. */
static int64_t beyond(const struct trace_window *w, int i, int64_t size, int64_t made)
{
	int64_t all = (made - 1) * w->stride[i] + w->kernel[i];

	return all - size - w->before[i];
}

/* Returns the first input with zeros around it, which count as elements of the windows, and
 * takes their number from the padding. */
static uint32_t padded_image(
    struct import *im, const struct trace_node *n, struct trace_window *w)
{
	struct import_view v = import_input(im, n, 0);
	int64_t before[TRACE_DIMS] = { 0 }, after[TRACE_DIMS] = { 0 };

	v = import_reshaped(im, v, import_image_shape(v.shape));
	for (int i = 0; i < 2; i++) {
		before[2 + i] = w->before[i];
		after[2 + i] = w->after[i];
		w->before[i] = w->after[i] = 0;
	}
	v = import_padded(im, v, before, after, 0);
	return import_operand(im, v, v.shape, IMPORT_WHOLE);
}

void import_pool(IMPORT_PARAMS)
{
	struct trace_window w;
	struct trace_shape made = import_image_shape(*import_made(im, n, 0)),
	                   size = import_image_shape(import_input(im, n, 0).shape);
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
		w.beyond[i] = after > w.after[i] ? after - w.after[i] : 0;
	}
	uint32_t x = average && padded && rule_int(&n->call, "count_include_pad", 0)
	                 ? padded_image(im, n, &w)
	                 : image(im, n, 0),
	         out = import_new(im, made);
	struct backend_op *op =
	    import_node(im, BACKEND_POOL, out, x, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE);
	for (int i = 0; i < 2; i++) {
		op->p.pool.kernel[i] = w.kernel[i];
		op->p.pool.stride[i] = w.stride[i];
		op->p.pool.before[i] = w.before[i];
		op->p.pool.after[i] = w.after[i] + w.beyond[i];
	}
	op->p.pool.average = average;
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
	if (linear && !onnx_type_is_float(n->call.in[0]->type))
		trace_lack(&im->t, n, "it interpolates quantized numbers");
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
