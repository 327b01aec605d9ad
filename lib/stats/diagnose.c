/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of values; see diagnose.h. The checks of order use ranks within segments. The
 * moments of their statistics under random order do not depend on the distribution, and can
 * be added.
 */
#include <math.h>
#include <stdlib.h>

#include "stats/diagnose.h"
#include "stats/dip.h"
#include "stats/dist.h"
#include "stats/stats.h"

/* clang-format off */
const struct ailment_type ailments[AILMENTS] = {
	[AILMENT_OUTLIERS] = { "outliers", NULL, "some values are far from the median",
		"count ", "", 0, 1,
		"check what else was running, and report the median, not the mean" },
	[AILMENT_AUTOCORRELATION] = { "autocorrelation", NULL,
		"consecutive values are correlated", "rank correlation ", "", 2, 1,
		"intervals are too narrow: measure in several runs" },
	[AILMENT_DRIFT] = { "drift", NULL, "values drift during a run",
		"by ", "%", 1, 100,
		"warm up longer (bench-run -w), let the machine cool, compare within one run" },
	[AILMENT_MODES] = { "modes", NULL, "the distribution has more than one mode",
		"dip ", "", 3, 1,
		"find what separates the modes (bench-plot hist): the median describes none of them" },
	[AILMENT_CLOCK] = { "clock", NULL, "values repeat and are whole clock steps apart", NULL, NULL, 0, 1,
		"the clock is too coarse: make each sample do more work" },
	[AILMENT_SWITCHES] = { "switches", "context-switches",
		"slow samples have more context switches", "rank correlation ", "", 2, 1,
		"other processes use the processor: use bench-run --wait-idle or a quieter machine" },
	[AILMENT_INVOLUNTARY] = { "involuntary", "involuntary-switches",
		"slow samples have more involuntary context switches", "rank correlation ", "", 2, 1,
		"other processes use the processor: use bench-run --wait-idle or a quieter machine" },
	[AILMENT_MIGRATIONS] = { "migrations", "cpu-migrations",
		"slow samples moved between processors", "rank correlation ", "", 2, 1,
		"pin the process to a processor: bench-run --cpu" },
	[AILMENT_FAULTS] = { "faults", "major-faults",
		"slow samples read pages from storage", "rank correlation ", "", 2, 1,
		"warm up (bench-run -w), and make sure that there is enough memory" },
	[AILMENT_STEAL] = { "steal", "steal",
		"slow samples lost processor time to the hypervisor", "rank correlation ", "", 2, 1,
		"the host is shared: measure at another time or on a dedicated machine" },
};
/* clang-format on */

/* The asymptotic efficiency of the median absolute deviation at the normal distribution. */
static const double mad_efficiency = 0.37, normal_sd_of_mad = 1.482602218505602;
static const struct symptom nothing = { NAN, NAN, false };

static double *sorted_copy(const double *value, size_t n)
{
	double *copy = mem_resize(NULL, n + 1, sizeof(*copy));

	memcpy(copy, value, n * sizeof(*copy));
	stats_sort(copy, n);
	return copy;
}

struct symptom diagnose_outliers(const double *value, size_t n, double alpha)
{
	double *x = sorted_copy(value, n), median, mad, least = 1, count = 0;
	bool logs = n && x[0] > 0;

	for (size_t i = 0; logs && i < n; i++)
		x[i] = log(x[i]);
	median = stats_quantile(x, n, 0.5);
	mad = stats_mad(x, n, median) * normal_sd_of_mad;
	for (size_t i = 0; mad > 0 && i < n; i++) {
		double p = 2 * (double)n *
		           dist_t_above(
		               fabs(x[i] - median) / mad, mad_efficiency * (double)(n - 1));

		least = fmin(least, p);
		count += p < alpha;
	}
	free(x);
	return n < DIAGNOSE_LEAST || !(mad > 0) ? nothing
	                                        : (struct symptom){ count, least, false };
}

struct ranked {
	double value;
	size_t at;
};

static int by_value(const void *a, const void *b)
{
	double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;

	return (x > y) - (x < y);
}

/* Computes the midranks of n values, minus their mean. Returns the sum of their squares. */
static double rank(const double *value, size_t n, struct ranked *room, double *out)
{
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		room[i] = (struct ranked){ value[i], i };
	qsort(room, n, sizeof(*room), by_value);
	for (size_t i = 0, next; i < n; i = next) {
		double r;

		for (next = i; next < n && room[next].value == room[i].value; next++)
			;
		r = ((double)(i + next - 1) - (double)(n - 1)) / 2;
		squares += r * r * (double)(next - i);
		for (size_t k = i; k < next; k++)
			out[room[k].at] = r;
	}
	return squares;
}

/* Sums over segments: a statistic minus its expectation, and its variance. */
struct score {
	double sum, variance;
	double scale; /* sum / scale is a correlation */
	size_t n;
};

static size_t segment_end(const struct diagnosed *d, size_t s)
{
	return s + 1 < d->starts ? d->start[s + 1] : d->n;
}

/*
 * Adds a segment to the score of autocorrelation. For a permutation of ranks r with squares
 * Q, the sum of (r[i] - r[i+1])^2 has expectation 2 Q. Its variance is that of Bartels,
 * scaled from untied ranks to Q.
 */
static void score_neighbors(struct score *s, const double *r, size_t size, double squares)
{
	double sum = 0, n = (double)size, untied = n * (n * n - 1) / 12;
	double variance =
	    4 * (n - 2) * (5 * n * n - 2 * n - 9) / (5 * n * (n + 1) * (n - 1) * (n - 1));

	for (size_t i = 0; i + 1 < size; i++)
		sum += (r[i] - r[i + 1]) * (r[i] - r[i + 1]);
	/* long segments have more weight, since the variance of the ratio falls as 4 / n */
	s->sum += n * (2 * squares - sum) / untied;
	s->variance += n * n * variance * squares * squares / untied / untied;
	s->scale += n * 2 * squares / untied;
	s->n += size;
}

/* Adds a segment to the score of a correlation. For a permutation of ranks r, the sum of r
 * q has expectation 0. */
static void score_pairs(struct score *s, const double *r, double r_squares, const double *q,
    double q_squares, size_t size)
{
	double sum = 0, product = sqrt(r_squares * q_squares);

	for (size_t i = 0; i < size; i++)
		sum += r[i] * q[i];
	/* standardized, so that segments are weighted by their information */
	s->sum += sum / product * (double)(size - 1);
	s->variance += (double)(size - 1);
	s->scale += (double)(size - 1);
	s->n += size;
}

static struct symptom judge(const struct score *s, int sides)
{
	double z = s->sum / sqrt(s->variance);

	if (s->n < DIAGNOSE_LEAST || !(s->variance > 0))
		return nothing;
	return (struct symptom){ s->sum / s->scale,
		sides == 2 ? 2 * dist_normal_above(fabs(z)) : dist_normal_above(z), false };
}

struct symptom diagnose_autocorrelation(const struct diagnosed *d)
{
	struct ranked *room = mem_resize(NULL, d->n + 1, sizeof(*room));
	double *r = mem_resize(NULL, d->n + 1, sizeof(*r));
	struct score score = { 0 };

	for (size_t s = 0; s < d->starts; s++) {
		size_t size = segment_end(d, s) - d->start[s];
		double squares = rank(d->value + d->start[s], size, room, r);

		if (size >= 4 && squares > 0)
			score_neighbors(&score, r, size, squares);
	}
	free(room);
	free(r);
	return judge(&score, 2);
}

/* Correlates the values with another metric, or, if other is NULL, with their positions. */
static struct symptom correlate(const struct diagnosed *d, const double *other, int sides)
{
	struct ranked *room = mem_resize(NULL, d->n + 1, sizeof(*room));
	double *r = mem_resize(NULL, d->n + 1, sizeof(*r));
	double *q = mem_resize(NULL, d->n + 1, sizeof(*q));
	double *place = mem_resize(NULL, d->n + 1, sizeof(*place));
	struct score score = { 0 };

	for (size_t i = 0; i < d->n; i++)
		place[i] = (double)i;
	for (size_t s = 0; s < d->starts; s++) {
		size_t at = d->start[s], size = segment_end(d, s) - at;
		double r_squares = rank(d->value + at, size, room, r);
		double q_squares = rank((other ? other : place) + at, size, room, q);

		if (r_squares > 0 && q_squares > 0)
			score_pairs(&score, r, r_squares, q, q_squares, size);
	}
	free(place);
	free(room);
	free(r);
	free(q);
	return judge(&score, sides);
}

static double median_of(const double *value, size_t n)
{
	double *x = sorted_copy(value, n), median = stats_quantile(x, n, 0.5);

	free(x);
	return median;
}

struct symptom diagnose_drift(const struct diagnosed *d)
{
	struct symptom found = correlate(d, NULL, 2);
	double sum = 0, weight = 0;

	for (size_t s = 0; s < d->starts; s++) {
		size_t at = d->start[s], size = segment_end(d, s) - at, third = size / 3;

		if (!third)
			continue;
		sum += (double)size * (median_of(d->value + at + size - third, third) -
		                          median_of(d->value + at, third));
		weight += (double)size;
	}
	found.value = sum / weight / median_of(d->value, d->n);
	if (!isfinite(found.value))
		found.value = NAN;
	return found;
}

struct symptom diagnose_companion(const struct diagnosed *d, const double *other)
{
	return correlate(d, other, 1);
}

/* Returns the smallest step between values, or 0 if all are equal, and the number of
 * distinct values. */
static double least_step(const double *sorted, size_t n, size_t *distinct)
{
	double least = 0;

	*distinct = n > 0;
	for (size_t i = 1; i < n; i++) {
		double step = sorted[i] - sorted[i - 1];

		*distinct += step > 0;
		if (step > 0 && (least == 0 || step < least))
			least = step;
	}
	return least;
}

struct symptom diagnose_modes(const double *value, size_t n)
{
	double *x = sorted_copy(value, n), step, dip;
	size_t distinct;

	step = least_step(x, n, &distinct);
	for (size_t i = 0, next; distinct < n && i < n; i = next) {
		double at = x[i];

		for (next = i; next < n && x[next] == at; next++)
			;
		for (size_t k = i; k < next; k++)
			x[k] = at +
			       step * (((double)(k - i) + 0.5) / (double)(next - i) - 0.5);
	}
	dip = dip_of(x, n);
	free(x);
	return n < DIAGNOSE_LEAST || step == 0
	           ? nothing
	           : (struct symptom){ dip, dip_p(dip, n), false };
}

struct symptom diagnose_clock(const double *value, size_t n)
{
	double *x = sorted_copy(value, n), step;
	size_t distinct;
	bool even = true;

	step = least_step(x, n, &distinct);
	for (size_t i = 1; step > 0 && i < n; i++) {
		double steps = (x[i] - x[0]) / step;

		even &= fabs(steps - round(steps)) < 1e-3;
	}
	free(x);
	if (n < DIAGNOSE_LEAST || !even || distinct > n / 2)
		return nothing;
	return (struct symptom){ step > 0 ? step : NAN, NAN, true };
}
