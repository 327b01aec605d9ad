/*
 * The bootstrap of a ratio; see bootstrap.h. The median of a resample is an order statistic
 * of values drawn with replacement, which is the value at that order statistic of as many
 * uniform positions; so it is drawn directly, as a beta deviate, at a cost that does not
 * grow with the sample. Pairs keep together, so there the whole resample is drawn.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bootstrap.h"
#include "rng.h"
#include "stats.h"

enum { DRAWS_QUICK = 20000000, RESAMPLES_LEAST = 400 };

/* One resample after the other: a function that draws both locations, and its data. */
struct plan {
	void (*draw)(struct plan *p, double *old, double *new);
	struct rng rng;
	const double *old, *new;
	size_t olds, news, resamples;
	size_t *old_order, *new_order; /* of pairs: indices by ascending value */
	uint32_t *times;               /* of pairs: how often each was drawn */
};

double location_of(enum location location, const double *sorted, size_t n)
{
	return location == LOCATION_MEAN ? stats_mean(sorted, n)
	                                 : stats_quantile(sorted, n, 0.5);
}

/* Marsaglia's polar method; the second deviate of each pair is let go. */
static double draw_normal(struct rng *r)
{
	double x, y, s;

	do {
		x = 2 * rng_uniform(r) - 1;
		y = 2 * rng_uniform(r) - 1;
		s = x * x + y * y;
	} while (s >= 1 || s == 0);
	return x * sqrt(-2 * log(s) / s);
}

/*
 * G. Marsaglia, W. W. Tsang, "A simple method for generating gamma variables", ACM TOMS
 * 26(3), 2000. The shape is at least 1.
 */
static double draw_gamma(struct rng *r, double shape)
{
	double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d), x, v, u;

	do {
		do {
			x = draw_normal(r);
			v = 1 + c * x;
		} while (v <= 0);
		v = v * v * v;
		u = 1 - rng_uniform(r);
	} while (log(u) >= x * x / 2 + d - d * v + d * log(v));
	return d * v;
}

static double draw_beta(struct rng *r, double a, double b)
{
	double x = draw_gamma(r, a), y = draw_gamma(r, b);

	return x / (x + y);
}

/* The value that a position in [0, 1) of the sample falls on. */
static double value_at(const double *sorted, size_t n, double position)
{
	size_t i = (size_t)(position * (double)n);

	return sorted[i < n ? i : n - 1];
}

static double draw_median(struct rng *r, const double *sorted, size_t n)
{
	double half = (double)(n / 2), low, high;

	if (n % 2)
		return value_at(sorted, n, draw_beta(r, half + 1, half + 1));
	low = draw_beta(r, half, half + 1);
	/* the least of the half that lies above it */
	high = 1 - (1 - low) * pow(1 - rng_uniform(r), 1 / half);
	return (value_at(sorted, n, low) + value_at(sorted, n, high)) / 2;
}

static void draw_medians(struct plan *p, double *old, double *new)
{
	*old = draw_median(&p->rng, p->old, p->olds);
	*new = draw_median(&p->rng, p->new, p->news);
}

static double draw_mean(struct rng *r, const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[rng_below(r, n)];
	return sum / (double)n;
}

static void draw_means(struct plan *p, double *old, double *new)
{
	*old = draw_mean(&p->rng, p->old, p->olds);
	*new = draw_mean(&p->rng, p->new, p->news);
}

/* The median of a resample of n, given how often each index was drawn. */
static double median_drawn(
    const double *values, const size_t *order, const uint32_t *times, size_t n)
{
	size_t seen = 0, i = 0, low;

	while ((seen += times[order[i]]) < (n + 1) / 2)
		i++;
	low = order[i];
	while (seen < n / 2 + 1)
		seen += times[order[++i]];
	return (values[low] + values[order[i]]) / 2;
}

static void draw_pair_medians(struct plan *p, double *old, double *new)
{
	memset(p->times, 0, p->olds * sizeof(*p->times));
	for (size_t i = 0; i < p->olds; i++)
		p->times[rng_below(&p->rng, p->olds)]++;
	*old = median_drawn(p->old, p->old_order, p->times, p->olds);
	*new = median_drawn(p->new, p->new_order, p->times, p->olds);
}

static void draw_pair_means(struct plan *p, double *old, double *new)
{
	double n = (double)p->olds;

	*old = *new = 0;
	for (size_t i = 0; i < p->olds; i++) {
		size_t drawn = rng_below(&p->rng, p->olds);

		*old += p->old[drawn] / n;
		*new += p->new[drawn] / n;
	}
}

static bool run(struct plan *p, double confidence, uint64_t seed, struct interval *out)
{
	double *ratio = mem_zero(p->resamples, sizeof(*ratio)), old, new;
	size_t done = 0;

	rng_seed(&p->rng, seed);
	for (; done < p->resamples; done++) {
		p->draw(p, &old, &new);
		if (!(old > 0 && new >= 0))
			break;
		ratio[done] = new / old;
	}
	if (done == p->resamples) {
		stats_sort(ratio, done);
		out->lo = stats_quantile(ratio, done, (1 - confidence) / 2);
		out->hi = stats_quantile(ratio, done, (1 + confidence) / 2);
	}
	free(ratio);
	return done == p->resamples;
}

/* All of them while that is quick, and enough for a percentile when it is not. */
static size_t resamples_of(size_t values)
{
	size_t quick = DRAWS_QUICK / values;

	return quick > BOOTSTRAP_RESAMPLES ? BOOTSTRAP_RESAMPLES
	       : quick < RESAMPLES_LEAST   ? RESAMPLES_LEAST
	                                   : quick;
}

bool bootstrap_sides(enum location location, const double *old, size_t olds,
    const double *new, size_t news, double confidence, uint64_t seed, struct interval *out)
{
	struct plan p = { .old = old, .olds = olds, .new = new, .news = news };
	bool means = location == LOCATION_MEAN;

	if (olds < BOOTSTRAP_LEAST || news < BOOTSTRAP_LEAST)
		return false;
	p.draw = means ? draw_means : draw_medians;
	p.resamples = means ? resamples_of(olds + news) : BOOTSTRAP_RESAMPLES;
	return run(&p, confidence, seed, out);
}

struct indexed {
	double value;
	size_t index;
};

static int by_value(const void *a, const void *b)
{
	double x = ((const struct indexed *)a)->value,
	       y = ((const struct indexed *)b)->value;

	return (x > y) - (x < y);
}

static size_t *order_of(const double *values, size_t n)
{
	struct indexed *sorted = mem_resize(NULL, n, sizeof(*sorted));
	size_t *order = mem_resize(NULL, n, sizeof(*order));

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct indexed){ values[i], i };
	qsort(sorted, n, sizeof(*sorted), by_value);
	for (size_t i = 0; i < n; i++)
		order[i] = sorted[i].index;
	free(sorted);
	return order;
}

bool bootstrap_pairs(enum location location, const double *old, const double *new, size_t n,
    double confidence, uint64_t seed, struct interval *out)
{
	struct plan p = { .old = old, .olds = n, .new = new, .news = n };
	bool done;

	if (n < BOOTSTRAP_LEAST)
		return false;
	p.draw = location == LOCATION_MEAN ? draw_pair_means : draw_pair_medians;
	p.resamples = resamples_of(n);
	p.old_order = order_of(old, n);
	p.new_order = order_of(new, n);
	p.times = mem_zero(n, sizeof(*p.times));
	done = run(&p, confidence, seed, out);
	free(p.times);
	free(p.new_order);
	free(p.old_order);
	return done;
}
