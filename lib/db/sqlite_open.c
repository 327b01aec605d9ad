/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens database files, for writing and for reading.
 *
 * Readers also open the file for writing, because only such a connection can clean up the
 * WAL; query_only and the authorizer restrict them to reading. A file that cannot be
 * written, or next to which SQLite's shared memory cannot be created, is read as
 * immutable if its log is empty. This creates no file, so a user who may only read leaves
 * no files that the owner cannot write to. The file is watched meanwhile.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "db/db_beside.h"
#include "db/db_file.h"
#include "db/sqlite_priv.h"

static struct sqlite_file *file_of(struct db *db)
{
	return (struct sqlite_file *)db;
}

static void disconnect(struct db *db)
{
	sqlite3_close(sqlite_handle(db));
	file_of(db)->handle = NULL;
}

/* Opens a file as immutable if no program is writing to it. */
static int open_immutable(struct db *db, const char *path, struct fault *f)
{
	static const struct timespec pause = { .tv_nsec = 2000000 };
	double end_ns = (double)clock_monotonic_ns() + file_of(db)->patience_ns;
	char *uri;
	int status;

	while (!db_watch_begin(&file_of(db)->watch, path)) {
		if ((double)clock_monotonic_ns() >= end_ns) {
			db->trouble = DB_LOCKED;
			return db_fail_locked(db, f);
		}
		nanosleep(&pause, NULL);
	}
	uri = db_file_uri(path);
	status = sqlite_file_connect(db, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, f);
	free(uri);
	return status;
}

static int open_reader(struct db *db, const char *path, struct fault *f)
{
	int code;

	if (sqlite_file_connect(db, path, SQLITE_OPEN_READWRITE, f) < 0)
		return -1;
	if (db_beside_used(path))
		return 0;
	if (sqlite3_db_readonly(sqlite_handle(db), "main") != 1) {
		code = sqlite3_exec(sqlite_handle(db), "SELECT 1 FROM sqlite_master", NULL,
		           NULL, NULL) &
		       0xff;
		if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY &&
		        code != SQLITE_IOERR && code != SQLITE_FULL) ||
		    db_beside_used(path))
			return 0;
	}
	disconnect(db);
	db_beside_tidy(path);
	return open_immutable(db, path, f);
}

static int open_once(
    struct db *db, const char *path, int flags, struct text schema, struct fault *f)
{
	int how = SQLITE_OPEN_READWRITE | (flags & DB_CREATE ? SQLITE_OPEN_CREATE : 0);

	if (db_beside_check(path, f) < 0) {
		db->trouble = DB_BLOCKED;
		return -1;
	}
	if ((flags & DB_READ ? open_reader(db, path, f)
	                     : sqlite_file_connect(db, path, how, f)) < 0)
		return -1;
	return sqlite_prepare(db, flags, schema, f);
}

/*
 * Opens the file; if necessary, first removes files that another user or a full disk
 * left.
 */
static int open_tidily(struct db *db, int flags, struct text schema, struct fault *f)
{
	char *path = db_file_path(db->name);
	int status = open_once(db, path, flags, schema, f);

	for (int i = 0; i < 2 && status < 0 && db->trouble == DB_BLOCKED; i++) {
		disconnect(db);
		if (db_beside_tidy(path) && i == 0)
			status = open_once(db, path, flags, schema, f);
	}
	free(path);
	return status;
}

static bool is_absent(const char *name)
{
	struct stat st;

	return lstat(name, &st) < 0 && errno == ENOENT;
}

struct db *sqlite_open(const struct db_driver *driver, const char *name, int flags,
    struct text schema, double wait_ns, struct fault *f)
{
	double began_ns = (double)clock_monotonic_ns();
	struct sqlite_file *file;
	struct db *db;

	if (db_file_check(name, flags & DB_CREATE, f) < 0)
		return NULL;
	db = sqlite_file_new(driver, name, wait_ns);
	file = file_of(db);
	file->flags = flags;
	file->is_new = flags & DB_CREATE && is_absent(name);
	buf_text(&file->schema, schema);
	/* A new file is made when there is something to write. */
	if (flags & DB_DEFER && flags & DB_CREATE && !db_file_exists(name))
		return db;
	if (open_tidily(db, flags, schema, f) == 0)
		return db;
	if (!(flags & DB_DEFER) ||
	    (db->trouble != DB_LOCKED && db->trouble != DB_BLOCKED)) {
		sqlite_file_close(db);
		return NULL;
	}
	disconnect(db);
	file->patience_ns = fmax(wait_ns - ((double)clock_monotonic_ns() - began_ns), 0);
	return db;
}

/* Opens a database whose opening was deferred. 0 or -1. */
static int reopen(struct db *db, struct fault *f)
{
	struct sqlite_file *file = file_of(db);

	if (file->handle)
		return 0;
	if (open_tidily(db, file->flags & ~DB_EMPTY,
	        text_in(&file->schema), f) < 0) {
		disconnect(db);
		return -1;
	}
	sqlite_file_patience(db, db->wait_ns);
	return 0;
}

/* Begins a transaction, and opens the file if necessary. Returns 0 or -1. */
static int begin_writing(struct db *db, struct fault *f)
{
	char *path;
	bool tidied = false;

	if (sqlite_handle(db) && sqlite_file_moved(db)) /* removed since it was opened */
		disconnect(db);
	if (reopen(db, f) < 0)
		return -1;
	if (sqlite_file_exec(db, "BEGIN IMMEDIATE", f) == 0)
		return 0;
	if (db->trouble != DB_BLOCKED || sqlite3_next_stmt(sqlite_handle(db), NULL))
		return -1;
	/*
	 * Another user's shared memory may be readable only, which is not enough for
	 * writing.
	 */
	disconnect(db);
	path = db_file_path(db->name);
	tidied = db_beside_tidy(path);
	free(path);
	return tidied && reopen(db, f) == 0 ? sqlite_file_exec(db, "BEGIN IMMEDIATE", f)
	                                    : -1;
}

int sqlite_open_begin(struct db *db, struct fault *f)
{
	if (begin_writing(db, f) < 0)
		return -1;
	if (sqlite_prepare_tables(db, text_in(&file_of(db)->schema), f) == 0)
		return 0;
	db_rollback(db);
	return -1;
}
