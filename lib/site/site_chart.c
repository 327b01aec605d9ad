/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws series as SVG; see site_chart.h. */
#include <math.h>
#include <stdlib.h>

#include "report/html.h"
#include "site/site_chart.h"
#include "site/site_text.h"
#include "stats/stats.h"

enum { WIDTH = 960, HEIGHT = 320, LEFT = 84, RIGHT = 12, TOP = 14, BOTTOM = 34 };
enum { SPARK_WIDTH = 120, SPARK_HEIGHT = 28, SPARK_LEVELS = 36, TICKS = 5, DATES = 5 };
enum { BINS = 24, BIN_WIDTH = 8, BIN_HEIGHT = 40 };

void site_spark(char out[SITE_SPARK + 1], const struct site_series *s)
{
	static const char digit[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	size_t count = s->points < SITE_SPARK ? s->points : SITE_SPARK;
	double value[SITE_SPARK], least = HUGE_VAL, most = -HUGE_VAL;

	/* Each value is the mean of as many points. */
	for (size_t i = 0; i < count; i++) {
		size_t from = i * s->points / count, to = (i + 1) * s->points / count;

		value[i] = 0;
		for (size_t k = from; k < to; k++)
			value[i] += s->point[k].value / (double)(to - from);
		least = fmin(least, value[i]);
		most = fmax(most, value[i]);
	}
	for (size_t i = 0; i < count; i++)
		out[i] = digit[most > least ? (size_t)((value[i] - least) / (most - least) *
		                                           (SPARK_LEVELS - 1) +
		                                       0.5)
		                            : SPARK_LEVELS / 2];
	out[count] = '\0';
}

void site_put_spark(struct buf *b, const char *level)
{
	size_t count = strlen(level);

	buf_printf(b,
	    "<svg class=\"spark\" viewBox=\"0 0 %d %d\" aria-hidden=\"true\"><path d=\"M",
	    SPARK_WIDTH, SPARK_HEIGHT);
	for (size_t i = 0; i < count; i++) {
		int at = level[i] <= '9' ? level[i] - '0' : level[i] - 'a' + 10;

		buf_printf(b, "%s%zu %d", i ? " " : "",
		    count > 1 ? 2 + i * (SPARK_WIDTH - 4) / (count - 1) : SPARK_WIDTH / 2,
		    SPARK_HEIGHT - 3 - at * (SPARK_HEIGHT - 6) / (SPARK_LEVELS - 1));
	}
	buf_str(b, count == 1 ? "h1\"/></svg>" : "\"/></svg>");
}

/* The scales of a chart. */
struct site_scale {
	size_t first, last; /* places */
	double least, most; /* values */
};

static int x_of(const struct site_scale *s, size_t place)
{
	size_t span = s->last > s->first ? s->last - s->first : 1;

	return LEFT + (int)((place - s->first) * (WIDTH - LEFT - RIGHT) / span);
}

static int y_of(const struct site_scale *s, double value)
{
	double part = (value - s->least) / (s->most - s->least);

	return TOP + (int)lround((1 - fmin(fmax(part, 0), 1)) * (HEIGHT - TOP - BOTTOM));
}

/* Returns a step of 1, 2 or 5 times a power of ten that gives at most TICKS steps. */
static double step_of(double span)
{
	static const double times[] = { 1, 2, 5, 10 };
	double power = pow(10, floor(log10(span / TICKS)));

	for (size_t i = 0; i < COUNT(times); i++)
		if (span / (times[i] * power) <= TICKS)
			return times[i] * power;
	return 10 * power;
}

static struct site_scale scale_of(const struct site_model *m, const struct site_page *p)
{
	struct site_scale s = { SIZE_MAX, 0, HUGE_VAL, -HUGE_VAL };
	double margin;

	for (size_t i = 0; i < p->count && i < SITE_CHART_SERIES; i++) {
		const struct site_series *series = &m->series[p->first + i];

		for (size_t k = 0; k < series->points; k++) {
			const struct site_point *at = &series->point[k];

			s.first = at->place < s.first ? at->place : s.first;
			s.last = at->place > s.last ? at->place : s.last;
			s.least = fmin(s.least, at->value);
			s.most = fmax(s.most, at->value);
		}
		for (size_t k = 0; k < series->gaps; k++) {
			size_t place = series->point[series->points + k].place;

			s.first = place < s.first ? place : s.first;
			s.last = place > s.last ? place : s.last;
		}
	}
	margin = (s.most - s.least) * 0.06;
	if (!(margin > 0))
		margin = s.most != 0 ? fabs(s.most) * 0.05 : 1;
	s.least -= margin;
	s.most += margin;
	return s;
}

static void put_axes(
    struct buf *b, const struct site_model *m, const struct site_scale *s, struct text unit)
{
	double step = step_of(s->most - s->least);
	size_t span = s->last - s->first, dates = span < DATES - 1 ? span : DATES - 1;

	for (double v = ceil(s->least / step) * step; v <= s->most; v += step) {
		int y = y_of(s, v);

		buf_printf(b,
		    "<path class=\"grid\" d=\"M%d %dH%d\"/><text x=\"%d\" y=\"%d\" "
		    "class=\"end\">",
		    LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4);
		site_put_value(b, fabs(v) < step / 1e6 ? 0 : v, unit);
		buf_str(b, "</text>");
	}
	for (size_t i = 0; i <= dates; i++) {
		size_t place = s->first + (dates ? span * i / dates : 0);

		buf_printf(b, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x_of(s, place),
		    HEIGHT - 10,
		    i == dates && dates ? "end"
		    : i                 ? "middle"
		                        : "start");
		if (m->order)
			html_commit_name(b, m->place[place].commit);
		else
			site_put_date(b, m->place[place].at);
		buf_str(b, "</text>");
	}
}

static int at_place(const void *a, const void *b)
{
	const struct site_point *const *x = a, *const *y = b;

	return ((*x)->place > (*y)->place) - ((*x)->place < (*y)->place);
}

static void put_line(struct buf *b, const struct site_series *s,
    const struct site_scale *scale, size_t color)
{
	const struct site_point **point = mem_zero(s->points, sizeof(*point));
	bool sorted = true;

	for (size_t i = 0; i < s->points; i++) {
		point[i] = &s->point[i];
		sorted = sorted && (!i || point[i]->place >= point[i - 1]->place);
	}
	if (!sorted)
		qsort(point, s->points, sizeof(*point), at_place);
	buf_printf(b, "<path class=\"line s%zu\" d=\"M", color);
	for (size_t i = 0, gap = 0, part = 0; i < s->points; i++) {
		bool ends = i + 1 == s->points;

		while (gap < s->gaps && s->point[s->points + gap].place < point[i]->place)
			gap++;
		site_js_integer(b, x_of(scale, point[i]->place));
		buf_byte(b, ' ');
		site_js_integer(b, y_of(scale, point[i]->value));
		ends = ends || (gap < s->gaps &&
		                   s->point[s->points + gap].place < point[i + 1]->place);
		part++;
		if (ends && part == 1)
			buf_str(b, "h2");
		if (ends)
			part = 0;
		if (i + 1 < s->points)
			buf_byte(b, ends ? 'M' : ' ');
	}
	buf_str(b, "\"/>");
	free(point);
}

/* Returns whether a series has no value at a place at which it was run. */
static bool has_gap(const struct site_series *s, uint32_t place)
{
	for (size_t i = 0; i < s->gaps; i++)
		if (s->point[s->points + i].place == place)
			return true;
	return false;
}

/* Appends a cross on the axis for each place at which the last series has no value. Those
 * of several series lie above each other. */
static void put_gaps(struct buf *b, const struct site_series *first, size_t last,
    const struct site_scale *scale)
{
	const struct site_series *s = first + last;

	if (!s->gaps)
		return;
	buf_printf(b, "<path class=\"gap s%zu\" d=\"", last);
	for (size_t i = 0; i < s->gaps; i++) {
		uint32_t place = s->point[s->points + i].place;
		int y = HEIGHT - BOTTOM - 8;

		for (size_t k = 0; k < last; k++)
			y -= has_gap(first + k, place) ? 10 : 0;
		buf_printf(b, "M%d %dl8 8m0-8l-8 8", x_of(scale, place) - 4, y);
	}
	buf_str(b, "\"/>");
}

/* Appends the noise floor about each level of a series without a drift. */
static void put_band(
    struct buf *b, const struct site_series *s, const struct site_scale *scale)
{
	double *x = mem_zero(s->points, sizeof(*x));

	for (size_t i = 0; i <= s->changes && isfinite(s->floor); i++) {
		size_t from = i ? s->change[i - 1].change.at : 0;
		size_t to = i < s->changes ? s->change[i].change.at : s->points;
		double level;

		if (s->changes && s->change[0].drift)
			break;
		for (size_t k = from; k < to; k++)
			x[k - from] = s->point[k].value;
		stats_sort(x, to - from);
		level = stats_quantile(x, to - from, 0.5);
		buf_printf(b, "<path class=\"band\" d=\"M%d %dH%dV%dH%dz\"/>",
		    x_of(scale, s->point[from].place), y_of(scale, level * (1 + s->floor)),
		    x_of(scale, s->point[to - 1].place),
		    y_of(scale, level / (1 + s->floor)), x_of(scale, s->point[from].place));
	}
	free(x);
}

static void put_marks(
    struct buf *b, const struct site_series *s, const struct site_scale *scale)
{
	for (size_t i = 0; i < s->changes; i++) {
		const struct site_change *c = &s->change[i];
		int x = x_of(scale, s->point[c->change.at].place);

		if (c->drift)
			continue;
		buf_printf(b,
		    "<g class=\"mark %s\"><path d=\"M%d %dV%d\"/><path class=\"tip\" "
		    "d=\"M%d %dl-5-9h10z\"/></g>",
		    site_verdict_names[c->verdict], x, TOP, HEIGHT - BOTTOM, x, TOP + 4);
	}
}

void site_put_chart(struct buf *b, const struct site_model *m, const struct site_page *p)
{
	const struct site_series *first = &m->series[p->first];
	struct site_scale scale = scale_of(m, p);
	size_t count = p->count < SITE_CHART_SERIES ? p->count : SITE_CHART_SERIES;

	buf_printf(b,
	    "<svg class=\"chart\" viewBox=\"0 0 %d %d\" role=\"img\" "
	    "aria-label=\"History; the values are in the table below\">",
	    WIDTH, HEIGHT);
	put_axes(b, m, &scale, first->name[SITE_UNIT]);
	for (size_t i = 0; i < count; i++) {
		const struct site_series *s = first + i;

		if (count == 1)
			put_band(b, s, &scale);
		put_line(b, s, &scale, i);
		put_gaps(b, first, i, &scale);
		put_marks(b, s, &scale);
	}
	buf_str(b, "</svg>\n");
}

void site_put_histogram(struct buf *b, const double *sorted, size_t n)
{
	size_t count[BINS] = { 0 }, most = 0;
	double span = sorted[n - 1] - sorted[0];

	for (size_t i = 0; i < n; i++) {
		size_t bin =
		    span > 0 ? (size_t)((sorted[i] - sorted[0]) / span * BINS) : BINS / 2;

		bin = bin < BINS ? bin : BINS - 1;
		count[bin]++;
		most = count[bin] > most ? count[bin] : most;
	}
	buf_printf(b,
	    "<svg class=\"histogram\" viewBox=\"0 0 %d %d\" aria-hidden=\"true\"><path "
	    "d=\"",
	    BINS * BIN_WIDTH, BIN_HEIGHT);
	for (size_t i = 0; i < BINS; i++) {
		size_t height = count[i] * (BIN_HEIGHT - 2) / most;

		if (count[i])
			buf_printf(b, "M%zu %dv-%zuh%dv%zuz", i * BIN_WIDTH, BIN_HEIGHT,
			    height ? height : 1, BIN_WIDTH - 1, height ? height : 1);
	}
	buf_str(b, "\"/></svg>");
}
