/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values in the results of queries on PostgreSQL, converted to the form of SQLite's
 * values.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/pq_priv.h"
#include "db/pq_text.h"
#include "record/factors.h"

int pq_column_count(struct query *query)
{
	const struct pq_result *a = pq_query_describe(pq_query_of(query));

	return a ? pq_result_columns(a) : 0;
}

const char *pq_column_name(struct query *query, int column)
{
	return pq_result_name(pq_query_describe(pq_query_of(query)), column);
}

static struct text cell_text(struct query *query, int column)
{
	struct pq_query *q = pq_query_of(query);

	return pq_result_text(q->result, q->row - 1, column);
}

/* A boolean is an integer, as in SQLite. */
enum query_type pq_column_type(struct query *query, int column)
{
	struct pq_query *q = pq_query_of(query);

	if (pq_result_is_null(q->result, q->row - 1, column))
		return QUERY_NULL;
	switch (pq_result_type(q->result, column)) {
	case PQ_INTEGER:
	case PQ_BOOLEAN:
		return QUERY_INTEGER;
	case PQ_NUMBER:
		return QUERY_NUMBER;
	case PQ_NUMERIC:
		return strpbrk(cell_text(query, column).ptr, ".NI") ? QUERY_NUMBER
		                                                    : QUERY_INTEGER;
	case PQ_BYTES:
		return QUERY_BYTES;
	default:
		return QUERY_TEXT;
	}
}

struct json_object {
	struct buf bytes;
	struct factor *factor;
	size_t count, cap;
};

/* Adds a member. The buffer moves while it grows, so pointers are set at the end. */
static void add_member(void *ctx, struct factor f)
{
	struct json_object *o = ctx;

	buf_text(&o->bytes, f.name);
	buf_text(&o->bytes, f.value);
	*VEC_ADD(o->factor, o->count, o->cap) = f;
}

/*
 * Appends a JSON object as factors_write writes it; the server's order and spaces differ.
 * Returns false if it is not an object of strings.
 */
static bool put_canonical(struct buf *out, struct text json)
{
	struct json_object o = { 0 };
	bool good = factors_read(json, add_member, &o);
	const char *p = o.bytes.ptr;

	for (size_t i = 0; i < o.count; i++) {
		o.factor[i].name.ptr = p;
		p += o.factor[i].name.len;
		o.factor[i].value.ptr = p;
		p += o.factor[i].value.len;
	}
	if (good)
		factors_write(out, o.factor, o.count);
	buf_free(&o.bytes);
	free(o.factor);
	return good;
}

/*
 * A string that is requested again has the same address, because it is valid until the next
 * row.
 */
struct text pq_column_text(struct query *query, int column)
{
	struct pq_query *q = pq_query_of(query);
	struct text t = cell_text(query, column);
	struct buf *converted = &q->converted[column];
	bool json = pq_result_type(q->result, column) == PQ_JSON && t.len;

	if (!json && !pq_text_encoded(t))
		return t;
	converted->len = 0;
	if (json && put_canonical(converted, t))
		t = text_in(converted);
	if (pq_text_encoded(t)) {
		struct buf decoded = { 0 };

		pq_text_decode(&decoded, t);
		converted->len = 0;
		buf_put(converted, decoded.ptr, decoded.len);
		buf_free(&decoded);
		t = text_in(converted);
	}
	return t;
}

struct text pq_column_bytes(struct query *query, int column)
{
	struct buf *converted = &pq_query_of(query)->converted[column];

	converted->len = 0;
	pq_text_bytes(converted, cell_text(query, column));
	return (struct text){ converted->ptr ? converted->ptr : "", converted->len };
}

int64_t pq_column_integer(struct query *query, int column)
{
	const char *p = cell_text(query, column).ptr;

	return *p == 't' ? 1 : strtoll(p, NULL, 10);
}

double pq_column_number(struct query *query, int column)
{
	if (pq_column_type(query, column) == QUERY_NULL)
		return (double)NAN;
	return strtod(cell_text(query, column).ptr, NULL);
}
