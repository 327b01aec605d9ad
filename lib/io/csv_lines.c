/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plain lines of CSV; see csv_lines.h. The fields are where they were in the text, which is
 * copied as a whole, together with its commas.
 */
#include <endian.h>

#include "io/csv_lines.h"

enum { BLOCK = 64, WORD = sizeof(uint64_t), VECTOR = 16 };

/* All processors with vectors have some of this size. */
typedef unsigned char vector_bytes __attribute__((vector_size(VECTOR)));

/* A line as far as it was read. */
struct line {
	struct csv_batch *out;
	const char *text; /* at which the fields of the line are counted */
	size_t shift;     /* where the text begins in the batch */
	const char *field;
	const char *quoted_end; /* the closing quote of the field; NULL: none so far */
	bool quoted;
	size_t fields; /* of the batch before the line */
	uint64_t newlines;
};

/* Returns the lowest bits of eight bytes, each of which is 0 or 1, as bits of a number. The
 * product has no carries, and byte i of the word becomes bit 56 + i. */
static uint64_t bits_of(const unsigned char *byte)
{
	uint64_t word;

	memcpy(&word, byte, sizeof(word));
	return le64toh(word) * UINT64_C(0x0102040810204080) >> (BLOCK - WORD);
}

/* Stores whether each byte of a vector is a comma, newline or quote, as 1 or 0. */
static void find_marks(const char *p, unsigned char *found)
{
	vector_bytes bytes, ones;

	memcpy(&bytes, p, sizeof(bytes));
	ones = (vector_bytes)((bytes == ',') | (bytes == '\n') | (bytes == '"')) & 1;
	memcpy(found, &ones, sizeof(ones));
}

/* Returns which bytes of a block are marks: bit i is set if byte i is one. */
static uint64_t marks_of(const char *p)
{
	unsigned char found[BLOCK];
	uint64_t marks = 0;

	for (size_t i = 0; i < BLOCK; i += VECTOR)
		find_marks(p + i, found + i);
	for (size_t i = 0; i < BLOCK; i += WORD)
		marks |= bits_of(found + i) << i;
	return marks;
}

/* Returns the marks of a block that has fewer bytes. */
static uint64_t marks_of_part(const char *p, size_t len)
{
	char block[BLOCK] = { 0 };

	memcpy(block, p, len);
	return marks_of(block);
}

/* Makes room for the fields of a block, each of which ends at one of its bytes. */
static void room_for_block(struct csv_batch *b)
{
	while (b->field_cap - b->fields < BLOCK)
		b->field = mem_more(b->field, &b->field_cap, sizeof(*b->field));
}

/* Appends a field, for which room_for_block() has made room. */
static void put_field(struct line *l, const char *start, const char *end)
{
	struct csv_batch *b = l->out;

	b->field[b->fields++] =
	    (struct csv_batch_field){ (size_t)(start - l->text) + l->shift,
		    (size_t)(end - start) };
}

/* Ends the field at a comma or newline outside of quotes. */
static void end_field(struct line *l, const char *at)
{
	if (l->quoted_end)
		put_field(l, l->field + 1, l->quoted_end);
	else
		put_field(l, l->field, at);
	l->quoted_end = NULL;
}

/* Takes a quote, after which the text has at least a newline. Returns whether the field
 * can be split. */
static bool take_quote(struct line *l, const char *at)
{
	if (!l->quoted && !l->quoted_end && at == l->field) {
		l->quoted = true;
		return true;
	}
	if (!l->quoted || (at[1] != ',' && at[1] != '\n'))
		return false;
	l->quoted = false;
	l->quoted_end = at;
	return true;
}

/* Ends a line: it is a record, unless it is blank. */
static void end_line(struct line *l, const char *newline)
{
	struct csv_batch *b = l->out;

	if (newline == l->field && b->fields == l->fields)
		l->newlines++;
	else {
		end_field(l, newline);
		*VEC_ADD(b->record, b->records, b->record_cap) =
		    (struct csv_batch_record){ b->fields, ++l->newlines, RECORD_OF_CSV };
	}
	l->fields = b->fields;
}

/* Takes a mark. Returns whether the line can be split. */
static bool take_mark(struct line *l, const char *at)
{
	if (*at == '"')
		return take_quote(l, at);
	if (l->quoted)
		return *at == ',';
	if (*at == '\n')
		end_line(l, at);
	else {
		if (l->out->fields - l->fields >= CSV_FIELDS_MAX - 1)
			return false;
		end_field(l, at);
	}
	l->field = at + 1;
	return true;
}

/* Takes the commas at the beginning of the marks of a block, as far as they end fields
 * without quotes. Returns the other marks. Most marks are such commas. */
static uint64_t take_plain_fields(struct line *l, const char *p, uint64_t marks)
{
	struct csv_batch *b = l->out;
	struct csv_batch_field *field = b->field + b->fields;
	const char *start = l->field;

	if (l->quoted || l->quoted_end || b->fields - l->fields >= CSV_FIELDS_MAX - BLOCK)
		return marks;
	for (; marks; marks &= marks - 1) {
		const char *at = p + __builtin_ctzll(marks);

		if (*at != ',')
			break;
		*field++ = (struct csv_batch_field){ (size_t)(start - l->text) + l->shift,
			(size_t)(at - start) };
		start = at + 1;
	}
	b->fields = (size_t)(field - b->field);
	l->field = start;
	return marks;
}

size_t csv_lines_split(struct csv_batch *out, struct text t, uint64_t *newlines)
{
	const char *last = t.len ? memrchr(t.ptr, '\n', t.len) : NULL, *p = t.ptr,
	           *taken = p;
	struct line l = { .out = out,
		.text = t.ptr,
		.shift = out->bytes.len,
		.field = t.ptr,
		.fields = out->fields,
		.newlines = *newlines };
	bool plain = last != NULL;

	for (size_t len; plain && p <= last; p += len) {
		len = last + 1 - p < BLOCK ? (size_t)(last + 1 - p) : BLOCK;
		uint64_t marks = len < BLOCK ? marks_of_part(p, len) : marks_of(p);

		room_for_block(out);
		while (plain && (marks = take_plain_fields(&l, p, marks))) {
			const char *at = p + __builtin_ctzll(marks);

			plain = take_mark(&l, at);
			if (plain && *at == '\n')
				taken = at + 1;
			marks &= marks - 1;
		}
	}
	out->fields = l.fields;
	if (taken > t.ptr)
		buf_put(&out->bytes, t.ptr, (size_t)(taken - t.ptr));
	*newlines = l.newlines;
	return (size_t)(taken - t.ptr);
}
