/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a figure of time series: each metric is a panel, each subject a series and each
 * sample a curve, along the time since the sample began.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure_timeline.h"
#include "figure/group_labels.h"
#include "figure/points.h"
#include "text/display_text.h"
#include "text/plural.h"

enum { PANELS_MAX = 6, POINTS_MAX = 12000 };

/* The preferred metrics, from top to bottom. */
static const char *const preferred[] = { "rss", "cpu_utilisation", "power", "gpu_power",
	"gpu_utilisation", "gpu_memory", "read_rate", "write_rate" };

struct timeline_metric {
	char *unit;
	bool busy;   /* a value is not 0 */
	bool placed; /* it has a panel, or is known to have none */
};

struct timeline {
	const struct figure_kind *kind;
	const struct figure_opts *opts;
	struct groups *subjects; /* without metric, process and sample */
	struct groups *curves;   /* groups of points */
	struct groups *failed;   /* samples, without metric */
	size_t *subject;         /* of each curve */
	size_t *metric_of;       /* number of the metric of each curve */
	size_t curves_known, cap, metric_of_cap;
	struct intern names; /* of metrics */
	struct timeline_metric *metric;
	size_t metrics, metric_cap;
	struct points *points;
};

static void *timeline_open(const struct figure_kind *kind, const struct schema *schema,
    const struct figure_opts *opts)
{
	static const char *const metric[] = { "metric", "unit" };
	static const char *const sample[] = { "run", "process", "sample" };
	struct timeline *t = mem_zero(1, sizeof(*t));

	t->kind = kind;
	t->opts = opts;
	t->subjects =
	    groups_open(schema, &(struct group_by){ .except = metric, .excepts = 2 });
	t->curves = groups_open(schema, &(struct group_by){ .also = sample, .alsos = 3 });
	t->failed = groups_open(
	    schema, &(struct group_by){
	                .except = metric, .excepts = 2, .also = sample, .alsos = 3 });
	t->points = points_open();
	return t;
}

/* Finds or adds the metric of a row, which has one unit. Returns its number, or -1 and the
 * message. */
static long metric_number(struct timeline *t, const struct row *row, struct fault *f)
{
	struct text name = row->cell[COL_METRIC], unit = row->cell[COL_UNIT];
	size_t number = intern_add(&t->names, name);

	if (number == t->metrics)
		*VEC_ADD(t->metric, t->metrics, t->metric_cap) =
		    (struct timeline_metric){ .unit = mem_text(unit.ptr, unit.len) };
	if (text_is(unit, t->metric[number].unit))
		return (long)number;
	return fault_set(f,
	    "metric %.*s has two units, '%s' and '%.*s', and one axis cannot show both",
	    (int)name.len, name.ptr, t->metric[number].unit, (int)unit.len, unit.ptr);
}

static int timeline_row(void *ctx, const struct row *row, struct fault *f)
{
	struct timeline *t = ctx;
	size_t curve;
	long metric;

	if (row->t == ROW_NONE || (row->sample < 0 && row->sample != ROW_NONE))
		return 0;
	if (!row->ok || !row->has_value) {
		if (!row->ok)
			groups_find(t->failed, row);
		return 0;
	}
	curve = groups_find(t->curves, row);
	metric = metric_number(t, row, f);
	if (metric < 0)
		return -1;
	if (curve == t->curves_known) {
		size_t known = curve;

		*VEC_ADD(t->metric_of, known, t->metric_of_cap) = (size_t)metric;
		*VEC_ADD(t->subject, t->curves_known, t->cap) =
		    groups_find(t->subjects, row);
	}
	t->metric[metric].busy = t->metric[metric].busy || row->value != 0;
	points_add(t->points, curve, (double)row->t, row->value);
	return 0;
}

static void timeline_close(void *ctx)
{
	struct timeline *t = ctx;

	groups_close(t->subjects);
	groups_close(t->curves);
	groups_close(t->failed);
	points_close(t->points);
	for (size_t i = 0; i < t->metrics; i++)
		free(t->metric[i].unit);
	free(t->metric);
	intern_free(&t->names);
	free(t->metric_of);
	free(t->subject);
	free(t);
}

static size_t panel_of(const struct timeline_figure *own, struct text metric)
{
	size_t i = 0;

	while (i < own->panels && !text_is(metric, own->panel[i].name))
		i++;
	return i;
}

/* Describes a metric without a panel in the subtitle. */
static void note_idle(
    const struct timeline *t, struct timeline_figure *own, struct text metric)
{
	struct buf b = { 0 };

	display_text_label(&b, metric, t->opts->utf8);
	buf_str(&b, " always 0");
	lines_add(&own->common.what, b.ptr);
}

/* Adds the panel of a curve's metric, unless the metric has one. A metric whose values are
 * all 0 has a panel only if the user asks for it. Returns whether there is no room. */
static bool add_panel(const struct timeline *t, struct timeline_figure *own, size_t curve)
{
	struct text metric = groups_cell(t->curves, curve, COL_METRIC),
	            unit = groups_cell(t->curves, curve, COL_UNIT);
	struct timeline_metric *m = &t->metric[t->metric_of[curve]];

	if (m->placed)
		return false;
	m->placed = true;
	if (!m->busy && !t->opts->filter) {
		note_idle(t, own, metric);
		return false;
	}
	if (own->panels == PANELS_MAX)
		return true;
	own->panel = mem_resize(own->panel, own->panels + 1, sizeof(*own->panel));
	own->panel[own->panels++] = (struct timeline_panel){ mem_text(
		                                                 metric.ptr, metric.len),
		figure_label(metric, t->opts->utf8), figure_label(unit, t->opts->utf8) };
	display_text_fit(
	    &own->panel[own->panels - 1].unit, 1, FIGURE_UNIT_WIDTH, t->opts->utf8);
	return false;
}

/* Chooses the panels: the preferred metrics, then others in input order, up to a limit. The
 * subtitle counts the metrics beyond the limit. */
static void choose_panels(const struct timeline *t, struct timeline_figure *own)
{
	size_t left_out = 0;

	for (size_t k = 0; k < COUNT(preferred); k++)
		for (size_t c = 0; c < t->curves_known; c++)
			if (text_is(groups_cell(t->curves, c, COL_METRIC), preferred[k]))
				add_panel(t, own, c);
	for (size_t c = 0; c < t->curves_known; c++)
		left_out += add_panel(t, own, c);
	if (left_out)
		figure_say(&own->common, "%zu more metric%s: choose with -y", left_out,
		    plural_s(left_out));
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns the longest distance between two points that are still joined: some times the
 * usual one, because a longer distance means that values are missing. */
static double longest_step(const struct point *point, size_t n)
{
	enum { USUAL = 3 };
	double *step = mem_zero(n, sizeof(*step)), most = INFINITY;

	for (size_t i = 1; i < n; i++)
		step[i - 1] = point[i].x - point[i - 1].x;
	if (n > 3) {
		qsort(step, n - 1, sizeof(*step), by_size);
		most = USUAL * step[(n - 1) / 2];
	}
	free(step);
	return most > 0 ? most : INFINITY;
}

/* Sets the points of a curve: those of n points that are needed to draw them in at most
 * this many columns. */
static void set_points(struct timeline_figure *own, struct timeline_curve *curve,
    struct point *point, size_t n, size_t columns)
{
	curve->count = points_decimate(point, n, columns, false);
	own->common.thinned = own->common.thinned || curve->count < n;
	curve->point = mem_zero(curve->count, sizeof(*curve->point));
	memcpy(curve->point, point, curve->count * sizeof(*curve->point));
}

/* Adds the curves of the panels. A curve is interrupted where values are missing. */
static void add_curves(const struct timeline *t, struct timeline_figure *own)
{
	size_t columns = POINTS_MAX / 4 / t->curves_known, cap = 0;

	columns = columns > FIGURE_COLUMNS ? FIGURE_COLUMNS : columns < 8 ? 8 : columns;
	for (size_t c = 0; c < t->curves_known; c++) {
		size_t panel = panel_of(own, groups_cell(t->curves, c, COL_METRIC)), n,
		       failed;
		struct point *point = points_of(t->points, c, &n, &failed);
		double longest;

		if (panel == own->panels)
			continue;
		points_sort(point, n);
		longest = longest_step(point, n);
		own->samples++;
		for (size_t from = 0, end; from < n; from = end) {
			for (end = from + 1;
			     end < n && point[end].x - point[end - 1].x <= longest; end++)
				;
			struct timeline_curve *curve =
			    VEC_ADD(own->curve, own->curves, cap);

			*curve = (struct timeline_curve){ .series = t->subject[c],
				.panel = panel };
			set_points(own, curve, point + from, end - from,
			    columns * (end - from) / n + 2);
		}
	}
}

static void name_things(const struct timeline *t, struct timeline_figure *own)
{
	struct figure *fig = &own->common;
	struct group_labels naming = { .groups = t->subjects, .utf8 = t->opts->utf8 };
	struct buf title = { 0 };

	fig->series_count = groups_count(t->subjects);
	fig->series = mem_zero(fig->series_count, sizeof(*fig->series));
	for (size_t s = 0; s < fig->series_count; s++)
		*VEC_ADD(naming.group, naming.count, naming.cap) = s;
	for (size_t s = 0; s < fig->series_count; s++)
		fig->series[s] = group_labels_text(&naming, s, NULL, true);
	for (size_t i = 0; i < own->panels; i++)
		buf_printf(&title, "%s%s", i ? ", " : "", own->panel[i].shown);
	buf_str(&title, " over time");
	figure_set_title(fig, t->opts, buf_detach(&title));
	figure_say(
	    fig, "%zu curve%s, one for each sample", own->samples, plural_s(own->samples));
	figure_say_thinned(fig);
	figure_say_failed(fig);
	group_labels_held(&naming, fig);
	fig->metric = str_copy("");
	fig->unit = str_copy("");
	fig->x_name = str_copy("time");
	free(naming.group);
}

static struct figure *timeline_make(void *ctx, struct fault *f)
{
	struct timeline *t = ctx;
	struct timeline_figure *own;
	size_t subjects = groups_count(t->subjects);

	if (!t->curves_known || subjects > FIGURE_SERIES_MAX) {
		if (subjects > FIGURE_SERIES_MAX)
			fault_set(f, "%zu subjects are too many for a plot", subjects);
		else
			fault_set(f,
			    "no time series%s to draw: measure with bench-run "
			    "--interval",
			    t->opts->filter ? " of the metrics of -y" : "");
		return NULL;
	}
	own = (struct timeline_figure *)figure_open(t->kind);
	own->common.failed = groups_count(t->failed);
	choose_panels(t, own);
	if (!own->panels) {
		figure_free(&own->common);
		fault_set(f, "every value of the time series is 0");
		return NULL;
	}
	add_curves(t, own);
	name_things(t, own);
	return &own->common;
}

const struct figure_source figure_timeline = { .open = timeline_open,
	.row = timeline_row,
	.make = timeline_make,
	.close = timeline_close };
