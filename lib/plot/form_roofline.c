/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The form of a roofline: named points below the roofs of their devices, on logarithmic
 * axes.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure_roofline.h"
#include "plot/forms.h"
#include "plot/gnuplot_writer_priv.h"
#include "plot/layout_names.h"
#include "plot/layout_priv.h"
#include "text/plural.h"

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

/* The lines and points that names must not cover, in units of the layout. */
struct roofline_room {
	struct names_room names;
	struct names_line *line;
	struct names_dot *dot;
};

static struct roofline_room room_of(const struct layout *l, const struct figure *fig)
{
	const struct roofline_figure *own = (const struct roofline_figure *)fig;
	struct roofline_room r = {
		.line = mem_zero(fig->marks * 2 + 2 * l->series_count + 1, sizeof(*r.line)),
		.dot = mem_zero(fig->marks, sizeof(*r.dot))
	};
	size_t lines = 0;

	for (size_t k = 0; k < l->series_count; k++) {
		double x[3], y[3];
		size_t corners = roof_corners(l, &own->roof[l->series[k]], x, y);

		for (size_t i = 0; i + 1 < corners; i++)
			r.line[lines++] = (struct names_line){ layout_canvas_x(l, x[i]),
				layout_canvas_y(l, y[i]), layout_canvas_x(l, x[i + 1]),
				layout_canvas_y(l, y[i + 1]) };
	}
	for (size_t i = 0; i < fig->marks; i++) {
		const struct mark *m = &fig->mark[i];
		double x = layout_canvas_x(l, m->x), u = l->unit.size;

		r.dot[i] = (struct names_dot){ x, layout_canvas_y(l, m->s.median / u) };
		if (isfinite(m->s.ci_lo) && isfinite(m->s.ci_hi) && m->s.ci_lo > 0)
			r.line[lines++] =
			    (struct names_line){ x, layout_canvas_y(l, m->s.ci_lo / u), x,
				    layout_canvas_y(l, m->s.ci_hi / u) };
	}
	r.names = (struct names_room){ .left = l->left,
		.right = l->right,
		.top = l->top,
		.bottom = l->bottom,
		.column = l->column,
		.row = l->row,
		.line = r.line,
		.lines = lines,
		.dot = r.dot,
		.dots = fig->marks };
	return r;
}

/* Adds a name as a line that later names must not cross. */
static void keep_name(
    struct layout *l, struct roofline_room *r, const struct names_point *p, char *text)
{
	r->line[r->names.lines++] = (struct names_line){ p->name_x, p->name_y,
		p->name_x + p->width * l->column, p->name_y };
	layout_place(&l->name, text, p->name_x, p->name_y);
}

/* Names one part of a roof at the first of several places along it where the name covers
 * nothing: above the flat part, or to the left of the slope. Devices with equal peaks need
 * only one name. */
static void name_part(struct layout *l, struct roofline_room *r,
    const struct names_line *part, char *text, bool image)
{
	static const double share[] = { 0.5, 0.6, 0.4, 0.7, 0.3, 0.8, 0.2, 0.9, 0.1, 0.95 };
	struct names_point p = { .width = layout_columns(text, image), .fixed = true };
	bool named = false;
	double slope = (part->y2 - part->y1) / (part->x2 - part->x1);

	for (size_t i = 0; i < l->name.count; i++)
		named = named || strcmp(l->name.item[i].text, text) == 0;
	for (size_t i = 0; i < COUNT(share) && !p.shown && !named; i++) {
		double x = part->x1 + (part->x2 - part->x1) * share[i],
		       y = part->y1 + (part->y2 - part->y1) * share[i];

		if (slope < 0) {
			p.y = y - l->row * 0.3;
			p.x = x + 0.85 * l->row / slope - (p.width + 0.3) * l->column;
		} else {
			p.y = y - l->row * 0.6;
			p.x = x - p.width * l->column / 2;
		}
		names_place(&p, 1, &r->names);
	}
	if (p.shown)
		keep_name(l, r, &p, text);
	else
		free(text);
}

/* Names the roofs, such as "479 Gflop/s" and "58.1 GB/s". */
static void name_roofs(struct layout *l, const struct roofline_figure *own,
    struct roofline_room *r, const struct canvas *c)
{
	for (size_t k = 0; k < l->series_count; k++) {
		const struct roofline_roof *roof = &own->roof[l->series[k]];
		double x[3], y[3];
		size_t n = roof_corners(l, roof, x, y);

		for (size_t i = 0; i + 1 < n; i++) {
			const struct names_line part = { layout_canvas_x(l, x[i]),
				fmax(layout_canvas_y(l, y[i]), l->top),
				layout_canvas_x(l, x[i + 1]),
				layout_canvas_y(l, y[i + 1]) };
			bool flat = roof->flop_rate > 0 && i + 2 == n;

			name_part(l, r, &part,
			    layout_quantity(flat ? roof->flop_rate : roof->bandwidth,
			        flat ? "flop/s" : "B/s", c->utf8),
			    !c->text);
		}
	}
}

static void keep_leader(struct placed *name, const struct names_point *p)
{
	name->led = p->led;
	name->from_x = p->leader.x1;
	name->from_y = p->leader.y1;
	name->to_x = p->leader.x2;
	name->to_y = p->leader.y2;
}

/* Places the names of points and roofs where they overlap nothing. */
static void place_names(
    struct layout *l, const struct roofline_figure *own, const struct canvas *c)
{
	const struct figure *fig = &own->common;
	struct names_point *point = mem_zero(fig->marks, sizeof(*point));
	struct roofline_room r = room_of(l, fig);
	char **text = mem_zero(fig->marks, sizeof(*text));

	name_roofs(l, own, &r, c);
	for (size_t i = 0; i < fig->marks; i++) {
		point[i] = (struct names_point){ .x = r.dot[i].x, .y = r.dot[i].y };
		text[i] = str_copy(fig->mark[i].label);
	}
	layout_fit(text, fig->marks, 34, c->utf8, !c->text);
	for (size_t i = 0; i < fig->marks; i++)
		point[i].width = layout_columns(text[i], !c->text);
	r.names.dots = 0;
	r.names.leaders = !c->text;
	names_place(point, fig->marks, &r.names);
	for (size_t i = 0; i < fig->marks; i++)
		if (point[i].shown) {
			layout_place(&l->name, text[i], point[i].name_x, point[i].name_y);
			keep_leader(&l->name.item[l->name.count - 1], &point[i]);
		} else {
			l->unnamed++;
			free(text[i]);
		}
	free(point);
	free(r.line);
	free(r.dot);
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
		return fault_set(f,
		    "flop_rate from %g to %g at %g to %g flop/B cannot be drawn: the "
		    "numbers are too large or too small for an axis",
		    lo, hi, x_lo, x_hi);
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
		    plural(l->unnamed, " does", "s do"));
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

/* Writes the lines from points to their names as parts of the screen's width and height. */
static void put_leaders(struct gnuplot_writer *w)
{
	const struct layout *l = w->l;
	size_t leaders = 0;

	buf_str(&w->commands, "$leaders << EOD\n# from x y, to x y\n");
	for (size_t i = 0; i < l->name.count; i++) {
		const struct placed *p = &l->name.item[i];

		if (!p->led)
			continue;
		gnuplot_put_numbers(w,
		    (double[]){ p->from_x / l->width, 1 - p->from_y / l->height,
		        p->to_x / l->width, 1 - p->to_y / l->height },
		    4);
		leaders++;
	}
	buf_printf(&w->commands, "EOD\nleaders = %zu\n", leaders);
}

static void roofline_data(struct gnuplot_writer *w)
{
	gnuplot_put_marks(w);
	put_roofs(w);
	put_leaders(w);
}

static void roofline_clear(struct figure *fig)
{
	free(((struct roofline_figure *)fig)->roof);
}

const struct figure_form form_roofline = { sizeof(struct roofline_figure),
	.names_on_screen = true, .layout = roofs_layout, .clear = roofline_clear,
	.put_data = roofline_data };
