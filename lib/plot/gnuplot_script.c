/*
 * Writing gnuplot; see gnuplot_script.h. No text that comes from outside stands in a command, not
 * even quoted: gnuplot expands @macros by counting quotes, and miscounts them when both
 * sorts are mixed. Texts are lines of a data block, which gnuplot keeps as they are and
 * never looks into, each behind a mark so that none can be the block's end; commands name
 * them by their numbers. All else is a number or a word of ours.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/display_text.h"
#include "plot/palette.h"
#include "plot/gnuplot_script.h"
#include "text/units.h"

static const char *background(const struct script_look *look)
{
	return look->dark ? "#16191d" : "#ffffff";
}

static void terminal_svg(
    struct buf *b, const struct layout *l, const struct script_look *look)
{
	buf_printf(b,
	    "set terminal svg noenhanced size %.0f,%.0f font 'sans-serif,%u' background "
	    "'%s'\n",
	    l->width, l->height, look->format->font_size, background(look));
}

static void terminal_png(
    struct buf *b, const struct layout *l, const struct script_look *look)
{
	buf_printf(b,
	    "set terminal pngcairo noenhanced size %.0f,%.0f font 'sans-serif,%u' "
	    "background '%s'\n",
	    l->width, l->height, look->format->font_size, background(look));
}

/* 96 pixels an inch; at that size gnuplot draws 10 points of font as 13 and a third. */
static void terminal_pdf(
    struct buf *b, const struct layout *l, const struct script_look *look)
{
	buf_printf(b,
	    "set terminal pdfcairo noenhanced size %.3fin,%.3fin font 'sans-serif,%u' "
	    "fontscale 0.75 background '%s'\n",
	    l->width / 96, l->height / 96, look->format->font_size, background(look));
}

static void terminal_text(
    struct buf *b, const struct layout *l, const struct script_look *look)
{
	buf_printf(b, "set terminal dumb nofeed noenhanced size %.0f,%.0f %s\n", l->width,
	    l->height,
	    look->colours > 8 ? "ansi256"
	    : look->colours   ? "ansi"
	                      : "mono");
}

const struct script_format script_formats[] = {
	{ "svg", false, false, 13, terminal_svg },
	{ "png", false, false, 10, terminal_png },
	{ "pdf", false, false, 10, terminal_pdf },
	{ "html", false, true, 13, terminal_svg },
	{ "txt", true, false, 0, terminal_text },
};
const size_t script_formats_count = COUNT(script_formats);

const struct script_format *script_format_find(const char *name)
{
	for (size_t i = 0; i < script_formats_count; i++)
		if (strcmp(script_formats[i].name, name) == 0)
			return &script_formats[i];
	return NULL;
}

struct writer {
	struct buf commands, said; /* said: the lines of the block of texts */
	size_t texts;
	const struct figure *fig;
	const struct layout *l;
	const struct script_look *look;
	double swarm; /* the width of a strip's cells */
};

static void put_number(struct writer *w, double x)
{
	char text[NUMBER_TEXT_MAX];

	if (isfinite(x))
		buf_put(&w->commands, text, number_print(text, x));
	else
		buf_str(&w->commands, "NaN");
}

static void put_numbers(struct writer *w, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_str(&w->commands, i ? " " : "");
		put_number(w, x[i]);
	}
	buf_byte(&w->commands, '\n');
}

static void set_number(struct writer *w, const char *name, double x)
{
	buf_printf(&w->commands, "%s = ", name);
	put_number(w, x);
	buf_byte(&w->commands, '\n');
}

static void set_text(struct writer *w, const char *name, const char *text)
{
	buf_printf(&w->said, ">%s\n", text);
	buf_printf(&w->commands, "%s = said(%zu)\n", name, ++w->texts);
}

/* An array cannot be empty, so there is always room for one; NAME_count tells. */
static void set_array(struct writer *w, const char *name, size_t count)
{
	buf_printf(&w->commands, "%s_count = %zu\narray %s[%zu]\n", name, count, name,
	    count ? count : 1);
}

static void set_texts(struct writer *w, const char *name, char *const *text, size_t count)
{
	set_array(w, name, count);
	for (size_t i = 0; i < count; i++) {
		char *element = str_format("%s[%zu]", name, i + 1);

		set_text(w, element, text[i]);
		free(element);
	}
}

static void set_numbers(struct writer *w, const char *name, const double *x, size_t count)
{
	set_array(w, name, count);
	for (size_t i = 0; i < count; i++) {
		char *element = str_format("%s[%zu]", name, i + 1);

		set_number(w, element, x[i]);
		free(element);
	}
}

/* Places on the screen, as gnuplot counts: from 0 to 1, from the bottom left. */
static double screen_x(const struct writer *w, double x)
{
	return w->look->format->text ? x / (w->l->width - 1) : x / w->l->width;
}

static double screen_y(const struct writer *w, double y)
{
	return 1 - (w->look->format->text ? y / (w->l->height - 1) : y / w->l->height);
}

/* NAME, NAME_at (y) and, for places on the screen, NAME_x. */
static void put_placed(
    struct writer *w, const char *name, const struct placed_list *list, bool on_screen)
{
	char **text = mem_zero(list->count, sizeof(*text));
	double *x = mem_zero(list->count, sizeof(*x)),
	       *y = mem_zero(list->count, sizeof(*y));
	char *name_x = str_format("%s_x", name), *name_y = str_format("%s_at", name);

	for (size_t i = 0; i < list->count; i++) {
		const struct placed *p = &list->item[i];

		text[i] = p->text;
		x[i] = screen_x(w, p->x);
		y[i] = on_screen ? screen_y(w, p->y) : p->y;
	}
	set_texts(w, name, text, list->count);
	set_numbers(w, name_y, y, list->count);
	if (on_screen)
		set_numbers(w, name_x, x, list->count);
	free(text);
	free(x);
	free(y);
	free(name_x);
	free(name_y);
}

/* Names inside the axes: in the axes' units, or on the screen. */
static void put_names(struct writer *w)
{
	const struct placed_list *list = &w->l->name;
	double *x = mem_zero(list->count, sizeof(*x));

	put_placed(w, "name", list, w->fig->kind->roofs);
	if (w->fig->kind->roofs) {
		free(x);
		return;
	}
	for (size_t i = 0; i < list->count; i++)
		x[i] = list->item[i].x;
	set_numbers(w, "name_x", x, list->count);
	free(x);
}

/* The texts of tics are formats to gnuplot, so their per cent signs are doubled. */
static char *tic_format(const char *text)
{
	struct buf b = { 0 };

	for (; *text; text++) {
		if (*text == '%')
			buf_byte(&b, '%');
		buf_byte(&b, *text);
	}
	return b.ptr ? b.ptr : str_copy("");
}

static void put_axis(struct writer *w, const char *name, const struct axis *a)
{
	char *tic = str_format("%s_tic", name), *at = str_format("%s_tic_at", name);
	double *place = mem_zero(a->tics, sizeof(*place));

	buf_printf(&w->commands, "%s_log = %d\n%s_from = ", name, a->log, name);
	put_number(w, a->from);
	buf_printf(&w->commands, "\n%s_to = ", name);
	put_number(w, a->to);
	buf_byte(&w->commands, '\n');
	set_array(w, tic, a->tics);
	for (size_t i = 0; i < a->tics; i++) {
		char *element = str_format("%s[%zu]", tic, i + 1),
		     *text = tic_format(a->tic[i].text);

		set_text(w, element, text);
		place[i] = a->tic[i].at;
		free(element);
		free(text);
	}
	set_numbers(w, at, place, a->tics);
	free(place);
	free(tic);
	free(at);
}

static void put_point(struct writer *w, size_t i)
{
	const struct mark *m = &w->fig->mark[i];
	const struct summary *s = &m->s;
	struct whiskers box = whiskers_of(m);
	double u = w->l->unit.size;

	if (!m->n)
		return;
	put_numbers(w,
	    (double[]){ w->l->at[i], s->median / u, (double)m->n, s->min / u, s->max / u,
	        box.q1 / u, box.q3 / u, box.lo / u, box.hi / u },
	    9);
}

/* A mark with too few values has no interval: none is drawn, and a ribbon is broken there.
 */
static void put_interval(struct writer *w, size_t i)
{
	const struct summary *s = &w->fig->mark[i].s;
	double u = w->l->unit.size;

	if (isfinite(s->ci_lo))
		put_numbers(w,
		    (double[]){ w->l->at[i], s->median / u, s->ci_lo / u, s->ci_hi / u },
		    4);
	else if (!w->fig->kind->lanes && w->commands.len > 1 &&
	         w->commands.ptr[w->commands.len - 2] != '\n')
		buf_byte(&w->commands, '\n');
}

/* Outliers that no eye could part are drawn once. */
static void put_outliers(struct writer *w, size_t i)
{
	const struct mark *m = &w->fig->mark[i];
	struct whiskers box = whiskers_of(m);
	double last = -INFINITY;

	for (size_t k = 0; k < m->n; k++) {
		double value = m->value[k] / w->l->unit.size,
		       place = axis_place(&w->l->value, value);

		if ((k >= box.first && k < box.last) || place - last < 1e-3)
			continue;
		put_numbers(w, (double[]){ w->l->at[i], value }, 2);
		last = place;
	}
}

static void put_bins(struct writer *w, size_t i)
{
	const struct bins *bins = &w->l->bins;
	size_t *count = bins_count(bins, &w->fig->mark[i]);
	double u = w->l->unit.size;

	for (size_t k = 0; k < bins->count; k++) {
		double lo = bins->first + (double)k * bins->width;

		if (count[k])
			put_numbers(w,
			    (double[]){ w->l->at[i], lo / u, (lo + bins->width) / u,
			        (double)count[k] },
			    4);
	}
	free(count);
}

/*
 * A histogram of characters: each column of the terminal shows the bin that it begins in,
 * piled from rows that are full (8) but for the top one.
 */
static void put_cells(struct writer *w, size_t i)
{
	const struct layout *l = w->l;
	const struct bins *bins = &l->bins;
	size_t *count = bins_count(bins, &w->fig->mark[i]);
	double columns = l->right - l->left,
	       end = bins->first + bins->width * (double)bins->count;

	for (double c = 0; c < columns; c++) {
		double value = l->value.from + (l->value.to - l->value.from) * c / columns,
		       raw = value * l->unit.size, eighths;

		if (raw < bins->first || raw >= end)
			continue;
		eighths = (double)count[bins_find(bins, raw)] / (double)l->peak * 8 *
		          (l->lane_pitch - 1);
		eighths = ceil(eighths - 1e-9);
		for (double up = 0; eighths > 0; up++, eighths -= 8)
			put_numbers(
			    w, (double[]){ l->at[i] - up, value, fmin(eighths, 8) }, 3);
	}
	free(count);
}

/*
 * The colours of cells: anchors of cividis (J. R. Nunez, C. R. Anderton, R. S. Renslow,
 * "Optimizing colormaps with consideration for color vision deficiency", PLoS ONE 13
 * (2018)), even in lightness for all who see.
 */
static const unsigned ramp[] = { 0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678,
	0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838 };

static unsigned ramp_at(double share)
{
	double at = share * (double)(COUNT(ramp) - 1);
	size_t i = at >= (double)(COUNT(ramp) - 1) ? COUNT(ramp) - 2 : (size_t)at;
	unsigned colour = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		double from = ramp[i] >> shift & 255, to = ramp[i + 1] >> shift & 255;

		colour |= (unsigned)lround(from + (to - from) * (at - (double)i)) << shift;
	}
	return colour;
}

/* A cell's number: what fits of it in three significant digits, or nothing. */
static void cell_text(const struct writer *w, double value, char *text, size_t size)
{
	double size_of = fabs(value);

	snprintf(text, size, "%.*f",
	    size_of >= 100 || size_of == 0 ? 0
	    : size_of >= 10                ? 1
	                                   : 2,
	    value);
	if (size_of != 0 && (size_of < 0.01 || size_of >= 1e5))
		snprintf(text, size, "%.2g", value);
	if ((double)strlen(text) + (w->look->format->text ? 1 : 0) > w->l->cell_columns)
		snprintf(text, size, "\"\"");
}

static void put_cell(struct writer *w, size_t i)
{
	const struct mark *m = &w->fig->mark[i];
	unsigned colour = ramp_at(w->l->shade[i]);
	char text[64];
	size_t k = 0;

	if (!m->n)
		return;
	while (w->l->series[k] != m->series)
		k++;
	cell_text(w, m->s.median / w->l->unit.size, text, sizeof(text));
	buf_printf(&w->commands, "%zu %g ", k + 1, w->l->at[i]);
	put_number(w, m->s.median / w->l->unit.size);
	buf_printf(&w->commands, " %u %u %s\n", colour,
	    w->l->shade[i] < 0.5 ? 0xffffffu : 0x000000u, text);
}

enum { DOTS_MAX = 2400, SWARM = 7 };

/* Values of a mark that lie within a width of each other, from `from` on: their end. */
static size_t swarm_end(
    const struct writer *w, const struct mark *m, size_t from, double width)
{
	const struct axis *axis = &w->l->value;
	double u = w->l->unit.size,
	       cell = floor(axis_place(axis, m->value[from] / u) / width);
	size_t end = from + 1;

	while (end < m->n && floor(axis_place(axis, m->value[end] / u) / width) == cell)
		end++;
	return end;
}

/*
 * How wide, in parts of the axis, the cells of a strip have to be, so that with at most
 * SWARM dots in each the picture has no more of them than DOTS_MAX.
 */
static double swarm_width(const struct writer *w)
{
	double width = 1 / ((w->l->right - w->l->left) / (w->look->format->text ? 1 : 4));

	for (;; width *= 2) {
		size_t dots = 0;

		for (size_t i = 0; i < w->fig->marks; i++) {
			const struct mark *m = &w->fig->mark[i];

			for (size_t k = 0, end; k < m->n; k = end) {
				end = swarm_end(w, m, k, width);
				dots += end - k < SWARM ? end - k : SWARM;
			}
		}
		if (dots <= DOTS_MAX || width > 1)
			return width;
	}
}

/*
 * Values that would lie on each other are spread across the lane, from its middle; more of
 * them than there is room for change nothing. The last, which may be the extreme, stays.
 */
static void put_dots(struct writer *w, size_t i)
{
	const struct mark *m = &w->fig->mark[i];
	double u = w->l->unit.size;

	for (size_t k = 0, end; k < m->n; k = end) {
		end = swarm_end(w, m, k, w->swarm);
		size_t shown = end - k < SWARM ? end - k : SWARM;

		for (size_t d = 0; d < shown; d++) {
			size_t at = d + 1 == shown ? end - 1 : k + d;
			double away = (double)((d + 1) / 2) / (SWARM + 1) * 0.8;

			put_numbers(w,
			    (double[]){ w->l->at[i] + (d % 2 ? -away : away),
			        m->value[at] / u, (double)(end - k) },
			    3);
			if (w->look->format->text)
				break;
		}
	}
}

/* The share that is not larger than each value; of those within a pixel the first and last.
 */
static void put_steps(struct writer *w, size_t i)
{
	const struct mark *m = &w->fig->mark[i];
	double u = w->l->unit.size, room = w->l->right - w->l->left, drawn = -INFINITY;

	if (m->n)
		put_numbers(w, (double[]){ m->value[0] / u, 0 }, 2);
	for (size_t k = 0; k < m->n; k++) {
		double value = m->value[k] / u,
		       column = floor(axis_place(&w->l->x, value) * room);
		bool last =
		    k + 1 == m->n ||
		    floor(axis_place(&w->l->x, m->value[k + 1] / u) * room) != column;

		if (k + 1 < m->n && m->value[k + 1] == m->value[k])
			continue;
		if (column == drawn && !last)
			continue;
		put_numbers(w, (double[]){ value, (double)(k + 1) / (double)m->n }, 2);
		drawn = column;
	}
}

/*
 * A block of data with one index a series: put writes the lines of one mark. A series
 * without lines still needs its index; what stands there lies far outside, because gnuplot
 * 5.4 crashes on labels at NaN.
 */
static void put_block(struct writer *w, const char *name, const char *columns,
    void (*put)(struct writer *w, size_t mark))
{
	buf_printf(&w->commands, "$%s << EOD\n# %s\n", name, columns);
	for (size_t k = 0; k < w->l->series_count; k++) {
		size_t before;

		buf_str(&w->commands, k ? "\n\n" : "");
		before = w->commands.len;
		for (size_t i = 0; i < w->fig->marks; i++)
			if (w->fig->mark[i].series == w->l->series[k])
				put(w, i);
		if (w->commands.len == before)
			buf_str(&w->commands, "1e9 1e9 1e9 1e9 1e9 1e9 1e9 1e9 1e9\n");
	}
	buf_str(&w->commands, "EOD\n");
}

static void put_places(struct writer *w)
{
	const struct layout *l = w->l;

	set_number(w, "left", screen_x(w, l->left));
	set_number(w, "right", screen_x(w, l->right));
	set_number(w, "top", screen_y(w, l->top));
	set_number(w, "bottom", screen_y(w, l->bottom));
	set_number(w, "column", screen_x(w, l->column));
	set_number(w, "row", 1 - screen_y(w, l->row));
	set_number(w, "columns", (l->right - l->left) / l->column);
	set_number(w, "first_line", screen_y(w, l->first_line));
	set_number(w, "value_label_at", screen_y(w, l->value_label_y));
	set_number(w, "lane_from", l->lane_from);
	set_number(w, "lane_to", l->lane_to);
}

/* The curves of a series, a blank line between them. */
static void put_curves(struct writer *w)
{
	const struct layout *l = w->l;
	const struct figure *fig = w->fig;

	buf_str(&w->commands, "$curves << EOD\n# x place value panel; an index a series\n");
	for (size_t k = 0; k < l->series_count; k++) {
		bool any = false;

		buf_str(&w->commands, k ? "\n\n" : "");
		for (size_t i = 0; i < fig->curves; i++) {
			const struct figure_curve *c = &fig->curve[i];

			if (c->series != l->series[k])
				continue;
			buf_str(&w->commands, any ? "\n" : "");
			any = true;
			for (size_t p = 0; p < c->count; p++) {
				double value =
				    c->point[p].value / l->panel_unit[c->panel].size;

				put_numbers(w,
				    (double[]){ c->point[p].x / l->x_size,
				        panel_place(l, fig->panels, c->panel, value), value,
				        (double)c->panel },
				    4);
			}
		}
	}
	buf_str(&w->commands, "EOD\n");
}

/* The roof of each series, and where the names of a roofline stand: on the screen. */
static void put_roofs(struct writer *w)
{
	const struct layout *l = w->l;

	buf_str(&w->commands, "$roofs << EOD\n# x y; an index a series\n");
	for (size_t k = 0; k < l->series_count; k++) {
		double x[3], y[3];
		size_t corners = layout_roof(l, &w->fig->roof[l->series[k]], x, y);

		buf_str(&w->commands, k ? "\n\n" : "");
		for (size_t i = 0; i < corners; i++)
			put_numbers(w, (double[]){ x[i], y[i] }, 2);
		if (!corners)
			buf_str(&w->commands, "1e-200 1e-200\n");
	}
	buf_str(&w->commands, "EOD\n");
}

/* Changes, levels and marks of a history. */
static void put_history(struct writer *w)
{
	const struct figure *fig = w->fig;
	double u = w->l->unit.size, *at = mem_zero(fig->flags, sizeof(*at));
	char **text = mem_zero(fig->flags, sizeof(*text));

	buf_str(&w->commands, "$changes << EOD\n# x before after percent worse series\n");
	for (size_t i = 0; i < fig->changes; i++) {
		const struct figure_change *c = &fig->change[i];

		put_numbers(w,
		    (double[]){ c->x, c->before / u, c->after / u,
		        c->before > 0 ? (c->after / c->before - 1) * 100 : NAN, c->worse,
		        (double)c->series },
		    6);
	}
	if (!fig->changes)
		buf_str(&w->commands, "-1e30 -1e30 -1e30 0 0 0\n");
	buf_printf(&w->commands,
	    "EOD\nchanges = %zu\n$levels << EOD\n# from to value series\n", fig->changes);
	for (size_t i = 0; i < fig->levels; i++)
		put_numbers(w,
		    (double[]){ fig->level[i].from, fig->level[i].to,
		        fig->level[i].value / u, (double)fig->level[i].series },
		    4);
	buf_str(&w->commands, fig->levels ? "EOD\n" : "-1e30 -1e30 -1e30 0\nEOD\n");
	for (size_t i = 0; i < fig->flags; i++) {
		at[i] = fig->flag[i].x;
		text[i] = fig->flag[i].text;
	}
	set_texts(w, "flag", text, fig->flags);
	set_numbers(w, "flag_at", at, fig->flags);
	free(at);
	free(text);
}

/* Whether the marks of a series lie so close that they are no more than their line. */
static bool is_dense(const struct figure *fig)
{
	enum { MANY = 120 };
	size_t own = 0;

	for (size_t i = 0; i < fig->marks; i++) {
		own = i && fig->mark[i].series == fig->mark[i - 1].series ? own + 1 : 1;
		if (own > MANY)
			return true;
	}
	return false;
}

static void put_series(struct writer *w)
{
	const struct layout *l = w->l;

	buf_printf(&w->commands, "series = %zu\ndense = %d\n", l->series_count,
	    !w->fig->kind->lanes && is_dense(w->fig));
	set_array(w, "slot", l->series_count);
	for (size_t k = 0; k < l->series_count; k++)
		buf_printf(&w->commands, "slot[%zu] = %u\n", k + 1, l->slot[k]);
	if (w->fig->kind->panels) {
		put_curves(w);
		return;
	}
	put_block(w, "points",
	    "at median n min max q1 q3 whisker_lo whisker_hi; an index a series",
	    put_point);
	if (w->fig->kind->interval)
		put_block(w, "intervals", "at median lo hi", put_interval);
	if (w->fig->kind->outliers)
		put_block(w, "outliers", "at value", put_outliers);
	if (w->fig->kind->roofs)
		put_roofs(w);
	if (w->fig->kind->history)
		put_history(w);
	if (w->fig->kind->grid)
		put_block(w, "cells", "column at median colour ink text", put_cell);
	if (w->fig->kind->dots) {
		w->swarm = swarm_width(w);
		put_block(w, "dots", "at value count", put_dots);
	}
	if (w->fig->kind->steps)
		put_block(w, "steps", "value share", put_steps);
	if (w->fig->kind->ratios)
		set_number(w, "ideal", w->fig->ideal);
	if (w->fig->kind->bins) {
		put_block(w, "bins", "at from to count", put_bins);
		buf_printf(&w->commands, "peak = %zu\n", l->peak);
	}
	if (w->fig->kind->bins && w->look->format->text)
		put_block(w, "cells", "row value eighths", put_cells);
}

void script_write(struct buf *b, const struct figure *fig, const struct layout *l,
    const struct script_look *look, struct text style, struct text template)
{
	struct writer w = { .fig = fig, .l = l, .look = look };
	const unsigned *palette = look->dark ? palette_dark : palette_light;

	if (look->format->text && look->colours == 8)
		palette = palette_terminal;
	buf_printf(&w.commands,
	    "font_size = %u\ntext = %d\ndark = %d\nutf8 = %d\ncolour = %d\n",
	    look->format->font_size, look->format->text, look->dark, look->utf8,
	    !look->format->text || look->colours);
	buf_printf(
	    &w.commands, "lanes = %d\narray COLOUR[%d]\n", fig->kind->lanes, PALETTE_SLOTS);
	for (unsigned i = 0; i < PALETTE_SLOTS; i++)
		buf_printf(&w.commands, "COLOUR[%u] = '#%06x'\n", i + 1, palette[i]);
	set_text(&w, "title", l->title);
	set_texts(&w, "subtitle", l->subtitle.text, l->subtitle.count);
	set_text(&w, "value_label", l->value_label);
	set_text(&w, "x_label", l->x_label);
	put_places(&w);
	put_axis(&w, "value", &l->value);
	put_axis(&w, "x", &l->x);
	put_placed(&w, "lane", &l->lane, false);
	put_placed(&w, "note", &l->note, false);
	put_names(&w);
	put_placed(&w, "key", &l->key, true);
	put_series(&w);

	buf_printf(b,
	    "# A picture by bench-plot(1), which runs alone: gnuplot FILE > picture.%s\n"
	    "reset session\nset encoding utf8\nset termoption noenhanced\n",
	    look->format->page ? "svg" : look->format->name);
	look->format->terminal(b, l, look);
	buf_str(b, "# The texts, which gnuplot never reads as commands.\n$said << EOD\n");
	buf_put(b, w.said.ptr, w.said.len);
	buf_str(b, "EOD\nsaid(i) = $said[i][2:*]\n");
	buf_put(b, w.commands.ptr, w.commands.len);
	buf_text(b, style);
	buf_text(b, template);
	buf_free(&w.commands);
	buf_free(&w.said);
}
