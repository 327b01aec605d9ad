/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes convolutions: as a product with columns (im2col), or directly for small groups.
 */
#include "gpu_call.h"
#include "gpu_conv.h"
#include "gpu_ops.h"
#include "gpu_product.h"

/* The memory for columns: those of as many images at a time as fit, but at least of one. */
static const int64_t columns_bytes = INT64_C(256) << 20;

/* The sizes of a convolution. */
struct gpu_conv {
	int64_t samples, channels, height, width, out_channels, out_height, out_width;
	int64_t kernel_height, kernel_width, pixels, rows;
};

static struct gpu_conv conv_sizes(const struct backend_op *op)
{
	const int64_t *x = op->in[0]->size, *w = op->in[1]->size, *y = op->out[0]->size;

	return (struct gpu_conv){
		.samples = x[0],
		.channels = x[1],
		.height = x[2],
		.width = x[3],
		.out_channels = y[1],
		.out_height = y[2],
		.out_width = y[3],
		.kernel_height = w[2],
		.kernel_width = w[3],
		.pixels = y[2] * y[3],
		.rows = x[1] * w[2] * w[3],
	};
}

static int conv_run_direct(
    struct gpu *g, const struct backend_op *op, const struct gpu_conv *v, char *why)
{
	const enum backend_dtype dtype = op->out[0]->dtype;
	struct gpu_call c = gpu_call_begin(g, gpu_kernel_of("image", "conv_direct", dtype),
	    gpu_tensor_elements(op->out[0]), why);

	gpu_call_tensor(&c, op->out[0]);
	for (size_t i = 0; i < 4; i++)
		gpu_call_tensor(&c, op->in[i]);
	GPU_CALL_INTS(&c, v->channels, v->height, v->width, v->out_channels, v->out_height,
	    v->out_width, v->kernel_height, v->kernel_width, op->p.conv.stride[0],
	    op->p.conv.stride[1], op->p.conv.before[0], op->p.conv.before[1],
	    op->p.conv.dilation[0], op->p.conv.dilation[1], op->p.conv.groups, op->act);
	return gpu_call_each(&c, 1, why);
}

/* Returns the number of adjacent pixels that a group has: a power of two. */
static int64_t pixel_lanes(const struct gpu *g, int64_t pixels)
{
	int64_t lanes = 32;

	while (lanes < pixels && lanes < gpu_group(g))
		lanes *= 2;
	return lanes;
}

/* Returns a / b, rounded up. */
static int64_t divide_up(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

/* Writes the columns of `samples` images, beginning with `first`, to the scratch memory. */
static int conv_write_columns(struct gpu *g, const struct backend_op *op,
    const struct gpu_conv *v, int64_t first, int64_t samples, char *why)
{
	const struct backend_tensor *x = op->in[0];
	const int64_t lanes = pixel_lanes(g, v->pixels), area = v->rows / v->channels;
	const int64_t parts = divide_up(v->pixels, lanes), each = divide_up(16, area);
	const int64_t chunks = divide_up(v->channels, gpu_group(g) / lanes * each);
	const int64_t groups = parts * chunks * samples;
	struct gpu_call c =
	    gpu_call_begin(g, gpu_kernel_of("image", "columns", x->dtype), groups, why);

	gpu_call_buffer(&c, g->room, 0);
	gpu_call_buffer(&c, gpu_tensor_handle(x),
	    x->offset + first * v->channels * v->height * v->width);
	GPU_CALL_INTS(&c, lanes, parts, chunks, each, v->channels, v->height, v->width,
	    v->kernel_height, v->kernel_width, v->out_height, v->out_width,
	    op->p.conv.stride[0], op->p.conv.stride[1], op->p.conv.before[0],
	    op->p.conv.before[1], op->p.conv.dilation[0], op->p.conv.dilation[1]);
	return gpu_call_go(&c, groups, gpu_group(g), why);
}

/* Adds the bias and the other operand to the results, and applies the activation. */
static int conv_finish(
    struct gpu *g, const struct backend_op *op, const struct gpu_conv *v, char *why)
{
	enum { EACH = 4 }; /* rows of a work-item */
	const enum backend_dtype dtype = op->out[0]->dtype;
	const int64_t lanes = pixel_lanes(g, v->pixels),
	              rows = v->samples * v->out_channels;
	const int64_t parts = divide_up(v->pixels, lanes);
	const int64_t groups = parts * divide_up(rows, gpu_group(g) / lanes * EACH);

	if (!op->in[2] && !op->in[3] && op->act == BACKEND_LINEAR)
		return 0;
	struct gpu_call c =
	    gpu_call_begin(g, gpu_kernel_of("image", "finish_images", dtype), groups, why);

	gpu_call_tensor(&c, op->out[0]);
	gpu_call_tensor(&c, op->in[2]);
	gpu_call_tensor(&c, op->in[3]);
	GPU_CALL_INTS(&c, lanes, parts, EACH, rows, v->out_channels, v->pixels, op->act);
	return gpu_call_go(&c, groups, gpu_group(g), why);
}

/* Returns whether the columns of an image are the image. */
static bool conv_is_pointwise(const struct backend_op *op, const struct gpu_conv *v)
{
	for (int i = 0; i < 2; i++)
		if (op->p.conv.stride[i] != 1 || op->p.conv.before[i] ||
		    op->p.conv.after[i])
			return false;
	return v->kernel_height == 1 && v->kernel_width == 1;
}

int gpu_op_conv(struct gpu *g, const struct backend_op *op, char *why)
{
	if (gpu_conv_on_tensor_cores(g, op))
		return gpu_conv_run_tensor_cores(g, op, why);
	const struct gpu_conv v = conv_sizes(op);
	const struct backend_tensor *x = op->in[0], *out = op->out[0];
	const int64_t groups = op->p.conv.groups;
	const int64_t share = v.rows / groups, out_share = v.out_channels / groups;
	const int64_t bytes = v.rows * v.pixels * (int64_t)gpu_dtype_bytes(x->dtype);
	const bool pointwise = conv_is_pointwise(op, &v);
	int64_t chunk = pointwise || columns_bytes >= bytes * v.samples
	                    ? v.samples
	                    : columns_bytes / bytes;
	size_t at = 0, used = 0;

	if (groups > 1 && (share < 64 || out_share < 8))
		return conv_run_direct(g, op, &v, why);
	chunk = chunk < 1 ? 1 : chunk;
	if (!pointwise)
		gpu_room_take(g, (size_t)(bytes * chunk), &at, &used);
	for (int64_t first = 0; first < v.samples; first += chunk) {
		const int64_t samples =
		    v.samples - first < chunk ? v.samples - first : chunk;
		struct gpu_product p = {
			.dtype = x->dtype,
			.out = x->dtype,
			.m = out_share,
			.n = v.pixels,
			.k = share,
			.alpha = 1,
			.a = gpu_tensor_handle(op->in[1]),
			.b = pointwise ? gpu_tensor_handle(x) : g->room,
			.c = gpu_tensor_handle(out),
			.a_at = op->in[1]->offset,
			.b_at = pointwise ? x->offset : 0,
			.c_at = out->offset + first * v.out_channels * v.pixels,
			.a_ld = share,
			.b_ld = v.pixels,
			.c_ld = v.pixels,
		};
		const struct gpu_batch batch[3] = {
			{ samples, 0, v.rows * v.pixels, v.out_channels * v.pixels },
			{ groups, out_share * share, share * v.pixels,
			    out_share * v.pixels },
			{ .count = 1 },
		};

		if ((!pointwise && conv_write_columns(g, op, &v, first, samples, why)) ||
		    gpu_product_run(g, &p, batch, why))
			return -1;
	}
	return conv_finish(g, op, &v, why);
}
