/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds transposed convolutions; see onnx_import_priv.h.
 *
 * A transposed convolution with a stride of s makes s x s phases: the results at each s-th
 * row and column come from the same part of the kernel. The convolutions of all phases are
 * one, whose channels are then placed between each other. Others are convolutions of the
 * image with zeros between its pixels.
 */
#include "translate/onnx_import_priv.h"

/* Returns the weights [C,O/groups,KH,KW] of a transposed convolution as those of the
 * convolution that computes it, [O,C/groups,KH,KW] with the last elements first. */
static uint32_t turned_weights(
    struct import *im, const struct trace_node *n, int64_t groups)
{
	struct import_view v = import_input(im, n, 1), out;
	const struct trace_shape s = import_image_shape(v.shape);

	if (!v.is_constant) {
		trace_lack(&im->t, n, "its weights are computed");
		return GRAPH_NONE;
	}
	v = import_reshaped(im, v, s);
	const int64_t each = s.size[0] / groups;
	out = v;
	out.shape = IMPORT_SHAPE(groups, s.size[1], each, s.size[2], s.size[3]);
	out.stride[0] = each * v.stride[0];
	out.stride[1] = v.stride[1];
	out.stride[2] = v.stride[0];
	for (uint32_t i = 2; i < 4; i++) {
		out.stride[i + 1] = -v.stride[i];
		out.offset += (s.size[i] - 1) * v.stride[i];
	}
	return import_operand(im, out,
	    IMPORT_SHAPE(groups * s.size[1], each, s.size[2], s.size[3]), IMPORT_WHOLE);
}

enum { PHASES_MAX = 256 };

/* The phases of a transposed convolution, for height and width. */
struct phases {
	struct trace_window window;
	int64_t kernel[2]; /* of a phase */
	int64_t inside[2]; /* the size of the results of a phase */
	int64_t channels;  /* of the results */
};

/* Returns the weights of the convolution of all phases, [phases O,C,KH,KW]: those of phase
 * r are the elements r, r + s, r + 2 s of the kernel, the last ones first. */
static uint32_t phase_weights(
    struct import *im, const struct trace_node *n, const struct phases *p)
{
	const struct onnx_fact *x = trace_constant(&im->t, trace_in(n, 1));
	const struct trace_window *w = &p->window;
	const int64_t channels = x ? x->dim[0] : 1, plane = p->kernel[0] * p->kernel[1],
	              count = w->stride[0] * w->stride[1] * p->channels * channels * plane;
	double *made;

	if (!x || count > TRACE_FOLD_MAX) {
		trace_lack(&im->t, n, "its weights are computed, or more than 2^24");
		return GRAPH_NONE;
	}
	made = mem_zero((size_t)count, sizeof(*made));
	for (int64_t i = 0; i < count; i++) {
		const int64_t k = i % plane, c = i / plane % channels,
		              o = i / plane / channels % p->channels,
		              phase = i / plane / channels / p->channels,
		              y = phase / w->stride[1] +
		                  (p->kernel[0] - 1 - k / p->kernel[1]) * w->stride[0],
		              at = phase % w->stride[1] +
		                   (p->kernel[1] - 1 - k % p->kernel[1]) * w->stride[1];

		if (y < w->kernel[0] && at < w->kernel[1])
			made[i] = onnx_fact_number(x,
			    ((c * p->channels + o) * w->kernel[0] + y) * w->kernel[1] + at);
	}
	return import_constant(im, made,
	    IMPORT_SHAPE(w->stride[0] * w->stride[1] * p->channels, channels, p->kernel[0],
	        p->kernel[1]));
}

/* Returns the bias of the convolution of all phases. */
static uint32_t phase_bias(
    struct import *im, const struct trace_node *n, const struct phases *p)
{
	const int64_t phases = p->window.stride[0] * p->window.stride[1];
	struct import_view v;

	if (trace_in(n, 2) == TRACE_NONE)
		return GRAPH_NONE;
	v = import_input(im, n, 2);
	if (import_count(&v.shape) != p->channels) {
		trace_fail(&im->t, n, "its bias is not one number for each channel");
		return GRAPH_NONE;
	}
	v = import_broadcast(v, IMPORT_SHAPE(phases, p->channels));
	return import_operand(im, v, IMPORT_SHAPE(phases * p->channels), IMPORT_WHOLE);
}

/* Copies the results of a phase to their places. */
static void place_phase(struct import *im, const struct phases *p, struct import_view from,
    struct import_view to, const int64_t *phase)
{
	for (int i = 0; i < 2; i++) {
		/* Result y is at y + before = stride place + phase. */
		const int64_t stride = p->window.stride[i],
		              shift = p->window.before[i] - phase[i],
		              first = shift > 0 ? (shift + stride - 1) / stride : 0,
		              end = to.shape.size[2 + i] - 1 + shift,
		              last = end < 0 ? -1 : end / stride;

		from.offset += first * from.stride[2 + i];
		to.offset += (first * stride - shift) * to.stride[2 + i];
		to.stride[2 + i] *= stride;
		from.shape.size[2 + i] =
		    last < first
		        ? 0
		        : (last < p->inside[i] ? last : p->inside[i] - 1) - first + 1;
	}
	to.shape = from.shape;
	if (import_count(&to.shape) > 0)
		import_move(im, from, to);
}

/* Computes a transposed convolution by phases. */
static void add_phases(struct import *im, const struct trace_node *n, struct import_view v,
    const struct phases *p)
{
	const struct trace_shape made = import_image_shape(*import_made(im, n, 0));
	const int64_t *stride = p->window.stride;
	const uint32_t x = import_operand(im, v, v.shape, IMPORT_WHOLE),
	               weights = phase_weights(im, n, p), bias = phase_bias(im, n, p),
	               all = import_new(im,
	                   IMPORT_SHAPE(made.size[0], stride[0] * stride[1] * p->channels,
	                       p->inside[0], p->inside[1]));
	struct backend_op *op;
	struct import_view from, to;

	if (im->t.failed)
		return;
	op = import_node(im, BACKEND_CONV, all, x, weights, bias, GRAPH_NONE);
	for (int i = 0; i < 2; i++) {
		op->p.conv.stride[i] = op->p.conv.dilation[i] = 1;
		op->p.conv.before[i] = op->p.conv.after[i] = p->kernel[i] - 1;
	}
	op->p.conv.groups = 1;
	to = import_whole(im, import_new(im, made), made);
	from = import_whole(im, all,
	    IMPORT_SHAPE(made.size[0], stride[0] * stride[1] * p->channels, p->inside[0],
	        p->inside[1]));
	from.shape.size[1] = p->channels;
	for (int64_t k = 0; k < stride[0] * stride[1]; k++) {
		const int64_t phase[] = { k / stride[1], k % stride[1] };

		place_phase(im, p, from, to, phase);
		from.offset += p->channels * from.stride[1];
	}
	import_output(im, n, 0, import_reshaped(im, to, *import_made(im, n, 0)));
}

/* Returns whether a transposed convolution has phases, and stores them. */
static bool find_phases(const struct trace_node *n, const struct trace_window *w,
    const struct trace_shape *image, const struct trace_shape *made, struct phases *p)
{
	*p = (struct phases){ .window = *w, .channels = made->size[1] };
	for (int i = 0; i < 2; i++) {
		p->kernel[i] = (w->kernel[i] + w->stride[i] - 1) / w->stride[i];
		p->inside[i] = image->size[2 + i] + p->kernel[i] - 1;
		/* Each result must belong to a place of a phase. */
		if (w->dilation[i] != 1 ||
		    made->size[2 + i] + w->before[i] > p->inside[i] * w->stride[i])
			return false;
	}
	return rule_int(&n->call, "group", 1) == 1 && w->stride[0] * w->stride[1] > 1 &&
	       w->stride[0] * w->stride[1] <= PHASES_MAX;
}

/* Zeros around an image. */
struct image_margins {
	int64_t before[2], after[2];
};

/* Returns the zeros around the spread pixels: on each side the kernel's size less 1, less
 * the padding. */
static struct image_margins margins_of(struct import *im, const struct trace_node *n,
    const struct trace_window *w, const struct trace_shape *spread,
    const struct trace_shape *made)
{
	struct image_margins m;

	for (int i = 0; i < 2; i++) {
		const int64_t span = w->dilation[i] * (w->kernel[i] - 1);

		m.before[i] = span - w->before[i];
		m.after[i] = made->size[2 + i] - spread->size[2 + i] - m.before[i] + span;
		if (m.before[i] < 0 || m.after[i] < 0)
			trace_lack(&im->t, n, "its paddings are larger than its kernel");
	}
	return m;
}

/* Returns the pixels of an image with zeros between them. */
static struct import_view spread_pixels(struct import *im, struct import_view v,
    const struct trace_window *w, struct trace_shape spread)
{
	struct import_view wide, part;

	if (import_count(&spread) == import_count(&v.shape))
		return v;
	wide = import_filled(im, spread, 0);
	part = wide;
	part.shape = v.shape;
	for (int i = 0; i < 2; i++)
		part.stride[2 + i] *= w->stride[i];
	import_move(im, v, part);
	return wide;
}

/* A transposed convolution is a convolution of pixels that are spread by its strides. */
void import_conv_transpose(IMPORT_PARAMS)
{
	const struct trace_shape made = import_image_shape(*import_made(im, n, 0));
	const int64_t groups = rule_int(&n->call, "group", 1);
	const struct text automatic = rule_text(&n->call, "auto_pad", "");
	struct import_view v = import_input(im, n, 0);
	struct trace_shape s = import_image_shape(v.shape);
	struct trace_window w;
	struct phases phases;
	struct image_margins margins;

	(void)m;
	trace_windows(&im->t, n, &w);
	if (im->t.failed)
		return;
	if (rule_has_attribute(&n->call, "output_shape") ||
	    text_is(automatic, "SAME_UPPER") || text_is(automatic, "SAME_LOWER"))
		trace_lack(&im->t, n, "its paddings follow from auto_pad or output_shape");
	v = import_reshaped(im, v, s);
	if (!im->t.failed && find_phases(n, &w, &s, &made, &phases)) {
		add_phases(im, n, v, &phases);
		return;
	}
	for (int i = 0; i < 2; i++)
		s.size[2 + i] = (s.size[2 + i] - 1) * w.stride[i] + 1;
	margins = margins_of(im, n, &w, &s, &made);
	if (im->t.failed)
		return;
	v = spread_pixels(im, v, &w, s);
	uint32_t x = import_operand(im, v, s, IMPORT_WHOLE),
	         weights = turned_weights(im, n, groups),
	         bias = import_vector(im, trace_in(n, 2), made.size[1]),
	         out = import_new(im, made);
	struct backend_op *op =
	    import_node(im, BACKEND_CONV, out, x, weights, bias, GRAPH_NONE);
	for (int i = 0; i < 2; i++) {
		op->p.conv.stride[i] = 1;
		op->p.conv.before[i] = margins.before[i];
		op->p.conv.after[i] = margins.after[i];
		op->p.conv.dilation[i] = w.dilation[i];
	}
	op->p.conv.groups = groups;
	import_done(im, n, out);
}
