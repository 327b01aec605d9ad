/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests the newest value of a series; see newest_test.h.
 */
#include <math.h>
#include <stdlib.h>

#include "history/newest_test.h"
#include "stats/change.h"
#include "stats/dist.h"
#include "stats/infer.h"
#include "stats/prewhiten.h"
#include "stats/stats.h"

/* Returns the variance of a median of normal values, relative to the variance of their
 * mean. */
static double median_factor(double n)
{
	return n < 3 ? 1 : acos(-1) / 2;
}

static double median(double *values, size_t n)
{
	stats_sort(values, n);
	return stats_quantile(values, n, 0.5);
}

static bool take_logs(double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (values[i] <= 0)
			return false;
	for (size_t i = 0; i < n; i++)
		values[i] = log(values[i]);
	return true;
}

static double squares(const double *values, size_t n)
{
	double sum = 0, mean = stats_mean(values, n);

	for (size_t i = 0; i < n; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return sum;
}

/* Returns the effective number of values, reduced by their autocorrelation. */
static double worth(const double *values, size_t n)
{
	double r = prewhiten_of_parts(values, n, NULL, 0, 0);

	return fmax(1, (double)n * (1 - r) / (1 + r));
}

/* Returns the variance that the slope of a line of n values adds at the value after them,
 * in units of the variance of one value. */
static double slope_factor(double n)
{
	return n > 1 ? 3 * (n + 1) / (n * (n - 1)) : 0;
}

static void test_sides(struct two_sample *out, double *old, double *new, bool logs,
    double drifted, double confidence)
{
	double n = (double)out->n_old, m = (double)out->n_new;
	double freedom = n + m - (drifted > 0 && n + m > 3 ? 3 : 2);
	double kept = worth(old, out->n_old);
	double spread =
	    sqrt((squares(old, out->n_old) + squares(new, out->n_new)) / freedom);
	double of_old = (median_factor(n) + slope_factor(drifted) * n) / kept;
	double error = spread * sqrt(of_old + median_factor(m) / m);
	double off = median(new, out->n_new) - median(old, out->n_old);
	double arm = error * dist_student_quantile_above((1 - confidence) / 2, freedom);

	if (error > 0)
		out->p = 2 * dist_t_above(fabs(off) / error, freedom);
	else
		out->p = off != 0 ? 0 : 1;
	out->can_differ = !(error == 0 && off == 0);
	if (logs) {
		out->ratio = exp(off);
		out->ratio_lo = exp(off - arm);
		out->ratio_hi = exp(off + arm);
	} else {
		out->ratio = NAN;
		out->diff = off;
		out->diff_lo = off - arm;
		out->diff_hi = off + arm;
	}
}

void newest_test_measure(
    const struct newest_values *values, double confidence, struct two_sample *out)
{
	const size_t olds = values->olds, news = values->news;
	double *copy = mem_zero(2 * (olds + news) + 1, sizeof(*copy));
	double *before = copy + olds + news, *after = before + olds;
	bool logs;

	*out = (struct two_sample)TWO_SAMPLE_NONE;
	out->n_old = olds;
	out->n_new = news;
	out->can_differ = true;
	memcpy(copy, values->old, olds * sizeof(*copy));
	memcpy(copy + olds, values->new, news * sizeof(*copy));
	memcpy(before, copy, (olds + news) * sizeof(*copy));
	if (olds)
		out->old = median(copy, olds);
	if (news)
		out->new = median(copy + olds, news);
	if (olds && news) {
		out->ratio = change_ratio(out->old, out->new);
		out->effect = infer_cliff_delta(copy, olds, copy + olds, news);
		logs = take_logs(copy, olds + news);
		if (logs) {
			take_logs(before, olds);
			take_logs(after, news);
		}
		if (olds >= 2)
			test_sides(
			    out, before, after, logs, (double)values->drifted, confidence);
	}
	free(copy);
}

/*
 * With j new runs the arm of the interval is t s sqrt(a / n + b / j), where b is 1 for one
 * or two runs. Returns the number of runs to add to make the arm as short as `room`, if t
 * and s do not change, or NAN if none is enough.
 */
static double runs_for(const struct two_sample *c, double arm, double room)
{
	double n = (double)c->n_old, m = (double)c->n_new, of_old = median_factor(n) / n;
	double one = arm * arm / (of_old + median_factor(m) / m);
	double left = room * room / one - of_old;

	return left > 0 ? fmax(1, ceil(median_factor(3) / left - m)) : (double)NAN;
}

void newest_test_judge(struct two_sample *c, const struct two_sample_opts *opts)
{
	double off = fabs(log(c->ratio)), arm;

	c->verdict = two_sample_verdict(c, opts);
	if (c->verdict != VERDICT_UNSURE || isnan(c->ratio_hi))
		return;
	arm = log(c->ratio_hi / c->ratio);
	c->runs_needed = runs_for(c, arm, fabs(off - log1p(opts->threshold)));
}
