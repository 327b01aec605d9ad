/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes a convolution as a matrix product. For each image and group, the windows become
 * a matrix [C/groups KH KW, H' W'], in strips of pixels that stay in the second cache, and
 * the weights are multiplied by it. A kernel of one pixel without stride or padding needs
 * no such matrix. The threads share the strips.
 *
 * If there are only a few pixels, reading the weights takes most of the time. Then the
 * windows are the rows of a product whose other operand, the weights, is read once, and the
 * threads share the weights.
 */
#include <omp.h>
#include <string.h>

#include "cpu_im2col.h"
#include "cpu_isa.h"
#include "cpu_product.h"

enum { STRIP_BYTES = 384 << 10 };

struct window {
	const struct backend_op *op;
	size_t size; /* of an element */
	int type;
	int64_t depth; /* the rows of the matrix: C/groups KH KW */
	int64_t pixels, strip, strips;
	bool direct;
	bool few; /* all images together have only a few pixels */
};

static struct window window_of(const struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *weight = op->in[1], *out = op->out[0];
	struct window w = { .op = op, .type = cpu_type_of(out) };
	w.size = cpu_type_bytes(w.type);
	w.depth = weight->size[1] * weight->size[2] * weight->size[3];
	w.pixels = out->size[2] * out->size[3];
	w.direct = true;
	for (int i = 0; i < 2; i++)
		w.direct = w.direct && weight->size[2 + i] == 1 &&
		           op->p.conv.stride[i] == 1 && op->p.conv.before[i] == 0 &&
		           op->p.conv.after[i] == 0;
	int64_t strip = cpu_max(16, STRIP_BYTES / (int64_t)w.size / cpu_max(1, w.depth));
	int64_t others = out->size[0] * op->p.conv.groups;
	if (others < s->threads)
		strip = cpu_min(strip, (w.pixels + s->threads - 1) / s->threads);
	w.strip = cpu_max(1, cpu_min(w.pixels, strip));
	w.strips = (w.pixels + w.strip - 1) / w.strip;
	w.few = op->p.conv.groups == 1 && out->size[0] * w.pixels <= CPU_FEW_ROWS;
	return w;
}

size_t cpu_im2col_scratch(const struct backend_session *s, const struct backend_op *op)
{
	struct window w = window_of(s, op);
	if (w.few)
		return (size_t)(op->out[0]->size[0] * w.pixels *
		                (w.depth + op->out[0]->size[1])) *
		       w.size;
	return w.direct ? 0 : (size_t)(w.strip * w.depth * s->threads) * w.size;
}

/* Fills one row of the matrix: the value of x at the kernel's position (ky,kx), pixel by
 * pixel. */
#define FILL(T)                                                                          \
	static void fill_##T(T *to, const T *x, const struct backend_op *op, int64_t ky, \
	    int64_t kx, int64_t first, int64_t count)                                    \
	{                                                                                \
		int64_t height = op->in[0]->size[2], width = op->in[0]->size[3];         \
		int64_t to_width = op->out[0]->size[3], step = op->p.conv.stride[1];     \
		int64_t shift = kx * op->p.conv.dilation[1] - op->p.conv.before[1];      \
		for (int64_t i = first, len; i < first + count; i += len) {              \
			int64_t line = i / to_width, column = i % to_width;              \
			int64_t y = line * op->p.conv.stride[0] - op->p.conv.before[0] + \
			            ky * op->p.conv.dilation[0];                         \
			len = cpu_min(to_width - column, first + count - i);             \
			for (int64_t j = 0; j < len; j++) {                              \
				int64_t place = (column + j) * step + shift;             \
				bool inside =                                            \
				    y >= 0 && y < height && place >= 0 && place < width; \
				*to++ = inside ? x[y * width + place] : 0;               \
			}                                                                \
		}                                                                        \
	}
FILL(float)
FILL(double)

static void window_fill(
    const struct window *w, char *to, const char *x, int64_t first, int64_t count)
{
	const struct backend_tensor *in = w->op->in[0], *weight = w->op->in[1];
	size_t plane = (size_t)(in->size[2] * in->size[3]) * w->size;
	for (int64_t c = 0; c < weight->size[1]; c++, x += plane) {
		for (int64_t i = 0; i < weight->size[2] * weight->size[3]; i++) {
			int64_t ky = i / weight->size[3], kx = i % weight->size[3];
			if (w->type == CPU_FLOAT32)
				fill_float((float *)to, (const float *)x, w->op, ky, kx,
				    first, count);
			else
				fill_double((double *)to, (const double *)x, w->op, ky, kx,
				    first, count);
			to += (size_t)count * w->size;
		}
	}
}

static char *tensor_at(const struct backend_tensor *t, int64_t element, size_t size)
{
	return t ? (char *)t->buffer + (size_t)(t->offset + element) * size : NULL;
}

static void strip_run(
    const struct backend_session *s, const struct window *w, int64_t i, char *room)
{
	const struct backend_op *op = w->op;
	const struct backend_tensor *in = op->in[0], *weight = op->in[1];
	int64_t groups = op->p.conv.groups, outs = weight->size[0] / groups;
	int64_t image = i / w->strips / groups, group = i / w->strips % groups;
	int64_t first = i % w->strips * w->strip,
	        count = cpu_min(w->strip, w->pixels - first);
	int64_t in_pixels = in->size[2] * in->size[3];
	int64_t to = (image * groups + group) * outs * w->pixels + first;
	char *x =
	    tensor_at(in, (image * groups + group) * weight->size[1] * in_pixels, w->size);
	if (!w->direct)
		window_fill(w, room, x, first, count);
	cpu_product_alone(
	    s, &(struct cpu_product){
	           .g = { .type = w->type,
	               .m = outs,
	               .n = count,
	               .k = w->depth,
	               .a = tensor_at(weight, group * outs * w->depth, w->size),
	               .lda = w->depth,
	               .b = w->direct ? x + (size_t)first * w->size : room,
	               .ldb = w->direct ? w->pixels : count,
	               .c = tensor_at(op->out[0], to, w->size),
	               .ldc = w->pixels,
	               .alpha = 1 },
	           .row_bias = tensor_at(op->in[2], group * outs, w->size),
	           .residual = tensor_at(op->in[3], to, w->size),
	           .residual_row = w->pixels,
	           .act = op->act,
	           .batch = 1 });
}

/* Copies the window of a pixel, in the order of the weights. */
static void window_copy(const struct window *w, char *to, int64_t image, int64_t pixel)
{
	const struct backend_op *op = w->op;
	const struct backend_tensor *in = op->in[0], *weight = op->in[1];
	const int64_t *step = op->p.conv.stride, *apart = op->p.conv.dilation;
	const int64_t channels = in->size[1], height = in->size[2], width = in->size[3],
	              lines = weight->size[2], columns = weight->size[3],
	              out_width = op->out[0]->size[3];
	const int64_t top = pixel / out_width * step[0] - op->p.conv.before[0],
	              left = pixel % out_width * step[1] - op->p.conv.before[1];
	const bool whole = apart[1] == 1 && left >= 0 && left + columns <= width;
	const size_t line_bytes = (size_t)columns * w->size;
	for (int64_t i = 0; i < channels * lines; i++, to += line_bytes) {
		const int64_t y = top + i % lines * apart[0],
		              line = ((image * channels + i / lines) * height + y) * width;
		const bool inside = y >= 0 && y < height;
		if (inside && whole) {
			memcpy(to, tensor_at(in, line + left, w->size), line_bytes);
			continue;
		}
		memset(to, 0, line_bytes);
		for (int64_t k = 0; inside && k < columns; k++) {
			const int64_t x = left + k * apart[1];
			if (x >= 0 && x < width)
				memcpy(to + (size_t)k * w->size,
				    tensor_at(in, line + x, w->size), w->size);
		}
	}
}

/* Transposes a matrix [rows,columns]. */
static void matrix_transpose(
    const struct window *w, char *to, const char *from, int64_t rows, int64_t columns)
{
	for (int64_t r = 0; r < rows; r++)
		for (int64_t c = 0; c < columns; c++, from += w->size)
			memcpy(to + (size_t)(c * rows + r) * w->size, from, w->size);
}

/* Computes all images by one product, whose result has a row for each pixel. */
static void few_run(struct backend_session *s, const struct window *w)
{
	const struct backend_op *op = w->op;
	const int64_t images = op->out[0]->size[0], outs = op->out[0]->size[1],
	              rows = images * w->pixels;
	const size_t row_bytes = (size_t)w->depth * w->size,
	             image_bytes = (size_t)(w->pixels * outs) * w->size;
	char *windows = s->scratch, *out = tensor_at(op->out[0], 0, w->size),
	     *result = w->pixels == 1 ? out : windows + (size_t)rows * row_bytes;
	const char *residual = tensor_at(op->in[3], 0, w->size);
	for (int64_t r = 0; r < rows; r++)
		window_copy(
		    w, windows + (size_t)r * row_bytes, r / w->pixels, r % w->pixels);
	for (int64_t i = 0; residual && w->pixels > 1 && i < images; i++)
		matrix_transpose(w, result + (size_t)i * image_bytes,
		    residual + (size_t)i * image_bytes, outs, w->pixels);
	cpu_product(s, &(struct cpu_product){ .g = { .type = w->type,
	                                          .transpose = true,
	                                          .m = rows,
	                                          .n = outs,
	                                          .k = w->depth,
	                                          .a = windows,
	                                          .lda = w->depth,
	                                          .b = tensor_at(op->in[1], 0, w->size),
	                                          .ldb = w->depth,
	                                          .c = result,
	                                          .ldc = outs,
	                                          .alpha = 1 },
	                   .bias = tensor_at(op->in[2], 0, w->size),
	                   .residual = residual && w->pixels > 1 ? result : residual,
	                   .residual_row = outs,
	                   .act = op->act,
	                   .batch = 1 });
	for (int64_t i = 0; w->pixels > 1 && i < images; i++)
		matrix_transpose(w, out + (size_t)i * image_bytes,
		    result + (size_t)i * image_bytes, w->pixels, outs);
}

int cpu_im2col(struct backend_session *s, const struct backend_op *op, char *why)
{
	struct window w = window_of(s, op);
	if (w.few) {
		few_run(s, &w);
		return 0;
	}
	int64_t strips = op->out[0]->size[0] * op->p.conv.groups * w.strips;
	size_t room = (size_t)(w.strip * w.depth) * w.size;
	(void)why;
#pragma omp parallel for num_threads(cpu_team(s, cpu_count(op->out[0]) * w.depth / 16)) \
    schedule(static)
	for (int64_t i = 0; i < strips; i++)
		strip_run(
		    s, &w, i, (char *)s->scratch + (size_t)omp_get_thread_num() * room);
	return 0;
}
