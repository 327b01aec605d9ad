/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The faulty file system of power_cut: a VFS of SQLite over the real one. It counts
 * changes of files, namely writes, truncations, syncs and removals, and remembers what
 * was written since the last sync of a file.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/base.h"
#include "power_cut_vfs.h"

enum { SECTOR = 512 };

struct change {
	char *path;
	sqlite3_int64 at, old_size;
	char *old, *new; /* NULL new: a truncation to `at` */
	int old_len, len;
};

static struct {
	sqlite3_vfs *real;
	bool on;
	enum cut_kind kind;
	long at, count; /* number of the change that fails; number of changes */
	struct change *change;
	size_t changes, cap;
	uint64_t random;
} disk;

struct cut_file {
	sqlite3_file base;
	char *path; /* NULL: a file that is not read again */
	sqlite3_file real[];
};

static uint64_t draw(void)
{
	disk.random = disk.random * 6364136223846793005u + 1442695040888963407u;
	return disk.random >> 33;
}

/* Returns whether the next change of a file fails. */
static bool fails(void)
{
	if (!disk.on)
		return false;
	disk.count++;
	return disk.count == disk.at ||
	       (disk.count > disk.at && disk.kind != CUT_FULL_ONCE);
}

static sqlite3_file *real_of(sqlite3_file *file)
{
	return ((struct cut_file *)file)->real;
}

static void forget(const char *path)
{
	size_t kept = 0;

	for (size_t i = 0; i < disk.changes; i++) {
		if (strcmp(disk.change[i].path, path) != 0) {
			disk.change[kept++] = disk.change[i];
			continue;
		}
		free(disk.change[i].path);
		free(disk.change[i].old);
		free(disk.change[i].new);
	}
	disk.changes = kept;
}

static void remember(struct cut_file *f, const void *bytes, int len, sqlite3_int64 at)
{
	struct change c = { str_copy(f->path), at, 0, NULL, NULL, 0, len };
	sqlite3_int64 end;

	f->real->pMethods->xFileSize(f->real, &c.old_size);
	end = bytes && at + len < c.old_size ? at + len : c.old_size;
	if (end > at) {
		c.old_len = (int)(end - at);
		c.old = mem_zero((size_t)c.old_len, 1);
		f->real->pMethods->xRead(f->real, c.old, c.old_len, at);
	}
	if (bytes)
		c.new = memcpy(mem_zero((size_t)len, 1), bytes, (size_t)len);
	*VEC_ADD(disk.change, disk.changes, disk.cap) = c;
}

static int cut_close(sqlite3_file *file)
{
	struct cut_file *f = (struct cut_file *)file;

	free(f->path);
	return f->real->pMethods->xClose(f->real);
}

static int cut_read(sqlite3_file *file, void *bytes, int len, sqlite3_int64 at)
{
	return real_of(file)->pMethods->xRead(real_of(file), bytes, len, at);
}

static int cut_write(sqlite3_file *file, const void *bytes, int len, sqlite3_int64 at)
{
	struct cut_file *f = (struct cut_file *)file;
	bool failed = f->path && fails();

	/*
	 * When the power fails, the current write may have been done completely or in
	 * part.
	 */
	if (failed && (disk.kind != CUT_POWER || disk.count != disk.at))
		return disk.kind == CUT_POWER ? SQLITE_IOERR_WRITE : SQLITE_FULL;
	if (f->path && disk.on && disk.kind == CUT_POWER)
		remember(f, bytes, len, at);
	int code = f->real->pMethods->xWrite(f->real, bytes, len, at);
	return failed ? SQLITE_IOERR_WRITE : code;
}

static int cut_truncate(sqlite3_file *file, sqlite3_int64 size)
{
	struct cut_file *f = (struct cut_file *)file;

	if (f->path && fails())
		return SQLITE_IOERR_TRUNCATE;
	if (f->path && disk.on && disk.kind == CUT_POWER)
		remember(f, NULL, 0, size);
	return f->real->pMethods->xTruncate(f->real, size);
}

static int cut_sync(sqlite3_file *file, int flags)
{
	struct cut_file *f = (struct cut_file *)file;

	(void)flags;
	if (f->path && fails())
		return SQLITE_IOERR_FSYNC;
	if (f->path)
		forget(f->path);
	return SQLITE_OK; /* a real disk would only make the test slow */
}

static int cut_size(sqlite3_file *file, sqlite3_int64 *size)
{
	return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int cut_lock(sqlite3_file *file, int how)
{
	return real_of(file)->pMethods->xLock(real_of(file), how);
}

static int cut_unlock(sqlite3_file *file, int how)
{
	return real_of(file)->pMethods->xUnlock(real_of(file), how);
}

static int cut_reserved(sqlite3_file *file, int *out)
{
	return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}

static int cut_control(sqlite3_file *file, int op, void *arg)
{
	return real_of(file)->pMethods->xFileControl(real_of(file), op, arg);
}

static int cut_sector(sqlite3_file *file)
{
	return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int cut_device(sqlite3_file *file)
{
	return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

static int cut_shm_map(
    sqlite3_file *file, int page, int size, int extend, void volatile **out)
{
	return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, out);
}

static int cut_shm_lock(sqlite3_file *file, int at, int n, int flags)
{
	return real_of(file)->pMethods->xShmLock(real_of(file), at, n, flags);
}

static void cut_shm_barrier(sqlite3_file *file)
{
	real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int cut_shm_unmap(sqlite3_file *file, int gone)
{
	return real_of(file)->pMethods->xShmUnmap(real_of(file), gone);
}

static const sqlite3_io_methods methods = { 2, cut_close, cut_read, cut_write, cut_truncate,
	cut_sync, cut_size, cut_lock, cut_unlock, cut_reserved, cut_control, cut_sector,
	cut_device, cut_shm_map, cut_shm_lock, cut_shm_barrier, cut_shm_unmap, NULL, NULL };

static int cut_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	struct cut_file *f = (struct cut_file *)file;
	int code = disk.real->xOpen(disk.real, name, f->real, flags, out);

	(void)vfs;
	f->base.pMethods = code == SQLITE_OK ? &methods : NULL;
	f->path = code == SQLITE_OK && name ? str_copy(name) : NULL;
	return code;
}

static int cut_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	(void)vfs;
	(void)sync;
	if (fails())
		return SQLITE_IOERR_DELETE;
	forget(name);
	return disk.real->xDelete(disk.real, name, 0);
}

static void overwrite(const char *path, const char *bytes, size_t len, sqlite3_int64 at)
{
	FILE *file = fopen(path, "r+");

	if (!file)
		return;
	fseek(file, (long)at, SEEK_SET);
	fwrite(bytes, 1, len, file);
	fclose(file);
}

void cut_end(int seed)
{
	disk.on = false;
	for (size_t i = disk.changes; i-- > 0;) {
		struct change *c = &disk.change[i];

		if (c->old)
			overwrite(c->path, c->old, (size_t)c->old_len, c->at);
		if (truncate(c->path, c->old_size) < 0)
			err(2, "%s", c->path);
	}
	for (size_t i = 0; i < disk.changes; i++) {
		struct change *c = &disk.change[i];
		bool last = i + 1 == disk.changes;
		size_t len = (size_t)c->len;

		if (seed == 0 || (seed > 1 && draw() % 2))
			continue;
		if (!c->new &&truncate(c->path, c->at) < 0)
			err(2, "%s", c->path);
		if (last && seed > 1 && len > SECTOR)
			len = draw() % (len / SECTOR) * SECTOR;
		if (c->new)
			overwrite(c->path, c->new, len, c->at);
	}
	while (disk.changes) {
		char *path = str_copy(disk.change[0].path);

		forget(path);
		free(path);
	}
}

void cut_begin(enum cut_kind kind, long at, uint64_t seed)
{
	disk.kind = kind;
	disk.at = at;
	disk.count = 0;
	disk.random = seed;
	disk.on = true;
}

long cut_changes(void)
{
	return disk.count;
}

void cut_install(void)
{
	static sqlite3_vfs vfs;

	disk.real = sqlite3_vfs_find(NULL);
	vfs = *disk.real;
	vfs.zName = "cut";
	vfs.szOsFile = (int)sizeof(struct cut_file) + disk.real->szOsFile;
	vfs.xOpen = cut_open;
	vfs.xDelete = cut_delete;
	sqlite3_vfs_register(&vfs, 1);
}
