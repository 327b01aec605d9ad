/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plain lines of CSV; see csv_lines.h. The fields are where they were in the text, which is
 * copied as a whole, together with its commas.
 */
#include <endian.h>

#include "io/csv_lines.h"

#define ALL(byte) (UINT64_C(0x0101010101010101) * (byte))
#define LOW_BITS ALL(0x7f)

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

/* Returns a word whose highest bit of each byte shows whether this byte is zero. */
static uint64_t zeros(uint64_t word)
{
	return ~(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS);
}

/* Returns the marks among eight bytes: commas, newlines and quotes. The lowest bit that is
 * set belongs to the first of them. */
static uint64_t marks_of(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	word = le64toh(word);
	return zeros(word ^ ALL(',')) | zeros(word ^ ALL('\n')) | zeros(word ^ ALL('"'));
}

static void put_field(struct line *l, const char *end)
{
	struct csv_batch *b = l->out;
	const char *start = l->field;

	if (l->quoted_end) {
		start++;
		end = l->quoted_end;
	}
	*VEC_ADD(b->field, b->fields, b->field_cap) =
	    (struct csv_batch_field){ (size_t)(start - l->text) + l->shift,
		    (size_t)(end - start) };
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
		put_field(l, newline);
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
		put_field(l, at);
	}
	l->field = at + 1;
	return true;
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

	while (plain && p <= last) {
		uint64_t marks = 0;

		if (last + 1 - p >= (ptrdiff_t)sizeof(marks))
			marks = marks_of(p);
		else if (*p == ',' || *p == '\n' || *p == '"')
			marks = 0x80;
		for (; marks && plain; marks &= marks - 1) {
			const char *at = p + __builtin_ctzll(marks) / 8;

			plain = take_mark(&l, at);
			if (plain && *at == '\n')
				taken = at + 1;
		}
		p += last + 1 - p >= (ptrdiff_t)sizeof(marks) ? sizeof(marks) : 1;
	}
	out->fields = l.fields;
	if (taken > t.ptr)
		buf_put(&out->bytes, t.ptr, (size_t)(taken - t.ptr));
	*newlines = l.newlines;
	return (size_t)(taken - t.ptr);
}
