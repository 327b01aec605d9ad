/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates of shifts against all differences.
 */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "stats/hodges_lehmann.h"
#include "stats/stats.h"
#include "tests/lib/tap.h"

static struct rng rng;

static double normal(void)
{
	double x, y, s;

	do {
		x = 2 * rng_uniform(&rng) - 1;
		y = 2 * rng_uniform(&rng) - 1;
		s = x * x + y * y;
	} while (s >= 1 || s == 0);
	return x * sqrt(-2 * log(s) / s);
}

static void test_hodges_lehmann(void)
{
	const double side = 1;
	int wrong = 0;

	rng_seed(&rng, 67);
	for (int round = 0; round < 300; round++) {
		size_t m = 1 + rng_below(&rng, 9), n = 1 + rng_below(&rng, 9), k = 0;
		double old[9], new[9], all[81], walsh[45], gap[9];

		for (size_t i = 0; i < 9; i++) {
			old[i] = round % 2 ? normal() : (double)rng_below(&rng, 5);
			new[i] = round % 2 ? normal() : (double)rng_below(&rng, 5) - 2;
			gap[i] = new[i] - old[i];
		}
		for (size_t i = 0; i < n; i++)
			for (size_t j = i; j < n; j++)
				walsh[k++] = gap[i] / 2 + gap[j] / 2;
		stats_sort(walsh, k);
		wrong += !(fabs(hodges_lehmann_pairs(old, new, n) -
		                stats_quantile(walsh, k, 0.5)) <= 1e-15);
		for (size_t i = 0; i < m; i++)
			for (size_t j = 0; j < n; j++)
				all[i * n + j] = new[j] - old[i];
		stats_sort(all, m * n);
		stats_sort(old, m);
		stats_sort(new, n);
		wrong += !(fabs(hodges_lehmann_sides(old, m, new, n) -
		                stats_quantile(all, m * n, 0.5)) <= 1e-15);
	}
	tap_ok(wrong == 0, "shifts are the medians of all differences (%d differ)", wrong);
	tap_ok(isnan(hodges_lehmann_sides(&side, 1, &side, 0)) &&
	           isnan(hodges_lehmann_sides(&side, 0, &side, 1)) &&
	           isnan(hodges_lehmann_pairs(&side, &side, 0)),
	    "an empty side has no shift, not one of 0");
}

int main(void)
{
	test_hodges_lehmann();
	return tap_end();
}
