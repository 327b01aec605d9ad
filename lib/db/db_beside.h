/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files that SQLite keeps beside a database: NAME-wal and NAME-journal, whose contents
 * are a part of it, and NAME-shm, which is memory that its users share.
 */
#ifndef DB_DB_BESIDE_H
#define DB_DB_BESIDE_H

#include <sys/stat.h>

#include "base/base.h"

/* Whether a log or journal with anything in it stands beside the file. */
bool db_beside_used(const char *path);
/*
 * Refuses a log or journal that would change the database, and that neither root nor anyone
 * who may write to the database has made. 0 or -1.
 */
int db_beside_check(const char *path, struct fault *f);
/*
 * Removes a log without content and the shared memory, under the lock under which SQLite
 * does it, which nobody gets while a program uses the database. Returns whether anything is
 * removed.
 */
bool db_beside_tidy(const char *path);
/* Appends which of the files this user may not write to, whose they are, and what to do. */
void db_beside_explain(const char *path, struct buf *out);

/* Notices whether a file that is read without SQLite's locks is written to. */
struct db_watch {
	int fd; /* -1: nothing is watched */
	bool fresh;
	struct stat begin;
};

/* Begins to watch; false when somebody is just writing. */
bool db_watch_begin(struct db_watch *w, const char *path);
/* Whether anybody may have written to the file since. */
bool db_watch_changed(const struct db_watch *w, const char *path);
void db_watch_end(struct db_watch *w);

#endif
