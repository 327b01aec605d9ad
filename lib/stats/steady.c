/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steady series; see steady.h.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/infer.h"
#include "stats/stats.h"
#include "stats/steady.h"

static const double alpha = 0.05, margin = 0.02;

static double *sorted_copy(const double *value, size_t count)
{
	double *copy = mem_zero(count, sizeof(*copy));

	memcpy(copy, value, count * sizeof(*copy));
	stats_sort(copy, count);
	return copy;
}

bool steady_is(const double *value, size_t count)
{
	size_t early_count = count / 2, late_count = count - early_count;
	double *early = sorted_copy(value, early_count),
	       *late = sorted_copy(value + early_count, late_count);
	double before = stats_quantile(early, early_count, 0.5),
	       after = stats_quantile(late, late_count, 0.5);
	bool moved = fabs(after - before) > margin * fmin(before, after) &&
	             infer_rank_sum(early, early_count, late, late_count) < alpha;

	free(early);
	free(late);
	return !moved;
}
