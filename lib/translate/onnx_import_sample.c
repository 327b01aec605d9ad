/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GridSample: the elements of an image at computed places; see onnx_import_priv.h. The
 * image becomes a table with a row of channels for each pixel. The result is the sum of up
 * to four of its rows, multiplied by their weights. Pixels of zeros around the image are
 * those outside of it.
 */
#include "translate/onnx_import_priv.h"

/* The places along one dimension: two pixels and their weights. */
struct sample_axis {
	uint32_t pixel[2], weight[2];
	int64_t size; /* of the image in the table */
};

/* How a node samples. */
struct sampling {
	bool nearest, aligned, border;
	int64_t places; /* of one image */
};

/* Returns coordinate `which` of the grid as places in a dimension of this size. */
static uint32_t sample_places(struct import *im, const struct trace_node *n,
    const struct sampling *s, uint32_t which, int64_t size)
{
	struct import_view grid = import_input(im, n, 1);
	const double last = (double)(size - 1),
	             scale = (s->aligned ? last : (double)size) / 2;
	uint32_t x;

	grid.offset += (int64_t)which * grid.stride[3];
	grid.shape.dims = 3;
	x = import_operand(im, grid, IMPORT_SHAPE(import_count(&grid.shape)), IMPORT_WHOLE);
	x = import_unary(im, x, scale, BACKEND_LINEAR);
	x = import_plus(im, x, 1, last / 2, BACKEND_LINEAR);
	return s->border ? import_clamped(im, x, 0, last) : x;
}

/* Returns whole numbers as places in a dimension of the table. */
static uint32_t sample_pixel(
    struct import *im, const struct sampling *s, uint32_t x, double shift, int64_t size)
{
	const double last = (double)(size - 1);
	const uint32_t moved = import_plus(im, x, 1, shift, BACKEND_LINEAR);

	return import_rounded(im, moved,
	    &(struct import_rounding){
	        1, s->border ? 0 : -1, s->border ? last : last + 1, 1, !s->border });
}

/* Finds the pixels along one dimension. */
static struct sample_axis sample_along(struct import *im, const struct trace_node *n,
    const struct sampling *s, uint32_t which, int64_t size)
{
	const uint32_t x = sample_places(im, n, s, which, size);
	const uint32_t from = s->nearest ? x : import_floor(im, x);
	struct sample_axis a = { .size = size + (s->border ? 0 : 2) };

	a.pixel[0] = sample_pixel(im, s, from, 0, size);
	if (s->nearest)
		return a;
	a.pixel[1] = sample_pixel(im, s, from, 1, size);
	a.weight[1] = import_binary(im, x, from, -1, 1, false, BACKEND_LINEAR);
	a.weight[0] = import_plus(
	    im, import_unary(im, a.weight[1], -1, BACKEND_LINEAR), 1, 1, BACKEND_LINEAR);
	return a;
}

/* Returns the image as rows of channels. */
static struct import_view sample_table(
    struct import *im, const struct trace_node *n, const struct sampling *s)
{
	static const uint32_t last[] = { 0, 2, 3, 1 };
	static const int64_t around[] = { 0, 1, 1, 0 };
	struct import_view v = import_permute(import_input(im, n, 0), last);

	if (!s->border)
		v = import_padded(im, v, around, around, 0);
	const int64_t channels = v.shape.size[3];
	return import_reshaped(
	    im, v, IMPORT_SHAPE(import_count(&v.shape) / channels, channels));
}

/* Adds the weighted pixels of one corner to a sum; GRAPH_NONE: there is none yet. */
static uint32_t add_corner(struct import *im, const struct trace_node *n,
    const struct sampling *s, struct import_view table, const struct sample_axis axis[2],
    const int corner[2], uint32_t sum)
{
	const int64_t *size = import_made(im, n, 0)->size, channels = size[1],
	              pixels = axis[0].size * axis[1].size;
	uint32_t row = import_unary(
	             im, axis[0].pixel[corner[0]], (double)axis[1].size, BACKEND_LINEAR),
	         weight, x;
	struct import_view v;

	row = import_binary(im, row, axis[1].pixel[corner[1]], 1, 1, false, BACKEND_LINEAR);
	v = import_whole(im, row, IMPORT_SHAPE(size[0] * s->places));
	v = import_selected_rows(im, n, table, import_batched_rows(im, v, size[0], pixels));
	if (im->t.failed)
		return sum;
	if (s->nearest)
		return v.base;
	x = import_operand(im, v, v.shape, IMPORT_WHOLE);
	weight = import_binary(im, axis[0].weight[corner[0]], axis[1].weight[corner[1]], 1,
	    1, true, BACKEND_LINEAR);
	x = import_binary(im, x, weight, 1, channels, true, BACKEND_LINEAR);
	return sum == GRAPH_NONE ? x
	                         : import_binary(im, sum, x, 1, 1, false, BACKEND_LINEAR);
}

void import_grid_sample(IMPORT_PARAMS)
{
	static const uint32_t back[] = { 0, 3, 1, 2 };
	const struct trace_shape image = import_input(im, n, 0).shape,
	                         made = *import_made(im, n, 0);
	const struct text mode = rule_text(&n->call, "mode", "linear"),
	                  padding = rule_text(&n->call, "padding_mode", "zeros");
	const struct sampling s = { .nearest = text_is(mode, "nearest"),
		.aligned = rule_int(&n->call, "align_corners", 0) != 0,
		.border = text_is(padding, "border"),
		.places = made.dims == 4 ? made.size[2] * made.size[3] : 0 };
	struct sample_axis axis[2];
	uint32_t sum = GRAPH_NONE;

	(void)m;
	if (image.dims != 4)
		trace_lack(
		    &im->t, n, "its input has %u dimensions instead of 4", image.dims);
	else if (!s.nearest && !text_is(mode, "linear") && !text_is(mode, "bilinear"))
		trace_lack(&im->t, n, "its mode is '%.*s'", (int)mode.len, mode.ptr);
	else if (!s.border && !text_is(padding, "zeros"))
		trace_lack(
		    &im->t, n, "its padding is '%.*s'", (int)padding.len, padding.ptr);
	if (im->t.failed)
		return;
	const struct import_view table = sample_table(im, n, &s);
	for (uint32_t i = 0; i < 2 && !im->t.failed; i++)
		axis[i] = sample_along(im, n, &s, 1 - i, image.size[2 + i]);
	for (int i = 0; i < (s.nearest ? 1 : 4) && !im->t.failed; i++)
		sum =
		    add_corner(im, n, &s, table, axis, (const int[]){ i / 2, i % 2 }, sum);
	if (!im->t.failed)
		import_output(im, n, 0,
		    import_permute(import_whole(im, sum,
		                       IMPORT_SHAPE(made.size[0], made.size[2],
		                           made.size[3], made.size[1])),
		        back));
}
