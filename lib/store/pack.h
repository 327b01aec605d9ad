/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The compact form of the samples of one series: a chunk of up to PACK_ROWS rows, column by
 * column, as kept in raw_benchmark_data.data. Pure. The bytes, format 1:
 *
 *     1 byte     1, the format
 *     8 bytes    the encoding of each column: process, sample, t, iterations, time, value,
 *                status, running_pct
 *     varint     the number of rows
 *     ...        the columns, in that order
 *     4 bytes    FNV-1a (32 bits) of all before, least byte first
 *
 * A varint has 7 bits a byte, the least first, with the top bit on all bytes but the last;
 * a signed number n is the varint of 2n, or of -2n - 1 when negative. The encodings:
 *
 *     0  empty     nothing: the field is empty in every row
 *     1  step      two signed: the first number, and what each is more than the one before
 *     2  delta     a signed a row: what it is more than the one before, the first than 0
 *     3  doubles   8 bytes a row: IEEE 754, least byte first
 *     4  texts     a varint, how many; for each a varint, its length, and its bytes; then,
 *                  if there are several, for each row a varint: which of them, from 0
 *     5  stamps    1 byte: the digits after the point; then as delta, ns since 1970 UTC
 *
 * 128 added to 1, 2, 3 or 5 says that some rows are empty: a bit a row comes first, from
 * the lowest bit of the first byte, 1 for a row that is not, and the encoding is that of
 * those. Numbers that are all whole and below 2^53 are written with 1 or 2.
 */
#ifndef STORE_PACK_H
#define STORE_PACK_H

#include "base/intern.h"
#include "record/record.h"
#include "text/stamp.h"

enum { PACK_ROWS = 4096 };
enum { PACK_TIME_NONE = -1, PACK_TIME_TEXT = -2 };

/* The measurement columns of a row, and its time. Texts are numbers of an intern. */
struct pack_row {
	int64_t process, sample, t, iterations; /* ROW_NONE: empty */
	int64_t time;                           /* ns since 1970, or the number of a text */
	double value, running_pct;              /* NAN: empty */
	uint32_t status;                        /* the number of a text */
	int32_t time_form; /* digits of a stamp, PACK_TIME_NONE, PACK_TIME_TEXT */
};

/* A growing array of rows. Zero it to begin. */
struct pack_rows {
	struct pack_row *row;
	size_t count, cap;
};

/* Set the row's time from the text of the column. */
void pack_time(struct pack_row *row, struct text time, struct intern *texts);
/* The text of a row's time; small is room for it. */
struct text pack_time_text(
    const struct pack_row *row, const struct intern *texts, char small[STAMP_MAX]);

/* Append the bytes of a chunk of 1 to PACK_ROWS rows. */
void pack_encode(
    const struct pack_row *rows, size_t count, const struct intern *texts, struct buf *out);
/* Append the rows of a chunk. 0, or -1 when the bytes are damaged or of a newer format. */
int pack_decode(
    struct text bytes, struct intern *texts, struct pack_rows *out, struct fault *f);

/* By identity within a series: process, sample, t; empty first. */
int pack_order(const struct pack_row *a, const struct pack_row *b);
/* The same, then by all that is measured: 0 is an equal row. */
int pack_compare(const struct pack_row *a, const struct pack_row *b);
/* Whether sample or t tells the row from others of its series and process. */
bool pack_numbered(const struct pack_row *row);

#endif
