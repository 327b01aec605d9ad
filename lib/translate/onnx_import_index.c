/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators that read or write elements by indices; see onnx_import_priv.h. Places in equal
 * steps are a view; others are copied, a few by an operation for each, and many by one.
 */
#include <stdlib.h>

#include "translate/onnx_import_priv.h"

/* PLACES_MAX: the most copies that an operator may need. COPIES_MOST: those that are made one
 * by one; if there are more, one operation gathers all places. LIST_MAX: the most positions
 * in a list. */
enum { PLACES_MAX = 4096, COPIES_MOST = 8, LIST_MAX = 1 << 24 };

uint32_t import_axis(const struct trace_node *n, int64_t otherwise, uint32_t dims)
{
	int64_t axis = rule_int(&n->call, "axis", otherwise);

	return (uint32_t)(axis < 0 ? axis + (int64_t)dims : axis);
}

/* Returns the number of indices from one on that have equal steps above 0, and stores the
 * step. */
static int64_t even_places(const int64_t *place, int64_t count, int64_t *step)
{
	int64_t run = 1;

	*step = count > 1 ? place[1] - place[0] : 1;
	if (*step < 1) {
		*step = 1;
		return 1;
	}
	while (run < count && place[run] - place[run - 1] == *step)
		run++;
	return run;
}

/* Returns the view of a part of a dimension. */
static struct import_view rows_of(
    struct import_view v, uint32_t axis, int64_t from, int64_t count)
{
	v.offset += from * v.stride[axis];
	v.shape.size[axis] = count;
	return v;
}

int64_t *import_places_new(struct import *im, const struct trace_node *n, int64_t count)
{
	if (count >= 0 && count <= LIST_MAX)
		return mem_zero((size_t)count, sizeof(int64_t));
	trace_lack(&im->t, n, "it selects more than %d positions of a dimension", LIST_MAX);
	return NULL;
}

/* Returns the number of parts of a list that have equal steps. */
static int64_t count_parts(const int64_t *place, int64_t count)
{
	int64_t parts = 0, step;

	for (int64_t i = 0; i < count; i += even_places(place + i, count - i, &step))
		parts++;
	return parts;
}

/* Returns a copy of places of a dimension, which one operation makes: its rows are the
 * elements from this dimension on. */
static struct import_view gather_rows(struct import *im, struct import_view v,
    uint32_t axis, const int64_t *place, int64_t count)
{
	const int64_t size = v.shape.size[axis];
	struct trace_shape made = v.shape;
	int64_t outer = 1, width = 1;
	uint32_t table, ids, out;
	int32_t *row;

	made.size[axis] = count;
	for (uint32_t i = 0; i < v.shape.dims; i++)
		*(i < axis ? &outer : &width) *= i == axis ? 1 : v.shape.size[i];
	row = mem_zero((size_t)(outer * count), sizeof(*row));
	for (int64_t i = 0; i < outer * count; i++)
		row[i] = (int32_t)(i / count * size + place[i % count]);
	table = import_operand(im, v, IMPORT_SHAPE(outer * size, width), IMPORT_WHOLE);
	ids = import_integers(im, row, IMPORT_SHAPE(1, outer * count));
	out = import_new(im, IMPORT_SHAPE(1, outer * count, width));
	import_node(im, BACKEND_GATHER, out, table, ids, GRAPH_NONE, GRAPH_NONE)
	    ->p.gather.alpha = 1;
	return import_whole(im, out, made);
}

struct import_view import_places(struct import *im, const struct trace_node *n,
    struct import_view v, uint32_t axis, const int64_t *place, int64_t count)
{
	struct import_view part = v, whole = v;
	int64_t step, run = even_places(place, count, &step);
	const bool copies = run < count;

	whole.shape.size[axis] = count;
	if (!im->t.failed && !v.is_constant && im->g->value[v.base].dtype == im->dtype &&
	    import_count(&v.shape) <= LIST_MAX && import_count(&whole.shape) <= LIST_MAX &&
	    count_parts(place, count) > COPIES_MOST)
		return gather_rows(im, v, axis, place, count);
	if (copies)
		whole = import_whole(
		    im, import_new(im, import_shortened(whole.shape)), whole.shape);
	for (int64_t i = 0, moves = 0; i < count && !im->t.failed; i += run) {
		run = even_places(place + i, count - i, &step);
		part.offset = v.offset + place[i] * v.stride[axis];
		part.stride[axis] = v.stride[axis] * step;
		part.shape.size[axis] = run;
		if (copies)
			import_move(im, part, rows_of(whole, axis, i, run));
		if (++moves > PLACES_MAX)
			trace_lack(&im->t, n, "its places are not in equal steps");
	}
	return copies ? whole : part;
}

/* Takes places of a dimension by constant indices. */
static void gather_places(struct import *im, const struct trace_node *n)
{
	struct import_view v = import_input(im, n, 0);
	const uint32_t axis = import_axis(n, 0, v.shape.dims);
	const struct onnx_fact *index = trace_constant(&im->t, trace_in(n, 1));
	const int64_t count = index && index->integer ? onnx_fact_elements(index) : 0;
	int64_t *place;

	if (count < 1) {
		trace_lack(&im->t, n, "it has no indices, or more than 2^24");
		return;
	}
	place = mem_zero((size_t)count, sizeof(*place));
	for (int64_t i = 0; i < count; i++) {
		place[i] = index->integer[i];
		place[i] += place[i] < 0 ? v.shape.size[axis] : 0;
		if (place[i] < 0 || place[i] >= v.shape.size[axis])
			trace_fail(&im->t, n, "an index is outside its dimension of %lld",
			    (long long)v.shape.size[axis]);
	}
	if (!im->t.failed)
		v = import_places(im, n, v, axis, place, count);
	if (!im->t.failed)
		import_output(im, n, 0, import_reshaped(im, v, *import_made(im, n, 0)));
	free(place);
}

/* Rows of a value, which the constant indices of a GatherND or ScatterND name. */
struct named_rows {
	int64_t *place;     /* the numbers of the rows */
	int64_t count;      /* of them */
	int64_t all, width; /* the rows of the value, and their elements */
};

/* Returns the place of an index, which counts from the end if it is negative. Fails and
 * returns 0 if it is outside its dimension. */
static int64_t place_in(
    struct import *im, const struct trace_node *n, int64_t index, int64_t size)
{
	const int64_t at = index < 0 ? index + size : index;

	if (at >= 0 && at < size)
		return at;
	trace_fail(&im->t, n, "an index is outside its dimension of %lld", (long long)size);
	return 0;
}

/* Finds the rows. Returns false and fails if they are not known. Free r->place. */
static bool rows_find(struct import *im, const struct trace_node *n, struct named_rows *r)
{
	const struct trace_shape s = import_input(im, n, 0).shape;
	const struct onnx_fact *index = trace_constant(&im->t, trace_in(n, 1));
	const int64_t depth =
	    index && index->integer && index->dims ? index->dim[index->dims - 1] : 0;

	*r = (struct named_rows){ .all = 1 };
	if (depth < 1 || depth > (int64_t)s.dims || onnx_fact_elements(index) < 1 ||
	    rule_int(&n->call, "batch_dims", 0) != 0)
		trace_lack(&im->t, n, "its indices are computed, or in batches");
	if (im->t.failed)
		return false;
	r->count = onnx_fact_elements(index) / depth;
	for (int64_t k = 0; k < depth; k++)
		r->all *= s.size[k];
	/* Without rows, each index is outside. */
	r->width = r->all ? import_count(&s) / r->all : 0;
	r->place = mem_zero((size_t)r->count, sizeof(*r->place));
	for (int64_t i = 0; i < r->count && !im->t.failed; i++)
		for (int64_t k = 0; k < depth && !im->t.failed; k++) {
			const int64_t at =
			    place_in(im, n, index->integer[i * depth + k], s.size[k]);

			r->place[i] = r->place[i] * s.size[k] + at;
		}
	return !im->t.failed;
}

void import_gather_nd(IMPORT_PARAMS)
{
	struct named_rows r = { 0 };
	struct import_view v;

	(void)m;
	if (trace_in(n, 1) != TRACE_NONE && !im->t.value[n->in[1]].is_constant) {
		import_gather_nd_computed(im, n);
		return;
	}
	if (rows_find(im, n, &r)) {
		v = import_reshaped(
		    im, import_input(im, n, 0), IMPORT_SHAPE(r.all, r.width));
		v = import_places(im, n, v, 0, r.place, r.count);
		if (!im->t.failed)
			import_output(
			    im, n, 0, import_reshaped(im, v, *import_made(im, n, 0)));
	}
	free(r.place);
}

/* Copies the value, and then the updates to their rows. */
static void scatter_rows(
    struct import *im, const struct trace_node *n, const struct named_rows *r)
{
	const struct trace_shape made = *import_made(im, n, 0);
	struct import_view to = import_whole(
	                       im, import_new(im, import_shortened(made)), made),
	                   from = import_reshaped(im, import_input(im, n, 2),
	                       IMPORT_SHAPE(r->count, r->width)),
	                   all;
	int64_t step, run;

	import_move(im, import_input(im, n, 0), to);
	all = import_reshaped(im, to, IMPORT_SHAPE(r->all, r->width));
	for (int64_t i = 0, moves = 0; i < r->count && !im->t.failed; i += run) {
		struct import_view part = from, place = all;

		run = even_places(r->place + i, r->count - i, &step);
		part.offset += i * part.stride[0];
		place.offset += r->place[i] * place.stride[0];
		place.stride[0] *= step;
		part.shape.size[0] = place.shape.size[0] = run;
		import_move(im, part, place);
		if (++moves > PLACES_MAX)
			trace_lack(&im->t, n, "its places are not in equal steps");
	}
	import_output(im, n, 0, to);
}

/* Imports a scatter whose rows a function finds. */
static void import_scatter(struct import *im, const struct trace_node *n,
    bool (*find)(struct import *, const struct trace_node *, struct named_rows *))
{
	const struct text reduction = rule_text(&n->call, "reduction", "none");
	struct named_rows r = { 0 };

	if (!text_is(reduction, "none"))
		trace_lack(&im->t, n, "its reduction is '%.*s'", (int)reduction.len,
		    reduction.ptr);
	else if (find(im, n, &r) && trace_in(n, 2) != TRACE_NONE &&
	         trace_elements(&im->t, n->in[2]) != r.count * r.width)
		trace_fail(&im->t, n, "its updates do not fit its indices");
	if (!im->t.failed)
		scatter_rows(im, n, &r);
	free(r.place);
}

void import_scatter_nd(IMPORT_PARAMS)
{
	(void)m;
	import_scatter(im, n, rows_find);
}

/* Finds the elements that the constant indices of a ScatterElements name, as rows of one
 * element. Returns false and fails if they are not known. Free r->place. */
static bool elements_find(
    struct import *im, const struct trace_node *n, struct named_rows *r)
{
	const struct trace_shape s = import_input(im, n, 0).shape;
	const struct onnx_fact *index = trace_constant(&im->t, trace_in(n, 1));
	const int64_t count = index && index->integer ? onnx_fact_elements(index) : 0;
	const uint32_t axis = import_axis(n, 0, s.dims);

	*r = (struct named_rows){ .all = import_count(&s), .width = 1, .count = count };
	if (count < 1 || count > LIST_MAX || index->dims != s.dims || axis >= s.dims)
		trace_lack(&im->t, n, "its indices are computed, or there are none");
	if (im->t.failed)
		return false;
	r->place = mem_zero((size_t)count, sizeof(*r->place));
	for (int64_t i = 0; i < count && !im->t.failed; i++) {
		int64_t rest = i, step = 1;

		for (uint32_t k = s.dims; k-- > 0; step *= s.size[k]) {
			const int64_t index_at =
			    k == axis ? index->integer[i] : rest % index->dim[k];

			rest /= index->dim[k];
			r->place[i] += place_in(im, n, index_at, s.size[k]) * step;
		}
	}
	return !im->t.failed;
}

void import_scatter_elements(IMPORT_PARAMS)
{
	(void)m;
	import_scatter(im, n, elements_find);
}

void import_gather(IMPORT_PARAMS)
{
	struct import_view table = import_input(im, n, 0), ids;
	const struct trace_value *index =
	    trace_in(n, 1) == TRACE_NONE ? NULL : &im->t.value[n->in[1]];
	uint32_t out;

	(void)m;
	if (!index || index->is_constant) {
		gather_places(im, n);
		return;
	}
	ids = import_see(im, n->in[1]);
	if (table.shape.dims != 2 || import_axis(n, 0, table.shape.dims) != 0 ||
	    !onnx_type_is_float(im->t.value[n->in[0]].fact->type) ||
	    (!ids.is_constant && im->g->value[ids.base].dtype != BACKEND_INT32)) {
		import_gather_computed(im, n);
		return;
	}
	struct trace_shape shape =
	    ids.shape.dims == 2 ? ids.shape : IMPORT_SHAPE(1, import_count(&ids.shape));
	uint32_t a = import_operand(im, table, table.shape, IMPORT_WHOLE),
	         b = import_operand(im, ids, shape, IMPORT_WHOLE);
	out =
	    import_new(im, IMPORT_SHAPE(shape.size[0], shape.size[1], table.shape.size[1]));
	import_node(im, BACKEND_GATHER, out, a, b, GRAPH_NONE, GRAPH_NONE)->p.gather.alpha =
	    1;
	import_done(im, n, out);
}
