/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs operations on images with channels last; see gpu_channels.h. Only types of 16 bits
 * are stored so, and they are computed in float.
 */
#include "gpu_call.h"
#include "gpu_channels.h"
#include "gpu_layout.h"

int gpu_channels_transpose(struct gpu *g, const struct gpu_transpose *t,
    struct gpu_place out, struct gpu_place in, char *why)
{
	enum { SIDE = 32 }; /* of a tile */
	const bool few =
	    t->padded == GPU_VECTOR && t->out_ld == GPU_VECTOR && out.at % GPU_VECTOR == 0;
	const int64_t tiles_row = (t->padded + SIDE - 1) / SIDE;
	const int64_t tiles_column = (t->columns + SIDE - 1) / SIDE;
	const int64_t tiles = t->count * tiles_row * tiles_column;
	struct gpu_call c = gpu_call_begin(g,
	    gpu_kernel_of("channels", few ? "transpose_few" : "transpose", t->dtype),
	    few ? t->count * t->columns : tiles, why);

	gpu_call_buffer(&c, out.buffer, out.at);
	gpu_call_buffer(&c, in.buffer, in.at);
	GPU_CALL_INTS(&c, t->rows, t->columns, t->in_ld);
	if (few)
		return gpu_call_each(&c, 1, why);
	GPU_CALL_INTS(&c, t->out_ld, t->padded, tiles_row, tiles_column);
	return gpu_call_go(&c, tiles, gpu_group(g), why);
}

int gpu_channels_fold(struct gpu *g, const struct gpu_fold *f,
    const struct backend_tensor *x, void *out, int64_t out_at, char *why)
{
	const int64_t vectors = f->padded / GPU_VECTOR;
	struct gpu_call c = gpu_call_begin(g, gpu_kernel_of("channels", "fold", x->dtype),
	    f->count * f->blocks_y * f->blocks_x * vectors, why);

	gpu_call_buffer(&c, out, out_at);
	gpu_call_tensor(&c, x);
	GPU_CALL_INTS(&c, vectors, f->channels, f->height, f->width, f->before_y,
	    f->before_x, f->fold_y, f->fold_x, f->blocks_y, f->blocks_x);
	return gpu_call_each(&c, 1, why);
}

/* Begins a call with a work-item for each vector of out. Its first arguments are out, the
 * inputs, and the number of vectors of a pixel. */
static struct gpu_call call_begin_channels(
    struct gpu *g, const char *name, const struct backend_op *op, size_t ins, char *why)
{
	const struct backend_tensor *out = op->out[0];
	struct gpu_call c = gpu_call_begin(g, gpu_kernel_of("channels", name, out->dtype),
	    gpu_tensor_elements(out) / GPU_VECTOR, why);

	gpu_call_tensor(&c, out);
	for (size_t i = 0; i < ins; i++)
		gpu_call_tensor(&c, op->in[i]);
	gpu_call_int(&c, out->size[1] / GPU_VECTOR);
	return c;
}

int gpu_channels_pool(struct gpu *g, const struct backend_op *op, char *why)
{
	const int64_t *x = op->in[0]->size, *y = op->out[0]->size;
	struct gpu_call c = call_begin_channels(g, "pool_channels", op, 1, why);

	GPU_CALL_INTS(&c, x[2], x[3], y[2], y[3], op->p.pool.kernel[0],
	    op->p.pool.kernel[1], op->p.pool.stride[0], op->p.pool.stride[1],
	    op->p.pool.before[0], op->p.pool.before[1], op->p.pool.average);
	return gpu_call_each(&c, 1, why);
}

int gpu_channels_resize(struct gpu *g, const struct backend_op *op, char *why)
{
	const int64_t *x = op->in[0]->size, *y = op->out[0]->size;
	struct gpu_call c = call_begin_channels(g, "resize_channels", op, 1, why);

	GPU_CALL_INTS(&c, x[2], x[3], y[2], y[3], op->p.resize.bilinear);
	return gpu_call_each(&c, 1, why);
}

int gpu_channels_add(struct gpu *g, const struct backend_op *op, char *why)
{
	const int64_t *size = op->out[0]->size;
	struct gpu_call c = call_begin_channels(g, "binary_channels", op, 2, why);

	GPU_CALL_INTS(
	    &c, size[2] * size[3], gpu_tensor_elements(op->in[1]), op->p.element.multiply);
	gpu_call_real(&c, op->p.element.alpha);
	gpu_call_int(&c, op->act);
	return gpu_call_each(&c, 1, why);
}

int gpu_channels_finish(struct gpu *g, const struct backend_op *op,
    const struct gpu_matrices *out, const struct backend_tensor *other,
    const struct gpu_matrices *other_shape, char *why)
{
	const struct backend_tensor *t = op->out[0], *bias = op->in[2];
	const int64_t all = t->offset | out->columns | out->ld | (bias ? bias->offset : 0) |
	                    (other ? other->offset | other_shape->ld : 0);
	const int64_t vectors = out->columns / GPU_VECTOR;

	if (all % GPU_VECTOR || out->batch != 1 ||
	    (bias && gpu_tensor_elements(bias) != out->columns))
		return 1;
	struct gpu_call c = gpu_call_begin(g,
	    gpu_kernel_of("channels", "finish_rows", t->dtype), out->rows * vectors, why);

	gpu_call_tensor(&c, t);
	gpu_call_tensor(&c, bias);
	gpu_call_tensor(&c, other);
	GPU_CALL_INTS(&c, vectors, out->ld, other_shape->ld, op->act);
	return gpu_call_each(&c, 1, why);
}

/* The parts of a groupnorm: the channels in segments of whole groups and vectors, and the
 * pixels in parts, so that many groups of work-items share a sample. */
struct norm_parts {
	int64_t segments, parts, part_pixels, lanes, share, groups, work_groups;
};

/* Returns whether the channels of a groupnorm can be divided so. */
static bool norm_divide(struct gpu *g, const struct backend_op *op, struct norm_parts *to)
{
	enum { EACH = 8, PARTS = 64 }; /* vectors of a work-item; the most parts */
	const struct backend_tensor *x = op->in[0];
	const int64_t channels = x->size[1], pixels = x->size[2] * x->size[3];
	const int64_t most = (int64_t)gpu_group(g) * GPU_VECTOR;
	struct norm_parts p = { .segments = 1, .share = channels / op->p.norm.groups };

	while (p.segments <= op->p.norm.groups &&
	       (channels / p.segments > most || op->p.norm.groups % p.segments ||
	           channels / p.segments % GPU_VECTOR))
		p.segments++;
	if (op->p.norm.groups / p.segments < 1 ||
	    op->p.norm.groups / p.segments > gpu_group(g) / 2)
		return false;
	p.lanes = channels / p.segments / GPU_VECTOR;
	p.groups = op->p.norm.groups / p.segments;
	const int64_t at_once = gpu_group(g) / p.lanes;
	p.part_pixels = at_once * EACH;
	if (p.part_pixels * PARTS < pixels)
		p.part_pixels = (pixels + PARTS - 1) / PARTS;
	p.parts = (pixels + p.part_pixels - 1) / p.part_pixels;
	p.work_groups = x->size[0] * p.segments * p.parts;
	*to = p;
	return true;
}

bool gpu_channels_has_groupnorm(struct gpu *g, const struct backend_op *op)
{
	struct norm_parts p;

	return norm_divide(g, op, &p);
}

int gpu_channels_groupnorm(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0];
	struct norm_parts p = { 0 };
	const int64_t pixels = x->size[2] * x->size[3];
	size_t at, used = 0;

	norm_divide(g, op, &p);
	gpu_room_take(
	    g, (size_t)(p.work_groups * p.groups * 2) * sizeof(float), &at, &used);
	struct gpu_call c = gpu_call_begin(
	    g, gpu_kernel_of("channels", "groupnorm_sums", x->dtype), p.work_groups, why);
	gpu_call_buffer(&c, g->room, (int64_t)(at / sizeof(float)));
	gpu_call_tensor(&c, x);
	GPU_CALL_INTS(
	    &c, x->size[1], pixels, p.segments, p.parts, p.part_pixels, p.lanes, p.share);
	if (gpu_call_go(&c, p.work_groups, gpu_group(g), why))
		return -1;
	c = gpu_call_begin(
	    g, gpu_kernel_of("channels", "groupnorm_apply", x->dtype), p.work_groups, why);
	gpu_call_tensor(&c, op->out[0]);
	for (size_t i = 0; i < 3; i++)
		gpu_call_tensor(&c, op->in[i]);
	gpu_call_buffer(&c, g->room, (int64_t)(at / sizeof(float)));
	GPU_CALL_INTS(
	    &c, x->size[1], pixels, p.segments, p.parts, p.part_pixels, p.lanes, p.share);
	gpu_call_real(&c, op->p.norm.eps);
	gpu_call_int(&c, op->act);
	return gpu_call_go(&c, p.work_groups, gpu_group(g), why);
}
