/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files next to a database; see db_beside.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "db/db_beside.h"
#include "text/plural.h"

/* The bytes of a file that SQLite locks; a reader locks the last ones. */
enum { LOCK_BEGIN = 0x40000000, SHARED_BEGIN = LOCK_BEGIN + 2, SHARED_BYTES = 510 };
/* The resolution of file times may be this coarse. */
enum { FRESH_S = 3 };

static const char wal[] = "-wal", shm[] = "-shm", journal[] = "-journal";

/* Returns the name of a file next to the file that a path resolves to; allocated. */
static char *beside(const char *path, const char *end)
{
	char *real = realpath(path, NULL);
	char *name = str_format("%s%s", real ? real : path, end);

	free(real);
	return name;
}

static bool stat_beside(const char *path, const char *end, struct stat *st)
{
	char *name = beside(path, end);
	bool found = lstat(name, st) == 0;

	free(name);
	return found;
}

bool db_beside_used(const char *path)
{
	struct stat st;

	return (stat_beside(path, wal, &st) && st.st_size > 0) ||
	       (stat_beside(path, journal, &st) && st.st_size > 0);
}

int db_beside_check(const char *path, struct fault *f)
{
	static const char *const parts[] = { wal, journal, shm };
	struct stat db, st;

	for (size_t i = 0; i < COUNT(parts); i++)
		if (stat_beside(path, parts[i], &st) && !S_ISREG(st.st_mode))
			return fault_set(f,
			    "%s%s: not a regular file, but SQLite would use it as a part "
			    "of the database; remove it",
			    path, parts[i]);
	if (stat(path, &db) < 0 || db.st_mode & (S_IWGRP | S_IWOTH))
		return 0;
	for (size_t i = 0; parts[i] != shm; i++)
		if (stat_beside(path, parts[i], &st) && st.st_size > 0 &&
		    st.st_uid != db.st_uid && st.st_uid != 0)
			return fault_set(f,
			    "%s%s: belongs to user %lu, who may not write to the database, "
			    "and would become a part of the database; remove it",
			    path, parts[i], (unsigned long)st.st_uid);
	return 0;
}

/* Locks bytes for this descriptor; returns false if another process holds a lock. */
static bool lock_bytes(int fd, short type, off_t begin, off_t bytes)
{
	struct flock lock = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = begin, .l_len = bytes
	};

	return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

static bool remove_beside(const char *path, const char *end)
{
	char *name = beside(path, end);
	bool removed = unlink(name) == 0;

	free(name);
	return removed;
}

/* Opens a database that no program uses, with a lock that ends when it is closed. Returns
 * -1 if a program uses it, or if a log or journal is a part of it. */
static int open_unused(const char *path)
{
	int fd = open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd >= 0 &&
	    lock_bytes(fd, F_WRLCK, LOCK_BEGIN, SHARED_BEGIN + SHARED_BYTES - LOCK_BEGIN) &&
	    !db_beside_used(path))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

bool db_beside_tidy(const char *path)
{
	int fd = open_unused(path);
	bool removed = false;

	if (fd >= 0) {
		removed = remove_beside(path, wal);
		removed |= remove_beside(path, shm);
		close(fd);
	}
	return removed;
}

/* Returns whether a file is empty, or is a database of a single page on which the table of
 * all tables has no row ("Database File Format", sections 1.3 and 1.6). */
static bool lacks_tables(int fd, const struct stat *st)
{
	enum { PAGE_SIZE = 16, PAGE_TYPE = 100, LEAF = 13, CELLS = 103 };
	unsigned char head[CELLS + 2];

	return st->st_size == 0 ||
	       (pread(fd, head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
	           memcmp(head, "SQLite format 3", 16) == 0 &&
	           st->st_size == 256 * head[PAGE_SIZE] + head[PAGE_SIZE + 1] &&
	           head[PAGE_TYPE] == LEAF && !head[CELLS] && !head[CELLS + 1]);
}

void db_beside_discard(const char *path)
{
	int fd = open_unused(path);
	struct stat st, named;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lstat(path, &named) == 0 &&
	    st.st_dev == named.st_dev && st.st_ino == named.st_ino &&
	    lacks_tables(fd, &st)) {
		remove_beside(path, wal);
		remove_beside(path, shm);
		unlink(path);
	}
	close(fd);
}

void db_beside_explain(const char *path, struct buf *out)
{
	static const char *const parts[] = { wal, shm, journal };
	struct stat st;
	uid_t owner = 0;
	size_t count = 0;

	for (size_t i = 0; i < COUNT(parts); i++) {
		char *name = beside(path, parts[i]);

		if (lstat(name, &st) == 0 && st.st_uid != geteuid() &&
		    faccessat(AT_FDCWD, name, W_OK, AT_EACCESS) < 0) {
			buf_printf(out, "%s%s", count++ ? " and " : "", name);
			owner = st.st_uid;
		}
		free(name);
	}
	if (count)
		buf_printf(out,
		    " belong%s to user %lu: once no program uses the database, that user, "
		    "the owner of the directory or root has to remove %s",
		    plural(count, "s", ""), (unsigned long)owner,
		    plural(count, "it", "them"));
}

bool db_watch_begin(struct db_watch *w, const char *path)
{
	*w = (struct db_watch){ .fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) };
	if (w->fd < 0)
		return true; /* opening the database reports why */
	/*
	 * Prevents an unnoticed removal of a log. Not every file system has such locks.
	 */
	if ((!lock_bytes(w->fd, F_RDLCK, SHARED_BEGIN, SHARED_BYTES) &&
	        (errno == EAGAIN || errno == EACCES)) ||
	    fstat(w->fd, &w->begin) < 0 || db_beside_used(path)) {
		db_watch_end(w);
		return false;
	}
	w->fresh = w->begin.st_mtime + FRESH_S >= time(NULL);
	return true;
}

bool db_watch_changed(const struct db_watch *w, const char *path)
{
	struct stat now;

	if (w->fd < 0)
		return false;
	return fstat(w->fd, &now) < 0 || now.st_size != w->begin.st_size ||
	       now.st_mtim.tv_sec != w->begin.st_mtim.tv_sec ||
	       now.st_mtim.tv_nsec != w->begin.st_mtim.tv_nsec ||
	       (w->fresh && db_beside_used(path));
}

void db_watch_end(struct db_watch *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}
