/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ref: products with quantized weights. Activations are quantized in float32, as
 * bench-backend.h defines, so that other backends can do exactly the same; the rest is
 * exact or in float64.
 */
#include "ref_priv.h"

/* How the elements of a tensor are quantized. */
struct quantization {
	float scale, zero;
};

static float clamp_byte(float x)
{
	return fmaxf(0, fminf(255, x));
}

/* Returns element l of row r of in0, with rows counted over all batches. */
static float input_at(const struct backend_op *op, int64_t r, int64_t l)
{
	const struct backend_tensor *a = op->in[0];
	int64_t m = ref_size(a, 1);

	return (float)ref_get(a, r / m * ref_stride(a, 2) + r % m * ref_stride(a, 1) + l);
}

static struct quantization quantization_of(const struct backend_op *op)
{
	int64_t k = ref_size(op->in[0], 0), rows = ref_elements(op->in[0]) / k;
	float low = 0, high = 0;
	struct quantization q;

	for (int64_t r = 0; r < rows; r++)
		for (int64_t l = 0; l < k; l++) {
			low = fminf(low, input_at(op, r, l));
			high = fmaxf(high, input_at(op, r, l));
		}
	q.scale = high > low ? (high - low) / 255 : 1;
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
