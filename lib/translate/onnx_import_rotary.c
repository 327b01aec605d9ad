/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rotary position embeddings (Su et al. 2021); see onnx_import_priv.h. Each pair (a, b) of
 * elements becomes (a cos - b sin, b cos + a sin): x multiplied by the cosines, plus x with
 * the elements of each pair exchanged multiplied by the sines, of which one in each pair is
 * negative.
 */
#include <math.h>
#include <stdlib.h>

#include "translate/onnx_import_priv.h"

int64_t *import_positions(struct import *im, const struct trace_node *n, uint32_t i,
    int64_t tokens, int64_t *batches)
{
	const struct onnx_fact *x = trace_constant(&im->t, trace_in(n, i));
	const int64_t count = x && x->integer ? onnx_fact_elements(x) : 0;
	const bool is_first = count == 1 && x->dims < 2;
	int64_t *position;

	*batches = 1;
	if (count < 1 || tokens < 1 || (!is_first && count % tokens != 0)) {
		trace_lack(&im->t, n, "its positions are computed");
		return NULL;
	}
	for (int64_t k = tokens; k < count && !is_first; k++)
		if (x->integer[k] != x->integer[k - tokens])
			*batches = count / tokens;
	position = mem_zero((size_t)(*batches * tokens), sizeof(*position));
	for (int64_t k = 0; k < *batches * tokens; k++)
		position[k] = is_first ? x->integer[0] + k : x->integer[k];
	return position;
}

/* Returns where the first or second elements of the pairs are. */
static struct import_view pair_part(
    struct import_view v, int64_t pairs, bool interleaved, bool second)
{
	const uint32_t last = v.shape.dims - 1;

	if (second)
		v.offset += (interleaved ? 1 : pairs) * v.stride[last];
	v.stride[last] *= interleaved ? 2 : 1;
	v.shape.size[last] = pairs;
	return v;
}

/* Returns the elements after those of the pairs. */
static struct import_view after_pairs(struct import_view v, int64_t pairs)
{
	const uint32_t last = v.shape.dims - 1;

	v.offset += 2 * pairs * v.stride[last];
	v.shape.size[last] -= 2 * pairs;
	return v;
}

/* Returns factors [batches,1,tokens,width] from constant tables: the cosines, or the sines
 * with the sign of their elements. */
static struct import_view known_factors(struct import *im, const struct trace_node *n,
    const struct import_rotation *by, bool is_sine, struct trace_shape shape)
{
	const struct onnx_fact *table = trace_constant(&im->t, is_sine ? by->sin : by->cos);
	const int64_t rows = shape.size[0] * shape.size[2], width = shape.size[3],
	              pairs = table->dim[1];
	double *factor = mem_zero((size_t)(rows * width), sizeof(*factor));

	for (int64_t i = 0; i < rows && !im->t.failed; i++) {
		if (by->position[i] < 0 || by->position[i] >= table->dim[0]) {
			trace_fail(&im->t, n,
			    "it needs position %lld of a table of %lld positions",
			    (long long)by->position[i], (long long)table->dim[0]);
			break;
		}
		for (int64_t k = 0; k < width; k++) {
			const int64_t pair = by->interleaved ? k / 2 : k % pairs;
			const bool first = by->interleaved ? k % 2 == 0 : k < pairs;
			const double x = k < 2 * pairs ? onnx_fact_number(table,
			                                     by->position[i] * pairs + pair)
			                               : !is_sine;

			factor[i * width + k] = is_sine && first ? -x : x;
		}
	}
	return import_whole(im, import_constant(im, factor, shape), shape);
}

/* Returns factors [batches,1,tokens,width] from computed tables [batches,tokens,pairs]. */
static struct import_view computed_factors(struct import *im,
    const struct import_rotation *by, bool is_sine, struct trace_shape shape)
{
	const int64_t pairs = im->t.value[by->cos].shape.size[2];
	struct import_view table = import_see(im, is_sine ? by->sin : by->cos), to, first;

	to = shape.size[3] > 2 * pairs ? import_filled(im, shape, !is_sine)
	                               : import_whole(im, import_new(im, shape), shape);
	table = import_reshaped(
	    im, table, IMPORT_SHAPE(shape.size[0], 1, shape.size[2], pairs));
	first = is_sine ? import_scaled(im, table, -1) : table;
	import_move(im, first, pair_part(to, pairs, by->interleaved, false));
	import_move(im, table, pair_part(to, pairs, by->interleaved, true));
	return to;
}

/* Finds the sizes of the factors of x, and the number of pairs. Returns false and fails if
 * the tables do not fit. */
static bool factors_shape(struct import *im, const struct trace_node *n,
    const struct import_rotation *by, const struct import_view *x,
    struct trace_shape *shape, int64_t *pairs)
{
	const int64_t batch = x->shape.size[0], tokens = x->shape.size[2];
	const struct trace_shape *a, *b;
	bool fits;

	if (by->cos == TRACE_NONE || by->sin == TRACE_NONE) {
		trace_fail(&im->t, n, "its tables of cosines and sines are missing");
		return false;
	}
	a = &im->t.value[by->cos].shape;
	b = &im->t.value[by->sin].shape;
	fits = a->dims == (by->position ? 2 : 3) && b->dims == a->dims;
	for (uint32_t i = 0; i < a->dims && fits; i++)
		fits = a->size[i] == b->size[i];
	*pairs = fits ? a->size[a->dims - 1] : 0;
	*shape = IMPORT_SHAPE(by->position ? by->batches
	                      : fits       ? a->size[0]
	                                   : 0,
	    1, tokens, x->shape.size[3]);
	if (!fits || *pairs < 1 || 2 * *pairs > x->shape.size[3] ||
	    (shape->size[0] != 1 && shape->size[0] != batch) ||
	    (!by->position && a->size[1] != tokens)) {
		trace_fail(&im->t, n, "its tables of cosines and sines do not fit it");
		return false;
	}
	if (by->position &&
	    (!trace_constant(&im->t, by->cos) || !trace_constant(&im->t, by->sin))) {
		trace_lack(&im->t, n,
		    "its tables of cosines and sines are computed, or have more than 2^24 "
		    "elements");
		return false;
	}
	return true;
}

/* Returns x, whose heads come before its tokens in memory if there are several tokens: the
 * factors would be repeated otherwise. */
static struct import_view rotated_order(struct import *im, struct import_view x)
{
	struct import_view whole;

	if (x.shape.size[2] == 1 || import_contiguous(&x))
		return x;
	whole = import_whole(im, import_new(im, x.shape), x.shape);
	import_move(im, x, whole);
	return whole;
}

struct import_view import_rotated(struct import *im, const struct trace_node *n,
    struct import_view x, const struct import_rotation *by)
{
	const struct trace_shape made = x.shape;
	struct import_view same, turned, factor[2];
	struct trace_shape shape;
	int64_t pairs;

	if (im->t.failed || !factors_shape(im, n, by, &x, &shape, &pairs))
		return x;
	for (int i = 0; i < 2 && !im->t.failed; i++)
		factor[i] = by->position ? known_factors(im, n, by, i == 1, shape)
		                         : computed_factors(im, by, i == 1, shape);
	if (im->t.failed)
		return x;
	const struct import_rows rows = import_as_rows(im, rotated_order(im, x), 0);
	same = import_rows_view(im, &rows, made, rows.value);
	turned = import_rows_view(im, &rows, made, import_like(im, rows.value));
	for (int i = 0; i < 2; i++)
		import_move(im, pair_part(same, pairs, by->interleaved, i == 0),
		    pair_part(turned, pairs, by->interleaved, i == 1));
	if (made.size[3] > 2 * pairs)
		import_move(im, after_pairs(same, pairs), after_pairs(turned, pairs));
	return import_combined_as(im, made,
	    import_combined_as(im, made, same, factor[0], 1, true),
	    import_combined_as(im, made, turned, factor[1], 1, true), 1, false);
}

void import_rotary(IMPORT_PARAMS)
{
	static const uint32_t back[] = { 0, 2, 1, 3 };
	const struct trace_shape made = *import_made(im, n, 0);
	struct import_rotation by = { .cos = trace_in(n, 1),
		.sin = trace_in(n, 2),
		.interleaved = rule_int(&n->call, "interleaved", 0) != 0 };
	const struct trace_shape *table =
	    by.cos == TRACE_NONE ? NULL : &im->t.value[by.cos].shape;
	int64_t heads = rule_int(&n->call, "num_heads", 0);
	int64_t *position = NULL;
	struct import_view x = import_input(im, n, 0);

	(void)m;
	if (trace_float(n, "scale", 1) != 1 ||
	    rule_int(&n->call, "is_packed_batching", 0) != 0)
		trace_lack(&im->t, n, "it scales positions, or packs batches");
	if (!heads && table && table->dims && made.dims == 3 &&
	    table->size[table->dims - 1])
		heads = made.size[2] / (2 * table->size[table->dims - 1]);
	x = import_heads_view(im, n, x, heads);
	if (im->t.failed)
		return;
	if (trace_in(n, 3) != TRACE_NONE)
		position = import_positions(im, n, 3, x.shape.size[2], &by.batches);
	by.position = position;
	if (!im->t.failed)
		x = import_rotated(im, n, x, &by);
	free(position);
	if (im->t.failed)
		return;
	import_output(im, n, 0,
	    made.dims == 3 ? import_reshaped(im, import_permute(x, back), made) : x);
}
