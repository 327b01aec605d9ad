/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The form of lanes, one below the other, along a value axis: the names of categories are
 * on the left, and a note is on the right of each lane.
 */
#include <math.h>
#include <stdlib.h>

#include "plot/forms.h"
#include "plot/layout_priv.h"

/* Returns the largest number of values in a bin. */
static size_t peak_of(const struct bins *bins, const struct mark *m)
{
	size_t *count = bins_count(bins, m), peak = 0;

	for (size_t i = 0; i < bins->count; i++)
		peak = count[i] > peak ? count[i] : peak;
	free(count);
	return peak;
}

/* Appends a part to the note of a lane. */
PRINTF_LIKE(2, 3) static void put_part(struct buf *note, const char *fmt, ...)
{
	va_list ap;

	if (note->len)
		buf_str(note, ", ");
	va_start(ap, fmt);
	buf_vprintf(note, fmt, ap);
	va_end(ap);
}

/* Returns the note on the right of a lane; allocated. */
static char *note_of(const struct layout *l, const struct figure *fig, const struct mark *m,
    const struct canvas *c)
{
	struct buf note = { 0 };
	char *median = layout_quantity(mark_median(m), fig->unit, c->utf8);
	const size_t n = mark_count(m);
	const bool bins = fig->kind->bins;

	if (m->note)
		put_part(&note, "%s", m->note);
	else if (n && !bins)
		put_part(&note, "%s%s", m->limits && isnan(m->s.median) ? ">" : "", median);
	if (n && !fig->same_n)
		put_part(&note, "n = %zu", n);
	if (m->n && bins)
		put_part(&note, "peak %zu", peak_of(&l->bins, m));
	if (m->limits)
		put_part(&note, "%zu timed out", m->limits);
	if (m->failed)
		put_part(&note, "%zu failed", m->failed);
	if (!note.len)
		put_part(&note, "no value");
	free(median);
	return note.ptr;
}

/* Places lanes one below the other, with a gap between categories that have several, and
 * their names. */
static void stack_lanes(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	double at = 1, gap = 0;

	for (size_t i = 0, end; i < fig->marks; i = end) {
		for (end = i + 1; end < fig->marks && fig->mark[end].x == fig->mark[i].x;)
			end++;
		if (end - i > 1)
			gap = c->text ? 1 : 0.5;
	}
	for (size_t i = 0, end; i < fig->marks; i = end) {
		at += i ? gap : 0;
		for (end = i; end < fig->marks && fig->mark[end].x == fig->mark[i].x; end++)
			l->at[end] = at++;
		layout_place(&l->lane, str_copy(fig->mark[i].label), 0,
		    c->text ? l->at[i + (end - i - 1) / 2]
		            : (l->at[i] + l->at[end - 1]) / 2);
	}
	l->lane_from = c->text ? 0 : 0.3;
	l->lane_to = c->text ? at : at - 0.3;
}

/* Returns the height of a lane in pixels, or in rows if `rows` rows of a terminal are free.
 */
static double lane_pitch(
    const struct layout *l, const struct figure *fig, const struct canvas *c, double rows)
{
	bool bins = fig->kind->bins;

	if (!c->text)
		return (bins                     ? (fig->marks == 1 ? 200 : 84)
		           : l->series_count > 1 ? 24
		                                 : 34) *
		       l->font / LAYOUT_FONT;
	double fit = floor(rows / l->lane_to);
	if (bins)
		return fit < 3 ? 3 : fit > 9 ? 9 : fit;
	return fit >= 2 && l->lane_to == (double)fig->marks + 1 ? 2 : 1;
}

/* Sets the label of the value axis, such as "wall (ms), in bins of 2 ms" or "wall,
 * logarithmic, 5 bins per decade". */
static void label_bins(struct layout *l, const struct figure *fig, bool utf8)
{
	double width = l->bins.width;
	struct axis_unit u = axis_unit_for(width * (1 + 1e-9), fig->unit, utf8);
	char *label = layout_value_label(l, fig);

	if (!l->bins.log)
		l->value_label = str_format("%s, in bins of %.6g%s%s", label,
		    width / u.size, u.text[0] ? " " : "", u.text);
	else if (width < 1)
		l->value_label =
		    str_format("%s, logarithmic, %.0f bins per decade", label, 1 / width);
	else
		l->value_label = str_format(
		    "%s, logarithmic, in bins of a factor of %.6g", label, pow(10, width));
	free(label);
}

/* Sets the label of a logarithmic value axis, on which bars do not begin at zero. */
static void label_logarithm(struct layout *l, const struct figure *fig)
{
	char *label = layout_value_label(l, fig);

	l->value_label = str_format("%s, logarithmic%s", label,
	    fig->kind->from_zero ? ": bars do not begin at 0" : "");
	free(label);
}

/* Width of the values' axis in columns for which names are shortened further. */
enum { LEAST_PLOT = 12 };

/* The fraction of the width that names may have. */
static const double NAMES_SHARE = 0.45;

/* Cuts the names of lanes to a width in columns, and places the left end of the axis. */
static void fit_names(struct layout *l, const struct canvas *c, double width)
{
	layout_cut(&l->lane, width, c->utf8, !c->text);
	l->left = (layout_widest(&l->lane, !c->text) + (c->text ? 1 : 2)) * l->column;
}

static int lanes_layout(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	double tail = layout_tail(l, c, 2);

	stack_lanes(l, fig, c);
	fit_names(l, c, l->width / l->column * NAMES_SHARE);
	/* Bins come first, because the notes show their peaks. The width of notes is
	 * bounded, but not yet known.
	 */
	l->right = l->width - 22 * l->column;
	if (layout_value_axis(l, fig, c, l->right - l->left, 7 * l->column, f) < 0)
		return -1;
	for (size_t i = 0; i < fig->marks; i++)
		layout_place(&l->note, note_of(l, fig, &fig->mark[i], c), 0, l->at[i]);
	l->right = l->width - (layout_widest(&l->note, !c->text) +
	                          (fig->censored && !c->text ? 4 : 3)) *
	                          l->column;
	if (l->right - l->left < LEAST_PLOT * l->column)
		fit_names(l, c, fmax(10, l->right / l->column - LEAST_PLOT - 2));
	l->lane_pitch = lane_pitch(l, fig, c, l->height - l->top - tail - 1);
	if (c->text) {
		for (size_t i = 0; i < fig->marks; i++) {
			l->at[i] *= l->lane_pitch;
			l->note.item[i].y *= l->lane_pitch;
		}
		for (size_t i = 0; i < l->lane.count; i++)
			l->lane.item[i].y *= l->lane_pitch;
		l->lane_to *= l->lane_pitch;
	}
	layout_end_lanes(l, c, tail);
	if (fig->kind->bins)
		label_bins(l, fig, c->utf8);
	else if (!fig->kind->around_one && l->value.log)
		label_logarithm(l, fig);
	return 0;
}

const struct figure_form form_lanes = { sizeof(struct figure), .layout = lanes_layout };
