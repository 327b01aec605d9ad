/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolutions with quantized weights; see cpu_qconv.h.
 *
 * The input is quantized once, to quads: the bytes of four channels at a pixel
 * (cpu_qtile.h), with the padding that the windows reach. With strides, a line has first
 * the pixels whose column is a multiple of the stride, then those one to their right, and
 * so on, so that neighboring windows have neighboring quads. In this order of elements, the
 * sums of a channel are a plane, like the result, and nothing is transposed. For each image
 * and group, the packed weights are multiplied by the windows of a strip of pixels: a
 * matrix [C/groups/4 KH KW, pixels] of quads. If no vector of the strip has pixels of two
 * lines, its rows are read where they are, each at the same distance from the first window:
 * the matrix would take a tenth of the time of 64 channels. Otherwise they are copied. The
 * threads share the strips and the channels of the result.
 *
 * As in cpu_quantized.c, the sum of (q - z) w is that of q w minus z times the sum of w. In
 * the padding, q is z.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_qconv_priv.h"

/* The quads that are quantized together for a stride. */
enum { SPREAD = 64 };

/* The parts of the scratch memory. The arrays for channels have QTILE_ROWS more. */
struct conv_room {
	uint32_t *quads; /* [N][groups][quads][plane] */
	/* Where the quads of a window are, counted from that of its first pixel, and the
	 * rows of a matrix [depth]. */
	int64_t *window, *row;
	int32_t *first;      /* what the sums of a channel begin with */
	float *scale, *bias; /* of a channel: those of the rounded result, if it is */
	char *threads;       /* for each thread, a matrix and sums */
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
	c.strips = c.vectors == QTILE_VECTORS ? 1 : count_parts(c.vectors, QTILE_STRIP);
	/* Few strips would leave threads without work. */
	c.parts = out->size[0] * c.groups * c.strips < 8 * s->threads
	              ? cpu_min(s->threads, c.panels)
	              : 1;
	c.direct = c.taps == 1;
	for (int i = 0; i < 2; i++)
		c.direct = c.direct && op->p.conv.stride[i] == 1 &&
		           op->p.conv.before[i] == 0 && op->p.conv.after[i] == 0;
	c.in_place = c.direct || out->size[3] % QTILE_VECTOR == 0;
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

/* Returns the next part of the scratch memory, and moves *at to its end. */
static void *room_take(char **at, size_t bytes)
{
	void *part = *at;
	*at += whole_lines(bytes);
	return part;
}

static struct conv_room conv_room_of(const struct backend_session *s,
    const struct backend_op *op, const struct conv_sizes *c)
{
	const size_t channels = (size_t)(c->groups * c->outs + QTILE_ROWS);
	/* The last row of a matrix is written beyond its end. */
	const int64_t matrix = c->in_place ? 0 : c->depth * QTILE_PIXELS + QTILE_VECTOR;
	char *at = s->scratch;
	struct conv_room room;
	/* The last strip may read beyond the quads. */
	room.quads = room_take(&at,
	    (size_t)(op->in[0]->size[0] * c->groups * c->quads * c->plane + QTILE_PIXELS) *
	        sizeof(*room.quads));
	room.window = room_take(&at, (size_t)c->depth * sizeof(*room.window));
	room.row = room_take(&at, (size_t)c->depth * sizeof(*room.row));
	room.first = room_take(&at, channels * sizeof(*room.first));
	room.scale = room_take(&at, channels * sizeof(*room.scale));
	room.bias = room_take(&at, channels * sizeof(*room.bias));
	room.threads = at;
	room.thread_bytes =
	    whole_lines((size_t)(matrix + QTILE_ROWS * QTILE_PIXELS) * sizeof(uint32_t));
	room.bytes =
	    (size_t)(at - (char *)s->scratch) + room.thread_bytes * (size_t)s->threads;
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

/* A run of a convolution. */
struct conv_run {
	const struct backend_session *s;
	const struct backend_op *op;
	struct conv_sizes sizes;
	struct conv_room room;
	struct cpu_scale scale;
	const struct cpu_rounding *to; /* or NULL */
};

/* Finds the quads of a window, and the rows of a matrix. */
static void depths_list(const struct conv_run *run)
{
	const struct backend_op *op = run->op;
	const struct conv_sizes *c = &run->sizes;
	const int64_t width = op->in[1]->size[3], step = op->p.conv.stride[1];
	for (int64_t tap = 0; tap < c->taps; tap++) {
		const int64_t line = tap / width * op->p.conv.dilation[0],
		              column = tap % width * op->p.conv.dilation[1];
		for (int64_t q = 0, d = tap; q < c->quads; q++, d += c->taps) {
			run->room.row[d] = d * QTILE_PIXELS;
			run->room.window[d] = q * c->plane + line * c->line +
			                      column % step * c->part + column / step;
		}
	}
}

/* Finds how the sums of all channels begin, and how they are finished. */
static void channels_list(const struct conv_run *run)
{
	const struct backend_op *op = run->op;
	const int32_t *sums = ((const struct packed_conv *)op->own)->sums;
	const float *scales = cpu_f32(op->in[4]),
	            *bias = op->in[2] ? cpu_f32(op->in[2]) : NULL;
	const float to = run->to ? run->to->scale : 1;
	for (int64_t o = 0; o < op->in[1]->size[0]; o++) {
		run->room.first[o] = -run->scale.zero * sums[o];
		run->room.scale[o] = run->scale.scale * scales[o] / to;
		run->room.bias[o] = bias ? bias[o] / to : 0;
	}
}

/* The pixels of a strip. */
struct strip {
	int64_t first, vectors, count;
};

/* Returns the place of the first quad of the window of a pixel. */
static int64_t place_of(const struct conv_run *run, int64_t pixel)
{
	const int64_t width = run->op->out[0]->size[3];
	return pixel / width * run->op->p.conv.stride[0] * run->sizes.line + pixel % width;
}

/* Lists what is copied to each row of a strip's matrix. Returns its length. */
static int64_t copies_list(struct cpu_qcopy copy[QTILE_PIXELS], const struct conv_run *run,
    const struct strip *strip)
{
	const int64_t width = run->op->out[0]->size[3];
	int64_t n = 0;
	for (int64_t to = 0, most; to < strip->count; to += most) {
		const int64_t pixel = strip->first + to;
		most = cpu_min(width - pixel % width, strip->count - to);
		most = cpu_min(most, QTILE_VECTOR);
		copy[n++] = (struct cpu_qcopy){ .to = to, .from = place_of(run, pixel) };
	}
	return n;
}

/* Fills the matrix of a strip. Writes up to QTILE_VECTOR - 1 quads beyond each row. */
static void matrix_fill(
    const struct conv_run *run, const struct strip *strip, const uint32_t *x, uint32_t *to)
{
	struct cpu_qcopy copy[QTILE_PIXELS];
	const int64_t copies = copies_list(copy, run, strip);
	for (int64_t d = 0; d < run->sizes.depth; d++, to += QTILE_PIXELS)
		run->s->isa->quantizing.gather(to, x + run->room.window[d], copy, copies);
}

/* Sets where a tile reads the quads of a strip: in a plane, or in a matrix. */
static void tile_place(struct cpu_qtile *tile, const struct conv_run *run,
    const struct strip *strip, const uint32_t *x, uint32_t *matrix)
{
	const bool in_place = run->sizes.in_place;
	tile->at = in_place ? run->room.window : run->room.row;
	for (int64_t v = 0; v < strip->vectors; v++)
		tile->x[v] = in_place ? x + place_of(run, strip->first + v * QTILE_VECTOR)
		                      : matrix + v * QTILE_VECTOR;
	if (!in_place)
		matrix_fill(run, strip, x, matrix);
}

/* Returns how the results of a strip are finished, of the channels from `o` on. */
static struct cpu_qfinish finish_of(
    const struct conv_run *run, const struct strip *strip, int64_t image, int64_t o)
{
	const struct backend_op *op = run->op;
	const struct conv_sizes *c = &run->sizes;
	const int64_t at = (image * c->groups * c->outs + o) * c->pixels + strip->first;
	struct cpu_qfinish f = { .scale = run->room.scale + o,
		.bias = run->room.bias + o,
		.row = c->pixels,
		.count = strip->count };
	if (run->to) {
		f.bytes = run->to->q + at;
		f.low = run->to->low;
		f.high = run->to->high;
		f.base = run->to->base;
		return f;
	}
	f.numbers = cpu_f32(op->out[0]) + at;
	f.residual = op->in[3] ? cpu_f32(op->in[3]) + at : NULL;
	f.relu = op->act == BACKEND_RELU;
	return f;
}

/* Finishes rows of sums, without the activation. */
static void rows_finish(const struct conv_run *run, const struct cpu_qfinish *f,
    int64_t rows, const int32_t *sum)
{
	const struct cpu_quantizing *by = &run->s->isa->quantizing;
	for (int64_t r = 0, at = 0; r < rows; r++, at += f->row, sum += QTILE_PIXELS)
		if (f->bytes)
			by->finish_bytes(f->bytes + at, f->count,
			    &(struct cpu_finish_bytes){ sum, 0, f->low, f->high, f->base,
			        f->scale[r], f->bias[r] });
		else
			by->finish_channel(f->numbers + at, f->count,
			    &(struct cpu_finish_channel){ sum, f->scale[r], f->bias[r],
			        f->residual ? f->residual + at : NULL });
}

/* Applies the activation to rows of numbers. */
static void rows_act(const struct conv_run *run, const struct cpu_qfinish *f, int64_t rows)
{
	const enum backend_act act = run->op->act;
	for (int64_t r = 0; r < rows && act != BACKEND_LINEAR; r++)
		run->s->isa->act[CPU_FLOAT32](f->numbers + r * f->row, f->count, act);
}

/* Computes a panel of the channels of a strip. */
static void panel_run(const struct conv_run *run, const struct strip *strip,
    struct cpu_qtile *tile, int64_t plane, int64_t p)
{
	const struct conv_sizes *c = &run->sizes;
	const struct packed_conv *own = run->op->own;
	const int64_t group = plane % c->groups, panel = group * c->panels + p,
	              o = group * c->outs + p * QTILE_ROWS;
	const struct cpu_qfinish finish = finish_of(run, strip, plane / c->groups, o);
	tile->w = own->panels + panel * c->depth * own->words * QTILE_ROWS;
	tile->rows = cpu_min(QTILE_ROWS, c->outs - p * QTILE_ROWS);
	tile->first = run->room.first + o;
	if (own->rest) {
		tile->rest = own->rest + own->rest_begin[panel];
		tile->rests = own->rest_begin[panel + 1] - own->rest_begin[panel];
	}
	tile->finish = own->finishes ? &finish : NULL;
	own->run(tile);
	if (!own->finishes)
		rows_finish(run, &finish, tile->rows, tile->sum);
	if (!run->to && !(own->finishes && finish.relu))
		rows_act(run, &finish, tile->rows);
}

/* Computes a part of the channels of a strip, of an image and a group. */
static void strip_run(const struct conv_run *run, int64_t item)
{
	const struct conv_sizes *c = &run->sizes;
	const int64_t part = item % c->parts, number = item / c->parts % c->strips,
	              plane = item / c->parts / c->strips;
	struct strip strip = { .first = c->vectors * number / c->strips };
	strip.vectors = c->vectors * (number + 1) / c->strips - strip.first;
	strip.first *= QTILE_VECTOR;
	strip.count = cpu_min(strip.vectors * QTILE_VECTOR, c->pixels - strip.first);
	int32_t *sum =
	    (int32_t *)(void *)(run->room.threads +
	                        run->room.thread_bytes * (size_t)omp_get_thread_num());
	struct cpu_qtile tile = { .depth = c->depth, .vectors = strip.vectors, .sum = sum };
	tile_place(&tile, run, &strip, run->room.quads + plane * c->quads * c->plane,
	    (uint32_t *)sum + QTILE_ROWS * QTILE_PIXELS);
	for (int64_t p = c->panels * part / c->parts; p < c->panels * (part + 1) / c->parts;
	    p++)
		panel_run(run, &strip, &tile, plane, p);
}

void cpu_qconv_multiply(struct backend_session *s, const struct backend_op *op,
    struct cpu_scale scale, const struct cpu_rounding *to)
{
	struct conv_run run = {
		.s = s, .op = op, .sizes = cpu_conv_sizes(s, op), .scale = scale, .to = to
	};
	const struct conv_sizes *c = &run.sizes;
	const int64_t items = op->out[0]->size[0] * c->groups * c->strips * c->parts;
	run.room = conv_room_of(s, op, c);
	depths_list(&run);
	channels_list(&run);
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
