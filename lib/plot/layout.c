/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The common part of all layouts; see layout.h. Text is measured by counting characters,
 * with a generous width for each, and more for characters that are wide in most fonts: a
 * margin that is slightly too wide is harmless, but a cut label is not. Each row of text
 * above the axes (title, subtitle, key) has its own place, so that nothing overlaps.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure_form.h"
#include "plot/layout_priv.h"
#include "text/display_text.h"
#include "text/display_width.h"
#include "text/units.h"

enum {
	PIXEL_WIDTH = 800,
	SUBTITLE_LINES = 3,
	FOOTER_LINES = 2,
	LEAST_COLUMNS = 40,
	HOLLOW = 6, /* the number of a hollow circle in style.gp */
};

void layout_place(struct placed_list *list, char *text, double x, double y)
{
	*VEC_ADD(list->item, list->count, list->cap) =
	    (struct placed){ .text = text, .x = x, .y = y };
}

void layout_placed_free(struct placed_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->item[i].text);
	free(list->item);
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
			                        text_of(fig->series[series])),
			.point = strcmp(fig->series[series], "unsure") == 0 ? HOLLOW : 0 };
	if (fig->colors == COLORS_OF_RANKS && !c->text)
		return (struct layout_hue){ .color = palette_ramp(
			                        last ? (double)series / (double)last : 1),
			.point = slot };
	return (struct layout_hue){ .color = palette_series[slot % PALETTE_SLOTS],
		.dash = slot / PALETTE_SLOTS,
		.point = slot + slot / PALETTE_SLOTS };
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

/* Returns whether the marks of a series lie so close that only their line is drawn. */
static bool is_dense(const struct figure *fig)
{
	enum { MANY = 120 };
	size_t own = 0;

	for (size_t i = 0; i < fig->marks && !fig->kind->lanes; i++) {
		own = i && fig->mark[i].series == fig->mark[i - 1].series ? own + 1 : 1;
		if (own > MANY)
			return true;
	}
	return false;
}

/* Returns whether lines are drawn without symbols. The key then shows their dashes. */
static bool lacks_symbols(
    const struct layout *l, const struct figure *fig, const struct canvas *c)
{
	const struct figure_kind *kind = fig->kind;

	return !c->text &&
	       (l->dense || kind->steps || kind->quantiles || kind->form->no_symbols);
}

/* Cuts the entries of the key to their room, and adds to series that coincide with another
 * the name of that one. */
static void cut_key(struct layout *l, const struct canvas *c)
{
	static const char words[] = " (same as )";
	double room = l->width / l->column - 6;
	bool same = false;

	for (size_t k = 0; k < l->series_count; k++)
		same = same || l->same[k] != k;
	if (same)
		room = (room - sizeof(words)) / 2;
	layout_cut(&l->key, fmin(60, room), c->utf8, !c->text);
	for (size_t k = l->key.count; k-- > 0;) {
		char *name = l->key.item[k].text;

		if (l->same[k] == k)
			continue;
		l->key.item[k].text =
		    str_format("%s (same as %s)", name, l->key.item[l->same[k]].text);
		free(name);
	}
}

/* Places the entries of the key in rows below the subtitle; y counts rows. Returns the
 * number of rows. */
static double flow_key(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	double x = l->column, y = 0;

	if (fig->kind->form->no_key || l->panels.count ||
	    (l->series_count < 2 && !*fig->series[l->series[0]]))
		return 0;
	for (size_t k = 0; k < l->series_count; k++)
		layout_place(&l->key, str_copy(fig->series[l->series[k]]), 0, 0);
	cut_key(l, c);
	for (size_t k = 0; k < l->key.count; k++) {
		double own = layout_columns(l->key.item[k].text, !c->text) +
		             (l->key_lines ? 6 : 4);

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

static void wrap_subtitle(
    struct layout *l, const struct figure *fig, const struct canvas *c)
{
	char **part = mem_zero(1 + fig->what.count + fig->held.count, sizeof(*part));
	size_t n = 0;

	if (l->first_words)
		part[n++] = l->first_words;
	for (size_t i = 0; i < fig->what.count; i++)
		part[n++] = fig->what.text[i];
	for (size_t i = 0; i < fig->held.count; i++)
		part[n++] = fig->held.text[i];
	layout_wrap(&l->subtitle, part, n, l->width / l->column - 2, SUBTITLE_LINES,
	    c->utf8, !c->text);
	free(part);
}

/* Places the rows above the axes: title, subtitle and key. */
static void head(struct layout *l, const struct figure *fig, const struct canvas *c)
{
	double row = 1, key_rows;

	l->title = str_copy(fig->title);
	layout_fit(&l->title, 1, l->width / l->column / (c->text ? 1 : 1.25) - 2, c->utf8,
	    !c->text);
	wrap_subtitle(l, fig, c);
	layout_wrap(&l->footer, fig->origin.text, fig->origin.count,
	    l->width / l->column - 2, FOOTER_LINES, c->utf8, !c->text);
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

double layout_tail(const struct layout *l, const struct canvas *c, double rows)
{
	return ((c->text ? rows : 2.6) + (double)l->footer.count) * l->row;
}

void layout_end_lanes(struct layout *l, const struct canvas *c, double tail)
{
	double plot = c->text ? l->lane_to : (l->lane_to - l->lane_from) * l->lane_pitch;

	if (c->text)
		l->height = l->top + plot + tail + 1;
	else if (!c->fixed)
		l->height = l->top + plot + tail;
	l->bottom = c->text ? l->top + plot : l->height - tail;
}

char *layout_value_label(const struct layout *l, const struct figure *fig)
{
	return l->unit.text[0] ? str_format("%s (%s)", fig->metric, l->unit.text)
	                       : str_copy(fig->metric);
}

/* Returns whether everything has room without overlaps. */
static bool has_room(
    const struct layout *l, const struct figure *fig, const struct canvas *c)
{
	const struct figure_kind *kind = fig->kind;
	double high = l->bottom - l->top, lanes = l->lane_to - l->lane_from, least = 3;

	if (l->width < LEAST_COLUMNS * l->column || l->right - l->left < 10 * l->column)
		return false;
	if (kind->lanes)
		least = c->text ? 1 : lanes * (kind->bins ? 1.8 : 0.85);
	if (l->panels.count)
		least = (double)l->panels.count * (c->text ? 2 : 2.8);
	return high >= least * l->row * (1 - 1e-9);
}

/* Lays out a figure. Returns 0; or -1 and the message, with l->crowded if it does not fit.
 */
static int try_layout(
    struct layout *l, const struct figure *fig, const struct canvas *c, struct fault *f)
{
	const struct figure_form *form = fig->kind->form;
	double font = c->font > 0 ? c->font : LAYOUT_FONT;
	struct axis *across = fig->kind->lanes ? &l->value : &l->x;

	*l = (struct layout){ .column = c->text ? 1 : font * 0.6,
		.row = c->text ? 1 : font * 20 / LAYOUT_FONT,
		.font = font,
		.width = c->width ? c->width : PIXEL_WIDTH,
		.height = c->height };
	l->at = mem_zero(fig->marks, sizeof(*l->at));
	choose_series(l, fig, c);
	if (form->prepare)
		form->prepare(l, fig, c);
	layout_find_same(l, fig);
	l->dense = is_dense(fig);
	l->key_lines = lacks_symbols(l, fig, c);
	l->crowded = l->width < 20 * l->column;
	if (l->crowded)
		return fault_set(f, "too narrow");
	head(l, fig, c);
	if (form->layout(l, fig, c, f) < 0)
		return -1;
	l->crowded = !has_room(l, fig, c);
	if (l->crowded)
		return fault_set(f, "too small");
	if (!l->value_label)
		l->value_label = layout_value_label(l, fig);
	if (!l->x_label)
		l->x_label = str_copy(fig->kind->lanes ? "" : fig->x_name);
	layout_thin(across, (l->right - l->left) / l->column, -l->left / l->column,
	    (l->width - l->left) / l->column, !c->text);
	return 0;
}

/* Returns the height of a figure in a canvas of this size (height 0: as high as it needs),
 * or 0 if it does not fit. */
static double height_in(
    const struct figure *fig, struct canvas c, unsigned width, unsigned height)
{
	struct layout l;
	struct fault f;

	c.width = width;
	c.height = height;
	c.fixed = height;
	const double high = try_layout(&l, fig, &c, &f) == 0 ? l.height : 0;

	layout_free(&l);
	return high;
}

/* Returns the least width, from that of the canvas on, in which a figure fits; or 0 if
 * there is none. */
static unsigned least_width(const struct figure *fig, const struct canvas *c)
{
	enum { WIDEST = 4096 };
	const unsigned step = c->text ? 1 : 8, height = c->text ? c->height : 0;
	unsigned width = c->width ? c->width : PIXEL_WIDTH;

	while (width < WIDEST && !height_in(fig, *c, width, height))
		width += step;
	while (width > c->width && height_in(fig, *c, width - 1, height))
		width--;
	return width < WIDEST ? width : 0;
}

/* Returns the least height in which a figure fits that fits in this width. */
static unsigned least_height(
    const struct figure *fig, const struct canvas *c, unsigned width)
{
	unsigned low = 1, high = (unsigned)ceil(height_in(fig, *c, width, 0));

	while (low < high) {
		const unsigned middle = (low + high) / 2;

		if (height_in(fig, *c, width, middle))
			high = middle;
		else
			low = middle + 1;
	}
	return high;
}

static int refuse_any_size(struct fault *f)
{
	return fault_set(f, "a plot of any size is too small for its contents: draw fewer "
	                    "subjects");
}

/* Sets the message that a figure does not fit the lines of a terminal, with the least
 * number of lines that would do. Returns -1. */
static int refuse_lines(const struct figure *fig, const struct canvas *c, struct fault *f)
{
	enum { HIGHEST = 256, COLUMNS = 80 };
	const unsigned width = c->width > COLUMNS ? c->width : COLUMNS;
	unsigned high = c->height + 1;

	while (high < HIGHEST && !height_in(fig, *c, width, high))
		high++;
	if (high == HIGHEST)
		return refuse_any_size(f);
	return fault_set(f,
	    "a plot of %u by %u characters is too small for its contents: use --size "
	    "%ux%u or more, or draw fewer subjects",
	    c->width, c->height, width, high);
}

/* Sets the message that a figure does not fit, with the least size that would do. Returns
 * -1. */
static int refuse_size(const struct figure *fig, const struct canvas *c, struct fault *f)
{
	const unsigned width = least_width(fig, c);
	char height[16] = "";

	if (!width)
		return c->text ? refuse_lines(fig, c, f) : refuse_any_size(f);
	if (c->text)
		return fault_set(f,
		    "a plot of %u by %u characters is too small for its contents: make it "
		    "at least %u columns wide with --size, or draw fewer subjects",
		    c->width, c->height, width);
	if (c->height)
		snprintf(height, sizeof(height), " by %u", c->height);
	return fault_set(f,
	    "a plot of %u%s pixels is too small for its contents: use --size %ux%u or "
	    "more, or draw fewer subjects",
	    c->width ? c->width : PIXEL_WIDTH, height, width, least_height(fig, c, width));
}

int layout_make(struct layout *l, const struct figure *fig, const struct canvas *canvas,
    struct fault *f)
{
	if (try_layout(l, fig, canvas, f) < 0)
		return l->crowded ? refuse_size(fig, canvas, f) : -1;
	if (canvas->text && fmax(l->width, l->height) > LAYOUT_TEXT_MAX)
		return fault_set(f,
		    "a text of %g by %g is too large for gnuplot (%d at most): draw "
		    "fewer subjects, or write an image with -o",
		    l->width, l->height, LAYOUT_TEXT_MAX);
	return 0;
}

void layout_free(struct layout *l)
{
	lines_free(&l->subtitle);
	lines_free(&l->footer);
	layout_placed_free(&l->lane);
	layout_placed_free(&l->note);
	layout_placed_free(&l->key);
	layout_placed_free(&l->name);
	layout_placed_free(&l->remark);
	for (size_t i = 0; l->panels.axis && i < l->panels.count; i++)
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
	free(l->same);
	free(l->hue);
	free(l->first_words);
	free(l->shade);
}
