/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lays out aligned tables; see table_layout.h. The strings of all cells are in one buffer.
 * A cell that is shortened refers to its new text at the end of the buffer. table_print.c
 * prints the result.
 */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "io/table_layout_priv.h"
#include "text/column_fit.h"
#include "text/display_text.h"
#include "text/display_width.h"
#include "text/short_form.h"
#include "text/units.h"

enum { ID_LEAST = 16 }; /* No string that short_forms() shortens is shorter. */
/* The widths of strings above which columns are not dropped. */
enum { NAME_EASY = 20, PROSE_EASY = 32 };
/* The ranks of factors that have the same value in all rows, and of those of a single row,
 * which are shown before the details. */
enum { RANK_CONSTANT = 1000, RANK_SINGLE = 4 };

struct table_layout *table_layout_open(const struct table_layout_opts *opts,
    const struct render_column *columns, char *const *name, size_t count)
{
	struct table_layout *t = mem_zero(1, sizeof(*t));
	struct cell *header = mem_zero(count, sizeof(*header));

	t->opts = *opts;
	t->from = mem_zero(count, sizeof(*t->from));
	t->column = mem_zero(count, sizeof(*t->column));
	t->fit = mem_zero(count, sizeof(*t->fit));
	for (size_t i = 0; i < count; i++) {
		if (!name[i])
			continue;
		header[i] = CELL_OF_TEXT(text_of(name[i]));
		header[i].tint = TINT_DIM;
		t->column[t->columns] = columns[i];
		t->from[t->columns++] = i;
	}
	table_layout_row(t, header);
	free(header);
	return t;
}

/* Makes room for the size of a string, which is appended next. Returns where it begins. */
static size_t begin_text(struct table_layout *t)
{
	buf_room(&t->bytes, sizeof(struct printed_size));
	return t->bytes.len += sizeof(struct printed_size);
}

static void set_start(struct printed *p, size_t start)
{
	const size_t most = ((size_t)1 << TABLE_START_BITS) - 1;

	p->start = start & most;
}

/* Sets the string of a cell to the bytes from start to the end of the buffer. */
static void take_text(struct table_layout *t, struct printed *p, size_t start)
{
	const struct text text = { t->bytes.ptr + start, t->bytes.len - start };
	const struct printed_size size = { (uint32_t)text.len,
		(uint32_t)display_width(text) };

	memcpy(t->bytes.ptr + start - sizeof(size), &size, sizeof(size));
	set_start(p, start);
}

/* Does the same for the cell that was added last, unless the cell above it has the same
 * string, as names and counts often have. */
static void take_or_share(struct table_layout *t, struct printed *p, size_t start)
{
	const struct text text = { t->bytes.ptr + start, t->bytes.len - start };
	const struct printed *above = t->cells > t->columns ? p - t->columns : NULL;

	if (!above || !text_equal(table_text(t, above), text)) {
		take_text(t, p, start);
		return;
	}
	p->start = above->start;
	t->bytes.len = start - sizeof(struct printed_size);
}

/* Appends a quantity with its unit. */
static void put_quantity(struct buf *b, const struct cell *c)
{
	char text[64];
	double number = c->kind == CELL_INTEGER ? (double)c->integer : c->number;

	display_text_clean(
	    b, (struct text){ text, units_print(text, sizeof(text), number, c->unit) });
}

/* Appends the string of a cell. */
static void put_cell(struct buf *b, const struct cell *c)
{
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
}

/* Returns whether two cells are the same number, as the statistics of a single value are.
 */
static bool same_number(const struct cell *a, const struct cell *b)
{
	return a->kind == CELL_NUMBER && b->kind == CELL_NUMBER && a->unit == b->unit &&
	       a->above == b->above &&
	       memcmp(&a->number, &b->number, sizeof(a->number)) == 0;
}

void table_layout_row(struct table_layout *t, const struct cell *cells)
{
	for (size_t i = 0; i < t->columns; i++) {
		const struct cell *c = &cells[t->from[i]];
		struct printed *p = VEC_ADD(t->printed, t->cells, t->cap);

		*p = (struct printed){ .tint = c->tint,
			.right = c->kind != CELL_TEXT,
			.unknown = c->kind == CELL_EMPTY,
			.flexible = c->kind == CELL_TEXT && t->column[i].look != LOOK_WHOLE,
			.missing =
			    cell_missing(c) || (c->kind == CELL_TEXT && !c->text.len) };
		if (i && same_number(c, &cells[t->from[i - 1]]))
			p->start = p[-1].start;
		else {
			const size_t start = begin_text(t);

			put_cell(&t->bytes, c);
			(c->unit && !cell_missing(c) ? take_text : take_or_share)(
			    t, p, start);
		}
	}
}

/* The strings of cells, each of which has a number, and what replaces them. */
struct replacement {
	struct intern texts;
	char **shorter; /* NULL: not replaced */
	size_t *put;    /* where each replacement is; 0: not replaced */
};

/* Writes the replacements to the buffer. */
static void put_replacements(struct table_layout *t, struct replacement *r)
{
	struct printed p;

	r->put = mem_zero(r->texts.count + 1, sizeof(*r->put));
	for (size_t i = 0; i < r->texts.count; i++) {
		if (!r->shorter[i])
			continue;
		r->put[i] = begin_text(t);
		buf_str(&t->bytes, r->shorter[i]);
		take_text(t, &p, r->put[i]);
		free(r->shorter[i]);
	}
	free(r->shorter);
}

/* Replaces the text of a cell if it has a replacement. */
static void replace_text(
    struct table_layout *t, const struct replacement *r, struct printed *p)
{
	long i = intern_find(&r->texts, table_text(t, p));

	if (i < 0 || !r->put[i])
		return;
	set_start(p, r->put[i]);
	p->flexible = false;
}

static void free_replacement(struct replacement *r)
{
	free(r->put);
	intern_free(&r->texts);
}

/* Returns whether a cell of a shown column may contain a commit, a time or a UUID. */
static bool may_be_id(const struct table_layout *t, size_t i)
{
	return t->printed[i].flexible && table_size(t, &t->printed[i]).len >= ID_LEAST &&
	       !t->fit[i % t->columns].dropped;
}

/* Gives commits, times and UUIDs short forms, which are unique in the table. */
static void shorten_ids(struct table_layout *t)
{
	struct replacement r = { 0 };

	for (size_t i = t->columns; i < t->cells; i++)
		if (may_be_id(t, i))
			intern_add(&r.texts, table_text(t, &t->printed[i]));
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
	struct text whole = table_text(t, p);
	char *name = mem_text(whole.ptr, whole.len);
	const size_t start = begin_text(t);

	display_text_fit(&name, 1, t->fit[column].width, t->opts.utf8);
	buf_str(&t->bytes, name);
	take_text(t, p, start);
	free(name);
}

/* Cuts the strings of a column to its width. Strings that differ still differ. */
static void cut_column(struct table_layout *t, size_t column)
{
	struct replacement r = { 0 };
	size_t width = t->fit[column].width;

	for (size_t i = t->columns + column; i < t->cells; i += t->columns)
		if (t->printed[i].flexible)
			intern_add(&r.texts, table_text(t, &t->printed[i]));
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

bool table_is_constant(const struct table_layout *t, size_t column)
{
	size_t first = t->columns + column;
	struct text value;

	if (!t->column[column].factor || first >= t->cells)
		return false;
	value = table_text(t, &t->printed[first]);
	for (size_t i = first + t->columns; i < t->cells; i += t->columns)
		if (!t->printed[i].unknown &&
		    !text_equal(table_text(t, &t->printed[i]), value))
			return false;
	return true;
}

/* Lets constant factors be dropped. The first factor of a single row names it and stays. */
static void rank_factors(struct table_layout *t)
{
	bool single = t->cells == 2 * t->columns, named = false;

	for (size_t i = 0; i < t->columns; i++) {
		if (table_is_constant(t, i) && !single)
			t->fit[i].rank = RANK_CONSTANT;
		else if (table_is_constant(t, i) && named && t->fit[i].rank < RANK_SINGLE)
			t->fit[i].rank = RANK_SINGLE;
		named |= t->column[i].factor && !t->fit[i].dropped;
	}
}

/* Measures the columns. */
static void measure_columns(struct table_layout *t)
{
	for (size_t i = 0; i < t->columns; i++) {
		t->fit[i].width = t->fit[i].header = table_size(t, &t->printed[i]).width;
		t->fit[i].rank = t->column[i].rank;
		t->fit[i].kept = t->column[i].kept;
		t->fit[i].empty = t->cells > t->columns;
	}
	for (size_t i = t->columns; i < t->cells; i++) {
		struct column_fit *c = &t->fit[i % t->columns];
		const struct printed *p = &t->printed[i];
		const size_t width = table_size(t, p).width;

		c->width = width > c->width ? width : c->width;
		c->empty &= p->missing;
		if (p->flexible)
			c->easy = t->column[i % t->columns].look == LOOK_PROSE ? PROSE_EASY
			                                                       : NAME_EASY;
		else if (width > c->least)
			c->least = width;
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

/* Decides the widths and texts of all cells, after the last row. */
static void lay_out(struct table_layout *t)
{
	if (t->opts.limit)
		shorten_ids(t);
	measure_columns(t);
	if (t->opts.limit)
		fit_columns(t);
	align_cells(t);
	for (size_t i = 0; i < t->columns; i++)
		t->last = t->fit[i].dropped ? t->last : i;
}

bool table_layout_print(struct table_layout *t, struct buf *out)
{
	if (t->cells == t->columns || t->next >= t->cells)
		return false; /* there is only the header, or all rows were printed */
	if (!t->next)
		lay_out(t);
	table_put_row(t, out, t->printed + t->next);
	t->next += t->columns;
	if (t->next >= t->cells && t->opts.limit)
		table_put_note(t, out);
	return true;
}

void table_layout_free(struct table_layout *t)
{
	free(t->from);
	free(t->column);
	free(t->fit);
	free(t->printed);
	buf_free(&t->bytes);
	free(t);
}
