/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The form of a roofline: named points below the roofs of their devices, on logarithmic
 * axes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/figure_form.h"
#include "plot/figure_roofline.h"
#include "plot/gnuplot_writer_priv.h"
#include "plot/layout_names.h"
#include "plot/layout_priv.h"

/* Computes the corners of a series' roof in the units of the axes. Returns their number. */
static size_t roof_corners(
    const struct layout *l, const struct roofline_roof *roof, double x[3], double y[3])
{
	double peak = roof->flop_rate / l->unit.size,
	       slope = roof->bandwidth / l->unit.size;
	size_t n = 0;

	if (slope > 0) {
		x[n] = l->x.from;
		y[n++] = slope * l->x.from;
	}
	if (slope > 0 && peak > 0) {
		x[n] = peak / slope;
		y[n++] = peak;
	} else if (peak > 0) {
		x[n] = l->x.from;
		y[n++] = peak;
	}
	if (n) {
		x[n] = l->x.to;
		y[n] = peak > 0 ? peak : slope * l->x.to;
		n++;
	}
	return n;
}

static double at_x(const struct layout *l, double x)
{
	return l->left + axis_place(&l->x, x) * (l->right - l->left);
}

static double at_y(const struct layout *l, double y)
{
	return l->bottom - axis_place(&l->value, y) * (l->bottom - l->top);
}

/* Adds the names of roofs, such as "479 Gflop/s" and "58.1 GB/s". */
static size_t name_roofs(struct layout *l, const struct roofline_figure *own,
    const struct canvas *c, struct names_point *point, char **text)
{
	size_t n = 0;

	for (size_t k = 0; k < l->series_count; k++) {
		const struct roofline_roof *roof = &own->roof[l->series[k]];
		double x[3], y[3];
		size_t corners = roof_corners(l, roof, x, y);

		if (!corners)
			continue;
		if (roof->flop_rate > 0) {
			text[n] = layout_quantity(roof->flop_rate, "flop/s", c->utf8);
			point[n++] = (struct names_point){ .x = l->right - 10 * l->column,
				.y = at_y(l, y[corners - 1]) - l->row * 0.7 };
		}
		if (roof->bandwidth > 0) {
			double middle = exp((log(x[0]) + log(x[1])) / 2);

			text[n] = layout_quantity(roof->bandwidth, "B/s", c->utf8);
			point[n++] =
			    (struct names_point){ .x = at_x(l, middle) - 6 * l->column,
				    .y = at_y(l, roof->bandwidth / l->unit.size * middle) -
				         l->row * 0.7 };
		}
	}
	return n;
}

/* Places the names of points and roofs where they overlap nothing. */
static void place_names(
    struct layout *l, const struct roofline_figure *own, const struct canvas *c)
{
	const struct figure *fig = &own->common;
	size_t most = fig->marks + 2 * l->series_count, n = 0, lines = 0;
	struct names_point *point = mem_zero(most, sizeof(*point));
	struct names_line *line = mem_zero(2 * l->series_count, sizeof(*line));
	char **text = mem_zero(most, sizeof(*text));

	for (size_t k = 0; k < l->series_count; k++) {
		double x[3], y[3];
		size_t corners = roof_corners(l, &own->roof[l->series[k]], x, y);

		for (size_t i = 0; i + 1 < corners; i++)
			line[lines++] = (struct names_line){ at_x(l, x[i]), at_y(l, y[i]),
				at_x(l, x[i + 1]), at_y(l, y[i + 1]) };
	}
	n = name_roofs(l, own, c, point, text);
	for (size_t i = 0; i < fig->marks; i++, n++) {
		point[n] = (struct names_point){ .x = at_x(l, fig->mark[i].x),
			.y = at_y(l, fig->mark[i].s.median / l->unit.size) };
		text[n] = str_copy(fig->mark[i].label);
	}
	layout_fit(text, n, 34, c->utf8, !c->text);
	for (size_t i = 0; i < n; i++)
		point[i].width = layout_columns(text[i], !c->text) * (c->text ? 1 : 0.9);
	names_place(point, n,
	    &(struct names_room){ .left = l->left,
	        .right = l->right,
	        .top = l->top,
	        .bottom = l->bottom,
	        .column = l->column,
	        .row = l->row,
	        .line = line,
	        .lines = lines });
	for (size_t i = 0; i < n; i++)
		if (point[i].shown)
			layout_place(&l->name, text[i], point[i].name_x, point[i].name_y);
		else {
			l->unnamed++;
			free(text[i]);
		}
	free(point);
	free(line);
	free(text);
}

/* Lays out logarithmic axes that include all points and the bends of all roofs. */
static int roofs_layout(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	const struct roofline_figure *own = (const struct roofline_figure *)fig;
	double tail = layout_tail(l, c, 3), x_lo = INFINITY, x_hi = 0, lo = INFINITY,
	       hi = 0;

	if (!c->text && !c->fixed)
		l->height = l->top + LAYOUT_LINE_HEIGHT * 1.2 + tail;
	l->bottom = l->height - tail;
	l->right = l->width - 3 * l->column;
	for (size_t i = 0; i < fig->marks; i++) {
		const struct roofline_roof *roof = &own->roof[fig->mark[i].series];
		double ridge = roof->bandwidth > 0 && roof->flop_rate > 0
		                   ? roof->flop_rate / roof->bandwidth
		                   : fig->mark[i].x;

		l->at[i] = fig->mark[i].x;
		x_lo = fmin(x_lo, fmin(fig->mark[i].x, ridge));
		x_hi = fmax(x_hi, fmax(fig->mark[i].x, ridge));
		lo = fmin(lo, fig->mark[i].s.median);
		hi = fmax(hi, fmax(fig->mark[i].s.median, roof->flop_rate));
	}
	if (x_hi > 1e150 || x_lo < 1e-150 || hi > 1e150 || lo < 1e-150)
		return fault_set(
		    f, "the values %g to %g are too far apart for an axis", lo, hi);
	l->unit = axis_unit_for(hi, fig->unit, c->utf8);
	l->x = axis_log(x_lo / 3, x_hi * 3);
	l->value = axis_log(lo / 2 / l->unit.size, hi * 1.6 / l->unit.size);
	for (size_t i = 0; i < l->value.tics; i++)
		l->left =
		    fmax(l->left, ((double)strlen(l->value.tic[i].text) + 2) * l->column +
		                      (c->text ? 0 : l->row * 1.3));
	place_names(l, own, c);
	if (l->unnamed)
		l->x_label = str_format("%s; %zu name%s not fit", fig->x_name, l->unnamed,
		    l->unnamed == 1 ? " does" : "s do");
	return 0;
}

/* Writes the roof of each series. */
static void put_roofs(struct gnuplot_writer *w)
{
	const struct roofline_figure *own = (const struct roofline_figure *)w->fig;
	const struct layout *l = w->l;

	buf_str(&w->commands, "$roofs << EOD\n# x y; an index a series\n");
	for (size_t k = 0; k < l->series_count; k++) {
		double x[3], y[3];
		size_t corners = roof_corners(l, &own->roof[l->series[k]], x, y);

		buf_str(&w->commands, k ? "\n\n" : "");
		for (size_t i = 0; i < corners; i++)
			gnuplot_put_numbers(w, (double[]){ x[i], y[i] }, 2);
		if (!corners)
			buf_str(&w->commands, "1e-200 1e-200\n");
	}
	buf_str(&w->commands, "EOD\n");
}

static void roofline_data(struct gnuplot_writer *w)
{
	gnuplot_put_marks(w);
	put_roofs(w);
}

static void roofline_clear(struct figure *fig)
{
	free(((struct roofline_figure *)fig)->roof);
}

const struct figure_form form_roofline = { sizeof(struct roofline_figure),
	.names_on_screen = true, .layout = roofs_layout, .clear = roofline_clear,
	.put_data = roofline_data };
