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
	free(b->field);
	free(b->type);
	free(b->record);
}

void csv_batch_room(struct csv_batch *b, size_t len, size_t slack)
{
	if (b->fields == b->field_cap)
		b->field = mem_more(b->field, &b->field_cap, sizeof(*b->field));
	buf_room(&b->bytes, len + slack);
}

void csv_batch_put(struct csv_batch *b, struct text t, enum field_type type)
{
	csv_batch_room(b, t.len, 1);
	if (b->type_cap < b->field_cap) {
		b->type_cap = b->field_cap;
		b->type = mem_resize(b->type, b->type_cap, sizeof(*b->type));
	}
	b->type[b->fields] = (unsigned char)type;
	b->field[b->fields++] = (struct csv_batch_field){ b->bytes.len, t.len };
	buf_text(&b->bytes, t);
}

void csv_batch_end(struct csv_batch *b, enum record_form form, uint64_t line)
{
	*VEC_ADD(b->record, b->records, b->record_cap) =
	    (struct csv_batch_record){ b->fields, line, form };
}

void csv_batch_move_rest(struct csv_batch *from, struct csv_batch *to)
{
	size_t done = from->records ? from->record[from->records - 1].fields : 0;
	size_t start = done < from->fields ? from->field[done].start : from->bytes.len;
	size_t size = from->bytes.len - start;

	for (size_t i = done; i < from->fields; i++)
		*VEC_ADD(to->field, to->fields, to->field_cap) =
		    (struct csv_batch_field){ from->field[i].start - start,
			    from->field[i].len };
	from->fields = done;
	from->bytes.len = start;
	if (size)
		buf_put(&to->bytes, from->bytes.ptr + start, size);
}
