/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts permutations; see exact.h.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/exact.h"

/*
 * Counts by the number of values of the first side so far (rows) and by its 2 U, in units.
 * Of `used` values so far, a row a has counts of 2 U up to 2 a (used - a). Of these, only
 * those matter that can still end at the limit or below it: the values of the first side
 * that are left add at least 2 (used - a) each.
 */
struct counts {
	size_t m, n, unit, limit; /* 2 U is a multiple of unit; needed up to limit units */
	size_t used;
	size_t width; /* of a row */
	double *count;
};

static double *row(const struct counts *c, size_t a)
{
	return c->count + a * c->width;
}

/* Returns how many counts of a row matter after `used` values. */
static size_t row_length(const struct counts *c, size_t used, size_t a)
{
	size_t others, least, most;

	if (a > used || a > c->m || used - a > c->n)
		return 0;
	others = used - a;
	least = 2 * (c->m - a) * others / c->unit;
	most = 2 * a * others / c->unit;
	if (least > c->limit)
		return 0;
	return (most < c->limit - least ? most : c->limit - least) + 1;
}

static double ways_to_choose(size_t of, size_t some)
{
	double ways = 1;

	for (size_t i = 1; i <= some; i++)
		ways = ways * (double)(of - some + i) / (double)i;
	return ways;
}

/* Adds ways * from[s] to to[s + by], up to the lengths of both rows. */
static void add_shifted(double *restrict to, size_t to_length, const double *restrict from,
    size_t from_length, size_t by, double ways)
{
	size_t room = to_length > by ? to_length - by : 0;
	size_t end = from_length < room ? from_length : room;

	if (ways == 1)
		for (size_t s = 0; s < end; s++)
			to[by + s] += from[s];
	else
		for (size_t s = 0; s < end; s++)
			to[by + s] += ways * from[s];
}

/*
 * Adds a group of `tied` values after those used so far. Rows are computed from the last to
 * the first, each from itself and from the rows before it, which are not yet changed.
 * Counts beyond the length of a row are never read, because the limit of the length falls.
 */
static void add_group(struct counts *c, size_t tied)
{
	size_t after = c->used + tied, last = after < c->m ? after : c->m;
	size_t first = after > c->n ? after - c->n : 0;

	for (size_t a = last + 1; a-- > first;) {
		size_t length = row_length(c, after, a);

		for (size_t j = 1; length && j <= tied && j <= a; j++) {
			size_t before = a - j, from = row_length(c, c->used, before);

			if (from)
				add_shifted(row(c, a), length, row(c, before), from,
				    j * (2 * (c->used - before) + tied - j) / c->unit,
				    ways_to_choose(tied, j));
		}
	}
	c->used = after;
}

/* Returns the probability of the smaller tail: the ways up to the limit, of which `at` end
 * there, divided by all ways to choose m of m + n. */
static double tail(size_t m, size_t n, double upto, double at)
{
	double all = ways_to_choose(m + n, m);

	return fmin(upto, all - upto + at) / all;
}

/* Makes rows for counts of `values` values. */
static void counts_open(struct counts *c, size_t values)
{
	size_t most = values * values / 2 / c->unit;
	size_t rows = (values < c->m ? values : c->m) + 1;

	c->width = (most < c->limit ? most : c->limit) + 1;
	c->count = mem_zero(rows * c->width, sizeof(*c->count));
	row(c, 0)[0] = 1;
}

/* Joins a row of the lower values and one of the upper ones. Returns the ways whose sum is
 * at most `limit`, and adds those with this sum to *at. */
static double join_rows(const double *low, size_t lows, const double *high, size_t highs,
    size_t limit, double *at)
{
	double some = 0, upto = 0;

	for (size_t s = lows, k = 0; s-- > 0;) {
		for (; k < highs && k + s <= limit; k++)
			some += high[k];
		upto += low[s] * some;
		*at += limit - s < highs ? low[s] * high[limit - s] : 0;
	}
	return upto;
}

/* Joins the counts of the lower values and of the upper ones, whose first side is the other
 * one. Returns the ways up to the limit, and sets those that end there. */
static double join_halves(const struct counts *low, const struct counts *high, double *at)
{
	double upto = 0;

	*at = 0;
	for (size_t a = 0; a <= low->m && a <= low->used; a++) {
		/* m - a of the upper values belong to the first side */
		size_t b = high->used - (low->m - a), others = low->used - a;
		size_t cross = 2 * (low->m - a) * others / low->unit;
		size_t lows = row_length(low, low->used, a), highs;

		if (high->used < low->m - a || !lows)
			continue;
		highs = row_length(high, high->used, b);
		if (highs)
			upto += join_rows(
			    row(low, a), lows, row(high, b), highs, low->limit - cross, at);
	}
	return upto;
}

double exact_rank_sum(const size_t *tied, size_t groups, size_t m, size_t n, double twice_u)
{
	struct counts low = { .m = m < n ? m : n, .n = m < n ? n : m, .unit = 2 }, high;
	double pairs = (double)m * (double)n, upto, at;
	/* The U of the other side gives the same distribution, from the other end. */
	bool from_top = (twice_u > pairs) != (n < m);
	size_t first = from_top ? groups - 1 : 0, half = 0, lows = 0;

	for (size_t i = 0; i < groups; i++)
		if (tied[i] % 2 == 0)
			low.unit = 1;
	low.limit = (size_t)fmin(twice_u, 2 * pairs - twice_u) / low.unit;
	for (; lows < groups && 2 * half < m + n; lows++)
		half += tied[from_top ? first - lows : lows];
	/* U is also the number of greater values of the first side, summed over the values
	 * of the other side, which are counted from the top. */
	high = low;
	high.m = low.n;
	high.n = low.m;
	counts_open(&low, half);
	counts_open(&high, m + n - half);
	for (size_t i = 0; i < lows; i++)
		add_group(&low, tied[from_top ? first - i : i]);
	for (size_t i = groups; i-- > lows;)
		add_group(&high, tied[from_top ? first - i : i]);
	upto = join_halves(&low, &high, &at);
	free(low.count);
	free(high.count);
	return fmin(1, 2 * tail(low.m, low.n, upto, at));
}

/* Fills p[u] for each U up to m n / 2, without ties. */
static void untied_fill(size_t m, size_t n, double *p)
{
	struct counts c = {
		.m = m < n ? m : n, .n = m < n ? n : m, .unit = 2, .limit = m * n / 2
	};
	double upto = 0;

	counts_open(&c, m + n);
	while (c.used < m + n)
		add_group(&c, 1);
	for (size_t u = 0; u <= c.limit; u++) {
		upto += row(&c, c.m)[u];
		p[u] = fmin(1, 2 * tail(c.m, c.n, upto, row(&c, c.m)[u]));
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
	size_t all = 0, used = 0, less, limit, width;
	struct distances d;
	double *count, upto = 0, p;

	for (size_t i = 0; i < groups; i++)
		all += tied[i];
	/* The other values have the sum -sum, and the sum of a choice is at most 0 as often
	 * as that of scores with the other sign is at least 0. */
	less = m <= all - m ? m : all - m;
	distances_open(&d, score, groups, (sum > 0) == (less == m) ? -1 : 1);
	limit = (size_t)((-fabs(sum) - (double)less * d.least) / (double)d.unit);
	width = limit + 1;
	count = mem_zero((less + 1) * width, sizeof(*count));
	count[0] = 1;
	for (size_t i = 0; i < groups; i++) {
		used += tied[i];
		for (size_t a = used < less ? used : less; a > 0; a--)
			for (size_t j = 1; j <= tied[i] && j <= a; j++)
				add_shifted(count + a * width, width,
				    count + (a - j) * width, width, j * d.of[i],
				    ways_to_choose(tied[i], j));
	}
	for (size_t s = 0; s <= limit; s++)
		upto += count[less * width + s];
	p = fmin(1, 2 * tail(less, all - less, upto, count[less * width + limit]));
	free(count);
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
