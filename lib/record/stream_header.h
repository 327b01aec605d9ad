/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The headers of the tables of a stream: which kind of table each begins, and which types
 * its columns have in JSON. Pure.
 */
#ifndef RECORD_STREAM_HEADER_H
#define RECORD_STREAM_HEADER_H

#include "io/csv_batch.h"
#include "record/record.h"

enum { FACT_ENV, FACT_NAME, FACT_VALUE, FACT_FIELDS };

/* Returns the position of a name in a header, or SIZE_MAX. */
size_t stream_header_find(const struct text *field, size_t count, struct text name);
/* Returns 0, or -1 and the message if a header lacks a column of -m. */
int stream_header_need(
    const struct text *field, size_t count, struct text column, struct fault *f);
/*
 * Returns whether a header begins facts, and sets their positions. In CSV the columns have
 * a fixed order; the members of JSON may have any.
 */
bool stream_header_facts(
    const struct text *field, size_t count, bool json, size_t at[FACT_FIELDS]);
/* Returns whether a header begins a list of subjects. */
bool stream_header_subjects(const struct text *field, size_t count, bool json);
/* Returns the names of the columns that are first in CSV, in this order, in a table of
 * facts or subjects with these members in JSON, and their number; 0 for other tables. */
size_t stream_header_first(
    const struct text *field, size_t count, const char *const **names);
/* Returns whether a header begins rows. */
bool stream_header_rows(const struct text *field, size_t count);
/* Returns 0, or -1 and the message if a column has no name, or the name of another one. */
int stream_header_check(const struct text *field, size_t count, struct fault *f);
/*
 * Checks the type of a member of JSON that is a column of rows: a number in a column of
 * numbers, a string in other reserved columns, and no array or object in a factor. Null may
 * be anywhere, and anything in an extra column. Returns 0, or -1 and the message.
 */
int stream_type_check(
    size_t column, struct text name, enum field_type type, struct fault *f);
/* Reads a whole number of JSON in any notation, such as 1e+05, which R writes. Returns
 * false if its last digits may be lost, above 2^53. */
bool stream_whole_number(struct text t, int64_t *out);

#endif
