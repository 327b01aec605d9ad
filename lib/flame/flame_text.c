/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws a flame graph in characters, outermost frames on top, and writes it as data for
 * gnuplot; see flame_draw_priv.h.
 */
#include <stdio.h>

#include "flame/flame_draw_priv.h"
#include "text/display_text.h"
#include "text/display_width.h"

/* A name that is cut to fewer columns is not shown, and neither are rows without a name. */
enum { LEGIBLE = 4 };

/* Appends a name, cut or padded to exactly this number of columns. */
static void put_name(struct buf *b, struct text name, size_t columns, bool utf8)
{
	struct buf clean = { 0 };

	display_text_label(&clean, name, utf8);
	if (columns < LEGIBLE &&
	    display_width(text_in(&clean)) > columns)
		clean.len = 0;
	display_put(b, text_in(&clean), columns);
	buf_free(&clean);
}

static const char *paint_of(const struct flame_box *box, unsigned colors)
{
	static const char *const paint[] = { [FLAME_UNTESTED] = "",
		[FLAME_NOISE] = "",
		[FLAME_MORE] = "\033[31m",
		[FLAME_LESS] = "\033[34m" };

	if (!colors)
		return "";
	return box->gone ? "\033[2m" : paint[box->verdict];
}

/* Appends the gap between the end of a box, at, and the begin of the next, from. The gap
 * begins with the bar that ends the box. */
static void put_gap(struct buf *b, size_t at, size_t from)
{
	if (from > at)
		buf_printf(b, "%s%*s", at ? "|" : " ", (int)(from - at - 1), "");
}

/* Appends the row of one depth, such as "|parse      |write". Each box begins with a bar.
 * *next is the first box of the row, and then the first one after it. */
static void put_row(struct buf *b, const struct flame_plot *p, size_t *next, size_t depth,
    const struct flame_text_opts *opts)
{
	const unsigned width = opts->width;
	size_t at = 0;

	for (; *next < p->count && p->box[*next].depth == depth; ++*next) {
		const struct flame_box *box = &p->box[*next];
		size_t from = (size_t)(box->x * width + 0.5);
		size_t to = (size_t)((box->x + box->width) * width + 0.5);
		const char *paint = paint_of(box, opts->colors);

		from = from < at ? at : from;
		if (to <= from)
			continue;
		put_gap(b, at, from);
		buf_printf(b, "%s%s", paint, box->gone ? ":" : "|");
		put_name(b,
		    box->name.len ? box->name : text_of(box->gone ? "only before" : "all"),
		    to - from - 1, opts->utf8);
		buf_str(b, *paint ? "\033[m" : "");
		at = to;
	}
	put_gap(b, at, at && at < width ? at + 1 : at);
	while (b->len && b->ptr[b->len - 1] == ' ')
		b->len--;
	buf_str(b, "\n");
}

/* Returns the weight of a box in the list: its change of share or, with one side, its self
 * value. */
static double weight(const struct flame_plot *p, const struct flame_box *box)
{
	double old =
	    p->total[FLAME_OLD] > 0 ? box->value[FLAME_OLD] / p->total[FLAME_OLD] : 0;
	double new = box->value[FLAME_NEW] / p->total[FLAME_NEW];

	if (box->depth == 0 || (box->gone && box->depth < 2))
		return 0;
	if (!p->both)
		return box->own;
	if (box->verdict != FLAME_MORE && box->verdict != FLAME_LESS)
		return 0;
	return new > old ? new - old : old - new;
}

static void put_list(
    struct buf *b, const struct flame_plot *p, const struct flame_words *w, bool utf8)
{
	enum { MOST = 8 };
	size_t listed[MOST], count = 0;

	for (size_t i = 0; i < p->count; i++) {
		size_t at = count;

		while (at > 0 && weight(p, &p->box[listed[at - 1]]) < weight(p, &p->box[i]))
			at--;
		if (at == MOST || weight(p, &p->box[i]) <= 0)
			continue;
		count += count < MOST;
		memmove(&listed[at + 1], &listed[at], (count - at - 1) * sizeof(*listed));
		listed[at] = i;
	}
	for (size_t i = 0; i < count; i++) {
		struct buf told = { 0 };

		flame_tell(&told, p, &p->box[listed[i]], w);
		buf_str(b, "  ");
		display_text_label(b, text_in(&told), utf8);
		buf_str(b, "\n");
		buf_free(&told);
	}
}

/* Returns the number of rows up to the last that has a box with room for a name. */
static size_t legible_rows(const struct flame_plot *p, unsigned width)
{
	size_t rows = 1;

	for (size_t i = 0; i < p->count; i++)
		if (p->box[i].width * width > LEGIBLE && p->box[i].depth + 1 > rows)
			rows = p->box[i].depth + 1;
	return rows;
}

void flame_text(struct buf *b, const struct flame_plot *p, const struct flame_words *w,
    const struct flame_text_opts *opts)
{
	struct buf words = { 0 };
	size_t next = 0, rows;

	display_text_label(b, text_of(w->title), opts->utf8);
	buf_str(b, "\n");
	flame_explain(&words, p, w);
	for (char *rest = NULL, *line = strtok_r(words.ptr, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		display_text_label(b, text_of(line), opts->utf8);
		buf_str(b, "\n");
	}
	buf_free(&words);
	rows = legible_rows(p, opts->width);
	for (size_t depth = 0; depth < rows; depth++)
		put_row(b, p, &next, depth, opts);
	if (rows < p->depths)
		buf_printf(b, "(%zu deeper rows without room for names are left out)\n",
		    p->depths - rows);
	put_list(b, p, w, opts->utf8);
}

/* Appends a line of a data block that gnuplot never interprets as anything else. */
static void put_said(struct buf *b, struct text t)
{
	buf_str(b, ">");
	display_text_label(b, t, true);
	buf_str(b, "\n");
}

/* Appends a string as one field of a data block. */
static void put_field(struct buf *b, struct text t)
{
	struct buf clean = { 0 };

	display_text_label(&clean, t, true);
	buf_str(b, "\"");
	for (size_t i = 0; i < clean.len; i++)
		buf_byte(b, clean.ptr[i] == '"' ? '\'' : clean.ptr[i]);
	buf_str(b, "\"");
	buf_free(&clean);
}

void flame_script(struct buf *b, const struct flame_plot *p, const struct flame_words *w,
    const struct flame_script_opts *opts)
{
	unsigned height = flame_height(p, w);
	struct buf words = { 0 };

	buf_printf(b, "%s\ndark = %d\nwide = %u\nhigh = %u\ndepths = %zu\n\n$said << EOD\n",
	    opts->terminal, opts->dark, opts->width, height, p->depths);
	put_said(b, text_of(w->title));
	flame_explain(&words, p, w);
	for (char *rest = NULL, *line = strtok_r(words.ptr, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		put_said(b, text_of(line));
	buf_free(&words);
	buf_str(
	    b, "EOD\n\n# x from, to, row, color, 1 if it vanished, name\n$frames << EOD\n");
	for (size_t i = 0; i < p->count; i++) {
		const struct flame_box *box = &p->box[i];
		char color[8];

		flame_color(color, p, box);
		buf_printf(b, "%.6f %.6f %zu 0x%s %d ", box->x, box->x + box->width,
		    box->depth, box->gone ? "fbfbf8" : color + 1, box->gone);
		put_field(b,
		    box->name.len ? box->name : text_of(box->gone ? "only before" : "all"));
		buf_str(b, "\n");
	}
	buf_str(b, "EOD\n\n");
	buf_text(b, opts->template);
}
