/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolutions with quantized weights; see cpu_qconv.h.
 *
 * The input is quantized once, to quads: the bytes of four channels at a pixel
 * (cpu_qtile.h), with the padding that the windows reach. With strides, a line has first
 * the pixels whose column is a multiple of the stride, then those one to their right, and
 * so on, so that neighboring windows have neighboring quads. In this order of elements, the
 * sums of a channel are a plane, like the result, and nothing is transposed. For each image
 * and group, the windows of a strip of pixels become a matrix [C/groups/4 KH KW, pixels] of
 * quads, by which the packed weights are multiplied. A kernel of one pixel without stride
 * or padding needs no such matrix. The threads share the strips and the channels of the
 * result.
 *
 * As in cpu_quantized.c, the sum of (q - z) w is that of q w minus z times the sum of w. In
 * the padding, q is z.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_qconv_priv.h"

/* The quads that are copied together, and those that are quantized together for a stride.
 */
enum { COPIED = 8, SPREAD = 64 };

/* The parts of the scratch memory. */
struct conv_room {
	uint32_t *quads; /* [N][groups][quads][plane] */
	char *threads;   /* for each thread, a matrix and sums */
	size_t thread_bytes, bytes;
};

static int64_t count_parts(int64_t n, int64_t each)
{
	return (n + each - 1) / each;
}

/* Returns the lines or columns of the padded input that all windows reach. */
static int64_t window_reach(const struct backend_op *op, int axis)
{
	return (op->out[0]->size[2 + axis] - 1) * op->p.conv.stride[axis] +
	       (op->in[1]->size[2 + axis] - 1) * op->p.conv.dilation[axis] + 1;
}

struct conv_sizes cpu_conv_sizes(
    const struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0], *w = op->in[1], *out = op->out[0];
	struct conv_sizes c = { .groups = op->p.conv.groups, .channels = w->size[1] };
	c.outs = w->size[0] / c.groups;
	c.quads = count_parts(c.channels, 4);
	c.taps = w->size[2] * w->size[3];
	c.depth = c.quads * c.taps;
	c.panels = count_parts(c.outs, QTILE_ROWS);
	c.in_pixels = in->size[2] * in->size[3];
	c.pixels = out->size[2] * out->size[3];
	c.vectors = count_parts(c.pixels, QTILE_VECTOR);
	c.strips = count_parts(c.vectors, QTILE_PIXELS / QTILE_VECTOR);
	/* Few strips would leave threads without work. */
	c.parts = out->size[0] * c.groups * c.strips < 8 * s->threads
	              ? cpu_min(s->threads, c.panels)
	              : 1;
	c.direct = c.taps == 1;
	for (int i = 0; i < 2; i++)
		c.direct = c.direct && op->p.conv.stride[i] == 1 &&
		           op->p.conv.before[i] == 0 && op->p.conv.after[i] == 0;
	c.lines = window_reach(op, 0);
	c.part = count_parts(window_reach(op, 1), op->p.conv.stride[1]);
	c.line = c.part * op->p.conv.stride[1];
	c.plane = c.lines * c.line;
	return c;
}

static size_t whole_lines(size_t bytes)
{
	return (bytes + 63) / 64 * 64;
}

static struct conv_room conv_room_of(const struct backend_session *s,
    const struct backend_op *op, const struct conv_sizes *c)
{
	/* The last strip may read beyond the quads, and the last row of a matrix is written
	 * beyond its end. */
	const size_t quads = whole_lines(
	    (size_t)(op->in[0]->size[0] * c->groups * c->quads * c->plane + QTILE_PIXELS) *
	    sizeof(uint32_t));
	const int64_t matrix = c->direct ? 0 : c->depth * QTILE_PIXELS + COPIED;
	struct conv_room room = { .quads = s->scratch };
	room.threads = (char *)s->scratch + quads;
	room.thread_bytes =
	    whole_lines((size_t)(matrix + QTILE_ROWS * QTILE_PIXELS) * sizeof(uint32_t));
	room.bytes = quads + room.thread_bytes * (size_t)s->threads;
	return room;
}

size_t cpu_qconv_scratch(const struct backend_session *s, const struct backend_op *op)
{
	const struct conv_sizes c = cpu_conv_sizes(s, op);
	return conv_room_of(s, op, &c).bytes;
}

static void quads_fill(uint32_t *to, int64_t n, uint32_t quad)
{
	for (int64_t i = 0; i < n; i++)
		to[i] = quad;
}

/* Four channels of the input, as numbers or as bytes, and how they are quantized. */
struct channels {
	struct cpu_scale scale;
	const float *x[4];
	const uint8_t *q[4]; /* NULL: numbers */
};

/* Quantizes n pixels of four channels, from `at` on. Returns whether they are numbers. */
static bool quads_store(const struct backend_session *s, const struct channels *from,
    int64_t at, int64_t n, uint32_t *to)
{
	const struct cpu_quantizing *by = &s->isa->quantizing;
	const struct cpu_scale *scale = &from->scale;
	const float zero = (float)scale->zero;
	if (from->q[0]) {
		by->join_quads(to,
		    (const uint8_t *const[4]){ from->q[0] + at, from->q[1] + at,
		        from->q[2] + at, from->q[3] + at },
		    n);
		return true;
	}
	const float *const x[4] = { from->x[0] + at, from->x[1] + at, from->x[2] + at,
		from->x[3] + at };
	return scale->inverse > 0 ? by->store_multiples(to, x, n, scale->inverse, zero)
	                          : by->store_quads(to, x, n, scale->scale, zero);
}

/* Copies the first of every `step` quads. */
static inline void quads_take(uint32_t *to, const uint32_t *from, int64_t n, int64_t step)
{
	for (int64_t i = 0; i < n; i += step)
		*to++ = from[i];
}

/* Quantizes n pixels, from `pixel` on, to the parts of a line, from column `at` on. Returns
 * whether they are numbers. */
static bool line_spread(const struct backend_session *s, const struct conv_sizes *c,
    const struct channels *from, int64_t pixel, int64_t n, int64_t at, uint32_t *to)
{
	const int64_t step = c->line / c->part;
	uint32_t quad[SPREAD];
	bool fine = true;
	for (int64_t x = 0, most; x < n; x += most) {
		most = cpu_min(SPREAD, n - x);
		fine = quads_store(s, from, pixel + x, most, quad) && fine;
		for (int64_t first = 0; first < cpu_min(step, most); first++) {
			const int64_t column = at + x + first;
			uint32_t *place = to + column % step * c->part + column / step;
			if (step == 2)
				quads_take(place, quad + first, most - first, 2);
			else
				quads_take(place, quad + first, most - first, step);
		}
	}
	return fine;
}

/* Returns whether any window has a line of the padded input. */
static bool line_is_used(const struct backend_op *op, int64_t y)
{
	for (int64_t ky = 0; ky < op->in[1]->size[2]; ky++)
		if ((y - ky * op->p.conv.dilation[0]) % op->p.conv.stride[0] == 0)
			return true;
	return false;
}

/* Quantizes a plane of the input, of four channels. Returns whether it has only numbers. */
static bool plane_quantize(const struct backend_session *s, const struct backend_op *op,
    const struct conv_sizes *c, const struct channels *from, uint32_t *to)
{
	const int64_t height = op->in[0]->size[2], width = op->in[0]->size[3],
	              before = op->p.conv.before[1], n = cpu_min(width, c->line - before);
	const uint32_t padding = (uint32_t)from->scale.zero * UINT32_C(0x01010101);
	bool fine = true;
	if (c->direct)
		return quads_store(s, from, 0, c->in_pixels, to);
	for (int64_t line = 0; line < c->lines; line++, to += c->line) {
		const int64_t y = line - op->p.conv.before[0];
		if (!line_is_used(op, line))
			continue;
		if (y < 0 || y >= height || n <= 0) {
			quads_fill(to, c->line, padding);
			continue;
		}
		if (c->line > c->part) {
			quads_fill(to, c->line, padding);
			fine = line_spread(s, c, from, y * width, n, before, to) && fine;
			continue;
		}
		quads_fill(to, before, padding);
		fine = quads_store(s, from, y * width, n, to + before) && fine;
		quads_fill(to + before + n, c->line - before - n, padding);
	}
	return fine;
}

bool cpu_qconv_store(const struct backend_session *s, const struct backend_op *op,
    struct cpu_scale scale, const uint8_t *bytes)
{
	const struct conv_sizes c = cpu_conv_sizes(s, op);
	const int64_t rows = op->in[0]->size[0] * c.groups * c.quads;
	const float *x = cpu_f32(op->in[0]);
	uint32_t *to = s->scratch;
	bool fine = true;
	/* clang-format off */
#pragma omp parallel for num_threads(cpu_team(s, rows * c.in_pixels / 2)) schedule(static) \
	reduction(&& : fine)
	/* clang-format on */
	for (int64_t r = 0; r < rows; r++) {
		struct channels from = { .scale = scale };
		/* The weights of missing channels are zero. */
		for (int64_t i = 0; i < 4; i++) {
			int64_t in_group = cpu_min(r % c.quads * 4 + i, c.channels - 1);
			int64_t at = (r / c.quads * c.channels + in_group) * c.in_pixels;
			from.x[i] = x + at;
			from.q[i] = bytes ? bytes + at : NULL;
		}
		fine = plane_quantize(s, op, &c, &from, to + r * c.plane) && fine;
	}
	return fine;
}

/* The pixels of a strip. */
struct strip {
	int64_t first, vectors, count;
};

/* Quads that are copied together to a row of the matrix: their places there and after the
 * kernel's position in the first window. */
struct copied {
	int64_t to, from;
};

/* Lists what is copied to each row of a strip's matrix. Returns its length. */
static int64_t copies_list(struct copied copy[QTILE_PIXELS], const struct backend_op *op,
    const struct conv_sizes *c, const struct strip *strip)
{
	const int64_t width = op->out[0]->size[3], apart = op->p.conv.stride[0] * c->line;
	int64_t column = strip->first % width, from = strip->first / width * apart, n = 0;
	for (int64_t to = 0, len; to < strip->count; to += len, column = 0) {
		len = cpu_min(width - column, strip->count - to);
		for (int64_t i = 0; i < len; i += COPIED)
			copy[n++] =
			    (struct copied){ .to = to + i, .from = from + column + i };
		from += apart;
	}
	return n;
}

/* Fills the matrix of a strip. Writes up to COPIED - 1 quads beyond each row. */
static void matrix_fill(uint32_t *to, const uint32_t *x, const struct backend_op *op,
    const struct conv_sizes *c, const struct strip *strip)
{
	const int64_t kh = op->in[1]->size[2], kw = op->in[1]->size[3],
	              step = op->p.conv.stride[1];
	struct copied copy[QTILE_PIXELS];
	const int64_t copies = copies_list(copy, op, c, strip);
	for (int64_t q = 0; q < c->quads; q++, x += c->plane)
		for (int64_t ky = 0; ky < kh; ky++) {
			const uint32_t *line = x + ky * op->p.conv.dilation[0] * c->line;
			for (int64_t kx = 0; kx < kw; kx++, to += QTILE_PIXELS) {
				const int64_t column = kx * op->p.conv.dilation[1];
				const uint32_t *from =
				    line + column % step * c->part + column / step;
				for (int64_t i = 0; i < copies; i++)
					memcpy(to + copy[i].to, from + copy[i].from,
					    COPIED * sizeof(*to));
			}
		}
}

/* A run of a convolution. */
struct conv_run {
	const struct backend_session *s;
	const struct backend_op *op;
	struct conv_sizes sizes;
	struct cpu_scale scale;
	const struct cpu_rounding *to; /* or NULL */
};

/* Writes the results of a tile, of the channels from `o` on. */
static void tile_finish(const struct conv_run *run, const struct strip *strip,
    int64_t image, int64_t o, int64_t count, const int32_t *sum)
{
	const struct backend_op *op = run->op;
	const struct cpu_isa *isa = run->s->isa;
	const struct conv_sizes *c = &run->sizes;
	const int32_t *sums = ((const struct packed_conv *)op->own)->sums;
	for (int64_t r = 0; r < count; r++, o++, sum += QTILE_PIXELS) {
		const int64_t at =
		    (image * c->groups * c->outs + o) * c->pixels + strip->first;
		const int32_t zero = run->scale.zero * sums[o];
		const float scale = run->scale.scale * cpu_f32(op->in[4])[o],
		            bias = op->in[2] ? cpu_f32(op->in[2])[o] : 0;
		if (run->to) {
			const struct cpu_rounding *to = run->to;
			isa->quantizing.finish_bytes(to->q + at, strip->count,
			    &(struct cpu_finish_bytes){ sum, zero, to->low, to->high,
			        to->base, scale / to->scale, bias / to->scale });
			continue;
		}
		float *out = cpu_f32(op->out[0]) + at;
		isa->quantizing.finish_channel(out, strip->count,
		    &(struct cpu_finish_channel){ sum, zero, scale, bias,
		        op->in[3] ? cpu_f32(op->in[3]) + at : NULL });
		isa->act[CPU_FLOAT32](out, strip->count, op->act);
	}
}

/* Computes a part of the channels of a strip, of an image and a group. */
static void strip_run(const struct conv_run *run, int64_t item)
{
	const struct backend_op *op = run->op;
	const struct conv_sizes *c = &run->sizes;
	const struct packed_conv *own = op->own;
	const struct conv_room room = conv_room_of(run->s, op, c);
	const int64_t part = item % c->parts, number = item / c->parts % c->strips,
	              plane = item / c->parts / c->strips, group = plane % c->groups;
	struct strip strip = { .first = c->vectors * number / c->strips };
	strip.vectors = c->vectors * (number + 1) / c->strips - strip.first;
	strip.first *= QTILE_VECTOR;
	strip.count = cpu_min(strip.vectors * QTILE_VECTOR, c->pixels - strip.first);
	int32_t *sum = (int32_t *)(void *)(room.threads + room.thread_bytes *
	                                                      (size_t)omp_get_thread_num());
	uint32_t *matrix = (uint32_t *)sum + QTILE_ROWS * QTILE_PIXELS;
	const uint32_t *x = room.quads + plane * c->quads * c->plane;
	if (!c->direct)
		matrix_fill(matrix, x, op, c, &strip);
	struct cpu_qtile tile = { .depth = c->depth,
		.vectors = strip.vectors,
		.x = c->direct ? x + strip.first : matrix,
		.ldx = c->direct ? c->plane : QTILE_PIXELS,
		.sum = sum };
	for (int64_t p = c->panels * part / c->parts; p < c->panels * (part + 1) / c->parts;
	    p++) {
		const int64_t panel = group * c->panels + p;
		tile.w = own->panels + panel * c->depth * own->words * QTILE_ROWS;
		tile.rows = cpu_min(QTILE_ROWS, c->outs - p * QTILE_ROWS);
		if (own->rest) {
			tile.rest = own->rest + own->rest_begin[panel];
			tile.rests = own->rest_begin[panel + 1] - own->rest_begin[panel];
		}
		own->run(&tile);
		tile_finish(run, &strip, plane / c->groups,
		    group * c->outs + p * QTILE_ROWS, tile.rows, sum);
	}
}

void cpu_qconv_multiply(struct backend_session *s, const struct backend_op *op,
    struct cpu_scale scale, const struct cpu_rounding *to)
{
	const struct conv_run run = { s, op, cpu_conv_sizes(s, op), scale, to };
	const struct conv_sizes *c = &run.sizes;
	const int64_t items = op->out[0]->size[0] * c->groups * c->strips * c->parts;
	/* Neighbors are parts of one strip, which take equally long. */
#pragma omp parallel for num_threads(cpu_team(s, cpu_count(op->out[0]) * c->depth / 16)) \
    schedule(static, 1)
	for (int64_t i = 0; i < items; i++)
		strip_run(&run, i);
}

int cpu_qconv(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)why;
	const struct cpu_scale scale = cpu_activations_scale(s, op->in[0]);
	cpu_qconv_store(s, op, scale, NULL);
	cpu_qconv_multiply(s, op, scale, NULL);
	return 0;
}
