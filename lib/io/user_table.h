/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small table of CSV that people write by hand: budgets, thresholds. A misspelled column
 * must not be ignored, so every column has to be known. The columns may be in any order,
 * and the last fields of a row may be left out.
 */
#ifndef IO_USER_TABLE_H
#define IO_USER_TABLE_H

#include "io/csv_table.h"

/* Zero it to begin. */
struct user_table {
	struct csv_table csv; /* at the current row: for csv_table_line() and messages */
	size_t *at;           /* by known column: its position; SIZE_MAX: it is missing */
};

/*
 * Reads a file whose columns have some of these names. The first `required` of the names
 * must be in the header. The name of the file must outlive the table. Returns 0, or -1 with
 * a message that has the file and, except for an empty file, the line. The caller frees the
 * table in either case.
 */
int user_table_open(struct user_table *t, const char *file, const char *const *names,
    size_t count, size_t required, struct fault *f);
/* Returns whether the header has a column, by its position among the known names. */
bool user_table_has(const struct user_table *t, size_t column);
/* Moves to the next row. Returns 1, 0 after the last row, or -1 and the message if the row
 * has more fields than the header, or is not CSV. */
int user_table_next(struct user_table *t, struct fault *f);
/* Returns a field of the current row by its column's position among the known names; empty
 * if the header or the row lacks it. */
struct text user_table_field(const struct user_table *t, size_t column);
void user_table_free(struct user_table *t);

#endif
