/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators that read elements at computed positions; see onnx_import_priv.h. The positions
 * select rows of a table of two dimensions, in which the dimension that they select from is
 * joined with those before it. Constant positions are in onnx_import_index.c.
 */
#include <stdlib.h>

#include "translate/onnx_import_priv.h"

/* The largest number of rows: float32 has all whole numbers up to it. */
enum { ROWS_MAX = 1 << 24 };

/* Adds a value that makes negative positions, which count from the end, positive ones. */
static struct import_view from_start(struct import *im, struct import_view v, int64_t size)
{
	const struct import_rows x = import_as_rows(im, v, 0);
	uint32_t below;

	if (im->t.failed)
		return v;
	below = import_rounded(
	    im, x.value, &(struct import_rounding){ -1, 0, 1, (double)size, 0 });
	return import_rows_view(im, &x, v.shape,
	    import_binary(im, x.value, below, 1, 1, false, BACKEND_LINEAR));
}

/* Returns whether a value is the positions that TopK, ArgMax or ArgMin found, which are not
 * negative. */
static bool is_found(const struct import *im, uint32_t value)
{
	static const char *const keeps[] = { "Reshape", "Squeeze", "Unsqueeze", "Flatten",
		"Expand", "Tile", "Slice", "Transpose" };
	const struct trace_node *n;

	for (int depth = 0; depth < 8 && value != TRACE_NONE; depth++) {
		if (trace_made_by(&im->t, value, "TopK") ||
		    trace_made_by(&im->t, value, "ArgMax") ||
		    trace_made_by(&im->t, value, "ArgMin"))
			return true;
		n = NULL;
		for (size_t i = 0; i < COUNT(keeps) && !n; i++)
			n = trace_made_by(&im->t, value, keeps[i]);
		if (!n)
			return false;
		value = trace_in(n, 0);
	}
	return false;
}

/* Returns the positions of input 1 in a dimension of this size as numbers from 0, of which
 * equal ones are there once if they are repeated. */
static struct import_view positions(
    struct import *im, const struct trace_node *n, int64_t size)
{
	struct import_view v = import_unrepeated(import_input(im, n, 1));

	if (im->dtype == BACKEND_FLOAT16 || im->dtype == BACKEND_BFLOAT16)
		trace_lack(&im->t, n, "its positions are computed, in 16 bits");
	if (im->t.failed)
		return v;
	v = import_numbers(im, v);
	return is_found(im, n->in[1]) ? v : from_start(im, v, size);
}

struct import_view import_selected_rows(struct import *im, const struct trace_node *n,
    struct import_view table, struct import_view row)
{
	const int64_t rows = table.shape.size[0], width = table.shape.size[1],
	              count = import_count(&row.shape);
	uint32_t ids, x, out;

	if (rows > ROWS_MAX)
		trace_lack(&im->t, n, "it selects from more than 2^24 computed positions");
	if (im->t.failed)
		return table;
	x = import_operand(im, table, table.shape, IMPORT_WHOLE);
	ids = import_new(im, IMPORT_SHAPE(1, count));
	if (im->t.failed)
		return table;
	im->g->value[ids].dtype = BACKEND_INT32;
	import_move(im, row, import_whole(im, ids, row.shape));
	out = import_new(im, IMPORT_SHAPE(1, count, width));
	import_node(im, BACKEND_GATHER, out, x, ids, GRAPH_NONE, GRAPH_NONE)
	    ->p.gather.alpha = 1;
	return import_whole(im, out, IMPORT_SHAPE(count, width));
}

struct import_view import_batched_rows(
    struct import *im, struct import_view row, int64_t batch, int64_t rows)
{
	const int64_t each = import_count(&row.shape) / batch;
	double *first;
	uint32_t x;

	if (batch > ROWS_MAX)
		trace_lack(&im->t, im->now, "it selects in more than 2^24 batches");
	if (batch == 1 || im->t.failed)
		return row;
	first = mem_zero((size_t)batch, sizeof(*first));
	for (int64_t i = 0; i < batch; i++)
		first[i] = (double)(i * rows);
	x = import_operand(im, row, IMPORT_SHAPE(batch, each), IMPORT_WHOLE);
	x = import_binary(im, x, import_constant(im, first, IMPORT_SHAPE(batch)), 1, each,
	    false, BACKEND_LINEAR);
	return import_whole(im, x, IMPORT_SHAPE(batch, each));
}

/* Returns an input 0 that has elements, as numbers of the type of the model. */
static struct import_view numbers(struct import *im, const struct trace_node *n)
{
	const struct import_view v = import_input(im, n, 0);

	if (import_count(&v.shape) < 1)
		trace_lack(&im->t, n, "it selects from a value without elements");
	return import_numbers(im, v);
}

void import_gather_computed(struct import *im, const struct trace_node *n)
{
	struct import_view v = numbers(im, n), row;
	const uint32_t dims = v.shape.dims, axis = import_axis(n, 0, dims);
	const struct trace_shape made = *import_made(im, n, 0),
	                         *ids = &im->t.value[n->in[1]].shape;
	uint32_t order[TRACE_DIMS], back[TRACE_DIMS];

	if (im->t.failed)
		return;
	/* The axis is the first dimension of the table. */
	order[0] = axis;
	for (uint32_t i = 0; i < axis; i++)
		order[i + 1] = i;
	for (uint32_t i = axis + 1; i < dims; i++)
		order[i] = i;
	v = import_permute(v, order);
	const int64_t size = v.shape.size[0];
	struct trace_shape turned = *ids;
	for (uint32_t i = 1; i < dims; i++)
		turned.size[turned.dims++] = v.shape.size[i];
	v = import_reshaped(im, v, IMPORT_SHAPE(size, import_count(&v.shape) / size));
	row = import_broadcast(positions(im, n, size), *ids);
	v = import_selected_rows(im, n, v, row);
	if (im->t.failed)
		return;
	v = import_reshaped(im, v, turned);
	for (uint32_t i = 0; i < made.dims; i++)
		back[i] = i < axis ? ids->dims + i : i < axis + ids->dims ? i - axis : i;
	import_output(im, n, 0, import_permute(v, back));
}

/*
 * Elements along an axis: the dimensions in which the positions repeat are the width of the
 * rows, and the others are batches of tables.
 */
void import_gather_elements(IMPORT_PARAMS)
{
	struct import_view v = numbers(im, n), row;
	const struct trace_shape made = *import_made(im, n, 0);
	const uint32_t dims = v.shape.dims, axis = import_axis(n, 0, dims);
	const struct import_view given = import_input(im, n, 1);
	uint32_t order[TRACE_DIMS], back[TRACE_DIMS], at = 0;
	int64_t batch = 1, width = 1;

	(void)m;
	if (im->t.failed)
		return;
	const int64_t size = v.shape.size[axis], count = made.size[axis];
	for (uint32_t i = 0; i < dims; i++)
		if (i != axis)
			v.shape.size[i] = made.size[i];
	for (int part = 0; part < 3; part++)
		for (uint32_t i = 0; i < dims; i++) {
			const bool repeats = given.stride[i] == 0 && made.size[i] > 1;

			if ((i == axis ? 1 : repeats ? 2 : 0) != part)
				continue;
			batch *= part == 0 ? made.size[i] : 1;
			width *= part == 2 ? made.size[i] : 1;
			back[i] = at;
			order[at++] = i;
		}
	row = positions(im, n, size);
	if (im->t.failed)
		return;
	row.shape.size[axis] = count; /* even if all are equal */
	row.stride[axis] = given.stride[axis] == 0 ? 0 : row.stride[axis];
	row = import_reshaped(im, import_permute(row, order), IMPORT_SHAPE(batch, count));
	v = import_permute(v, order);
	struct trace_shape turned = v.shape;
	turned.size[back[axis]] = count;
	v = import_reshaped(im, v, IMPORT_SHAPE(batch * size, width));
	v = import_selected_rows(im, n, v, import_batched_rows(im, row, batch, size));
	if (!im->t.failed)
		import_output(
		    im, n, 0, import_permute(import_reshaped(im, v, turned), back));
}

/* Returns the number of each row that the positions of a GatherND name in all dimensions
 * that they select from. */
static struct import_view named_rows(struct import *im, const struct trace_node *n,
    const struct trace_shape *data, uint32_t batches, uint32_t depth)
{
	struct import_view all = import_input(im, n, 1), sum = { 0 };
	const uint32_t last = all.shape.dims - 1;

	all.shape.dims = last;
	for (uint32_t k = 0; k < depth && !im->t.failed; k++) {
		struct import_view v = all;
		const int64_t size = data->size[batches + k];
		struct import_rows x;

		v.offset += (int64_t)k * v.stride[last];
		v = from_start(im, import_numbers(im, v), size);
		if (k) {
			x = import_as_rows(im, sum, 0);
			sum = import_rows_view(im, &x, sum.shape,
			    import_unary(im, x.value, (double)size, BACKEND_LINEAR));
			const uint32_t a = import_operand(im, sum,
			                   IMPORT_SHAPE(import_count(&sum.shape)),
			                   IMPORT_WHOLE),
			               b = import_operand(im, v,
			                   IMPORT_SHAPE(import_count(&sum.shape)),
			                   IMPORT_WHOLE);
			v = import_whole(im,
			    import_binary(im, a, b, 1, 1, false, BACKEND_LINEAR),
			    sum.shape);
		}
		sum = v;
	}
	return sum;
}

void import_gather_nd_computed(struct import *im, const struct trace_node *n)
{
	struct import_view v = numbers(im, n), row;
	const struct trace_shape data = v.shape, *ids = &im->t.value[n->in[1]].shape;
	const int64_t batches = rule_int(&n->call, "batch_dims", 0),
	              depth = ids->dims ? ids->size[ids->dims - 1] : 0;
	int64_t batch = 1, rows = 1;

	if (batches < 0 || depth < 1 || batches + depth > (int64_t)data.dims ||
	    batches >= (int64_t)ids->dims)
		trace_fail(&im->t, n, "its indices do not fit its input");
	if (im->dtype == BACKEND_FLOAT16 || im->dtype == BACKEND_BFLOAT16)
		trace_lack(&im->t, n, "its positions are computed, in 16 bits");
	if (im->t.failed)
		return;
	for (int64_t i = 0; i < batches; i++)
		batch *= data.size[i];
	for (int64_t i = 0; i < depth; i++)
		rows *= data.size[batches + i];
	v = import_reshaped(
	    im, v, IMPORT_SHAPE(batch * rows, import_count(&data) / batch / rows));
	row = named_rows(im, n, &data, (uint32_t)batches, (uint32_t)depth);
	if (im->t.failed)
		return;
	v = import_selected_rows(im, n, v, import_batched_rows(im, row, batch, rows));
	if (!im->t.failed)
		import_output(im, n, 0, import_reshaped(im, v, *import_made(im, n, 0)));
}
