/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranges of statistics; see budget_estimate.h. For the lower end, a missing value is the
 * least that it can be, and for the upper end it is infinite.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "budget/budget_estimate.h"
#include "stats/confidence.h"

const char *const budget_verdict_names[] = {
	[BUDGET_BROKEN] = "broken",
	[BUDGET_UNDECIDED] = "undecided",
	[BUDGET_MET] = "met",
};

static const struct budget_range unbounded = { -INFINITY, INFINITY, true };

/* Returns the value of a rank, from 1, if each missing value is the least possible. */
static double least_of_rank(const struct budget_values *v, size_t rank)
{
	size_t unknown = v->missing - v->above, below = 0;

	if (rank <= unknown)
		return -INFINITY;
	rank -= unknown;
	while (below < v->n && v->sorted[below] < v->limit)
		below++;
	if (rank <= below)
		return v->sorted[rank - 1];
	return rank <= below + v->above ? v->limit : v->sorted[rank - v->above - 1];
}

static double greatest_of_rank(const struct budget_values *v, size_t rank)
{
	return rank <= v->n ? v->sorted[rank - 1] : INFINITY;
}

static struct budget_range quantile_range(
    double prob, const struct budget_values *v, double confidence)
{
	size_t all = v->n + v->missing, lo = 1, hi = 1;
	struct budget_range range = { -INFINITY, INFINITY, true };

	if (!all)
		return range;
	if (prob > 0 && prob < 1) {
		confidence_quantile_ranks(all, prob, confidence, &lo, &hi);
	} else {
		lo = hi = prob > 0 ? all : 1;
		range.is_interval = false;
	}
	if (lo >= 1)
		range.lo = least_of_rank(v, lo);
	if (hi <= all)
		range.hi = greatest_of_rank(v, hi);
	return range;
}

static struct budget_range mean_range(const struct budget_values *v, double confidence)
{
	struct budget_range range = unbounded;
	size_t all = v->n + v->missing;
	double *least;

	if (v->missing > v->above || !all)
		return range;
	if (v->is_proportion && !v->missing) {
		confidence_proportion(stats_mean(v->sorted, v->n) * (double)v->n,
		    (double)v->n, confidence, &range.lo, &range.hi);
		return range;
	}
	least = mem_resize(NULL, all, sizeof(*least));
	for (size_t i = 0; i < all; i++)
		least[i] = i < v->n ? v->sorted[i] : v->limit;
	confidence_mean(least, all, confidence, &range.lo, &range.hi);
	if (v->missing)
		range.hi = INFINITY;
	free(least);
	return range;
}

struct budget_range budget_range_of(const struct statistic *s, double value,
    const struct budget_values *v, double confidence)
{
	static const char *const counts[] = { "n", "failed", "censored" };
	bool known = !v->missing;

	if (s->kind == STATISTIC_QUANTILE)
		return quantile_range(s->prob, v, confidence);
	if (strcmp(s->name, "mean") == 0)
		return mean_range(v, confidence);
	/* The numbers of values and of failures are known, regardless of the values. */
	for (size_t i = 0; i < COUNT(counts); i++)
		known |= strcmp(s->name, counts[i]) == 0;
	if (isnan(value) || !known)
		return unbounded;
	return (struct budget_range){ value, value, false };
}

enum budget_verdict budget_judge(
    const struct budget_range *range, double min, double max, bool *hopeless)
{
	*hopeless = false;
	if (range->lo > max || range->hi < min)
		return BUDGET_BROKEN;
	if (range->hi <= max && range->lo >= min)
		return BUDGET_MET;
	*hopeless = (range->hi == INFINITY && max < INFINITY) ||
	            (range->lo == -INFINITY && min > -INFINITY);
	return BUDGET_UNDECIDED;
}
