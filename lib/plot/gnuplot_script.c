/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes scripts for gnuplot; see gnuplot_script.h. Text from the input is never written
 * into a command, not even quoted: gnuplot expands @macros by counting quotes, and
 * miscounts them if both kinds are mixed. Strings are lines of a data block, which gnuplot
 * never interprets. Each begins with a mark, so that none can end the block. Commands refer
 * to strings by number. Everything else is a number or a constant word.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure_form.h"
#include "plot/gnuplot_writer_priv.h"

static unsigned shade(const struct gnuplot_look *look, struct palette_color color)
{
	if (look->format->text)
		return look->colors > 8 ? color.many : color.eight;
	return look->dark ? color.dark : color.light;
}

unsigned gnuplot_shade(const struct gnuplot_writer *w, struct palette_color color)
{
	return shade(w->look, color);
}

/* Returns the size of the text in the units of the terminal. */
static double font_size(const struct layout *l, const struct gnuplot_look *look)
{
	return (l->font > 0 ? l->font : LAYOUT_FONT) * look->format->font_unit;
}

/* The size of symbols of the other terminals with which they are as large as in an SVG. */
static const double SYMBOLS = 1.6;

static void put_font(struct buf *b, const struct layout *l, const struct gnuplot_look *look)
{
	buf_printf(b, " font 'sans-serif,%g' background '#%06x'\n", font_size(l, look),
	    shade(look, palette_part[PALETTE_PAGE]));
}

static void terminal_svg(
    struct buf *b, const struct layout *l, const struct gnuplot_look *look)
{
	buf_printf(b, "set terminal svg noenhanced size %.0f,%.0f", l->width, l->height);
	put_font(b, l, look);
}

static void terminal_png(
    struct buf *b, const struct layout *l, const struct gnuplot_look *look)
{
	double scale = look->scale > 0 ? look->scale : 1;

	buf_printf(b,
	    "set terminal pngcairo noenhanced size %.0f,%.0f fontscale %g linewidth %g "
	    "pointscale %g",
	    l->width * scale, l->height * scale, scale, scale, SYMBOLS * scale);
	put_font(b, l, look);
}

/* Sets the size at 96 pixels per inch; at this size gnuplot draws a font of 10 points as 13
 * 1/3 pixels. */
static void terminal_pdf(
    struct buf *b, const struct layout *l, const struct gnuplot_look *look)
{
	buf_printf(b,
	    "set terminal pdfcairo noenhanced size %.3fin,%.3fin fontscale 0.75 pointscale "
	    "%g",
	    l->width / 96, l->height / 96, SYMBOLS * 0.75);
	put_font(b, l, look);
}

static void terminal_text(
    struct buf *b, const struct layout *l, const struct gnuplot_look *look)
{
	buf_printf(b, "set terminal dumb nofeed noenhanced size %.0f,%.0f %s\n", l->width,
	    l->height,
	    look->colors > 8 ? "ansi256"
	    : look->colors   ? "ansi"
	                     : "mono");
}

/* Cairo draws at most 32,767 pixels, and a page of PDF has at most 14,400 points (ISO
 * 32000-1, annex C). */
enum { PNG_LONGEST = 32767, PDF_LONGEST = 14400 * 96 / 72 };

const struct gnuplot_format gnuplot_formats[] = {
	{ "svg", .font_unit = 1, .terminal = terminal_svg },
	{ "png", .font_unit = 0.75, .local_fonts = true, .longest = PNG_LONGEST,
	    .terminal = terminal_png },
	{ "pdf", .font_unit = 0.75, .local_fonts = true, .longest = PDF_LONGEST,
	    .terminal = terminal_pdf },
	{ "html", .page = true, .font_unit = 1, .terminal = terminal_svg },
	{ "txt", .text = true, .terminal = terminal_text },
};
const size_t gnuplot_formats_count = COUNT(gnuplot_formats);

const struct gnuplot_format *gnuplot_format_find(const char *name)
{
	for (size_t i = 0; i < gnuplot_formats_count; i++)
		if (strcmp(gnuplot_formats[i].name, name) == 0)
			return &gnuplot_formats[i];
	return NULL;
}

int gnuplot_check_size(
    const struct layout *l, const struct gnuplot_look *look, struct fault *f)
{
	double scale = look->scale > 0 ? look->scale : 1, width = l->width * scale,
	       height = l->height * scale;
	unsigned longest = look->format->longest;

	if (!longest || fmax(width, height) <= longest)
		return 0;
	return fault_set(f,
	    "a plot of %.0f by %.0f pixels is too large for the format %s, which has at "
	    "most %u in each direction: %swrite an SVG, or draw fewer subjects",
	    width, height, look->format->name, longest,
	    scale > 1 ? "use a smaller --scale, " : "");
}

/* Returns an x on the screen as gnuplot counts it: 0 to 1, from the left. */
static double gnuplot_x(const struct gnuplot_writer *w, double x)
{
	return w->look->format->text ? x / (w->l->width - 1) : x / w->l->width;
}

/* Returns a y on the screen as gnuplot counts it: 0 to 1, from the bottom. */
static double gnuplot_y(const struct gnuplot_writer *w, double y)
{
	return 1 - (w->look->format->text ? y / (w->l->height - 1) : y / w->l->height);
}

/* Writes strings as NAME, with NAME_at (y) and, for positions on the screen, NAME_x. */
static void put_placed(struct gnuplot_writer *w, const char *name,
    const struct placed_list *list, bool on_screen)
{
	char **text = mem_zero(list->count, sizeof(*text));
	double *x = mem_zero(list->count, sizeof(*x)),
	       *y = mem_zero(list->count, sizeof(*y));
	char *name_x = str_format("%s_x", name), *name_y = str_format("%s_at", name);

	for (size_t i = 0; i < list->count; i++) {
		const struct placed *p = &list->item[i];

		text[i] = p->text;
		x[i] = gnuplot_x(w, p->x);
		y[i] = on_screen ? gnuplot_y(w, p->y) : p->y;
	}
	gnuplot_set_texts(w, name, text, list->count);
	gnuplot_set_numbers(w, name_y, y, list->count);
	if (on_screen)
		gnuplot_set_numbers(w, name_x, x, list->count);
	free(text);
	free(x);
	free(y);
	free(name_x);
	free(name_y);
}

/* Writes the names inside the axes, with positions in the axes' units or on the screen. */
static void put_names(struct gnuplot_writer *w)
{
	const struct placed_list *list = &w->l->name;
	double *x = mem_zero(list->count, sizeof(*x));

	put_placed(w, "name", list, w->fig->kind->form->names_on_screen);
	if (w->fig->kind->form->names_on_screen) {
		free(x);
		return;
	}
	for (size_t i = 0; i < list->count; i++)
		x[i] = list->item[i].x;
	gnuplot_set_numbers(w, "name_x", x, list->count);
	free(x);
}

/* Writes the remarks, with their colors as numbers. */
static void put_remarks(struct gnuplot_writer *w)
{
	const struct placed_list *list = &w->l->remark;
	double *color = mem_zero(list->count, sizeof(*color));

	for (size_t i = 0; i < list->count; i++)
		color[i] = gnuplot_shade(w, list->item[i].color);
	put_placed(w, "remark", list, true);
	gnuplot_set_numbers(w, "remark_color", color, list->count);
	free(color);
}

/* Returns the text of a tic with percent signs doubled, because gnuplot takes it as a
 * format; allocated. */
static char *tic_format(const char *text)
{
	struct buf b = { 0 };

	for (; *text; text++) {
		if (*text == '%')
			buf_byte(&b, '%');
		buf_byte(&b, *text);
	}
	return buf_detach(&b);
}

static void put_axis(struct gnuplot_writer *w, const char *name, const struct axis *a)
{
	char *tic = str_format("%s_tic", name), *at = str_format("%s_tic_at", name);
	double *place = mem_zero(a->tics, sizeof(*place));

	buf_printf(&w->commands, "%s_log = %d\n%s_from = ", name, a->log, name);
	gnuplot_put_number(w, a->from);
	buf_printf(&w->commands, "\n%s_to = ", name);
	gnuplot_put_number(w, a->to);
	buf_byte(&w->commands, '\n');
	gnuplot_set_array(w, tic, a->tics);
	for (size_t i = 0; i < a->tics; i++) {
		char *element = str_format("%s[%zu]", tic, i + 1),
		     *text = tic_format(a->tic[i].text);

		gnuplot_set_text(w, element, text);
		place[i] = a->tic[i].at;
		free(element);
		free(text);
	}
	gnuplot_set_numbers(w, at, place, a->tics);
	free(place);
	free(tic);
	free(at);
}

static void put_places(struct gnuplot_writer *w)
{
	const struct layout *l = w->l;

	gnuplot_set_number(w, "left", gnuplot_x(w, l->left));
	gnuplot_set_number(w, "right", gnuplot_x(w, l->right));
	gnuplot_set_number(w, "top", gnuplot_y(w, l->top));
	gnuplot_set_number(w, "bottom", gnuplot_y(w, l->bottom));
	gnuplot_set_number(w, "column", gnuplot_x(w, l->column));
	gnuplot_set_number(w, "row", 1 - gnuplot_y(w, l->row));
	gnuplot_set_number(w, "columns", (l->right - l->left) / l->column);
	gnuplot_set_number(w, "first_line", gnuplot_y(w, l->first_line));
	gnuplot_set_number(w, "value_label_at", gnuplot_y(w, l->value_label_y));
	gnuplot_set_number(w, "lane_from", l->lane_from);
	gnuplot_set_number(w, "lane_to", l->lane_to);
}

static void put_series(struct gnuplot_writer *w)
{
	const struct layout *l = w->l;

	buf_printf(&w->commands, "series = %zu\ndense = %d\nkey_lines = %d\n",
	    l->series_count, l->dense, l->key_lines);
	gnuplot_set_array(w, "COLOR", l->series_count);
	for (size_t k = 0; k < l->series_count; k++)
		buf_printf(&w->commands, "COLOR[%zu] = '#%06x'\n", k + 1,
		    shade(w->look, l->hue[k].color));
	gnuplot_set_array(w, "dash", l->series_count);
	gnuplot_set_array(w, "symbol", l->series_count);
	gnuplot_set_array(w, "copy", l->series_count);
	for (size_t k = 0; k < l->series_count; k++)
		buf_printf(&w->commands,
		    "dash[%zu] = %u\nsymbol[%zu] = %u\ncopy[%zu] = %u\n", k + 1,
		    l->hue[k].dash, k + 1, l->hue[k].point, k + 1, l->hue[k].copy);
	if (!w->fig->kind->lanes)
		gnuplot_put_gaps(w);
	if (w->fig->kind->form->put_data)
		w->fig->kind->form->put_data(w);
	else
		gnuplot_put_marks(w);
}

void gnuplot_script_write(struct buf *b, const struct figure *fig, const struct layout *l,
    const struct gnuplot_look *look, struct text style, struct text template)
{
	struct gnuplot_writer w = { .fig = fig, .l = l, .look = look };
	static const char *const part[PALETTE_PARTS] = { [PALETTE_PAGE] = "page",
		[PALETTE_INK] = "ink",
		[PALETTE_FAINT] = "faint",
		[PALETTE_RULE] = "rule" };

	buf_printf(&w.commands,
	    "font_size = %g\ntext = %d\ndark = %d\nutf8 = %d\ncolor = %d\nlanes = %d\n",
	    font_size(l, look), look->format->text, look->dark, look->utf8,
	    !look->format->text || look->colors, fig->kind->lanes);
	for (size_t i = 0; i < PALETTE_PARTS; i++)
		buf_printf(&w.commands, "%s = '#%06x'\n", part[i],
		    look->dark ? palette_part[i].dark : palette_part[i].light);
	gnuplot_set_text(&w, "title", l->title);
	gnuplot_set_texts(&w, "subtitle", l->subtitle.text, l->subtitle.count);
	gnuplot_set_texts(&w, "footer", l->footer.text, l->footer.count);
	gnuplot_set_text(&w, "value_label", l->value_label);
	gnuplot_set_text(&w, "x_label", l->x_label);
	put_places(&w);
	gnuplot_set_number(&w, "panels", (double)l->panels.count);
	put_axis(&w, "value", &l->value);
	put_axis(&w, "x", &l->x);
	put_placed(&w, "lane", &l->lane, false);
	put_placed(&w, "note", &l->note, false);
	put_names(&w);
	put_remarks(&w);
	put_placed(&w, "key", &l->key, true);
	put_series(&w);

	buf_printf(b,
	    "# A plot by bench-plot(1), which runs alone: gnuplot FILE > plot.%s\n"
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
