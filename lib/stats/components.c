/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Components of variance; see components.h. The tiers that count are numbered 1 .. count
 * from the highest. Tier 0 is the whole, and the units of the lowest tier are the values.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/components.h"

const char *const tier_names[TIERS] = {
	[TIER_RUN] = "run", [TIER_PROCESS] = "process", [TIER_SAMPLE] = "sample"
};

/* The unit of each value, from 0, by tier. */
struct tier_tree {
	size_t n, count;
	size_t *unit[TIERS + 1], units[TIERS + 1];
	enum tier tier[TIERS + 1];
	double *size[TIERS + 1], *mean[TIERS + 1]; /* by unit */
};

static int by_unit(const void *a, const void *b)
{
	const struct component_value *x = a, *y = b;

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	return (x->process > y->process) - (x->process < y->process);
}

static bool same_unit(const struct component_value *v, size_t i, enum tier tier)
{
	if (tier == TIER_SAMPLE)
		return false;
	return v[i].run == v[i - 1].run &&
	       (tier == TIER_RUN || v[i].process == v[i - 1].process);
}

/* Adds a tier below the existing ones, but only if it divides one of their units. */
static void add_tier(struct tier_tree *t, const struct component_value *v, int tier)
{
	size_t *unit = mem_zero(t->n, sizeof(*unit)), units = 1, at = t->count + 1;

	for (size_t i = 1; i < t->n; i++)
		unit[i] = same_unit(v, i, (enum tier)tier) ? units - 1 : units++;
	if (units == t->units[t->count]) {
		free(unit);
		return;
	}
	t->unit[at] = unit;
	t->units[at] = units;
	t->tier[at] = (enum tier)tier;
	t->count = at;
}

/*
 * Returns the power of two by which values are divided: 1, unless they are so large, or
 * their differences so small, that the squares of the differences are no doubles.
 */
static double scale_of(const struct component_value *v, size_t n)
{
	double most = 0;
	int exponent;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(v[i].value / 4 - v[0].value / 4));
	if (most == 0 || (most > 0x1p-450 && most < 0x1p450))
		return 1;
	frexp(most, &exponent);
	return ldexp(1, exponent < -1000 ? -1000 : exponent);
}

/* Computes the sizes and means of all units. Subtracts the first value, for less rounding
 * error. */
static void fill_means(struct tier_tree *t, const struct component_value *v, double scale)
{
	for (size_t l = 0; l <= t->count; l++) {
		t->size[l] = mem_zero(t->units[l], sizeof(double));
		t->mean[l] = mem_zero(t->units[l], sizeof(double));
		for (size_t i = 0; i < t->n; i++) {
			t->size[l][t->unit[l][i]]++;
			t->mean[l][t->unit[l][i]] +=
			    v[i].value / scale - v[0].value / scale;
		}
		for (size_t u = 0; u < t->units[l]; u++)
			t->mean[l][u] /= t->size[l][u];
	}
}

/* Returns the sum of squares of tier l about the tier above it. */
static double sum_of_squares(const struct tier_tree *t, size_t l)
{
	double sum = 0;

	for (size_t i = 0; i < t->n; i++) {
		double d = t->mean[l][t->unit[l][i]] - t->mean[l - 1][t->unit[l - 1][i]];

		sum += d * d;
	}
	return sum;
}

/*
 * Returns the coefficient of the variance of tier m in the expected sum, over the units of
 * tier l, of (sum of a unit)^2 / size.
 */
static double weight(const struct tier_tree *t, size_t l, size_t m)
{
	double sum = 0;

	for (size_t i = 0; i < t->n; i++)
		sum += t->size[m][t->unit[m][i]] / t->size[l][t->unit[l][i]];
	return m <= l ? (double)t->n : sum;
}

static void estimate(const struct tier_tree *t, struct components *out)
{
	for (size_t l = t->count; l > 0; l--) {
		struct component *c = &out->tier[l - 1];
		double rest = sum_of_squares(t, l);

		for (size_t m = l + 1; m <= t->count; m++)
			rest -= out->tier[m - 1].variance *
			        (weight(t, l, m) - weight(t, l - 1, m));
		c->tier = t->tier[l];
		c->units = t->units[l];
		c->variance = rest / ((double)t->n - weight(t, l - 1, l));
		c->error = fmax(0, c->variance) * weight(t, 0, l) / (double)t->n;
	}
}

static double cost_of(const double *cost, const struct component *c)
{
	return cost ? cost[c->tier] : 1;
}

/* Returns the optimal number of units of tier l in a unit of the next higher tier that
 * varies. */
static double best_of(const struct components *s, size_t l, const double *cost)
{
	const struct component *c = &s->tier[l];
	double above = 0;

	for (size_t u = l; u-- > 0;) {
		above += cost_of(cost, &s->tier[u]);
		if (s->tier[u].variance > 0)
			return fmax(
			    1, ceil(sqrt(above / cost_of(cost, c) * fmax(0, c->variance) /
			                 s->tier[u].variance)));
	}
	return NAN;
}

static void optimize(struct components *s, const double *cost)
{
	double budget = 0, inside = 0, times = 1;

	for (size_t l = s->count; l > 0; l--) {
		struct component *c = &s->tier[l - 1];

		budget += (double)c->units * cost_of(cost, c);
		c->best = l > 1 ? best_of(s, l - 1, cost) : NAN;
		inside = cost_of(cost, c) + inside;
		if (l > 1)
			inside *= c->best;
	}
	s->tier[0].best = fmax(2, floor(budget / inside));
	if (isnan(inside))
		s->tier[0].best = NAN;
	for (size_t l = 0; l < s->count; l++) {
		times *= s->tier[l].best;
		s->tier[l].error_best = fmax(0, s->tier[l].variance) / times;
	}
}

void components_of(
    struct component_value *v, size_t n, const double cost[TIERS], struct components *out)
{
	struct tier_tree t = { .n = n, .units[0] = 1 };

	*out = (struct components){ .scale = 1 };
	if (n < 2)
		return;
	qsort(v, n, sizeof(*v), by_unit);
	t.unit[0] = mem_zero(n, sizeof(*t.unit[0]));
	for (int tier = TIERS; tier-- > 0;)
		add_tier(&t, v, tier);
	out->scale = scale_of(v, n);
	fill_means(&t, v, out->scale);
	out->count = t.count;
	estimate(&t, out);
	optimize(out, cost);
	for (size_t l = 0; l <= t.count; l++) {
		free(t.unit[l]);
		free(t.size[l]);
		free(t.mean[l]);
	}
}
