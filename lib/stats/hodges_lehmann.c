/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hodges and Lehmann's estimates; see hodges_lehmann.h. The k-th least of all combinations
 * of two sorted arrays is found by bisection over the doubles, whose bits are mapped to
 * integers of the same order. The number of combinations up to a value is counted in one
 * walk along both arrays, since a combination grows with either element, even with
 * rounding.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/hodges_lehmann.h"
#include "stats/stats.h"

static uint64_t key_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits ^ (-(bits >> 63) | (uint64_t)1 << 63);
}

static double of_key(uint64_t key)
{
	uint64_t bits = key >> 63 ? key ^ (uint64_t)1 << 63 : ~key;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* The combinations: new[j] - old[i], or the mean of two elements i <= j of one array. */
struct differences {
	const double *old, *new;
	size_t olds, news;
};

static double differences_upto(const struct differences *g, double x)
{
	double count = 0;

	for (size_t i = 0, j = 0; i < g->olds; i++) {
		while (j < g->news && g->new[j] - g->old[i] <= x)
			j++;
		count += (double)j;
	}
	return count;
}

static double means_upto(const struct differences *g, double x)
{
	double count = 0;

	for (size_t i = 0, j = g->news; i < g->news; i++) {
		while (j > 0 && g->new[i] / 2 + g->new[j - 1] / 2 > x)
			j--;
		if (j > i)
			count += (double)(j - i);
	}
	return count;
}

/* Returns the k-th least combination. */
static double kth(const struct differences *g,
    double (*upto)(const struct differences *, double), double k, double least, double most)
{
	uint64_t lo = key_of(least), hi = key_of(most);

	while (lo < hi) {
		uint64_t middle = lo + (hi - lo) / 2;

		if (upto(g, of_key(middle)) >= k)
			hi = middle;
		else
			lo = middle + 1;
	}
	return of_key(lo) + 0.0; /* no negative zero */
}

static double median_of(const struct differences *g,
    double (*upto)(const struct differences *, double), double count, double least,
    double most)
{
	double half = floor((count + 1) / 2), low = kth(g, upto, half, least, most);
	bool both = fmod(count, 2) != 0 || upto(g, low) > half;

	return both ? low : low / 2 + kth(g, upto, half + 1, low, most) / 2;
}

double hodges_lehmann_sides(const double *old, size_t olds, const double *new, size_t news)
{
	struct differences g = { old, new, olds, news };

	if (!olds || !news)
		return NAN;
	return median_of(&g, differences_upto, (double)olds * (double)news,
	    new[0] - old[olds - 1], new[news - 1] - old[0]);
}

double hodges_lehmann_pairs(const double *old, const double *new, size_t n)
{
	double *gap = mem_resize(NULL, n + 1, sizeof(*gap)), shift;
	struct differences g = { NULL, gap, 0, n };

	for (size_t i = 0; i < n; i++)
		gap[i] = new[i] - old[i];
	stats_sort(gap, n);
	shift = n ? median_of(
	                &g, means_upto, (double)n * ((double)n + 1) / 2, gap[0], gap[n - 1])
	          : NAN;
	free(gap);
	return shift;
}
