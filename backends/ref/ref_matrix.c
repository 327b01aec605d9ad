/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ref: products of matrices, and convolutions.
 */
#include <string.h>

#include "ref_priv.h"

int ref_gemv(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double *a = ref_data(op->in[0]), *x = ref_data(op->in[1]);
	double *out = ref_data(op->out[0]);
	int64_t m = ref_size(op->in[0], 1), k = ref_size(op->in[0], 0);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < m; i++) {
		double sum = 0;

		for (int64_t j = 0; j < k; j++)
			sum += a[i * k + j] * x[j];
		out[i] = sum;
	}
	return 0;
}

/* Computes row[n] = sum over k of a[k] b[k,n], or b[n,k] with transpose. */
static void row_multiply(double *row, const double *a, const double *b, int64_t n,
    int64_t k, int64_t stride, bool transpose)
{
	memset(row, 0, (size_t)n * sizeof(*row));
	if (!transpose) {
		for (int64_t l = 0; l < k; l++)
			for (int64_t j = 0; j < n; j++)
				row[j] += a[l] * b[l * stride + j];
		return;
	}
	for (int64_t j = 0; j < n; j++)
		for (int64_t l = 0; l < k; l++)
			row[j] += a[l] * b[j * stride + l];
}

static int int8_gemm(const struct backend_op *op)
{
	const struct backend_tensor *a = op->in[0], *b = op->in[1], *out = op->out[0];
	int64_t m = ref_size(out, 1), n = ref_size(out, 0), k = ref_size(a, 0);
	bool transpose = op->p.gemm.transpose;
	int64_t step_n = transpose ? ref_stride(b, 1) : 1,
	        step_k = transpose ? 1 : ref_stride(b, 1);

	for (int64_t batch = 0; batch < ref_size(out, 2); batch++)
		for (int64_t i = 0; i < m; i++)
			for (int64_t j = 0; j < n; j++) {
				const int8_t *x = (const int8_t *)a->buffer + a->offset +
				                  batch * ref_stride(a, 2) +
				                  i * ref_stride(a, 1);
				const int8_t *y =
				    (const int8_t *)b->buffer + b->offset +
				    (ref_size(b, 2) > 1 ? batch * ref_stride(b, 2) : 0) +
				    j * step_n;
				int32_t sum = 0;

				for (int64_t l = 0; l < k; l++)
					sum += x[l] * y[l * step_k];
				ref_ids(out)[batch * ref_stride(out, 2) +
				             i * ref_stride(out, 1) + j] = sum;
			}
	return 0;
}

int ref_gemm(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *a = op->in[0], *b = op->in[1], *bias = op->in[2],
	                            *more = op->in[3], *out = op->out[0];
	int64_t m = ref_size(out, 1), n = ref_size(out, 0), k = ref_size(a, 0);

	(void)why;
	if (a->dtype == BACKEND_INT8)
		return int8_gemm(op);
	for (int64_t batch = 0; batch < ref_size(out, 2); batch++) {
		const double *matrix =
		    ref_data(b) + (ref_size(b, 2) > 1 ? batch * ref_stride(b, 2) : 0);

		for (int64_t i = 0; i < m; i++) {
			double *to = ref_data(out) + batch * ref_stride(out, 2) +
			             i * ref_stride(out, 1);

			row_multiply(s->scratch,
			    ref_data(a) + batch * ref_stride(a, 2) + i * ref_stride(a, 1),
			    matrix, n, k, ref_stride(b, 1), op->p.gemm.transpose);
			for (int64_t j = 0; j < n; j++) {
				double x = op->p.gemm.alpha * s->scratch[j];

				if (bias)
					x += ref_data(bias)[j];
				if (more)
					x += ref_data(more)[batch * ref_stride(more, 2) +
					                    i * ref_stride(more, 1) + j];
				to[j] = ref_act(op->act, x);
			}
		}
	}
	return 0;
}

/* Returns the height of a tensor of 4 dimensions; one of 3 has height 1. */
static int64_t tensor_height(const struct backend_tensor *t)
{
	return t->dims > 3 ? t->size[2] : 1;
}

/*
 * Adds one weight of the kernel at all positions to a row of the output. `in` is the row of
 * the input, at the position that the first of them reads without padding.
 */
static void row_convolve(double *row, int64_t count, const double *in, int64_t width,
    int64_t from, int64_t stride, double weight)
{
	for (int64_t x = 0; x < count; x++)
		if (from + x * stride >= 0 && from + x * stride < width)
			row[x] += weight * in[from + x * stride];
}

int ref_conv(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *in = op->in[0], *w = op->in[1], *out = op->out[0];
	int64_t groups = op->p.conv.groups, channels = w->size[1], outs = out->size[1];
	int64_t h = tensor_height(in), width = ref_size(in, 0), kh = tensor_height(w),
	        kw = ref_size(w, 0);
	int64_t out_h = tensor_height(out), out_w = ref_size(out, 0);
	const int64_t *stride = op->p.conv.stride, *before = op->p.conv.before,
	              *dilation = op->p.conv.dilation;

	(void)why;
	for (int64_t r = 0; r < out->size[0] * outs * out_h; r++) {
		int64_t y = r % out_h, o = r / out_h % outs, image = r / out_h / outs;
		int64_t first = o / (outs / groups) * channels;
		double *to = ref_data(out) + r * out_w;

		memset(s->scratch, 0, (size_t)out_w * sizeof(*to));
		for (int64_t tap = 0; tap < channels * kh * kw; tap++) {
			int64_t c = tap / (kh * kw), i = tap / kw % kh, j = tap % kw;
			int64_t row = y * stride[0] - before[0] + i * dilation[0];

			if (row < 0 || row >= h)
				continue;
			row_convolve(s->scratch, out_w,
			    ref_data(in) +
			        ((image * in->size[1] + first + c) * h + row) * width,
			    width, j * dilation[1] - before[1], stride[1],
			    ref_data(w)[o * channels * kh * kw + tap]);
		}
		for (int64_t x = 0; x < out_w; x++) {
			double sum = s->scratch[x];

			if (op->in[2])
				sum += ref_data(op->in[2])[o];
			if (op->in[3])
				sum += ref_data(op->in[3])[r * out_w + x];
			to[x] = ref_act(op->act, sum);
		}
	}
	return 0;
}
