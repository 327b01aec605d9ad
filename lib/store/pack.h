/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The packed samples of one series: a chunk of up to PACK_ROWS rows, column by column, as
 * stored in raw_benchmark_data.data. Pure. The bytes of format 1:
 *
 *     1 byte     1, the format
 *     8 bytes    the encoding of each column: process, sample, t, iterations, time, value,
 *                status, running_pct
 *     varint     the number of rows
 *     ...        the columns, in that order
 *     4 bytes    FNV-1a (32 bits) of all preceding bytes, little-endian
 *
 * A varint has 7 bits per byte, least significant first, with the top bit set in all bytes
 * but the last. A signed varint of n is the varint of 2n, or of -2n - 1 if n is negative.
 * The encodings:
 *
 *     0  empty     no bytes: the field is empty in every row
 *     1  step      two signed varints: the first value, and the difference between rows
 *     2  delta     one signed varint per row: the difference from the previous value (the
 *                  first from 0)
 *     3  doubles   8 bytes per row: IEEE 754, little-endian
 *     4  strings   a varint, the number of distinct strings; for each string a varint,
 *                  its length, and its bytes; then, if there are several, a varint per
 *                  row: the index of its string, from 0
 *     5  stamps    1 byte, the number of digits after the decimal point; then delta, in ns
 *                  since 1970 UTC
 *
 * 128 is added to encodings 1, 2, 3 and 5 if some rows are empty. One bit per row then
 * comes first, from the lowest bit of the first byte: 1 for a row that is not empty. Only
 * these rows are encoded. Values that are all integers below 2^53 have encoding 1 or 2.
 */
#ifndef STORE_PACK_H
#define STORE_PACK_H

#include "base/intern.h"
#include "record/record.h"
#include "text/stamp.h"

enum { PACK_ROWS = 4096 };
enum { PACK_TIME_NONE = -1, PACK_TIME_TEXT = -2 };

/* The measurement columns of a row, and its time. Strings are given by their numbers in an
 * intern. */
struct pack_row {
	int64_t process, sample, t, iterations; /* ROW_NONE: empty */
	int64_t time;                           /* ns since 1970, or the number of a string */
	double value, running_pct;              /* NAN: empty */
	uint32_t status;                        /* the number of a string */
	int32_t time_form; /* digits of a stamp, PACK_TIME_NONE or PACK_TIME_TEXT */
};

/* A growing array of rows. Zero it to begin. */
struct pack_rows {
	struct pack_row *row;
	size_t count, cap;
};

/* Sets the time of a row from the text of the column. */
void pack_time(struct pack_row *row, struct text time, struct intern *texts);
/* Returns the text of the time of a row, perhaps in the buffer small. */
struct text pack_time_text(
    const struct pack_row *row, const struct intern *texts, char small[STAMP_MAX]);

/* Appends the bytes of a chunk of 1 to PACK_ROWS rows. */
void pack_encode(
    const struct pack_row *rows, size_t count, const struct intern *texts, struct buf *out);
/* Appends the rows of a chunk. Returns 0, or -1 if the bytes are damaged or have a newer
 * format. */
int pack_decode(
    struct text bytes, struct intern *texts, struct pack_rows *out, struct fault *f);

/* Compares the identity of two rows within a series: process, sample, t; empty first. */
int pack_order(const struct pack_row *a, const struct pack_row *b);
/* Compares the identity, then all measured fields; 0 if the rows are equal. */
int pack_compare(const struct pack_row *a, const struct pack_row *b);
/* Returns whether sample or t distinguishes the row from others of its series and process.
 */
bool pack_numbered(const struct pack_row *row);

#endif
