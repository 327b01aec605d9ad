/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The form of a timeline: panels below each other, each with its curves, along the same
 * time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure_timeline.h"
#include "plot/forms.h"
#include "plot/gnuplot_writer_priv.h"
#include "plot/layout_priv.h"

static void panel_extent(
    const struct timeline_figure *own, size_t panel, double *lo, double *hi)
{
	*lo = INFINITY;
	*hi = -INFINITY;
	for (size_t i = 0; i < own->curves; i++)
		for (size_t k = 0; own->curve[i].panel == panel && k < own->curve[i].count;
		     k++) {
			*lo = fmin(*lo, own->curve[i].point[k].value);
			*hi = fmax(*hi, own->curve[i].point[k].value);
		}
}

/* Lays out panels below each other on one axis; each has a part of the axis and its own
 * tics. */
static int panels_layout(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	const struct timeline_figure *own = (const struct timeline_figure *)fig;
	double tail = layout_tail(l, c, 3), first = 0, last = 0, widest_tic = 0, rows;
	size_t cap = 0;

	(void)f;
	for (size_t i = 0; i < own->curves; i++)
		if (own->curve[i].count) {
			first = fmin(first, own->curve[i].point[0].x);
			last = fmax(last, own->curve[i].point[own->curve[i].count - 1].x);
		}
	if (!c->text && !c->fixed)
		l->height =
		    l->top + (own->panels == 1 ? 320 : 150) * (double)own->panels + tail;
	l->bottom = l->height - tail;
	rows = (l->bottom - l->top) / (double)own->panels / l->row;
	l->panels.count = own->panels;
	layout_panels_open(l, c, rows * l->row);
	for (size_t p = 0; p < own->panels; p++) {
		double lo, hi;

		panel_extent(own, p, &lo, &hi);
		l->panels.unit[p] =
		    axis_unit_for(fmax(fabs(lo), fabs(hi)), own->panel[p].unit, c->utf8);
		l->panels.axis[p] = axis_linear(lo / l->panels.unit[p].size,
		    hi / l->panels.unit[p].size, true, (size_t)fmax(2, rows / 2));
		layout_panel_tics(l, p, &cap);
		layout_place(&l->name,
		    str_format("%s%s%s%s", own->panel[p].shown,
		        l->panels.unit[p].text[0] ? " (" : "", l->panels.unit[p].text,
		        l->panels.unit[p].text[0] ? ")" : ""),
		    0, (double)(own->panels - p) - (1 - l->panels.share) / 2);
	}
	for (size_t i = 0; i < l->value.tics; i++)
		widest_tic =
		    fmax(widest_tic, layout_columns(l->value.tic[i].text, !c->text));
	l->left = (widest_tic + 3) * l->column;
	l->right = l->width - 3 * l->column;
	l->unit = axis_unit_for(fmax(-first, last), "ns", c->utf8);
	l->panels.x_size = l->unit.size;
	l->x = axis_linear(first / l->panels.x_size, last / l->panels.x_size, true,
	    (size_t)fmax(2, (l->right - l->left) / l->column / 9));
	l->value_label = str_copy("");
	l->x_label = str_format("time (%s)", l->unit.text);
	return 0;
}

/* Returns whether all points of a curve lie in one place, where no line is visible. */
static bool is_single(const struct timeline_curve *c)
{
	for (size_t i = 1; i < c->count; i++)
		if (c->point[i].x != c->point[0].x ||
		    c->point[i].value != c->point[0].value)
			return false;
	return true;
}

static void put_point(
    struct gnuplot_writer *w, const struct timeline_curve *c, const struct point *p)
{
	const struct layout *l = w->l;
	double value = p->value / l->panels.unit[c->panel].size;

	gnuplot_put_numbers(w,
	    (double[]){ p->x / l->panels.x_size, layout_panel_place(l, c->panel, value),
	        value, (double)c->panel },
	    4);
}

/* Writes the curves of each series that are in one place, or those that are not, a blank
 * line between them. */
static void put_curves(struct gnuplot_writer *w, const char *name, bool single)
{
	const struct layout *l = w->l;
	const struct timeline_figure *own = (const struct timeline_figure *)w->fig;

	buf_printf(
	    &w->commands, "$%s << EOD\n# x place value panel; an index a series\n", name);
	for (size_t k = 0; k < l->series_count; k++) {
		bool any = false;

		buf_str(&w->commands, k ? "\n\n" : "");
		for (size_t i = 0; i < own->curves; i++) {
			const struct timeline_curve *c = &own->curve[i];

			if (c->series != l->series[k] || is_single(c) != single)
				continue;
			buf_str(&w->commands, any ? "\n" : "");
			any = true;
			for (size_t p = 0; p < (single ? 1 : c->count); p++)
				put_point(w, c, &c->point[p]);
		}
		if (!any)
			buf_str(&w->commands, "1e99 1e99\n");
	}
	buf_str(&w->commands, "EOD\n");
}

static void timeline_data(struct gnuplot_writer *w)
{
	const struct timeline_figure *own = (const struct timeline_figure *)w->fig;
	bool any = false;

	put_curves(w, "curves", false);
	for (size_t i = 0; i < own->curves; i++)
		any = any || is_single(&own->curve[i]);
	put_curves(w, "singles", true);
	buf_printf(&w->commands, "single_series = %zu\n", any ? w->l->series_count : 0);
}

static bool timeline_has_series(const struct figure *fig, size_t series)
{
	const struct timeline_figure *own = (const struct timeline_figure *)fig;

	for (size_t i = 0; i < own->curves; i++)
		if (own->curve[i].series == series)
			return true;
	return false;
}

static void timeline_describe(const struct figure *fig, struct buf *b)
{
	const struct timeline_figure *own = (const struct timeline_figure *)fig;

	for (size_t i = 0; i < own->panels; i++)
		buf_printf(b, "%s; ", own->panel[i].shown);
}

static void timeline_clear(struct figure *fig)
{
	struct timeline_figure *own = (struct timeline_figure *)fig;

	for (size_t i = 0; i < own->panels; i++) {
		free(own->panel[i].name);
		free(own->panel[i].shown);
		free(own->panel[i].unit);
	}
	for (size_t i = 0; i < own->curves; i++)
		free(own->curve[i].point);
	free(own->panel);
	free(own->curve);
}

const struct figure_form form_timeline = { sizeof(struct timeline_figure),
	.no_symbols = true, .layout = panels_layout, .clear = timeline_clear,
	.has_series = timeline_has_series, .put_data = timeline_data,
	.describe = timeline_describe };
