/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fourier transforms as products with a matrix of cosines and sines; see
 * onnx_import_priv.h. A fast transform needs operations that backends do not have; the
 * transforms of models for speech, of a few hundred places, are products in many engines.
 */
#include <math.h>

#include "translate/onnx_import_priv.h"

/* The largest number of elements of a matrix, and of those of all transforms: a loop has
 * one in each step. */
enum { FOURIER_MAX = 1 << 24, WAVES_MAX = 2 * FOURIER_MAX };

/* Stores the cosine and the sine of 2 pi k t / length. */
static void wave(int64_t k, int64_t t, int64_t length, double *cosine, double *sine)
{
	/* Both are below 2^24. */
	const double angle = 2 * acos(-1.0) * (double)(k * t % length) / (double)length;

	*cosine = cos(angle);
	*sine = sin(angle);
}

/* Returns memory for a matrix, or NULL and fails if it would be too large. */
static double *fourier_room(
    struct import *im, const struct trace_node *n, int64_t rows, int64_t columns)
{
	if (rows > FOURIER_MAX || columns > FOURIER_MAX || rows * columns > FOURIER_MAX) {
		trace_lack(
		    &im->t, n, "its transform has a matrix of more than 2^24 elements");
		return NULL;
	}
	im->waves += rows * columns;
	if (im->waves > WAVES_MAX) {
		trace_lack(&im->t, n,
		    "the matrices of its transforms have more than 2^25 elements");
		return NULL;
	}
	return mem_zero((size_t)(rows * columns), sizeof(double));
}

/* Returns the matrix [places parts,bins 2] of a transform. */
static uint32_t transform_matrix(struct import *im, const struct trace_node *n,
    const struct rule_transform *t, int64_t places, int64_t parts)
{
	double *to = fourier_room(im, n, places * parts, 2 * t->bins);
	const double sign = t->inverse ? -1 : 1;

	if (!to)
		return GRAPH_NONE;
	for (int64_t i = 0; i < places; i++)
		for (int64_t k = 0; k < t->bins; k++) {
			double *real = to + i * parts * 2 * t->bins + 2 * k,
			       *imaginary = real + 2 * t->bins;
			double cosine, sine;

			wave(k, i, t->length, &cosine, &sine);
			real[0] = cosine;
			real[1] = -sign * sine;
			if (parts == 1)
				continue;
			imaginary[0] = sign * sine;
			imaginary[1] = cosine;
		}
	return import_constant(im, to, IMPORT_SHAPE(places * parts, 2 * t->bins));
}

void import_dft(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	struct rule_call call = n->call;
	struct rule_transform t;
	struct trace_shape made;
	uint32_t order[TRACE_DIMS], back[TRACE_DIMS], at = 0;

	(void)m;
	if (rule_transform_read(&call, &t) != RULE_FINE)
		trace_lack(&im->t, n, "its length or its axis is computed");
	if (im->t.failed)
		return;
	const uint32_t last = v.shape.dims - 1;
	const int64_t parts = v.shape.size[last];
	if (t.onesided && (t.inverse || parts != 1)) {
		trace_lack(&im->t, n, "it is one-sided, and inverse or of complex numbers");
		return;
	}
	for (uint32_t i = 0; i < last; i++)
		if (i != t.axis)
			order[at++] = i;
	order[last - 1] = t.axis;
	order[last] = last;
	for (uint32_t i = 0; i <= last; i++)
		back[order[i]] = i;
	/* Missing places are 0, and those beyond the length are not read. */
	if (v.shape.size[t.axis] > t.length)
		v.shape.size[t.axis] = t.length;
	const int64_t places = v.shape.size[t.axis];
	v = import_permute(v, order);
	const int64_t rows = import_count(&v.shape) / (places * parts);
	const uint32_t matrix = transform_matrix(im, n, &t, places, parts);
	if (im->t.failed)
		return;
	const uint32_t x = import_operand(
	                   im, v, IMPORT_SHAPE(rows, places * parts), IMPORT_ROWS),
	               out = import_new(im, IMPORT_SHAPE(rows, 2 * t.bins));
	import_node(im, BACKEND_GEMM, out, x, matrix, GRAPH_NONE, GRAPH_NONE)
	    ->p.gemm.alpha = t.inverse ? 1 / (double)t.length : 1;
	made = v.shape;
	made.size[last - 1] = t.bins;
	made.size[last] = 2;
	import_output(im, n, 0, import_permute(import_whole(im, out, made), back));
}

/* Returns the filters [2 bins,1,1,length] of a transform of windows. */
static uint32_t window_filters(
    struct import *im, const struct trace_node *n, const struct rule_windows *w)
{
	const uint32_t window = trace_in(n, 2);
	const struct onnx_fact *by =
	    window == TRACE_NONE ? NULL : trace_constant(&im->t, window);
	double *to;

	if (window != TRACE_NONE && (!by || onnx_fact_elements(by) != w->length)) {
		trace_lack(&im->t, n, "its window is computed, or has another length");
		return GRAPH_NONE;
	}
	to = fourier_room(im, n, 2 * w->bins, w->length);
	for (int64_t k = 0; to && k < w->bins; k++)
		for (int64_t i = 0; i < w->length; i++) {
			const double factor = by ? onnx_fact_number(by, i) : 1;
			double cosine, sine;

			wave(k, i, w->length, &cosine, &sine);
			to[2 * k * w->length + i] = factor * cosine;
			to[(2 * k + 1) * w->length + i] = -factor * sine;
		}
	return to ? import_constant(im, to, IMPORT_SHAPE(2 * w->bins, 1, 1, w->length))
	          : GRAPH_NONE;
}

/* The windows of a signal are those of a convolution. */
void import_stft(IMPORT_PARAMS)
{
	const struct import_view v = import_input(im, n, 0);
	struct rule_call call = n->call;
	struct rule_windows w;

	(void)m;
	if (rule_windows_read(&call, &w) != RULE_FINE)
		trace_lack(&im->t, n, "its step or its length is computed");
	else if (v.shape.dims == 3 && v.shape.size[2] != 1)
		trace_lack(&im->t, n, "its signal is complex");
	if (im->t.failed)
		return;
	const int64_t batch = v.shape.size[0], size = v.shape.size[1];
	const uint32_t filters = window_filters(im, n, &w);
	if (im->t.failed)
		return;
	const uint32_t x = import_operand(
	                   im, v, IMPORT_SHAPE(batch, 1, 1, size), IMPORT_WHOLE),
	               out = import_new(im, IMPORT_SHAPE(batch, 2 * w.bins, 1, w.windows));
	struct backend_op *op =
	    import_node(im, BACKEND_CONV, out, x, filters, GRAPH_NONE, GRAPH_NONE);
	op->p.conv.groups = 1;
	for (int i = 0; i < 2; i++)
		op->p.conv.stride[i] = op->p.conv.dilation[i] = 1;
	op->p.conv.stride[1] = w.step;
	import_output(im, n, 0,
	    import_permute(import_whole(im, out, IMPORT_SHAPE(batch, w.bins, 2, w.windows)),
	        (const uint32_t[]){ 0, 3, 1, 2 }));
}
