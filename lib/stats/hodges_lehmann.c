/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hodges and Lehmann's estimates; see hodges_lehmann.h.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/hodges_lehmann.h"
#include "stats/pair_select.h"
#include "stats/stats.h"

double hodges_lehmann_sides(const double *old, size_t olds, const double *new, size_t news)
{
	struct combinations c = { COMBINE_DIFFERENCE, old, olds, new, news };

	return olds && news ? pair_median(&c) : (double)NAN;
}

double hodges_lehmann_pairs(const double *old, const double *new, size_t n)
{
	double *gap = mem_resize(NULL, n + 1, sizeof(*gap)), shift;
	struct combinations c = { COMBINE_MEAN, NULL, 0, gap, n };

	for (size_t i = 0; i < n; i++)
		gap[i] = new[i] - old[i];
	stats_sort(gap, n);
	shift = n ? pair_median(&c) : (double)NAN;
	free(gap);
	return shift;
}
