/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the data of marks: a block for each way in which a template draws them.
 */
#include <math.h>
#include <stdlib.h>

#include "plot/gnuplot_writer_priv.h"
#include "stats/censored.h"

/* Returns the position of a value of a mark on the value axis. */
static double value_at(const struct gnuplot_writer *w, const struct mark *m, double value)
{
	return layout_value(w->l, m->series, value);
}

/* Ends a part of a curve with a blank line, unless the block or a part begins here. */
static void break_curve(struct gnuplot_writer *w)
{
	if (w->commands.len > 1 && w->commands.ptr[w->commands.len - 2] != '\n')
		buf_byte(&w->commands, '\n');
}

static bool is_gap(const struct figure *fig, size_t i, size_t series)
{
	return i < fig->marks && fig->mark[i].series == series &&
	       !mark_count(&fig->mark[i]);
}

static bool is_joined(const struct figure *fig, size_t i, size_t series)
{
	return i < fig->marks && fig->mark[i].series == series && mark_count(&fig->mark[i]);
}

/* Returns whether gaps separate a mark from the others of its series. */
static bool is_alone(const struct figure *fig, size_t i)
{
	size_t series = fig->mark[i].series;

	return !is_joined(fig, i - 1, series) && !is_joined(fig, i + 1, series) &&
	       (is_gap(fig, i - 1, series) || is_gap(fig, i + 1, series));
}

/* Writes a mark. A mark without values interrupts the line. A mark between gaps has one
 * more column, so that it is drawn even if only lines are. */
static void put_point(struct gnuplot_writer *w, size_t i)
{
	const struct mark *m = &w->fig->mark[i];
	const struct summary *s = &m->s;
	struct whiskers box = whiskers_of(m);

	if (!mark_count(m)) {
		if (!w->fig->kind->lanes)
			break_curve(w);
		return;
	}
	gnuplot_put_numbers(w,
	    (double[]){ w->l->at[i], value_at(w, m, mark_median(m)), (double)mark_count(m),
	        value_at(w, m, s->min), value_at(w, m, s->max), value_at(w, m, box.q1),
	        value_at(w, m, box.q3), value_at(w, m, box.lo), value_at(w, m, box.hi), 1 },
	    !w->fig->kind->lanes && is_alone(w->fig, i) ? 10 : 9);
}

/* Writes the interval of a mark. A mark with too few values has none, which interrupts a
 * ribbon. An interval of a ratio without one of its ends reaches to the end of the axis. */
static void put_interval(struct gnuplot_writer *w, size_t i)
{
	const struct mark *m = &w->fig->mark[i];
	const struct summary *s = &m->s;
	double lo = value_at(w, m, s->ci_lo), hi = value_at(w, m, s->ci_hi);

	if (w->fig->kind->around_one && isfinite(lo) != isfinite(hi)) {
		lo = isfinite(lo) ? lo : w->l->value.from;
		hi = isfinite(hi) ? hi : w->l->value.to;
	}
	if (isfinite(lo) && isfinite(hi))
		gnuplot_put_numbers(
		    w, (double[]){ w->l->at[i], value_at(w, m, s->median), lo, hi }, 4);
	else if (!w->fig->kind->lanes)
		break_curve(w);
}

/* Points and intervals in each decade of 1 / (1 - q). */
enum { QUANTILES_PER_DECADE = 48, BANDS_PER_DECADE = 12 };

/* Returns the x of a point in the tail of a mark, from the median to the quantile that one
 * value exceeds. */
static double tail_x(const struct mark *m, size_t point, int per_decade)
{
	return fmin(
	    2 * pow(10, (double)point / per_decade), fmax(2, (double)mark_count(m)));
}

static struct bounded quantile_of(const struct mark *m, double p)
{
	if (!m->limits)
		return (struct bounded){ stats_quantile(m->value, m->n, p), false };
	return censored_quantile(
	    &(struct censored){ m->value, m->n, m->limit, m->limits }, p);
}

/*
 * Writes the quantiles of a mark, up to the first that is above a limit. If `beyond`,
 * writes only that one. The largest value follows at its plotting position 1 - 1/2n (Hazen
 * 1914), because the quantile 1 - 1/n is near the second largest.
 */
static void put_tail(struct gnuplot_writer *w, size_t i, bool beyond)
{
	const struct mark *m = &w->fig->mark[i];
	double x = 0, most = (double)mark_count(m);
	bool last = false;

	for (size_t k = 0; most > 0 && !last; k++) {
		struct bounded q;

		last = x >= most;
		x = last ? 2 * most : tail_x(m, k, QUANTILES_PER_DECADE);
		q = quantile_of(m, last ? 1 : 1 - 1 / x);
		if (q.above == beyond)
			gnuplot_put_numbers(w, (double[]){ x, value_at(w, m, q.at) }, 2);
		if (q.above)
			return;
		last = last || (x >= most && most < 2);
	}
}

static void put_quantiles(struct gnuplot_writer *w, size_t i)
{
	put_tail(w, i, false);
}

/* Returns whether a mark has only one quantile, for which no line is visible. */
static bool is_single(const struct mark *m)
{
	return mark_count(m) < 2;
}

static void put_single(struct gnuplot_writer *w, size_t i)
{
	if (is_single(&w->fig->mark[i]))
		put_tail(w, i, false);
}

static void put_singles(struct gnuplot_writer *w)
{
	bool any = false;

	for (size_t i = 0; i < w->fig->marks; i++)
		any = any || is_single(&w->fig->mark[i]);
	gnuplot_put_block(w, "singles", "1/(1-q) value", put_single);
	buf_printf(&w->commands, "single_series = %zu\n", any ? w->l->series_count : 0);
}

/* Writes the intervals of the quantiles of a mark; where one has none, the band has a gap.
 */
static void put_band(struct gnuplot_writer *w, size_t i)
{
	const struct mark *m = &w->fig->mark[i];
	double x = 0, most = (double)mark_count(m);
	bool drawn = false;

	for (size_t k = 0; x < most; k++) {
		struct quantile_interval own;

		x = tail_x(m, k, BANDS_PER_DECADE);
		own = quantile_series_interval(m->ordered, 1 - 1 / x, w->fig->confidence);
		if (isfinite(own.lo) && isfinite(own.hi))
			gnuplot_put_numbers(w,
			    (double[]){ x, value_at(w, m, quantile_of(m, 1 - 1 / x).at),
			        value_at(w, m, own.lo), value_at(w, m, own.hi) },
			    4);
		else if (drawn)
			buf_byte(&w->commands, '\n');
		drawn = isfinite(own.lo) && isfinite(own.hi);
	}
}

/* Writes outliers; those that would be drawn in the same place are written once. */
static void put_outliers(struct gnuplot_writer *w, size_t i)
{
	const struct mark *m = &w->fig->mark[i];
	struct whiskers box = whiskers_of(m);
	double last = -INFINITY;

	for (size_t k = 0; k < m->n; k++) {
		double value = m->value[k] / w->l->unit.size,
		       place = axis_place(&w->l->value, value);

		if ((k >= box.first && k < box.last) || place - last < 1e-3)
			continue;
		gnuplot_put_numbers(w, (double[]){ w->l->at[i], value }, 2);
		last = place;
	}
}

static void put_bins(struct gnuplot_writer *w, size_t i)
{
	const struct bins *bins = &w->l->bins;
	size_t *count = bins_count(bins, &w->fig->mark[i]);
	double u = w->l->unit.size;

	for (size_t k = 0; k < bins->count; k++)
		if (count[k])
			gnuplot_put_numbers(w,
			    (double[]){ w->l->at[i], bins_edge(bins, k) / u,
			        bins_edge(bins, k + 1) / u, (double)count[k] },
			    4);
	free(count);
}

/*
 * Writes a histogram in characters: each column of the terminal shows the bin that it
 * begins in, as a pile of full rows (8 eighths) and a partial row on top.
 */
static void put_bin_rows(struct gnuplot_writer *w, size_t i)
{
	const struct layout *l = w->l;
	const struct bins *bins = &l->bins;
	size_t *count = bins_count(bins, &w->fig->mark[i]);
	double columns = l->right - l->left, first = bins_edge(bins, 0),
	       end = bins_edge(bins, bins->count);

	for (double c = 0; c < columns; c++) {
		double value = axis_value(&l->value, c / columns),
		       raw = value * l->unit.size, eighths;

		if (raw < first || raw >= end)
			continue;
		eighths = (double)count[bins_find(bins, raw)] / (double)l->peak * 8 *
		          (l->lane_pitch - 1);
		eighths = ceil(eighths - 1e-9);
		for (double up = 0; eighths > 0; up++, eighths -= 8)
			gnuplot_put_numbers(
			    w, (double[]){ l->at[i] - up, value, fmin(eighths, 8) }, 3);
	}
	free(count);
}

enum { DOTS_MAX = 2400, SWARM = 7 };

/* Returns the end of the values of a mark, from `from` on, that lie within one width. */
static size_t swarm_end(
    const struct gnuplot_writer *w, const struct mark *m, size_t from, double width)
{
	const struct axis *axis = &w->l->value;
	double u = w->l->unit.size,
	       cell = floor(axis_place(axis, m->value[from] / u) / width);
	size_t end = from + 1;

	while (end < m->n && floor(axis_place(axis, m->value[end] / u) / width) == cell)
		end++;
	return end;
}

/*
 * Returns the width of the cells of a strip, as a fraction of the axis, for which a plot
 * with at most SWARM dots in each cell has at most DOTS_MAX dots.
 */
static double swarm_width(const struct gnuplot_writer *w)
{
	double width = 1 / ((w->l->right - w->l->left) / (w->look->format->text ? 1 : 4));

	for (;; width *= 2) {
		size_t dots = 0;

		for (size_t i = 0; i < w->fig->marks; i++) {
			const struct mark *m = &w->fig->mark[i];

			for (size_t k = 0, end; k < m->n; k = end) {
				end = swarm_end(w, m, k, width);
				dots += end - k < SWARM ? end - k : SWARM;
			}
		}
		if (dots <= DOTS_MAX || width > 1)
			return width;
	}
}

/*
 * Writes the dots of a mark. Dots that would overlap are spread across the lane from its
 * middle; dots without room are dropped, but never the last, which may be the extreme.
 */
static void put_dots(struct gnuplot_writer *w, size_t i)
{
	const struct mark *m = &w->fig->mark[i];
	double u = w->l->unit.size;

	for (size_t k = 0, end; k < m->n; k = end) {
		end = swarm_end(w, m, k, w->swarm);
		size_t shown = end - k < SWARM ? end - k : SWARM;

		for (size_t d = 0; d < shown; d++) {
			size_t at = d + 1 == shown ? end - 1 : k + d;
			double away = (double)((d + 1) / 2) / (SWARM + 1) * 0.8;

			gnuplot_put_numbers(w,
			    (double[]){ w->l->at[i] + (d % 2 ? -away : away),
			        m->value[at] / u, (double)(end - k) },
			    3);
			if (w->look->format->text)
				break;
		}
	}
}

/* The distribution of a mark, from value to value. */
struct climb {
	size_t done;  /* values so far */
	size_t below; /* limits below the last of them */
	double share; /* the fraction of all values that are not larger than this value */
};

/* Takes all values that equal the next one. A timeout counts among the larger values up to
 * its limit, and is unknown beyond it, by the estimate of Kaplan and Meier that
 * stats/censored.h cites. */
static void climb_step(struct climb *c, const struct mark *m)
{
	double value = m->value[c->done];
	size_t all = mark_count(m), from = c->done;

	while (c->below < m->limits && m->limit[c->below] < value)
		c->below++;
	while (c->done < m->n && m->value[c->done] == value)
		c->done++;
	c->share = c->below ? 1 - (1 - c->share) * (1 - (double)(c->done - from) /
	                                                    (double)(all - from - c->below))
	                    : (double)c->done / (double)all;
}

/*
 * Writes the fraction of values that are not larger than each value; of the values within a
 * pixel only the first and last. With limits, the curve goes on to the largest of them. If
 * `beyond`, writes only the end of a curve that does not reach 1.
 */
static void put_climb(struct gnuplot_writer *w, size_t i, bool beyond)
{
	const struct mark *m = &w->fig->mark[i];
	double u = w->l->unit.size, room = w->l->right - w->l->left, drawn = -INFINITY;
	struct climb c = { 0 };

	if (m->n && !beyond)
		gnuplot_put_numbers(w, (double[]){ m->value[0] / u, 0 }, 2);
	while (c.done < m->n) {
		double value = m->value[c.done] / u,
		       column = floor(axis_place(&w->l->x, value) * room);

		climb_step(&c, m);
		bool last =
		    c.done == m->n ||
		    floor(axis_place(&w->l->x, m->value[c.done] / u) * room) != column;

		if (beyond || (column == drawn && !last))
			continue;
		gnuplot_put_numbers(w, (double[]){ value, c.share }, 2);
		drawn = column;
	}
	if (m->limits && c.share < 1)
		gnuplot_put_numbers(
		    w, (double[]){ m->limit[m->limits - 1] / u, c.share }, 2);
}

static void put_steps(struct gnuplot_writer *w, size_t i)
{
	put_climb(w, i, false);
}

/* Writes where values are beyond: each limit, or the bound of a median above one. */
static void put_beyond(struct gnuplot_writer *w, size_t i)
{
	const struct mark *m = &w->fig->mark[i];

	if (w->fig->kind->quantiles) {
		put_tail(w, i, true);
		return;
	}
	if (w->fig->kind->steps) {
		put_climb(w, i, true);
		return;
	}
	if (w->fig->kind->interval) {
		if (m->limits && isnan(m->s.median))
			gnuplot_put_numbers(w,
			    (double[]){ w->l->at[i], value_at(w, m, mark_median(m)) }, 2);
		return;
	}
	for (size_t k = 0; k < m->limits; k++)
		if (!k || m->limit[k] != m->limit[k - 1])
			gnuplot_put_numbers(
			    w, (double[]){ w->l->at[i], value_at(w, m, m->limit[k]) }, 2);
}

/* Returns the number of earlier series that also have no value at the x of a mark. */
static size_t gaps_below(const struct figure *fig, size_t i)
{
	size_t below = 0;

	for (size_t k = 0; k < i; k++)
		below += fig->mark[k].x == fig->mark[i].x && !mark_count(&fig->mark[k]);
	return below;
}

/* Returns the index of a series among those that are drawn. */
static size_t drawn_index(const struct layout *l, size_t series)
{
	size_t k = 0;

	while (k + 1 < l->series_count && l->series[k] != series)
		k++;
	return k;
}

/* Returns where a mark without values is drawn on the value axis: just above the x axis, or
 * above the bottom of its panel. Those of several series at one x lie above each other. */
static double gap_place(const struct gnuplot_writer *w, size_t i)
{
	const struct layout *l = w->l;
	const struct axis *a = &l->value;
	bool text = w->look->format->text;
	size_t panels = l->panels.count, below = panels ? 0 : gaps_below(w->fig, i);
	double up = l->row * ((text ? 1 : 0.4) + (text ? 1 : 0.7) * (double)below) /
	            (l->bottom - l->top);

	if (panels)
		up += (double)(panels - 1 - drawn_index(l, w->fig->mark[i].series)) /
		      (double)panels;
	return axis_value(a, up);
}

void gnuplot_put_gaps(struct gnuplot_writer *w)
{
	const struct figure *fig = w->fig;
	double *at = mem_zero(fig->marks, sizeof(*at)),
	       *place = mem_zero(fig->marks, sizeof(*place)),
	       *series = mem_zero(fig->marks, sizeof(*series));
	size_t gaps = 0;

	for (size_t i = 0; i < fig->marks; i++)
		if (!mark_count(&fig->mark[i])) {
			at[gaps] = w->l->at[i];
			place[gaps] = gap_place(w, i);
			series[gaps++] = (double)drawn_index(w->l, fig->mark[i].series) + 1;
		}
	gnuplot_set_numbers(w, "gap", at, gaps);
	gnuplot_set_numbers(w, "gap_at", place, gaps);
	gnuplot_set_numbers(w, "gap_series", series, gaps);
	free(at);
	free(place);
	free(series);
}

void gnuplot_put_marks(struct gnuplot_writer *w)
{
	const struct figure_kind *kind = w->fig->kind;

	gnuplot_put_block(w, "points",
	    "at median n min max q1 q3 whisker_lo whisker_hi; an index a series",
	    put_point);
	if (kind->interval)
		gnuplot_put_block(w, "intervals", "at median lo hi", put_interval);
	if (kind->limits) {
		gnuplot_put_block(w, "beyond", "at limit", put_beyond);
		buf_printf(&w->commands, "beyond_series = %zu\n",
		    w->fig->censored ? w->l->series_count : 0);
	}
	if (kind->outliers)
		gnuplot_put_block(w, "outliers", "at value", put_outliers);
	if (kind->dots) {
		w->swarm = swarm_width(w);
		gnuplot_put_block(w, "dots", "at value count", put_dots);
	}
	if (kind->steps)
		gnuplot_put_block(w, "steps", "value share", put_steps);
	if (kind->quantiles) {
		gnuplot_put_block(w, "quantiles", "1/(1-q) value", put_quantiles);
		put_singles(w);
		gnuplot_put_block(w, "bands", "1/(1-q) value lo hi", put_band);
	}
	if (kind->ratios)
		gnuplot_set_number(w, "ideal", w->fig->ideal);
	if (kind->bins) {
		gnuplot_put_block(w, "bins", "at from to count", put_bins);
		buf_printf(&w->commands, "peak = %zu\n", w->l->peak);
	}
	if (kind->bins && w->look->format->text)
		gnuplot_put_block(w, "cells", "row value eighths", put_bin_rows);
}
