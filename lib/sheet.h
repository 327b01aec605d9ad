/*
 * CSV as such (RFC 4180), the one module that includes libcsv: records in, fields out. It
 * knows nothing of what the columns mean; stream.h does.
 */
#ifndef SHEET_H
#define SHEET_H

#include "base.h"

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

/* Put a field into b, quoted only where RFC 4180 needs it. */
void sheet_field(struct buf *b, struct text t);

#endif
