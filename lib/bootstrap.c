/*
 * The bootstrap of a ratio; see bootstrap.h. The median of resampled values is drawn
 * directly (redraw.h), at a cost that does not grow with the sample. Pairs keep together,
 * so there the whole resample is drawn.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bootstrap.h"
#include "dist.h"
#include "jackknife.h"
#include "redraw.h"
#include "stats.h"

enum { DRAWS_QUICK = 20000000, RESAMPLES_LEAST = 400 };

struct bootstrap {
	struct redraw redraw;
	struct rng rng;
	double *ratio;
	size_t count, cap;
};

static double level_plain(double z, double bias, double acceleration)
{
	(void)bias;
	(void)acceleration;
	return dist_normal_above(-z);
}

/* Equation 14.10 of Efron and Tibshirani. */
static double level_bca(double z, double bias, double acceleration)
{
	double from = bias + z;

	return dist_normal_above(-(bias + from / (1 - acceleration * from)));
}

const struct interval_method interval_methods[] = {
	{ "percentile", false, level_plain, "quantiles of the resamples" },
	{ "bca", true, level_bca, "corrected for bias and acceleration" },
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
	redraw_free(&b->redraw);
	free(b->ratio);
	free(b);
}

const double *bootstrap_ratios(const struct bootstrap *b, size_t *count)
{
	*count = b->count;
	return b->ratio;
}

/* One side, ready to be drawn from. */
struct sampler {
	const struct nest *nest;
	bool flat;
	double *value;                     /* sorted within leaves, all of them when flat */
	const struct redraw_table **table; /* by leaf, the first one when flat; or NULL */
	double *middle;                    /* when flat, with a table: by entry of it */
	double *of_unit, *of_leaf;         /* room */
};

static void sampler_init(struct sampler *s, struct bootstrap *b, const struct nest *n)
{
	size_t leaves = nest_flat(n) ? 1 : n->leaves;

	*s = (struct sampler){ .nest = n, .flat = nest_flat(n) };
	s->value = mem_resize(NULL, n->values, sizeof(*s->value));
	memcpy(s->value, n->value, n->values * sizeof(*s->value));
	s->table = mem_zero(leaves, sizeof(struct redraw_table *));
	s->of_unit = mem_resize(NULL, n->units, sizeof(double));
	s->of_leaf = mem_resize(NULL, n->leaves, sizeof(double));
	for (size_t i = 0; i < leaves; i++) {
		size_t from = s->flat ? 0 : n->leaf[i];
		size_t count = s->flat ? n->values : n->leaf[i + 1] - from;

		stats_sort(s->value + from, count);
		if (n->location == LOCATION_MEDIAN && count > 1 && count <= REDRAW_MOST)
			s->table[i] = redraw_table(&b->redraw, count);
	}
	if (!s->flat || !s->table[0])
		return;
	s->middle = mem_resize(NULL, s->table[0]->count, sizeof(*s->middle));
	for (size_t i = 0; i < s->table[0]->count; i++) {
		struct redraw_ranks of = s->table[0]->ranks[i];

		s->middle[i] = redraw_between(s->value[of.low], s->value[of.high]);
	}
}

static void sampler_free(struct sampler *s)
{
	free(s->of_leaf);
	free(s->of_unit);
	free(s->middle);
	free(s->table);
	free(s->value);
}

static double draw_mean(struct rng *r, const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[rng_below(r, n)];
	return sum / (double)n;
}

static double draw_values(const struct sampler *s, struct rng *r, const double *value,
    size_t n, const struct redraw_table *table)
{
	struct redraw_ranks of;

	if (n == 1)
		return value[0];
	if (s->nest->location == LOCATION_MEAN)
		return draw_mean(r, value, n);
	if (!table)
		return redraw_median(r, value, n);
	of = table->ranks[redraw_draw(table, r)];
	return redraw_between(value[of.low], value[of.high]);
}

static double draw_unit(const struct sampler *s, struct rng *r, size_t unit)
{
	const struct nest *n = s->nest;
	size_t first = n->unit[unit], leaves = n->unit[unit + 1] - first;

	for (size_t i = 0; i < leaves; i++) {
		size_t leaf = first + (leaves == 1 ? 0 : rng_below(r, leaves));

		s->of_leaf[i] = draw_values(s, r, s->value + n->leaf[leaf],
		    n->leaf[leaf + 1] - n->leaf[leaf], s->table[leaf]);
	}
	return location_sorting(n->location, s->of_leaf, leaves);
}

static double draw_side(const struct sampler *s, struct rng *r)
{
	const struct nest *n = s->nest;

	if (s->middle)
		return s->middle[redraw_draw(s->table[0], r)];
	if (s->flat)
		return draw_values(s, r, s->value, n->values, NULL);
	for (size_t i = 0; i < n->units; i++)
		s->of_unit[i] = draw_unit(s, r, rng_below(r, n->units));
	return location_sorting(n->location, s->of_unit, n->units);
}

/* All of them while that is quick, and enough for a percentile when it is not. */
static size_t resamples_of(const struct bootstrap_how *how, size_t draws)
{
	size_t quick = DRAWS_QUICK / draws;

	if (how->resamples)
		return how->resamples;
	return quick > BOOTSTRAP_RESAMPLES ? BOOTSTRAP_RESAMPLES
	       : quick < RESAMPLES_LEAST   ? RESAMPLES_LEAST
	                                   : quick;
}

static void begin(struct bootstrap *b, const struct bootstrap_how *how, size_t draws)
{
	b->count = resamples_of(how, draws);
	if (b->count > b->cap) {
		b->ratio = mem_resize(b->ratio, b->count, sizeof(*b->ratio));
		b->cap = b->count;
	}
	rng_seed(&b->rng, how->seed);
}

/* The share of the resamples below the ratio observed, as a normal deviate. */
static double bias_of(const struct bootstrap *b, double observed)
{
	size_t below = 0, upto;

	while (below < b->count && b->ratio[below] < observed)
		below++;
	for (upto = below; upto < b->count && b->ratio[upto] == observed;)
		upto++;
	return -dist_normal_quantile_above(
	    ((double)below + (double)upto) / (2 * (double)b->count));
}

static const struct interval_method *method_of(const struct bootstrap_how *how)
{
	return how->method ? how->method : &interval_methods[0];
}

/* All resamples are there; the two numbers are of use to accelerated methods only. */
static bool finish(struct bootstrap *b, const struct bootstrap_how *how, double observed,
    double acceleration, struct interval *out)
{
	const struct interval_method *m = method_of(how);
	double z = dist_normal_quantile_above((1 - how->confidence) / 2), bias, lo, hi;

	stats_sort(b->ratio, b->count);
	bias = m->accelerated ? bias_of(b, observed) : 0;
	lo = m->level(-z, bias, acceleration);
	hi = m->level(z, bias, acceleration);
	if (!(lo >= 0 && hi >= lo && hi <= 1))
		return false;
	out->lo = stats_quantile(b->ratio, b->count, lo);
	out->hi = stats_quantile(b->ratio, b->count, hi);
	return true;
}

static double *units_of(const struct nest *n)
{
	double *units = mem_resize(NULL, n->units + 1, sizeof(*units));

	nest_units(n, units);
	return units;
}

struct units {
	double *old, *new;
	double ratio; /* of their locations */
};

static void units_init(struct units *u, const struct nest *old, const struct nest *new)
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

static bool sides_finish(struct bootstrap *b, const struct nest *old,
    const struct nest *new, const struct bootstrap_how *how, struct interval *out)
{
	struct units u;
	bool done;

	if (!method_of(how)->accelerated)
		return finish(b, how, NAN, NAN, out);
	units_init(&u, old, new);
	done = finish(b, how, u.ratio,
	    jackknife_sides(old->location, u.old, old->units, u.new, new->units), out);
	units_free(&u);
	return done;
}

static bool wanted(
    const struct bootstrap_how *how, const struct nest *old, const struct nest *new)
{
	return method_of(how)->level && old->units >= BOOTSTRAP_LEAST &&
	       new->units >= BOOTSTRAP_LEAST;
}

/* What one resample costs, in draws. */
static size_t draws_of(const struct nest *n)
{
	if (n->location == LOCATION_MEAN)
		return n->values;
	return nest_flat(n) ? 1 : n->leaves;
}

bool bootstrap_sides(struct bootstrap *b, const struct nest *old, const struct nest *new,
    const struct bootstrap_how *how, struct interval *out)
{
	struct sampler before, after;
	bool exist = true;

	if (!wanted(how, old, new))
		return false;
	begin(b, how, draws_of(old) + draws_of(new));
	sampler_init(&before, b, old);
	sampler_init(&after, b, new);
	for (size_t i = 0; exist && i < b->count; i++) {
		double x = draw_side(&before, &b->rng), y = draw_side(&after, &b->rng);

		exist = x > 0 && y >= 0;
		b->ratio[i] = y / x;
	}
	sampler_free(&after);
	sampler_free(&before);
	return exist && sides_finish(b, old, new, how, out);
}

/* Pairs, ready to be drawn from. */
struct pairs {
	const struct nest *old, *new;
	size_t *old_order, *new_order; /* within each leaf: indices by ascending value */
	uint32_t *times;               /* room: how often each was drawn */
	double *old_leaf, *new_leaf, *old_unit, *new_unit; /* room */
};

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

static void order_values(const double *values, size_t n, size_t *order)
{
	struct indexed *sorted = mem_resize(NULL, n, sizeof(*sorted));

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct indexed){ values[i], i };
	qsort(sorted, n, sizeof(*sorted), by_value);
	for (size_t i = 0; i < n; i++)
		order[i] = sorted[i].index;
	free(sorted);
}

static void pairs_init(struct pairs *p, const struct nest *old, const struct nest *new)
{
	size_t n = old->values;
	size_t leaves = nest_flat(old) ? 1 : old->leaves;

	*p = (struct pairs){ .old = old, .new = new };
	p->old_order = mem_resize(NULL, n, sizeof(*p->old_order));
	p->new_order = mem_resize(NULL, n, sizeof(*p->new_order));
	p->times = mem_resize(NULL, n, sizeof(*p->times));
	p->old_leaf = mem_resize(NULL, old->leaves, sizeof(double));
	p->new_leaf = mem_resize(NULL, old->leaves, sizeof(double));
	p->old_unit = mem_resize(NULL, old->units, sizeof(double));
	p->new_unit = mem_resize(NULL, old->units, sizeof(double));
	for (size_t i = 0; i < leaves; i++) {
		size_t from = nest_flat(old) ? 0 : old->leaf[i];
		size_t count = nest_flat(old) ? n : old->leaf[i + 1] - from;

		order_values(old->value + from, count, p->old_order + from);
		order_values(new->value + from, count, p->new_order + from);
	}
}

static void pairs_free(struct pairs *p)
{
	free(p->new_unit);
	free(p->old_unit);
	free(p->new_leaf);
	free(p->old_leaf);
	free(p->times);
	free(p->new_order);
	free(p->old_order);
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
	return redraw_between(values[low], values[order[i]]);
}

/* Resample the n pairs from `from` on. */
static void draw_values_paired(
    struct pairs *p, struct rng *r, size_t from, size_t n, double *old, double *new)
{
	if (p->old->location == LOCATION_MEAN) {
		*old = *new = 0;
		for (size_t i = 0; i < n; i++) {
			size_t drawn = from + rng_below(r, n);

			*old += p->old->value[drawn] / (double)n;
			*new += p->new->value[drawn] / (double)n;
		}
		return;
	}
	memset(p->times, 0, n * sizeof(*p->times));
	for (size_t i = 0; i < n; i++)
		p->times[rng_below(r, n)]++;
	*old = median_drawn(p->old->value + from, p->old_order + from, p->times, n);
	*new = median_drawn(p->new->value + from, p->new_order + from, p->times, n);
}

static void draw_unit_paired(
    struct pairs *p, struct rng *r, size_t unit, double *old, double *new)
{
	const struct nest *n = p->old;
	size_t first = n->unit[unit], leaves = n->unit[unit + 1] - first;

	for (size_t i = 0; i < leaves; i++) {
		size_t leaf = first + (leaves == 1 ? 0 : rng_below(r, leaves));

		draw_values_paired(p, r, n->leaf[leaf], n->leaf[leaf + 1] - n->leaf[leaf],
		    &p->old_leaf[i], &p->new_leaf[i]);
	}
	*old = location_sorting(n->location, p->old_leaf, leaves);
	*new = location_sorting(n->location, p->new_leaf, leaves);
}

static void draw_pairs(struct pairs *p, struct rng *r, double *old, double *new)
{
	const struct nest *n = p->old;

	if (nest_flat(n)) {
		draw_values_paired(p, r, 0, n->values, old, new);
		return;
	}
	for (size_t i = 0; i < n->units; i++)
		draw_unit_paired(
		    p, r, rng_below(r, n->units), &p->old_unit[i], &p->new_unit[i]);
	*old = location_sorting(n->location, p->old_unit, n->units);
	*new = location_sorting(n->location, p->new_unit, n->units);
}

static bool pairs_finish(struct bootstrap *b, const struct nest *old,
    const struct nest *new, const struct bootstrap_how *how, struct interval *out)
{
	struct units u;
	bool done;

	if (!method_of(how)->accelerated)
		return finish(b, how, NAN, NAN, out);
	units_init(&u, old, new);
	done = finish(
	    b, how, u.ratio, jackknife_pairs(old->location, u.old, u.new, old->units), out);
	units_free(&u);
	return done;
}

bool bootstrap_pairs(struct bootstrap *b, const struct nest *old, const struct nest *new,
    const struct bootstrap_how *how, struct interval *out)
{
	struct pairs p;
	double x, y;
	bool exist = true;

	if (!wanted(how, old, new))
		return false;
	begin(b, how, old->values);
	pairs_init(&p, old, new);
	for (size_t i = 0; exist && i < b->count; i++) {
		draw_pairs(&p, &b->rng, &x, &y);
		exist = x > 0 && y >= 0;
		b->ratio[i] = y / x;
	}
	pairs_free(&p);
	return exist && pairs_finish(b, old, new, how, out);
}
