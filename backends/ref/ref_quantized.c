/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ref: products, convolutions and experts with quantized weights. Activations are quantized
 * in float32, as bench-operation.h defines, so that other backends can do exactly the same;
 * the rest is exact or in float64.
 */
#include <string.h>

#include "ref_priv.h"

/* How the elements of a tensor are quantized. */
struct quantization {
	float scale, zero;
};

static float clamp_byte(float x)
{
	return fmaxf(0, fminf(255, x));
}

/* Returns element l of row r of in0, with rows counted over all other dimensions. */
static float input_at(const struct backend_op *op, int64_t r, int64_t l)
{
	const struct backend_tensor *a = op->in[0];
	int64_t at = l;

	for (uint32_t d = 1; d < a->dims; d++) {
		at += r % ref_size(a, d) * ref_stride(a, d);
		r /= ref_size(a, d);
	}
	return (float)ref_get(a, at);
}

static struct quantization quantization_of(const struct backend_op *op)
{
	int64_t k = ref_size(op->in[0], 0), rows = ref_elements(op->in[0]) / k;
	float low = 0, high = 0;
	bool finite = true;
	struct quantization q;

	for (int64_t r = 0; r < rows; r++)
		for (int64_t l = 0; l < k; l++) {
			float x = input_at(op, r, l);

			finite = finite && isfinite(x);
			low = fminf(low, x);
			high = fmaxf(high, x);
		}
	q.scale = !finite ? NAN : high > low ? (high - low) / 255 : 1;
	q.zero = rintf(clamp_byte(0 - low / q.scale));
	return q;
}

/* Stores q - z of row r. */
static void row_quantize(
    const struct backend_op *op, struct quantization q, int64_t r, int32_t *out)
{
	for (int64_t l = 0; l < ref_size(op->in[0], 0); l++)
		out[l] =
		    (int32_t)(clamp_byte(rintf(input_at(op, r, l) / q.scale) + q.zero) -
		              q.zero);
}

static int64_t row_multiply(const int32_t *row, const int8_t *weight, int64_t k)
{
	int64_t sum = 0;

	for (int64_t l = 0; l < k; l++)
		sum += row[l] * weight[l];
	return sum;
}

int ref_qgemm(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *b = op->in[1], *more = op->in[3], *out = op->out[0];
	int64_t m = ref_size(out, 1), n = ref_size(out, 0), k = ref_size(op->in[0], 0);
	struct quantization q = quantization_of(op);
	int32_t *row = (int32_t *)s->scratch;

	(void)why;
	for (int64_t r = 0; r < m * ref_size(out, 2); r++) {
		int64_t batch = r / m, i = r % m;

		row_quantize(op, q, r, row);
		for (int64_t j = 0; j < n; j++) {
			const int8_t *weight =
			    (const int8_t *)b->buffer + b->offset + j * k;
			double x = op->p.gemm.alpha * (double)q.scale *
			           ref_get(op->in[4], j) *
			           (double)row_multiply(row, weight, k);

			if (op->in[2])
				x += ref_get(op->in[2], j);
			if (more)
				x += ref_get(more, batch * ref_stride(more, 2) +
				                       i * ref_stride(more, 1) + j);
			ref_put(out,
			    batch * ref_stride(out, 2) + i * ref_stride(out, 1) + j,
			    ref_act(op->act, x));
		}
	}
	return 0;
}

/*
 * Adds one weight of the kernel at all positions to a row of sums. `in` is the row of the
 * input, and `from` the position in it that the first sum reads; both may be in the
 * padding.
 */
static void row_convolve(int32_t *sum, int64_t count, const int32_t *in, int64_t width,
    int64_t from, int64_t stride, int32_t weight)
{
	for (int64_t x = 0; x < count; x++)
		if (from + x * stride >= 0 && from + x * stride < width)
			sum[x] += weight * in[from + x * stride];
}

/* Computes the sums of a row of out: those of image i, channel o and height y. */
static void sums_convolve(const struct backend_op *op, const int32_t *in, int64_t i,
    int64_t o, int64_t y, int32_t *sum)
{
	const struct backend_tensor *x = op->in[0], *w = op->in[1], *out = op->out[0];
	int64_t channels = w->size[1], kh = w->size[2], kw = w->size[3];
	int64_t first = o / (out->size[1] / op->p.conv.groups) * channels;
	const int8_t *weight =
	    (const int8_t *)w->buffer + w->offset + o * channels * kh * kw;

	memset(sum, 0, (size_t)out->size[3] * sizeof(*sum));
	for (int64_t tap = 0; tap < channels * kh * kw; tap++) {
		int64_t c = tap / (kh * kw), row = y * op->p.conv.stride[0] -
		                                   op->p.conv.before[0] +
		                                   tap / kw % kh * op->p.conv.dilation[0];

		if (row >= 0 && row < x->size[2])
			row_convolve(sum, out->size[3],
			    in + ((i * x->size[1] + first + c) * x->size[2] + row) *
			             x->size[3],
			    x->size[3],
			    tap % kw * op->p.conv.dilation[1] - op->p.conv.before[1],
			    op->p.conv.stride[1], weight[tap]);
	}
}

int ref_qconv(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	int64_t width = in->size[3], outs = out->size[1], high = out->size[2],
	        wide = out->size[3];
	struct quantization q = quantization_of(op);
	int32_t *bytes = (int32_t *)s->scratch, *sum = bytes + ref_elements(in);

	(void)why;
	for (int64_t r = 0; r < ref_elements(in) / width; r++)
		row_quantize(op, q, r, bytes + r * width);
	for (int64_t r = 0; r < out->size[0] * outs * high; r++) {
		int64_t o = r / high % outs;

		sums_convolve(op, bytes, r / high / outs, o, r % high, sum);
		for (int64_t x = 0; x < wide; x++) {
			double y = (double)q.scale * ref_get(op->in[4], o) * sum[x];

			if (op->in[2])
				y += ref_get(op->in[2], o);
			if (op->in[3])
				y += ref_get(op->in[3], r * wide + x);
			ref_put(out, r * wide + x, ref_act(op->act, y));
		}
	}
	return 0;
}

int ref_qexperts(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *w = op->in[1], *out = op->out[0];
	int64_t rows = ref_size(out, 1), n = w->size[1], k = w->size[2];
	int64_t share = rows / ref_size(op->in[0], 1);
	struct quantization q = quantization_of(op);
	int32_t *row = (int32_t *)s->scratch;

	(void)why;
	for (int64_t r = 0; r < rows; r++) {
		int64_t first = ref_ids(op->in[2])[r] * n;

		row_quantize(op, q, r / share, row);
		for (int64_t j = first; j < first + n; j++) {
			const int8_t *weight =
			    (const int8_t *)w->buffer + w->offset + j * k;

			ref_put(out, r * n + j - first,
			    ref_act(op->act, (double)q.scale * ref_get(op->in[4], j) *
			                         (double)row_multiply(row, weight, k)));
		}
	}
	return 0;
}
