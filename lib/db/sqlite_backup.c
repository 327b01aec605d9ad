/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies of an SQLite database while others read and write it.
 */
#include <string.h>

#include "db/db_file.h"
#include "db/sqlite_priv.h"
#include "sys/temp_file.h"

/* Copies all pages, as they are at one moment, to a new file; path is its name in messages.
 */
static int copy_pages(struct db *db, int fd, const char *path, struct fault *f)
{
	sqlite3 *to = NULL;
	sqlite3_backup *backup = NULL;
	int code = sqlite_descriptor_open(fd, &to);

	if (code == SQLITE_OK)
		backup = sqlite3_backup_init(to, "main", sqlite_handle(db), "main");
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

int sqlite_backup(struct db *db, const char *path, struct fault *f)
{
	struct temp_file *copy = NULL;
	int status = -1;

	if (db_file_may_replace(db->name, path, f) == 0)
		copy = temp_file_open(path, 0, f);
	if (copy)
		status = copy_pages(db, temp_file_fd(copy), path, f);
	if (status == 0)
		status = temp_file_commit(copy, f);
	else
		temp_file_discard(copy);
	return status;
}
