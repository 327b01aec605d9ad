/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statements on PostgreSQL. The first run sends the text, and the second run prepares it,
 * so a statement that runs once costs one round trip. In a transaction that only reads, a
 * query of many rows is fetched in parts through a cursor.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/pq_priv.h"
#include "db/pq_text.h"

enum { FETCH_BYTES = 1 << 20, FETCH_ROWS_FIRST = 32, FETCH_ROWS_MAX = 100000 };

struct pq_query *pq_query_of(struct query *q)
{
	return (struct pq_query *)q;
}

static struct pq_query *query_new(struct db *db, char *sql)
{
	struct pq_query *q = mem_zero(1, sizeof(*q));

	*q = (struct pq_query){ .query.db = db, .sql = sql };
	return q;
}

/* Closes the cursor, unless its transaction has ended and closed it. */
static void close_cursor(struct pq_query *q)
{
	struct pq_session *s = pq_session_of(q->query.db);
	enum pq_failure ignored;
	struct fault why;

	if (*q->cursor && q->within == s->transactions && s->connection &&
	    pq_in_transaction(s->connection)) {
		char *sql = str_format("CLOSE %s", q->cursor);

		pq_result_free(pq_exec(s->connection, sql, &ignored, &why));
		free(sql);
	}
	*q->cursor = '\0';
}

void pq_query_close(struct query *query)
{
	struct pq_query *q = pq_query_of(query);

	pq_copy_close(pq_session_of(query->db), &q->copy);
	close_cursor(q);
	for (int i = 0; i < q->values; i++)
		buf_free(&q->value[i].text);
	for (int i = 0; i < q->columns; i++)
		buf_free(&q->converted[i]);
	pq_result_free(q->description);
	pq_result_free(q->result);
	free(q->value);
	free(q->converted);
	free(q->sql);
	free(q);
}

/* Prepares the statement on the server, once. 0 or -1. */
static int prepare_once(struct pq_query *q, struct fault *f)
{
	struct pq_session *s = pq_session_of(q->query.db);

	if (*q->name)
		return 0;
	snprintf(q->name, sizeof(q->name), "q%u", ++s->statements);
	q->description = pq_prepare(s->connection, q->name, q->sql, &s->failure, f);
	return q->description ? 0 : pq_session_fail(s, f);
}

const struct pq_result *pq_query_describe(struct pq_query *q)
{
	struct fault ignored;

	if (!q->result)
		prepare_once(q, &ignored);
	return q->result ? q->result : q->description;
}

bool pq_query_guard(struct db *db, bool on)
{
	struct pq_session *s = pq_session_of(db);
	bool was = s->guarded;

	s->guarded = on;
	return was;
}

/*
 * Checks a statement while the guard is on. Its first word must be the first word of a
 * statement that reads, and the server must parse it before it runs, in a transaction
 * that cannot write. A SELECT can still call functions; the server refuses their writes.
 */
static int check_reading(struct pq_query *q, struct text statement, struct fault *f)
{
	struct pq_session *s = pq_session_of(q->query.db);

	if (!pq_text_reads(statement))
		return db_fail_guarded(&s->db, f);
	if (!pq_in_transaction(s->connection)) {
		if (pq_session_exec(s, "BEGIN READ ONLY", f) < 0)
			return -1;
		s->reading = true;
	}
	return prepare_once(q, f);
}

struct query *pq_query_prepare(struct db *db, const char **sql, bool *end, struct fault *f)
{
	struct pq_session *s = pq_session_of(db);
	struct text statement = pq_text_statement(sql);
	struct pq_query *q;
	struct buf clean = { 0 };

	*end = !statement.len;
	if (*end)
		return NULL;
	pq_text_encode(&clean, statement);
	q = query_new(db, clean.ptr);
	if (!s->guarded || check_reading(q, statement, f) == 0)
		return &q->query;
	pq_query_close(&q->query);
	return NULL;
}

struct query *pq_query_insert(
    struct db *db, const char *table, const char *columns, int count, struct fault *f)
{
	struct pq_session *s = pq_session_of(db);
	char *types = str_format("SELECT %s FROM %s LIMIT 0", columns, table);
	struct pq_result *a = pq_exec(s->connection, types, &s->failure, f);
	struct pq_query *q;

	free(types);
	if (!a) {
		pq_session_fail(s, f);
		return NULL;
	}
	q = query_new(
	    db, str_format("COPY %s (%s) FROM STDIN (FORMAT binary)", table, columns));
	q->description = a;
	q->inserts = true;
	q->copy.sql = q->sql;
	q->values = count;
	q->value = mem_zero((size_t)count, sizeof(*q->value));
	pq_copy_open(s, &q->copy);
	return &q->query;
}

int pq_query_ids(struct db *db, const char *table, const char *column, size_t count,
    int64_t *id, struct fault *f)
{
	struct pq_session *s = pq_session_of(db);
	char *sql = str_format("SELECT nextval(s) FROM (SELECT"
	                       " pg_get_serial_sequence('%s', '%s')::regclass AS s"
	                       " OFFSET 0) AS one, generate_series(1, %zu)",
	    table, column, count);
	struct pq_result *a = pq_exec(s->connection, sql, &s->failure, f);

	free(sql);
	if (!a)
		return pq_session_fail(s, f);
	for (size_t i = 0; i < count; i++)
		id[i] = strtoll(pq_result_text(a, (int)i, 0).ptr, NULL, 10);
	pq_result_free(a);
	return 0;
}

void pq_query_rewind(struct query *query)
{
	struct pq_query *q = pq_query_of(query);

	close_cursor(q);
	pq_result_free(q->result);
	q->result = NULL;
}

void pq_query_many(struct query *query)
{
	pq_query_of(query)->many = true;
}

/*
 * Fetches the next rows of the cursor: as many as fit in FETCH_BYTES if they are as large
 * as the previous ones. On failure there is no result.
 */
static void fetch_rows(struct pq_query *q, struct fault *f)
{
	struct pq_session *s = pq_session_of(q->query.db);
	double fit = FETCH_ROWS_FIRST;
	char *sql;

	if (q->result)
		fit = (double)q->fetched * FETCH_BYTES /
		      ((double)pq_result_bytes(q->result) + 1);
	pq_result_free(q->result);
	q->fetched = (int)fmin(fmax(fit, 1), FETCH_ROWS_MAX);
	q->row = 0;
	sql = str_format("FETCH %d FROM %s", q->fetched, q->cursor);
	q->result = pq_exec(s->connection, sql, &s->failure, f);
	free(sql);
}

static void open_cursor(struct pq_query *q, const struct pq_value *value, struct fault *f)
{
	struct pq_session *s = pq_session_of(q->query.db);
	struct pq_result *a;
	char *sql;

	snprintf(q->cursor, sizeof(q->cursor), "c%u", ++s->statements);
	q->within = s->transactions;
	sql = str_format("DECLARE %s NO SCROLL CURSOR FOR %s", q->cursor, q->sql);
	a = pq_exec_params(s->connection, sql, value, q->values, &s->failure, f);
	free(sql);
	pq_result_free(a);
	if (a)
		fetch_rows(q, f);
	else
		*q->cursor = '\0';
}

/* Makes room for the converted text of each column of the result. */
static void make_converted(struct pq_query *q)
{
	int count = pq_result_columns(q->result);

	if (q->columns >= count)
		return;
	q->converted = mem_resize(q->converted, (size_t)count, sizeof(*q->converted));
	memset(q->converted + q->columns, 0,
	    (size_t)(count - q->columns) * sizeof(*q->converted));
	q->columns = count;
}

/* Runs the query: as text, prepared, or through a cursor. 0 or -1. */
static int run_query(struct pq_query *q, struct fault *f)
{
	struct pq_session *s = pq_session_of(q->query.db);
	struct pq_value *value = mem_zero((size_t)q->values + 1, sizeof(*value));

	for (int i = 0; i < q->values; i++)
		if (q->value[i].given)
			value[i] = (struct pq_value){ q->value[i].text.ptr,
				q->value[i].text.len, q->value[i].binary };
	if (q->many && s->reading && pq_text_selects(text_of(q->sql)))
		open_cursor(q, value, f);
	else if (!q->ran && !*q->name)
		q->result =
		    pq_exec_params(s->connection, q->sql, value, q->values, &s->failure, f);
	else if (prepare_once(q, f) == 0)
		q->result = pq_exec_prepared(
		    s->connection, q->name, value, q->values, &s->failure, f);
	free(value);
	q->ran = true;
	q->row = 0;
	if (!q->result)
		return pq_session_fail(s, f);
	make_converted(q);
	return 0;
}

int pq_query_next(struct query *query, struct fault *f)
{
	struct pq_query *q = pq_query_of(query);
	struct pq_session *s = pq_session_of(query->db);

	if (q->inserts)
		return pq_copy_row(s, &q->copy, q->value, q->values, f);
	if (!q->result && run_query(q, f) < 0)
		return -1;
	if (q->row == pq_result_rows(q->result) && *q->cursor && q->row == q->fetched)
		fetch_rows(q, f);
	if (!q->result)
		return pq_session_fail(s, f);
	if (q->row < pq_result_rows(q->result)) {
		q->row++;
		return 1;
	}
	pq_query_rewind(query);
	return 0;
}
