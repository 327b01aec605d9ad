/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of means; see welch.h.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/dist.h"
#include "stats/stats.h"
#include "stats/welch.h"

static double p_of(double difference, double variance, double freedom, int *lean)
{
	*lean = (difference > 0) - (difference < 0);
	return variance > 0 ? 2 * dist_t_above(fabs(difference) / sqrt(variance), freedom)
	                    : NAN;
}

double welch_sides(
    const double *old, size_t olds, const double *new, size_t news, int *lean)
{
	double m = stats_mean(old, olds), n = stats_mean(new, news);
	double a = pow(stats_sd(old, olds, m), 2) / (double)olds;
	double b = pow(stats_sd(new, news, n), 2) / (double)news;
	double freedom =
	    (a + b) * (a + b) / (a * a / ((double)olds - 1) + b * b / ((double)news - 1));

	return p_of(n - m, a + b, freedom, lean);
}

double welch_pairs(const double *old, const double *new, size_t n, int *lean)
{
	double *gap = mem_resize(NULL, n + 1, sizeof(*gap)), mean, sd;

	for (size_t i = 0; i < n; i++)
		gap[i] = new[i] - old[i];
	mean = stats_mean(gap, n);
	sd = stats_sd(gap, n, mean);
	free(gap);
	return p_of(mean, sd * sd / (double)n, (double)n - 1, lean);
}
