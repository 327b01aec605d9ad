/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of censored values; see censored.h. A quantile needs the order statistics of
 * values and limits together, which are found by a merge.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/censored.h"

/* Probabilities of a survival curve within this distance are equal, as in survfit(). */
#define SAME_CHANCE 0x1p-26 /* sqrt(DBL_EPSILON) */

/* Returns an order statistic, from 0, of values and limits together, and whether it is a
 * limit. Of equal ones, the values are first. */
static struct bounded merged_at(const struct censored *c, size_t rank)
{
	size_t i = 0, k = 0;

	if (!c->limits)
		return (struct bounded){ c->value[rank], false };
	while (true) {
		bool is_limit =
		    i == c->values || (k < c->limits && c->limit[k] < c->value[i]);

		if (i + k == rank)
			return is_limit ? (struct bounded){ c->limit[k], true }
			                : (struct bounded){ c->value[i], false };
		if (is_limit)
			k++;
		else
			i++;
	}
}

static struct bounded type7(const struct censored *c, double p)
{
	double at = (double)(c->values + c->limits - 1) * p;
	size_t i = (size_t)at;
	struct bounded low = merged_at(c, i), high = low;
	double part = at - (double)i, pair[2] = { low.at, low.at };

	if (part > 0)
		high = merged_at(c, i + 1);
	pair[1] = high.at;
	return (struct bounded){ stats_quantile(pair, 2, part), low.above || high.above };
}

/* Returns the value after which the survival curve is below 1 - p, or, if below is false,
 * at most that. Returns INFINITY if there is none. */
static double survival_time(const struct censored *c, double p, bool below)
{
	double survival = 1, most = 1 - p + (below ? -SAME_CHANCE : SAME_CHANCE);

	for (size_t i = 0, k = 0, end; i < c->values; i = end) {
		double at_risk;

		while (k < c->limits && c->limit[k] < c->value[i])
			k++;
		for (end = i; end < c->values && c->value[end] == c->value[i];)
			end++;
		at_risk = (double)(c->values - i + c->limits - k);
		survival *= 1 - (double)(end - i) / at_risk;
		if (survival < most)
			return c->value[i];
	}
	return INFINITY;
}

static struct bounded survival_quantile(const struct censored *c, double p)
{
	double first = survival_time(c, p, false), next = survival_time(c, p, true);
	double last = merged_at(c, c->values + c->limits - 1).at;

	if (isinf(first))
		return (struct bounded){ last, true };
	if (isinf(next))
		return (struct bounded){ first + (last - first) / 2, true };
	return (struct bounded){ first + (next - first) / 2, false };
}

/* Returns whether every censored value exceeds every other value. */
static bool limits_are_last(const struct censored *c)
{
	return !c->limits || !c->values || c->value[c->values - 1] <= c->limit[0];
}

struct bounded censored_quantile(const struct censored *c, double p)
{
	struct bounded most;

	if (c->values + c->limits == 0)
		return (struct bounded){ .at = NAN };
	if (limits_are_last(c) || p <= 0)
		return type7(c, p);
	if (p < 1)
		return survival_quantile(c, p);
	most = merged_at(c, c->values + c->limits - 1);
	return (struct bounded){ most.at, true };
}

/* Returns all values in ascending order, with the limits, or with values that are greater
 * than all others, in place of the censored ones; allocated. */
static double *substitute(const struct censored *c, bool limits)
{
	double *all = mem_resize(NULL, c->values + c->limits + 1, sizeof(*all));

	if (c->values)
		memcpy(all, c->value, c->values * sizeof(*all));
	for (size_t i = 0; i < c->limits; i++)
		all[c->values + i] = limits ? c->limit[i] : DBL_MAX;
	stats_sort(all, c->values + c->limits);
	return all;
}

/* Returns the median absolute deviation, or NAN if it depends on a censored value. */
static double deviation_of(const struct censored *c, const double *greatest, double median)
{
	double mad;

	if (isnan(median) || !limits_are_last(c))
		return NAN;
	mad = stats_mad(greatest, c->values + c->limits, median);
	return mad <= c->limit[0] - median ? mad : (double)NAN;
}

/* Returns the number of values beyond Tukey's fences, or NAN if it is unknown. */
static double outliers_of(const struct censored *c)
{
	struct bounded q1 = censored_quantile(c, 0.25), q3 = censored_quantile(c, 0.75);
	double reach = 1.5 * (q3.at - q1.at), out = (double)c->limits;

	if (q1.above || q3.above || c->limit[0] < q3.at + reach)
		return NAN;
	for (size_t i = 0; i < c->values; i++)
		out += c->value[i] < q1.at - reach || c->value[i] > q3.at + reach;
	return out;
}

/* Makes all statistics unknown. */
static void clear_statistics(struct summary *s)
{
	for (size_t i = 0; i < statistics_count; i++)
		*(double *)((char *)s + statistics[i].offset) = NAN;
}

static void set_quantiles(
    const struct censored *c, struct summary *out, struct summary *above)
{
	for (size_t i = 0; i < statistics_count; i++) {
		const struct statistic *s = &statistics[i];
		struct bounded b;

		if (s->kind != STATISTIC_QUANTILE)
			continue;
		b = censored_quantile(c, s->prob);
		*(double *)((char *)(b.above ? above : out) + s->offset) = b.at;
		if (b.above)
			*(double *)((char *)out + s->offset) = NAN;
	}
}

void censored_summarize(double *values, size_t n, double *limits, size_t count,
    double confidence, struct summary *out, struct summary *above)
{
	struct censored c = { values, n, limits, count };
	double *least, *greatest;
	size_t lo, hi;

	stats_summarize(values, n, confidence, out);
	clear_statistics(above);
	if (!count)
		return;
	stats_sort(limits, count);
	least = substitute(&c, true);
	greatest = substitute(&c, false);
	out->censored = (double)count;
	out->limit = limits[0];
	set_quantiles(&c, out, above);
	above->mean = stats_mean(least, n + count);
	out->mean = out->sd = out->ci_lo = out->ci_hi = NAN;
	out->mad = deviation_of(&c, greatest, out->median);
	out->outliers = outliers_of(&c);
	if (stats_median_ranks(n + count, confidence, &lo, &hi)) {
		out->ci_lo = least[lo - 1];
		out->ci_hi = greatest[hi - 1] < DBL_MAX ? greatest[hi - 1] : (double)NAN;
	}
	free(least);
	free(greatest);
}

/* Returns a statistic, or NAN if it is less than all values. */
static double known_rate(double statistic, double least)
{
	return statistic >= least ? statistic : (double)NAN;
}

void censored_rates(
    double *values, size_t n, size_t slower, double confidence, struct summary *out)
{
	/* The unknown rates are 0 in the computation, which no rate is below. */
	double *all = mem_zero(n + slower + 1, sizeof(*all)), least;
	struct summary s;

	stats_sort(values, n);
	least = n ? values[0] : (double)NAN;
	if (n)
		memcpy(all + slower, values, n * sizeof(*all));
	stats_summarize(all, n + slower, confidence, &s);
	free(all);
	*out = s;
	if (!slower)
		return;
	clear_statistics(out);
	out->n = s.n;
	out->min = least;
	out->max = n ? values[n - 1] : (double)NAN;
	out->median = known_rate(s.median, least);
	out->ci_lo = known_rate(s.ci_lo, least);
	out->ci_hi = known_rate(s.ci_hi, least);
}
