/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The jackknife; see jackknife.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/jackknife.h"
#include "stats/stats.h"

struct ranked {
	double value;
	size_t at;
};

static int by_value(const void *a, const void *b)
{
	double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;

	return (x > y) - (x < y);
}

/* Returns the location of n sorted values without the value at `gone`. */
static double median_without(const struct ranked *sorted, size_t n, size_t gone)
{
	size_t low = (n - 2) / 2, high = (n - 1) / 2;

	return (sorted[low + (low >= gone)].value + sorted[high + (high >= gone)].value) /
	       2;
}

/* Fills without[i] with the location of all values except the i-th. */
static void leave_out(
    enum location location, const double *value, size_t n, double *without)
{
	struct ranked *sorted = mem_resize(NULL, n + 1, sizeof(*sorted));
	double mean = stats_mean(value, n), rest = (double)n - 1;

	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct ranked){ value[i], i };
	if (location == LOCATION_MEDIAN)
		qsort(sorted, n, sizeof(*sorted), by_value);
	for (size_t i = 0; i < n; i++)
		without[sorted[i].at] = location == LOCATION_MEDIAN
		                            ? median_without(sorted, n, i)
		                            : mean + (mean - sorted[i].value) / rest;
	free(sorted);
}

struct sums {
	double cubes, squares;
	bool exist;
};

static void add(struct sums *s, const double *ratio, size_t n)
{
	double mean = stats_mean(ratio, n), of = (double)n, cubes = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		double u = (of - 1) * (mean - ratio[i]);

		s->exist &= isfinite(u);
		cubes += u * u * u;
		squares += u * u;
	}
	s->cubes += cubes / (of * of * of);
	s->squares += squares / (of * of);
}

static double acceleration(const struct sums *s)
{
	if (!s->exist)
		return NAN;
	return s->squares > 0 ? s->cubes / (6 * pow(s->squares, 1.5)) : 0;
}

static double location_of_copy(enum location location, const double *value, size_t n)
{
	double *copy = mem_resize(NULL, n + 1, sizeof(*copy)), out;

	memcpy(copy, value, n * sizeof(*copy));
	out = location_sorting(location, copy, n);
	free(copy);
	return out;
}

double jackknife_sides(
    enum location location, const double *old, size_t olds, const double *new, size_t news)
{
	double *ratio = mem_resize(NULL, olds + news + 1, sizeof(*ratio));
	double all_old = location_of_copy(location, old, olds),
	       all_new = location_of_copy(location, new, news);
	struct sums s = { .exist = true };

	leave_out(location, old, olds, ratio);
	leave_out(location, new, news, ratio + olds);
	for (size_t i = 0; i < olds; i++)
		ratio[i] = all_new / ratio[i];
	for (size_t i = olds; i < olds + news; i++)
		ratio[i] /= all_old;
	add(&s, ratio, olds);
	add(&s, ratio + olds, news);
	free(ratio);
	return acceleration(&s);
}

double jackknife_pairs(
    enum location location, const double *old, const double *new, size_t n)
{
	double *without = mem_resize(NULL, 2 * n + 1, sizeof(*without));
	struct sums s = { .exist = true };

	leave_out(location, old, n, without);
	leave_out(location, new, n, without + n);
	for (size_t i = 0; i < n; i++)
		without[i] = without[n + i] / without[i];
	add(&s, without, n);
	free(without);
	return acceleration(&s);
}
