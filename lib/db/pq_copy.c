/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inserts rows into PostgreSQL. Rows are collected in memory, and COPY writes them
 * directly into the tables in the transaction. A staging table is not needed to remove
 * duplicate rows, because the runs are locked and the existing rows are known. The format
 * is binary, because writing and parsing numbers as text took longer than everything
 * else.
 */
#include "db/pq_priv.h"

enum { COPIES_BYTES = 8 << 20 };

void pq_copy_put(struct buf *out, uint64_t n, int bytes)
{
	while (bytes-- > 0)
		buf_byte(out, (char)(n >> 8 * bytes));
}

void pq_copy_open(struct pq_session *s, struct pq_copy *c)
{
	*s->last_copy = c;
	s->last_copy = &c->next;
}

void pq_copy_close(struct pq_session *s, struct pq_copy *c)
{
	for (struct pq_copy **p = &s->copies; *p; p = &(*p)->next)
		if (*p == c) {
			*p = c->next;
			if (s->last_copy == &c->next)
				s->last_copy = p;
			break;
		}
	buf_free(&c->rows);
}

void pq_copy_discard(struct pq_session *s)
{
	for (struct pq_copy *c = s->copies; c; c = c->next)
		c->rows.len = 0;
}

static int send_rows(struct pq_session *s, struct pq_copy *c, struct fault *f)
{
	struct pq_result *a;

	if (!c->rows.len)
		return 0;
	pq_copy_put(&c->rows, UINT64_MAX, 2); /* the trailer */
	a = pq_copy_in(s->connection, c->sql, text_in(&c->rows),
	    &s->failure, f);
	c->rows.len = 0;
	if (!a)
		return pq_session_fail(s, f);
	pq_result_free(a);
	return 0;
}

int pq_copy_flush(struct db *db, struct fault *f)
{
	struct pq_session *s = pq_session_of(db);

	for (struct pq_copy *c = s->copies; c; c = c->next)
		if (send_rows(s, c, f) < 0)
			return -1;
	return 0;
}

int pq_copy_row(struct pq_session *s, struct pq_copy *c, const struct pq_bound *value,
    int values, struct fault *f)
{
	/* The signature, no flags, no extension. */
	static const char header[] = "PGCOPY\n\377\r\n\0"
	                             "\0\0\0\0"
	                             "\0\0\0\0";
	size_t bytes = 0;

	if (!c->rows.len)
		buf_put(&c->rows, header, sizeof(header) - 1);
	pq_copy_put(&c->rows, (uint64_t)values, 2);
	for (int i = 0; i < values; i++) {
		const struct pq_bound *v = &value[i];

		pq_copy_put(&c->rows, v->given ? v->text.len : UINT64_MAX, 4);
		if (v->given)
			buf_put(&c->rows, v->text.ptr, v->text.len);
	}
	for (const struct pq_copy *i = s->copies; i; i = i->next)
		bytes += i->rows.len;
	return bytes < COPIES_BYTES ? 0 : pq_copy_flush(&s->db, f);
}
