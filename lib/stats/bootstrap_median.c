/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of resampled medians; see bootstrap_median.h. Ranks with a probability below
 * 10^-13 are left out, so that tables stay small.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/bootstrap_median.h"
#include "stats/dist.h"

static const double negligible = 1e-13;

struct chances {
	double *p;
	struct bootstrap_median_ranks *ranks;
	size_t count, cap, ranks_cap;
};

static void add(struct chances *c, double p, size_t low, size_t high)
{
	size_t n = c->count;

	if (!(p > negligible))
		return;
	*VEC_ADD(c->ranks, n, c->ranks_cap) =
	    (struct bootstrap_median_ranks){ (uint32_t)low, (uint32_t)high };
	*VEC_ADD(c->p, c->count, c->cap) = p;
}

/* Returns the probability that the k-th least of n draws from 0 .. n - 1 is at most i. */
static double upto(size_t n, size_t k, size_t i)
{
	return dist_binomial_from((double)k, (double)n, (double)(i + 1) / (double)n);
}

/* Returns (x^h - y^h) / n^h, for x > y. */
static double power_gap(double x, double y, double h, double n)
{
	return exp(h * log(x / n)) * -expm1(y > 0 ? h * log(y / x) : -INFINITY);
}

/*
 * Adds the chances for an even n, with h = n / 2. The two middle draws are i and a greater
 * l if h draws are at most i, one of them i, and h draws are at least l, one of them l. The
 * rest of the chance that the lower one is i is the chance that both are i.
 */
static void chances_even(struct chances *c, size_t n)
{
	double h = (double)n / 2, of = (double)n;
	double ways = dist_log_factorial(of) - 2 * dist_log_factorial(h);

	for (size_t i = 0; i < n; i++) {
		double here = upto(n, n / 2, i) - (i ? upto(n, n / 2, i - 1) : 0);
		double left = here;

		if (here <= negligible)
			continue;
		for (size_t l = i + 1; l < n && left > negligible / 4; l++) {
			double p =
			    exp(ways + log(power_gap((double)i + 1, (double)i, h, of)) +
			        log(power_gap(of - (double)l, of - (double)l - 1, h, of)));

			add(c, p, i, l);
			left -= p;
		}
		add(c, left, i, i);
	}
}

static void chances_odd(struct chances *c, size_t n)
{
	double before = 0;

	for (size_t i = 0; i < n; i++) {
		double now = upto(n, n / 2 + 1, i);

		add(c, now - before, i, i);
		before = now;
	}
}

/* Builds the alias table by Vose's method: each entry keeps a part of its slot and gives
 * the rest to an entry that has more than one slot. */
static void fill(struct bootstrap_median_table *t, double *p)
{
	size_t *small = mem_zero(t->count, sizeof(*small)), smalls = 0;
	size_t *large = mem_zero(t->count, sizeof(*large)), larges = 0;
	double sum = 0;

	for (size_t i = 0; i < t->count; i++)
		sum += p[i];
	for (size_t i = 0; i < t->count; i++) {
		p[i] *= (double)t->count / sum;
		if (p[i] < 1)
			small[smalls++] = i;
		else
			large[larges++] = i;
	}
	while (smalls && larges) {
		size_t s = small[--smalls], l = large[larges - 1];

		t->entry[s] = (struct bootstrap_median_entry){ (uint32_t)(p[s] * 0x1p32),
			(uint32_t)l };
		p[l] -= 1 - p[s];
		if (p[l] < 1) {
			larges--;
			small[smalls++] = l;
		}
	}
	while (larges)
		small[smalls++] = large[--larges];
	while (smalls) {
		size_t s = small[--smalls];

		t->entry[s] = (struct bootstrap_median_entry){ UINT32_MAX, (uint32_t)s };
	}
	free(small);
	free(large);
}

static void make(struct bootstrap_median_table *t, size_t n)
{
	struct chances c = { 0 };

	if (n % 2)
		chances_odd(&c, n);
	else
		chances_even(&c, n);
	t->n = n;
	t->count = c.count;
	t->ranks = c.ranks;
	t->entry = mem_zero(c.count, sizeof(*t->entry));
	fill(t, c.p);
	free(c.p);
}

const struct bootstrap_median_table *bootstrap_median_table(
    struct bootstrap_median *r, size_t n)
{
	if (n >= r->count) {
		r->table =
		    mem_resize(r->table, n + 1, sizeof(struct bootstrap_median_table *));
		while (r->count <= n)
			r->table[r->count++] = NULL;
	}
	if (!r->table[n]) {
		r->table[n] = mem_zero(1, sizeof(**r->table));
		make(r->table[n], n);
	}
	return r->table[n];
}

void bootstrap_median_free(struct bootstrap_median *r)
{
	for (size_t i = 0; i < r->count; i++) {
		if (!r->table[i])
			continue;
		free(r->table[i]->ranks);
		free(r->table[i]->entry);
		free(r->table[i]);
	}
	free(r->table);
	*r = (struct bootstrap_median){ 0 };
}

/* Draws a normal deviate by Marsaglia's polar method; discards the second of each pair. */
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
 * Draws a gamma deviate (G. Marsaglia, W. W. Tsang, "A simple method for generating gamma
 * variables", ACM TOMS 26(3), 2000). The shape is at least 1.
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

/* Returns the value at a position of the sample, from 0 to 1 excluded. */
static double value_at(const double *sorted, size_t n, double position)
{
	size_t i = (size_t)(position * (double)n);

	return sorted[i < n ? i : n - 1];
}

/* Order statistics of uniform positions are beta deviates. */
double bootstrap_median_of(struct rng *r, const double *sorted, size_t n)
{
	double half = (double)(n / 2), low, high;

	if (n % 2)
		return value_at(sorted, n, draw_beta(r, half + 1, half + 1));
	low = draw_beta(r, half, half + 1);
	/* the least of the draws above it */
	high = 1 - (1 - low) * pow(1 - rng_uniform(r), 1 / half);
	return bootstrap_median_between(
	    value_at(sorted, n, low), value_at(sorted, n, high));
}
