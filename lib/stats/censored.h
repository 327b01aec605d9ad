/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of values some of which are censored: only known to exceed a limit, such as
 * the times of samples that timed out. Pure.
 */
#ifndef STATS_CENSORED_H
#define STATS_CENSORED_H

#include "stats/stats.h"

/* Values that were observed, and the limits that the other values exceed. Both arrays are
 * sorted in ascending order. */
struct censored {
	const double *value;
	size_t values;
	const double *limit;
	size_t limits;
};

/* A number, or, if above, a lower bound of it. NAN: none. */
struct bounded {
	double at;
	bool above;
};

/*
 * Returns a quantile. If no value exceeds the least limit, as with one limit for all, the
 * censored values are greater than all others. The quantile is then that of
 * stats_quantile(), with type 7 of all values, and a lower bound if it needs a censored
 * value: the same interpolation with the limits. Otherwise the quantile is that of the
 * survival curve S of E. L. Kaplan and P. Meier, "Nonparametric estimation from incomplete
 * observations", JASA 53 (1958), with the conventions of survfit() of R: the least value t
 * with S(t) <= 1 - p, or, if S(t) = 1 - p, the middle of t and the next value. If there is
 * none, it is above the largest value or limit; if S(t) = 1 - p up to there, above the
 * middle of t and that one. The smallest and the largest value (p = 0 and p = 1) are always
 * order statistics.
 */
struct bounded censored_quantile(const struct censored *c, double p);

/*
 * Computes all statistics of values and limits, and sorts both. A statistic that depends on
 * a censored value is NAN in `out`, and a lower bound of it, if there is one, is in
 * `above`; all others are NAN in `above`. The ends of the interval of the median are order
 * statistics, the lower one with the limits in place of the censored values, and the upper
 * one with infinities. Without limits, `out` is that of stats_summarize().
 */
void censored_summarize(double *values, size_t n, double *limits, size_t count,
    double confidence, struct summary *out, struct summary *above);

/*
 * Computes the median of rates, such as flop_rate, and its interval, and sorts the values.
 * A sample that timed out is slower than the others, so its unknown rate is less than
 * theirs; `slower` is the number of such samples. If there are any, a median or an end of
 * its interval that depends on an unknown rate is NAN, min and max are those of the known
 * rates, n counts all rates, and all other statistics are NAN.
 */
void censored_rates(
    double *values, size_t n, size_t slower, double confidence, struct summary *out);

#endif
