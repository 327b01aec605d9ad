/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The form of plots of measurements under load: lines with a limit, marks of saturation,
 * and names of points.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure_load.h"
#include "plot/forms.h"
#include "plot/gnuplot_writer_priv.h"
#include "plot/layout_names.h"
#include "plot/layout_priv.h"

static double canvas_y(const struct layout *l, double value)
{
	return layout_canvas_y(l, value / l->unit.size);
}

/* Replaces the tics of x, which are those of the marks, by round ones. */
static void round_tics(struct layout *l, const struct figure *fig)
{
	double lo = INFINITY, hi = -INFINITY;

	for (size_t i = 0; i < fig->marks; i++) {
		lo = fmin(lo, fig->mark[i].x);
		hi = fmax(hi, fig->mark[i].x);
	}
	if (l->x.log)
		return;
	axis_free(&l->x);
	l->x = axis_linear(
	    lo, hi, true, (size_t)fmax(2, (l->right - l->left) / l->column / 9));
}

/* Places the name of the limit above its line, at the left or right end, and adds the line
 * to the room. */
static void place_limit(struct layout *l, const struct load_figure *own,
    const struct canvas *c, struct names_room *room, struct names_line *line)
{
	const double y = canvas_y(l, own->common.limit);

	for (int right = 0; right < 2 && !l->name.count; right++) {
		struct names_point at = { .fixed = true,
			.width = layout_columns(own->limit_name, !c->text) };

		at.x = right ? l->right - at.width * l->column : l->left + l->column / 2;
		at.y = y - (c->text ? 1 : 0.5) * l->row;
		names_place(&at, 1, room);
		if (at.shown || right)
			layout_place(&l->name, str_copy(own->limit_name), at.x, at.y);
	}
	line[room->lines++] = (struct names_line){ l->left, y, l->right, y };
}

/* Places the names of the marks where they overlap nothing. */
static void place_marks(struct layout *l, const struct figure *fig, const struct canvas *c,
    const struct names_room *room)
{
	struct names_point *point = mem_zero(fig->marks, sizeof(*point));

	for (size_t i = 0; i < fig->marks; i++)
		point[i] = (struct names_point){ .x = room->dot[i].x,
			.y = room->dot[i].y,
			.width = fig->mark[i].label
			             ? layout_columns(fig->mark[i].label, !c->text)
			             : 0 };
	names_place(point, fig->marks, room);
	for (size_t i = 0; i < fig->marks; i++)
		if (point[i].shown && fig->mark[i].label)
			layout_place(&l->name, str_copy(fig->mark[i].label),
			    point[i].name_x, point[i].name_y);
	free(point);
}

static void place_names(
    struct layout *l, const struct load_figure *own, const struct canvas *c)
{
	const struct figure *fig = &own->common;
	struct names_dot *dot = mem_zero(fig->marks, sizeof(*dot));
	struct names_line *line = mem_zero(fig->marks + 1, sizeof(*line));
	struct names_room room = { .left = l->left,
		.right = l->right,
		.top = l->top - l->row,
		.bottom = l->bottom,
		.column = l->column,
		.row = l->row,
		.line = line,
		.dot = dot,
		.dots = fig->marks };

	for (size_t i = 0; i < fig->marks; i++)
		dot[i] = (struct names_dot){ layout_canvas_x(l, fig->mark[i].x),
			canvas_y(l, mark_median(&fig->mark[i])) };
	for (size_t i = 1; i < fig->marks; i++)
		if (fig->mark[i].series == fig->mark[i - 1].series &&
		    mark_count(&fig->mark[i]) && mark_count(&fig->mark[i - 1]))
			line[room.lines++] = (struct names_line){ dot[i - 1].x,
				dot[i - 1].y, dot[i].x, dot[i].y };
	if (own->limit_name)
		place_limit(l, own, c, &room, line);
	if (own->names_marks)
		place_marks(l, fig, c, &room);
	free(dot);
	free(line);
}

static int load_layout(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	const struct load_figure *own = (const struct load_figure *)fig;

	if (layout_line(l, fig, c, f) < 0)
		return -1;
	if (own->round_x)
		round_tics(l, fig);
	place_names(l, own, c);
	return 0;
}

static void put_saturated(struct gnuplot_writer *w, size_t i)
{
	const struct load_figure *own = (const struct load_figure *)w->fig;
	const struct mark *m = &w->fig->mark[i];

	if (own->saturated && own->saturated[i])
		gnuplot_put_numbers(
		    w, (double[]){ w->l->at[i], mark_median(m) / w->l->unit.size }, 2);
}

static void load_data(struct gnuplot_writer *w)
{
	const struct load_figure *own = (const struct load_figure *)w->fig;

	gnuplot_put_marks(w);
	gnuplot_put_block(w, "saturated", "at value", put_saturated);
	buf_printf(&w->commands, "saturated_series = %zu\nlimits = %d\n",
	    own->saturated ? w->l->series_count : 0, own->limit_name != NULL);
	gnuplot_set_number(w, "limit", w->fig->limit / w->l->unit.size);
}

static void load_clear(struct figure *fig)
{
	struct load_figure *own = (struct load_figure *)fig;

	free(own->limit_name);
	free(own->saturated);
}

const struct figure_form form_load = { sizeof(struct load_figure), .along_x = true,
	.names_on_screen = true, .layout = load_layout, .clear = load_clear,
	.put_data = load_data };
