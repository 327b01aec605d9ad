/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inverts exact tests of rates; see rate_interval.h. The parameter is the logarithm of the
 * odds ratio, or of the odds that new succeeds in a pair that differs. Both tests are of
 * one count, whose distribution has the weights of the test, each times exp(count x
 * parameter): C(new, x) C(old, both - x) for sides, C(pairs, x) for pairs.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/dist.h"
#include "stats/rank_interval.h"
#include "stats/rate_interval.h"

enum { PARAMETER_MOST = 700 };

/* The distribution of a count from `least` to `most`. */
struct counted {
	double *log_weight, *weight; /* weight: scratch space */
	double least, most, seen;
	/* The numbers of both sides, and the sum of the numbers of their successes, or for
	 * pairs of the count and its complement. */
	double olds, news, sum;
	double both; /* other successes of each side */
};

bool rate_values(const double *value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (value[i] != 0 && value[i] != 1)
			return false;
	return true;
}

static double log_choose(double n, double k)
{
	return dist_log_factorial(n) - dist_log_factorial(k) - dist_log_factorial(n - k);
}

static size_t counts(const struct counted *c)
{
	return (size_t)(c->most - c->least) + 1;
}

/* The tails of a distribution at the observed count, and its expectation. */
struct counted_tails {
	double upto, from, expected;
};

static struct counted_tails tails_at(const struct counted *c, double parameter)
{
	struct counted_tails t = { 0, 0, 0 };
	size_t n = counts(c), seen = (size_t)(c->seen - c->least);
	double most = -INFINITY, all = 0;

	for (size_t i = 0; i < n; i++) {
		c->weight[i] = c->log_weight[i] + (double)i * parameter;
		most = fmax(most, c->weight[i]);
	}
	for (size_t i = 0; i < n; i++) {
		double weight = exp(c->weight[i] - most);

		all += weight;
		t.upto += i <= seen ? weight : 0;
		t.from += i >= seen ? weight : 0;
		t.expected += weight * (double)i;
	}
	t.upto /= all;
	t.from /= all;
	t.expected = c->least + t.expected / all;
	return t;
}

/* Returns the contrast of the rates if the expected count is this. */
static double contrast_of(const struct counted *c, double count, bool ratio)
{
	double new = (c->both + count) / c->news,
	       old = (c->both + c->sum - count) / c->olds;

	return ratio ? new / old : new - old;
}

/* Returns the expected count at the end of the interval: the lower one, for which the tail
 * from the observed count is alpha / 2, or the upper one. */
static double end_count(const struct counted *c, double alpha, bool lower)
{
	double lo = -PARAMETER_MOST, hi = PARAMETER_MOST;

	if (c->seen == (lower ? c->least : c->most))
		return c->seen;
	while (hi - lo > 1e-13 * fmax(1, fabs(lo))) {
		double middle = lo / 2 + hi / 2;
		struct counted_tails t = tails_at(c, middle);
		bool high = lower ? t.from >= alpha / 2 : t.upto < alpha / 2;

		if (middle == lo || middle == hi)
			break;
		if (high)
			hi = middle;
		else
			lo = middle;
	}
	return tails_at(c, lower ? lo : hi).expected;
}

/* Fills the contrast. Returns p. least_p: the least p that this many values can have. */
static double invert_counts(
    struct counted *c, double alpha, double least_p, struct contrast *out)
{
	struct counted_tails none = tails_at(c, 0);

	out->at = contrast_of(c, c->seen, out->ratio);
	out->lo = out->hi = NAN;
	if (least_p < alpha) {
		out->lo = contrast_of(c, end_count(c, alpha, true), out->ratio);
		out->hi = contrast_of(c, end_count(c, alpha, false), out->ratio);
	}
	free(c->log_weight);
	free(c->weight);
	return fmin(1, 2 * fmin(none.upto, none.from));
}

static void counted_init(struct counted *c)
{
	c->log_weight = mem_resize(NULL, counts(c), sizeof(*c->log_weight));
	c->weight = mem_resize(NULL, counts(c), sizeof(*c->weight));
}

static double successes(const double *value, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += value[i];
	return sum;
}

double rate_sides(const double *old, size_t olds, const double *new, size_t news,
    double alpha, struct contrast *out)
{
	double m = (double)olds, n = (double)news, seen = successes(new, news);
	double sum = seen + successes(old, olds);
	struct counted c = { .least = fmax(0, sum - m),
		.most = fmin(n, sum),
		.seen = seen,
		.olds = m,
		.news = n,
		.sum = sum };

	counted_init(&c);
	for (size_t i = 0; i < counts(&c); i++)
		c.log_weight[i] = log_choose(n, c.least + (double)i) +
		                  log_choose(m, sum - c.least - (double)i);
	return invert_counts(&c, alpha, rank_least_p(false, m, n), out);
}

double rate_pairs(
    const double *old, const double *new, size_t n, double alpha, struct contrast *out)
{
	double up = 0, down = 0;
	struct counted c = { .olds = (double)n, .news = (double)n };

	for (size_t i = 0; i < n; i++) {
		up += new[i] > old[i];
		down += new[i] < old[i];
		c.both += old[i] * new[i];
	}
	c.seen = up;
	c.most = c.sum = up + down;
	counted_init(&c);
	for (size_t i = 0; i < counts(&c); i++)
		c.log_weight[i] = log_choose(c.sum, (double)i);
	return invert_counts(&c, alpha, rank_least_p(true, (double)n, (double)n), out);
}
