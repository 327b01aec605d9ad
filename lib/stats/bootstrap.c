/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bootstrap of a ratio; see bootstrap.h. The median of resampled values is drawn
 * directly (bootstrap_median.h), at a cost that does not grow with the number of values.
 * The values of a pair are drawn together, so whole resamples of pairs are drawn.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/bootstrap.h"
#include "stats/dist.h"
#include "stats/jackknife.h"
#include "stats/quickselect.h"
#include "stats/resample.h"

enum { DRAWS_QUICK = 20000000, RESAMPLES_LEAST = 400, LEAST = 6 };

struct bootstrap {
	struct bootstrap_median medians;
	struct rng rng;
	double *ratio;
	size_t count, cap;
};

static double prob_plain(double z, double bias, double acceleration)
{
	(void)bias;
	(void)acceleration;
	return dist_normal_above(-z);
}

/* Computes equation 14.10 of Efron and Tibshirani. */
static double prob_bca(double z, double bias, double acceleration)
{
	double from = bias + z;

	return dist_normal_above(-(bias + from / (1 - acceleration * from)));
}

const struct interval_method interval_methods[] = {
	{ "percentile", false, prob_plain, "quantiles of the resamples" },
	{ "bca", true, prob_bca, "corrected for bias and acceleration" },
	{ "none", false, NULL, "no intervals" },
};
const size_t interval_methods_count = COUNT(interval_methods);

struct bootstrap *bootstrap_open(void)
{
	return mem_zero(1, sizeof(struct bootstrap));
}

void bootstrap_close(struct bootstrap *b)
{
	if (!b)
		return;
	bootstrap_median_free(&b->medians);
	free(b->ratio);
	free(b);
}

const double *bootstrap_ratios(const struct bootstrap *b, size_t *count)
{
	*count = b->count;
	return b->ratio;
}

/* Returns the number of resamples: by default 10,000 if that is fast, otherwise fewer, but
 * enough for a percentile. */
static size_t resamples_of(const struct inference_opts *opts, size_t draws)
{
	size_t quick = DRAWS_QUICK / draws;

	if (opts->resamples)
		return opts->resamples;
	return quick > BOOTSTRAP_RESAMPLES ? BOOTSTRAP_RESAMPLES
	       : quick < RESAMPLES_LEAST   ? RESAMPLES_LEAST
	                                   : quick;
}

static void begin(struct bootstrap *b, const struct inference_opts *opts, size_t draws)
{
	b->count = resamples_of(opts, draws);
	if (b->count > b->cap) {
		b->ratio = mem_resize(b->ratio, b->count, sizeof(*b->ratio));
		b->cap = b->count;
	}
	rng_seed(&b->rng, opts->seed);
}

/* Returns the share of the resamples below the observed ratio, as a normal deviate. */
static double bias_of(const struct bootstrap *b, double observed)
{
	size_t below = 0, upto = 0;

	for (size_t i = 0; i < b->count; i++) {
		below += b->ratio[i] < observed;
		upto += b->ratio[i] <= observed;
	}
	return -dist_normal_quantile_above(
	    ((double)below + (double)upto) / (2 * (double)b->count));
}

static const struct interval_method *method_of(const struct inference_opts *opts)
{
	return opts->interval ? opts->interval : &interval_methods[0];
}

/* Computes the interval from the resamples. observed and acceleration: for accelerated
 * methods only. */
static bool finish(struct bootstrap *b, const struct inference_opts *opts, double observed,
    double acceleration, struct interval *out)
{
	const struct interval_method *m = method_of(opts);
	double z = dist_normal_quantile_above((1 - opts->confidence) / 2);
	double bias = m->accelerated ? bias_of(b, observed) : 0;
	double prob[] = { m->prob(-z, bias, acceleration), m->prob(z, bias, acceleration) };
	double ends[2];

	if (!(prob[0] >= 0 && prob[1] >= prob[0] && prob[1] <= 1))
		return false;
	quickselect_quantiles(b->ratio, b->count, prob, 2, ends);
	out->lo = ends[0];
	out->hi = ends[1];
	return true;
}

static double *units_of(const struct hierarchy *n)
{
	double *units = mem_resize(NULL, n->units + 1, sizeof(*units));

	hierarchy_units(n, units);
	return units;
}

struct units {
	double *old, *new;
	double ratio; /* of their locations */
};

static void units_init(
    struct units *u, const struct hierarchy *old, const struct hierarchy *new)
{
	double *a = units_of(old), *b = units_of(new);

	u->ratio = location_sorting(new->location, b, new->units) /
	           location_sorting(old->location, a, old->units);
	free(a);
	free(b);
	u->old = units_of(old);
	u->new = units_of(new);
}

static void units_free(struct units *u)
{
	free(u->old);
	free(u->new);
}

/* Computes the interval of sides or pairs after their resamples were drawn. */
static bool end(struct bootstrap *b, const struct hierarchy *old,
    const struct hierarchy *new, bool paired, const struct inference_opts *opts,
    struct interval *out)
{
	enum location location = old->location;
	double acceleration;
	struct units u;
	bool done;

	if (!method_of(opts)->accelerated)
		return finish(b, opts, NAN, NAN, out);
	units_init(&u, old, new);
	acceleration =
	    paired ? jackknife_pairs(location, u.old, u.new, old->units)
	           : jackknife_sides(location, u.old, old->units, u.new, new->units);
	done = finish(b, opts, u.ratio, acceleration, out);
	units_free(&u);
	return done;
}

size_t bootstrap_least(double confidence)
{
	int n = LEAST;

	while (ldexp(1, 1 - n) > 1 - confidence)
		n++;
	return (size_t)n;
}

static bool wanted(const struct inference_opts *opts, const struct hierarchy *old,
    const struct hierarchy *new)
{
	size_t least = bootstrap_least(opts->confidence);

	return method_of(opts)->prob && old->units >= least && new->units >= least;
}

/* Returns the cost of one resample, in draws. */
static size_t draws_of(const struct hierarchy *n)
{
	if (n->location == LOCATION_MEAN)
		return n->values;
	return hierarchy_flat(n) ? 1 : n->leaves;
}

bool bootstrap_sides(struct bootstrap *b, const struct hierarchy *old,
    const struct hierarchy *new, const struct inference_opts *opts, struct interval *out)
{
	struct resample_side before, after;
	bool exist = true;

	if (!wanted(opts, old, new))
		return false;
	begin(b, opts, draws_of(old) + draws_of(new));
	resample_side_init(&before, &b->medians, old);
	resample_side_init(&after, &b->medians, new);
	for (size_t i = 0; exist && i < b->count; i++) {
		double x = resample_side_draw(&before, &b->rng),
		       y = resample_side_draw(&after, &b->rng);

		exist = x > 0 && y >= 0;
		b->ratio[i] = y / x;
	}
	resample_side_free(&after);
	resample_side_free(&before);
	return exist && end(b, old, new, false, opts, out);
}

bool bootstrap_pairs(struct bootstrap *b, const struct hierarchy *old,
    const struct hierarchy *new, const struct inference_opts *opts, struct interval *out)
{
	struct resample_pairs p;
	double x, y;
	bool exist = true;

	if (!wanted(opts, old, new))
		return false;
	begin(b, opts, old->values);
	resample_pairs_init(&p, old, new);
	for (size_t i = 0; exist && i < b->count; i++) {
		resample_pairs_draw(&p, &b->rng, &x, &y);
		exist = x > 0 && y >= 0;
		b->ratio[i] = y / x;
	}
	resample_pairs_free(&p);
	return exist && end(b, old, new, true, opts, out);
}
