/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fast estimators against slow ones: counting every resample, sorting all values, computing
 * all differences.
 */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "stats/bootstrap_median.h"
#include "stats/hodges_lehmann.h"
#include "stats/quickselect.h"
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

/* Compares the probabilities of the table with counts of all resamples, by middle ranks. */
static void test_bootstrap_median(void)
{
	struct bootstrap_median r = { 0 };
	double most_off = 0;

	for (size_t n = 2; n <= 7; n++) {
		const struct bootstrap_median_table *t = bootstrap_median_table(&r, n);
		double counted[7][7] = { { 0 } }, drawn[7][7] = { { 0 } },
		       all = pow((double)n, (double)n);

		for (size_t k = 0; k < (size_t)all; k++) {
			size_t times[7] = { 0 }, rest = k, low = 0, high, seen;

			for (size_t i = 0; i < n; i++, rest /= n)
				times[rest % n]++;
			for (seen = times[0]; seen < (n + 1) / 2;)
				seen += times[++low];
			for (high = low; seen < n / 2 + 1;)
				seen += times[++high];
			counted[low][high] += 1 / all;
		}
		for (size_t i = 0; i < t->count; i++) {
			double keep = t->entry[i].keep / 0x1p32 / (double)t->count;
			struct bootstrap_median_ranks a = t->ranks[i],
			                              b = t->ranks[t->entry[i].alias];

			drawn[a.low][a.high] += keep;
			drawn[b.low][b.high] += 1 / (double)t->count - keep;
		}
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				most_off =
				    fmax(most_off, fabs(counted[i][j] - drawn[i][j]));
	}
	tap_ok(most_off < 1e-9,
	    "the probabilities of resampled medians are those of all resamples (error "
	    "%.2g)",
	    most_off);
	bootstrap_median_free(&r);
}

static void test_quickselect(void)
{
	static double value[3000], sorted[3000];
	const double p[] = { 0, 0.025, 0.5, 0.975, 0.9999, 1 };
	int wrong = 0;

	rng_seed(&rng, 73);
	for (int round = 0; round < 200; round++) {
		size_t n = 1 + rng_below(&rng, round % 3 ? 3000 : 300);
		double got[COUNT(p)];

		for (size_t i = 0; i < n; i++)
			value[i] = round % 4 == 0   ? normal() / normal()
			           : round % 4 == 1 ? (double)rng_below(&rng, 4)
			           : round % 4 == 2 ? 1 + normal() * 1e-15
			                            : exp(normal());
		memcpy(sorted, value, n * sizeof(*value));
		stats_sort(sorted, n);
		quickselect_quantiles(value, n, p, COUNT(p), got);
		for (size_t i = 0; i < COUNT(p); i++)
			wrong += fabs(got[i] - stats_quantile(sorted, n, p[i])) >
			         1e-14 * fabs(got[i]);
	}
	tap_ok(
	    wrong == 0, "quantiles by bins are those of sorted values (%d differ)", wrong);
}

static void test_hodges_lehmann(void)
{
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
		wrong += fabs(hodges_lehmann_pairs(old, new, n) -
		              stats_quantile(walsh, k, 0.5)) > 1e-15;
		for (size_t i = 0; i < m; i++)
			for (size_t j = 0; j < n; j++)
				all[i * n + j] = new[j] - old[i];
		stats_sort(all, m * n);
		stats_sort(old, m);
		stats_sort(new, n);
		wrong += fabs(hodges_lehmann_sides(old, m, new, n) -
		              stats_quantile(all, m * n, 0.5)) > 1e-15;
	}
	tap_ok(wrong == 0, "shifts are the medians of all differences (%d differ)", wrong);
}

int main(void)
{
	test_bootstrap_median();
	test_quickselect();
	test_hodges_lehmann();
	return tap_end();
}
