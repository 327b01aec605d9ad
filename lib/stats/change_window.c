/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See change_window.h. Cumulative sums give the mean and variance of any stretch in
 * constant time, so the cost of a test does not depend on the length of its sides.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/change_window.h"
#include "stats/dist.h"
#include "stats/e_divisive.h"
#include "stats/infer.h"
#include "stats/stats.h"

/* The level of the first pass, in windows, as published. */
#define FIRST_LEVEL 0.01

struct windows {
	const double *x;
	size_t n;
	const struct change_opts *opts;
	struct e_divisive *divider;
	double *sum, *square; /* of the values before each place, minus the first value */
	bool *marked;         /* by place: whether it is a point of a window */
};

void change_point_drop(struct change_point *point, size_t *count, size_t which)
{
	memmove(point + which, point + which + 1, (--*count - which) * sizeof(*point));
}

static double variance_of_mean(
    const struct windows *w, size_t from, size_t to, double *mean)
{
	double n = (double)(to - from), sum = w->sum[to] - w->sum[from];

	*mean = sum / n;
	return fmax(0, w->square[to] - w->square[from] - sum * *mean) / (n - 1) / n;
}

/* Returns the permutation p of two sides that do not overlap: 2 / C(m + k, m). */
static double separate(double m, double k)
{
	return fmin(1, 2 * exp(dist_log_factorial(m) + dist_log_factorial(k) -
	                       dist_log_factorial(m + k)));
}

/*
 * Returns the two-sided p of B. L. Welch's test, "The generalization of Student's problem
 * when several different population variances are involved", Biometrika 34 (1947).
 */
static double welch(const struct windows *w, size_t from, size_t at, size_t to)
{
	double m, k, a = variance_of_mean(w, from, at, &m);
	double b = variance_of_mean(w, at, to, &k), both = a + b;
	double freedom =
	    both * both / (a * a / (double)(at - from - 1) + b * b / (double)(to - at - 1));

	if (both <= 0)
		return m == k ? 1 : separate((double)(at - from), (double)(to - at));
	return 2 * dist_t_above(fabs(k - m) / sqrt(both), freedom);
}

static void divide_window(struct windows *w, size_t from, size_t to)
{
	struct division found;

	while (
	    e_divisive_find(w->divider, w->x + from, to - from, w->opts->least, &found) &&
	    welch(w, from, from + found.at, to) < FIRST_LEVEL) {
		divide_window(w, from, from + found.at);
		from += found.at;
		w->marked[from] = true;
	}
}

static void test_point(
    const struct windows *w, struct change_point *point, size_t count, size_t which)
{
	struct change_point *p = &point[which];

	p->from = which ? p[-1].at : 0;
	p->to = which + 1 < count ? p[1].at : w->n;
	p->p = 1;
	p->ranked = false;
	/* points of two windows may be adjacent */
	if (p->at - p->from >= 2 && p->to - p->at >= 2)
		p->p = fmin(1, welch(w, p->from, p->at, p->to) * (double)w->n);
}

/* Of two points closer than the least distance, removes the one with the greater p. Returns
 * the number of points left. */
static size_t part_close(const struct windows *w, struct change_point *point, size_t count)
{
	for (size_t i = 0; i + 1 < count;) {
		size_t from = i ? point[i - 1].at : 0;
		size_t to = i + 2 < count ? point[i + 2].at : w->n;

		if (point[i + 1].at - point[i].at >= w->opts->least) {
			i++;
			continue;
		}
		change_point_drop(point, &count,
		    welch(w, from, point[i].at, to) > welch(w, from, point[i + 1].at, to)
		        ? i
		        : i + 1);
		/* the point that stayed may also be too close to the one before */
		i -= i > 0;
	}
	return count;
}

/*
 * Tests a point also by ranks, and keeps the greater p. If the values are not normal, a few
 * similar or distant values can make Welch's p tiny.
 */
static void test_ranks(const struct windows *w, struct change_point *p)
{
	size_t n = p->to - p->from, m = p->at - p->from;
	double *x = mem_zero(n, sizeof(*x));

	memcpy(x, w->x + p->from, n * sizeof(*x));
	stats_sort(x, m);
	stats_sort(x + m, n - m);
	p->p = fmax(p->p, fmin(1, infer_rank_sum(x, m, x + m, n - m) * (double)w->n));
	p->ranked = true;
	free(x);
}

/* Returns a point that is not significant, or count. Tests by ranks only if Welch's test
 * leaves all points. */
static size_t least_sure(
    const struct windows *w, struct change_point *point, size_t count, double alpha)
{
	size_t worst = 0;

	for (size_t i = 1; i < count; i++)
		if (point[i].p > point[worst].p)
			worst = i;
	if (count && point[worst].p >= alpha)
		return worst;
	for (size_t i = 0; i < count; i++) {
		if (!point[i].ranked)
			test_ranks(w, &point[i]);
		if (point[i].p >= alpha)
			return i;
	}
	return count;
}

/* Removes the point with the largest p until all are significant. */
static size_t merge(const struct windows *w, struct change_point *point, size_t count)
{
	size_t worst;

	for (size_t i = 0; i < count; i++)
		test_point(w, point, count, i);
	while ((worst = least_sure(w, point, count, w->opts->alpha)) < count) {
		change_point_drop(point, &count, worst);
		if (worst)
			test_point(w, point, count, worst - 1);
		if (worst < count)
			test_point(w, point, count, worst);
	}
	return count;
}

static size_t search(struct windows *w, struct change_point *point)
{
	size_t length = w->opts->window, count = 0;

	for (size_t from = 0;; from += length / 2) {
		if (from + length >= w->n) {
			divide_window(w, w->n - length, w->n);
			break;
		}
		divide_window(w, from, from + length);
	}
	for (size_t i = w->opts->least; i + w->opts->least <= w->n; i++)
		if (w->marked[i])
			point[count++].at = i;
	return merge(w, point, part_close(w, point, count));
}

size_t change_window_find(
    const double *x, size_t n, const struct change_opts *opts, struct change_point *out)
{
	struct windows w = { .x = x, .n = n, .opts = opts };
	struct change_point *point = mem_zero(n, sizeof(*point));
	size_t count;

	w.divider = e_divisive_open(opts->window);
	w.sum = mem_zero(n + 1, sizeof(*w.sum));
	w.square = mem_zero(n + 1, sizeof(*w.square));
	w.marked = mem_zero(n, sizeof(*w.marked));
	for (size_t i = 0; i < n; i++) {
		double v = x[i] - x[0];

		w.sum[i + 1] = w.sum[i] + v;
		w.square[i + 1] = w.square[i] + v * v;
	}
	count = search(&w, point);
	memcpy(out, point, count * sizeof(*out));
	free(point);
	e_divisive_close(w.divider);
	free(w.sum);
	free(w.square);
	free(w.marked);
	return count;
}
