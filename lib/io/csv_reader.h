/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A parser of CSV (RFC 4180), which hands on the fields of each record, and of the same
 * tables as JSON (json_rows.h), which is detected from the first bytes of a file. This is
 * the only module that includes libcsv. bench_csv.h gives the columns their meaning.
 */
#ifndef IO_CSV_READER_H
#define IO_CSV_READER_H

#include "base/base.h"
#include "io/csv_batch.h"

/*
 * Takes a record. The fields live until the callback returns. line, from 1, is that on
 * which the record ends. Returns 0 to continue, or -1 and the message to stop.
 */
typedef int csv_reader_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f);

struct csv_reader;
struct csv_reader *csv_reader_open(csv_reader_record *record, void *ctx);
/* Begins a file at line 1; the name, for messages, must live until csv_reader_end. */
void csv_reader_begin(struct csv_reader *s, const char *name);
/* Parses a piece of the file. Returns 0, or -1 and the message if it is no CSV or the
 * callback returns -1. */
int csv_reader_feed(struct csv_reader *s, const void *bytes, size_t len, struct fault *f);
/* Ends the file: delivers a last record without a newline. Returns as csv_reader_feed(). */
int csv_reader_end(struct csv_reader *s, struct fault *f);
/* Reads a whole file in memory piece by piece, so that its fields take little memory.
 * Returns as csv_reader_feed(). */
int csv_reader_text(struct csv_reader *s, const char *name, struct text t, struct fault *f);
void csv_reader_close(struct csv_reader *s);

/* Returns what the record is that is delivered. */
enum record_form csv_reader_form(const struct csv_reader *s);
/* Returns the types of its fields: each an enum field_type. NULL: it is CSV. */
const unsigned char *csv_reader_types(const struct csv_reader *s);
/*
 * Calls back for the first record of text, if it has one: the header. Returns the result
 * of the callback, or -1 and the message.
 */
int csv_reader_first(struct text t, csv_reader_record *record, void *ctx, struct fault *f);

/*
 * The halves of csv_reader_feed and csv_reader_end, which may run in two threads.
 * csv_reader_parse parses a piece, and csv_reader_finish the rest at the end, into a batch,
 * whose previous contents are dropped. csv_reader_deliver calls back for the records of a
 * batch, and then returns the parser's error, if there was one.
 */
void csv_reader_parse(
    struct csv_reader *s, const void *bytes, size_t len, struct csv_batch *out);
void csv_reader_finish(struct csv_reader *s, struct csv_batch *out);
int csv_reader_deliver(
    struct csv_reader *s, const struct csv_batch *batch, struct fault *f);

/* Appends a field to b, quoted only where RFC 4180 needs it, or where a file that begins
 * with the field would be read as JSON, or as a file that is not text. */
void csv_reader_put_field(struct buf *b, struct text t);

#endif
