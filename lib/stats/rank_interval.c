/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inverts rank tests; see rank_interval.h.
 *
 * As the contrast grows, the ranks of new values fall and those of old values rise. So in
 * each permutation the rank sum, less the one observed, grows, and the exact p of one
 * direction rises, with ties or without, while that of the other direction falls. The
 * contrasts with a p of at least alpha are therefore one interval, whose ends can be found
 * by halving. p only changes at a combination of two values. So it is needed in the gaps
 * between combinations; gap k is above k of them.
 *
 * Without ties in a side, and in the normal approximation, p in a gap only depends on k.
 * Otherwise it also depends on where the ties are among the ranks.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/dist.h"
#include "stats/exact.h"
#include "stats/gallop.h"
#include "stats/infer.h"
#include "stats/pair_select.h"
#include "stats/rank_interval.h"
#include "stats/stats.h"

/* The test in a gap. Gaps are numbered from 0, below all combinations, to `last`. */
struct inversion {
	struct combinations of;
	double alpha;
	double *distinct; /* the distinct combinations, in ascending order; or NULL */
	size_t last;
	size_t *tied, groups, cap; /* scratch space: the ties of two sides */
};

/* Returns whether a sorted array has equal elements. */
static bool has_ties(const double *sorted, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (sorted[i] == sorted[i - 1])
			return true;
	return false;
}

/* Returns the sum of t^3 - t over the ties of a sorted array. */
static double tie_cubes(const double *sorted, size_t n)
{
	double sum = 0;

	for (size_t i = 0, next; i < n; i = next) {
		double t;

		for (next = i; next < n && sorted[next] == sorted[i];)
			next++;
		t = (double)(next - i);
		sum += t * t * t - t;
	}
	return sum;
}

/* Fills the interval from the k-th combination from below to the k-th from above. */
static void take_kth(const struct inversion *v, double k, struct contrast *out)
{
	if (!(k >= 1))
		return;
	out->lo = pair_select(&v->of, k);
	out->hi = pair_select(&v->of, pair_count(&v->of) + 1 - k);
}

/* Returns the number of the first gap with p >= alpha in the normal approximation. */
static double normal_gap(const struct inversion *v, double variance)
{
	double z = dist_normal_quantile_above(v->alpha / 2);

	return ceil(pair_count(&v->of) / 2 - 0.5 - z * sqrt(variance));
}

static double normal_variance(const struct inversion *v)
{
	double m = (double)v->of.olds, n = (double)v->of.news, all = m + n;
	double cubes = tie_cubes(v->of.new, v->of.news);

	cubes += tie_cubes(v->of.old, v->of.olds);
	return m * n / 12 * (all + 1 - cubes / (all * (all - 1)));
}

/* Returns the first gap with p >= alpha without ties. */
static double untied_gap(const struct inversion *v)
{
	size_t low = 0, high = (size_t)(pair_count(&v->of) / 2);

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (exact_rank_sum_untied(v->of.olds, v->of.news, middle) >= v->alpha)
			high = middle;
		else
			low = middle + 1;
	}
	return (double)low;
}

static void list_combinations(struct inversion *v)
{
	const struct combinations *c = &v->of;
	size_t n = 0;
	double *x = mem_resize(NULL, (size_t)pair_count(c), sizeof(*x));

	for (size_t i = 0; i < c->olds; i++)
		for (size_t j = 0; j < c->news; j++)
			x[n++] = combine(c->kind, c->old[i], c->new[j]);
	stats_sort(x, n);
	for (size_t i = 0; i < n; i++)
		if (!v->last || x[i] != x[v->last - 1])
			x[v->last++] = x[i];
	v->distinct = x;
}

/* Returns p in a gap between two sides, and whether new values are greater there. */
static double sides_gap_p(struct inversion *v, size_t gap, bool *greater)
{
	const struct combinations *c = &v->of;
	double twice_u = 0;

	v->groups = 0;
	for (size_t i = 0, j = 0, end; i < c->olds || j < c->news;) {
		bool take_old =
		    j == c->news ||
		    (i < c->olds && (gap == 0 || combine(c->kind, c->old[i], c->new[j]) >
		                                     v->distinct[gap - 1]));
		size_t *at = take_old ? &i : &j, most = take_old ? c->olds : c->news;
		const double *x = take_old ? c->old : c->new;

		for (end = *at; end < most && x[end] == x[*at];)
			end++;
		if (!take_old)
			twice_u += 2 * (double)(end - j) * (double)i;
		*VEC_ADD(v->tied, v->groups, v->cap) = end - *at;
		*at = end;
	}
	*greater = twice_u > pair_count(c);
	return exact_rank_sum(v->tied, v->groups, c->news, c->olds, twice_u);
}

/* An end of the interval. */
struct interval_end {
	struct inversion *of;
	bool lower;
};

/* Returns whether a gap is below the end: outside of the interval at the lower end, or not
 * above the interval at the upper end. */
static bool is_below_end(void *ctx, size_t gap)
{
	const struct interval_end *end = ctx;
	bool greater;
	double p = sides_gap_p(end->of, gap, &greater);

	return (p < end->of->alpha && greater == end->lower) == end->lower;
}

/* Returns the number of gaps below an end. `guess` is probably near it. */
static size_t count_gaps(struct inversion *v, bool lower, size_t guess)
{
	struct interval_end end = { v, lower };

	return gallop_count(v->last + 1, guess, is_below_end, &end);
}

static size_t distinct_upto(const struct inversion *v, double x)
{
	size_t n = 0;

	while (n < v->last && v->distinct[n] < x)
		n++;
	return n;
}

/* Fills the interval of the exact p with ties. */
static void invert_ties(struct inversion *v, struct contrast *out)
{
	double k = fmax(1, normal_gap(v, normal_variance(v)));
	size_t first, end;

	list_combinations(v);
	first = count_gaps(v, true, distinct_upto(v, pair_select(&v->of, k)) + 1);
	if (first > 0) {
		k = pair_count(&v->of) + 1 - k;
		end = count_gaps(v, false, distinct_upto(v, pair_select(&v->of, k)) + 1);
		if (end <= v->last) {
			out->lo = v->distinct[first - 1];
			out->hi = v->distinct[end - 1];
		}
	}
	free(v->distinct);
	free(v->tied);
}

static void invert(struct inversion *v, bool exact, struct contrast *out)
{
	out->at = pair_median(&v->of);
	out->lo = out->hi = NAN;
	if (!exact)
		take_kth(v, normal_gap(v, normal_variance(v)), out);
	else if (has_ties(v->of.new, v->of.news) || has_ties(v->of.old, v->of.olds))
		invert_ties(v, out);
	else
		take_kth(v, untied_gap(v), out);
}

void rank_interval_sides(const double *old, size_t olds, const double *new, size_t news,
    double alpha, struct contrast *out)
{
	struct inversion v = { .of = { out->ratio ? COMBINE_RATIO : COMBINE_DIFFERENCE, old,
		                   olds, new, news },
		.alpha = alpha };

	invert(&v, (double)olds * (double)news <= EXACT_PAIRS_MOST, out);
}

double rank_least_p(bool paired, double olds, double news)
{
	if (paired)
		return exp2(1 - olds);
	return fmin(1, 2 * exp(dist_log_factorial(olds) + dist_log_factorial(news) -
	                       dist_log_factorial(olds + news)));
}
