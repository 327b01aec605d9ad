/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of means; see welch.h.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/dist.h"
#include "stats/stats.h"
#include "stats/welch.h"

/* The mean of a side, the variance of this mean, and its degrees of freedom. */
struct mean {
	double at, variance, freedom;
};

static struct mean mean_of(const double *x, size_t n)
{
	double at = stats_mean(x, n), sd = stats_sd(x, n, at);

	return (struct mean){ at, sd * sd / (double)n, (double)n - 1 };
}

static double p_of(double difference, double variance, double freedom)
{
	return variance > 0 ? 2 * dist_t_above(fabs(difference) / sqrt(variance), freedom)
	                    : (double)NAN;
}

/* Returns Satterthwaite's degrees of freedom of a difference new - r old. */
static double freedom_of(const struct mean *old, const struct mean *new, double r)
{
	double a = r * r * old->variance, b = new->variance;

	return (a + b) * (a + b) / (a * a / old->freedom + b * b / new->freedom);
}

/* Returns the p of the ratio r. */
static double ratio_p(const struct mean *old, const struct mean *new, double r)
{
	return p_of(new->at - r * old->at, r * r * old->variance + new->variance,
	    freedom_of(old, new, r));
}

double welch_sides(const double *old, size_t olds, const double *new, size_t news)
{
	struct mean a = mean_of(old, olds), b = mean_of(new, news);

	return ratio_p(&a, &b, 1);
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
	struct mean gap = mean_gap(old, new, n);

	return p_of(gap.at, gap.variance, gap.freedom);
}

static void take_difference(
    double at, double variance, double freedom, double alpha, struct contrast *out)
{
	double arm = dist_student_quantile_above(alpha / 2, freedom) * sqrt(variance);

	out->at = at;
	out->lo = variance > 0 ? at - arm : (double)NAN;
	out->hi = variance > 0 ? at + arm : (double)NAN;
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

static void take_ratio(
    const struct mean *old, const struct mean *new, double alpha, struct contrast *out)
{
	double far = out->at;

	if (!(ratio_p(old, new, far) >= alpha) ||
	    !(p_of(old->at, old->variance, old->freedom) < alpha || old->variance == 0))
		return;
	do
		far *= 2;
	while (isfinite(far) && ratio_p(old, new, far) >= alpha);
	if (!isfinite(far))
		return;
	out->hi = ratio_end(old, new, alpha, out->at, far);
	out->lo = p_of(new->at, new->variance, new->freedom) >= alpha
	              ? 0
	              : ratio_end(old, new, alpha, out->at, 0);
}

void welch_interval_sides(const double *old, size_t olds, const double *new, size_t news,
    double alpha, struct contrast *out)
{
	struct mean a = mean_of(old, olds), b = mean_of(new, news);

	out->lo = out->hi = NAN;
	if (out->ratio) {
		out->at = b.at / a.at;
		take_ratio(&a, &b, alpha, out);
	} else
		take_difference(b.at - a.at, a.variance + b.variance, freedom_of(&a, &b, 1),
		    alpha, out);
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

/* The test of new - r old finds the r between the roots of a quadratic equation. */
void welch_interval_pairs(
    const double *old, const double *new, size_t n, double alpha, struct contrast *out)
{
	struct mean x = mean_of(old, n), y = mean_of(new, n), gap = mean_gap(old, new, n);
	double t, a, b, c, root;

	out->lo = out->hi = NAN;
	if (!out->ratio) {
		take_difference(gap.at, gap.variance, gap.freedom, alpha, out);
		return;
	}
	out->at = y.at / x.at;
	if (!(gap.variance > 0))
		return;
	t = dist_student_quantile_above(alpha / 2, x.freedom);
	a = x.at * x.at - t * t * x.variance;
	b = x.at * y.at - t * t * mean_covariance(old, new, n, x.at, y.at);
	c = y.at * y.at - t * t * y.variance;
	root = sqrt(fmax(0, b * b - a * c));
	if (!(a > 0))
		return;
	out->lo = fmax(0, c / (b + root));
	out->hi = (b + root) / a;
}

double welch_least_p(bool paired, double olds, double news)
{
	(void)paired;
	return olds >= 2 && news >= 2 ? 0 : 1;
}
