/*
 * The driver for SQLite, the one file that includes sqlite3.h.
 *
 * A database is in WAL mode, so that readers and the writer do not wait for each other, and
 * synchronous is FULL: a commit reaches the disk before it is reported. Readers open the
 * file for writing too, because only such a connection can tidy up the WAL, but are held to
 * reading by query_only and the authorizer; a file on a read-only disk is opened as
 * immutable, since the WAL index could not be made beside it.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sqlite3.h>

#include "db.h"
#include "db_file.h"
#include "db_version.h"
#include "render.h"

struct db {
	sqlite3 *handle;
	char *name;
	double wait_ns;
	bool guarded;
};

struct query {
	struct db *db;
	sqlite3_stmt *stmt;
	int bind_error;
};

/* What SQLite says, in one line whatever the user's SQL had in it. */
static int said(const struct db *db, struct fault *f)
{
	struct buf clean = { 0 };

	text_clean(&clean, text_of(sqlite3_errmsg(db->handle)));
	fault_set(f, "%s: %s", db->name, clean.ptr ? clean.ptr : "");
	buf_free(&clean);
	return -1;
}

static int only_reading(const struct db *db, struct fault *f)
{
	return fault_set(
	    f, "%s: refused, it does more than read (bench-store sql -w writes)", db->name);
}

static int complain(const struct db *db, struct fault *f)
{
	int code = sqlite3_errcode(db->handle) & 0xff, reason;

	switch (code) {
	case SQLITE_NOTADB:
		return fault_set(f, "%s: not an SQLite database", db->name);
	case SQLITE_CORRUPT:
		return fault_set(f,
		    "%s: the database is damaged; take a copy, or save what is left with: "
		    "sqlite3 FILE .recover",
		    db->name);
	case SQLITE_READONLY:
		return fault_set(
		    f, "%s: cannot be written (read-only file, folder or disk)", db->name);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return fault_set(f,
		    "%s: locked by another program for more than %g s (--wait says how "
		    "long "
		    "to try)",
		    db->name, db->wait_ns / 1e9);
	case SQLITE_FULL:
		return fault_set(f, "%s: no space left on the disk", db->name);
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
		reason = sqlite3_system_errno(db->handle);
		if (reason)
			return fault_set(f, "%s: %s", db->name, strerror(reason));
		return said(db, f);
	case SQLITE_AUTH:
		return only_reading(db, f);
	default:
		return said(db, f);
	}
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/*
 * SQLite waits for most locks itself, but gives up at once where two could wait for each
 * other, as when several turn a new file to WAL mode. Outside a transaction nothing is
 * held, so trying again is safe.
 */
int db_exec(struct db *db, const char *sql, struct fault *f)
{
	static const struct timespec pause = { .tv_nsec = 2000000 };
	double end_ns = now_ns() + db->wait_ns;
	int code;

	while ((code = sqlite3_exec(db->handle, sql, NULL, NULL, NULL) & 0xff) ==
	           SQLITE_BUSY &&
	       sqlite3_get_autocommit(db->handle) && now_ns() < end_ns)
		nanosleep(&pause, NULL);
	return code == SQLITE_OK ? 0 : complain(db, f);
}

/* Allows what reads. */
static int authorize(void *ctx, int action, const char *a, const char *b,
    const char *schema, const char *trigger)
{
	static const char *const harmless[] = { "table_info", "table_xinfo", "table_list",
		"index_list", "index_info", "index_xinfo", "foreign_key_list",
		"integrity_check", "quick_check", "foreign_key_check" };

	(void)ctx;
	(void)schema;
	(void)trigger;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
	case SQLITE_TRANSACTION:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return strcmp(b, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
	case SQLITE_PRAGMA:
		for (size_t i = 0; i < COUNT(harmless); i++)
			if (sqlite3_stricmp(a, harmless[i]) == 0)
				return SQLITE_OK;
		return b ? SQLITE_DENY : SQLITE_OK;
	default:
		return SQLITE_DENY;
	}
}

bool db_guard(struct db *db, bool on)
{
	bool was = db->guarded;

	sqlite3_set_authorizer(db->handle, on ? authorize : NULL, NULL);
	db->guarded = on;
	return was;
}

/* SQLite's own way to empty a database, one that is damaged too, under its locks. */
static int empty(struct db *db, struct fault *f)
{
	int status;

	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_RESET_DATABASE, 1, 0);
	status = db_exec(db, "VACUUM", f);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_RESET_DATABASE, 0, 0);
	return status;
}

static int prepare_file(struct db *db, int flags, struct text schema, struct fault *f)
{
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
	if (!(flags & DB_READ) && sqlite3_db_readonly(db->handle, "main") == 1)
		return fault_set(
		    f, "%s: cannot be written (read-only file, folder or disk)", db->name);
	/* Before anything that reads the schema, which may be what is damaged. */
	if (flags & DB_EMPTY && (version_ours(db, db->name, f) < 0 || empty(db, f) < 0))
		return -1;
	if (db_exec(db, "PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON", f) < 0)
		return -1;
	if (version_bring(db, db->name, flags & DB_READ, schema, f) < 0)
		return -1;
	if (flags & DB_READ) {
		if (db_exec(db, "PRAGMA query_only = ON", f) < 0)
			return -1;
		db_guard(db, true);
	}
	return 0;
}

static int open_handle(struct db *db, const char *path, int how, struct fault *f)
{
	if (sqlite3_open_v2(path, &db->handle, how, NULL) != SQLITE_OK)
		return complain(db, f);
	sqlite3_extended_result_codes(db->handle, 1);
	return sqlite3_busy_timeout(db->handle, (int)fmin(db->wait_ns / 1e6, INT_MAX)) ==
	               SQLITE_OK
	           ? 0
	           : complain(db, f);
}

/* A reader that cannot make the WAL index beside a file without WAL needs none. */
static int open_reader(struct db *db, const char *path, struct fault *f)
{
	int code;
	char *uri;

	if (open_handle(db, path, SQLITE_OPEN_READWRITE, f) < 0)
		return -1;
	code = 0xff &
	       sqlite3_exec(db->handle, "SELECT 1 FROM sqlite_master", NULL, NULL, NULL);
	if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) || db_file_has_wal(path))
		return 0;
	sqlite3_close(db->handle);
	db->handle = NULL;
	uri = db_file_uri(path);
	code = open_handle(db, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, f);
	free(uri);
	return code;
}

struct db *db_open(
    const char *name, int flags, struct text schema, double wait_ns, struct fault *f)
{
	struct db *db;
	char *path;
	int status;

	if (db_file_check(name, flags & DB_CREATE, f) < 0)
		return NULL;
	db = mem_zero(1, sizeof(*db));
	db->name = str_copy(name);
	db->wait_ns = wait_ns;
	path = db_file_path(name);
	if (flags & DB_READ)
		status = open_reader(db, path, f);
	else
		status = open_handle(db, path,
		    SQLITE_OPEN_READWRITE | (flags & DB_CREATE ? SQLITE_OPEN_CREATE : 0),
		    f);
	free(path);
	if (status == 0)
		status = prepare_file(db, flags, schema, f);
	if (status == 0)
		return db;
	db_close(db);
	return NULL;
}

void db_close(struct db *db)
{
	if (!db)
		return;
	sqlite3_close(db->handle);
	free(db->name);
	free(db);
}

int db_begin(struct db *db, struct fault *f)
{
	return db_exec(db, "BEGIN IMMEDIATE", f);
}

int db_begin_reading(struct db *db, struct fault *f)
{
	return db_exec(db, "BEGIN", f);
}

int db_commit(struct db *db, struct fault *f)
{
	return db_exec(db, "COMMIT", f);
}

void db_rollback(struct db *db)
{
	sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

struct query *db_query_next(struct db *db, const char **sql, bool *end, struct fault *f)
{
	sqlite3_stmt *stmt = NULL;

	*end = false;
	while (**sql && !stmt)
		if (sqlite3_prepare_v2(db->handle, *sql, -1, &stmt, sql) != SQLITE_OK) {
			complain(db, f);
			return NULL;
		}
	if (!stmt) {
		*end = true;
		return NULL;
	}
	struct query *q = mem_zero(1, sizeof(*q));
	*q = (struct query){ .db = db, .stmt = stmt };
	return q;
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
	if (!q)
		return;
	sqlite3_finalize(q->stmt);
	free(q);
}

static void bound(struct query *q, int code)
{
	if (code != SQLITE_OK)
		q->bind_error = code;
}

void query_bind_text(struct query *q, int at, struct text t)
{
	bound(q, sqlite3_bind_text64(
	             q->stmt, at, t.len ? t.ptr : "", t.len, SQLITE_STATIC, SQLITE_UTF8));
}

void query_bind_copy(struct query *q, int at, struct text t)
{
	bound(q, sqlite3_bind_text64(q->stmt, at, t.len ? t.ptr : "", t.len,
	             SQLITE_TRANSIENT, SQLITE_UTF8));
}

void query_bind_bytes(struct query *q, int at, struct text bytes)
{
	bound(q, sqlite3_bind_blob64(q->stmt, at, bytes.ptr, bytes.len, SQLITE_STATIC));
}

void query_bind_integer(struct query *q, int at, int64_t n)
{
	bound(q, sqlite3_bind_int64(q->stmt, at, n));
}

void query_bind_number(struct query *q, int at, double x)
{
	bound(q, sqlite3_bind_double(q->stmt, at, x)); /* NAN becomes NULL there */
}

int query_placeholders(struct query *q)
{
	return sqlite3_bind_parameter_count(q->stmt);
}

int query_next(struct query *q, struct fault *f)
{
	int code;

	if (q->bind_error)
		return fault_set(f, "%s: %s", q->db->name, sqlite3_errstr(q->bind_error));
	code = sqlite3_step(q->stmt);
	if (code == SQLITE_ROW)
		return 1;
	if (code != SQLITE_DONE)
		complain(q->db, f);
	sqlite3_reset(q->stmt);
	return code == SQLITE_DONE ? 0 : -1;
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
	sqlite3_reset(q->stmt);
}

int query_columns(struct query *q)
{
	return sqlite3_column_count(q->stmt);
}

const char *query_name(struct query *q, int column)
{
	const char *name = sqlite3_column_name(q->stmt, column);

	return name ? name : "";
}

enum query_type query_type(struct query *q, int column)
{
	switch (sqlite3_column_type(q->stmt, column)) {
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

struct text query_text(struct query *q, int column)
{
	const char *p = (const char *)sqlite3_column_text(q->stmt, column);

	return (struct text){ p ? p : "",
		p ? (size_t)sqlite3_column_bytes(q->stmt, column) : 0 };
}

struct text query_bytes(struct query *q, int column)
{
	const char *p = sqlite3_column_blob(q->stmt, column);

	return (struct text){ p ? p : "",
		p ? (size_t)sqlite3_column_bytes(q->stmt, column) : 0 };
}

int64_t query_integer(struct query *q, int column)
{
	return sqlite3_column_int64(q->stmt, column);
}

double query_number(struct query *q, int column)
{
	return query_type(q, column) == QUERY_NULL ? (double)NAN
	                                           : sqlite3_column_double(q->stmt, column);
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

const char *db_driver(void)
{
	return "SQLite " SQLITE_VERSION;
}

int64_t db_last_id(struct db *db)
{
	return sqlite3_last_insert_rowid(db->handle);
}
