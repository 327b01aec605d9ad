/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The common part of all layouts; see layout.h. Text is measured by counting characters,
 * with a generous width for each, and more for characters that are wide in most fonts: a
 * margin that is slightly too wide is harmless, but a cut label is not. Each row of text
 * above the axes (title, subtitle, key) has its own place, so that nothing overlaps.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/figure_form.h"
#include "plot/layout_priv.h"
#include "text/display_text.h"
#include "text/display_width.h"
#include "text/units.h"

enum {
	PIXEL_WIDTH = 800,
	SUBTITLE_LINES = 3,
};

void layout_place(struct placed_list *list, char *text, double x, double y)
{
	*VEC_ADD(list->item, list->count, list->cap) = (struct placed){ text, x, y };
}

void layout_placed_free(struct placed_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->item[i].text);
	free(list->item);
}

/*
 * Returns the number of cells that gnuplot uses for a text on a terminal: its columns, plus
 * one for each character without width.
 */
static size_t cells_of(struct text t)
{
	size_t cells = 0;

	while (t.len) {
		struct display_char c = display_char(t);

		cells += c.columns ? c.columns : 1;
		t = (struct text){ t.ptr + c.bytes, t.len - c.bytes };
	}
	return cells;
}

double layout_columns(const char *s, bool picture)
{
	double columns =
	    (double)(picture ? display_width(text_of(s)) : cells_of(text_of(s)));

	for (; picture && *s; s++) {
		unsigned char c = (unsigned char)*s;

		columns += strchr("MWmw@%&<>+=#~^", c)   ? 0.7
		           : c >= 'A' && c <= 'Z'        ? 0.3
		           : c >= '0' && c <= '9'        ? 0.1
		           : c >= 0xe1 /* from U+1000 */ ? 0.8
		                                         : 0;
	}
	return columns;
}

double layout_widest(const struct placed_list *list, bool picture)
{
	double width = 0;

	for (size_t i = 0; i < list->count; i++)
		width = fmax(width, layout_columns(list->item[i].text, picture));
	return width;
}

void layout_cut(struct placed_list *list, double width, bool utf8)
{
	char **text = mem_zero(list->count, sizeof(*text));

	for (size_t i = 0; i < list->count; i++)
		text[i] = list->item[i].text;
	display_text_fit(text, list->count, width < 1 ? 1 : (size_t)width, utf8);
	for (size_t i = 0; i < list->count; i++)
		list->item[i].text = text[i];
	free(text);
}

char *layout_quantity(double value, const char *unit, bool utf8)
{
	char text[64], *micro;

	units_print(text, sizeof(text), value, unit);
	micro = strstr(text, "µ");
	if (micro && !utf8) {
		*micro = 'u';
		memmove(micro + 1, micro + 2, strlen(micro + 2) + 1);
	}
	return str_copy(text);
}

static bool has_series(const struct figure *fig, size_t series)
{
	if (fig->kind->form->has_series)
		return fig->kind->form->has_series(fig, series);
	for (size_t i = 0; i < fig->marks; i++)
		if (fig->mark[i].series == series)
			return true;
	return false;
}

/* Returns the look of a series. Where there are more series than colors, the colors repeat
 * with other dashes and symbols. */
static struct layout_hue hue_of(
    const struct figure *fig, size_t series, const struct canvas *c)
{
	unsigned slot = fig->slot ? fig->slot[series] : (unsigned)series;
	size_t last = fig->series_count - 1;

	if (fig->colors == COLORS_OF_VERDICTS)
		return (struct layout_hue){ .color = palette_verdict(
			                        text_of(fig->series[series])) };
	if (fig->colors == COLORS_OF_RANKS && !c->text)
		return (struct layout_hue){ .color = palette_ramp(
			                        last ? (double)series / (double)last : 1),
			.point = slot };
	return (struct layout_hue){ palette_series[slot % PALETTE_SLOTS],
		slot / PALETTE_SLOTS, slot + slot / PALETTE_SLOTS };
}

/* Chooses the series that are drawn and their looks. */
static void choose_series(
    struct layout *l, const struct figure *fig, const struct canvas *c)
{
	l->series = mem_zero(fig->series_count, sizeof(*l->series));
	l->hue = mem_zero(fig->series_count, sizeof(*l->hue));
	for (size_t s = 0; s < fig->series_count; s++)
		if (has_series(fig, s)) {
			l->hue[l->series_count] = hue_of(fig, s, c);
			l->series[l->series_count++] = s;
		}
}

/* Places the entries of the key in rows below the subtitle; y counts rows. Returns the
 * number of rows. */
static double flow_key(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	double x = l->column, width = l->width / l->column, y = 0;

	if (fig->kind->form->no_key || (l->series_count < 2 && !*fig->series[l->series[0]]))
		return 0;
	for (size_t k = 0; k < l->series_count; k++)
		layout_place(&l->key, str_copy(fig->series[l->series[k]]), 0, 0);
	layout_cut(&l->key, fmin(60, width - 6), c->utf8);
	for (size_t k = 0; k < l->key.count; k++) {
		double own = layout_columns(l->key.item[k].text, !c->text) + 4;

		if (k && x + (own - 2) * l->column > l->width) {
			x = l->column;
			y++;
		}
		l->key.item[k].x = x;
		l->key.item[k].y = y;
		x += own * l->column;
	}
	return y + 1;
}

static void wrap(struct layout *l, const struct figure *fig, bool utf8)
{
	char *line[SUBTITLE_LINES], **part;
	size_t width = (size_t)(l->width / l->column) - 2, n = 0;

	part = mem_zero(1 + fig->what.count + fig->held.count, sizeof(*part));
	if (l->first_words)
		part[n++] = l->first_words;
	for (size_t i = 0; i < fig->what.count; i++)
		part[n++] = fig->what.text[i];
	for (size_t i = 0; i < fig->held.count; i++)
		part[n++] = fig->held.text[i];
	n = display_text_wrap(part, n, width, utf8, line, SUBTITLE_LINES);
	for (size_t i = 0; i < n; i++)
		*VEC_ADD(l->subtitle.text, l->subtitle.count, l->subtitle.cap) = line[i];
	free(part);
}

/* Places the rows above the axes: title, subtitle and key. */
static void head(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	double row = 1, key_rows;

	l->title = str_copy(fig->title);
	display_text_fit(&l->title, 1,
	    (size_t)(l->width / l->column / (c->text ? 1 : 1.25)) - 2, c->utf8);
	wrap(l, fig, c->utf8);
	row += (double)l->subtitle.count;
	key_rows = flow_key(l, fig, c);
	l->first_line = c->text ? 0 : l->row * 0.9;
	for (size_t k = 0; k < l->key.count; k++)
		l->key.item[k].y = l->first_line + (row + l->key.item[k].y) * l->row;
	l->top = l->first_line + (row + key_rows) * l->row;
	l->value_label_y = l->top;
	if (c->text && !fig->kind->lanes)
		l->top += 1;
}

char *layout_value_label(const struct layout *l, const struct figure *fig)
{
	return l->unit.text[0] ? str_format("%s (%s)", fig->metric, l->unit.text)
	                       : str_copy(fig->metric);
}

/* Checks that everything fits. Returns 0, or -1 and the message. */
static int check_room(const struct layout *l, const struct figure *fig,
    const struct canvas *c, struct fault *f)
{
	if (l->bottom - l->top < (fig->kind->lanes ? 1 : 3) * l->row ||
	    l->right - l->left < 10 * l->column)
		return fault_set(f,
		    "a picture of %g by %g has no room for everything: enlarge "
		    "it with --size or draw fewer subjects",
		    l->width, l->height);
	if (c->text && fmax(l->width, l->height) > LAYOUT_TEXT_MAX)
		return fault_set(f,
		    "a text of %g by %g is too large for gnuplot (%d at most): draw "
		    "fewer subjects, or write a picture with -o",
		    l->width, l->height, LAYOUT_TEXT_MAX);
	return 0;
}

int layout_make(struct layout *l, const struct figure *fig, const struct canvas *canvas,
    struct fault *f)
{
	const struct canvas *c = canvas;
	const struct figure_form *form = fig->kind->form;

	double font = c->font > 0 ? c->font : LAYOUT_FONT;

	*l = (struct layout){ .column = c->text ? 1 : font * 0.6,
		.row = c->text ? 1 : font * 20 / LAYOUT_FONT,
		.font = font,
		.width = c->width ? c->width : PIXEL_WIDTH,
		.height = c->height };
	l->at = mem_zero(fig->marks, sizeof(*l->at));
	if (l->width < 40 * l->column)
		return fault_set(f,
		    "a picture %g wide is too narrow: make it at least %g wide", l->width,
		    40 * l->column);
	choose_series(l, fig, c);
	if (form->prepare)
		form->prepare(l, fig, c);
	head(l, fig, c);
	if (form->layout(l, fig, c, f) < 0 || check_room(l, fig, c, f) < 0)
		return -1;
	if (!l->value_label)
		l->value_label = layout_value_label(l, fig);
	if (!l->x_label)
		l->x_label = str_copy(fig->kind->lanes ? "" : fig->x_name);
	return 0;
}

void layout_free(struct layout *l)
{
	for (size_t i = 0; i < l->subtitle.count; i++)
		free(l->subtitle.text[i]);
	free(l->subtitle.text);
	layout_placed_free(&l->lane);
	layout_placed_free(&l->note);
	layout_placed_free(&l->key);
	layout_placed_free(&l->name);
	for (size_t i = 0; i < l->panels.count; i++)
		axis_free(&l->panels.axis[i]);
	free(l->panels.axis);
	free(l->panels.unit);
	axis_free(&l->value);
	axis_free(&l->x);
	free(l->title);
	free(l->value_label);
	free(l->x_label);
	free(l->at);
	free(l->series);
	free(l->hue);
	free(l->first_words);
	free(l->shade);
}
