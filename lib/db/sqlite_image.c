/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Databases in memory whose bytes are those of a file. SQLite reads them without a path, so
 * nobody can replace the file or put a journal next to it.
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/sqlite_priv.h"

/* Bytes 18 and 19 of a file: 2 if it has a write-ahead log, else 1. */
enum { WRITE_VERSION = 18, READ_VERSION = 19, HEADER_BYTES = 100 };

struct db *db_image_new(const char *name, struct text schema, struct fault *f)
{
	struct db *db = sqlite_file_new(&db_sqlite, name, 0);

	if (sqlite_file_connect(db, ":memory:", SQLITE_OPEN_READWRITE, f) == 0 &&
	    sqlite_prepare(db, DB_CREATE, schema, f) == 0)
		return db;
	sqlite_file_close(db);
	return NULL;
}

/* Reads a whole file; SQLite frees the bytes. */
static unsigned char *read_image(const char *name, int fd, size_t *size, struct fault *f)
{
	unsigned char *bytes;
	struct stat st;
	size_t at = 0;
	ssize_t got = 1;

	if (fstat(fd, &st) < 0) {
		fault_errno(f, "%s", name);
		return NULL;
	}
	*size = (size_t)st.st_size;
	bytes = sqlite3_malloc64(*size + 1);
	while (bytes && at < *size && got > 0) {
		got = pread(fd, bytes + at, *size - at, (off_t)at);
		at += got > 0 ? (size_t)got : 0;
	}
	if (bytes && at == *size && at >= HEADER_BYTES) {
		bytes[WRITE_VERSION] = bytes[READ_VERSION] = 1;
		return bytes;
	}
	if (!bytes)
		fault_set(f, "%s: %zu bytes do not fit in memory", name, *size);
	else if (got < 0)
		fault_errno(f, "%s", name);
	else
		fault_set(f, "%s: not an SQLite database", name);
	sqlite3_free(bytes);
	return NULL;
}

static int load_image(struct db *db, int fd, struct fault *f)
{
	unsigned char *bytes;
	size_t size = 0;

	if (sqlite_file_connect(db, ":memory:", SQLITE_OPEN_READWRITE, f) < 0)
		return -1;
	bytes = read_image(db->name, fd, &size, f);
	if (!bytes)
		return -1;
	sqlite_budget_of(db)->bytes = (double)size;
	/* It frees the bytes even if it fails. */
	return sqlite3_deserialize(sqlite_handle(db), "main", bytes, (sqlite3_int64)size,
	           (sqlite3_int64)size,
	           SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) ==
	               SQLITE_OK
	           ? 0
	           : sqlite_fail(db, f);
}

struct db *db_image_open(const char *name, int fd, struct text schema, struct fault *f)
{
	struct db *db = sqlite_file_new(&db_sqlite, name, 0);

	/* A database of an older version is upgraded in memory. */
	if (load_image(db, fd, f) == 0 && sqlite_prepare(db, 0, schema, f) == 0)
		return db;
	sqlite_file_close(db);
	return NULL;
}

int db_image_write(struct db *db, int fd, struct fault *f)
{
	sqlite3_int64 size = 0;
	unsigned char *bytes = sqlite3_serialize(sqlite_handle(db), "main", &size, 0);
	int status;

	if (!bytes)
		return fault_set(f, "%s: no memory for a copy", db->name);
	status = file_write_all(fd, (struct text){ (char *)bytes, (size_t)size });
	if (status < 0)
		fault_errno(f, "%s", db->name);
	sqlite3_free(bytes);
	return status;
}
