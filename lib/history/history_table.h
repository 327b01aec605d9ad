/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of bench-compare --history: a row for each change, with its subject and host.
 */
#ifndef HISTORY_HISTORY_TABLE_H
#define HISTORY_HISTORY_TABLE_H

#include "history/history.h"
#include "io/render.h"

/*
 * Prints the changes in the requested range. Unless all rows are requested, a table for
 * people leaves out series that do not decide. Returns 0, or -1 if writing fails (errno).
 */
int history_print(const struct history *h, const struct output *out);
/* Returns whether a table of all rows, or of those that are usually shown, has any. */
bool history_has_rows(const struct history *h, bool all_rows);
/* Returns the number of the columns of the subject, host, metric and unit; *ids is
 * allocated. */
size_t history_columns(const struct history *h, size_t **ids);

/* Opens a table with these columns, followed by `fields`. */
struct render *history_render(const struct history *h, const struct render_column *fields,
    size_t count, const struct output *out);

#endif
