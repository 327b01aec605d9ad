/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Summary statistics; see stats.h. All are computed from the sorted values in a few passes,
 * so a summary costs little more than the sort.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/dist.h"
#include "stats/stats.h"

/* clang-format off */
#define FIELD(name) #name, offsetof(struct summary, name)

const struct statistic statistics[] = {
	{ FIELD(n), STATISTIC_COUNT, 0, false, "values" },
	{ FIELD(failed), STATISTIC_COUNT, 0, false, "runs that failed" },
	{ FIELD(mean), STATISTIC_VALUE, 0, false, "arithmetic mean" },
	{ FIELD(sd), STATISTIC_VALUE, 0, false, "standard deviation, n - 1" },
	{ FIELD(min), STATISTIC_QUANTILE, 0, false, "least value" },
	{ FIELD(p5), STATISTIC_QUANTILE, 0.05, true, "5th percentile" },
	{ FIELD(median), STATISTIC_QUANTILE, 0.5, false, "median" },
	{ FIELD(p90), STATISTIC_QUANTILE, 0.9, true, "90th percentile" },
	{ FIELD(p95), STATISTIC_QUANTILE, 0.95, false, "95th percentile" },
	{ FIELD(p99), STATISTIC_QUANTILE, 0.99, true, "99th percentile" },
	{ FIELD(p999), STATISTIC_QUANTILE, 0.999, true, "99.9th percentile" },
	{ FIELD(p9999), STATISTIC_QUANTILE, 0.9999, true, "99.99th percentile" },
	{ FIELD(max), STATISTIC_QUANTILE, 1, false, "largest value" },
	{ FIELD(mad), STATISTIC_VALUE, 0, true, "median absolute deviation, unscaled" },
	{ FIELD(ci_lo), STATISTIC_VALUE, 0, false, "lower end of the median's interval" },
	{ FIELD(ci_hi), STATISTIC_VALUE, 0, false, "upper end of the median's interval" },
	{ FIELD(outliers), STATISTIC_COUNT, 0, false, "values beyond Tukey's fences" },
	{ FIELD(censored), STATISTIC_COUNT, 0, true, "timeouts that count in quantiles" },
	{ FIELD(limit), STATISTIC_VALUE, 0, true, "least limit of the timeouts" },
};
/* clang-format on */
const size_t statistics_count = COUNT(statistics);

const struct statistic *statistic_find(struct text name)
{
	for (size_t i = 0; i < statistics_count; i++)
		if (text_is(name, statistics[i].name))
			return &statistics[i];
	return NULL;
}

double statistic_get(const struct statistic *s, const struct summary *of)
{
	return *(const double *)((const char *)of + s->offset);
}

enum {
	DIGIT_BITS = 8,
	DIGITS = 64 / DIGIT_BITS,
	RADIX = 1 << DIGIT_BITS,
	HANDFUL = 64,
	FEW = 300
};

/* Maps the bits of a double to an integer of the same order. Negative values are
 * complemented. */
static uint64_t key_of(const double *x)
{
	uint64_t bits;

	memcpy(&bits, x, sizeof(bits));
	return bits ^ (-(bits >> 63) | (uint64_t)1 << 63);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts by the digit at shift, whose counts are known: one stable pass of the radix sort.
 */
static void scatter(
    const double *from, double *to, size_t n, int shift, const size_t count[RADIX])
{
	size_t at[RADIX], sum = 0;

	for (size_t d = 0; d < RADIX; d++) {
		at[d] = sum;
		sum += count[d];
	}
	for (size_t i = 0; i < n; i++)
		to[at[key_of(&from[i]) >> shift & (RADIX - 1)]++] = from[i];
}

/* Sorts by insertion. qsort calls a function for each comparison. */
static void insert_each(double *values, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const double x = values[i];
		size_t at = i;

		for (; at && values[at - 1] > x; at--)
			values[at] = values[at - 1];
		values[at] = x;
	}
}

/*
 * Sorts a handful of values by insertion, more with the C library, and many with a radix
 * sort from the lowest digit.
 * Skips digits that all values share. Measured values have few significant bits, so about
 * half of the digits are skipped.
 */
void stats_sort(double *values, size_t n)
{
	size_t sorted = 1, (*count)[RADIX];
	double *scratch, *from = values, *to;

	while (sorted < n && values[sorted - 1] <= values[sorted])
		sorted++;
	if (sorted >= n)
		return;
	if (n < HANDFUL) {
		insert_each(values, n);
		return;
	}
	if (n < FEW) {
		qsort(values, n, sizeof(*values), by_value);
		return;
	}
	count = mem_zero(DIGITS, sizeof(*count));
	to = scratch = mem_resize(NULL, n, sizeof(*scratch));
	for (size_t i = 0; i < n; i++) {
		uint64_t key = key_of(&values[i]);

		for (int d = 0; d < DIGITS; d++)
			count[d][key >> d * DIGIT_BITS & (RADIX - 1)]++;
	}
	for (int d = 0; d < DIGITS; d++) {
		int shift = d * DIGIT_BITS;
		double *next = from;

		if (count[d][key_of(values) >> shift & (RADIX - 1)] == n)
			continue;
		scatter(from, to, n, shift, count[d]);
		from = to;
		to = next;
	}
	if (from != values)
		memcpy(values, from, n * sizeof(*values));
	free(scratch);
	free(count);
}

double stats_quantile(const double *sorted, size_t n, double p)
{
	double at = n ? (double)(n - 1) * p : 0;
	size_t i = (size_t)at;

	if (!n)
		return NAN;
	if (i + 1 >= n)
		return sorted[n - 1];
	double part = at - (double)i, gap = sorted[i + 1] - sorted[i];
	return isfinite(gap) ? sorted[i] + part * gap
	                     : sorted[i] * (1 - part) + sorted[i + 1] * part;
}

/* Corrects the quotient by its remainder, so that the mean of equal values is exact. */
static double mean_scaled(const double *values, size_t n, double scale)
{
	double sum = 0, lost = 0, mean;

	for (size_t i = 0; i < n; i++) {
		double x = values[i] * scale, next = sum + x;

		lost += fabs(sum) >= fabs(x) ? (sum - next) + x : (x - next) + sum;
		sum = next;
	}
	mean = (sum + lost) / (double)n;
	return (mean + (fma(-mean, (double)n, sum) + lost) / (double)n) / scale;
}

double stats_mean(const double *values, size_t n)
{
	double mean = n ? mean_scaled(values, n, 1) : NAN;

	return n && !isfinite(mean) ? mean_scaled(values, n, 0x1p-64) : mean;
}

static double sum_of_squares(const double *values, size_t n, double mean, double scale)
{
	double squares = 0, rest = 0;

	for (size_t i = 0; i < n; i++) {
		double d = values[i] * scale - mean * scale;

		squares += d * d;
		rest += d;
	}
	return squares - rest * rest / (double)n;
}

/* Returns the power of two that scales the largest deviation to about 1. */
static double deviation_scale(const double *values, size_t n, double mean)
{
	double most = 0;
	int exponent = DBL_MAX_EXP + 1;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(values[i] - mean));
	if (isfinite(most))
		frexp(most, &exponent);
	return ldexp(1, exponent > -1000 ? -exponent : 1000);
}

double stats_sd(const double *values, size_t n, double mean)
{
	double squares, scale = 1;

	if (n < 2)
		return NAN;
	squares = sum_of_squares(values, n, mean, scale);
	if (!(squares > 0x1p-900 &&
	        squares < INFINITY)) { /* against underflow and overflow */
		scale = deviation_scale(values, n, mean);
		squares = sum_of_squares(values, n, mean, scale);
	}
	return sqrt(fmax(0, squares) / (double)(n - 1)) / scale;
}

/* Merges two walks outward from the median, which visits the deviations in ascending order.
 */
static double mad_scaled(const double *sorted, size_t n, double median, double scale)
{
	size_t right = 0, left, taken = 0, half = n / 2;
	double last = NAN, previous = NAN;

	while (right < n && sorted[right] < median)
		right++;
	for (left = right; taken <= half && taken < n; taken++) {
		double below = left ? median * scale - sorted[left - 1] * scale : INFINITY;
		double above =
		    right < n ? sorted[right] * scale - median * scale : INFINITY;

		previous = last;
		if (below < above) {
			last = below;
			left--;
		} else {
			last = above;
			right++;
		}
	}
	return (n % 2 ? last : (previous + last) / 2) / scale;
}

double stats_mad(const double *sorted, size_t n, double median)
{
	double mad = mad_scaled(sorted, n, median, 1);

	return n && !isfinite(mad) ? mad_scaled(sorted, n, median, 0x1p-2) : mad;
}

bool stats_median_ranks(size_t n, double confidence, size_t *lo, size_t *hi)
{
	static _Thread_local struct {
		size_t n;
		double confidence, rank;
	} kept = { .confidence = NAN };
	const double tail = (1 - confidence) / 2;

	/* The quantile is 0 if no success in n trials is likelier than the tail. Computing it
	 * takes longer than all other statistics of a few values. */
	if (isnan(confidence) || (n < 64 && ldexp(1, -(int)n) > tail * (1 + 1e-9)))
		return false;
	if (kept.n != n || kept.confidence != confidence) {
		kept.n = n;
		kept.confidence = confidence;
		kept.rank = dist_fair_binomial_quantile(tail, (double)n);
	}
	if (!(kept.rank >= 1))
		return false;
	*lo = (size_t)kept.rank;
	*hi = n + 1 - *lo;
	return true;
}

/*
 * Returns the number of sorted values that are more than 1.5 interquartile ranges outside
 * the quartiles (J. W. Tukey, "Exploratory Data Analysis", 1977).
 */
static size_t count_outliers(const double *sorted, size_t n)
{
	double q1 = stats_quantile(sorted, n, 0.25), q3 = stats_quantile(sorted, n, 0.75);
	double reach = 1.5 * (q3 - q1);
	size_t out = 0;

	for (size_t i = 0; i < n && sorted[i] < q1 - reach; i++)
		out++;
	for (size_t i = n; i > 0 && sorted[i - 1] > q3 + reach; i--)
		out++;
	return out;
}

void stats_summarize(double *values, size_t n, double confidence, struct summary *out)
{
	size_t lo, hi;

	stats_sort(values, n);
	*out = (struct summary){ .n = (double)n, .limit = NAN, .ci_lo = NAN, .ci_hi = NAN };
	for (size_t i = 0; i < statistics_count; i++)
		if (statistics[i].kind == STATISTIC_QUANTILE)
			*(double *)((char *)out + statistics[i].offset) =
			    stats_quantile(values, n, statistics[i].prob);
	out->mean = stats_mean(values, n);
	out->sd = stats_sd(values, n, out->mean);
	out->mad = stats_mad(values, n, out->median);
	out->outliers = n ? (double)count_outliers(values, n) : NAN;
	if (stats_median_ranks(n, confidence, &lo, &hi)) {
		out->ci_lo = values[lo - 1];
		out->ci_hi = values[hi - 1];
	}
}
