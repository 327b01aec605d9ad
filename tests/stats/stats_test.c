/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Summaries against published values and plain definitions, and the random numbers against
 * the first numbers that their authors published.
 */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "stats/stats.h"
#include "tests/lib/tap.h"

static bool near(double got, double want)
{
	return fabs(got - want) <= 1e-14 * fabs(want);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Draws values of all magnitudes and signs; coarse: with many ties. */
static double *draw(struct rng *r, size_t n, bool coarse)
{
	double *x = mem_resize(NULL, n + 1, sizeof(*x));

	for (size_t i = 0; i < n; i++)
		x[i] = coarse ? (double)rng_below(r, 7) - 3
		              : ldexp(rng_uniform(r) - 0.5, (int)rng_below(r, 200) - 100);
	return x;
}

static void test_rng(void)
{
	struct rng r = { { 1, 2, 3, 4 } };
	uint64_t state = 0, count[6] = { 0 }, least = UINT64_MAX;

	tap_ok(rng_splitmix(&state) == 0xe220a8397b1dcdafu &&
	           rng_splitmix(&state) == 0x6e789e6aa1b965f4u,
	    "rng_splitmix() returns the published numbers");
	tap_ok(rng_next(&r) == 11520 && rng_next(&r) == 0 && rng_next(&r) == 1509978240 &&
	           rng_next(&r) == 1215971899390074240,
	    "rng_next() returns the published numbers of xoshiro256**");
	for (int i = 0; i < 600000; i++)
		count[rng_below(&r, 6)]++;
	for (int i = 0; i < 6; i++)
		least = count[i] < least ? count[i] : least;
	tap_ok(least > 98500,
	    "rng_below() draws six numbers equally often (least %d of 100000)", (int)least);
}

static void test_sort(void)
{
	static const size_t sizes[] = { 0, 1, 2, 3, 17, 63, 64, 299, 300, 301, 1000,
		20000 };
	struct rng r;

	rng_seed(&r, 7);
	for (size_t s = 0; s < COUNT(sizes); s++)
		for (int coarse = 0; coarse < 2; coarse++) {
			size_t n = sizes[s];
			double *got = draw(&r, n, coarse), *want = draw(&r, n, coarse);
			bool same;

			memcpy(want, got, n * sizeof(*want));
			qsort(want, n, sizeof(*want), by_value);
			stats_sort(got, n);
			same = memcmp(got, want, n * sizeof(*got)) == 0;
			tap_ok(same, "stats_sort() sorts %zu %s values", n,
			    coarse ? "tied" : "distinct");
			free(got);
			free(want);
		}
}

static void test_quantile(void)
{
	static const double x[] = { 15, 20, 35, 40, 50 };
	/* the defaults of numpy.percentile and R */
	static const struct {
		double p, want;
	} cases[] = { { 0, 15 }, { 0.05, 16 }, { 0.3, 23 }, { 0.4, 29 }, { 0.5, 35 },
		{ 0.95, 48 }, { 1, 50 } };

	for (size_t i = 0; i < COUNT(cases); i++)
		tap_ok(near(stats_quantile(x, COUNT(x), cases[i].p), cases[i].want),
		    "quantile %g of five values is %g", cases[i].p, cases[i].want);
	tap_ok(isnan(stats_quantile(NULL, 0, 0.5)), "no values have no quantile");
	tap_ok(stats_quantile(x, 1, 0.9) == 15, "every quantile of one value is the value");
}

/*
 * The median's interval at 95%: W. J. Dixon, F. J. Massey, "Introduction to Statistical
 * Analysis", table A-25.
 */
static void test_ranks(void)
{
	static const struct {
		size_t n, rank;
	} cases[] = { { 6, 1 }, { 7, 1 }, { 8, 1 }, { 9, 2 }, { 10, 2 }, { 12, 3 },
		{ 15, 4 }, { 20, 6 }, { 25, 8 }, { 30, 10 }, { 50, 18 }, { 100, 40 } };
	size_t lo, hi;

	for (size_t i = 0; i < COUNT(cases); i++) {
		bool found = stats_median_ranks(cases[i].n, 0.95, &lo, &hi);

		tap_ok(found && lo == cases[i].rank && hi == cases[i].n + 1 - lo,
		    "of %zu values, numbers %zu and %zu enclose the median at 95%%",
		    cases[i].n, lo, hi);
	}
	for (size_t n = 0; n < 6; n++)
		tap_ok(!stats_median_ranks(n, 0.95, &lo, &hi),
		    "%zu values have no interval of the median at 95%%", n);
	tap_ok(stats_median_ranks(5, 0.9, &lo, &hi) && lo == 1,
	    "five values have an interval of the median at 90%%");
}

static double mad_plainly(const double *sorted, size_t n, double median)
{
	double *d = mem_resize(NULL, n + 1, sizeof(*d)), mad;

	for (size_t i = 0; i < n; i++)
		d[i] = fabs(sorted[i] - median);
	qsort(d, n, sizeof(*d), by_value);
	mad = n % 2 ? d[n / 2] : (d[n / 2 - 1] + d[n / 2]) / 2;
	free(d);
	return mad;
}

static void test_mad(void)
{
	struct rng r;
	int wrong = 0;

	rng_seed(&r, 11);
	for (size_t n = 1; n < 60; n++)
		for (int coarse = 0; coarse < 2; coarse++) {
			double *x = draw(&r, n, coarse), median;

			stats_sort(x, n);
			median = stats_quantile(x, n, 0.5);
			wrong += stats_mad(x, n, median) != mad_plainly(x, n, median);
			free(x);
		}
	tap_ok(wrong == 0,
	    "stats_mad() returns the median of the sorted deviations (%d differ)", wrong);
}

static void test_summary(void)
{
	double x[] = { 9, 2, 4, 7, 4, 5, 4, 5 }, fences[20], one[] = { 3 };
	double far[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 };
	double wide[] = { 1e16, 1e16 + 2 }; /* their mean is not a double */
	double equal[] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 };
	struct summary s;

	stats_summarize(x, COUNT(x), 0.95, &s);
	tap_ok(s.n == 8 && s.mean == 5 && near(s.sd, sqrt(32.0 / 7)) && s.min == 2 &&
	           s.max == 9 && s.median == 4.5 && s.mad == 0.5 && s.ci_lo == 2 &&
	           s.ci_hi == 9,
	    "stats_summarize() computes the statistics of eight values");
	for (int i = 0; i < 20; i++)
		fences[i] = i;
	fences[0] = -10; /* quartiles 4.75 and 14.25: the fences are -9.5 and 28.5 */
	fences[19] = 29;
	fences[18] = 28;
	stats_summarize(fences, COUNT(fences), 0.95, &s);
	tap_ok(s.outliers == 2, "two of three far values are beyond the fences (%g)",
	    s.outliers);
	stats_summarize(far, COUNT(far), 0.95, &s);
	tap_ok(near(s.sd, sqrt(30)) && s.mean == 1e9 + 10,
	    "a large offset does not reduce the precision of mean and sd");
	stats_summarize(wide, COUNT(wide), 0.95, &s);
	tap_ok(near(s.sd, sqrt(2)),
	    "rounding of the mean does not reduce the precision of the sd");
	stats_summarize(equal, COUNT(equal), 0.95, &s);
	tap_ok(s.sd == 0 && s.mad == 0 && s.mean == 0.1 && s.outliers == 0,
	    "equal values have an sd of 0 and their own mean");
	stats_summarize(one, 1, 0.95, &s);
	tap_ok(s.mean == 3 && isnan(s.sd) && s.mad == 0 && isnan(s.ci_lo),
	    "one value has a mean but no sd");
	stats_summarize(one, 0, 0.95, &s);
	tap_ok(
	    s.n == 0 && isnan(s.mean) && isnan(s.min) && isnan(s.mad) && isnan(s.outliers),
	    "no values have no statistics");
}

static void test_table(void)
{
	struct summary s;
	double x[] = { 1, 2, 3 };
	int wrong = 0;

	for (size_t i = 0; i < statistics_count; i++)
		wrong += statistic_find(text_of(statistics[i].name)) != &statistics[i];
	tap_ok(wrong == 0, "every statistic is found by its name");
	tap_ok(!statistic_find(TEXT("p96")), "an unknown statistic is not found");
	stats_summarize(x, COUNT(x), 0.95, &s);
	tap_ok(statistic_get(statistic_find(TEXT("max")), &s) == 3,
	    "statistic_get() returns the statistic found by its name");
}

int main(void)
{
	test_rng();
	test_sort();
	test_quantile();
	test_ranks();
	test_mad();
	test_summary();
	test_table();
	return tap_end();
}
