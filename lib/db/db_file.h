/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of databases: names, checks and locations.
 */
#ifndef DB_DB_FILE_H
#define DB_DB_FILE_H

#include "base/base.h"

/* Returns whether a file of this name exists and is not empty. */
bool db_file_exists(const char *name);
/* Refuses a name that cannot be a database or, unless made, does not exist. Returns 0, or
 * -1 and the message. */
int db_file_check(const char *name, bool made, struct fault *f);
/* Returns the name as a path that SQLite cannot interpret as anything else; allocated. */
char *db_file_path(const char *name);
/* Returns the path as a URI that declares the file immutable; allocated. */
char *db_file_uri(const char *path);

/*
 * Refuses to replace the file at path with a copy of a database, unless the file does not
 * exist or is another database of bench-store that no program has open. Returns 0, or -1
 * and the message.
 */
int db_file_may_replace(const char *name, const char *path, struct fault *f);
/*
 * Returns whether the file, or the directory in which it will be, is on a network file
 * system, according to mountinfo of proc(5), and copies the type of the file system to
 * kind. $BENCH_ROOT names another root for /proc.
 */
bool db_file_network(const char *name, char *kind, size_t size);

#endif
