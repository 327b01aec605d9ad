/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies of an SQLite database while others read and write it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/db_file.h"
#include "db/sqlite_priv.h"

/* Copies all pages, as they are at one moment, to a new file. */
static int copy_pages(struct db *db, const char *path, struct fault *f)
{
	sqlite3 *to = NULL;
	sqlite3_backup *backup = NULL;
	int code = sqlite3_open_v2(path, &to,
	    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXCLUSIVE, NULL);

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
