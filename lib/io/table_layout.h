/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lays out rows as an aligned table, optionally within a width.
 */
#ifndef IO_TABLE_LAYOUT_H
#define IO_TABLE_LAYOUT_H

#include "io/render.h"

struct table_layout_opts {
	size_t limit; /* columns of the terminal; 0: no limit */
	bool color, utf8;
};

struct table_layout;
/* Begins a table. A column whose name is NULL is left out; the names are copied. */
struct table_layout *table_layout_open(const struct table_layout_opts *opts,
    const struct render_column *columns, char *const *name, size_t count);
void table_layout_row(struct table_layout *t, const struct cell *cells);
/* Appends the next line of the table, first the header, and after the last row a line that
 * names the columns that did not fit. Returns false at the end, and if there are no rows.
 * No row may be added after the first call. */
bool table_layout_print(struct table_layout *t, struct buf *out);
void table_layout_free(struct table_layout *t);

#endif
