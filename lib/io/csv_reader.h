/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CSV as such (RFC 4180), the one module that includes libcsv: records in, fields out. It
 * knows nothing of what the columns mean; bench_csv.h does.
 */
#ifndef IO_CSV_READER_H
#define IO_CSV_READER_H

#include "base/base.h"
#include "io/csv_batch.h"

/*
 * Takes a record. The fields live until the callback returns; line, from 1, is the one on
 * which the record ends. Returns 0 to go on, or -1 (with the message filled) to stop.
 */
typedef int csv_reader_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f);

struct csv_reader;
struct csv_reader *csv_reader_open(csv_reader_record *record, void *ctx);
/* Begins a file at line 1; the name, for messages, must live until csv_reader_end. */
void csv_reader_begin(struct csv_reader *s, const char *name);
/* Parses a piece of the file. Returns 0 or -1. */
int csv_reader_feed(struct csv_reader *s, const void *bytes, size_t len, struct fault *f);
/* Ends the file: delivers a last record without a newline. */
int csv_reader_end(struct csv_reader *s, struct fault *f);
void csv_reader_close(struct csv_reader *s);

/*
 * The halves of csv_reader_feed and csv_reader_end, which may run in two threads: one
 * parses a piece, or what is left at the end, into a batch, whose contents go; the other
 * calls back for its records and then fails where the parser did.
 */
void csv_reader_parse(
    struct csv_reader *s, const void *bytes, size_t len, struct csv_batch *out);
void csv_reader_finish(struct csv_reader *s, struct csv_batch *out);
int csv_reader_deliver(
    struct csv_reader *s, const struct csv_batch *batch, struct fault *f);

/* Appends a field to b, quoted only where RFC 4180 needs it. */
void csv_reader_put_field(struct buf *b, struct text t);

#endif
