/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Confidence intervals of the quantiles of values that may depend on each other, such as
 * the latencies of a queue or the values of one process. Pure.
 *
 * The ends are order statistics, as of independent values (confidence.h). Dependence is
 * described by the effective number of values: the number of independent values for which
 * the count of values up to the quantile would vary as much. The binomial ranks are those
 * of the effective number (E. L. Korn, B. I. Graubard, "Confidence intervals for
 * proportions with small expected number of positive counts estimated from survey data",
 * Survey Methodology 24 (1998), for the quantile inverted as by R. S. Woodruff, "Confidence
 * intervals for medians and other position measures", JASA 47 (1952)). An interval is
 * never narrower than that of independent values.
 *
 * To estimate how much that count varies, the values of each process are divided into
 * batches (P. Heidelberger, P. A. W. Lewis, "Quantile estimation in dependent sequences",
 * Operations Research 32 (1984)). The covariances of batches are added up to the lag at
 * which two neighboring ones are no longer positive (C. J. Geyer, "Practical Markov chain
 * Monte Carlo", Statistical Science 7 (1992)). Differences between processes, and between
 * runs, count as well if there are several.
 */
#ifndef STATS_QUANTILE_INTERVAL_H
#define STATS_QUANTILE_INTERVAL_H

#include "base/base.h"
#include "base/sample_id.h"

/* Values and limits of one group, in any order, each with its origin. A limit is exceeded
 * by a censored value (censored.h). */
struct quantile_input {
	const double *value;
	const struct sample_id *identity;
	size_t values;
	const double *limit;
	const struct sample_id *limit_identity;
	size_t limits;
};

struct quantile_interval {
	/* NAN: there is no interval, or, for hi only, that end is censored. */
	double lo, hi;
	/* An estimate of the number of values that an interval takes if they depend on each
	 * other like these; at least the number of independent values. */
	double needed;
};

struct quantile_series;
/* Copies the values and sorts them. The caller frees the result with
 * quantile_series_close(). */
struct quantile_series *quantile_series_open(const struct quantile_input *input);
/* Returns the interval of the quantile for p, 0 < p < 1. */
struct quantile_interval quantile_series_interval(
    const struct quantile_series *s, double p, double confidence);
void quantile_series_close(struct quantile_series *s);

#endif
