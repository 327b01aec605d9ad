/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statements on SQLite: their values, rows and columns.
 */
#include <math.h>
#include <stdlib.h>

#include "db/sqlite_priv.h"

struct sqlite_query {
	struct query query;
	sqlite3_stmt *stmt;
	struct sqlite_insert *insert; /* instead of stmt, or NULL */
	int bind_error;               /* of a value; the next step reports it */
};

static struct sqlite_query *query_of(struct query *q)
{
	return (struct sqlite_query *)q;
}

static sqlite3_stmt *stmt_of(struct query *q)
{
	return query_of(q)->stmt;
}

struct query *sqlite_query_prepare(
    struct db *db, const char **sql, bool *end, struct fault *f)
{
	sqlite3_stmt *stmt = NULL;

	*end = false;
	while (**sql && !stmt)
		if (sqlite3_prepare_v2(sqlite_handle(db), *sql, -1, &stmt, sql) !=
		    SQLITE_OK) {
			sqlite_fail(db, f);
			return NULL;
		}
	if (!stmt) {
		*end = true;
		return NULL;
	}
	struct sqlite_query *s = mem_zero(1, sizeof(*s));
	*s = (struct sqlite_query){ .query.db = db, .stmt = stmt };
	return &s->query;
}

struct query *sqlite_query_insert(
    struct db *db, const char *table, const char *columns, int count, struct fault *f)
{
	struct sqlite_insert *in = sqlite_insert_open(db, table, columns, count, f);
	struct sqlite_query *q;

	if (!in)
		return NULL;
	q = mem_zero(1, sizeof(*q));
	*q = (struct sqlite_query){ .query.db = db, .insert = in };
	return &q->query;
}

void sqlite_query_close(struct query *q)
{
	if (query_of(q)->insert)
		sqlite_insert_close(q->db, query_of(q)->insert);
	sqlite3_finalize(stmt_of(q));
	free(q);
}

static void note_bound(struct query *q, int code)
{
	if (code != SQLITE_OK)
		query_of(q)->bind_error = code;
}

void sqlite_bind_text(struct query *q, int at, struct text t)
{
	if (query_of(q)->insert) {
		sqlite_insert_bytes(query_of(q)->insert, at, QUERY_TEXT, t);
		return;
	}
	note_bound(q, sqlite3_bind_text64(stmt_of(q), at, t.len ? t.ptr : "", t.len,
	                  SQLITE_STATIC, SQLITE_UTF8));
}

void sqlite_bind_copy(struct query *q, int at, struct text t)
{
	if (query_of(q)->insert) {
		sqlite_insert_bytes(query_of(q)->insert, at, QUERY_TEXT, t);
		return;
	}
	note_bound(q, sqlite3_bind_text64(stmt_of(q), at, t.len ? t.ptr : "", t.len,
	                  SQLITE_TRANSIENT, SQLITE_UTF8));
}

void sqlite_bind_bytes(struct query *q, int at, struct text bytes)
{
	if (query_of(q)->insert) {
		sqlite_insert_bytes(query_of(q)->insert, at, QUERY_BYTES, bytes);
		return;
	}
	note_bound(
	    q, sqlite3_bind_blob64(stmt_of(q), at, bytes.ptr, bytes.len, SQLITE_STATIC));
}

void sqlite_bind_integer(struct query *q, int at, int64_t n)
{
	if (query_of(q)->insert) {
		sqlite_insert_integer(query_of(q)->insert, at, n);
		return;
	}
	note_bound(q, sqlite3_bind_int64(stmt_of(q), at, n));
}

void sqlite_bind_number(struct query *q, int at, double x)
{
	if (query_of(q)->insert) {
		sqlite_insert_number(query_of(q)->insert, at, x);
		return;
	}
	/* SQLite converts NAN to NULL. */
	note_bound(q, sqlite3_bind_double(stmt_of(q), at, x));
}

int sqlite_bind_placeholders(struct query *q)
{
	return sqlite3_bind_parameter_count(stmt_of(q));
}

int sqlite_query_step(struct query *q, struct fault *f)
{
	int code;

	if (query_of(q)->insert)
		return sqlite_insert_row(q->db, query_of(q)->insert, f);
	if (query_of(q)->bind_error)
		return fault_set(
		    f, "%s: %s", q->db->name, sqlite3_errstr(query_of(q)->bind_error));
	sqlite_limits_renew(sqlite_budget_of(q->db));
	code = sqlite3_step(stmt_of(q));
	if (code == SQLITE_ROW)
		return 1;
	if (db_watch_changed(&((struct sqlite_file *)q->db)->watch, q->db->name))
		code = fault_set(
		    f, "%s: was changed while it was read; try again", q->db->name);
	else if (code != SQLITE_DONE)
		sqlite_fail(q->db, f);
	sqlite3_reset(stmt_of(q));
	return code == SQLITE_DONE ? 0 : -1;
}

void sqlite_query_rewind(struct query *q)
{
	sqlite3_reset(stmt_of(q));
}

int sqlite_column_count(struct query *q)
{
	return sqlite3_column_count(stmt_of(q));
}

const char *sqlite_column_name(struct query *q, int column)
{
	const char *name = sqlite3_column_name(stmt_of(q), column);

	return name ? name : "";
}

enum query_type sqlite_column_type(struct query *q, int column)
{
	switch (sqlite3_column_type(stmt_of(q), column)) {
	case SQLITE_INTEGER:
		return QUERY_INTEGER;
	case SQLITE_FLOAT:
		return QUERY_NUMBER;
	case SQLITE_TEXT:
		return QUERY_TEXT;
	case SQLITE_BLOB:
		return QUERY_BYTES;
	default:
		return QUERY_NULL;
	}
}

struct text sqlite_column_bytes(struct query *q, int column)
{
	const char *p = sqlite3_column_blob(stmt_of(q), column);

	return (struct text){ p ? p : "",
		p ? (size_t)sqlite3_column_bytes(stmt_of(q), column) : 0 };
}

/* Reads bytes unchanged: sqlite3_column_text would convert them to text permanently, and
 * the type of the column could no longer be queried. */
struct text sqlite_column_text(struct query *q, int column)
{
	if (sqlite_column_type(q, column) == QUERY_BYTES)
		return sqlite_column_bytes(q, column);

	const char *p = (const char *)sqlite3_column_text(stmt_of(q), column);

	return (struct text){ p ? p : "",
		p ? (size_t)sqlite3_column_bytes(stmt_of(q), column) : 0 };
}

int64_t sqlite_column_integer(struct query *q, int column)
{
	return sqlite3_column_int64(stmt_of(q), column);
}

double sqlite_column_number(struct query *q, int column)
{
	return sqlite_column_type(q, column) == QUERY_NULL
	           ? (double)NAN
	           : sqlite3_column_double(stmt_of(q), column);
}
