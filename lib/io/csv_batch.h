/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parsed records of CSV or JSON, whose fields are stored in one piece of memory, so that
 * one thread can parse them and another can use them.
 */
#ifndef IO_CSV_BATCH_H
#define IO_CSV_BATCH_H

#include "base/base.h"

/*
 * The form of a record. Which records of CSV are headers depends on their contents. A table
 * of JSON, which is an array or consecutive objects, has a further header wherever the
 * names of the members change.
 */
enum record_form { RECORD_OF_CSV, RECORD_JSON_TABLE, RECORD_JSON_HEADER, RECORD_JSON_ROW };
/* The type of a field of JSON. */
enum field_type { FIELD_NULL, FIELD_TEXT, FIELD_NUMBER, FIELD_TRUTH, FIELD_NESTED };

struct csv_batch_record {
	size_t fields; /* how many of the batch's fields come before its end */
	uint64_t line; /* on which the record ends */
	enum record_form form;
};

/* Where a field is in the bytes of its batch. */
struct csv_batch_field {
	size_t start, len;
};

struct csv_batch {
	struct buf bytes; /* of all fields in their order; also bytes between fields */
	struct csv_batch_field *field;
	size_t fields, field_cap;
	unsigned char *type; /* of each field of JSON: an enum field_type */
	size_t type_cap;
	struct csv_batch_record *record;
	size_t records, record_cap;
	bool failed; /* the text after these records is neither CSV nor JSON */
	struct fault fault;
	bool last; /* of the file */
};

/* Forgets the contents and keeps the memory. */
void csv_batch_clear(struct csv_batch *b);
void csv_batch_free(struct csv_batch *b);
/* Makes room for one more field of len bytes, and for slack readable bytes after it. */
void csv_batch_room(struct csv_batch *b, size_t len, size_t slack);
/* Appends a field of JSON. */
void csv_batch_put(struct csv_batch *b, struct text t, enum field_type type);
/* Ends a record of JSON, whose fields were put. */
void csv_batch_end(struct csv_batch *b, enum record_form form, uint64_t line);
/* Moves the fields after the last complete record to an empty batch. */
void csv_batch_move_rest(struct csv_batch *from, struct csv_batch *to);

#endif
