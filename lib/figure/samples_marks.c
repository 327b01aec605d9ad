/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gathers the values of groups into marks; see samples_priv.h. facet.c chooses the columns
 * of x and of series.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/samples_priv.h"
#include "stats/censored.h"
#include "text/display_text.h"
#include "text/units.h"

/*
 * Ranks the parts: by number if the only column is numeric, otherwise by first appearance.
 */
static void rank_parts(
    const struct facet *fa, const struct columns *c, size_t *part, size_t parts)
{
	double *value;

	if (c->count != 1 || !facet_numeric(fa, c->id[0]))
		return;
	value = mem_zero(parts, sizeof(*value));
	for (size_t i = 0; i < fa->picks; i++)
		number_parse(facet_cell(fa, i, c->id[0]), &value[part[i]]);
	for (size_t i = 0; i < fa->picks; i++) {
		size_t rank = 0, own = part[i];

		for (size_t k = 0; k < parts; k++)
			rank +=
			    value[k] < value[own] || (value[k] == value[own] && k < own);
		part[i] = rank;
	}
	free(value);
}

/* Appends the identities of values, if they are known, to those of n others. */
static void add_identities(
    struct sample_id **to, size_t n, const struct sample_id *id, size_t count)
{
	if (!id || !count)
		return;
	*to = mem_resize(*to, n + count, sizeof(**to));
	memcpy(*to + n, id, count * sizeof(**to));
}

/* Adds the values of a group, and its limits if they are drawn. */
static void add_values(struct mark *mark, const struct collected *c, bool limits)
{
	add_identities(&mark->identity, mark->n, c->identity, c->count);
	mark->value = mem_resize(mark->value, mark->n + c->count, sizeof(*mark->value));
	if (c->count)
		memcpy(mark->value + mark->n, c->value, c->count * sizeof(*c->value));
	mark->n += c->count;
	mark->failed += c->missing->failed;
	if (!limits || !c->missing->limits)
		return;
	add_identities(&mark->limit_identity, mark->limits, c->missing->limit_identity,
	    c->missing->limits);
	mark->limit = mem_resize(
	    mark->limit, mark->limits + c->missing->limits, sizeof(*mark->limit));
	memcpy(mark->limit + mark->limits, c->missing->limit,
	    c->missing->limits * sizeof(*c->missing->limit));
	mark->limits += c->missing->limits;
	mark->failed -= c->missing->limits;
}

/* Keeps the order of the values of a mark, which are sorted later. */
static void keep_order(struct mark *m)
{
	m->ordered = quantile_series_open(&(struct quantile_input){ .value = m->value,
	    .identity = m->identity,
	    .values = m->n,
	    .limit = m->limit,
	    .limit_identity = m->limit_identity,
	    .limits = m->limits });
}

static int by_lane(const void *a, const void *b)
{
	const struct mark *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return (p->series > q->series) - (p->series < q->series);
}

/* Returns the name of a lane, allocated: of a single column of strings only the value,
 * because the title has the name of the column. */
static char *lane_name(const struct samples_making *m, size_t pick)
{
	const struct facet *fa = &m->facet;
	struct buf b = { 0 };

	if (fa->x.count == 1 && !facet_numeric(fa, fa->x.id[0]))
		display_text_label(&b, facet_cell(fa, pick, fa->x.id[0]), m->opts->utf8);
	return b.len ? b.ptr : samples_label(m, pick, &fa->x);
}

/* Gathers the marks of all picks, in order of first appearance. */
static void gather(struct samples_making *m, const size_t *lane, const size_t *series)
{
	const struct facet *fa = &m->facet;
	struct figure *fig = m->fig;
	struct columns both = { 0 };
	size_t *part = mem_zero(fa->picks, sizeof(*part));

	columns_add(&both, &fa->x);
	columns_add(&both, &fa->series);
	fig->marks = facet_partition(fa, &both, part);
	fig->mark = mem_zero(fig->marks, sizeof(*fig->mark));
	for (size_t i = 0; i < fa->picks; i++) {
		struct mark *mark = &fig->mark[part[i]];

		mark->series = series[i];
		mark->x = (double)lane[i];
		if (!m->kind->lanes && fa->x.count)
			number_parse(facet_cell(fa, i, fa->x.id[0]), &mark->x);
		else if (!mark->label)
			mark->label = lane_name(m, i);
		if (!fig->series[series[i]])
			fig->series[series[i]] = samples_label(m, i, &fa->series);
		add_values(
		    mark, collect_group(m->input->collect, fa->pick[i]), m->kind->limits);
	}
	free(part);
	free(both.id);
}

/* Removes the marks of series without any value, which are not drawn. */
static void drop_valueless(struct figure *fig)
{
	bool *any = mem_zero(fig->series_count, sizeof(*any));
	size_t kept = 0;

	for (size_t i = 0; i < fig->marks; i++)
		any[fig->mark[i].series] =
		    any[fig->mark[i].series] || mark_count(&fig->mark[i]);
	for (size_t i = 0; i < fig->marks; i++)
		if (any[fig->mark[i].series])
			fig->mark[kept++] = fig->mark[i];
		else
			mark_free(&fig->mark[i]);
	fig->marks = kept;
	free(any);
}

static void negate(double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = -x[i];
}

/* Computes the statistics of a mark, and sorts its values and limits. Those of values below
 * limits are those of the negative values, which are above the negative limits. */
static void summarize_mark(const struct samples_making *m, struct mark *mark)
{
	struct summary s, above;
	double confidence = m->opts->inference.confidence;

	if (mark->below && mark->limits) {
		negate(mark->value, mark->n);
		negate(mark->limit, mark->limits);
	}
	censored_summarize(
	    mark->value, mark->n, mark->limit, mark->limits, confidence, &s, &above);
	mark->s = s;
	mark->above = above;
	if (!mark->below || !mark->limits)
		return;
	negate(mark->value, mark->n);
	negate(mark->limit, mark->limits);
	stats_sort(mark->value, mark->n);
	stats_sort(mark->limit, mark->limits);
	mark->s = (struct summary){ .n = s.n,
		.min = -s.max,
		.max = -s.min,
		.median = -s.median,
		.ci_lo = -s.ci_hi,
		.ci_hi = -s.ci_lo };
	mark->above = (struct summary){ .median = -above.median };
}

/* Summarizes a mark, and adds its failures to the figure. Returns its number of values. */
static size_t finish_mark(struct samples_making *m, struct mark *mark)
{
	if (m->kind->quantiles)
		keep_order(mark);
	summarize_mark(m, mark);
	m->fig->failed += mark->failed;
	m->fig->censored += mark->limits;
	return mark_count(mark);
}

/* Makes the marks of all picked values; lane and series say where each one belongs. */
static void place_marks(
    struct samples_making *m, size_t *lane, size_t lanes, size_t *series)
{
	const struct facet *fa = &m->facet;

	rank_parts(fa, &fa->series, series, m->fig->series_count);
	samples_color(m, series);
	if (m->kind->lanes)
		rank_parts(fa, &fa->x, lane, lanes);
	if (m->input->points)
		samples_mark_points(m, series);
	else
		gather(m, lane, series);
	if (!m->kind->lanes && !m->kind->all_series && !m->input->points)
		samples_mark_gaps(m, series);
}

/* Divides the picked values among lanes and series, and makes their marks. Returns 0, or -1
 * and the message. */
static int divide_marks(struct samples_making *m, struct fault *f)
{
	const struct facet *fa = &m->facet;
	struct figure *fig = m->fig;
	size_t *lane = mem_zero(fa->picks, sizeof(*lane)),
	       *series = mem_zero(fa->picks, sizeof(*series));
	const size_t lanes = facet_partition(fa, &fa->x, lane);
	int status = 0;

	fig->series_count = facet_partition(fa, &fa->series, series);
	fig->series = mem_zero(fig->series_count, sizeof(*fig->series));
	if (fig->series_count > FIGURE_SERIES_MAX)
		status = fault_set(f,
		    "%zu series are too many for a plot: select columns with -g",
		    fig->series_count);
	else if (m->kind->lanes && lanes > FIGURE_LANES_MAX)
		status = fault_set(
		    f, "%zu lanes are too many for a plot: select columns with -x", lanes);
	else
		place_marks(m, lane, lanes, series);
	free(lane);
	free(series);
	return status;
}

static int make_marks(struct samples_making *m, struct fault *f)
{
	struct figure *fig = m->fig;
	size_t values = 0;

	if (divide_marks(m, f) < 0 || (m->kind->ratios && samples_make_ratios(m, f) < 0))
		return -1;
	fig->failed += m->facet.failed;
	for (size_t i = 0; i < fig->marks; i++)
		values += finish_mark(m, &fig->mark[i]);
	if (!m->kind->lanes)
		drop_valueless(fig);
	qsort(fig->mark, fig->marks, sizeof(*fig->mark),
	    m->kind->lanes ? by_lane : samples_by_series);
	if (!values)
		return fault_set(f, "no values to draw (%zu failed)", fig->failed);
	return 0;
}

struct figure *samples_figure(const struct figure_kind *kind,
    const struct figure_opts *opts, const struct samples_input *input, struct fault *f)
{
	struct samples_making m = { .kind = kind, .opts = opts, .input = input };
	struct facet_opts columns = { .only_metric = opts->filter,
		.x = opts->x,
		.group = opts->group,
		.prefer_metric = kind->metric,
		.prefer_x = kind->x,
		.numeric_x = !kind->lanes && !kind->all_series,
		.all_x = kind->all_lanes,
		.all_series = kind->all_series,
		.values = input->collect,
		.limits = kind->limits,
		.grid = kind->grid };

	m.fig = figure_open(kind);
	m.fig->confidence = opts->inference.confidence;
	if (input->points) {
		columns.x = columns.prefer_x = NULL;
		columns.numeric_x = false;
		columns.all_series = true;
	}
	if ((opts->growth && input->points &&
	        fault_set(f, "--growth: x has too many values for a model of growth") <
	            0) ||
	    facet_choose(&m.facet, input->groups, &columns, f) < 0 ||
	    make_marks(&m, f) < 0) {
		figure_free(m.fig);
		m.fig = NULL;
	} else {
		if (input->points)
			columns_add(
			    &m.facet.x, &(struct columns){ &(size_t){ input->x }, 1, 0 });
		samples_caption(&m);
		if (opts->growth)
			samples_fit_growth(&m);
	}
	facet_free(&m.facet);
	return m.fig;
}
