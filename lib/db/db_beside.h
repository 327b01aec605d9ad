/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files that SQLite keeps next to a database: NAME-wal and NAME-journal, whose contents
 * are a part of the database, and NAME-shm, the shared memory of its connections.
 */
#ifndef DB_DB_BESIDE_H
#define DB_DB_BESIDE_H

#include <sys/stat.h>

#include "base/base.h"

/* Returns whether a log or journal that is not empty exists next to the file. */
bool db_beside_used(const char *path);
/*
 * Refuses two kinds of files next to the database: files that are not regular, such as a
 * pipe, on which SQLite would wait forever; and logs or journals that would change the
 * database, unless they belong to root or to a user who may write to the database. Returns
 * 0, or -1 and the message.
 */
int db_beside_check(const char *path, struct fault *f);
/*
 * Removes an empty log and the shared memory, under the lock that SQLite itself takes for
 * this, which is not available while a program uses the database. Returns whether a file
 * was removed.
 */
bool db_beside_tidy(const char *path);
/* Removes a database without tables, with the files next to it, under the same lock. */
void db_beside_discard(const char *path);
/* Appends the names of the files that this user may not write to, their owner, and what to
 * do. */
void db_beside_explain(const char *path, struct buf *out);

/* Detects writes to a file that is read without SQLite's locks. */
struct db_watch {
	int fd; /* -1: nothing is watched */
	bool fresh;
	struct stat begin;
};

/* Begins to watch; returns false when a program is writing. */
bool db_watch_begin(struct db_watch *w, const char *path);
/* Returns whether the file may have been written to since. */
bool db_watch_changed(const struct db_watch *w, const char *path);
void db_watch_end(struct db_watch *w);

#endif
