/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolutions of single channels in int8; see cpu_depthwise.h.
 *
 * A channel is copied with its padding, so that the results are those of all pixels in
 * order, including some between the lines, which are left out at the end. A quad here is
 * four neighboring bytes of a line, which four weights of a line of the kernel multiply.
 * With strides, the lines whose number is a multiple of the stride come first, then those
 * after them, and so on; and likewise the columns. So neighboring windows have neighboring
 * bytes there as well.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_depthwise.h"

/* The bytes that a kernel may read and write beyond the pixels, and those that are copied
 * at once, also beyond a row. */
enum { BEYOND = 256, COPIED = 16 };

/* The largest stride: with a larger one, the parts have more padding than pixels. */
enum { STEPS_MOST = 8 };

/* The columns of a part in a row: those of the input begin at `first`, the first of them
 * with byte `skip` of a line, and the others are padding. */
struct depth_column {
	int64_t first, skip, count;
};

/* The sizes of a convolution. */
struct depth_sizes {
	int64_t lines;        /* of the padded input that windows reach */
	int64_t pitch, part;  /* of the rows of a part of a channel; of the parts */
	int64_t pixels;       /* of the results, including those between the lines */
	size_t plane, bytes;  /* bytes: of a thread */
	int64_t width, steps; /* of the bytes of a line that are used; of the columns */
	struct depth_column column[STEPS_MOST];
};

/* The packed weight: the `own` of a convolution. */
struct packed_depth {
	struct cpu_depth_term *term;
	int64_t *begin; /* of each channel [channels + 1] */
	int32_t *sums;  /* of the weights of each channel */
};

bool cpu_is_depthwise(const struct backend_op *op)
{
	const struct backend_tensor *w = op->in[1];
	return w->size[1] == 1 && w->size[0] == op->p.conv.groups &&
	       op->p.conv.stride[0] <= STEPS_MOST && op->p.conv.stride[1] <= STEPS_MOST;
}

static struct depth_sizes sizes_of(const struct backend_op *op)
{
	const int64_t *stride = op->p.conv.stride, *out = op->out[0]->size + 2,
	              before = op->p.conv.before[1];
	int64_t reach[2];
	for (int i = 0; i < 2; i++)
		reach[i] = (out[i] - 1) * stride[i] +
		           (op->in[1]->size[2 + i] - 1) * op->p.conv.dilation[i] + 1;
	struct depth_sizes z = { .lines = reach[0] };
	z.pitch = (reach[1] + stride[1] - 1) / stride[1];
	z.part = (reach[0] + stride[0] - 1) / stride[0] * z.pitch + COPIED;
	z.pixels = (out[0] - 1) * z.pitch + out[1];
	z.plane = (size_t)(stride[0] * stride[1] * z.part) + BEYOND;
	z.bytes = (z.plane + (size_t)z.pixels + BEYOND + 63) / 64 * 64;
	z.width = cpu_max(0, cpu_min(op->in[0]->size[3], reach[1] - before));
	z.steps = stride[1];
	for (int64_t p = 0; p < z.steps; p++) {
		struct depth_column *c = &z.column[p];
		c->first = (cpu_max(0, before - p) + z.steps - 1) / z.steps;
		c->skip = c->first * z.steps + p - before;
		c->count = cpu_max(0, z.width - c->skip + z.steps - 1) / z.steps;
	}
	return z;
}

size_t cpu_depthwise_scratch(const struct backend_session *s, const struct backend_op *op)
{
	return sizes_of(op).bytes * (size_t)s->threads;
}

/* Returns where the byte of a line and a column of the padded input is. */
static int64_t place_of(
    const struct backend_op *op, const struct depth_sizes *z, int64_t line, int64_t column)
{
	const int64_t *stride = op->p.conv.stride;
	const int64_t part = line % stride[0] * stride[1] + column % stride[1];
	return part * z->part + line / stride[0] * z->pitch + column / stride[1];
}

/* Lists the terms of a line of a kernel, those of each part of the columns together. A
 * term takes four weights if its columns are neighbors. Returns the end of the list. */
static struct cpu_depth_term *line_pack(struct cpu_depth_term *to,
    const struct backend_op *op, const struct depth_sizes *z, const int8_t *w, int64_t ky)
{
	const int64_t width = op->in[1]->size[3], step = op->p.conv.dilation[1];
	for (int64_t part = 0; part < op->p.conv.stride[1]; part++) {
		int8_t weights[4];
		struct cpu_depth_term *term = NULL;
		for (int64_t kx = 0; kx < width; kx++) {
			if (kx * step % op->p.conv.stride[1] != part)
				continue;
			const int64_t at =
			    place_of(op, z, ky * op->p.conv.dilation[0], kx * step);
			if (!term || at - term->at >= 4) {
				term = to++;
				term->at = at;
				memset(weights, 0, sizeof(weights));
			}
			weights[at - term->at] = w[kx];
			memcpy(&term->weights, weights, sizeof(weights));
		}
	}
	return to;
}

/* Appends what the products of pairs of 16 bits do not hold of n terms. Returns the end of
 * the list. */
static struct cpu_depth_term *terms_split(struct cpu_depth_term *term, int64_t n)
{
	struct cpu_depth_term *end = term + n;
	for (int64_t i = 0; i < n; i++) {
		end->at = term[i].at;
		end += cpu_qtile_split(&term[i].weights, &end->weights);
	}
	return end;
}

/* Packs all channels. Returns false if there is no memory. */
static bool depth_pack(
    struct backend_session *s, const struct backend_op *op, struct packed_depth *own)
{
	const struct depth_sizes z = sizes_of(op);
	const int64_t channels = op->in[1]->size[0], kh = op->in[1]->size[2],
	              kw = op->in[1]->size[3];
	own->sums = cpu_qsums(s, cpu_i8(op->in[1]), channels, kh * kw);
	own->begin = cpu_alloc(s, (size_t)(channels + 1) * sizeof(*own->begin));
	/* Each weight is at most one term and a rest; the last split writes one more. */
	own->term = cpu_alloc(s, (size_t)(channels * kh * kw * 2 + 1) * sizeof(*own->term));
	if (!own->sums || !own->begin || !own->term)
		return false;
	struct cpu_depth_term *to = own->term;
	for (int64_t c = 0; c < channels; c++) {
		struct cpu_depth_term *first = to;
		own->begin[c] = to - own->term;
		for (int64_t ky = 0; ky < kh; ky++)
			to = line_pack(
			    to, op, &z, cpu_i8(op->in[1]) + (c * kh + ky) * kw, ky);
		if (!cpu_uses_vnni(s))
			to = terms_split(first, to - first);
	}
	own->begin[channels] = to - own->term;
	return true;
}

int cpu_depthwise_prepare(struct backend_session *s, struct backend_op *op, char *why)
{
	struct packed_depth *own = calloc(1, sizeof(*own));
	op->own = own;
	if (own && depth_pack(s, op, own))
		return 0;
	if (own)
		cpu_depthwise_release(s, op);
	return hook_fail(why, "out of memory for packed weights");
}

void cpu_depthwise_release(struct backend_session *s, struct backend_op *op)
{
	struct packed_depth *own = op->own;
	op->own = NULL;
	cpu_free(s, own->sums);
	cpu_free(s, own->begin);
	cpu_free(s, own->term);
	free(own);
}

/* Copies n bytes, and up to COPIED - 1 beyond them. */
static inline void bytes_copy(uint8_t *to, const uint8_t *from, int64_t n)
{
	for (int64_t i = 0; i < n; i += COPIED)
		memcpy(to + i, from + i, COPIED);
}

/* Lines of the input whose numbers differ by a stride, and the rows of the parts that hold
 * them. */
struct depth_lines {
	const uint8_t *x;
	uint8_t *to; /* the first row of the first part */
	int64_t count, apart, pitch;
};

/* Copies the bytes of each line to the rows of the columns' parts, and up to COPIED beyond
 * them. */
static void lines_spread(const struct cpu_quantizing *by, const struct depth_sizes *z,
    const struct depth_lines *lines)
{
	if (z->steps == 2) {
		const int odd = z->column[0].skip > 0;
		by->split_pairs(&(struct cpu_split){
		    .even = lines->to + odd * z->part + z->column[odd].first,
		    .odd = lines->to + !odd * z->part + z->column[!odd].first,
		    .x = lines->x,
		    .n = z->width,
		    .lines = lines->count,
		    .apart = lines->apart,
		    .pitch = lines->pitch });
		return;
	}
	for (int64_t p = 0; p < z->steps; p++) {
		const struct depth_column *c = &z->column[p];
		const uint8_t *x = lines->x + c->skip;
		uint8_t *to = lines->to + p * z->part + c->first;
		for (int64_t i = 0; i < lines->count;
		    i++, x += lines->apart, to += lines->pitch)
			if (z->steps == 1)
				bytes_copy(to, x, c->count);
			else
				for (int64_t k = 0; k < c->count; k++)
					to[k] = x[k * z->steps];
	}
}

/* Sets the padding before the first of the rows of a part, after the last one, and between
 * them: the bytes from the end of a row to the begin of the next one are neighbors. There
 * are few, so each of them is set in all rows. */
static void columns_pad(
    const struct depth_column *c, int64_t pitch, int64_t rows, uint8_t zero, uint8_t *to)
{
	const int64_t first = c->first, end = first + c->count, next = pitch + first,
	              last = (rows - 1) * pitch;
	for (int64_t i = 0; i < first; i++)
		to[i] = zero;
	for (int64_t i = end; i < next; i++)
		for (int64_t row = 0; row < last; row += pitch)
			to[row + i] = zero;
	for (int64_t i = end; i < pitch; i++)
		to[last + i] = zero;
}

/* Sets n bytes, and up to COPIED - 1 beyond them. */
static inline void bytes_set(uint8_t *to, int64_t n, uint8_t byte)
{
	for (int64_t i = 0; i < n; i += COPIED)
		memset(to + i, byte, COPIED);
}

/* Copies a channel with its padding. The parts of the lines whose number is the same modulo
 * the stride are filled together, and from their begin to their end, because a copy
 * writes beyond its row. */
static void plane_fill(const struct cpu_quantizing *by, const struct backend_op *op,
    const struct depth_sizes *z, const uint8_t *from, uint8_t zero, uint8_t *to)
{
	const int64_t height = op->in[0]->size[2], width = op->in[0]->size[3],
	              step = op->p.conv.stride[0], before = op->p.conv.before[0];
	for (int64_t phase = 0; phase < step; phase++, to += z->steps * z->part) {
		const int64_t rows = cpu_max(0, z->lines - phase + step - 1) / step;
		const int64_t first =
		    cpu_min(rows, cpu_max(0, before - phase + step - 1) / step);
		const int64_t until =
		    cpu_min(rows, cpu_max(0, height + before - phase + step - 1) / step);
		const int64_t used = cpu_max(0, until - first);
		const int64_t after = first + used;
		for (int64_t p = 0; p < z->steps; p++)
			bytes_set(to + p * z->part, first * z->pitch, zero);
		lines_spread(by, z,
		    &(struct depth_lines){
		        .x = from + (first * step + phase - before) * width,
		        .to = to + first * z->pitch,
		        .count = used,
		        .apart = step * width,
		        .pitch = z->pitch });
		for (int64_t p = 0; p < z->steps; p++) {
			uint8_t *part = to + p * z->part;
			if (used > 0)
				columns_pad(&z->column[p], z->pitch, used, zero,
				    part + first * z->pitch);
			bytes_set(part + after * z->pitch, (rows - after) * z->pitch, zero);
		}
	}
}

/* Copies the lines of the results. Bytes beyond a line are written again. */
static void lines_copy(
    uint8_t *to, const uint8_t *from, int64_t height, int64_t width, int64_t pitch)
{
	const uint8_t *end = to + height * width;
	for (int64_t y = 0; y < height; y++, to += width, from += pitch) {
		if (end - to < width + COPIED)
			memcpy(to, from, (size_t)width);
		else
			bytes_copy(to, from, width);
	}
}

void cpu_depthwise_run(struct backend_session *s, const struct backend_op *op,
    struct cpu_scale scale, const uint8_t *bytes, const struct cpu_rounding *to)
{
	const struct packed_depth *own = op->own;
	const struct depth_sizes z = sizes_of(op);
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	const int64_t channels = out->size[1], planes = out->size[0] * channels,
	              from = in->size[2] * in->size[3],
	              pixels = out->size[2] * out->size[3],
	              taps = op->in[1]->size[2] * op->in[1]->size[3];
	const struct cpu_quantizing *by = &s->isa->quantizing;
	cpu_depthwise *depthwise = cpu_uses_vnni(s) ? by->depthwise_vnni : by->depthwise;
#pragma omp parallel for num_threads(cpu_team(s, planes * pixels * taps / 16)) \
    schedule(static)
	for (int64_t i = 0; i < planes; i++) {
		const int64_t c = i % channels;
		uint8_t *x = (uint8_t *)s->scratch + z.bytes * (size_t)omp_get_thread_num();
		uint8_t *results = x + z.plane;
		const float each = scale.scale * cpu_f32(op->in[4])[c],
		            bias = op->in[2] ? cpu_f32(op->in[2])[c] : 0;
		plane_fill(by, op, &z, bytes + i * from, (uint8_t)scale.zero, x);
		depthwise(results, &(struct cpu_depth){ .x = x,
		                       .n = z.pixels,
		                       .term = own->term + own->begin[c],
		                       .terms = own->begin[c + 1] - own->begin[c],
		                       .by = { .zero = scale.zero * own->sums[c],
		                           .low = to->low,
		                           .high = to->high,
		                           .base = to->base,
		                           .scale = each / to->scale,
		                           .bias = bias / to->scale } });
		lines_copy(
		    to->q + i * pixels, results, out->size[2], out->size[3], z.pitch);
	}
}
