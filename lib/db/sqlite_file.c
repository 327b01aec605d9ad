/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Connections to SQLite files, their messages, and execution of statements without
 * values.
 *
 * A database is in WAL mode, so that readers and the writer do not wait for each other,
 * and synchronous is FULL: a commit reaches the disk before it is reported.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "db/sqlite_priv.h"
#include "text/display_text.h"

/* The bytes of a statement's journal in memory; more bytes are in a temporary file. */
enum { JOURNAL_BYTES = 8 << 20 };

sqlite3 *sqlite_handle(const struct db *db)
{
	return ((const struct sqlite_file *)db)->handle;
}

struct sqlite_budget *sqlite_budget_of(struct db *db)
{
	return &((struct sqlite_file *)db)->budget;
}

void sqlite_file_allow_long(struct db *db)
{
	sqlite_budget_of(db)->limited = false;
	/*
	 * Otherwise SQLite 3.40 refuses the operator ->> to views such as ours. All
	 * functions that an untrusted schema can still call only compute.
	 */
	sqlite3_db_config(sqlite_handle(db), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, NULL);
}

/* Sets SQLite's message, as one line even if the user's SQL is part of it. */
static int fail_with_errmsg(const struct db *db, struct fault *f)
{
	struct buf clean = { 0 };

	display_text_clean(&clean, text_of(sqlite3_errmsg(sqlite_handle(db))));
	fault_set(f, "%s: %s", db->name, clean.ptr ? clean.ptr : "");
	buf_free(&clean);
	return -1;
}

int sqlite_fail_unwritable(const struct db *db, const char *reason, struct fault *f)
{
	struct buf why = { 0 };

	db_beside_explain(db->name, &why);
	if (why.len)
		fault_set(f, "%s: cannot be written: %s", db->name, why.ptr);
	else
		fault_set(f, "%s: cannot be written (%s)", db->name, reason);
	buf_free(&why);
	return -1;
}

static enum db_trouble trouble_of(int code)
{
	switch (code) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return DB_LOCKED;
	case SQLITE_READONLY:
	case SQLITE_FULL:
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
	case SQLITE_PERM:
		return DB_BLOCKED;
	default:
		return DB_FAILED;
	}
}

static bool failed_to_lock(struct db *db)
{
	switch (sqlite3_extended_errcode(sqlite_handle(db))) {
	case SQLITE_IOERR_LOCK:
	case SQLITE_IOERR_RDLOCK:
	case SQLITE_IOERR_UNLOCK:
	case SQLITE_IOERR_SHMLOCK:
	case SQLITE_IOERR_CHECKRESERVEDLOCK:
		return true;
	default:
		return false;
	}
}

int sqlite_fail(struct db *db, struct fault *f)
{
	int code = sqlite3_errcode(sqlite_handle(db)) & 0xff, reason;

	db->trouble = trouble_of(code);
	switch (code) {
	case SQLITE_NOTADB:
		return fault_set(f, "%s: not an SQLite database", db->name);
	case SQLITE_CORRUPT:
		return fault_set(f,
		    "%s: the database is damaged; use a backup, or recover what is left "
		    "with: "
		    "sqlite3 FILE .recover",
		    db->name);
	case SQLITE_READONLY:
		return sqlite_fail_unwritable(db, "read-only file, directory or disk", f);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return db_fail_locked(db, f);
	case SQLITE_FULL:
		return fault_set(f, "%s: no space left on the disk", db->name);
	case SQLITE_CANTOPEN:
	case SQLITE_IOERR:
		reason = sqlite3_system_errno(sqlite_handle(db));
		if (reason == EACCES || reason == EPERM)
			return sqlite_fail_unwritable(db, strerror(reason), f);
		if (reason == ENOENT && db_beside_used(db->name))
			return fault_set(f,
			    "%s-wal: contains changes that only a user who may write to "
			    "the directory can read: run bench-store info as that user",
			    db->name);
		if (reason && failed_to_lock(db))
			return fault_set(f,
			    "%s: cannot be locked: %s (keep databases on a file system "
			    "with locks, such as a local disk)",
			    db->name, strerror(reason));
		if (reason)
			return fault_set(f, "%s: %s", db->name, strerror(reason));
		return fail_with_errmsg(db, f);
	case SQLITE_INTERRUPT:
		return fault_set(f,
		    "%s: reading takes far longer than a file of its size requires: it is "
		    "damaged, or crafted to do so",
		    db->name);
	case SQLITE_AUTH:
		return db_fail_guarded(db, f);
	default:
		return fail_with_errmsg(db, f);
	}
}

/*
 * SQLite itself waits for most locks, but fails immediately if two programs could wait
 * for each other, as when several convert a new file to WAL mode. Outside a transaction
 * this program holds no lock, so it is safe to retry.
 */
int sqlite_file_exec(struct db *db, const char *sql, struct fault *f)
{
	static const struct timespec pause = { .tv_nsec = 2000000 };
	double end_ns =
	    (double)clock_monotonic_ns() + ((struct sqlite_file *)db)->patience_ns;
	int code;

	sqlite_limits_renew(sqlite_budget_of(db));
	while ((code = sqlite3_exec(sqlite_handle(db), sql, NULL, NULL, NULL) & 0xff) ==
	           SQLITE_BUSY &&
	       sqlite3_get_autocommit(sqlite_handle(db)) &&
	       (double)clock_monotonic_ns() < end_ns)
		nanosleep(&pause, NULL);
	return code == SQLITE_OK ? 0 : sqlite_fail(db, f);
}

bool sqlite_file_moved(struct db *db)
{
	int moved = 0;

	sqlite3_file_control(sqlite_handle(db), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
	return moved != 0;
}

/* Allows only actions that read. */
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

bool sqlite_file_guard(struct db *db, bool on)
{
	bool *guarded = &((struct sqlite_file *)db)->guarded, was = *guarded;

	sqlite3_set_authorizer(sqlite_handle(db), on ? authorize : NULL, NULL);
	*guarded = on;
	return was;
}

void sqlite_file_patience(struct db *db, double wait_ns)
{
	((struct sqlite_file *)db)->patience_ns = wait_ns;
	sqlite3_busy_timeout(sqlite_handle(db), (int)fmin(wait_ns / 1e6, INT_MAX));
}

int sqlite_file_connect(struct db *db, const char *path, int open_flags, struct fault *f)
{
	/* Statistics of SQLite's memory, which nothing here reads, take a lock in each
	 * allocation. SQLite ignores the call once it is in use. */
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	/* A statement that inserts many rows keeps the pages that it changes. */
	sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, JOURNAL_BYTES);
	((struct sqlite_file *)db)->has_rows = false;
	/* No two threads use a connection at the same time. */
	if (sqlite3_open_v2(path, &((struct sqlite_file *)db)->handle,
	        open_flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		return sqlite_fail(db, f);
	sqlite3_extended_result_codes(sqlite_handle(db), 1);
	sqlite_limits_set(sqlite_handle(db), sqlite_budget_of(db));
	sqlite_limits_size(sqlite_budget_of(db), db->name);
	sqlite_file_patience(db, ((struct sqlite_file *)db)->patience_ns);
	return 0;
}

void sqlite_file_close(struct db *db)
{
	struct sqlite_file *file = (struct sqlite_file *)db;

	sqlite3_close(sqlite_handle(db));
	if (file->is_new)
		db_beside_discard(db->name);
	db_watch_end(&file->watch);
	buf_free(&file->schema);
	free(db->name);
	free(db);
}

struct db *sqlite_file_new(const struct db_driver *driver, const char *name, double wait_ns)
{
	struct sqlite_file *file = mem_zero(1, sizeof(*file));

	file->db =
	    (struct db){ .driver = driver, .name = str_copy(name), .wait_ns = wait_ns };
	file->patience_ns = wait_ns;
	file->watch.fd = -1;
	return &file->db;
}
