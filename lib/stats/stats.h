/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Summary statistics. Pure: arrays in, numbers out. The table below names each statistic
 * once. The columns of bench-stat, its option -s and all other programs use this table.
 */
#ifndef STATS_STATS_H
#define STATS_STATS_H

#include "base/base.h"

/* The statistics of n values. NAN: the statistic does not exist (no values, or the sd of
 * one value). */
struct summary {
	double n;
	double failed; /* failed samples; filled by the caller */
	/* The number of values that are only known to exceed a limit, which `n` does not
	 * count, and the least of the limits, or NAN; see censored.h. */
	double censored, limit;
	double mean;
	double sd; /* with n - 1 */
	double min, p5, median, p90, p95, p99, p999, p9999, max;
	double mad;          /* median absolute deviation from the median, unscaled */
	double ci_lo, ci_hi; /* interval of the median */
	double outliers;     /* number of values beyond Tukey's fences */
};

struct statistic {
	const char *name;
	size_t offset; /* of the field in struct summary */
	enum { STATISTIC_COUNT, STATISTIC_VALUE, STATISTIC_QUANTILE } kind;
	double prob;    /* of a quantile; the others are computed by name */
	bool is_detail; /* in aligned tables only on request */
	const char *meaning;
};

extern const struct statistic statistics[];
extern const size_t statistics_count;
/* Returns the statistic of this name, or NULL. */
const struct statistic *statistic_find(struct text name);
/* Returns the value of a statistic. */
double statistic_get(const struct statistic *s, const struct summary *of);

/* Sorts values, without NAN, in ascending order: 2 million in about 20 ms. */
void stats_sort(double *values, size_t n);
/*
 * Computes all statistics of n values, and sorts the values in place. confidence: of the
 * interval of the median, 0 to 1 (stats_median_ranks); NAN: without the interval.
 */
void stats_summarize(double *values, size_t n, double confidence, struct summary *out);

/*
 * Returns a quantile of sorted values: linear interpolation of the order statistics at
 * (n - 1) p, type 7 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical
 * packages", The American Statistician 50 (1996). Returns NAN if n is 0.
 */
double stats_quantile(const double *sorted, size_t n, double p);
/*
 * Returns the mean. The sum is compensated (A. Neumaier, "Rundungsfehleranalyse einiger
 * Verfahren zur Summation endlicher Summen", ZAMM 54 (1974)).
 */
double stats_mean(const double *values, size_t n);
/*
 * Returns the standard deviation, with n - 1, by the corrected two-pass algorithm (T. F.
 * Chan, G. H. Golub, R. J. LeVeque, "Algorithms for computing the sample variance", The
 * American Statistician 37 (1983)), or NAN for fewer than two values.
 */
double stats_sd(const double *values, size_t n, double mean);
/* Returns the median of |x - median|, without a factor. */
double stats_mad(const double *sorted, size_t n, double median);
/*
 * Fills the ranks, from 1, of the sorted values that enclose the median with at least this
 * confidence, for every distribution (H. A. David, H. N. Nagaraja, "Order Statistics", 3rd
 * ed., section 7.1). Returns false if there are too few values: fewer than 6 at 95%; or if
 * the confidence is NAN. Each thread caches the last ranks, because most groups of a table
 * have the same size.
 */
bool stats_median_ranks(size_t n, double confidence, size_t *lo, size_t *hi);

#endif
