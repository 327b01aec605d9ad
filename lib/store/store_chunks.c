/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads chunks; see store_chunks.h.
 */
#include <stdlib.h>

#include "store/store_chunks.h"

enum { AT_ONCE = 32 };

int store_chunks_open(struct store_chunks *c, struct store *s, struct fault *f)
{
	char *sql = str_format("SELECT %s, result_id, chunk, row_count, data FROM"
	                       " raw_benchmark_data WHERE (result_id, chunk) > ($1, $2)"
	                       " AND result_id <= $3 ORDER BY result_id, chunk LIMIT $4",
	    db_word(s->db, DB_RAW_ID));

	*c = (struct store_chunks){ .query = db_query(s->db, sql, f) };
	free(sql);
	return c->query ? 0 : -1;
}

void store_chunks_close(struct store_chunks *c)
{
	query_close(c->query);
}

void store_chunks_read_ahead(struct store_chunks *c)
{
	c->ahead = true;
}

/* Requests the chunks after one. */
static void ask(struct store_chunks *c, int64_t series, int64_t after)
{
	query_bind_integer(c->query, 1, series);
	query_bind_integer(c->query, 2, after);
	query_bind_integer(c->query, 3, c->last);
	query_bind_integer(c->query, 4, AT_ONCE);
	c->taken = 0;
}

void store_chunks_begin(struct store_chunks *c, int64_t series)
{
	bool follows = c->ahead && series > c->series && series - 1 == c->series;

	c->series = series;
	if (c->pending && c->of == series)
		return;
	store_chunks_end(c);
	c->last = follows ? INT64_MAX : series;
	ask(c, series, INT64_MIN);
}

int store_chunks_next(struct store_chunks *c, struct fault *f)
{
	int got = c->pending ? 1 : query_next(c->query, f);

	if (got == 0 && c->taken == AT_ONCE) {
		ask(c, c->of, c->chunk);
		got = query_next(c->query, f);
	}
	if (got <= 0)
		return got;
	if (!c->pending)
		c->taken++;
	c->of = query_integer(c->query, 1);
	c->pending = c->of != c->series;
	if (c->pending)
		return 0;
	c->chunk = query_integer(c->query, 2);
	c->rows = query_integer(c->query, 3);
	c->data = query_bytes(c->query, 4);
	return 1;
}

void store_chunks_end(struct store_chunks *c)
{
	query_rewind(c->query);
	c->pending = false;
}
