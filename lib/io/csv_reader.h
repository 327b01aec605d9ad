/*
 * CSV as such (RFC 4180), the one module that includes libcsv: records in, fields out. It
 * knows nothing of what the columns mean; bench_csv.h does.
 */
#ifndef SHEET_H
#define SHEET_H

#include "base/base.h"
#include "io/csv_batch.h"

/*
 * A record. The fields live until the callback returns. line is the line on which the
 * record ends, from 1. Return 0 to go on, -1 (with the message filled) to stop.
 */
typedef int sheet_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f);

struct sheet;
struct sheet *sheet_open(sheet_record *record, void *ctx);
/* Begin a file at line 1; the name, for messages, must live until sheet_end. */
void sheet_begin(struct sheet *s, const char *name);
/* Parse a piece of the file. 0 or -1. */
int sheet_feed(struct sheet *s, const void *bytes, size_t len, struct fault *f);
/* End of the file: delivers a last record without newline. */
int sheet_end(struct sheet *s, struct fault *f);
void sheet_close(struct sheet *s);

/*
 * The halves of sheet_feed and sheet_end, which may run in two threads: one parses a piece,
 * or what is left at the end, into a batch, whose contents go; the other calls back for its
 * records and then fails where the parser did.
 */
void sheet_parse(struct sheet *s, const void *bytes, size_t len, struct batch *out);
void sheet_finish(struct sheet *s, struct batch *out);
int sheet_deliver(struct sheet *s, const struct batch *batch, struct fault *f);

/* Put a field into b, quoted only where RFC 4180 needs it. */
void sheet_field(struct buf *b, struct text t);

#endif
