/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values for the placeholders of a query on PostgreSQL: as text, or as bytes of COPY's
 * binary format if the query inserts rows.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "db/pq_priv.h"
#include "db/pq_text.h"

/* Returns the value of $at, from 1, after emptying it. */
static struct buf *value_at(struct pq_query *q, int at)
{
	struct pq_bound *v;

	if (at > q->values) {
		q->value = mem_resize(q->value, (size_t)at, sizeof(*q->value));
		memset(
		    q->value + q->values, 0, (size_t)(at - q->values) * sizeof(*q->value));
		q->values = at;
	}
	v = &q->value[at - 1];
	v->given = true;
	v->binary = false;
	v->text.len = 0;
	buf_put(&v->text, "", 0);
	return &v->text;
}

void pq_bind_text(struct query *query, int at, struct text t)
{
	struct pq_query *q = pq_query_of(query);
	struct buf *value = value_at(q, at);

	/* Binary jsonb begins with the version of its format. */
	if (q->inserts && pq_result_type(q->description, at - 1) == PQ_JSON)
		buf_byte(value, 1);
	pq_text_encode(value, t);
}

void pq_bind_bytes(struct query *query, int at, struct text bytes)
{
	struct pq_query *q = pq_query_of(query);

	buf_text(value_at(q, at), bytes);
	q->value[at - 1].binary = true;
}

void pq_bind_integer(struct query *query, int at, int64_t n)
{
	struct pq_query *q = pq_query_of(query);
	struct buf *value = value_at(q, at);

	if (q->inserts)
		pq_copy_put(value, (uint64_t)n, sizeof(n));
	else
		buf_printf(value, "%" PRId64, n);
}

void pq_bind_number(struct query *query, int at, double x)
{
	struct pq_query *q = pq_query_of(query);
	struct buf *value = value_at(q, at);
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	if (q->inserts)
		pq_copy_put(value, bits, sizeof(bits));
	else
		buf_printf(value, "%.17g", x);
	q->value[at - 1].given = !isnan(x);
}

int pq_bind_placeholders(struct query *query)
{
	struct pq_query *q = pq_query_of(query);

	pq_query_describe(q);
	return q->description ? pq_result_placeholders(q->description) : 0;
}
