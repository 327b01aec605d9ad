/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls the hooks of the driver of an open database.
 */
#include <math.h>

#include "db/db_driver.h"

void db_close(struct db *db)
{
	if (db)
		db->driver->close(db);
}

const char *db_word(const struct db *db, enum db_word word)
{
	return db->driver->word[word] ? db->driver->word[word] : "";
}

const char *db_name(const struct db *db)
{
	return db->name;
}

void db_pattern(const struct db *db, struct text pattern, struct buf *out)
{
	if (db->driver->pattern)
		db->driver->pattern(out, pattern);
	else
		buf_text(out, pattern);
}

enum db_trouble db_trouble(const struct db *db)
{
	return db->trouble;
}

int db_copy(struct db *db, const char *path, struct fault *f)
{
	if (db->driver->copy)
		return db->driver->copy(db, path, f);
	return fault_set(f,
	    "%s: not a database in a file; copy it with a program such as pg_dump",
	    db->name);
}

char *db_spool(const struct db *db)
{
	return db->driver->spool(db);
}

void db_warn_location(const struct db *db, struct buf *out)
{
	if (db->driver->warn_location)
		db->driver->warn_location(db, out);
}

int db_begin(struct db *db, struct fault *f)
{
	db->trouble = DB_NO_TROUBLE;
	return db->driver->begin(db, f);
}

int db_begin_reading(struct db *db, struct fault *f)
{
	return db->driver->begin_reading(db, f);
}

int db_commit(struct db *db, struct fault *f)
{
	return db->driver->commit(db, f);
}

void db_rollback(struct db *db)
{
	db->driver->rollback(db);
}

int db_exec(struct db *db, const char *sql, struct fault *f)
{
	return db->driver->exec(db, sql, f);
}

int db_number(struct db *db, const char *sql, int64_t *out, struct fault *f)
{
	struct query *q = db_query(db, sql, f);
	int got = q ? query_next(q, f) : -1;

	if (got > 0)
		*out = query_integer(q, 0);
	query_close(q);
	return got < 0 ? -1 : 0;
}

bool db_guard(struct db *db, bool on)
{
	return db->driver->guard(db, on);
}

void db_allow_long(struct db *db)
{
	if (db->driver->allow_long)
		db->driver->allow_long(db);
}

struct query *db_insert(
    struct db *db, const char *table, const char *columns, int count, struct fault *f)
{
	return db->driver->insert(db, table, columns, count, f);
}

int db_flush(struct db *db, struct fault *f)
{
	return db->driver->flush(db, f);
}

int db_ids(struct db *db, const char *table, const char *column, size_t count, int64_t *ids,
    struct fault *f)
{
	return db->driver->ids(db, table, column, count, ids, f);
}

bool db_retry(struct db *db)
{
	return db->driver->retry(db);
}

struct query *db_query_next(struct db *db, const char **sql, bool *end, struct fault *f)
{
	return db->driver->query_next(db, sql, end, f);
}

struct query *db_query(struct db *db, const char *sql, struct fault *f)
{
	struct query *q, *more;
	bool end;

	q = db_query_next(db, &sql, &end, f);
	if (!q) {
		if (end)
			fault_set(f, "%s: no statement", db->name);
		return NULL;
	}
	more = db_query_next(db, &sql, &end, f);
	if (!more && end)
		return q;
	query_close(more);
	query_close(q);
	fault_set(f, "%s: more than one statement", db->name);
	return NULL;
}

void query_close(struct query *q)
{
	if (q)
		q->db->driver->query_close(q);
}

void query_bind_text(struct query *q, int at, struct text t)
{
	q->db->driver->bind_text(q, at, t);
}

void query_bind_copy(struct query *q, int at, struct text t)
{
	q->db->driver->bind_copy(q, at, t);
}

void query_bind_bytes(struct query *q, int at, struct text bytes)
{
	q->db->driver->bind_bytes(q, at, bytes);
}

void query_bind_null(struct query *q, int at)
{
	q->db->driver->bind_number(q, at, (double)NAN);
}

void query_bind_integer(struct query *q, int at, int64_t n)
{
	q->db->driver->bind_integer(q, at, n);
}

void query_bind_number(struct query *q, int at, double x)
{
	q->db->driver->bind_number(q, at, x);
}

int query_placeholders(struct query *q)
{
	return q->db->driver->placeholders(q);
}

void query_many(struct query *q)
{
	if (q->db->driver->many)
		q->db->driver->many(q);
}

int query_next(struct query *q, struct fault *f)
{
	return q->db->driver->next(q, f);
}

int query_run(struct query *q, struct fault *f)
{
	int got;

	while ((got = query_next(q, f)) > 0)
		;
	return got;
}

void query_rewind(struct query *q)
{
	q->db->driver->rewind(q);
}

int query_columns(struct query *q)
{
	return q->db->driver->columns(q);
}

const char *query_name(struct query *q, int column)
{
	return q->db->driver->column_name(q, column);
}

enum query_type query_type(struct query *q, int column)
{
	return q->db->driver->column_type(q, column);
}

struct text query_text(struct query *q, int column)
{
	return q->db->driver->text(q, column);
}

struct text query_bytes(struct query *q, int column)
{
	return q->db->driver->bytes(q, column);
}

int64_t query_integer(struct query *q, int column)
{
	return q->db->driver->integer(q, column);
}

double query_number(struct query *q, int column)
{
	return q->db->driver->number(q, column);
}
