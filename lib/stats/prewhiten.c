/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See prewhiten.h.
 */
#include <math.h>

#include "stats/prewhiten.h"
#include "stats/stats.h"

/* The share of the differences that is used. Differences at steps and spikes are the
 * greatest. */
#define KEPT 0.8
/* The number of standard errors by which r is increased. A false change is worse than a
 * missed one. */
#define CAUTION 0.8

static double clamp(double r)
{
	return r > 0 ? fmin(r, PREWHITEN_MOST) : 0;
}

static double differences_square(const double *x, size_t n, size_t lag, double *scratch)
{
	size_t count = n - lag, kept = (size_t)ceil(KEPT * (double)count);
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		scratch[i] = fabs(x[i + lag] - x[i]);
	stats_sort(scratch, count);
	for (size_t i = 0; i < kept; i++)
		sum += scratch[i] * scratch[i];
	return sum / (double)kept;
}

double prewhiten_of_differences(const double *x, size_t n, double *scratch)
{
	double one, two;

	if (n < PREWHITEN_LEAST)
		return 0;
	one = differences_square(x, n, 1, scratch);
	two = differences_square(x, n, 2, scratch);
	return one > 0 ? clamp(two / one - 1) : 0;
}

/* Adds the products of neighbors, and the squares, of the deviations of a part from its
 * mean. */
static void add_part(const double *x, size_t n, double *products, double *squares)
{
	double mean = stats_mean(x, n);

	for (size_t i = 0; i < n; i++) {
		if (i)
			*products += (x[i] - mean) * (x[i - 1] - mean);
		*squares += (x[i] - mean) * (x[i] - mean);
	}
}

double prewhiten_of_parts(
    const double *x, size_t n, const size_t *at, size_t count, double chosen)
{
	double products = 0, squares = 0, size = (double)n, bias, raw, r;

	for (size_t i = 0, from = 0; i <= count; i++) {
		size_t to = i < count ? at[i] : n;

		add_part(x + from, to - from, &products, &squares);
		from = to;
	}
	if (squares <= 0)
		return 0;
	/* E(raw) is about rho - bias (1 + 3 rho) */
	raw = products / squares * size / (size - (double)(count + 1));
	bias = ((double)(count + 1) + chosen) / size;
	r = raw + bias * (1 + 3 * fmax(raw, 0));
	r = raw + bias * (1 + 3 * clamp(r));
	return clamp(r + CAUTION * sqrt(fmax(0, 1 - r * r) / size));
}

void prewhiten(const double *x, size_t n, double r, double *out)
{
	for (size_t i = n; i-- > 1;)
		out[i] = x[i] - r * x[i - 1];
	if (n)
		out[0] = x[0] - r * x[0]; /* so that equal values stay equal */
}
