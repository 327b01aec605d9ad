/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of cut pairs; see censored_pairs.h. As the contrast grows, the change of each cut
 * pair falls or stays. So the sum of the scores falls, and the ends of the interval are
 * found by halving.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/censored_pairs.h"

enum { STEPS = 60 };

struct cut_pairs {
	const struct censored_pairs *of;
	bool ratio;
	double alpha;
	double old_limit, new_limit; /* of values that are not censored */
	double *old, *new;           /* scratch space: cut values */
};

/* Returns the limit of the values of a side that are not censored. */
static double common_limit(const double *value, const bool *above, size_t n)
{
	double most = -INFINITY, limit = -INFINITY;

	for (size_t i = 0; i < n; i++)
		if (above[i])
			limit = fmax(limit, value[i]);
		else
			most = fmax(most, value[i]);
	return limit >= most && n ? limit : INFINITY;
}

static void cut_open(
    struct cut_pairs *c, const struct censored_pairs *of, bool ratio, double alpha)
{
	*c = (struct cut_pairs){ .of = of, .ratio = ratio, .alpha = alpha };
	c->old_limit = common_limit(of->old, of->old_above, of->n);
	c->new_limit = common_limit(of->new, of->new_above, of->n);
	c->old = mem_resize(NULL, of->n + 1, sizeof(*c->old));
	c->new = mem_resize(NULL, of->n + 1, sizeof(*c->new));
}

static void cut_close(struct cut_pairs *c)
{
	free(c->old);
	free(c->new);
}

/* Returns a new value or limit without a contrast; ratios are logarithms. */
static double without(const struct cut_pairs *c, double value, double contrast)
{
	return c->ratio ? value / exp(contrast) : value - contrast;
}

/* Returns p of a contrast. Sets *balance to the sum of the scores. */
static double test_at(const struct cut_pairs *c, double contrast, double *balance)
{
	const struct censored_pairs *p = c->of;

	for (size_t i = 0; i < p->n; i++) {
		double old = p->old_above[i] ? p->old[i] : c->old_limit;
		double new = p->new_above[i] ? p->new[i] : c->new_limit;
		double limit = fmin(old, without(c, new, contrast));

		c->old[i] = fmin(p->old[i], limit);
		c->new[i] = fmin(without(c, p->new[i], contrast), limit);
	}
	return pair_ranks_test(c->old, c->new, p->n, p->score, c->ratio, balance);
}

/* Returns whether a contrast is below a boundary. */
typedef bool is_below(const struct cut_pairs *c, double x);

static bool below_interval(const struct cut_pairs *c, double x)
{
	double balance;

	return test_at(c, x, &balance) < c->alpha && balance > 0;
}

static bool below_top(const struct cut_pairs *c, double x)
{
	double balance;

	return !(test_at(c, x, &balance) < c->alpha && balance < 0);
}

static bool below_estimate(const struct cut_pairs *c, double x)
{
	double balance;

	test_at(c, x, &balance);
	return balance > 0;
}

static bool upto_estimate(const struct cut_pairs *c, double x)
{
	double balance;

	test_at(c, x, &balance);
	return balance >= 0;
}

/* Finds a boundary between -reach and reach: *from is the last contrast below it, and *to
 * the first one that is not. Returns false, and sets both to NAN, if there is none. */
static bool find_boundary(
    const struct cut_pairs *c, is_below *below, double reach, double *from, double *to)
{
	double low = -reach, high = reach;

	*from = *to = NAN;
	if (!below(c, low) || below(c, high))
		return false;
	for (int step = 0; step < STEPS; step++) {
		double middle = low / 2 + high / 2;

		if (below(c, middle))
			low = middle;
		else
			high = middle;
	}
	*from = low;
	*to = high;
	return true;
}

/* Returns a bound of the sizes of all contrasts at which a test may change, or INFINITY if
 * doubles cannot hold the values without such a contrast. */
static double reach_of(const struct cut_pairs *c)
{
	double least = INFINITY, most = -INFINITY, reach;

	for (size_t i = 0; i < c->of->n; i++) {
		least = fmin(least, fmin(c->of->old[i], c->of->new[i]));
		most = fmax(most, fmax(c->of->old[i], c->of->new[i]));
	}
	if (c->ratio) {
		reach = 3 * log(most / least) + 1;
		most = exp(fmax(fabs(log(least)), fabs(log(most))) + reach);
	} else {
		reach = 3 * (most - least) + 1;
		most = 2 * (reach + fmax(fabs(least), fabs(most)));
	}
	return isfinite(most) ? reach : INFINITY;
}

static void invert_pairs(const struct cut_pairs *c, struct contrast *out)
{
	double reach = reach_of(c), from, to, ignored, balance;
	bool low, high;

	if (reach == INFINITY)
		return;
	if (find_boundary(c, below_estimate, reach, &from, &ignored) &&
	    find_boundary(c, upto_estimate, reach, &ignored, &to))
		out->at = from / 2 + to / 2;
	low = find_boundary(c, below_interval, reach, &out->lo, &ignored);
	high = find_boundary(c, below_top, reach, &ignored, &out->hi);
	if (test_at(c, 0, &balance) >= c->alpha) {
		out->lo = fmin(out->lo, 0);
		out->hi = fmax(out->hi, 0);
	}
	if (!low)
		out->lo = out->ratio && high ? -INFINITY : (double)NAN;
	if (!high)
		out->hi = NAN;
}

double censored_pairs_measure(
    const struct censored_pairs *p, double alpha, struct contrast *out)
{
	struct cut_pairs c;
	double balance, chance;

	out->at = out->lo = out->hi = NAN;
	cut_open(&c, p, out->ratio, alpha);
	chance = test_at(&c, 0, &balance);
	invert_pairs(&c, out);
	cut_close(&c);
	if (out->ratio) {
		out->at = exp(out->at);
		out->lo = exp(out->lo);
		out->hi = exp(out->hi);
	}
	return chance;
}
