/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the axes of a layout: range, unit, linear or logarithmic, and bins.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/layout_priv.h"
#include "stats/censored.h"
#include "stats/stats.h"

/* The ratios of the largest to the smallest value above which a value axis is logarithmic:
 * WIDE_SPAN of lanes and distributions, which would be invisible on a linear axis;
 * TAIL_SPAN of tails, and of lines along a logarithmic x; RATIO_SPAN of ratios around 1. */
enum { BINS_MAX = 100, WIDE_SPAN = 200, TAIL_SPAN = 20, RATIO_SPAN = 4 };
static const double SECONDS = 1e9; /* in ns */

/* Above LARGEST, or below its inverse on a logarithmic axis, doubles cannot hold
 * differences and ratios. Below LEAST, both ends of an axis are one to gnuplot. */
static const double LARGEST = 1e150, LEAST = 1e-300;

/* An arrow below a value has room down to this fraction of it. */
static const double ARROW_ROOM = 0.85;

/* A value axis begins at zero if the least value is less than this fraction of the
 * largest. */
static const double ZERO_BELOW = 0.4;

struct whiskers whiskers_of(const struct mark *m)
{
	const struct censored c = { m->value, m->n, m->limit, m->limits };
	struct whiskers w = { .q1 = censored_quantile(&c, 0.25).at,
		.q3 = censored_quantile(&c, 0.75).at,
		.last = m->n };

	if (m->below && m->limits)
		return (struct whiskers){ NAN, NAN, NAN, NAN, 0, m->n };

	double reach = 1.5 * (w.q3 - w.q1);

	while (w.first < m->n && m->value[w.first] < w.q1 - reach)
		w.first++;
	while (w.last > w.first && m->value[w.last - 1] > w.q3 + reach)
		w.last--;
	w.lo = m->n ? m->value[w.first] : w.q1;
	w.hi = m->n ? m->value[w.last - 1] : w.q3;
	if (m->limits)
		w.hi = fmax(w.hi, w.q3);
	return w;
}

size_t *bins_count(const struct bins *b, const struct mark *m)
{
	size_t *count = mem_zero(b->count, sizeof(*count));

	for (size_t i = 0; i < m->n; i++)
		count[bins_find(b, m->value[i])]++;
	return count;
}

enum { ALL = -1 };

/* Extends a range to a value; NAN is none. */
static void extend(double *lo, double *hi, double value)
{
	*lo = fmin(*lo, value);
	*hi = fmax(*hi, value);
}

/* Extends a range to sorted values. */
static void extend_to_all(double *lo, double *hi, const double *value, size_t count)
{
	if (!count)
		return;
	extend(lo, hi, value[0]);
	extend(lo, hi, value[count - 1]);
}

/* Extends a range to the values of a mark from the interval of its median up. */
static void extend_to_tail(
    double *lo, double *hi, const struct figure *fig, const struct mark *m)
{
	*lo = fmin(*lo, quantile_series_interval(m->ordered, 0.5, fig->confidence).lo);
	if (m->n)
		*hi = fmax(*hi, m->value[m->n - 1]);
	if (m->limits)
		*hi = fmax(*hi, m->limit[m->limits - 1]);
}

/* Computes the smallest and the largest value of one series, or of ALL, that is drawn along
 * the value axis. */
static void extent(const struct figure *fig, size_t series, double *lo, double *hi)
{
	const struct figure_kind *kind = fig->kind;
	const bool all = kind->outliers || kind->bins || kind->dots || kind->steps;

	*lo = INFINITY;
	*hi = -INFINITY;
	for (size_t i = 0; i < fig->marks; i++) {
		const struct mark *m = &fig->mark[i];

		if (!mark_count(m) || (series != (size_t)ALL && m->series != series))
			continue;
		if (all) {
			extend_to_all(lo, hi, m->value, m->n);
			extend_to_all(lo, hi, m->limit, m->limits);
			if (m->limits)
				*lo = fmin(*lo, m->s.min);
		} else {
			extend(lo, hi, mark_median(m));
			*lo = fmin(*lo, m->s.ci_lo);
			*hi = fmax(*hi, m->s.ci_hi);
		}
		if (kind->quantiles)
			extend_to_tail(lo, hi, fig, m);
		extend(lo, hi, figure_growth_at(fig, m->series, m->x));
		if (m->below && isnan(m->s.median))
			*lo = fmin(*lo, mark_median(m) * ARROW_ROOM);
		if (fig->ideal > 0)
			*hi = fmax(*hi, fig->ideal * m->x);
	}
}

/* Returns the width of the bins of a mark alone, of logarithms if logarithmic. */
static double width_for(const struct mark *m, bool logarithmic)
{
	double *value = mem_zero(m->n, sizeof(*value)), width;

	for (size_t i = 0; i < m->n; i++)
		value[i] = logarithmic ? log10(m->value[i]) : m->value[i];
	width = bins_width(value, m->n);
	free(value);
	return width;
}

/* Chooses bins from lo to hi, at most this many, and sets both to the ends of the bins. */
static void choose_bins(struct layout *l, const struct figure *fig, bool logarithmic,
    double *lo, double *hi, size_t most)
{
	double from = logarithmic ? log10(*lo) : *lo, to = logarithmic ? log10(*hi) : *hi,
	       width = INFINITY;

	for (size_t i = 0; i < fig->marks; i++) {
		double own = width_for(&fig->mark[i], logarithmic);

		width = own > 0 ? fmin(width, own) : width;
	}
	l->bins = bins_cover(from, to, isfinite(width) ? width : to - from,
	    most < BINS_MAX ? most : BINS_MAX);
	l->bins.log = logarithmic;
	*lo = bins_edge(&l->bins, 0);
	*hi = bins_edge(&l->bins, l->bins.count);
	for (size_t i = 0; i < fig->marks; i++) {
		size_t *count = bins_count(&l->bins, &fig->mark[i]);

		for (size_t k = 0; k < l->bins.count; k++)
			l->peak = count[k] > l->peak ? count[k] : l->peak;
		free(count);
	}
}

/*
 * Over many decades, names each tic in its own unit: 10 ms, 100 ms, 1 s. Bytes keep one
 * unit, because a thousand bytes is not a round number of KiB.
 */
static void name_decades(struct layout *l, const struct figure *fig, bool utf8)
{
	if (strcmp(fig->unit, "B") == 0)
		return;
	for (size_t i = 0; i < l->value.tics; i++) {
		struct tic *t = &l->value.tic[i];
		double raw = t->at * l->unit.size;
		struct axis_unit u = axis_unit_for(strcmp(fig->unit, "ns") == 0
		                                       ? fmin(raw * (1 + 1e-9), SECONDS)
		                                       : raw * (1 + 1e-9),
		    fig->unit, utf8);

		snprintf(t->text, sizeof(t->text), "%.6g%s%s", raw / u.size,
		    u.text[0] ? " " : "", u.text);
	}
	l->unit.text[0] = '\0';
}

/*
 * Returns the unit of a logarithmic axis, whose tics are at powers of ten of it: not
 * minutes, 0.1 of which is 6 s, and the base unit for numbers without one, so that 1 can
 * have a tic.
 */
static double log_unit(const struct layout *l, const struct figure *fig)
{
	if (strcmp(fig->unit, "ns") == 0)
		return fmin(l->unit.size, SECONDS);
	return fig->unit[0] && strcmp(fig->unit, "1") != 0 ? l->unit.size : 1;
}

/* Names the tics of ratios by the change in percent: "-50%", "0%", "+100%". */
static void name_percents(struct axis *a)
{
	for (size_t i = 0; i < a->tics; i++) {
		double percent = (a->tic[i].at - 1) * 100;

		snprintf(a->tic[i].text, sizeof(a->tic[i].text),
		    fabs(percent) < 1e-9 ? "0%%" : "%+.6g%%", percent);
	}
}

static int check_range(
    const char *name, double lo, double hi, bool logarithmic, struct fault *f)
{
	double size = fmax(fabs(lo), fabs(hi));

	if (size > LARGEST || (size > 0 && size < LEAST) ||
	    (logarithmic && lo < 1 / LARGEST))
		return fault_set(f,
		    "%s from %g to %g cannot be drawn: the numbers are too large or too "
		    "small for an axis",
		    name, lo, hi);
	return 0;
}

/* Checks whether a value axis can show a range. Returns 0, or -1 and the message. */
static int check_values(
    const struct figure *fig, double lo, double hi, bool logarithmic, struct fault *f)
{
	if (logarithmic && lo <= 0)
		return fault_set(f,
		    "a logarithmic axis cannot show %s, because a value is not above 0",
		    fig->metric);
	return check_range(fig->metric, lo, hi, logarithmic, f);
}

/* Returns whether a value axis from lo to hi is logarithmic. */
static bool is_logarithmic(const struct layout *l, const struct figure *fig,
    const struct canvas *c, double lo, double hi)
{
	const struct figure_kind *kind = fig->kind;

	if (c->log_y != LOG_AUTO || lo <= 0)
		return c->log_y == LOG_YES;
	if ((l->x.log || kind->tails) && (hi / lo > TAIL_SPAN || kind->ratios))
		return true;
	if (kind->around_one && hi / lo > RATIO_SPAN)
		return true;
	return (kind->from_zero || kind->outliers || kind->dots || kind->steps ||
	           kind->bins) &&
	       hi / lo > WIDE_SPAN;
}

/* Sets the ends of the value axis: those of all values, of the limit that is drawn, and
 * those that the kind includes. */
static void value_range(const struct figure *fig, double *lo, double *hi)
{
	extent(fig, (size_t)ALL, lo, hi);
	extend(lo, hi, fig->limit);
	if (fig->kind->around_one)
		extend(lo, hi, 1);
}

int layout_value_axis(struct layout *l, const struct figure *fig, const struct canvas *c,
    double length, double tic_room, struct fault *f)
{
	const struct figure_kind *kind = fig->kind;
	double lo, hi;
	bool logarithmic, to_zero;
	size_t want = (size_t)fmax(2, length / tic_room);

	value_range(fig, &lo, &hi);
	logarithmic = is_logarithmic(l, fig, c, lo, hi);
	if (check_values(fig, lo, hi, logarithmic, f) < 0)
		return -1;
	l->unit = axis_unit_for(fmax(fabs(lo), fabs(hi)), fig->unit, c->utf8);
	if (kind->bins)
		choose_bins(l, fig, logarithmic, &lo, &hi,
		    (size_t)fmax(8, length / (c->text ? 1 : 4)));
	to_zero = kind->from_zero || (lo > 0 && lo < ZERO_BELOW * hi);
	if (logarithmic) {
		l->unit.size = log_unit(l, fig);
		l->value = axis_log(lo / l->unit.size, hi / l->unit.size);
		name_decades(l, fig, c->utf8);
	} else {
		l->value = axis_linear(lo / l->unit.size, hi / l->unit.size,
		    to_zero && !kind->around_one, want);
	}
	if (kind->around_one)
		name_percents(&l->value);
	return 0;
}

int layout_panel_axis(struct layout *l, const struct figure *fig, const struct canvas *c,
    size_t panel, double rows, struct fault *f)
{
	struct axis *axis = &l->panels.axis[panel];
	double lo, hi, size;
	bool logarithmic = c->log_y == LOG_YES;

	extent(fig, l->series[panel], &lo, &hi);
	if (check_values(fig, lo, hi, logarithmic, f) < 0)
		return -1;
	l->panels.unit[panel] = axis_unit_for(fmax(fabs(lo), fabs(hi)), fig->unit, c->utf8);
	size = l->panels.unit[panel].size;
	*axis = logarithmic
	            ? axis_log(lo / size, hi / size)
	            : axis_linear(lo / size, hi / size, lo > 0 && lo < ZERO_BELOW * hi,
	                  (size_t)fmax(2, rows / 1.6));
	return 0;
}

/* Places tics with the names of categories, as many as fit. */
static void name_places(struct layout *l, const struct figure *fig)
{
	size_t cap = 0, count = fig->x_text.count;
	double columns = (l->right - l->left) / l->column, end = -4;

	l->x = (struct axis){ .from = -0.5, .to = (double)count - 0.5 };
	for (size_t i = 0; i < count; i++) {
		double half = (double)strlen(fig->x_text.text[i]) / 2 + 1,
		       middle = ((double)i + 0.5) / (double)count * columns;
		struct tic *t;

		if (middle - half < end || middle + half > columns + 3)
			continue;
		end = middle + half;
		t = VEC_ADD(l->x.tic, l->x.tics, cap);
		*t = (struct tic){ .at = (double)i };
		snprintf(t->text, sizeof(t->text), "%.60s", fig->x_text.text[i]);
	}
}

/* Places tics at round times over the whole range. */
static void time_places(struct layout *l, const struct figure *fig)
{
	double lo = INFINITY, hi = -INFINITY, columns = (l->right - l->left) / l->column;

	for (size_t i = 0; i < fig->marks; i++) {
		lo = fmin(lo, fig->mark[i].x);
		hi = fmax(hi, fig->mark[i].x);
	}
	lo = fmin(lo, fig->x_lo);
	hi = fmax(hi, fig->x_hi);
	l->x = axis_time(lo, hi, (size_t)fmax(2, columns / 13));
	free(l->x_label);
	l->x_label = axis_time_label(&l->x, lo);
}

/* Returns the different numbers x of the marks, sorted; allocated. */
static double *distinct_x(const struct figure *fig, size_t *count)
{
	double *x = mem_zero(fig->marks, sizeof(*x));
	size_t n = 0;

	for (size_t i = 0; i < fig->marks; i++)
		x[i] = fig->mark[i].x;
	stats_sort(x, fig->marks);
	for (size_t i = 0; i < fig->marks; i++)
		if (!n || x[i] != x[n - 1])
			x[n++] = x[i];
	*count = n;
	return x;
}

static bool is_logarithmic_x(
    const struct figure *fig, const struct canvas *c, const double *x, size_t n)
{
	if (c->log_x != LOG_AUTO)
		return c->log_x == LOG_YES;
	return fig->thinned ? fig->geometric_x : axis_geometric(x, n);
}

/* Places tics at numbers: at the sorted x themselves if they are few. Returns 0, or -1 and
 * the message. */
static int number_places(struct layout *l, const struct figure *fig, bool logarithmic,
    const double *x, size_t n, struct fault *f)
{
	enum { FEW = 16 };
	const double columns = (l->right - l->left) / l->column;

	if (logarithmic && x[0] <= 0)
		return fault_set(
		    f, "a logarithmic axis cannot show %s=%g", fig->x_name, x[0]);
	if (check_range(fig->x_name, x[0], x[n - 1], logarithmic, f) < 0)
		return -1;
	l->x = logarithmic
	           ? axis_log(x[0], x[n - 1])
	           : axis_linear(x[0], x[n - 1], false, (size_t)fmax(2, columns / 9));
	for (struct tic *t = l->x.tic; t < l->x.tic + l->x.tics; t++)
		if (fabs(t->at) >= 1e4)
			axis_number(t->text, sizeof(t->text), t->at);
	if (n <= FEW)
		axis_tics_at(&l->x, x, n, (size_t)columns);
	return 0;
}

int layout_x_axis(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	if (fig->x_form == X_TIME) {
		time_places(l, fig);
		return 0;
	}
	if (fig->x_form == X_NAMES) {
		name_places(l, fig);
		return 0;
	}
	size_t n;
	double *x = distinct_x(fig, &n);
	const int status = number_places(l, fig, is_logarithmic_x(fig, c, x, n), x, n, f);

	free(x);
	return status;
}

double layout_canvas_x(const struct layout *l, double x)
{
	return l->left + axis_place(&l->x, x) * (l->right - l->left);
}

double layout_canvas_y(const struct layout *l, double position)
{
	return l->bottom - axis_place(&l->value, position) * (l->bottom - l->top);
}
