/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ratios of samples to those at the least x of their series; see samples_priv.h. Only times
 * have limits, and the ratio of a time that exceeds its limit is less than that of the
 * limit.
 */
#include <math.h>
#include <stdlib.h>

#include "figure/samples_priv.h"
#include "stats/censored.h"
#include "text/plural.h"

/* Returns the median of a mark, whose values and limits are not sorted yet, or NAN if it is
 * above a limit or if there is none. */
static double median_of(const struct samples_making *m, struct mark *mark)
{
	struct summary s, above;

	censored_summarize(mark->value, mark->n, mark->limit, mark->limits,
	    m->opts->inference.confidence, &s, &above);
	return s.median;
}

/* The divisor of the ratios of a series. */
struct ratio_base {
	double x, median; /* NAN: none */
	bool is_first;    /* no mark of the series is at a smaller x */
};

/* Returns the median at the least x of a series that has one. */
static struct ratio_base base_of(const struct samples_making *m, size_t series)
{
	struct ratio_base base = { NAN, NAN, false };
	double least = INFINITY;

	for (size_t i = 0; i < m->fig->marks; i++) {
		struct mark *mark = &m->fig->mark[i];
		double median;

		if (mark->series != series)
			continue;
		least = fmin(least, mark->x);
		median = base.x <= mark->x ? NAN : median_of(m, mark);
		if (!isnan(median)) {
			base.x = mark->x;
			base.median = median;
		}
	}
	base.is_first = base.x <= least;
	return base;
}

/* Replaces the values of a mark by ratios to a base, inverted if less is better. Leaves out
 * those without a ratio, because the divisor is 0, and returns their number. */
static size_t divide_values(struct mark *mark, double base, bool higher)
{
	size_t kept = 0, count = mark->n;

	for (size_t k = 0; k < count; k++) {
		double own = mark->value[k], divisor = higher ? base : own;

		if (divisor > 0 && base > 0)
			mark->value[kept++] = (higher ? own : base) / divisor;
	}
	mark->n = kept;
	return count - kept;
}

/* Replaces the limits of a mark by those of its ratios. A time that exceeds its limit has a
 * ratio that is less than that of the limit. */
static void divide_limits(struct mark *mark, double base)
{
	size_t kept = 0;

	for (size_t k = 0; k < mark->limits; k++)
		if (mark->limit[k] > 0 && base > 0)
			mark->limit[kept++] = base / mark->limit[k];
	mark->failed += mark->limits - kept;
	mark->limits = kept;
	mark->below = true;
}

/* Leaves out all values of a mark, whose series has no median to which they have a ratio.
 */
static void drop_values(struct mark *mark)
{
	mark->failed += mark->limits;
	mark->n = mark->limits = 0;
}

/* Finds the bases of all series, allocated, and the ideal speedup at x = 1: that of all
 * series, if their bases are at the same x. */
static struct ratio_base *find_bases(struct samples_making *m)
{
	struct figure *fig = m->fig;
	struct ratio_base *base = mem_zero(fig->series_count, sizeof(*base));
	double first = NAN;
	bool same = true;

	for (size_t s = 0; s < fig->series_count; s++) {
		base[s] = base_of(m, s);
		if (isnan(base[s].median))
			continue;
		same = same && (isnan(first) || base[s].x == first);
		first = base[s].x;
		m->later_base = m->later_base || !base[s].is_first;
	}
	fig->ideal = same && first > 0 ? 1 / first : 0;
	return base;
}

/* Checks that no value is negative. Returns 0, or -1 and the message. */
static int check_values(const struct figure *fig, struct fault *f)
{
	for (size_t i = 0; i < fig->marks; i++)
		for (size_t k = 0; k < fig->mark[i].n; k++)
			if (fig->mark[i].value[k] < 0)
				return fault_set(f,
				    "a speedup needs values from 0 up, but one value is %g",
				    fig->mark[i].value[k]);
	return 0;
}

/* Sets the message that no value has a ratio. Returns -1. */
static int refuse_ratios(bool higher, size_t lost, struct fault *f)
{
	if (!lost)
		return fault_set(f,
		    "a speedup needs a median at one x, but all medians are above the "
		    "limits of samples that timed out");
	return fault_set(f, "a speedup needs values above 0, but %s",
	    higher ? "those at the least x are 0" : "all values are 0");
}

int samples_make_ratios(struct samples_making *m, struct fault *f)
{
	struct figure *fig = m->fig;
	struct text metric = facet_cell(&m->facet, 0, COL_METRIC),
	            unit = facet_cell(&m->facet, 0, COL_UNIT);
	bool higher = m->opts->metrics &&
	              metrics_better(m->opts->metrics, metric, unit) == BETTER_HIGHER;
	struct ratio_base *base;
	size_t before = 0, after = 0, lost = 0;

	fig->ideal = 1;
	if (text_is(metric, "speedup"))
		return 0;
	if (check_values(fig, f) < 0)
		return -1;
	base = find_bases(m);
	for (size_t i = 0; i < fig->marks; i++) {
		struct mark *mark = &fig->mark[i];

		before += mark_count(mark);
		if (isnan(base[mark->series].median)) {
			drop_values(mark);
		} else {
			lost += divide_values(mark, base[mark->series].median, higher);
			divide_limits(mark, base[mark->series].median);
		}
		after += mark_count(mark);
	}
	free(base);
	if (before && !after)
		return refuse_ratios(higher, lost, f);
	if (lost)
		figure_say(fig, "%zu value%s without a ratio left out (division by 0)",
		    lost, plural_s(lost));
	return 0;
}
