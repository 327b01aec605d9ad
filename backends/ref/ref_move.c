/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ref: operations that move elements.
 */
#include "ref_priv.h"

/* Returns the row of a table that is nearest to this one. */
static int64_t row_within(const struct backend_tensor *table, int64_t row)
{
	const int64_t last = ref_elements(table) / ref_size(table, 0) - 1;

	return row < 0 ? 0 : row > last ? last : row;
}

int ref_gather(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *out = op->out[0];
	int64_t d = ref_size(out, 0), tokens = ref_size(out, 1),
	        rows = ref_elements(out) / d;

	(void)s;
	(void)why;
	for (int64_t r = 0; r < rows; r++) {
		const int64_t row = row_within(
		    op->in[0], op->in[1] ? ref_ids(op->in[1])[r]
		                         : op->p.gather.first + op->past + r % tokens);

		for (int64_t i = 0; i < d; i++)
			ref_data(out)[r * d + i] =
			    op->p.gather.alpha * ref_data(op->in[0])[row * d + i];
	}
	return 0;
}

/* Returns the maximum or mean of a window of one plane of h x w, whose corner is at y, x.
 */
static double window_pool(const struct backend_op *op, const double *plane, int64_t h,
    int64_t w, int64_t y, int64_t x)
{
	double most = -INFINITY, sum = 0;
	int64_t inside = 0;

	for (int64_t i = y; i < y + op->p.pool.kernel[0]; i++)
		for (int64_t j = x; j < x + op->p.pool.kernel[1]; j++) {
			if (i < 0 || i >= h || j < 0 || j >= w)
				continue;
			double element = plane[i * w + j];

			most = element > most || isnan(element) ? element : most;
			sum += element;
			inside++;
		}
	return op->p.pool.average ? sum / (double)inside : most;
}

int ref_pool(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	int64_t h = ref_size(in, 1), w = ref_size(in, 0);
	int64_t out_h = ref_size(out, 1), out_w = ref_size(out, 0);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < ref_elements(out); i++) {
		int64_t x = i % out_w, y = i / out_w % out_h, plane = i / out_w / out_h;

		ref_data(out)[i] = window_pool(op, ref_data(in) + plane * h * w, h, w,
		    y * op->p.pool.stride[0] - op->p.pool.before[0],
		    x * op->p.pool.stride[1] - op->p.pool.before[1]);
	}
	return 0;
}

/* Locates the center of pixel i of `to` between two pixels of `from`. */
static void pixel_locate(
    int64_t i, int64_t to, int64_t from, int64_t *low, int64_t *high, double *part)
{
	double at = ((double)i + 0.5) * (double)from / (double)to - 0.5;

	at = at < 0 ? 0 : at;
	*low = (int64_t)at;
	*high = *low + 1 < from ? *low + 1 : from - 1;
	*part = at - (double)*low;
}

static double pixel_bilinear(const double *plane, int64_t h, int64_t w, int64_t y,
    int64_t x, int64_t out_h, int64_t out_w)
{
	int64_t top, bottom, left, right;
	double down, across;

	pixel_locate(y, out_h, h, &top, &bottom, &down);
	pixel_locate(x, out_w, w, &left, &right, &across);
	return (1 - down) * ((1 - across) * plane[top * w + left] +
	                        across * plane[top * w + right]) +
	       down * ((1 - across) * plane[bottom * w + left] +
	                  across * plane[bottom * w + right]);
}

int ref_resize(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	int64_t h = ref_size(in, 1), w = ref_size(in, 0);
	int64_t out_h = ref_size(out, 1), out_w = ref_size(out, 0);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < ref_elements(out); i++) {
		int64_t x = i % out_w, y = i / out_w % out_h;
		const double *plane = ref_data(in) + i / out_w / out_h * h * w;

		ref_data(out)[i] = op->p.resize.bilinear
		                       ? pixel_bilinear(plane, h, w, y, x, out_h, out_w)
		                       : plane[y * h / out_h * w + x * w / out_w];
	}
	return 0;
}

int ref_move(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	int64_t first = op->past * op->p.move.advance;

	(void)s;
	(void)why;
	for (int64_t i = 0; i < ref_elements(out); i++) {
		int64_t from = 0, to = first, left = i;

		for (uint32_t dim = 0; dim < out->dims; dim++) {
			from += left % ref_size(out, dim) * ref_stride(in, dim);
			to += left % ref_size(out, dim) * ref_stride(out, dim);
			left /= ref_size(out, dim);
		}
		ref_put(out, to, op->p.move.alpha * ref_get(in, from));
	}
	return 0;
}

int ref_sinusoid(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *out = op->out[0];
	int64_t d = ref_size(out, 0), half = d / 2;

	(void)s;
	(void)why;
	for (int64_t n = 0; n < ref_elements(op->in[0]); n++)
		for (int64_t i = 0; i < half; i++) {
			double angle =
			    ref_get(op->in[0], n) * pow(10000, -(double)i / (double)half);

			ref_data(out)[n * d + i] = cos(angle);
			ref_data(out)[n * d + half + i] = sin(angle);
		}
	return 0;
}
