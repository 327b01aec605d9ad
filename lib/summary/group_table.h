/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables with one or more rows for each group: the group's key, metric and unit, followed
 * by further columns.
 */
#ifndef SUMMARY_GROUP_TABLE_H
#define SUMMARY_GROUP_TABLE_H

#include <stdio.h>

#include "io/render.h"
#include "record/group.h"

struct group_table;
/*
 * Opens a table whose columns follow the key. A table for people omits the unit, which is
 * beside the values, and, unless all_keys, the columns of kind and provenance that never
 * vary.
 */
struct group_table *group_table_open(const struct groups *g, FILE *out,
    enum render_format format, bool all_keys, const struct render_column *columns,
    size_t count);
/* Does as group_table_open(), but leaves this column out of the key. */
struct group_table *group_table_open_without(const struct groups *g, size_t without,
    FILE *out, enum render_format format, bool all_keys,
    const struct render_column *columns, size_t count);
/* Appends a row. A cell whose unit is group_table_unit is in the unit of the group. */
void group_table_row(struct group_table *k, size_t group, const struct cell *cells);
/* Appends a row with this unit instead of the unit of the group. */
void group_table_row_in(
    struct group_table *k, size_t group, struct text unit, const struct cell *cells);
extern const char group_table_unit[];
/* Ends the output and frees the table. Returns 0, or -1 when writing failed (errno set). */
int group_table_close(struct group_table *k);

#endif
