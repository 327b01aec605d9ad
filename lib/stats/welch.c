/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of means; see welch.h.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/dist.h"
#include "stats/rank_interval.h"
#include "stats/stats.h"
#include "stats/welch.h"

enum {
	/* With fewer values on each side, too many intervals of the ratio of exponential
	 * values contain the true ratio; with a larger skewness, not enough of them do. */
	VALUES_LEAST = 7,
	BALANCE = 7, /* 1 / the skewness */
};

/* The mean of a side, the variance of this mean, and its degrees of freedom. */
struct mean {
	double at, variance, freedom;
};

static struct mean mean_of(const double *x, size_t n)
{
	double at = stats_mean(x, n), sd = stats_sd(x, n, at);
	bool equal = n >= 2;

	for (size_t i = 1; i < n; i++)
		equal = equal && x[i] == x[0];
	return equal ? (struct mean){ x[0], 0, (double)n - 1 }
	             : (struct mean){ at, sd * sd / (double)n, (double)n - 1 };
}

/* Values in a unit, a power of 2, in which no square of them overflows or is 0. */
struct scaled {
	double *old, *new, unit;
};

static double *scale(const double *x, size_t n, double by)
{
	double *to = mem_resize(NULL, n + 1, sizeof(*to));

	for (size_t i = 0; i < n; i++)
		to[i] = x[i] * by;
	return to;
}

static struct scaled scale_sides(
    const double *old, size_t olds, const double *new, size_t news)
{
	double most = 0, by;
	int exponent;

	for (size_t i = 0; i < olds; i++)
		most = fmax(most, fabs(old[i]));
	for (size_t i = 0; i < news; i++)
		most = fmax(most, fabs(new[i]));
	(void)frexp(most, &exponent);
	by = ldexp(1, exponent < -1000 ? 1000 : exponent > 1000 ? -1000 : -exponent);
	return (struct scaled){ scale(old, olds, by), scale(new, news, by), 1 / by };
}

static void scaled_free(struct scaled *s)
{
	free(s->old);
	free(s->new);
}

static double p_of(double difference, double variance, double freedom)
{
	if (variance == 0)
		return difference == 0 ? 1 : 0;
	return variance > 0 ? 2 * dist_t_above(fabs(difference) / sqrt(variance), freedom)
	                    : (double)NAN;
}

/* Returns Satterthwaite's degrees of freedom of a difference new - r old. */
static double freedom_of(const struct mean *old, const struct mean *new, double r)
{
	double a = r * r * old->variance, b = new->variance;
	double of_old = a / (a + b), of_new = b / (a + b);

	return 1 / (of_old * of_old / old->freedom + of_new * of_new / new->freedom);
}

/* Returns the p of the ratio r. */
static double ratio_p(const struct mean *old, const struct mean *new, double r)
{
	return p_of(new->at - r * old->at, r * r * old->variance + new->variance,
	    freedom_of(old, new, r));
}

/* Returns the p of a difference without variance. by_ranks: the least p of ranks. */
static double constant_p(const struct mean *difference, double by_ranks)
{
	return difference->at == 0 ? 1 : by_ranks;
}

/* Returns the difference of two means, and its variance. */
static struct mean difference_of(const struct mean *old, const struct mean *new)
{
	return (struct mean){ new->at - old->at, old->variance + new->variance,
		freedom_of(old, new, 1) };
}

static double sides_p(const struct mean *difference, size_t olds, size_t news)
{
	if (difference->variance == 0)
		return constant_p(
		    difference, rank_least_p(false, (double)olds, (double)news));
	return p_of(difference->at, difference->variance, difference->freedom);
}

static double pairs_p(const struct mean *gap, size_t n)
{
	if (gap->variance == 0)
		return constant_p(gap, rank_least_p(true, (double)n, (double)n));
	return p_of(gap->at, gap->variance, gap->freedom);
}

static struct mean sides_difference(
    const double *old, size_t olds, const double *new, size_t news)
{
	struct scaled s = scale_sides(old, olds, new, news);
	struct mean a = mean_of(s.old, olds), b = mean_of(s.new, news);

	scaled_free(&s);
	return difference_of(&a, &b);
}

double welch_sides(const double *old, size_t olds, const double *new, size_t news)
{
	struct mean difference = sides_difference(old, olds, new, news);

	return sides_p(&difference, olds, news);
}

/* Returns whether numbers of values are valid for welch_valid_sides(). */
static bool counts_are_valid(double olds, double news)
{
	double gap = BALANCE * (olds - news);

	return fmin(olds, news) >= VALUES_LEAST && gap * gap <= olds * news * (olds + news);
}

double welch_valid_sides(const double *old, size_t olds, const double *new, size_t news)
{
	struct mean difference = sides_difference(old, olds, new, news);

	return difference.variance == 0 || counts_are_valid((double)olds, (double)news)
	           ? sides_p(&difference, olds, news)
	           : (double)NAN;
}

/* Returns the mean of new - old and its variance. */
static struct mean mean_gap(const double *old, const double *new, size_t n)
{
	double *gap = mem_resize(NULL, n + 1, sizeof(*gap));
	struct mean mean;

	for (size_t i = 0; i < n; i++)
		gap[i] = new[i] - old[i];
	mean = mean_of(gap, n);
	free(gap);
	return mean;
}

double welch_pairs(const double *old, const double *new, size_t n)
{
	struct scaled s = scale_sides(old, n, new, n);
	struct mean gap = mean_gap(s.old, s.new, n);

	scaled_free(&s);
	return pairs_p(&gap, n);
}

/* Removes an interval that a p without variance does not support. */
static void need_p(
    const struct mean *difference, double p, double alpha, struct contrast *out)
{
	if (difference->variance == 0 && difference->at != 0 && !(p < alpha))
		out->lo = out->hi = NAN;
}

/* Fills a difference in a unit. */
static void take_difference(
    const struct mean *difference, double unit, double alpha, struct contrast *out)
{
	double arm = difference->variance == 0
	                 ? 0
	                 : dist_student_quantile_above(alpha / 2, difference->freedom) *
	                       sqrt(difference->variance);

	out->at = unit * difference->at;
	out->lo = unit * (difference->at - arm);
	out->hi = unit * (difference->at + arm);
}

/* Returns the ratio between `inside`, with a p of at least alpha, and `outside`, with a
 * lower one, at which p is alpha. */
static double ratio_end(const struct mean *old, const struct mean *new, double alpha,
    double inside, double outside)
{
	for (;;) {
		double middle = inside / 2 + outside / 2;

		if (middle == inside || middle == outside)
			return inside;
		if (ratio_p(old, new, middle) >= alpha)
			inside = middle;
		else
			outside = middle;
	}
}

/* Returns the upper end of the ratios from `at` on. Returns NAN if there is none, because
 * the old mean does not differ from 0. */
static double ratio_upper_end(
    const struct mean *old, const struct mean *new, double alpha, double at)
{
	double far = at;

	if (!(p_of(old->at, old->variance, old->freedom) < alpha))
		return NAN;
	do
		far *= 2;
	while (isfinite(far) && ratio_p(old, new, far) >= alpha);
	return isfinite(far) ? ratio_end(old, new, alpha, at, far) : (double)NAN;
}

static double ratio_lower_end(
    const struct mean *old, const struct mean *new, double alpha, double at)
{
	return p_of(new->at, new->variance, new->freedom) >= alpha
	           ? 0
	           : ratio_end(old, new, alpha, at, 0);
}

/* As the degrees of freedom depend on the ratio, ratios on both sides of 1 may have a p of
 * alpha although 1 has a lower one. The interval then ends before 1. */
static void take_ratio(
    const struct mean *old, const struct mean *new, double alpha, struct contrast *out)
{
	bool differs = ratio_p(old, new, 1) < alpha;

	out->lo = out->hi = out->at;
	if (old->variance == 0 && new->variance == 0)
		return;
	out->lo = out->hi = NAN;
	if (!(ratio_p(old, new, out->at) >= alpha))
		return;
	out->hi = differs && out->at < 1 ? ratio_end(old, new, alpha, out->at, 1)
	                                 : ratio_upper_end(old, new, alpha, out->at);
	out->lo = differs && out->at > 1 ? ratio_end(old, new, alpha, out->at, 1)
	                                 : ratio_lower_end(old, new, alpha, out->at);
	if (isnan(out->hi) && !differs)
		out->lo = NAN;
}

void welch_interval_sides(const double *old, size_t olds, const double *new, size_t news,
    double alpha, struct contrast *out)
{
	struct scaled s = scale_sides(old, olds, new, news);
	struct mean a = mean_of(s.old, olds), b = mean_of(s.new, news);
	struct mean difference = difference_of(&a, &b);

	scaled_free(&s);
	if (out->ratio) {
		out->at = b.at / a.at;
		take_ratio(&a, &b, alpha, out);
	} else
		take_difference(&difference, s.unit, alpha, out);
	need_p(&difference, sides_p(&difference, olds, news), alpha, out);
	if (difference.variance != 0 && !counts_are_valid((double)olds, (double)news))
		out->lo = out->hi = NAN;
}

/* Returns the covariance of the means of n pairs. */
static double mean_covariance(
    const double *old, const double *new, size_t n, double old_mean, double new_mean)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (old[i] - old_mean) * (new[i] - new_mean);
	return sum / ((double)n - 1) / (double)n;
}

/*
 * Fills the ratios of n pairs. The test of new - r old finds the r between the roots of a
 * quadratic equation, or, if the old mean does not differ from 0, those not between them.
 */
static void take_pair_ratio(
    const double *old, const double *new, size_t n, double alpha, struct contrast *out)
{
	struct mean x = mean_of(old, n), y = mean_of(new, n), gap = mean_gap(old, new, n);
	double t = dist_student_quantile_above(alpha / 2, x.freedom), a, b, c, root;

	out->at = out->lo = out->hi = y.at / x.at;
	if (x.variance == 0 && y.variance == 0)
		return;
	out->lo = out->hi = NAN;
	a = x.at * x.at - t * t * x.variance;
	b = x.at * y.at - t * t * mean_covariance(old, new, n, x.at, y.at);
	c = y.at * y.at - t * t * y.variance;
	root = sqrt(fmax(0, b * b - a * c));
	if (a > 0) {
		/* not beyond the estimate by rounding */
		out->lo = fmin(out->at, fmax(0, c / (b + root)));
		out->hi = fmax(out->at, (b + root) / a);
	} else if (a < 0 && p_of(gap.at, gap.variance, gap.freedom) < alpha) {
		double sum = b + copysign(root, b);

		if (out->at > 1)
			out->lo = fmax(c / sum, sum / a);
		else {
			out->lo = 0;
			out->hi = fmin(c / sum, sum / a);
		}
	}
}

void welch_interval_pairs(
    const double *old, const double *new, size_t n, double alpha, struct contrast *out)
{
	struct scaled s = scale_sides(old, n, new, n);
	struct mean gap = mean_gap(s.old, s.new, n);

	if (out->ratio)
		take_pair_ratio(s.old, s.new, n, alpha, out);
	else
		take_difference(&gap, s.unit, alpha, out);
	need_p(&gap, pairs_p(&gap, n), alpha, out);
	scaled_free(&s);
}

double welch_least_p(bool paired, double olds, double news)
{
	return (paired ? news >= 2 : counts_are_valid(olds, news)) ? 0 : 1;
}
