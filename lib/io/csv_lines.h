/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Splits lines of CSV whose fields are plain, or quoted without quotes and newlines inside.
 * Nearly all measurements are such lines, and 64 bytes are searched at once. Pure.
 */
#ifndef IO_CSV_LINES_H
#define IO_CSV_LINES_H

#include "base/base.h"
#include "io/csv_batch.h"

/* The largest number of fields of a record. */
enum { CSV_FIELDS_MAX = 65536 };

/*
 * Appends the records of whole lines at the beginning of text without carriage returns,
 * to a batch without an incomplete record. Stops before the first line that needs a parser:
 * with other quotes, more than CSV_FIELDS_MAX fields, or without a newline. Adds the
 * newlines that it passes to *newlines; blank lines are no records. Returns the number of
 * bytes that it took.
 */
size_t csv_lines_split(struct csv_batch *out, struct text t, uint64_t *newlines);

#endif
