/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A database on an open descriptor, as a VFS of SQLite. SQLite opens files only by name,
 * including a journal and a WAL next to the database. Another user could have planted these
 * files in a directory that they may write to; this VFS opens no file. It is suitable for a
 * file that no other program has open and that is written without a journal: it has no
 * locks, and reports any other file as absent.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/sqlite_priv.h"

enum { SECTOR_BYTES = 4096 };
static const char vfs_name[] = "bench-descriptor";

struct descriptor_file {
	sqlite3_file base;
	int fd;
};

static int descriptor_of(sqlite3_file *file)
{
	return ((struct descriptor_file *)file)->fd;
}

static int file_close(sqlite3_file *file)
{
	(void)file;
	return SQLITE_OK;
}

static int file_read_at(sqlite3_file *file, void *out, int size, sqlite3_int64 at)
{
	char *p = out;

	while (size > 0) {
		ssize_t got = pread(descriptor_of(file), p, (size_t)size, at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return SQLITE_IOERR_READ;
		if (got == 0) {
			memset(p, 0, (size_t)size);
			return SQLITE_IOERR_SHORT_READ;
		}
		p += got;
		at += got;
		size -= (int)got;
	}
	return SQLITE_OK;
}

static int file_write_at(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 at)
{
	const char *p = bytes;

	while (size > 0) {
		ssize_t put = pwrite(descriptor_of(file), p, (size_t)size, at);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put < 0 && errno == ENOSPC ? SQLITE_FULL
			                                  : SQLITE_IOERR_WRITE;
		p += put;
		at += put;
		size -= (int)put;
	}
	return SQLITE_OK;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	return ftruncate(descriptor_of(file), size) == 0 ? SQLITE_OK
	                                                 : SQLITE_IOERR_TRUNCATE;
}

static int file_sync(sqlite3_file *file, int flags)
{
	(void)flags;
	return fsync(descriptor_of(file)) == 0 ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
	struct stat st;

	if (fstat(descriptor_of(file), &st) < 0)
		return SQLITE_IOERR_FSTAT;
	*size = st.st_size;
	return SQLITE_OK;
}

static int file_lock(sqlite3_file *file, int level)
{
	(void)file;
	(void)level;
	return SQLITE_OK;
}

static int file_is_reserved(sqlite3_file *file, int *reserved)
{
	(void)file;
	*reserved = 0;
	return SQLITE_OK;
}

static int file_control(sqlite3_file *file, int operation, void *arg)
{
	(void)file;
	(void)operation;
	(void)arg;
	return SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *file)
{
	(void)file;
	return SECTOR_BYTES;
}

static int file_traits(sqlite3_file *file)
{
	(void)file;
	return 0;
}

static int vfs_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	static const sqlite3_io_methods methods = { .iVersion = 1,
		.xClose = file_close,
		.xRead = file_read_at,
		.xWrite = file_write_at,
		.xTruncate = file_truncate,
		.xSync = file_sync,
		.xFileSize = file_size,
		.xLock = file_lock,
		.xUnlock = file_lock,
		.xCheckReservedLock = file_is_reserved,
		.xFileControl = file_control,
		.xSectorSize = file_sector,
		.xDeviceCharacteristics = file_traits };
	struct descriptor_file *opened = (struct descriptor_file *)file;

	(void)name;
	opened->base.pMethods = NULL;
	if (!(flags & SQLITE_OPEN_MAIN_DB))
		return SQLITE_CANTOPEN;
	opened->base.pMethods = &methods;
	opened->fd = *(int *)vfs->pAppData;
	if (out)
		*out = flags;
	return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	(void)vfs;
	(void)name;
	(void)sync;
	return SQLITE_OK;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *out)
{
	(void)vfs;
	(void)name;
	(void)flags;
	*out = 0;
	return SQLITE_OK;
}

static int vfs_path(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
	(void)vfs;
	sqlite3_snprintf(size, out, "%s", name);
	return SQLITE_OK;
}

int sqlite_descriptor_open(int fd, sqlite3 **out)
{
	static sqlite3_vfs vfs;
	static int next_fd;
	int code;

	if (!vfs.zName) {
		vfs = *sqlite3_vfs_find(NULL);
		vfs.szOsFile = sizeof(struct descriptor_file);
		vfs.pNext = NULL;
		vfs.zName = vfs_name;
		vfs.pAppData = &next_fd;
		vfs.xOpen = vfs_open;
		vfs.xDelete = vfs_delete;
		vfs.xAccess = vfs_access;
		vfs.xFullPathname = vfs_path;
		code = sqlite3_vfs_register(&vfs, 0);
		if (code != SQLITE_OK)
			return code;
	}
	next_fd = fd;
	code = sqlite3_open_v2("main", out, SQLITE_OPEN_READWRITE, vfs_name);
	if (code != SQLITE_OK)
		return code;
	return sqlite3_exec(
	    *out, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL, NULL);
}
