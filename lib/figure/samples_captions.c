/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The labels around samples: names of lanes and series, the title and the subtitle.
 */
#include <math.h>
#include <stdlib.h>

#include "figure/group_labels.h"
#include "figure/samples_priv.h"
#include "text/display_text.h"

/* Joins the values of the columns to one label. */
char *samples_label(const struct samples_making *m, size_t pick, const struct columns *c)
{
	struct buf b = { 0 };

	for (size_t i = 0; i < c->count; i++) {
		if (!facet_cell(&m->facet, pick, c->id[i]).len && c->count > 1)
			continue;
		group_labels_put(&b, groups_schema(m->facet.groups)->name[c->id[i]],
		    facet_cell(&m->facet, pick, c->id[i]), m->opts->utf8);
	}
	if (!b.len)
		buf_str(&b, c->count ? "none" : "");
	return b.ptr;
}

/* The numbers of values and marks of a figure. Gaps are places of a line without a value.
 */
struct mark_counts {
	size_t least_n, most_n; /* values of a mark */
	size_t unbounded;       /* marks whose medians have no interval */
	size_t gaps;
};

static struct mark_counts count_marks(const struct figure *fig)
{
	struct mark_counts c = { .least_n = SIZE_MAX };

	for (size_t i = 0; i < fig->marks; i++) {
		const struct mark *mark = &fig->mark[i];
		size_t n = mark_count(mark);

		if (!n && !fig->kind->lanes) {
			c.gaps++;
			continue;
		}
		c.least_n = n < c.least_n ? n : c.least_n;
		c.most_n = n > c.most_n ? n : c.most_n;
		c.unbounded += n && !(isfinite(mark->s.ci_lo) && isfinite(mark->s.ci_hi));
	}
	return c;
}

/* Describes what the kind draws of the values: medians, quartiles, all of them ... */
static void say_statistic(struct samples_making *m, const struct mark_counts *c)
{
	struct figure *fig = m->fig;
	const struct figure_kind *kind = fig->kind;
	const double percent = m->opts->inference.confidence * 100;

	if (kind->interval && !c->unbounded)
		figure_say(fig, "median with its %.4g%% interval", percent);
	else if (kind->interval)
		figure_say(fig, "median%s",
		    c->unbounded == fig->marks - c->gaps
		        ? " (too few values for an interval)"
			: " with its interval where n allows one");
	if (kind->outliers)
		figure_say(fig, "median, quartiles, whiskers within 1.5 IQR, outliers");
	if (kind->dots)
		figure_say(fig, "every value and the median");
	if (kind->steps)
		figure_say(fig, "fraction of values that are not larger");
	if (kind->quantiles)
		figure_say(fig,
		    "quantiles with their %.4g%% intervals, where n "
		    "allows one",
		    percent);
	if (kind->bins)
		figure_say(fig, "values by bin (Freedman-Diaconis), one scale");
}

/* Describes how many values there are, and which are not drawn as they are. */
static void say_counts(struct samples_making *m, const struct mark_counts *c)
{
	struct figure *fig = m->fig;
	size_t repeated = 0;

	figure_say_thinned(fig);
	fig->same_n = c->least_n == c->most_n;
	if (fig->same_n)
		figure_say(fig, "n = %zu", c->most_n);
	else if (!fig->kind->lanes)
		figure_say(fig, "n = %zu to %zu", c->least_n, c->most_n);
	if (fig->censored)
		figure_say(fig, "%zu timed out, %s", fig->censored,
		    fig->kind->grid ? "counted as above the limit" : "drawn at the limit");
	figure_say_failed(fig);
	for (size_t i = 0; m->input->repeated && i < m->facet.picks; i++)
		repeated += m->input->repeated[m->facet.pick[i]];
	figure_say_duplicates(fig, repeated);
	if (c->gaps)
		figure_say(fig, "%s on the axis: no value", m->opts->utf8 ? "×" : "x");
}

/* Lists the columns that are pooled, and those that are the same everywhere. */
static void say_held(struct samples_making *m)
{
	const struct facet *fa = &m->facet;
	struct columns drawn = { 0 }, pooled;

	columns_add(&drawn, &fa->x);
	columns_add(&drawn, &fa->series);
	pooled = facet_parting(fa, &drawn);
	for (size_t i = 0; i < pooled.count; i++) {
		struct buf b = { 0 };

		buf_str(&b, "pooled over ");
		display_text_label(&b,
		    text_of(groups_schema(fa->groups)->name[pooled.id[i]]), m->opts->utf8);
		lines_add(&m->fig->held, b.ptr);
	}
	for (size_t i = 0; i < fa->all.count; i++) {
		struct columns one = { &fa->all.id[i], 1, 0 };
		struct buf b = { 0 };
		const char *name;

		if (one.id[0] == COL_KIND || columns_hold(&drawn, one.id[0]) ||
		    !facet_cell(fa, 0, one.id[0]).len ||
		    facet_partition(fa, &one, NULL) > 1)
			continue;
		name = groups_schema(fa->groups)->name[one.id[0]];
		group_labels_put(&b, name, facet_cell(fa, 0, one.id[0]), m->opts->utf8);
		group_labels_hold(m->fig, name, b.ptr);
	}
	free(drawn.id);
	free(pooled.id);
}

/* Names the metric speedup, and describes how it was computed from another metric. */
static void say_ratios(const struct samples_making *m, struct buf *metric)
{
	struct text name = facet_cell(&m->facet, 0, COL_METRIC);
	struct buf b = { 0 };

	if (text_is(name, "speedup"))
		return;
	metric->len = 0;
	buf_str(metric, "speedup");
	buf_str(&b, "ratios of ");
	display_text_label(&b, name, m->opts->utf8);
	buf_str(&b, " to the median at the least ");
	display_text_label(&b,
	    text_of(groups_schema(m->facet.groups)->name[m->facet.x.id[0]]), m->opts->utf8);
	if (m->later_base)
		buf_str(&b, " that has a median");
	lines_add(&m->fig->what, b.ptr);
}

/* Sets the title, such as "wall by bench, level", and the names of metric, unit and x. */
static void name_things(struct samples_making *m)
{
	const struct facet *fa = &m->facet;
	const char *const *name = (const char *const *)groups_schema(fa->groups)->name;
	bool utf8 = m->opts->utf8;
	struct buf metric = { 0 }, unit = { 0 }, title = { 0 }, x = { 0 };
	struct columns drawn = { 0 };

	display_text_label(&metric, facet_cell(fa, 0, COL_METRIC), utf8);
	if (m->kind->ratios)
		say_ratios(m, &metric);
	else
		display_text_label(&unit, facet_cell(fa, 0, COL_UNIT), utf8);
	columns_add(&drawn, &fa->x);
	if (!m->kind->all_lanes)
		columns_add(&drawn, &fa->series);
	buf_put(&title, metric.ptr, metric.len);
	for (size_t i = 0; i < drawn.count; i++) {
		buf_str(&title, i ? ", " : " by ");
		display_text_label(&title, text_of(name[drawn.id[i]]), utf8);
	}
	if (fa->x.count)
		display_text_label(&x, text_of(name[fa->x.id[0]]), utf8);
	free(drawn.id);
	m->fig->metric = metric.ptr;
	m->fig->unit = buf_detach(&unit);
	display_text_fit(&m->fig->unit, 1, FIGURE_UNIT_WIDTH, utf8);
	figure_set_title(m->fig, m->opts, buf_detach(&title));
	m->fig->x_name = buf_detach(&x);
}

void samples_caption(struct samples_making *m)
{
	const struct mark_counts counts = count_marks(m->fig);

	say_statistic(m, &counts);
	say_counts(m, &counts);
	say_held(m);
	name_things(m);
}
