/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removes the autocorrelation of a series; see prewhiten.h.
 */
#include <math.h>

#include "stats/prewhiten.h"
#include "stats/stats.h"

/* The share of the differences that is used. Differences at steps and spikes are the
 * largest. */
#define KEPT 0.8
/* The number of standard errors by which r is increased, with places CAUTION +
 * CAUTION_SHORT / n. A false change is worse than a missed one. In series of 24 values
 * CAUTION alone left 9% of false changes at r = 0.5. */
#define CAUTION 0.8
#define CAUTION_SHORT 9
/* The same for the estimate from differences. More would hide steps that are soon undone.
 */
#define CAUTION_DIFFERENCES 0.4

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
	double one, two, r;

	if (n < PREWHITEN_LEAST)
		return 0;
	one = differences_square(x, n, 1, scratch);
	two = differences_square(x, n, 2, scratch);
	if (one <= 0)
		return 0;
	r = clamp(two / one - 1);
	return clamp(two / one - 1 + CAUTION_DIFFERENCES * sqrt((1 - r * r) / (double)n));
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
	double products = 0, squares = 0, size = (double)n, bias, raw, caution, r;

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
	caution = CAUTION + (count ? CAUTION_SHORT / size : 0);
	return clamp(r + caution * sqrt(fmax(0, 1 - r * r) / size));
}

void prewhiten(const double *x, size_t n, double r, double *out)
{
	for (size_t i = n; i-- > 1;)
		out[i] = x[i] - r * x[i - 1];
	if (n)
		out[0] = x[0] - r * x[0]; /* so that equal values stay equal */
}
