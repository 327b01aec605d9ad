/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by table_layout.c, which lays a table out, and table_print.c, which prints it.
 */
#ifndef IO_TABLE_LAYOUT_PRIV_H
#define IO_TABLE_LAYOUT_PRIV_H

#include <string.h>

#include "io/table_layout.h"
#include "text/column_fit.h"

enum { TABLE_START_BITS = 56 };

/* A table may have millions of cells, so each is a word, and shares the string of the cell
 * to its left or above it if they are equal. */
struct printed {
	size_t start : TABLE_START_BITS; /* its string in the buffer, after its size */
	enum tint tint : 2;
	bool right : 1, missing : 1;
	bool unknown : 1;  /* missing, and neither a string nor a number */
	bool flexible : 1; /* a string that may be cut or wrapped */
};

/* The size of a string in the buffer, which precedes it. */
struct printed_size {
	uint32_t len, width; /* bytes; columns on a terminal */
};

struct table_layout {
	struct table_layout_opts opts;
	size_t columns;
	size_t *from; /* by column: its cell in the rows, some of which are left out */
	struct render_column *column;
	struct column_fit *fit;
	struct buf bytes;
	struct printed *printed; /* row by row; the first is the header */
	size_t cells, cap;
	size_t next; /* the first cell of the next row to print */
	size_t last; /* the last column that is shown */
};

/* Returns the size of the string of a cell. */
static inline struct printed_size table_size(
    const struct table_layout *t, const struct printed *p)
{
	struct printed_size size;

	memcpy(&size, t->bytes.ptr + p->start - sizeof(size), sizeof(size));
	return size;
}

/* Returns the string of a cell. */
static inline struct text table_text(const struct table_layout *t, const struct printed *p)
{
	return (struct text){ t->bytes.ptr + p->start, table_size(t, p).len };
}

/* Returns whether a factor has the same value in all rows, except those that summarize
 * others, which have none. */
bool table_is_constant(const struct table_layout *t, size_t column);
/* Appends a row of a table that is laid out. Prose that is wider than its column continues
 * on further lines. */
void table_put_row(
    const struct table_layout *t, struct buf *out, const struct printed *row);
/* Appends the names of the columns that did not fit. */
void table_put_note(const struct table_layout *t, struct buf *out);

#endif
