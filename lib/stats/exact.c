/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts permutations; see exact.h.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/exact.h"

/* Counts by the number of values of a side so far (rows) and by its 2 U, in units. */
struct counts {
	size_t m, n, unit, limit; /* 2 U is a multiple of unit; needed up to limit units */
	double *count;
};

static double *row(const struct counts *c, size_t a)
{
	return c->count + a * (c->limit + 1);
}

static double ways_to_choose(size_t of, size_t some)
{
	double ways = 1;

	for (size_t i = 1; i <= some; i++)
		ways = ways * (double)(of - some + i) / (double)i;
	return ways;
}

/* Adds ways * from[s] to to[s + by], up to the limit. from[] is 0 beyond `most`. */
static void add_shifted(const struct counts *c, double *restrict to,
    const double *restrict from, size_t most, size_t by, double ways)
{
	size_t room = c->limit >= by ? c->limit - by + 1 : 0;
	size_t end = most + 1 < room ? most + 1 : room;

	if (ways == 1)
		for (size_t s = 0; s < end; s++)
			to[by + s] += from[s];
	else
		for (size_t s = 0; s < end; s++)
			to[by + s] += ways * from[s];
}

/*
 * Adds a group of `tied` values after `used` values. Rows are computed from the last to the
 * first, each from itself and from the rows before it, which are not yet changed.
 */
static void add_group(struct counts *c, size_t used, size_t tied)
{
	size_t after = used + tied, last = after < c->m ? after : c->m;
	size_t first = after > c->n ? after - c->n : 0;

	for (size_t a = last + 1; a-- > first;)
		for (size_t j = 1; j <= tied && j <= a; j++) {
			size_t before = a - j, others = used - before;

			if (before > used || others > c->n)
				continue;
			add_shifted(c, row(c, a), row(c, before),
			    2 * before * others / c->unit,
			    j * (2 * others + tied - j) / c->unit, ways_to_choose(tied, j));
		}
}

/* Returns the probability of the smaller tail: the ways up to `limit`, of which `upto` is
 * the sum, divided by all ways to choose m of m + n. */
static double tail(const struct counts *c, size_t limit, double upto)
{
	double all = ways_to_choose(c->m + c->n, c->m);

	return fmin(upto, all - upto + row(c, c->m)[limit]) / all;
}

/* Returns the two-sided p at the limit. */
static double two_tails(const struct counts *c)
{
	const double *count = row(c, c->m);
	double upto = 0;

	for (size_t s = 0; s <= c->limit; s++)
		upto += count[s];
	return fmin(1, 2 * tail(c, c->limit, upto));
}

static void counts_open(struct counts *c)
{
	c->count = mem_zero((c->m + 1) * (c->limit + 1), sizeof(*c->count));
	row(c, 0)[0] = 1;
}

double exact_rank_sum(const size_t *tied, size_t groups, size_t m, size_t n, double twice_u)
{
	struct counts c = { m < n ? m : n, m < n ? n : m, 2, 0, NULL };
	double pairs = (double)m * (double)n, p;
	/* The U of the other side gives the same distribution, from the other end. */
	bool from_top = (twice_u > pairs) != (n < m);
	size_t used = 0;

	for (size_t i = 0; i < groups; i++)
		if (tied[i] % 2 == 0)
			c.unit = 1;
	c.limit = (size_t)fmin(twice_u, 2 * pairs - twice_u) / c.unit;
	counts_open(&c);
	for (size_t i = 0; i < groups; i++) {
		size_t t = tied[from_top ? groups - 1 - i : i];

		add_group(&c, used, t);
		used += t;
	}
	p = two_tails(&c);
	free(c.count);
	return p;
}

/* Fills p[u] for each U up to m n / 2, without ties. */
static void untied_fill(size_t m, size_t n, double *p)
{
	struct counts c = { m < n ? m : n, m < n ? n : m, 2, m * n / 2, NULL };
	double upto = 0;

	counts_open(&c);
	for (size_t used = 0; used < m + n; used++)
		add_group(&c, used, 1);
	for (size_t u = 0; u <= c.limit; u++) {
		upto += row(&c, c.m)[u];
		p[u] = fmin(1, 2 * tail(&c, u, upto));
	}
	free(c.count);
}

double exact_rank_sum_untied(size_t m, size_t n, size_t u)
{
	static _Thread_local struct {
		size_t m, n;
		double p[EXACT_PAIRS_MOST / 2 + 1];
	} kept;

	if (kept.m != m || kept.n != n) {
		kept.m = m;
		kept.n = n;
		untied_fill(m, n, kept.p);
	}
	return kept.p[u];
}

size_t common_divisor(size_t a, size_t b)
{
	while (b) {
		size_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Scores as distances from the least one, in units that divide all of them. */
struct distances {
	size_t *of, groups;
	size_t unit;
	double least;
};

static void distances_open(
    struct distances *d, const double *score, size_t groups, double sign)
{
	*d = (struct distances){ .groups = groups, .least = INFINITY };
	d->of = mem_resize(NULL, groups, sizeof(*d->of));
	for (size_t i = 0; i < groups; i++)
		d->least = fmin(d->least, sign * score[i]);
	for (size_t i = 0; i < groups; i++) {
		d->of[i] = (size_t)(sign * score[i] - d->least);
		d->unit = common_divisor(d->of[i], d->unit);
	}
	if (!d->unit)
		d->unit = 1;
	for (size_t i = 0; i < groups; i++)
		d->of[i] /= d->unit;
}

double exact_score_sum(
    const double *score, const size_t *tied, size_t groups, size_t m, double sum)
{
	size_t all = 0, used = 0;
	struct distances d;
	struct counts c = { .unit = 1 };
	double p;

	for (size_t i = 0; i < groups; i++)
		all += tied[i];
	/* The other values have the sum -sum, and the sum of a choice is at most 0 as often
	 * as that of scores with the other sign is at least 0. */
	c.m = m <= all - m ? m : all - m;
	c.n = all - c.m;
	distances_open(&d, score, groups, (sum > 0) == (c.m == m) ? -1 : 1);
	c.limit = (size_t)((-fabs(sum) - (double)c.m * d.least) / (double)d.unit);
	counts_open(&c);
	for (size_t i = 0; i < groups; i++) {
		used += tied[i];
		for (size_t a = used < c.m ? used : c.m; a > 0; a--)
			for (size_t j = 1; j <= tied[i] && j <= a; j++)
				add_shifted(&c, row(&c, a), row(&c, a - j), c.limit,
				    j * d.of[i], ways_to_choose(tied[i], j));
	}
	p = two_tails(&c);
	free(c.count);
	free(d.of);
	return p;
}

double exact_flips(const size_t *score, size_t n, size_t limit)
{
	double *ways = mem_zero(limit + 1, sizeof(*ways)), all = 0;
	size_t most = 0; /* the largest sum so far, up to the limit */

	ways[0] = 1;
	for (size_t i = 0; i < n; i++) {
		most = score[i] < limit - most ? most + score[i] : limit;
		for (size_t s = most + 1; s-- > score[i];)
			ways[s] += ways[s - score[i]];
	}
	for (size_t s = 0; s <= most; s++)
		all += ways[s];
	free(ways);
	return ldexp(all, -(int)n);
}
