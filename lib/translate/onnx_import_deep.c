/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolutions and pooling in three dimensions [N,C,D,H,W]; see onnx_import_priv.h. The
 * elements along the depth become channels of a convolution of planes, and pooling of
 * planes is followed by pooling along the depth.
 */
#include "translate/onnx_import_priv.h"

/* The window of a node along the depth is that of the width here. */
enum { DEPTH = 1 };

/* Returns the planes of all places of the window along the depth [N,places,C,window,H,W].
 */
static struct import_view depth_windows(
    struct import *im, struct import_view v, const struct trace_window *w, int64_t places)
{
	static const uint32_t order[] = { 0, 2, 1, 3, 4 };
	const int64_t *s = v.shape.size, before[TRACE_DIMS] = { 0, 0, w->before[DEPTH] },
	              after[TRACE_DIMS] = { 0, 0, w->after[DEPTH] };
	const struct trace_shape all =
	    IMPORT_SHAPE(s[0], places, s[1], w->kernel[DEPTH], s[3], s[4]);
	struct import_view to, part;

	if (w->before[DEPTH] || w->after[DEPTH])
		v = import_padded(im, v, before, after, 0);
	v = import_permute(v, order);
	to = import_whole(im, import_new(im, import_shortened(all)), all);
	for (int64_t k = 0; k < w->kernel[DEPTH] && !im->t.failed; k++) {
		struct import_view from = v;

		from.offset += k * w->dilation[DEPTH] * v.stride[1];
		from.stride[1] *= w->stride[DEPTH];
		from.shape.size[1] = places;
		part = to;
		part.offset += k * to.stride[3];
		part.shape = from.shape;
		part.stride[3] = to.stride[4];
		part.stride[4] = to.stride[5];
		import_move(im, from, part);
	}
	return to;
}

void import_conv_deep(IMPORT_PARAMS)
{
	static const uint32_t back[] = { 0, 2, 1, 3, 4 };
	const struct trace_shape made = *import_made(im, n, 0);
	const int64_t *s = made.size;
	struct trace_window depth, plane;
	struct import_view v = import_input(im, n, 0), w = import_input(im, n, 1);

	(void)m;
	if (trace_in(n, 3) != TRACE_NONE)
		trace_lack(&im->t, n, "it adds another value in three dimensions");
	trace_deep_windows(&im->t, n, &depth, &plane);
	if (im->t.failed)
		return;
	const int64_t *k = w.shape.size, window = depth.kernel[DEPTH];
	v = depth_windows(im, v, &depth, s[2]);
	if (im->t.failed)
		return;
	const uint32_t x = import_operand(im, v,
	                   IMPORT_SHAPE(s[0] * s[2], v.shape.size[2] * window,
	                       v.shape.size[4], v.shape.size[5]),
	                   IMPORT_WHOLE),
	               weights = import_operand(im, w,
	                   IMPORT_SHAPE(k[0], k[1] * window, k[3], k[4]), IMPORT_WHOLE),
	               bias = import_vector(im, trace_in(n, 2), s[1]),
	               out = import_new(im, IMPORT_SHAPE(s[0] * s[2], s[1], s[3], s[4]));
	import_set_windows(
	    n, &plane, import_node(im, BACKEND_CONV, out, x, weights, bias, GRAPH_NONE));
	import_output(im, n, 0,
	    import_permute(import_whole(im, import_activated(im, n, out),
	                       IMPORT_SHAPE(s[0], s[2], s[1], s[3], s[4])),
	        back));
}

void import_pool_deep(IMPORT_PARAMS)
{
	const struct trace_shape made = *import_made(im, n, 0);
	const int64_t *s = made.size;
	struct import_view v = import_input(im, n, 0);
	struct trace_window depth, plane;

	(void)m;
	trace_deep_windows(&im->t, n, &depth, &plane);
	if (im->t.failed)
		return;
	const int64_t deep = v.shape.size[2];
	v = import_reshaped(
	    im, v, IMPORT_SHAPE(s[0], s[1] * deep, v.shape.size[3], v.shape.size[4]));
	v = import_whole(im,
	    import_pooled(im, n, v, IMPORT_SHAPE(s[0], s[1] * deep, s[3], s[4]), &plane),
	    IMPORT_SHAPE(s[0] * s[1], 1, deep, s[3] * s[4]));
	/* The depth is the height of the second pooling. */
	depth.kernel[0] = depth.kernel[DEPTH];
	depth.stride[0] = depth.stride[DEPTH];
	depth.before[0] = depth.before[DEPTH];
	depth.after[0] = depth.after[DEPTH];
	depth.dilation[0] = depth.dilation[DEPTH];
	depth.kernel[1] = depth.stride[1] = depth.dilation[1] = 1;
	depth.before[1] = depth.after[1] = 0;
	import_done(im, n,
	    import_pooled(
	        im, n, v, IMPORT_SHAPE(s[0] * s[1], 1, s[2], s[3] * s[4]), &depth));
}
