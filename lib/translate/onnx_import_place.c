/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators that place elements; see onnx_import_priv.h. Most of them are views only.
 */
#include <math.h>
#include <stdlib.h>

#include "translate/onnx_import_priv.h"

void import_reshaping(IMPORT_PARAMS)
{
	(void)m;
	import_output(
	    im, n, 0, import_reshaped(im, import_input(im, n, 0), *import_made(im, n, 0)));
}

void import_transpose(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	uint32_t order[TRACE_DIMS], count;
	const int64_t *perm = rule_ints(&n->call, "perm", &count);

	(void)m;
	for (uint32_t i = 0; i < v.shape.dims; i++)
		order[i] = perm ? (uint32_t)perm[i] : v.shape.dims - 1 - i;
	import_output(im, n, 0, import_permute(v, order));
}

void import_split(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	const uint32_t axis = import_axis(n, 0, v.shape.dims);

	(void)m;
	for (uint32_t i = 0; i < n->call.outs; i++) {
		if (n->out[i] == TRACE_NONE) {
			trace_lack(&im->t, n, "one of its results has no name");
			return;
		}
		v.shape = *import_made(im, n, i);
		import_output(im, n, i, v);
		v.offset += v.shape.size[axis] * v.stride[axis];
	}
}

void import_expand(IMPORT_PARAMS)
{
	(void)m;
	import_output(
	    im, n, 0, import_broadcast(import_input(im, n, 0), *import_made(im, n, 0)));
}

/* Returns a view of a part of a new value. */
static struct import_view part_of(
    struct import_view whole, struct trace_shape shape, uint32_t axis, int64_t from)
{
	whole.offset += from * whole.stride[axis];
	whole.shape = shape;
	return whole;
}

/* Returns the places of a dimension that a Slice takes backwards. */
static struct import_view reversed(struct import *im, const struct trace_node *n,
    struct import_view v, uint32_t axis, const struct rule_part *part)
{
	const int64_t count = part->size[axis];
	int64_t *place = import_places_new(im, n, count);

	if (!place)
		return v;
	for (int64_t i = 0; i < count; i++)
		place[i] = part->from[axis] + i * part->step[axis];
	v = import_places(im, n, v, axis, place, count);
	free(place);
	return v;
}

void import_slice(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	struct rule_call call = n->call;
	struct rule_part part;

	(void)m;
	if (rule_sliced(&call, &part) != RULE_FINE)
		trace_lack(&im->t, n, "the part that it takes is computed");
	for (uint32_t i = 0; i < v.shape.dims && !im->t.failed; i++) {
		if (part.step[i] < 0 && part.size[i] > 1) {
			v = reversed(im, n, v, i, &part);
			continue;
		}
		v.offset += part.from[i] * v.stride[i];
		v.stride[i] *= part.step[i];
		v.shape.size[i] = part.size[i];
	}
	import_output(im, n, 0, v);
}

void import_concat(IMPORT_PARAMS)
{
	const struct trace_shape made = *import_made(im, n, 0);
	const uint32_t axis = import_axis(n, 0, made.dims);
	uint32_t out = import_new(im, import_shortened(made));
	struct import_view whole = import_whole(im, out, made);
	int64_t at = 0;

	(void)m;
	for (uint32_t i = 0; i < n->call.ins; i++) {
		struct import_view v = import_input(im, n, i);

		if (import_count(&v.shape) > 0)
			import_move(im, v, part_of(whole, v.shape, axis, at));
		at += v.shape.size[axis];
	}
	import_output(im, n, 0, whole);
}

struct import_view import_filled(struct import *im, struct trace_shape shape, double value)
{
	struct import_view to = import_whole(
	                       im, import_new(im, import_shortened(shape)), shape),
	                   number = import_whole(im, import_number(im, value, 1), shape);

	memset(number.stride, 0, sizeof(number.stride));
	import_move(im, number, to);
	return to;
}

struct import_view import_padded(struct import *im, struct import_view v,
    const int64_t *before, const int64_t *after, double value)
{
	struct trace_shape made = v.shape;
	struct import_view to, part;

	for (uint32_t i = 0; i < made.dims; i++)
		made.size[i] += before[i] + after[i];
	to = import_filled(im, made, value);
	part = to;
	for (uint32_t i = 0; i < made.dims; i++)
		part.offset += before[i] * to.stride[i];
	part.shape = v.shape;
	import_move(im, v, part);
	return to;
}

/* The numbers of elements that a Pad adds before and after each dimension. */
struct pad_sizes {
	int64_t before[TRACE_DIMS], after[TRACE_DIMS];
	bool none;
};

/* Takes the elements away that a negative padding removes, and finds the others. */
static void read_pads(struct import *im, const struct trace_node *n, struct import_view *v,
    struct pad_sizes *p)
{
	uint32_t count, axes;
	const int64_t *pads = rule_integers(&n->call, 1,
	                  rule_has_attribute(&n->call, "paddings") ? "paddings" : "pads",
	                  &count),
	              *axis = rule_integers(&n->call, 3, NULL, &axes);

	*p = (struct pad_sizes){ .none = true };
	if (!pads || (trace_in(n, 3) != TRACE_NONE && !axis)) {
		trace_lack(&im->t, n, "its paddings are computed");
		return;
	}
	for (uint32_t i = 0; i < count / 2; i++) {
		const int64_t given = axis ? axis[i] : (int64_t)i,
		              at = given < 0 ? given + (int64_t)v->shape.dims : given;
		int64_t *side[] = { &p->before[at], &p->after[at] };

		for (int k = 0; k < 2; k++) {
			const int64_t pad = pads[k ? i + count / 2 : i];

			*side[k] = pad > 0 ? pad : 0;
			if (pad < 0)
				v->shape.size[at] += pad;
			if (pad < 0 && k == 0)
				v->offset -= pad * v->stride[at];
			p->none &= pad <= 0;
		}
		if (v->shape.size[at] < 1)
			trace_lack(&im->t, n, "it removes all elements");
	}
}

/* Returns the place that an element outside of a dimension repeats: that at its edge, or
 * the one that mirrors it. */
static int64_t repeated_place(int64_t at, int64_t size, bool reflects)
{
	const int64_t inside = at < 0 ? 0 : at >= size ? size - 1 : at;

	return reflects ? 2 * inside - at : inside;
}

/* Pads with elements of the value. */
static void pad_repeated(struct import *im, const struct trace_node *n,
    struct import_view v, const struct pad_sizes *p, bool reflects)
{
	for (uint32_t i = 0; i < v.shape.dims && !im->t.failed; i++) {
		const int64_t size = v.shape.size[i],
		              count = p->before[i] + size + p->after[i];
		int64_t *place;

		if (reflects && (p->before[i] >= size || p->after[i] >= size))
			trace_lack(&im->t, n, "it mirrors elements more than once");
		if (count == size || im->t.failed)
			continue;
		place = import_places_new(im, n, count);
		if (!place)
			return;
		for (int64_t k = 0; k < count; k++)
			place[k] = repeated_place(k - p->before[i], size, reflects);
		v = import_places(im, n, v, i, place, count);
		free(place);
	}
	import_output(im, n, 0, v);
}

void import_pad(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	struct text mode = rule_text(&n->call, "mode", "");
	double value = trace_in(n, 2) == TRACE_NONE ? trace_float(n, "value", 0)
	                                            : trace_scalar(&im->t, n->in[2]);
	const bool reflects = text_is(mode, "reflect"),
	           repeats = reflects || text_is(mode, "edge");
	struct pad_sizes pads;

	(void)m;
	if ((!repeats && mode.len && !text_is(mode, "constant")) || isnan(value)) {
		trace_lack(&im->t, n, "its mode is '%.*s', or its value is computed",
		    (int)mode.len, mode.ptr);
		return;
	}
	read_pads(im, n, &v, &pads);
	if (im->t.failed)
		return;
	if (repeats) {
		pad_repeated(im, n, v, &pads, reflects);
		return;
	}
	import_output(
	    im, n, 0, pads.none ? v : import_padded(im, v, pads.before, pads.after, value));
}

/* Repeats a tensor along its dimensions: [r,size] for each dimension that is repeated. */
void import_tile(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0), out = v;
	const struct trace_shape made = *import_made(im, n, 0);
	uint32_t dims = 0;

	(void)m;
	for (uint32_t i = 0; i < v.shape.dims; i++) {
		const int64_t times = v.shape.size[i] ? made.size[i] / v.shape.size[i] : 1;

		if (dims + 2 > TRACE_DIMS) {
			trace_lack(&im->t, n, "it repeats too many dimensions");
			return;
		}
		if (times != 1) {
			out.shape.size[dims] = times;
			out.stride[dims++] = 0;
		}
		out.shape.size[dims] = v.shape.size[i];
		out.stride[dims++] = v.stride[i];
	}
	out.shape.dims = dims;
	import_output(im, n, 0, import_reshaped(im, out, made));
}

/* Moves blocks of channels to the plane. The channels are [block,block,C], or
 * [C,block,block] in the mode CRD. */
void import_depth_to_space(IMPORT_PARAMS)
{
	static const uint32_t blocks_first[] = { 0, 3, 4, 1, 5, 2 },
	                      blocks_last[] = { 0, 1, 4, 2, 5, 3 };
	const struct trace_shape made = *import_made(im, n, 0);
	const int64_t block = rule_int(&n->call, "blocksize", 1);
	const bool last = text_is(rule_text(&n->call, "mode", "DCR"), "CRD");
	struct import_view v = import_input(im, n, 0);
	const int64_t *s = v.shape.size, channels = made.size[1];

	(void)m;
	v = import_reshaped(im, v,
	    last ? IMPORT_SHAPE(s[0], channels, block, block, s[2], s[3])
	         : IMPORT_SHAPE(s[0], block, block, channels, s[2], s[3]));
	v = import_permute(v, last ? blocks_last : blocks_first);
	import_output(im, n, 0, import_reshaped(im, v, made));
}

void import_space_to_depth(IMPORT_PARAMS)
{
	static const uint32_t blocks_first[] = { 0, 3, 5, 1, 2, 4 },
	                      blocks_last[] = { 0, 1, 3, 5, 2, 4 };
	const bool last = text_is(rule_text(&n->call, "mode", "DCR"), "CRD");
	const int64_t block = rule_int(&n->call, "blocksize", 1);
	struct import_view v = import_input(im, n, 0);
	const int64_t *s = v.shape.size;

	(void)m;
	v = import_reshaped(
	    im, v, IMPORT_SHAPE(s[0], s[1], s[2] / block, block, s[3] / block, block));
	v = import_permute(v, last ? blocks_last : blocks_first);
	import_output(im, n, 0, import_reshaped(im, v, *import_made(im, n, 0)));
}
