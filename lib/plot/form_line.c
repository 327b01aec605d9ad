/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The form of a line: values along a numeric x, in one panel or in one for each series.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/forms.h"
#include "plot/gnuplot_writer_priv.h"
#include "plot/layout_names.h"
#include "plot/layout_priv.h"

/* The most series that share a panel. */
enum { SERIES_TOGETHER = 12 };

/* Chooses the height of the axes, and of the plot unless it is fixed. */
static void choose_height(struct layout *l, const struct canvas *c)
{
	double tail = layout_tail(l, c, 3), panels = (double)l->panels.count,
	       height = LAYOUT_LINE_HEIGHT;

	if (panels > 0)
		height = panels * l->row * (panels > 8 ? 4.6 : 5.6);
	if (!c->text && !c->fixed)
		l->height = l->top + height + tail;
	l->bottom = l->height - tail;
}

/* Places the names of the panels, cut to their width, with the units of their values unless
 * all panels have one unit. */
static void name_panels(
    struct layout *l, const struct figure *fig, const struct canvas *c, bool one_unit)
{
	double height = (l->bottom - l->top) / (double)l->panels.count, widest = 0;

	for (size_t p = 0; p < l->panels.count; p++) {
		layout_place(&l->name, str_copy(fig->series[l->series[p]]), l->left,
		    l->top + height * ((double)p + (1 - l->panels.share) / 2));
		widest = fmax(widest, layout_columns(l->panels.unit[p].text, true) + 3);
	}
	layout_cut(&l->name, (l->right - l->left) / l->column - 2 - (one_unit ? 0 : widest),
	    c->utf8, true);
	for (size_t p = 0; p < l->panels.count && !one_unit; p++) {
		char *name = l->name.item[p].text;
		const char *unit = l->panels.unit[p].text;

		if (*unit) {
			l->name.item[p].text = str_format("%s (%s)", name, unit);
			free(name);
		}
	}
}

/* Lays out a panel for each series, with the name of the series and its unit. */
static int panel_axes(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	double height = (l->bottom - l->top) / (double)l->panels.count;
	bool one_unit = true;
	size_t cap = 0;

	layout_panels_open(l, c, height);
	for (size_t p = 0; p < l->panels.count; p++) {
		if (layout_panel_axis(l, fig, c, p, height / l->row * l->panels.share, f) <
		    0)
			return -1;
		layout_panel_tics(l, p, &cap);
		one_unit = one_unit && l->panels.unit[p].size == l->panels.unit[0].size;
	}
	name_panels(l, fig, c, one_unit);
	l->unit = l->panels.unit[0];
	l->value_label = one_unit ? layout_value_label(l, fig) : str_copy(fig->metric);
	return 0;
}

/* Lays out an ecdf, whose values lie along x. */
static int step_axes(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	struct canvas flat = *c;

	flat.log_y = c->log_x;
	if (layout_value_axis(l, fig, &flat, l->right - l->left, 9 * l->column, f) < 0)
		return -1;
	char *label = layout_value_label(l, fig);

	l->x_label = str_format("%s%s", label, l->value.log ? ", logarithmic" : "");
	l->value_label = str_copy("fraction of values");
	free(label);
	l->x = l->value;
	l->value = axis_linear(0, 1, true, c->text ? 4 : 5);
	return 0;
}

/* Returns whether a percentage has at most 8 decimals, unlike that of a third. */
static bool is_decimal(double percent)
{
	double last = percent * 1e8;

	return fabs(last - round(last)) < 1e-3;
}

/* Lays out the x axis of quantiles, along 1 / (1 - q) from the median up: a tenth as many
 * values are beyond each decade as beyond the one before. Twice the count is the position
 * of the largest value. */
static void quantile_axis(struct layout *l, const struct figure *fig)
{
	size_t most = 2, kept = 0, cap;

	for (size_t i = 0; i < fig->marks; i++)
		most = mark_count(&fig->mark[i]) > most ? mark_count(&fig->mark[i]) : most;
	l->x = axis_log(2, 2 * (double)most);
	cap = l->x.tics;
	if (!cap || l->x.tic[0].at != 2) {
		VEC_ADD(l->x.tic, l->x.tics, cap);
		memmove(l->x.tic + 1, l->x.tic, (l->x.tics - 1) * sizeof(*l->x.tic));
		l->x.tic[0].at = 2;
	}
	for (size_t i = 0; i < l->x.tics; i++) {
		double at = l->x.tic[i].at;

		if (!is_decimal(100 / at))
			continue;
		l->x.tic[kept].at = at;
		snprintf(l->x.tic[kept].text, sizeof(l->x.tic[kept].text), "%.12g%%",
		    100 - 100 / at);
		kept++;
	}
	l->x.tics = kept;
	l->x_label = str_copy("quantile");
}

int layout_line(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	double width = 0;
	int status = 0;

	choose_height(l, c);
	l->left = 8 * l->column;
	l->right = l->width - 3 * l->column;
	for (size_t i = 0; i < fig->marks; i++)
		l->at[i] = fig->mark[i].x;
	if (fig->kind->steps)
		status = step_axes(l, fig, c, f);
	else if (fig->kind->quantiles)
		quantile_axis(l, fig);
	else
		status = layout_x_axis(l, fig, c, f);
	if (status == 0 && l->panels.count)
		status = panel_axes(l, fig, c, f);
	else if (status == 0 && !fig->kind->steps)
		status = layout_value_axis(
		    l, fig, c, l->bottom - l->top, l->row * (c->text ? 4 : 2.2), f);
	for (size_t i = 0; i < l->value.tics; i++)
		width = fmax(width, layout_columns(l->value.tic[i].text, !c->text));
	l->left = (width + 2) * l->column + (c->text ? 0 : l->row * 1.3);
	for (size_t i = 0; i < l->name.count; i++)
		l->name.item[i].x = l->left + l->column / 2;
	return status;
}

/* Adds the name of the ideal line next to it, at the first place where it covers nothing.
 */
static void name_ideal(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	static const char name[] = "ideal";
	struct names_dot *dot = mem_zero(fig->marks, sizeof(*dot));
	struct names_room room = { .left = l->left,
		.right = l->right,
		.top = l->top,
		.bottom = l->bottom,
		.column = l->column,
		.row = l->row,
		.dot = dot,
		.dots = fig->marks };

	for (size_t i = 0; i < fig->marks; i++)
		dot[i] = (struct names_dot){ layout_canvas_x(l, fig->mark[i].x),
			layout_canvas_y(l, mark_median(&fig->mark[i]) / l->unit.size) };
	for (int step = 19; step > 0 && !l->name.count; step--) {
		double x = l->x.log ? l->x.from * pow(l->x.to / l->x.from, step / 20.0)
		                    : l->x.from + (l->x.to - l->x.from) * step / 20;
		double y = layout_canvas_y(l, fig->ideal * x / l->unit.size);
		struct names_point at = { .width = layout_columns(name, !c->text),
			.fixed = true };

		at.x = layout_canvas_x(l, x) - (at.width + 1) * l->column;
		at.y = y - 0.4 * l->row;
		if (y > l->top && y < l->bottom)
			names_place(&at, 1, &room);
		if (at.shown)
			layout_place(&l->name, str_copy(name), at.name_x, at.name_y);
	}
	free(dot);
}

static int line_layout(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	if (layout_line(l, fig, c, f) < 0)
		return -1;
	if (fig->ideal > 0)
		name_ideal(l, fig, c);
	return 0;
}

/* Writes the model of growth from a mark to the next one of its series. */
static void put_growth(struct gnuplot_writer *w, size_t i)
{
	enum { STEPS = 16 };
	const struct mark *m = &w->fig->mark[i], *next = m + 1;
	double ratio;

	if (!w->fig->growth || i + 1 == w->fig->marks || next->series != m->series ||
	    !(m->x > 0))
		return;
	ratio = next->x / m->x;
	for (int step = 0; step <= STEPS; step++) {
		double x = m->x * pow(ratio, (double)step / STEPS);

		gnuplot_put_numbers(w,
		    (double[]){ x, layout_value(w->l, m->series,
		                       figure_growth_at(w->fig, m->series, x)) },
		    2);
	}
}

static void line_data(struct gnuplot_writer *w)
{
	gnuplot_put_marks(w);
	if (!w->fig->kind->interval || w->fig->kind->ratios)
		return;
	gnuplot_put_block(w, "growth", "x value of the model", put_growth);
	buf_printf(
	    &w->commands, "growth_series = %zu\n", w->fig->growth ? w->l->series_count : 0);
}

static void prepare_line(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	if (!fig->kind->steps && !fig->kind->quantiles && !fig->kind->ratios)
		layout_panels(l, c, SERIES_TOGETHER);
}

const struct figure_form form_line = { sizeof(struct figure), .along_x = true,
	.names_on_screen = true, .layout = line_layout, .prepare = prepare_line,
	.put_data = line_data };
