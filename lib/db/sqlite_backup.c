/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies an SQLite database while other programs read and write it.
 */
#include <string.h>
#include <sys/stat.h>

#include "db/db_file.h"
#include "db/sqlite_priv.h"
#include "sys/temp_file.h"

/*
 * Copies all pages, in one consistent state, to a new file; path is its name in messages.
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
	if (code == SQLITE_FULL)
		fault_set(f, "%s: no space left on the disk", path);
	else if (code != SQLITE_OK && to && sqlite3_system_errno(to))
		fault_set(f, "%s: %s", path, strerror(sqlite3_system_errno(to)));
	else if (code != SQLITE_OK)
		fault_set(f, "%s: %s", path, sqlite3_errstr(code));
	sqlite3_close(to);
	return code == SQLITE_OK ? 0 : -1;
}

/* Restricts a new copy to users who can read the database. */
static int narrow_permissions(const char *name, int fd, const char *path, struct fault *f)
{
	struct stat ours, copy;

	if (stat(path, &copy) == 0) /* the copy gets the permissions of this file */
		return 0;
	if (stat(name, &ours) < 0 || fstat(fd, &copy) < 0 ||
	    fchmod(fd, copy.st_mode & ours.st_mode & 0777) < 0)
		return fault_errno(f, "%s", path);
	return 0;
}

int sqlite_backup(struct db *db, const char *path, struct fault *f)
{
	struct temp_file *copy = NULL;
	int status = -1;

	if (db_file_may_replace(db->name, path, f) == 0)
		copy = temp_file_open(path, 0, f);
	if (copy)
		status = narrow_permissions(db->name, temp_file_fd(copy), path, f);
	if (status == 0)
		status = copy_pages(db, temp_file_fd(copy), path, f);
	if (status == 0)
		status = temp_file_commit(copy, f);
	else
		temp_file_discard(copy);
	return status;
}
