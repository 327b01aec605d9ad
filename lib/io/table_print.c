/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the rows of a table that is laid out; see table_layout_priv.h.
 */
#include <stdlib.h>
#include <string.h>

#include "io/table_layout_priv.h"
#include "text/display_text.h"
#include "text/display_width.h"
#include "text/plural.h"

enum { NOTE_LINES = 4, VALUE_MOST = 20 };

static const char *const tint_code[] = {
	[TINT_NONE] = "",
	[TINT_GOOD] = "\033[32m",
	[TINT_BAD] = "\033[31m",
	[TINT_DIM] = "\033[2m",
};

static void put_spaces(struct buf *b, size_t n)
{
	while (n--)
		buf_byte(b, ' ');
}

/* Appends a cell, or this part of its text, whose width is `wide`, to a line. */
static void put_cell(const struct table_layout *t, struct buf *out, const struct printed *p,
    struct text text, size_t wide, size_t column)
{
	bool tinted = t->opts.color && p->tint != TINT_NONE && text.len;
	size_t width = t->fit[column].width, blanks = width > wide ? width - wide : 0;

	if (p->right)
		put_spaces(out, blanks);
	if (tinted)
		buf_str(out, tint_code[p->tint]);
	buf_text(out, text);
	if (tinted)
		buf_str(out, "\033[0m");
	if (!p->right && column != t->last)
		put_spaces(out, blanks);
}

/* Appends a line with the cells of a row, or with these parts of their texts. */
static void put_line(const struct table_layout *t, struct buf *out,
    const struct printed *row, const struct text *part)
{
	for (size_t i = 0; i < t->columns; i++) {
		if (t->fit[i].dropped)
			continue;
		if (part)
			put_cell(t, out, &row[i], part[i], display_width(part[i]), i);
		else
			put_cell(t, out, &row[i], table_text(t, &row[i]),
			    table_size(t, &row[i]).width, i);
		if (i != t->last)
			put_spaces(out, COLUMN_FIT_GAP);
	}
	while (out->len && out->ptr[out->len - 1] == ' ')
		out->len--;
	buf_byte(out, '\n');
}

/* Removes the first line of at most that many columns from a longer string, and returns it.
 */
static struct text take_line(struct text *rest, size_t width)
{
	size_t cut = display_prefix(*rest, width), after;
	struct text line;

	if (cut < rest->len && rest->ptr[cut] != ' ')
		for (size_t i = cut; i-- > 0;)
			if (rest->ptr[i] == ' ') {
				cut = i;
				break;
			}
	for (after = cut; after < rest->len && rest->ptr[after] == ' ';)
		after++;
	line = (struct text){ rest->ptr, cut };
	*rest = text_after(*rest, after);
	return line;
}

/* Returns whether prose of this width takes several lines of a column. */
static bool is_long(const struct table_layout *t, size_t column, size_t width)
{
	return !t->fit[column].dropped && width > t->fit[column].width &&
	       t->column[column].look == LOOK_PROSE;
}

/* Appends a row with prose that is wider than its column. */
static void put_long_row(
    const struct table_layout *t, struct buf *out, const struct printed *row)
{
	struct text *left = mem_zero(2 * t->columns, sizeof(*left));
	struct text *line = left + t->columns;
	bool more = true;

	for (size_t i = 0; i < t->columns; i++)
		left[i] = table_text(t, &row[i]);
	while (more) {
		more = false;
		for (size_t i = 0; i < t->columns; i++) {
			line[i] = left[i];
			if (is_long(t, i, display_width(left[i])))
				line[i] = take_line(&left[i], t->fit[i].width);
			else
				left[i] = TEXT("");
			more |= left[i].len > 0;
		}
		put_line(t, out, row, line);
	}
	free(left);
}

void table_put_row(const struct table_layout *t, struct buf *out, const struct printed *row)
{
	bool is_longer = false;

	for (size_t i = 0; i < t->columns; i++)
		is_longer |= is_long(t, i, table_size(t, &row[i]).width);
	if (is_longer)
		put_long_row(t, out, row);
	else
		put_line(t, out, row, NULL);
}

/* Appends the value that a column has in all rows, shortened if it is long. */
static void put_value(struct buf *b, const struct table_layout *t, size_t column)
{
	const struct printed *p = &t->printed[t->columns + column];
	struct text whole = table_text(t, p);
	char *value = mem_text(whole.ptr, whole.len);

	display_text_fit(&value, 1, VALUE_MOST, t->opts.utf8);
	if (!p->missing)
		buf_printf(b, "=%s", value);
	free(value);
}

/* Returns whether a column that has a name is hidden. */
static bool is_hidden(const struct table_layout *t, size_t column)
{
	return t->fit[column].dropped && table_size(t, &t->printed[column]).len;
}

static void put_dim_line(const struct table_layout *t, struct buf *out, const char *line)
{
	buf_printf(out, t->opts.color ? "\033[2m%s\033[0m\n" : "%s\n", line);
}

/* Returns the names of the hidden columns with the values that are the same in all rows,
 * the first one after "N columns hidden: "; allocated. */
static char **hidden_parts(const struct table_layout *t, size_t hidden)
{
	char **part = mem_zero(hidden, sizeof(*part));
	size_t parts = 0;

	for (size_t i = 0; i < t->columns; i++) {
		struct buf b = { 0 };

		if (!is_hidden(t, i))
			continue;
		if (!parts)
			buf_printf(&b, "%zu column%s hidden: ", hidden, plural_s(hidden));
		buf_text(&b, table_text(t, &t->printed[i]));
		if (table_is_constant(t, i))
			put_value(&b, t, i);
		part[parts++] = b.ptr;
	}
	return part;
}

void table_put_note(const struct table_layout *t, struct buf *out)
{
	static const char advice[] = "(--wide shows all)";
	char **part, *line[NOTE_LINES], *last;
	size_t hidden = 0, lines;
	bool fits;

	for (size_t i = 0; i < t->columns; i++)
		hidden += is_hidden(t, i);
	if (!hidden)
		return;
	part = hidden_parts(t, hidden);
	last = part[hidden - 1];
	/* The advice is on the line of the last column, or on a line of its own. */
	fits = display_width(text_of(last)) + strlen(" ") + strlen(advice) <= t->opts.limit;
	if (fits) {
		part[hidden - 1] = str_format("%s %s", last, advice);
		free(last);
	}
	lines =
	    display_text_wrap(part, hidden, t->opts.limit, t->opts.utf8, line, NOTE_LINES);
	for (size_t i = 0; i < lines; i++) {
		put_dim_line(t, out, line[i]);
		free(line[i]);
	}
	if (!fits)
		put_dim_line(t, out, advice);
	for (size_t i = 0; i < hidden; i++)
		free(part[i]);
	free(part);
}
