/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes figures of measurements under load; see figure_load.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/load_priv.h"
#include "load/slo.h"
#include "svg/palette.h"
#include "text/display_text.h"

static const struct load_quantile {
	double p;
	const char *name;
} quantiles[] = { { 0.99, "p99" }, { 0.9, "p90" }, { 0.5, "p50" } };

/* With more subjects, only their p99 is drawn. */
enum { SUBJECTS_ALL = 2 };

/* A figure that is being made. */
struct load_making {
	const struct load_gathered *g;
	struct figure *fig;
	struct load_figure *own;
	struct group_labels naming; /* of subjects */
	size_t mark_cap, saturated, without_rate, failed;
	struct buf all_saturated; /* by mark: bool */
};

/* Begins a figure, with the names of the subjects in naming. */
static struct load_making begin_figure(const struct load_gathered *g)
{
	struct load_making m = { .g = g,
		.fig = figure_open(g->kind),
		.naming = { .groups = g->subjects, .utf8 = g->opts->utf8 } };

	m.own = (struct load_figure *)m.fig;
	for (size_t i = 0; i < g->count; i++)
		if (!i || g->place[i].subject != g->place[i - 1].subject)
			*VEC_ADD(m.naming.group, m.naming.count, m.naming.cap) =
			    g->place[i].subject;
	return m;
}

/* Returns the number of the subject of a place among those that are drawn. */
static size_t subject_of(const struct load_making *m, size_t place)
{
	size_t s = 0;

	while (m->naming.group[s] != m->g->place[place].subject)
		s++;
	return s;
}

/* Names the series: each subject with each of the first quantiles; none: only the
 * subjects. */
static void name_series(struct load_making *m, size_t count)
{
	struct figure *fig = m->fig;
	size_t each = count ? count : 1;

	fig->series_count = m->naming.count * each;
	fig->series = mem_zero(fig->series_count, sizeof(*fig->series));
	if (m->naming.count > 1)
		fig->slot = mem_zero(fig->series_count, sizeof(*fig->slot));
	for (size_t s = 0; s < m->naming.count; s++)
		for (size_t k = 0; k < each; k++) {
			char *subject = group_labels_text(&m->naming, s, NULL, true);
			const char *name = count ? quantiles[k].name : "";
			size_t i = s * each + k;

			fig->series[i] = str_format(
			    "%s%s%s", subject, *subject && *name ? ", " : "", name);
			if (fig->slot)
				fig->slot[i] = (unsigned)(s % PALETTE_SLOTS +
				                          k * (size_t)PALETTE_SLOTS);
			free(subject);
		}
}

/* Remembers of the last mark whether it is saturated. */
static void note_saturation(struct load_making *m, size_t place)
{
	bool saturated = m->g->place[place].saturated;

	buf_put(&m->all_saturated, &saturated, sizeof(saturated));
	m->saturated += saturated;
}

/* Draws the limit of the metric, if the options have one. Returns 0, or -1 and the
 * message. */
static int draw_limit(struct load_making *m, struct fault *f)
{
	const struct figure_opts *opts = m->g->opts;
	const char *metric = m->g->metric;
	double limit = opts->slo ? slo_limit_of(opts->slo, text_of(metric)) : INFINITY;
	struct axis_unit u;

	if (!opts->slo)
		return 0;
	if (!isfinite(limit))
		return fault_set(f,
		    "--slo has no limit of %s, which is drawn: add %s=DURATION, or draw "
		    "another metric with -y",
		    metric, metric);
	u = axis_unit_for(limit, "ns", opts->utf8);
	m->fig->limit = limit;
	m->own->limit_name = str_format("limit %.6g %s", limit / u.size, u.text);
	return 0;
}

/* Sets the labels that all figures of quantiles have. */
static void name_things(struct load_making *m, const char *title, const char *x)
{
	struct figure *fig = m->fig;
	bool utf8 = m->g->opts->utf8;

	fig->metric = figure_label(text_of(m->g->metric), utf8);
	fig->unit = figure_label(text_of(m->g->unit), utf8);
	display_text_fit(&fig->unit, 1, FIGURE_UNIT_WIDTH, utf8);
	fig->x_name = str_copy(x);
	figure_set_title(fig, m->g->opts, str_format(title, fig->metric));
}

/* Adds the notes on what is drawn, what is missing, and what needs an explanation, and the
 * constant columns. */
static void explain(struct load_making *m, const char *what)
{
	struct figure *fig = m->fig;
	size_t without = 0, gaps = 0;

	for (size_t i = 0; i < fig->marks; i++) {
		gaps += !mark_count(&fig->mark[i]);
		without += mark_count(&fig->mark[i]) && !isfinite(fig->mark[i].s.ci_hi);
	}
	figure_say(fig, "%s", what);
	if (without < fig->marks - gaps)
		figure_say(fig, "%.4g%% intervals", m->g->opts->inference.confidence * 100);
	if (without)
		figure_say(fig, "too few requests for %s intervals",
		    without < fig->marks - gaps ? "some" : "the");
	if (m->saturated)
		figure_say(fig, "%s saturated: latency grows with time",
		    m->g->opts->utf8 ? "×" : "x");
	for (size_t i = 0; i < m->g->count; i++) {
		const struct collected *values = load_values(m->g, i);

		fig->censored += values->missing->limits;
		fig->failed += values->missing->failed - values->missing->limits;
	}
	if (fig->censored)
		figure_say(fig, "%zu timed out or not served, counted as above the limit",
		    fig->censored);
	figure_say_failed(fig);
	figure_say_duplicates(fig, m->g->repeated);
	if (gaps)
		figure_say(fig, "%s on the axis: no value", m->g->opts->utf8 ? "×" : "x");
	if (m->without_rate)
		figure_say(fig, "%zu without a rate, left out", m->without_rate);
	group_labels_held(&m->naming, fig);
}

/* Ends a figure. Returns NULL and the message if nothing can be drawn. */
static struct figure *end_figure(struct load_making *m, int status, struct fault *f)
{
	struct figure *fig = m->fig;

	if (status == 0 && !fig->marks)
		status = fault_set(f,
		    "no rate in the column rate or the metric offered_rate: measure with "
		    "bench-run --rate, such as --rate 10,20,50");
	free(m->naming.group);
	if (m->saturated)
		m->own->saturated = (bool *)m->all_saturated.ptr;
	else
		buf_free(&m->all_saturated);
	if (status == 0)
		return fig;
	figure_free(fig);
	return NULL;
}

/* Checks the number of series, `each` of each subject. Returns 0, or -1 and the message. */
static int check_series(const struct load_making *m, size_t each, struct fault *f)
{
	size_t count = m->naming.count * each;

	if (count <= FIGURE_SERIES_MAX)
		return 0;
	return fault_set(f, "%zu series are too many for a plot", count);
}

/* Adds the marks of one series: a quantile of each place of a subject. */
static void add_line(
    struct load_making *m, size_t subject, size_t series, double p, bool over_throughput)
{
	const struct load_gathered *g = m->g;

	for (size_t i = 0; i < g->count; i++) {
		double throughput = load_median(load_rates(g, i, LOAD_THROUGHPUT));
		struct mark *mark;

		if (subject_of(m, i) != subject ||
		    !isfinite(over_throughput ? throughput : g->place[i].rate))
			continue;
		mark = load_add_quantile(m->fig, &m->mark_cap, load_values(g, i), p,
		    g->opts->inference.confidence);
		mark->series = series;
		mark->x = over_throughput ? throughput : g->place[i].rate;
		if (over_throughput && mark_count(mark) && isfinite(g->place[i].rate))
			mark->label = str_format("%.6g/s", g->place[i].rate);
		note_saturation(m, i);
	}
}

static struct figure *load_make(void *ctx, struct fault *f)
{
	struct load_gathered *g = ctx;

	if (load_order(g, f) < 0)
		return NULL;

	struct load_making m = begin_figure(g);
	size_t count = m.naming.count > SUBJECTS_ALL ? 1 : COUNT(quantiles);

	if (check_series(&m, count, f) < 0)
		return end_figure(&m, -1, f);
	name_series(&m, count);
	for (size_t s = 0; s < m.naming.count; s++)
		for (size_t k = 0; k < count; k++)
			add_line(&m, s, s * count + k, quantiles[k].p, false);
	for (size_t i = 0; i < g->count; i++)
		m.without_rate += isnan(g->place[i].rate) ? 1U : 0;
	name_things(&m, "%s by rate", "requests per second");
	explain(&m, "quantiles");
	return end_figure(&m, draw_limit(&m, f), f);
}

static struct figure *capacity_make(void *ctx, struct fault *f)
{
	struct load_gathered *g = ctx;

	if (load_order(g, f) < 0)
		return NULL;

	struct load_making m = begin_figure(g);

	if (check_series(&m, 1, f) < 0)
		return end_figure(&m, -1, f);
	name_series(&m, 0);
	for (size_t s = 0; s < m.naming.count; s++)
		add_line(&m, s, s, quantiles[0].p, true);
	m.own->names_marks = m.own->round_x = true;
	name_things(&m, "%s by throughput", "completed requests per second");
	free(m.fig->metric);
	m.fig->metric = str_format("p99 of %s", g->metric);
	explain(&m, "at each offered rate");
	return end_figure(&m, draw_limit(&m, f), f);
}

const struct figure_source figure_load = { load_open, load_row, load_excluded, load_make,
	load_close };
const struct figure_source figure_capacity = { load_open, load_row, load_excluded,
	capacity_make, load_close };
