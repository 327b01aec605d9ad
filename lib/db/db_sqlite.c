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
#include <unistd.h>

#include <sqlite3.h>

#include "db/db_driver.h"
#include "db/db_file.h"
#include "db/db_version.h"
#include "text/display_text.h"

struct file {
	struct db db;
	sqlite3 *handle;
	bool guarded;
};

struct statement {
	struct query query;
	sqlite3_stmt *stmt;
	int bind_error;
};

static sqlite3 *handle_of(const struct db *db)
{
	return ((const struct file *)db)->handle;
}

static struct statement *statement_of(struct query *q)
{
	return (struct statement *)q;
}

/* What SQLite says, in one line whatever the user's SQL had in it. */
static int said(const struct db *db, struct fault *f)
{
	struct buf clean = { 0 };

	text_clean(&clean, text_of(sqlite3_errmsg(handle_of(db))));
	fault_set(f, "%s: %s", db->name, clean.ptr ? clean.ptr : "");
	buf_free(&clean);
	return -1;
}

static int only_reading(const struct db *db, struct fault *f)
{
	return fault_set(
	    f, "%s: refused, it does more than read (bench-store sql -w writes)", db->name);
}

static int complain(struct db *db, struct fault *f)
{
	int code = sqlite3_errcode(handle_of(db)) & 0xff, reason;

	db->trouble = code == SQLITE_BUSY || code == SQLITE_LOCKED ? DB_LOCKED : DB_FAILED;
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
		reason = sqlite3_system_errno(handle_of(db));
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
static int file_exec(struct db *db, const char *sql, struct fault *f)
{
	static const struct timespec pause = { .tv_nsec = 2000000 };
	double end_ns = now_ns() + db->wait_ns;
	int code;

	while ((code = sqlite3_exec(handle_of(db), sql, NULL, NULL, NULL) & 0xff) ==
	           SQLITE_BUSY &&
	       sqlite3_get_autocommit(handle_of(db)) && now_ns() < end_ns)
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

static bool file_guard(struct db *db, bool on)
{
	bool *guarded = &((struct file *)db)->guarded, was = *guarded;

	sqlite3_set_authorizer(handle_of(db), on ? authorize : NULL, NULL);
	*guarded = on;
	return was;
}

/* SQLite's own way to empty a database, one that is damaged too, under its locks. */
static int empty(struct db *db, struct fault *f)
{
	int status;

	sqlite3_db_config(handle_of(db), SQLITE_DBCONFIG_RESET_DATABASE, 1, 0);
	status = file_exec(db, "VACUUM", f);
	sqlite3_db_config(handle_of(db), SQLITE_DBCONFIG_RESET_DATABASE, 0, 0);
	return status;
}

static int prepare_file(struct db *db, int flags, struct text schema, struct fault *f)
{
	sqlite3_db_config(handle_of(db), SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
	if (!(flags & DB_READ) && sqlite3_db_readonly(handle_of(db), "main") == 1)
		return fault_set(
		    f, "%s: cannot be written (read-only file, folder or disk)", db->name);
	/* Before anything that reads the schema, which may be what is damaged. */
	if (flags & DB_EMPTY && (version_ours(db, db->name, f) < 0 || empty(db, f) < 0))
		return -1;
	if (file_exec(db, "PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON", f) < 0)
		return -1;
	if (version_bring(db, db->name, flags & DB_READ, schema, f) < 0)
		return -1;
	if (flags & DB_READ) {
		if (file_exec(db, "PRAGMA query_only = ON", f) < 0)
			return -1;
		file_guard(db, true);
	}
	return 0;
}

static int open_handle(struct db *db, const char *path, int how, struct fault *f)
{
	if (sqlite3_open_v2(path, &((struct file *)db)->handle, how, NULL) != SQLITE_OK)
		return complain(db, f);
	sqlite3_extended_result_codes(handle_of(db), 1);
	return sqlite3_busy_timeout(handle_of(db), (int)fmin(db->wait_ns / 1e6, INT_MAX)) ==
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
	       sqlite3_exec(handle_of(db), "SELECT 1 FROM sqlite_master", NULL, NULL, NULL);
	if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) || db_file_has_wal(path))
		return 0;
	sqlite3_close(handle_of(db));
	((struct file *)db)->handle = NULL;
	uri = db_file_uri(path);
	code = open_handle(db, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, f);
	free(uri);
	return code;
}

static void file_close(struct db *db)
{
	sqlite3_close(handle_of(db));
	free(db->name);
	free(db);
}

static struct db *file_open(
    const char *name, int flags, struct text schema, double wait_ns, struct fault *f)
{
	struct db *db;
	char *path;
	int status;

	if (db_file_check(name, flags & DB_CREATE, f) < 0)
		return NULL;
	db = mem_zero(1, sizeof(struct file));
	*db =
	    (struct db){ .driver = &db_sqlite, .name = str_copy(name), .wait_ns = wait_ns };
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
	file_close(db);
	return NULL;
}

/* Page by page from one moment into a new file, which then takes its place. */
static int copy_pages(struct db *db, const char *path, struct fault *f)
{
	sqlite3 *to = NULL;
	sqlite3_backup *backup = NULL;
	int code = sqlite3_open_v2(path, &to,
	    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE, NULL);

	if (code == SQLITE_OK)
		backup = sqlite3_backup_init(to, "main", handle_of(db), "main");
	if (backup) {
		sqlite3_backup_step(backup, -1);
		code = sqlite3_backup_finish(backup);
	} else if (code == SQLITE_OK) {
		code = sqlite3_errcode(to);
	}
	if (code != SQLITE_OK && to && sqlite3_system_errno(to))
		fault_set(f, "%s: %s", path, strerror(sqlite3_system_errno(to)));
	else if (code != SQLITE_OK)
		fault_set(f, "%s: %s", path, sqlite3_errstr(code));
	sqlite3_close(to);
	return code == SQLITE_OK ? 0 : -1;
}

static int file_copy(struct db *db, const char *path, struct fault *f)
{
	char *full = db_file_path(path), *part;
	int status;

	if (db_file_may_replace(db->name, full, f) < 0) {
		free(full);
		return -1;
	}
	part = str_format("%s.part%ld", full, (long)getpid());
	status = copy_pages(db, part, f);
	if (status == 0)
		status = db_file_move(part, full, f);
	if (status < 0)
		unlink(part);
	free(part);
	free(full);
	return status;
}

static void file_doubt(const struct db *db, struct buf *out)
{
	char kind[32];

	if (db_file_network(db->name, kind, sizeof(kind)))
		buf_printf(out,
		    "%s: on a file system of a network (%s), whose locks SQLite cannot "
		    "rely "
		    "on: let one machine write to it, or use a postgresql:// database",
		    db->name, kind);
}

static int file_begin(struct db *db, struct fault *f)
{
	return file_exec(db, "BEGIN IMMEDIATE", f);
}

static int file_begin_reading(struct db *db, struct fault *f)
{
	return file_exec(db, "BEGIN", f);
}

static int file_commit(struct db *db, struct fault *f)
{
	return file_exec(db, "COMMIT", f);
}

static void file_rollback(struct db *db)
{
	sqlite3_exec(handle_of(db), "ROLLBACK", NULL, NULL, NULL);
}

static struct query *file_query_next(
    struct db *db, const char **sql, bool *end, struct fault *f)
{
	sqlite3_stmt *stmt = NULL;

	*end = false;
	while (**sql && !stmt)
		if (sqlite3_prepare_v2(handle_of(db), *sql, -1, &stmt, sql) != SQLITE_OK) {
			complain(db, f);
			return NULL;
		}
	if (!stmt) {
		*end = true;
		return NULL;
	}
	struct statement *s = mem_zero(1, sizeof(*s));
	*s = (struct statement){ .query.db = db, .stmt = stmt };
	return &s->query;
}

static void statement_close(struct query *q)
{
	sqlite3_finalize(statement_of(q)->stmt);
	free(q);
}

static void bound(struct query *q, int code)
{
	if (code != SQLITE_OK)
		statement_of(q)->bind_error = code;
}

static void bind_text(struct query *q, int at, struct text t)
{
	bound(q, sqlite3_bind_text64(statement_of(q)->stmt, at, t.len ? t.ptr : "", t.len,
	             SQLITE_STATIC, SQLITE_UTF8));
}

static void bind_copy(struct query *q, int at, struct text t)
{
	bound(q, sqlite3_bind_text64(statement_of(q)->stmt, at, t.len ? t.ptr : "", t.len,
	             SQLITE_TRANSIENT, SQLITE_UTF8));
}

static void bind_bytes(struct query *q, int at, struct text bytes)
{
	bound(q, sqlite3_bind_blob64(
	             statement_of(q)->stmt, at, bytes.ptr, bytes.len, SQLITE_STATIC));
}

static void bind_integer(struct query *q, int at, int64_t n)
{
	bound(q, sqlite3_bind_int64(statement_of(q)->stmt, at, n));
}

static void bind_number(struct query *q, int at, double x)
{
	bound(q,
	    sqlite3_bind_double(statement_of(q)->stmt, at, x)); /* NAN becomes NULL there */
}

static int statement_placeholders(struct query *q)
{
	return sqlite3_bind_parameter_count(statement_of(q)->stmt);
}

static int statement_next(struct query *q, struct fault *f)
{
	int code;

	if (statement_of(q)->bind_error)
		return fault_set(
		    f, "%s: %s", q->db->name, sqlite3_errstr(statement_of(q)->bind_error));
	code = sqlite3_step(statement_of(q)->stmt);
	if (code == SQLITE_ROW)
		return 1;
	if (code != SQLITE_DONE)
		complain(q->db, f);
	sqlite3_reset(statement_of(q)->stmt);
	return code == SQLITE_DONE ? 0 : -1;
}

static void statement_rewind(struct query *q)
{
	sqlite3_reset(statement_of(q)->stmt);
}

static int statement_columns(struct query *q)
{
	return sqlite3_column_count(statement_of(q)->stmt);
}

static const char *column_name(struct query *q, int column)
{
	const char *name = sqlite3_column_name(statement_of(q)->stmt, column);

	return name ? name : "";
}

static enum query_type column_type(struct query *q, int column)
{
	switch (sqlite3_column_type(statement_of(q)->stmt, column)) {
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

static struct text column_text(struct query *q, int column)
{
	const char *p = (const char *)sqlite3_column_text(statement_of(q)->stmt, column);

	return (struct text){ p ? p : "",
		p ? (size_t)sqlite3_column_bytes(statement_of(q)->stmt, column) : 0 };
}

static struct text column_bytes(struct query *q, int column)
{
	const char *p = sqlite3_column_blob(statement_of(q)->stmt, column);

	return (struct text){ p ? p : "",
		p ? (size_t)sqlite3_column_bytes(statement_of(q)->stmt, column) : 0 };
}

static int64_t column_integer(struct query *q, int column)
{
	return sqlite3_column_int64(statement_of(q)->stmt, column);
}

static double column_number(struct query *q, int column)
{
	return column_type(q, column) == QUERY_NULL
	           ? (double)NAN
	           : sqlite3_column_double(statement_of(q)->stmt, column);
}

/* One by one: there is no way to the server and back to save. */
static struct query *insert(
    struct db *db, const char *table, const char *columns, int count, struct fault *f)
{
	struct buf sql = { 0 };
	struct query *q;

	buf_printf(&sql, "INSERT INTO %s (%s) VALUES ($1", table, columns);
	for (int i = 2; i <= count; i++)
		buf_printf(&sql, ", $%d", i);
	buf_byte(&sql, ')');
	q = db_query(db, sql.ptr, f);
	buf_free(&sql);
	return q;
}

static int flush(struct db *db, struct fault *f)
{
	(void)db;
	(void)f;
	return 0;
}

/* Nobody else writes until the transaction ends. */
static int ids(struct db *db, const char *table, const char *column, size_t count,
    int64_t *id, struct fault *f)
{
	char *sql = str_format("SELECT coalesce(max(%s), 0) FROM %s", column, table);
	int64_t last = 0;
	int status = db_number(db, sql, &last, f);

	for (size_t i = 0; i < count; i++)
		id[i] = ++last;
	free(sql);
	return status;
}

/* Locks were waited for, and nothing else comes back. */
static bool again(struct db *db)
{
	(void)db;
	return false;
}

/* Whatever no other driver takes is the name of a file. */
static bool takes(const char *name)
{
	(void)name;
	return true;
}

static char *spool(const struct db *db)
{
	return db_file_exists(db->name) ? str_copy(db->name) : NULL;
}

const struct db_driver db_sqlite = {
	.takes = takes,
	.exists = db_file_exists,
	.is_file = true,
	.spool = spool,
	.open = file_open,
	.close = file_close,
	.begin = file_begin,
	.begin_reading = file_begin_reading,
	.commit = file_commit,
	.rollback = file_rollback,
	.exec = file_exec,
	.guard = file_guard,
	.copy = file_copy,
	.doubt = file_doubt,
	.query_next = file_query_next,
	.insert = insert,
	.flush = flush,
	.ids = ids,
	.again = again,
	.query_close = statement_close,
	.bind_text = bind_text,
	.bind_copy = bind_copy,
	.bind_bytes = bind_bytes,
	.bind_integer = bind_integer,
	.bind_number = bind_number,
	.placeholders = statement_placeholders,
	.next = statement_next,
	.rewind = statement_rewind,
	.columns = statement_columns,
	.column_name = column_name,
	.column_type = column_type,
	.text = column_text,
	.bytes = column_bytes,
	.integer = column_integer,
	.number = column_number,
	/*
	 * Factors are kept as a JSON object in one canonical form, in which "name":"value"
	 * can stand nowhere but as a member, since quotes in texts are escaped. So a search
	 * for its bytes finds it.
	 */
	.word = {
		[DB_VERSION] = "SELECT 'SQLite " SQLITE_VERSION "'",
		[DB_JOURNAL] = "SELECT journal_mode FROM pragma_journal_mode",
		[DB_SCHEMA] = "SELECT user_version FROM pragma_user_version",
		[DB_SIZE] = "SELECT page_count * page_size"
		            " FROM pragma_page_count, pragma_page_size",
		[DB_GLOB] = "GLOB",
		[DB_JOIN_TEXTS] = "group_concat",
		[DB_FOR_UPDATE] = "",
		[DB_SAME_SUBJECT] = "",
		[DB_HAS_FACTOR] = "replace(factors, %, '') <> factors",
		[DB_LACKS_FACTOR] = "replace(factors, %, '') = factors",
		[DB_NOTHING] = "",
		[DB_CHECK] = "SELECT integrity_check FROM pragma_integrity_check"
		             " WHERE integrity_check <> 'ok' UNION ALL"
		             " SELECT 'row ' || coalesce(rowid, '') || ' of ' || \"table\" ||"
		             " ' refers to a row of ' || parent || ' that is not there'"
		             " FROM pragma_foreign_key_check",
		[DB_VACUUM] = "VACUUM",
	},
};
