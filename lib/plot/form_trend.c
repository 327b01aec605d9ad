/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The form of a trend: a line with the changes of its level, the levels between changes,
 * and flags.
 */
#include <math.h>
#include <stdlib.h>

#include "figure/figure_trend.h"
#include "plot/forms.h"
#include "plot/gnuplot_writer_priv.h"
#include "plot/layout_names.h"
#include "plot/layout_priv.h"

/* The most series that share a panel. */
enum { SERIES_TOGETHER = 4 };

static struct palette_color change_color(const struct trend_change *c)
{
	return c->worse    ? palette_verdict(TEXT("worse"))
	       : c->better ? palette_verdict(TEXT("better"))
	                   : palette_part[PALETTE_INK];
}

/* Returns the text next to a change, such as "+22.6% worse"; allocated. */
static char *change_text(const struct trend_change *c)
{
	if (!(c->before > 0))
		return str_copy(c->worse ? "worse" : c->better ? "better" : "");
	return str_format("%+.3g%%%s", (c->after / c->before - 1) * 100,
	    c->worse    ? " worse"
	    : c->better ? " better"
	                : "");
}

static double canvas_y(const struct layout *l, size_t series, double value)
{
	return layout_canvas_y(l, layout_value(l, series, value));
}

/* The obstacles that remarks must not cover. */
struct remark_room {
	struct names_line *line;
	struct names_dot *dot;
	size_t lines, dots;
};

/* Collects the obstacles of one panel, or of all series if panel is SIZE_MAX. */
static struct remark_room remark_room(
    const struct layout *l, const struct trend_figure *own, size_t panel)
{
	const struct figure *fig = &own->common;
	struct remark_room r = { 0 };

	r.line = mem_zero(own->levels + own->changes + 1, sizeof(*r.line));
	r.dot = mem_zero(fig->marks, sizeof(*r.dot));
	for (size_t i = 0; i < own->levels; i++) {
		const struct trend_level *v = &own->level[i];

		if (panel == SIZE_MAX || v->series == l->series[panel])
			r.line[r.lines++] = (struct names_line){ layout_canvas_x(
				                                     l, v->from),
				canvas_y(l, v->series, v->value), layout_canvas_x(l, v->to),
				canvas_y(l, v->series, v->to_value) };
	}
	for (size_t i = 0; i < own->changes; i++) {
		const struct trend_change *v = &own->change[i];

		if (panel == SIZE_MAX || v->series == l->series[panel])
			r.line[r.lines++] = (struct names_line){ layout_canvas_x(l, v->x),
				canvas_y(l, v->series, v->before), layout_canvas_x(l, v->x),
				canvas_y(l, v->series, v->after) };
	}
	for (size_t i = 0; i < fig->marks; i++)
		if (mark_count(&fig->mark[i]) &&
		    (panel == SIZE_MAX || fig->mark[i].series == l->series[panel]))
			r.dot[r.dots++] = (struct names_dot){ layout_canvas_x(
				                                  l, fig->mark[i].x),
				canvas_y(l, fig->mark[i].series, fig->mark[i].s.median) };
	if (panel != SIZE_MAX) {
		const struct placed *name = &l->name.item[panel];

		r.line[r.lines++] = (struct names_line){ name->x, name->y,
			name->x + layout_columns(name->text, true) * l->column, name->y };
	}
	return r;
}

/* Places the remarks next to the changes of one panel, or of all series. A remark covers a
 * point rather than being left out, but never another remark. */
static void place_remarks(
    struct layout *l, const struct trend_figure *own, size_t panel, bool image)
{
	struct names_point *point = mem_zero(own->changes, sizeof(*point));
	size_t *of = mem_zero(own->changes, sizeof(*of)), n = 0, shown = 0;
	char **text = mem_zero(own->changes, sizeof(*text));
	struct remark_room o = remark_room(l, own, panel);
	double high = (l->bottom - l->top) / (double)l->panels.count;
	struct names_room room = { l->left, l->right, l->top, l->bottom, l->column, l->row,
		o.line, o.lines, o.dot, o.dots, false };

	if (panel != SIZE_MAX) {
		room.top = l->top + high * (double)panel;
		room.bottom = room.top + high;
	}
	for (size_t i = 0; i < own->changes; i++) {
		const struct trend_change *c = &own->change[i];

		if (panel != SIZE_MAX && c->series != l->series[panel])
			continue;
		text[n] = change_text(c);
		point[n] = (struct names_point){ .x = layout_canvas_x(l, c->x),
			.y = canvas_y(l, c->series, c->after),
			.width = layout_columns(text[n], image) };
		of[n++] = i;
	}
	names_place(point, n, &room);
	for (size_t i = 0; i < n; i++)
		shown += point[i].shown;
	if (shown < n) {
		room.dots = 0;
		names_place(point, n, &room);
	}
	for (size_t i = 0; i < n; i++) {
		if (!point[i].shown) {
			free(text[i]);
			continue;
		}
		layout_place(&l->remark, text[i], point[i].name_x, point[i].name_y);
		l->remark.item[l->remark.count - 1].color =
		    change_color(&own->change[of[i]]);
	}
	free(o.line);
	free(o.dot);
	free(point);
	free(text);
	free(of);
}

/* Places the names of the flags in a row above the axes, those that have room. */
static void place_flags(struct layout *l, const struct trend_figure *own, bool image)
{
	double end = 0;

	for (size_t i = 0; i < own->flags; i++) {
		double width = layout_columns(own->flag[i].text, image) * l->column,
		       x = fmin(layout_canvas_x(l, own->flag[i].x),
		           l->width - width - l->column);

		if (x < end)
			continue;
		end = x + width + l->column;
		layout_place(&l->remark, str_copy(own->flag[i].text), x,
		    l->top - (image ? 0.5 : 1) * l->row);
		l->remark.item[l->remark.count - 1].color = palette_part[PALETTE_FAINT];
	}
}

static void prepare_trend(
    struct layout *l, const struct figure *fig, const struct canvas *c)
{
	(void)fig;
	layout_panels(l, c, SERIES_TOGETHER);
}

static int trend_layout(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	const struct trend_figure *own = (const struct trend_figure *)fig;

	if (own->flags)
		l->top += l->row;
	if (layout_line(l, fig, c, f) < 0)
		return -1;
	if (l->panels.count)
		for (size_t p = 0; p < l->panels.count; p++)
			place_remarks(l, own, p, !c->text);
	else
		place_remarks(l, own, SIZE_MAX, !c->text);
	place_flags(l, own, !c->text);
	return 0;
}

/* Returns the number of a series among those that are drawn. */
static double drawn_index(const struct layout *l, size_t series)
{
	size_t k = 0;

	while (k + 1 < l->series_count && l->series[k] != series)
		k++;
	return (double)k;
}

static void trend_data(struct gnuplot_writer *w)
{
	const struct trend_figure *own = (const struct trend_figure *)w->fig;
	const struct layout *l = w->l;
	double *at = mem_zero(own->flags, sizeof(*at));

	gnuplot_put_marks(w);
	buf_str(
	    &w->commands, "$changes << EOD\n# x before after percent worse series color\n");
	for (size_t i = 0; i < own->changes; i++) {
		const struct trend_change *c = &own->change[i];

		gnuplot_put_numbers(w,
		    (double[]){ c->x, layout_value(l, c->series, c->before),
		        layout_value(l, c->series, c->after),
		        c->before > 0 ? (c->after / c->before - 1) * 100 : NAN, c->worse,
		        drawn_index(l, c->series), gnuplot_shade(w, change_color(c)) },
		    7);
	}
	if (!own->changes)
		buf_str(&w->commands, "-1e30 -1e30 -1e30 0 0 0 0\n");
	buf_printf(&w->commands,
	    "EOD\nchanges = %zu\n$levels << EOD\n# from to value series to_value\n",
	    own->changes);
	for (size_t i = 0; i < own->levels; i++) {
		const struct trend_level *v = &own->level[i];

		gnuplot_put_numbers(w,
		    (double[]){ v->from, v->to, layout_value(l, v->series, v->value),
		        drawn_index(l, v->series),
		        layout_value(l, v->series, v->to_value) },
		    5);
	}
	buf_str(&w->commands, own->levels ? "EOD\n" : "-1e30 -1e30 -1e30 0 -1e30\nEOD\n");
	for (size_t i = 0; i < own->flags; i++)
		at[i] = own->flag[i].x;
	gnuplot_set_numbers(w, "flag_at", at, own->flags);
	free(at);
}

static void trend_clear(struct figure *fig)
{
	struct trend_figure *own = (struct trend_figure *)fig;

	for (size_t i = 0; i < own->flags; i++)
		free(own->flag[i].text);
	free(own->change);
	free(own->level);
	free(own->flag);
}

const struct figure_form form_trend = { sizeof(struct trend_figure), .along_x = true,
	.names_on_screen = true, .layout = trend_layout, .prepare = prepare_trend,
	.clear = trend_clear, .put_data = trend_data };
