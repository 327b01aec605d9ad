/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Aligned tables; see table_layout.h. The strings of all cells are in one buffer. A cell
 * that is shortened refers to its new text at the end of the buffer.
 */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "io/table_layout.h"
#include "text/column_fit.h"
#include "text/display_text.h"
#include "text/display_width.h"
#include "text/short_form.h"
#include "text/units.h"

enum { ID_LEAST = 16 }; /* No string that short_forms() shortens is shorter. */
/* The widths of strings above which columns are not dropped. */
enum { NAME_EASY = 20, PROSE_EASY = 32 };
enum { NOTE_LINES = 4, VALUE_MOST = 20 };
/* The ranks of factors that have the same value in all rows, and of those of a single row,
 * which are shown before the details. */
enum { RANK_CONSTANT = 1000, RANK_SINGLE = 4 };

struct printed {
	size_t start, len, width; /* bytes in the buffer; columns on a terminal */
	bool right, missing;
	bool unknown;  /* missing, and neither a string nor a number */
	bool flexible; /* a string that may be cut or wrapped */
	enum tint tint;
};

struct table_layout {
	struct table_layout_opts opts;
	size_t columns;
	struct render_column *column;
	struct column_fit *fit;
	struct buf bytes;
	struct printed *printed; /* row by row; the first is the header */
	size_t cells, cap;
};

struct table_layout *table_layout_open(const struct table_layout_opts *opts,
    const struct render_column *columns, char *const *name, size_t count)
{
	struct table_layout *t = mem_zero(1, sizeof(*t));
	struct cell *header = mem_zero(count, sizeof(*header));

	t->opts = *opts;
	t->columns = count;
	t->column = mem_zero(count, sizeof(*t->column));
	t->fit = mem_zero(count, sizeof(*t->fit));
	memcpy(t->column, columns, count * sizeof(*columns));
	for (size_t i = 0; i < count; i++) {
		header[i] = CELL_OF_TEXT(name[i] ? text_of(name[i]) : TEXT(""));
		header[i].tint = TINT_DIM;
		t->fit[i].dropped = !name[i];
	}
	table_layout_row(t, header);
	free(header);
	return t;
}

static struct text text_at(const struct table_layout *t, const struct printed *p)
{
	return (struct text){ t->bytes.ptr + p->start, p->len };
}

/* Appends a quantity with its unit. */
static void put_quantity(struct buf *b, const struct cell *c)
{
	char text[64];
	double number = c->kind == CELL_INTEGER ? (double)c->integer : c->number;

	display_text_clean(
	    b, (struct text){ text, units_print(text, sizeof(text), number, c->unit) });
}

void table_layout_row(struct table_layout *t, const struct cell *cells)
{
	struct buf *b = &t->bytes;

	for (size_t i = 0; i < t->columns; i++) {
		const struct cell *c = &cells[i];
		struct printed *p = VEC_ADD(t->printed, t->cells, t->cap);

		*p = (struct printed){ .start = b->len,
			.tint = c->tint,
			.right = c->kind != CELL_TEXT,
			.unknown = c->kind == CELL_EMPTY,
			.flexible = c->kind == CELL_TEXT && t->column[i].look != LOOK_WHOLE,
			.missing =
			    cell_missing(c) || (c->kind == CELL_TEXT && !c->text.len) };
		if (c->above && !cell_missing(c))
			buf_byte(b, '>');
		if (cell_missing(c))
			buf_byte(b, '-');
		else if (c->kind == CELL_TEXT)
			display_text_clean(b, c->text);
		else if (c->unit)
			put_quantity(b, c);
		else
			cell_put_number(b, c);
		p->len = b->len - p->start;
		p->width = display_width(text_at(t, p));
	}
}

/* The strings of cells, each of which has a number, and what replaces them. */
struct replacement {
	struct intern texts;
	char **shorter; /* NULL: not replaced */
	size_t *start;  /* of each replacement in the buffer */
};

/* Writes the replacements to the buffer. */
static void put_replacements(struct table_layout *t, struct replacement *r)
{
	r->start = mem_zero(r->texts.count + 1, sizeof(*r->start));
	for (size_t i = 0; i < r->texts.count; i++) {
		r->start[i] = t->bytes.len;
		if (r->shorter[i])
			buf_str(&t->bytes, r->shorter[i]);
		free(r->shorter[i]);
	}
	r->start[r->texts.count] = t->bytes.len;
	free(r->shorter);
}

/* Replaces the text of a cell if it has a replacement. */
static void replace_text(
    struct table_layout *t, const struct replacement *r, struct printed *p)
{
	long i = intern_find(&r->texts, text_at(t, p));

	if (i < 0 || r->start[i + 1] == r->start[i])
		return;
	p->start = r->start[i];
	p->len = r->start[i + 1] - r->start[i];
	p->width = display_width(text_at(t, p));
	p->flexible = false;
}

static void free_replacement(struct replacement *r)
{
	free(r->start);
	intern_free(&r->texts);
}

/* Returns whether a cell of a shown column may contain a commit, a time or a UUID. */
static bool may_be_id(const struct table_layout *t, size_t i)
{
	return t->printed[i].flexible && t->printed[i].len >= ID_LEAST &&
	       !t->fit[i % t->columns].dropped;
}

/* Gives commits, times and UUIDs short forms, which are unique in the table. */
static void shorten_ids(struct table_layout *t)
{
	struct replacement r = { 0 };

	for (size_t i = t->columns; i < t->cells; i++)
		if (may_be_id(t, i))
			intern_add(&r.texts, text_at(t, &t->printed[i]));
	r.shorter = short_forms(&r.texts);
	put_replacements(t, &r);
	for (size_t i = t->columns; i < t->cells; i++)
		if (may_be_id(t, i))
			replace_text(t, &r, &t->printed[i]);
	free_replacement(&r);
}

/* Cuts the name of a column to its width. */
static void cut_name(struct table_layout *t, size_t column)
{
	struct printed *p = &t->printed[column];
	char *name = mem_text(t->bytes.ptr + p->start, p->len);

	display_text_fit(&name, 1, t->fit[column].width, t->opts.utf8);
	p->start = t->bytes.len;
	buf_str(&t->bytes, name);
	p->len = t->bytes.len - p->start;
	p->width = display_width(text_at(t, p));
	free(name);
}

/* Cuts the strings of a column to its width. Strings that differ still differ. */
static void cut_column(struct table_layout *t, size_t column)
{
	struct replacement r = { 0 };
	size_t width = t->fit[column].width;

	for (size_t i = t->columns + column; i < t->cells; i += t->columns)
		if (t->printed[i].flexible)
			intern_add(&r.texts, text_at(t, &t->printed[i]));
	r.shorter = mem_zero(r.texts.count + 1, sizeof(*r.shorter));
	for (size_t i = 0; i < r.texts.count; i++) {
		struct text text = intern_text(&r.texts, i);

		r.shorter[i] = mem_text(text.ptr, text.len);
	}
	display_text_fit(r.shorter, r.texts.count, width, t->opts.utf8);
	put_replacements(t, &r);
	for (size_t i = t->columns + column; i < t->cells; i += t->columns)
		if (t->printed[i].flexible)
			replace_text(t, &r, &t->printed[i]);
	free_replacement(&r);
}

/* Returns whether a factor has the same value in all rows, except those that summarize
 * others, which have none. */
static bool is_constant(const struct table_layout *t, size_t column)
{
	size_t first = t->columns + column;
	struct text value;

	if (!t->column[column].factor || first >= t->cells)
		return false;
	value = text_at(t, &t->printed[first]);
	for (size_t i = first + t->columns; i < t->cells; i += t->columns)
		if (!t->printed[i].unknown &&
		    !text_equal(text_at(t, &t->printed[i]), value))
			return false;
	return true;
}

/* Lets constant factors be dropped. The first factor of a single row names it and stays. */
static void rank_factors(struct table_layout *t)
{
	bool single = t->cells == 2 * t->columns, named = false;

	for (size_t i = 0; i < t->columns; i++) {
		if (is_constant(t, i) && !single)
			t->fit[i].rank = RANK_CONSTANT;
		else if (is_constant(t, i) && named && t->fit[i].rank < RANK_SINGLE)
			t->fit[i].rank = RANK_SINGLE;
		named |= t->column[i].factor && !t->fit[i].dropped;
	}
}

/* Measures the columns. */
static void measure_columns(struct table_layout *t)
{
	for (size_t i = 0; i < t->columns; i++) {
		t->fit[i].width = t->fit[i].header = t->printed[i].width;
		t->fit[i].rank = t->column[i].rank;
		t->fit[i].kept = t->column[i].kept;
		t->fit[i].empty = t->cells > t->columns;
	}
	for (size_t i = t->columns; i < t->cells; i++) {
		struct column_fit *c = &t->fit[i % t->columns];
		const struct printed *p = &t->printed[i];

		c->width = p->width > c->width ? p->width : c->width;
		c->empty &= p->missing;
		if (p->flexible)
			c->easy = t->column[i % t->columns].look == LOOK_PROSE ? PROSE_EASY
			                                                       : NAME_EASY;
		else if (p->width > c->least)
			c->least = p->width;
	}
	rank_factors(t);
}

/* Makes the table as narrow as its terminal. */
static void fit_columns(struct table_layout *t)
{
	size_t *width = mem_zero(t->columns, sizeof(*width)), all = 0;

	for (size_t i = 0; i < t->columns; i++) {
		width[i] = t->fit[i].width;
		if (!t->fit[i].dropped)
			all += width[i] + (all ? COLUMN_FIT_GAP : 0);
	}
	if (all > t->opts.limit)
		column_fit(t->fit, t->columns, t->opts.limit);
	for (size_t i = 0; i < t->columns; i++)
		if (!t->fit[i].dropped && t->fit[i].width < width[i] &&
		    t->column[i].look == LOOK_CUT)
			cut_column(t, i);
	for (size_t i = 0; i < t->columns; i++)
		if (!t->fit[i].dropped && t->fit[i].width < t->fit[i].header)
			cut_name(t, i);
	free(width);
}

/* Aligns missing values like the others of their columns, and headers like the first
 * values below them. */
static void align_cells(struct table_layout *t)
{
	for (size_t i = 0; i < t->columns; i++) {
		bool texts = false;

		for (size_t k = i + t->columns; k < t->cells && !texts; k += t->columns)
			texts = !t->printed[k].right;
		for (size_t k = i + t->columns; k < t->cells && texts; k += t->columns)
			if (t->printed[k].unknown)
				t->printed[k].right = false;
		if (i + t->columns < t->cells)
			t->printed[i].right = t->printed[i + t->columns].right;
	}
}

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

static void put_cell(const struct table_layout *t, struct buf *out, const struct printed *p,
    size_t width, bool last)
{
	bool tinted = t->opts.color && p->tint != TINT_NONE && p->len;
	size_t blanks = width > p->width ? width - p->width : 0;

	if (p->right)
		put_spaces(out, blanks);
	if (tinted)
		buf_str(out, tint_code[p->tint]);
	buf_put(out, t->bytes.ptr + p->start, p->len);
	if (tinted)
		buf_str(out, "\033[0m");
	if (!p->right && !last)
		put_spaces(out, blanks);
}

/* Removes the first line of at most that many columns from a string, and returns it. */
static struct printed take_line(
    const struct table_layout *t, struct printed *p, size_t width)
{
	struct text text = text_at(t, p);
	struct printed line = *p;
	size_t cut = p->width <= width ? p->len : display_prefix(text, width), after;

	if (cut < p->len && text.ptr[cut] != ' ')
		for (size_t i = cut; i-- > 0;)
			if (text.ptr[i] == ' ') {
				cut = i;
				break;
			}
	for (after = cut; after < p->len && text.ptr[after] == ' ';)
		after++;
	line.len = cut;
	line.width = display_width(text_at(t, &line));
	p->start += after;
	p->len -= after;
	p->width = display_width(text_at(t, p));
	return line;
}

static bool is_long(const struct table_layout *t, size_t column, const struct printed *p)
{
	return !t->fit[column].dropped && p->width > t->fit[column].width &&
	       t->column[column].look == LOOK_PROSE;
}

static void put_line(
    const struct table_layout *t, struct buf *out, const struct printed *cell, size_t last)
{
	for (size_t i = 0; i < t->columns; i++) {
		if (t->fit[i].dropped)
			continue;
		put_cell(t, out, &cell[i], t->fit[i].width, i == last);
		if (i != last)
			put_spaces(out, COLUMN_FIT_GAP);
	}
	while (out->len && out->ptr[out->len - 1] == ' ')
		out->len--;
	buf_byte(out, '\n');
}

/* Appends a row. Prose that is wider than its column continues on further lines. */
static void put_row(
    const struct table_layout *t, struct buf *out, const struct printed *row, size_t last)
{
	struct printed *left = mem_zero(2 * t->columns, sizeof(*left));
	struct printed *line = left + t->columns;
	bool more = true;

	memcpy(left, row, t->columns * sizeof(*left));
	while (more) {
		more = false;
		for (size_t i = 0; i < t->columns; i++) {
			line[i] = left[i];
			if (is_long(t, i, &left[i]))
				line[i] = take_line(t, &left[i], t->fit[i].width);
			else
				left[i].len = left[i].width = 0;
			more |= left[i].len > 0;
		}
		put_line(t, out, line, last);
	}
	free(left);
}

/* Returns whether a row has prose that is wider than its column. */
static bool has_long(const struct table_layout *t, const struct printed *row)
{
	for (size_t i = 0; i < t->columns; i++)
		if (is_long(t, i, &row[i]))
			return true;
	return false;
}

/* Appends the value that a column has in all rows, shortened if it is long. */
static void put_value(struct buf *b, const struct table_layout *t, size_t column)
{
	const struct printed *p = &t->printed[t->columns + column];
	char *value = mem_text(t->bytes.ptr + p->start, p->len);

	display_text_fit(&value, 1, VALUE_MOST, t->opts.utf8);
	if (!p->missing)
		buf_printf(b, "=%s", value);
	free(value);
}

/* Appends the names of the columns that did not fit. */
static void put_note(const struct table_layout *t, struct buf *out)
{
	char **part = mem_zero(t->columns, sizeof(*part)), *line[NOTE_LINES];
	const char *advice = " (--wide shows all)";
	size_t dropped = 0, left, lines;

	for (size_t i = 0; i < t->columns; i++)
		dropped += t->fit[i].dropped && t->printed[i].len;
	left = dropped;
	for (size_t i = 0; i < t->columns; i++) {
		struct text name = text_at(t, &t->printed[i]);
		struct buf b = { 0 };

		if (!t->fit[i].dropped || !name.len)
			continue;
		if (left == dropped)
			buf_printf(
			    &b, "%zu column%s hidden: ", dropped, dropped == 1 ? "" : "s");
		buf_put(&b, name.ptr, name.len);
		if (is_constant(t, i))
			put_value(&b, t, i);
		if (left == 1 &&
		    display_width(text_of(b.ptr)) + strlen(advice) <= t->opts.limit)
			buf_str(&b, advice), advice = "";
		part[dropped - left--] = b.ptr;
	}
	lines =
	    display_text_wrap(part, dropped, t->opts.limit, t->opts.utf8, line, NOTE_LINES);
	for (size_t i = 0; i < lines; i++) {
		buf_printf(out, t->opts.color ? "\033[2m%s\033[0m\n" : "%s\n", line[i]);
		free(line[i]);
	}
	if (lines && *advice)
		buf_printf(out, t->opts.color ? "\033[2m%s\033[0m\n" : "%s\n", advice + 1);
	for (size_t i = 0; i < dropped; i++)
		free(part[i]);
	free(part);
}

void table_layout_print(struct table_layout *t, struct buf *out)
{
	size_t last = 0;

	if (t->cells == t->columns)
		return; /* there is only the header */
	if (t->opts.limit)
		shorten_ids(t);
	measure_columns(t);
	if (t->opts.limit)
		fit_columns(t);
	align_cells(t);
	for (size_t i = 0; i < t->columns; i++)
		last = t->fit[i].dropped ? last : i;
	for (size_t i = 0; i < t->cells; i += t->columns)
		(has_long(t, &t->printed[i]) ? put_row : put_line)(
		    t, out, &t->printed[i], last);
	if (t->opts.limit)
		put_note(t, out);
}

void table_layout_free(struct table_layout *t)
{
	free(t->column);
	free(t->fit);
	free(t->printed);
	buf_free(&t->bytes);
	free(t);
}
