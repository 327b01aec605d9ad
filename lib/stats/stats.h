/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Summaries of samples. Pure: arrays in, numbers out. The table below names every statistic
 * once; bench-stat's columns, its -s and what others show all come from it.
 */
#ifndef STATS_STATS_H
#define STATS_STATS_H

#include "base/base.h"

/* Of n values; NAN is a statistic that does not exist (any without values, sd of one). */
struct summary {
	double n;
	double failed; /* runs that failed: for the caller to fill in */
	double mean;
	double sd; /* with n - 1 */
	double min, p5, median, p90, p95, p99, p999, p9999, max;
	double mad;          /* median absolute deviation from the median, unscaled */
	double ci_lo, ci_hi; /* an interval of the median */
	double outliers;     /* how many lie beyond Tukey's fences */
};

struct statistic {
	const char *name;
	size_t offset; /* of the field in struct summary */
	enum { STATISTIC_COUNT, STATISTIC_VALUE, STATISTIC_QUANTILE } kind;
	double prob;    /* of a quantile; the others are computed by name */
	bool is_detail; /* left out of a table for people unless asked for */
	const char *meaning;
};

extern const struct statistic statistics[];
extern const size_t statistics_count;
/* NULL when there is none of that name. */
const struct statistic *statistic_find(struct text name);
double statistic_get(const struct statistic *s, const struct summary *of);

/* Sort ascending: 2 million doubles in some 20 ms. No NAN may be among them. */
void stats_sort(double *values, size_t n);
/*
 * All statistics of n values, which are sorted in place. confidence, 0 to 1, is that of the
 * interval of the median (stats_median_ranks).
 */
void stats_summarise(double *values, size_t n, double confidence, struct summary *out);

/*
 * A quantile of sorted values: linear interpolation of the order statistics at (n - 1) p,
 * type 7 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The
 * American Statistician 50 (1996). NAN when n is 0.
 */
double stats_quantile(const double *sorted, size_t n, double p);
/*
 * The sum over n with Neumaier's compensation (A. Neumaier, "Rundungsfehleranalyse einiger
 * Verfahren zur Summation endlicher Summen", ZAMM 54 (1974)), divided by n.
 */
double stats_mean(const double *values, size_t n);
/*
 * Standard deviation with n - 1 by the corrected two-pass algorithm (T. F. Chan, G. H.
 * Golub, R. J. LeVeque, "Algorithms for computing the sample variance", The American
 * Statistician 37 (1983)). NAN below two values.
 */
double stats_sd(const double *values, size_t n, double mean);
/* Median of |x - median|; no factor makes it look like a standard deviation. */
double stats_mad(const double *sorted, size_t n, double median);
/*
 * The interval of the median by order statistics: the ranks, from 1, of the sorted values
 * that enclose it with at least the confidence given, whatever the distribution (H. A.
 * David, H. N. Nagaraja, "Order Statistics", 3rd ed., section 7.1). False when there are
 * too few values: below 6 at 95 %.
 */
bool stats_median_ranks(size_t n, double confidence, size_t *lo, size_t *hi);

#endif
