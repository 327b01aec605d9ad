/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rank tests; see infer.h. Midranks are doubled, so that they are whole numbers. The exact
 * distributions are in exact.h.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/dist.h"
#include "stats/exact.h"
#include "stats/infer.h"
#include "stats/pair_ranks.h"
#include "stats/rank_interval.h"
#include "stats/welch.h"

/* The ranks of both sides together: the number of values of each rank, from the least. */
struct ranks {
	size_t *tied;
	size_t count, cap;
	size_t values;
	bool any_ties;
	double cubes; /* sum of t^3 - t over the ties, for the variance */
};

static void ranks_add(struct ranks *r, size_t tied)
{
	double t = (double)tied;

	*VEC_ADD(r->tied, r->count, r->cap) = tied;
	r->values += tied;
	r->any_ties |= tied > 1;
	r->cubes += t * t * t - t;
}

double infer_normal_p(double difference, double variance)
{
	double size = fmax(0, fabs(difference) - 0.5);

	return variance > 0 ? fmin(1, 2 * dist_normal_above(size / sqrt(variance))) : 1;
}

/*
 * Merges both sorted sides. Fills the ranks, and returns twice the number of pairs in which
 * new is greater, ties counting half (2 U of the new side).
 */
static double merge_ranks(
    struct ranks *r, const double *old, size_t olds, const double *new, size_t news)
{
	double twice_u = 0;

	for (size_t i = 0, j = 0; i < olds || j < news;) {
		double x = j == news || (i < olds && old[i] < new[j]) ? old[i] : new[j];
		size_t below = i, first = j;

		while (i < olds && old[i] == x)
			i++;
		while (j < news && new[j] == x)
			j++;
		twice_u += (double)(j - first) * (double)(below + i);
		ranks_add(r, i - below + (j - first));
	}
	return twice_u;
}

static double rank_sum_normal(const struct ranks *r, double twice_u, double m, double n)
{
	double all = m + n;
	double variance = m * n / 12 * (all + 1 - r->cubes / (all * (all - 1)));

	return infer_normal_p(twice_u / 2 - m * n / 2, variance);
}

static double rank_sum_p(const struct ranks *r, double twice_u, size_t olds, size_t news)
{
	if ((double)olds * (double)news > EXACT_PAIRS_MOST)
		return rank_sum_normal(r, twice_u, (double)news, (double)olds);
	if (r->any_ties)
		return exact_rank_sum(r->tied, r->count, news, olds, twice_u);
	return exact_rank_sum_untied(
	    news, olds, (size_t)fmin(twice_u / 2, (double)(olds * news) - twice_u / 2));
}

double infer_rank_sum(const double *old, size_t olds, const double *new, size_t news)
{
	struct ranks r = { 0 };
	double twice_u, p;

	if (!olds || !news)
		return 1;
	twice_u = merge_ranks(&r, old, olds, new, news);
	p = rank_sum_p(&r, twice_u, olds, news);
	free(r.tied);
	return p;
}

double infer_cliff_delta(const double *old, size_t olds, const double *new, size_t news)
{
	struct ranks r = { 0 };
	double twice_u = merge_ranks(&r, old, olds, new, news);
	double pairs = (double)olds * (double)news;

	free(r.tied);
	return pairs > 0 ? (twice_u - pairs) / pairs : NAN;
}

const struct infer_test infer_tests[] = {
	{ "rank", infer_rank_sum, pair_ranks_p, rank_interval_sides, pair_ranks_interval,
	    rank_least_p, "Mann and Whitney, signed and pooled ranks for pairs" },
	{ "welch", welch_valid_sides, welch_pairs, welch_interval_sides,
	    welch_interval_pairs, welch_least_p, "Welch, Student for pairs" },
};
const size_t infer_tests_count = COUNT(infer_tests);

const struct infer_test infer_signed_ranks = { "signed-rank", infer_rank_sum,
	signed_ranks_p, rank_interval_sides, signed_ranks_interval, rank_least_p,
	"Wilcoxon's signed ranks" };

struct ordered {
	double p;
	size_t at;
};

static int by_p(const void *a, const void *b)
{
	double x = ((const struct ordered *)a)->p, y = ((const struct ordered *)b)->p;

	return (x > y) - (x < y);
}

void infer_holm(double *p, size_t count)
{
	struct ordered *o = mem_zero(count + 1, sizeof(*o));
	size_t tests = 0;
	double least = 0;

	for (size_t i = 0; i < count; i++)
		if (!isnan(p[i]))
			o[tests++] = (struct ordered){ p[i], i };
	qsort(o, tests, sizeof(*o), by_p);
	for (size_t i = 0; i < tests; i++) {
		least = fmax(least, fmin(1, o[i].p * (double)(tests - i)));
		p[o[i].at] = least;
	}
	free(o);
}
