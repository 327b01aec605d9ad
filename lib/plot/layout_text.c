/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures and shortens the strings of a layout; see layout_priv.h. In an image, text is
 * measured with the widths of DejaVu Sans, which is wider than the fonts that most systems
 * use for sans-serif: a margin that is slightly too wide is harmless, but a cut label is
 * not. On a terminal, gnuplot uses one cell for each character.
 *
 * Programs that place glyphs on whole pixels, such as gnuplot's terminal for PNG, round
 * each width. In a string of narrow letters this adds a tenth to the width.
 */
#include <math.h>
#include <stdlib.h>

#include "plot/layout_priv.h"
#include "text/display_text.h"
#include "text/display_width.h"

/* Advance widths of the characters from space to '~' in DejaVu Sans, in units of 1/2048 of
 * the size of the text. */
static const unsigned short advance['~' - ' ' + 1] = { 651, 821, 942, 1716, 1303, 1946,
	1597, 563, 799, 799, 1024, 1716, 651, 739, 651, 690, 1303, 1303, 1303, 1303, 1303,
	1303, 1303, 1303, 1303, 1303, 690, 690, 1716, 1716, 1716, 1087, 2048, 1401, 1405,
	1430, 1577, 1294, 1178, 1587, 1540, 604, 604, 1343, 1141, 1767, 1532, 1612, 1235,
	1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799, 690, 799, 1716,
	1024, 1024, 1255, 1300, 1126, 1300, 1260, 721, 1300, 1298, 569, 569, 1186, 569,
	1995, 1298, 1253, 1300, 1300, 842, 1067, 803, 1298, 1212, 1675, 1212, 1212, 1075,
	1303, 690, 1303, 1716 };

/* Width of a column of an image in these units: 0.6 of the size of the text. */
static const double UNITS = 2048 * 0.6;

/* Returns the width of a character in columns, rounded up where a renderer rounds it up at
 * the default size of the text. */
static double columns_of(unsigned char c)
{
	double pixels = advance[c - ' '] * (double)LAYOUT_FONT / 2048;

	return fmax(pixels, round(pixels)) * 2048 / LAYOUT_FONT / UNITS;
}

/*
 * Returns the number of cells that gnuplot uses for a string on a terminal: its columns,
 * plus one for each character without width.
 */
static size_t cells_of(struct text t)
{
	size_t cells = 0;

	while (t.len) {
		struct display_char c = display_char(t);

		cells += c.columns ? c.columns : 1;
		t = text_after(t, c.bytes);
	}
	return cells;
}

double layout_columns(const char *s, bool image)
{
	struct text t = text_of(s);
	double columns = 0;

	if (!image)
		return (double)cells_of(t);
	while (t.len) {
		struct display_char c = display_char(t);
		unsigned char first = (unsigned char)*t.ptr;

		if (first >= ' ' && first <= '~')
			columns += columns_of(first);
		else if (c.columns)
			columns += c.columns == 2 ? 2.2 : first >= 0xe1 ? 1.7 : 1.2;
		t = text_after(t, c.bytes);
	}
	return columns;
}

double layout_widest(const struct placed_list *list, bool image)
{
	double width = 0;

	for (size_t i = 0; i < list->count; i++)
		width = fmax(width, layout_columns(list->item[i].text, image));
	return width;
}

/* Returns copies of strings with at most `characters` characters each if none of them is
 * wider than `width` columns; otherwise, or if `force`, NULL or the copies. */
static char **try_fit(
    char *const *text, size_t count, size_t characters, double width, bool utf8, bool force)
{
	char **copy = mem_zero(count, sizeof(*copy));
	bool fits = true;

	for (size_t i = 0; i < count; i++)
		copy[i] = str_copy(text[i]);
	display_text_fit(copy, count, characters, utf8);
	for (size_t i = 0; i < count; i++)
		fits = fits && layout_columns(copy[i], true) <= width;
	if (fits || force)
		return copy;
	for (size_t i = 0; i < count; i++)
		free(copy[i]);
	free(copy);
	return NULL;
}

void layout_fit(char **text, size_t count, double width, bool utf8, bool image)
{
	enum { LEAST = 8 };
	size_t most = (size_t)fmax(width, LEAST), longest = 0;
	char **copy = NULL;

	if (!image) {
		display_text_fit(text, count, most, utf8);
		return;
	}
	for (size_t i = 0; i < count; i++)
		longest =
		    (size_t)fmax((double)longest, (double)display_width(text_of(text[i])));
	/* Narrow characters leave room for more characters than columns. */
	for (size_t n = most * 2 < longest ? most * 2 : longest; !copy; n--)
		copy = try_fit(text, count, n, width, utf8, n <= LEAST);
	for (size_t i = 0; i < count; i++) {
		free(text[i]);
		text[i] = copy[i];
	}
	free(copy);
}

void layout_cut(struct placed_list *list, double width, bool utf8, bool image)
{
	char **text = mem_zero(list->count, sizeof(*text));

	for (size_t i = 0; i < list->count; i++)
		text[i] = list->item[i].text;
	layout_fit(text, list->count, width, utf8, image);
	for (size_t i = 0; i < list->count; i++)
		list->item[i].text = text[i];
	free(text);
}

void layout_wrap(struct lines *out, char *const *part, size_t count, double width,
    size_t most, bool utf8, bool image)
{
	char **line = mem_zero(most, sizeof(*line));
	double room = width;
	size_t n = 0;
	bool fits = false;

	while (!fits) {
		n = display_text_wrap(part, count, (size_t)room, utf8, line, most);
		fits = true;
		for (size_t i = 0; i < n; i++)
			fits = fits && layout_columns(line[i], image) <= width;
		fits = fits || room < 16;
		for (size_t i = 0; i < n && !fits; i++)
			free(line[i]);
		room *= 0.9;
	}
	for (size_t i = 0; i < n; i++)
		lines_add(out, line[i]);
	free(line);
}

/* Returns the ends of the text of a tic, in columns from the beginning of the axis. */
static void tic_ends(
    const struct axis *a, size_t i, double columns, bool image, double *lo, double *hi)
{
	double half = layout_columns(a->tic[i].text, image) / 2,
	       middle = axis_place(a, a->tic[i].at) * columns;

	*lo = middle - half;
	*hi = middle + half;
}

void layout_thin(struct axis *a, double columns, double from, double to, bool image)
{
	bool fits = false;
	double lo, hi;
	size_t kept = 0, every = 0;

	while (!fits && ++every < a->tics) {
		double end = -INFINITY;

		fits = true;
		for (size_t i = 0; i < a->tics; i += every) {
			tic_ends(a, i, columns, image, &lo, &hi);
			fits = fits && (lo < from || hi > to || lo >= end);
			end = lo < from || hi > to ? end : hi + 1;
		}
	}
	for (size_t i = 0; every && i < a->tics; i += every) {
		tic_ends(a, i, columns, image, &lo, &hi);
		if (lo >= from && hi <= to)
			a->tic[kept++] = a->tic[i];
	}
	a->tics = kept;
}
