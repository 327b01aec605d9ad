/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of sysstat, which its programs print for people and for other programs with
 * the same names of columns.
 */
#ifndef OBSERVE_SYSSTAT_TABLE_H
#define OBSERVE_SYSSTAT_TABLE_H

#include "observe/observed.h"

enum { SYSSTAT_COLUMNS_MAX = 200 };

/* The columns of a table. Some are labels, such as CPU or DEV, and the others have values.
 */
struct sysstat_table {
	struct text column[SYSSTAT_COLUMNS_MAX];
	size_t columns;
};

/*
 * Returns whether a line is the first one that a program prints: "Linux 6.1.0 (host) date
 * _x86_64_ (2 CPU)". Sets *host.
 */
bool sysstat_first_line(struct text line, struct text *host);
/* Sets the columns to the words of a line. Returns NULL, or a message: the words are too
 * many, or numbers, because the line of the columns is missing. */
const char *sysstat_table_columns(struct sysstat_table *table, struct text names);
/*
 * Splits a line into a field for each column. A command, which is the last one, may contain
 * spaces. Returns false if there are no columns, or fewer or more fields.
 */
bool sysstat_table_split(
    const struct sysstat_table *table, struct text line, struct text *field);
/* Returns whether the table has values in its columns: lists of devices have none. */
bool sysstat_table_has_values(const struct sysstat_table *table);
/* Checks that the fields of a line, one for each column, are numbers except the labels.
 * Returns 0, or -1 and the message. */
int sysstat_table_check(
    const struct sysstat_table *table, const struct text *field, struct fault *f);
/*
 * Adds the rows of a line that was checked, with its labels as factors.
 * Returns 0, or -1 and the message.
 */
int sysstat_table_put(const struct sysstat_table *table, const struct text *field,
    struct row_builder *out, struct fault *f);

#endif
