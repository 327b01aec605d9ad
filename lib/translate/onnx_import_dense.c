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
	if (!im->t.failed)
		import_set_windows(n, &w, op);
}

void import_set_windows(
    const struct trace_node *n, const struct trace_window *w, struct backend_op *op)
{
	for (int i = 0; i < 2; i++) {
		op->p.conv.stride[i] = w->stride[i];
		op->p.conv.before[i] = w->before[i];
		op->p.conv.after[i] = w->after[i];
		op->p.conv.dilation[i] = w->dilation[i];
	}
	op->p.conv.groups = rule_int(&n->call, "group", 1);
}

/* Conv, and FusedConv of ONNX Runtime, which adds its operand 3 and has an activation. */
void import_conv(IMPORT_PARAMS)
{
	struct trace_shape made = *import_made(im, n, 0);

	if (made.dims == 5) {
		import_conv_deep(im, n, m);
		return;
	}
	uint32_t x = image(im, n, 0), weights = image(im, n, 1),
	         bias = import_vector(im, trace_in(n, 2), made.size[1]),
	         more =
	             trace_in(n, 3) == TRACE_NONE ? (uint32_t)GRAPH_NONE : image(im, n, 3),
	         out = import_new(im, import_image_shape(made));
	import_conv_places(
	    im, n, import_node(im, BACKEND_CONV, out, x, weights, bias, more));
	import_done(im, n, import_activated(im, n, out));
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

/* Returns an image with zeros around it, which count as elements of the windows, and takes
 * their number from the padding. */
static uint32_t padded_image(
    struct import *im, struct import_view v, struct trace_window *w)
{
	int64_t before[TRACE_DIMS] = { 0 }, after[TRACE_DIMS] = { 0 };

	for (int i = 0; i < 2; i++) {
		before[2 + i] = w->before[i];
		after[2 + i] = w->after[i];
		w->before[i] = w->after[i] = 0;
	}
	v = import_padded(im, v, before, after, 0);
	return import_operand(im, v, v.shape, IMPORT_WHOLE);
}

uint32_t import_pooled(struct import *im, const struct trace_node *n, struct import_view v,
    struct trace_shape made, struct trace_window *w)
{
	const bool average = trace_is(n, "AveragePool") || trace_is(n, "GlobalAveragePool");
	bool padded = false;

	for (int i = 0; i < 2; i++) {
		int64_t after = beyond(w, i, v.shape.size[2 + i], made.size[2 + i]);

		if (w->dilation[i] != 1)
			trace_lack(&im->t, n, "its windows are dilated");
		padded |= w->before[i] || w->after[i];
		w->beyond[i] = after > w->after[i] ? after - w->after[i] : 0;
	}
	uint32_t x = average && padded && rule_int(&n->call, "count_include_pad", 0)
	                 ? padded_image(im, v, w)
	                 : import_operand(im, v, v.shape, IMPORT_WHOLE),
	         out = import_new(im, made);
	struct backend_op *op =
	    import_node(im, BACKEND_POOL, out, x, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE);
	for (int i = 0; i < 2; i++) {
		op->p.pool.kernel[i] = w->kernel[i];
		op->p.pool.stride[i] = w->stride[i];
		op->p.pool.before[i] = w->before[i];
		op->p.pool.after[i] = w->after[i] + w->beyond[i];
	}
	op->p.pool.average = average;
	return out;
}

void import_pool(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	struct trace_window w;

	if (v.shape.dims == 5) {
		import_pool_deep(im, n, m);
		return;
	}
	trace_windows(&im->t, n, &w);
	if (im->t.failed)
		return;
	v = import_reshaped(im, v, import_image_shape(v.shape));
	import_done(
	    im, n, import_pooled(im, n, v, import_image_shape(*import_made(im, n, 0)), &w));
}
