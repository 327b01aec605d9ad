/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables that have a row or several for each group: the group's key, metric and unit, then
 * columns of the table's own.
 */
#ifndef SUMMARY_GROUP_TABLE_H
#define SUMMARY_GROUP_TABLE_H

#include <stdio.h>

#include "io/render.h"
#include "record/group.h"

struct group_table;
/*
 * The columns are those behind the key. People are spared the unit, which stands beside the
 * values, and unless all_keys what never varies of kind and provenance.
 */
struct group_table *group_table_open(const struct groups *g, FILE *out,
    enum render_format format, bool all_keys, const struct render_column *columns,
    size_t count);
/* Appends a row. A cell whose unit is group_table_unit is in the unit of the group. */
void group_table_row(struct group_table *k, size_t group, const struct cell *cells);
extern const char group_table_unit[];
/* Ends the output and frees. Returns 0, or -1 when writing failed (errno set). */
int group_table_close(struct group_table *k);

#endif
