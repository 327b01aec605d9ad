/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The form of a heat map: cells colored by their medians; one factor has lanes, another has
 * columns.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/forms.h"
#include "plot/gnuplot_writer_priv.h"
#include "plot/layout_priv.h"
#include "stats/censored.h"
#include "text/units.h"

/*
 * Returns the length of a prefix such as "threads=" that all names of columns share, which
 * is then written once below them. A prefix with a blank is part of a command.
 */
static size_t common_name(const struct layout *l, const struct figure *fig)
{
	const char *first = fig->series[l->series[0]], *equals = strchr(first, '=');
	size_t len = equals ? (size_t)(equals - first) + 1 : 0;

	if (memchr(first, ' ', len))
		return 0;
	for (size_t k = 1; k < l->series_count; k++)
		if (strncmp(fig->series[l->series[k]], first, len) != 0)
			return 0;
	for (size_t k = 0; k < l->series_count; k++)
		if (strstr(fig->series[l->series[k]], ", "))
			return 0;
	return len;
}

/* Medians that differ by more than this factor are written in seconds at most, of which
 * powers of ten are parts: not in minutes. */
static const double FAR = 1e4, SECONDS = 1e9; /* in ns */

/* Computes the brightness of cells: 0 for the smallest median, 1 for the largest. */
static void shade_cells(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	double lo = INFINITY, hi = -INFINITY;
	bool logarithmic;

	for (size_t i = 0; i < fig->marks; i++)
		if (mark_count(&fig->mark[i])) {
			lo = fmin(lo, mark_median(&fig->mark[i]));
			hi = fmax(hi, mark_median(&fig->mark[i]));
		}
	logarithmic = lo > 0 && hi / lo > 20;
	l->unit = axis_unit_for(fmax(fabs(lo), fabs(hi)), fig->unit, c->utf8);
	if (logarithmic && strcmp(fig->unit, "ns") == 0 && hi / lo > FAR)
		l->unit = axis_unit_for(fmin(hi, SECONDS), fig->unit, c->utf8);
	l->first_words = str_format("median %s%s%s%s, brighter is larger%s", fig->metric,
	    l->unit.text[0] ? " (" : "", l->unit.text, l->unit.text[0] ? ")" : "",
	    logarithmic ? ", on a logarithmic scale" : "");
	l->shade = mem_zero(fig->marks, sizeof(*l->shade));
	for (size_t i = 0; i < fig->marks; i++) {
		double v = mark_median(&fig->mark[i]);

		l->shade[i] = !(hi > lo)    ? 0.5
		              : logarithmic ? (log(v) - log(lo)) / (log(hi) - log(lo))
		                            : (v / 2 - lo / 2) / (hi / 2 - lo / 2);
	}
}

/* Places the lanes, and the left and the right end of the cells. Returns the number of
 * lanes.
 */
static size_t place_lanes(
    struct layout *l, const struct figure *fig, const struct canvas *c)
{
	size_t lanes = 0;

	for (size_t i = 0; i < fig->marks; i++) {
		const struct mark *m = &fig->mark[i];
		bool begins = i == 0 || m->x != fig->mark[i - 1].x;

		lanes += begins;
		l->at[i] = (double)lanes;
		if (begins)
			layout_place(&l->lane, str_copy(m->label), 0, l->at[i]);
	}
	layout_cut(&l->lane, l->width / l->column * 0.45, c->utf8, !c->text);
	l->left = fmin((layout_widest(&l->lane, !c->text) + (c->text ? 1 : 2)) * l->column,
	    l->width * 0.55);
	l->right = l->width - 2 * l->column;
	return lanes;
}

/* Returns the name of a column after the prefix that all share, allocated: a number as on
 * an axis, such as "10k". */
static char *column_name(const char *name)
{
	char plain[NUMBER_TEXT_MAX + 1], text[NUMBER_TEXT_MAX + 16];
	double x;

	if (!number_parse(text_of(name), &x))
		return str_copy(name);
	plain[number_print(plain, x)] = '\0';
	axis_number(text, sizeof(text), x);
	return str_copy(strcmp(plain, name) == 0 ? text : name);
}

/* Names the columns below the cells, as many as fit. */
static void name_columns(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	size_t common = common_name(l, fig);
	struct placed_list names = { 0 };
	double end = -1;

	for (size_t k = 0; k < l->series_count; k++)
		layout_place(&names, column_name(fig->series[l->series[k]] + common), 0, 0);
	layout_cut(&names, fmax(l->cell_columns - 1, 8), c->utf8, !c->text);
	l->value = (struct axis){ .from = 0.5, .to = (double)l->series_count + 0.5 };
	l->value.tic = mem_zero(l->series_count, sizeof(*l->value.tic));
	for (size_t k = 0; k < names.count; k++) {
		double half = layout_columns(names.item[k].text, !c->text) / 2 + 0.5,
		       middle = ((double)k + 0.5) * l->cell_columns;
		struct tic *t = &l->value.tic[l->value.tics];

		if (middle - half < end)
			continue;
		end = middle + half;
		t->at = (double)k + 1;
		snprintf(t->text, sizeof(t->text), "%s", names.item[k].text);
		l->value.tics++;
	}
	layout_placed_free(&names);
	l->value_label = mem_text(fig->series[l->series[0]], common ? common - 1 : 0);
}

/* Lays out lanes below each other and columns side by side. */
static int grid_layout(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	double tail = layout_tail(l, c, 2), lanes = (double)place_lanes(l, fig, c);

	l->cell_columns = (l->right - l->left) / l->column / (double)l->series_count;
	if (c->text && l->cell_columns < 2)
		return fault_set(f, "%zu columns do not fit in %g characters",
		    l->series_count, l->right - l->left);
	name_columns(l, fig, c);
	l->lane_pitch = c->text ? 1 : 28 * l->font / LAYOUT_FONT;
	l->lane_from = c->text ? 0 : 0.5;
	l->lane_to = lanes + (c->text ? 1 : 0.5);
	if (c->text)
		l->height = l->top + lanes + tail + 2;
	else if (!c->fixed)
		l->height = l->top + lanes * l->lane_pitch + tail;
	l->bottom = c->text ? l->top + lanes + 1 : l->height - tail;
	return 0;
}

/*
 * The colors of cells: anchors of cividis (J. R. Nunez, C. R. Anderton, R. S. Renslow,
 * "Optimizing colormaps with consideration for color vision deficiency", PLoS ONE 13
 * (2018)), with uniform lightness for all kinds of color vision.
 */
static const unsigned ramp[] = { 0x00224e, 0x123570, 0x3b496c, 0x575d6d, 0x707173, 0x8a8678,
	0xa59c74, 0xc3b369, 0xe1cc55, 0xfee838 };

static unsigned ramp_at(double share)
{
	double at = share * (double)(COUNT(ramp) - 1);
	size_t i = at >= (double)(COUNT(ramp) - 1) ? COUNT(ramp) - 2 : (size_t)at;
	unsigned color = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		double from = ramp[i] >> shift & 255, to = ramp[i + 1] >> shift & 255;

		color |= (unsigned)lround(from + (to - from) * (at - (double)i)) << shift;
	}
	return color;
}

/* Writes a cell's number, after a sign if it is a lower bound, with three significant
 * digits, with two if they do not fit, or nothing. */
static void cell_text(
    const struct gnuplot_writer *w, struct bounded median, char *text, size_t size)
{
	double size_of = fabs(median.at), power = size_of > 0 ? floor(log10(size_of)) : 0;
	const char *sign = median.above ? ">" : "";

	for (int digits = 3; digits >= 2; digits--) {
		int decimals = (int)fmax(0, digits - 1 - power);

		if (size_of == 0)
			snprintf(text, size, "%s0", sign);
		else if (size_of < 1e-3 || size_of >= 1e5)
			snprintf(text, size, "%s%.*g", sign, digits, median.at);
		else
			snprintf(text, size, "%s%.*f", sign, decimals, median.at);
		if ((double)strlen(text) + (w->look->format->text ? 1 : 0) <=
		    w->l->cell_columns)
			return;
	}
	snprintf(text, size, "\"\"");
}

static void put_cell(struct gnuplot_writer *w, size_t i)
{
	const struct mark *m = &w->fig->mark[i];
	unsigned color;
	struct bounded median = { mark_median(m) / w->l->unit.size, isnan(m->s.median) };
	char text[512];
	size_t k = 0;

	if (!mark_count(m)) /* all values failed, so there is no shade */
		return;
	color = ramp_at(w->l->shade[i]);
	while (w->l->series[k] != m->series)
		k++;
	cell_text(w, median, text, sizeof(text));
	buf_printf(&w->commands, "%zu %g ", k + 1, w->l->at[i]);
	gnuplot_put_number(w, median.at);
	buf_printf(&w->commands, " %u %u %s\n", color,
	    w->l->shade[i] < 0.5 ? 0xfefefeu : 0x000000u, text);
}

static void grid_data(struct gnuplot_writer *w)
{
	gnuplot_put_marks(w);
	gnuplot_put_block(w, "cells", "column at median color ink text", put_cell);
}

const struct figure_form form_grid = { sizeof(struct figure), .no_key = true,
	.prepare = shade_cells, .layout = grid_layout, .put_data = grid_data };
