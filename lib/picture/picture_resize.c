/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resizes pictures; see picture_resize.h. Weights are fixed-point numbers, as in Pillow, so
 * that the results are the same.
 */
#include <math.h>
#include <stdlib.h>

#include "picture/picture_resize.h"

enum { WEIGHT_BITS = 22 };

static double triangle(double x)
{
	return fmax(1 - fabs(x), 0);
}

static double cubic(double x)
{
	const double a = -0.5, d = fabs(x);

	if (d < 1)
		return ((a + 2) * d - (a + 3)) * d * d + 1;
	return d < 2 ? ((d - 5) * d + 8) * d * a - 4 * a : 0;
}

static const struct {
	double (*at)(double x);
	double reach; /* it is 0 beyond */
} filters[] = {
	[PICTURE_BILINEAR] = { triangle, 1 },
	[PICTURE_BICUBIC] = { cubic, 2 },
};

/* The old pixels of each new one along an axis, and their weights. */
struct taps {
	uint32_t *first, *count; /* by new pixel */
	int32_t *weight;         /* `most` for each new pixel */
	size_t most;
};

static void taps_make(
    struct taps *t, uint32_t from, uint32_t to, enum picture_filter filter)
{
	const double step = (double)from / to, widen = fmax(step, 1),
	             reach = filters[filter].reach * widen;
	double *w;

	t->most = (size_t)ceil(reach) * 2 + 1;
	t->first = mem_zero(to, sizeof(*t->first));
	t->count = mem_zero(to, sizeof(*t->count));
	t->weight = mem_zero(to * t->most, sizeof(*t->weight));
	w = mem_zero(t->most, sizeof(*w));
	for (uint32_t i = 0; i < to; i++) {
		const double middle = (i + 0.5) * step;
		const uint32_t first = (uint32_t)fmax(middle - reach + 0.5, 0),
		               end = (uint32_t)fmin(middle + reach + 0.5, from);
		double sum = 0;

		t->first[i] = first;
		t->count[i] = end - first;
		for (uint32_t k = 0; k < t->count[i]; k++)
			sum += w[k] =
			    filters[filter].at((first + k - middle + 0.5) / widen);
		for (uint32_t k = 0; k < t->count[i]; k++)
			t->weight[i * t->most + k] =
			    (int32_t)round(w[k] / sum * (1 << WEIGHT_BITS));
	}
	free(w);
}

static void taps_free(struct taps *t)
{
	free(t->first);
	free(t->count);
	free(t->weight);
}

/* Returns the weighted mean of pixels that are `stride` bytes apart. */
static unsigned char mean_of(
    const unsigned char *p, size_t stride, const int32_t *weight, uint32_t count)
{
	int64_t sum = 1 << (WEIGHT_BITS - 1);

	for (uint32_t k = 0; k < count; k++)
		sum += (int64_t)weight[k] * p[k * stride];
	sum >>= WEIGHT_BITS;
	return (unsigned char)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
}

/* Resizes along one axis: the columns, or the rows. */
static void resize_axis(
    struct picture *p, uint32_t to, bool columns, enum picture_filter filter)
{
	const uint32_t width = columns ? to : p->width, height = columns ? p->height : to,
	               n = p->channels;
	const size_t stride = columns ? n : (size_t)p->width * n;
	unsigned char *made = mem_zero((size_t)width * height, n), *out = made;
	struct taps t;

	taps_make(&t, columns ? p->width : p->height, to, filter);
	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x++) {
			const uint32_t i = columns ? x : y;
			const size_t row = columns ? y : t.first[i],
			             column = columns ? t.first[i] : x;

			for (uint32_t c = 0; c < n; c++)
				*out++ =
				    mean_of(p->pixel + (row * p->width + column) * n + c,
				        stride, t.weight + i * t.most, t.count[i]);
		}
	taps_free(&t);
	free(p->pixel);
	p->pixel = made;
	p->width = width;
	p->height = height;
}

void picture_resize(
    struct picture *p, uint32_t width, uint32_t height, enum picture_filter filter)
{
	if (width != p->width)
		resize_axis(p, width, true, filter);
	if (height != p->height)
		resize_axis(p, height, false, filter);
}
