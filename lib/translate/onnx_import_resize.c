/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resize and Upsample; see onnx_import_priv.h. BACKEND_RESIZE computes the most frequent
 * ones. The others are computed along one dimension after the other: the nearest elements
 * are copied, and sums of weighted elements are a product with a constant matrix.
 */
#include <math.h>
#include <stdlib.h>

#include "translate/onnx_import_priv.h"

/* The attributes of a Resize that choose the elements of its input. */
struct resize_modes {
	struct text mode, place, nearest;
	bool old; /* an older operator, which has no modes of coordinates */
	bool antialias, excludes;
	double cubic;
	double scale[TRACE_DIMS]; /* of each dimension */
	bool factors;             /* the sizes are multiplied by whole numbers */
	bool fits;                /* the scales are the ratios of the sizes */
};

/* Reads the scales of all dimensions: those that are given, or the ratios of the sizes.
 * Those of BACKEND_RESIZE are ratios; others are not if a size was rounded. */
static void read_scales(struct import *im, const struct trace_node *n,
    const struct trace_shape *from, const struct trace_shape *to, struct resize_modes *r)
{
	const uint32_t i = r->old ? 1 : 2;
	const struct onnx_fact *x = trace_constant(&im->t, trace_in(n, i));
	const struct onnx_attribute *a = onnx_attribute(n->call.node, "scales");
	const int64_t all = x   ? onnx_fact_elements(x)
	                    : a ? (int64_t)a->float_count
	                        : 0,
	              count = trace_in(n, 3) == TRACE_NONE ? all : 0;
	uint32_t axes;
	const int64_t *axis = rule_ints(&n->call, "axes", &axes);

	r->fits = r->factors = true;
	for (uint32_t k = 0; k < to->dims; k++) {
		r->scale[k] = (double)to->size[k] / (double)from->size[k];
		r->factors &= to->size[k] % from->size[k] == 0;
	}
	for (int64_t k = 0; k < count && k < (axis ? (int64_t)axes : (int64_t)to->dims);
	    k++) {
		const int64_t given = axis ? axis[k] : k,
		              at = given < 0 ? given + (int64_t)to->dims : given;
		const double size = (double)to->size[at];

		r->scale[at] = x ? onnx_fact_number(x, k) : (double)a->floats[k];
		r->fits &=
		    fabs(r->scale[at] * (double)from->size[at] - size) <= 1e-6 * size;
	}
	for (uint32_t k = 0; k < to->dims; k++)
		if (!(r->scale[k] > 0x1p-31 && r->scale[k] < 0x1p31))
			trace_lack(&im->t, n, "a scale is %g", r->scale[k]);
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

/* Returns the place in the input of an element of the result, in float32 as ONNX Runtime
 * computes it; NAN if the mode is another one. */
static double place_of(
    const struct resize_modes *r, uint32_t axis, int64_t at, int64_t from, int64_t to)
{
	const float scale = (float)r->scale[axis], x = (float)at,
	            half = (x + 0.5F) / scale - 0.5F;
	const double middle = (double)from / 2,
	             adjusted = (double)to / (r->scale[axis] * (double)from);

	if (r->old || text_is(r->place, "asymmetric"))
		return (double)(x / scale);
	if (!r->place.len || text_is(r->place, "half_pixel"))
		return (double)half;
	if (text_is(r->place, "pytorch_half_pixel"))
		return to > 1 ? (double)half : 0;
	if (text_is(r->place, "half_pixel_symmetric"))
		return middle * (1 - adjusted) + (double)half;
	if (text_is(r->place, "tf_half_pixel_for_nn"))
		return (double)((x + 0.5F) / scale);
	if (text_is(r->place, "align_corners"))
		return to > 1 ? (double)(x * (float)(from - 1) / (float)(to - 1)) : 0;
	return NAN;
}

/* Returns the nearest element to a place. */
static int64_t nearest_of(
    const struct resize_modes *r, double place, bool shrinks, int64_t from)
{
	double x = ceil(place - 0.5);

	if (r->old)
		x = shrinks ? ceil(place) : floor(place);
	else if (text_is(r->nearest, "round_prefer_ceil"))
		x = floor(place + 0.5);
	else if (text_is(r->nearest, "floor"))
		x = floor(place);
	else if (text_is(r->nearest, "ceil"))
		x = ceil(place);
	return (int64_t)fmin(fmax(x, 0), (double)(from - 1));
}

/* The filters: a triangle, and the cubic convolution of Keys (1981). */
static double filter(const struct resize_modes *r, bool cubic, double x)
{
	const double a = r->cubic;

	x = fabs(x);
	if (!cubic)
		return x < 1 ? 1 - x : 0;
	if (x < 1)
		return ((a + 2) * x - (a + 3)) * x * x + 1;
	return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/* Places are limited to this, so that they are whole numbers of int64_t. */
#define PLACE_MAX 0x1p40

/* Stores the weights of the elements of the input in one of the result, a column of a
 * matrix of `to` columns. */
static void weigh(const struct resize_modes *r, bool cubic, double place, double scale,
    int64_t from, int64_t to, double *column)
{
	const double width = r->antialias && scale < 1 ? 1 / scale : 1,
	             reach = (cubic ? 2 : 1) * width;
	double sum = 0;

	place = fmin(fmax(place, -PLACE_MAX), PLACE_MAX);
	if (!cubic && !r->antialias)
		place = fmin(fmax(place, 0), (double)(from - 1));
	for (int64_t k = (int64_t)ceil(place - reach); (double)k <= place + reach; k++) {
		const int64_t at = k < 0 ? 0 : k >= from ? from - 1 : k;
		const double weight = filter(r, cubic, ((double)k - place) / width);

		if (at != k && r->excludes)
			continue;
		column[at * to] += weight;
		sum += weight;
	}
	for (int64_t k = 0; k < from && (r->antialias || r->excludes); k++)
		column[k * to] /= sum;
}

/* Returns a view whose dimension is resized by weights. */
static struct import_view weighted(struct import *im, const struct resize_modes *r,
    struct import_view v, uint32_t axis, int64_t to)
{
	enum { WEIGHTS_MAX = 1 << 24 };
	const int64_t from = v.shape.size[axis], rows = import_count(&v.shape) / from;
	const uint32_t last = v.shape.dims - 1;
	const bool cubic = text_is(r->mode, "cubic");
	uint32_t order[TRACE_DIMS], out;
	double *matrix;

	if (from > WEIGHTS_MAX / to) {
		trace_lack(&im->t, im->now, "it resizes a dimension of %lld to %lld",
		    (long long)from, (long long)to);
		return v;
	}
	matrix = mem_zero((size_t)(from * to), sizeof(*matrix));
	for (int64_t i = 0; i < to; i++)
		weigh(r, cubic, place_of(r, axis, i, from, to), r->scale[axis], from, to,
		    matrix + i);
	for (uint32_t i = 0; i <= last; i++)
		order[i] = i;
	order[axis] = last;
	order[last] = axis;
	v = import_permute(v, order);
	const uint32_t x = import_operand(im, v, IMPORT_SHAPE(rows, from), IMPORT_ROWS),
	               y = import_constant(im, matrix, IMPORT_SHAPE(from, to));
	out = import_new(im, IMPORT_SHAPE(rows, to));
	import_node(im, BACKEND_GEMM, out, x, y, GRAPH_NONE, GRAPH_NONE)->p.gemm.alpha = 1;
	v.shape.size[last] = to;
	return import_permute(import_whole(im, out, v.shape), order);
}

/* Returns a view whose dimension is resized by copies of the nearest elements. */
static struct import_view repeated(struct import *im, const struct trace_node *n,
    const struct resize_modes *r, struct import_view v, uint32_t axis, int64_t to)
{
	const int64_t from = v.shape.size[axis];
	int64_t *place = import_places_new(im, n, to);

	for (int64_t i = 0; i < to && place; i++)
		place[i] =
		    nearest_of(r, place_of(r, axis, i, from, to), r->scale[axis] < 1, from);
	if (place)
		v = import_places(im, n, v, axis, place, to);
	free(place);
	return v;
}

/* Resizes one dimension after the other. */
static void resize_dimensions(struct import *im, const struct trace_node *n,
    const struct resize_modes *r, struct import_view v)
{
	const struct trace_shape made = *import_made(im, n, 0);
	const bool nearest = !r->mode.len || text_is(r->mode, "nearest");

	if ((!nearest && !text_is(r->mode, "linear") && !text_is(r->mode, "cubic")) ||
	    isnan(place_of(r, 0, 0, 1, 2)))
		trace_lack(&im->t, n, "its mode is '%.*s' with '%.*s'", (int)r->mode.len,
		    r->mode.ptr, (int)r->place.len, r->place.ptr);
	for (uint32_t i = 0; i < made.dims && !im->t.failed; i++) {
		if (made.size[i] == v.shape.size[i] && fabs(r->scale[i] - 1) < 1e-9)
			continue;
		v = nearest ? repeated(im, n, r, v, i, made.size[i])
		            : weighted(im, r, v, i, made.size[i]);
	}
	if (!im->t.failed)
		import_output(im, n, 0, v);
}

void import_resize(IMPORT_PARAMS)
{
	struct trace_shape made = *import_made(im, n, 0);
	struct import_view v = import_input(im, n, 0);
	struct resize_modes r = { .mode = rule_text(&n->call, "mode", ""),
		.place = rule_text(&n->call, "coordinate_transformation_mode", ""),
		.nearest = rule_text(&n->call, "nearest_mode", ""),
		.old = trace_is(n, "Upsample") || onnx_opset(im->t.model) < 11,
		.antialias = rule_int(&n->call, "antialias", 0) != 0,
		.excludes = rule_int(&n->call, "exclude_outside", 0) != 0,
		.cubic = trace_float(n, "cubic_coeff_a", -0.75) };
	const bool linear = text_is(r.mode, "linear");

	(void)m;
	if (import_count(&v.shape) < 1 || import_count(&made) < 1) {
		trace_lack(&im->t, n, "it resizes a value without elements");
		return;
	}
	read_scales(im, n, &v.shape, &made, &r);
	if (r.mode.len && !text_is(r.mode, "nearest") &&
	    !onnx_type_is_float(n->call.in[0]->type))
		trace_lack(&im->t, n, "it interpolates quantized numbers");
	if (im->t.failed)
		return;
	if (v.shape.dims != 4 || v.shape.size[0] != made.size[0] ||
	    v.shape.size[1] != made.size[1] || r.antialias || !r.fits ||
	    !(linear ? linear_fits(&r, &made) : nearest_fits(&r))) {
		resize_dimensions(im, n, &r, v);
		return;
	}
	uint32_t x = import_operand(im, v, v.shape, IMPORT_WHOLE),
	         out = import_new(im, made);
	import_node(im, BACKEND_RESIZE, out, x, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE)
	    ->p.resize.bilinear = linear;
	import_done(im, n, out);
}
