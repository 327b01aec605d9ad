/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file that a database is.
 */
#ifndef DB_DB_FILE_H
#define DB_DB_FILE_H

#include "base/base.h"

/* Whether there is a file of that name with anything in it. */
bool db_file_exists(const char *name);
/* Refuses a name that cannot be a database, and one that is not there unless made. 0 or -1.
 */
int db_file_check(const char *name, bool made, struct fault *f);
/* The name as a path that SQLite takes for nothing else; allocated. */
char *db_file_path(const char *name);
/* The path as a URI that says that nobody changes the file; allocated. */
char *db_file_uri(const char *path);

/*
 * Whether a copy of a database may take the place of what is at path: nothing, or another
 * database of ours that nobody has open. 0 or -1.
 */
int db_file_may_replace(const char *name, const char *path, struct fault *f);
/*
 * Whether the file lies on a file system of a network, as mountinfo of proc(5) says; its
 * kind goes to kind. $BENCH_ROOT names another /proc.
 */
bool db_file_network(const char *name, char *kind, size_t size);

#endif
