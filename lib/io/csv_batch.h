/*
 * Records of CSV that have been parsed and not yet been looked at: their fields one after
 * the other in one piece of memory, so that one thread can parse and another one use them.
 */
#ifndef BATCH_H
#define BATCH_H

#include "base/base.h"

struct csv_batch_record {
	size_t fields; /* how many of the batch's fields come before its end */
	uint64_t line; /* on which the record ends */
};

struct csv_batch {
	struct buf bytes; /* of all fields */
	size_t *len;      /* of each field */
	size_t fields, field_cap;
	struct csv_batch_record *record;
	size_t records, record_cap;
	bool failed; /* after these records comes something that is no CSV */
	struct fault fault;
	bool last; /* of the file */
};

/* Forget the contents, keep the memory. */
void csv_batch_clear(struct csv_batch *b);
void csv_batch_free(struct csv_batch *b);
/* Make room for a field more of len bytes, and for slack readable bytes after it. */
void csv_batch_room(struct csv_batch *b, size_t len, size_t slack);
/* The fields after the last record, which is not complete, go to an empty batch. */
void csv_batch_move_rest(struct csv_batch *from, struct csv_batch *to);

#endif
