/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables with one or more rows for each group: the group's key, metric and unit, followed
 * by further columns.
 */
#ifndef SUMMARY_GROUP_TABLE_H
#define SUMMARY_GROUP_TABLE_H

#include "io/render.h"
#include "record/group.h"

struct group_table;
struct group_table_opts {
	const struct render_column *column; /* those after the key */
	size_t columns;
	const char *without; /* a column that is left out of the key; NULL: none */
};
/*
 * Opens a table. If it is for people, it omits the unit, which is next to the values, and,
 * without all_keys, the columns of kind and provenance that never vary. End with
 * group_table_close().
 */
struct group_table *group_table_open(
    const struct groups *g, const struct output *out, const struct group_table_opts *opts);
/* Appends a row. A cell whose unit is group_table_unit is in the unit of the group. */
void group_table_row(struct group_table *k, size_t group, const struct cell *cells);
/* Appends a row with this unit instead of the unit of the group. */
void group_table_row_in(
    struct group_table *k, size_t group, struct text unit, const struct cell *cells);
extern const char group_table_unit[];
/* Ends the output and frees the table. Returns 0, or -1 when writing failed (errno set). */
int group_table_close(struct group_table *k);

#endif
