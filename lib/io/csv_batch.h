/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parsed records of CSV, whose fields are stored one after the other in one piece of
 * memory, so that one thread can parse them and another can use them.
 */
#ifndef IO_CSV_BATCH_H
#define IO_CSV_BATCH_H

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
	bool failed; /* the text after these records is not CSV */
	struct fault fault;
	bool last; /* of the file */
};

/* Forgets the contents and keeps the memory. */
void csv_batch_clear(struct csv_batch *b);
void csv_batch_free(struct csv_batch *b);
/* Makes room for one more field of len bytes, and for slack readable bytes after it. */
void csv_batch_room(struct csv_batch *b, size_t len, size_t slack);
/* Moves the fields after the last complete record to an empty batch. */
void csv_batch_move_rest(struct csv_batch *from, struct csv_batch *to);

#endif
