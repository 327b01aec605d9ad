/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records in one piece; see csv_batch.h.
 */
#include <stdlib.h>
#include <string.h>

#include "io/csv_batch.h"

void csv_batch_clear(struct csv_batch *b)
{
	b->bytes.len = b->fields = b->records = 0;
	b->failed = b->last = false;
}

void csv_batch_free(struct csv_batch *b)
{
	buf_free(&b->bytes);
	free(b->len);
	free(b->type);
	free(b->record);
}

void csv_batch_room(struct csv_batch *b, size_t len, size_t slack)
{
	if (b->fields == b->field_cap)
		b->len = mem_more(b->len, &b->field_cap, sizeof(*b->len));
	buf_room(&b->bytes, len + slack);
}

void csv_batch_put(struct csv_batch *b, struct text t, enum field_type type)
{
	csv_batch_room(b, t.len, 1);
	if (b->type_cap < b->field_cap) {
		b->type_cap = b->field_cap;
		b->type = mem_resize(b->type, b->type_cap, sizeof(*b->type));
	}
	buf_text(&b->bytes, t);
	b->type[b->fields] = (unsigned char)type;
	b->len[b->fields++] = t.len;
}

void csv_batch_end(struct csv_batch *b, enum record_form form, uint64_t line)
{
	*VEC_ADD(b->record, b->records, b->record_cap) =
	    (struct csv_batch_record){ b->fields, line, form };
}

void csv_batch_move_rest(struct csv_batch *from, struct csv_batch *to)
{
	size_t done = from->records ? from->record[from->records - 1].fields : 0, size = 0;

	for (size_t i = done; i < from->fields; i++) {
		size_t len = from->len[i];

		*VEC_ADD(to->len, to->fields, to->field_cap) = len;
		size += len;
	}
	from->fields = done;
	from->bytes.len -= size;
	if (size)
		buf_put(&to->bytes, from->bytes.ptr + from->bytes.len, size);
}
