/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of bench-compare: a row for each comparison, with its subject, side and result.
 */
#ifndef COMPARE_COMPARE_TABLE_H
#define COMPARE_COMPARE_TABLE_H

#include "compare/compare.h"
#include "io/render.h"
#include "text/near_name.h"

/* The columns of a result to print. Without any, the usual columns are printed. */
struct compare_columns {
	size_t *field; /* allocated */
	size_t count;
};

/* Parses a list such as "ratio,p". Returns 0, or -1 with a message that names the unknown
 * column. */
int compare_choose(const char *list, struct compare_columns *out, struct fault *f);
/* Returns whether a column was chosen by name. */
bool compare_chosen(const struct compare_columns *columns, const char *name);
/* Adds the names of all columns. */
void compare_column_names(struct known_names *k);

/*
 * Prints all comparisons, after compare_finish, and then, if requested, geometric means,
 * whose verdict is "geomean". Unless all rows are requested, a table for people leaves out
 * rows that do not decide or whose values are all equal. Returns 0, or -1 if writing fails
 * (errno).
 */
int compare_print(const struct compare *c, const struct compare_columns *columns,
    bool geomean, const struct output *out);
/* Notes, for a table for people, that compare_print() leaves all rows out, if it does, or
 * that p_adj is corrected for the number of rows, but intervals are not. */
void compare_note_table(
    const struct compare *c, const struct output *out, struct buf *lines);

#endif
