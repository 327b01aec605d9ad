/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict of a comparison, and the number of values that it needs; see two_sample.h.
 */
#include <math.h>

#include "compare/two_sample_priv.h"
#include "stats/dist.h"
#include "stats/least_p.h"
#include "stats/rank_interval.h"

const char *const verdict_names[] = { [VERDICT_UNSURE] = "unsure",
	[VERDICT_SAME] = "same",
	[VERDICT_BETTER] = "better",
	[VERDICT_WORSE] = "worse",
	[VERDICT_DIFFERS] = "differs" };

enum { RUNS_NEEDED_MAX = 1000000, CHANCE_PERCENT = 80 };

static bool is_censored(const struct two_sample *c)
{
	return c->censored_old || c->censored_new;
}

/* Returns the largest ratio within the margin; the smallest one is its reciprocal. */
static double margin_ratio(const struct two_sample_opts *opts)
{
	return 1 + opts->threshold;
}

static bool has_ratio(const struct two_sample *c)
{
	return !isnan(c->ratio) || !isnan(c->ratio_lo) || !isnan(c->ratio_hi);
}

/* Returns the largest difference within the margin, which is that of a relative one. */
static double margin_difference(
    const struct two_sample *c, const struct two_sample_opts *opts)
{
	return opts->threshold * fmin(fabs(c->old), fabs(c->new));
}

/* Returns 1 if the whole interval is above the margin, -1 if it is below, otherwise 0. */
static int beyond(const struct two_sample *c, const struct two_sample_opts *opts)
{
	double top = margin_ratio(opts), most = margin_difference(c, opts);

	if (has_ratio(c))
		return (c->ratio_lo > top) - (c->ratio_hi < 1 / top);
	return (c->diff_lo > most) - (c->diff_hi < -most);
}

static bool within(const struct two_sample *c, const struct two_sample_opts *opts)
{
	double top = margin_ratio(opts), most = margin_difference(c, opts);

	if (has_ratio(c))
		return c->ratio_lo >= 1 / top && c->ratio_hi <= top;
	return c->diff_lo >= -most && c->diff_hi <= most;
}

enum verdict two_sample_verdict(
    const struct two_sample *c, const struct two_sample_opts *opts)
{
	int side = beyond(c, opts);
	double alpha = inference_alpha(&opts->inference);

	if (side && c->p_adj < alpha) {
		if (opts->better == BETTER_NEITHER)
			return VERDICT_DIFFERS;
		return (side > 0) == (opts->better == BETTER_LOWER) ? VERDICT_WORSE
		                                                    : VERDICT_BETTER;
	}
	return within(c, opts) ? VERDICT_SAME : VERDICT_UNSURE;
}

/*
 * Predicts the effect of more values. With x more on each side, errors shrink by
 * k = sqrt((1/m + 1/n) / (1/(m + x) + 1/(n + x))). Ratios and the margin are logarithms.
 */
struct prospect {
	const struct two_sample *c;
	const struct infer_test *test;
	double z, z_needed; /* normal deviates of p (NAN: there is none) and of the level */
	double size;        /* of the estimate */
	double error;       /* of the estimate; NAN: unknown */
	double z_ends;      /* errors from the estimate to the ends of its interval */
	double margin;
	double least_p; /* p must be able to be less */
	bool beyond;
};

static double below(double z)
{
	return dist_normal_above(-z);
}

/*
 * Returns the probability of a verdict with more values, if the estimate and its spread are
 * as measured. Beyond the margin, p must be small enough and the nearer end of the interval
 * must also be beyond it. Within the margin, both ends must be within it.
 */
static double chance_with(const struct prospect *p, double more)
{
	double m = (double)p->c->n_old, n = (double)p->c->n_new;
	double k = sqrt((1 / m + 1 / n) / (1 / (m + more) + 1 / (n + more)));
	double room = fabs(p->margin - p->size) * k / p->error - p->z_ends;
	double other = (p->margin + p->size) * k / p->error - p->z_ends;
	double tested = p->z * k - p->z_needed;

	if (isnan(p->z))
		return 1;
	if (p->beyond)
		return below(isnan(p->error) ? tested : fmin(tested, room));
	return isnan(p->error) ? 1 : below(room) + below(other) - 1;
}

static bool can_tell(const struct prospect *p, double more)
{
	double m = (double)p->c->n_old + more, n = (double)p->c->n_new + more;

	return p->test->least_p(basis_is_paired(p->c->basis), m, n) < p->least_p &&
	       chance_with(p, more) >= CHANCE_PERCENT / 100.0;
}

static double more_needed(const struct prospect *p)
{
	double low = 0, high = 1;

	while (high < RUNS_NEEDED_MAX && !can_tell(p, high))
		high *= 2;
	if (!can_tell(p, high))
		return NAN;
	while (high - low > 1) {
		double middle = floor((low + high) / 2);

		if (can_tell(p, middle))
			high = middle;
		else
			low = middle;
	}
	return high <= RUNS_NEEDED_MAX ? high : NAN;
}

static double runs_needed(
    const struct two_sample *c, const struct two_sample_opts *opts, size_t tests)
{
	double alpha = inference_alpha(&opts->inference), width;
	double each = alpha / (double)(tests ? tests : 1);
	struct prospect p = {
		.c = c,
		.test = two_sample_test(c, opts),
		.z = dist_normal_quantile_above(c->p / 2),
		.z_needed = dist_normal_quantile_above(each / 2),
		.z_ends = dist_normal_quantile_above(alpha / 2),
		.size = fabs(has_ratio(c) ? log(c->ratio) : c->diff),
		.margin =
		    has_ratio(c) ? log(margin_ratio(opts)) : margin_difference(c, opts),
	};

	width = has_ratio(c) ? log(c->ratio_hi / c->ratio_lo) : c->diff_hi - c->diff_lo;
	if (!c->n_old || !c->n_new || !isfinite(p.size) ||
	    (is_censored(c) && !isfinite(width)))
		return NAN;
	p.beyond = p.size > p.margin;
	p.least_p = p.beyond ? each : alpha;
	p.error = width / 2 / p.z_ends;
	return more_needed(&p);
}

/* Many rows of a table have the same numbers of values, so the last result is cached. */
static size_t values_least(
    const struct two_sample *c, const struct two_sample_opts *opts, size_t tests)
{
	static _Thread_local struct {
		bool paired;
		size_t m, n, tests, least;
		double confidence;
		const struct infer_test *test;
	} kept;
	bool paired = basis_is_paired(c->basis);
	const struct infer_test *test = two_sample_test(c, opts);

	if (kept.test != test || kept.paired != paired || kept.m != c->n_old ||
	    kept.n != c->n_new || kept.tests != tests ||
	    kept.confidence != opts->inference.confidence) {
		kept.test = test;
		kept.paired = paired;
		kept.m = c->n_old;
		kept.n = c->n_new;
		kept.tests = tests;
		kept.confidence = opts->inference.confidence;
		kept.least = least_p_values(
		    test, paired, c->n_old, c->n_new, tests, kept.confidence);
	}
	return kept.least;
}

void two_sample_judge(
    struct two_sample *c, const struct two_sample_opts *opts, size_t tests)
{
	c->verdict = two_sample_verdict(c, opts);
	c->runs_needed = c->verdict == VERDICT_UNSURE ? runs_needed(c, opts, tests) : NAN;
	c->values_least = c->verdict == VERDICT_UNSURE && c->basis != BASIS_NONE
	                      ? values_least(c, opts, tests ? tests : 1)
	                      : 0;
}
