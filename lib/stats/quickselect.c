/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantiles by bins; see quickselect.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/quickselect.h"
#include "stats/stats.h"

enum { BINS = 1024, FEW = 300 };

struct value_bins {
	const double *value;
	size_t n;
	double least, scale;
	size_t first[BINS + 1]; /* the rank of each bin's first value */
};

/* Rounding is monotonic, so a greater value never has a lower bin. */
static size_t bin_of(const struct value_bins *b, double x)
{
	size_t bin = (size_t)((x - b->least) * b->scale);

	return bin < BINS ? bin : BINS - 1;
}

static void count_values(struct value_bins *b)
{
	size_t sum = 0;

	memset(b->first, 0, sizeof(b->first));
	for (size_t i = 0; i < b->n; i++)
		b->first[bin_of(b, b->value[i])]++;
	for (size_t i = 0; i <= BINS; i++) {
		size_t here = b->first[i];

		b->first[i] = sum;
		sum += here;
	}
}

/* Finds the values of two successive ranks in the bins that hold them. */
static void take_ranks(
    const struct value_bins *b, size_t rank, double *scratch, double out[2])
{
	size_t low = 0, high, count = 0;

	while (b->first[low + 1] <= rank)
		low++;
	for (high = low; b->first[high + 1] <= rank + 1 && high + 1 < BINS;)
		high++;
	for (size_t i = 0; i < b->n; i++) {
		size_t bin = bin_of(b, b->value[i]);

		scratch[count] = b->value[i];
		count += bin >= low && bin <= high;
	}
	stats_sort(scratch, count);
	out[0] = scratch[rank - b->first[low]];
	out[1] = rank + 1 < b->n ? scratch[rank + 1 - b->first[low]] : out[0];
}

void quickselect_quantiles(
    const double *values, size_t n, const double *p, size_t count, double *out)
{
	double *scratch = mem_resize(NULL, n + 1, sizeof(*scratch)), most;
	struct value_bins b = { .value = values, .n = n };

	most = b.least = n ? values[0] : 0;
	for (size_t i = 1; i < n; i++) {
		b.least = values[i] < b.least ? values[i] : b.least;
		most = values[i] > most ? values[i] : most;
	}
	b.scale = BINS / (most - b.least);
	if (n < FEW || !isfinite(b.scale) || !(b.scale > 0)) {
		memcpy(scratch, values, n * sizeof(*scratch));
		stats_sort(scratch, n);
		for (size_t i = 0; i < count; i++)
			out[i] = stats_quantile(scratch, n, p[i]);
		free(scratch);
		return;
	}
	count_values(&b);
	for (size_t i = 0; i < count; i++) {
		double at = (double)(n - 1) * p[i], two[2];
		size_t rank = (size_t)at < n ? (size_t)at : n - 1;

		take_ranks(&b, rank, scratch, two);
		/* the quantile at - rank of two values */
		out[i] = stats_quantile(two, 2, at - (double)rank);
	}
	free(scratch);
}
