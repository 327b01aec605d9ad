/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See site_dir.h. The manifest has a line for each file: the hash, the size and the path.
 * While a build runs, the file "building" exists. A build that finds it trusts no hash,
 * because an interrupted build has replaced some files.
 *
 * Files are renamed into place without waiting for the disk, because a site has tens of
 * thousands. After a power failure, files that lost their content differ in size from the
 * manifest and are written again.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/intern.h"
#include "site/site_dir.h"
#include "sys/temp_file.h"

#define STATE ".bench-site"
#define NEW ".new-" /* begins the names of files that are not complete */

struct site_file {
	uint64_t hash, size;
	bool used; /* in this build */
};

struct site_dir {
	char *path;
	char *format;
	int directory, lock;
	bool current;           /* the last build was complete, and had the format */
	struct intern paths;    /* of the last build, then of this one */
	struct site_file *file; /* by path */
	size_t files, cap, old; /* old: number of files of the last build */
	pthread_mutex_t mutex;
	size_t written;
	unsigned long next; /* temporary name */
	struct fault fault;
	bool failed;
	bool began; /* this build made the file "building" */
};

char *site_dir_state(const struct site_dir *d, const char *name)
{
	return str_format("%s/" STATE "/%s", d->path, name);
}

/* Returns 0 if a directory is empty. */
static int check_empty(const struct site_dir *d, struct fault *f)
{
	int fd = openat(d->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	bool empty = true;

	if (!dir)
		return fault_errno(f, "%s", d->path);
	while (empty && (e = readdir(dir)))
		empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
	closedir(dir);
	return empty ? 0
	             : fault_set(f,
	                   "%s: neither empty nor a site of bench-report; name another "
	                   "directory",
	                   d->path);
}

/* Opens and locks the directory, and makes its state. */
static int take_folder(struct site_dir *d, struct fault *f)
{
	struct stat st;

	if (!*d->path)
		return fault_set(f, "the name of the directory of the site is empty");
	if (mkdir(d->path, 0777) < 0 && errno != EEXIST)
		return fault_errno(f, "%s", d->path);
	d->directory = open(d->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->directory < 0)
		return fault_errno(f, "%s", d->path);
	if (fstatat(d->directory, STATE, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		if (check_empty(d, f) < 0)
			return -1;
		if (mkdirat(d->directory, STATE, 0777) < 0 && errno != EEXIST)
			return fault_errno(f, "%s/" STATE, d->path);
	} else if (!S_ISDIR(st.st_mode)) {
		return fault_set(f, "%s/" STATE ": not a directory", d->path);
	}
	d->lock = openat(
	    d->directory, STATE "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (d->lock < 0)
		return fault_errno(f, "%s/" STATE "/lock", d->path);
	if (flock(d->lock, LOCK_EX | LOCK_NB) < 0)
		return errno == EWOULDBLOCK
		           ? fault_set(f, "%s: another build is running", d->path)
		           : fault_errno(f, "%s/" STATE "/lock", d->path);
	return 0;
}

/* Returns whether a path is one that a site may have: below the directory. */
static bool is_own_path(struct text t)
{
	return t.len && *t.ptr != '/' && *t.ptr != '.' && !memmem(t.ptr, t.len, "..", 2);
}

/* Reads a line of the manifest. Returns the path, which is empty if the line is damaged. */
static struct text read_file_line(struct text line, struct site_file *out)
{
	char *copy = mem_text(line.ptr, line.len);
	int at = 0;

	sscanf(copy, "%" SCNx64 " %" SCNu64 " %n", &out->hash, &out->size, &at);
	free(copy);
	return at ? text_after(line, (size_t)at) : TEXT("");
}

static void read_manifest(struct site_dir *d)
{
	char *path = site_dir_state(d, "manifest");
	struct buf b = { 0 };
	struct text rest;
	struct fault none;

	if (file_read(path, &b, &none) == 0) {
		rest = text_in(&b);
		d->current = text_is(text_next_line(&rest), d->format);
		while (rest.len) {
			struct site_file file = { 0 };
			struct text file_path =
			    read_file_line(text_next_line(&rest), &file);

			if (is_own_path(file_path) &&
			    intern_add(&d->paths, file_path) == d->files)
				*VEC_ADD(d->file, d->files, d->cap) = file;
		}
	}
	d->old = d->files;
	free(path);
	buf_free(&b);
}

/* Removes the incomplete files of an interrupted build. */
static void remove_incomplete(const struct site_dir *d)
{
	static const char *const folder[] = { ".", "b", "badge", "data" };

	for (size_t i = 0; i < COUNT(folder); i++) {
		int fd = openat(d->directory, folder[i],
		    O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		DIR *dir = fd < 0 ? NULL : fdopendir(fd);
		struct dirent *e;

		while (dir && (e = readdir(dir)))
			if (strncmp(e->d_name, NEW, strlen(NEW)) == 0)
				unlinkat(dirfd(dir), e->d_name, 0);
		if (dir)
			closedir(dir);
	}
}

/* Notes that a build runs. Returns 0 or -1. */
static int begin_build(struct site_dir *d, struct fault *f)
{
	int fd = openat(
	    d->directory, STATE "/building", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0 && errno != EEXIST)
		return fault_errno(f, "%s/" STATE "/building", d->path);
	if (fd < 0) {
		d->current = false;
		remove_incomplete(d);
	} else {
		close(fd);
	}
	d->began = fd >= 0;
	return 0;
}

struct site_dir *site_dir_open(const char *path, const char *format, struct fault *f)
{
	struct site_dir *d = mem_zero(1, sizeof(*d));

	*d = (struct site_dir){ .path = str_copy(path),
		.format = str_copy(format),
		.directory = -1,
		.lock = -1 };
	pthread_mutex_init(&d->mutex, NULL);
	if (take_folder(d, f) < 0) {
		site_dir_abandon(d);
		return NULL;
	}
	read_manifest(d);
	if (begin_build(d, f) < 0) {
		site_dir_abandon(d);
		return NULL;
	}
	return d;
}

void site_dir_abandon(struct site_dir *d)
{
	if (!d)
		return;
	if (d->began && !d->written)
		unlinkat(d->directory, STATE "/building", 0);
	if (d->lock >= 0)
		close(d->lock);
	if (d->directory >= 0)
		close(d->directory);
	pthread_mutex_destroy(&d->mutex);
	intern_free(&d->paths);
	free(d->file);
	free(d->format);
	free(d->path);
	free(d);
}

/* Returns whether the file of the last build has this hash and is still there. */
static bool is_same(const struct site_dir *d, const char *path, uint64_t hash)
{
	long number = intern_find(&d->paths, text_of(path));
	struct stat st;

	return d->current && number >= 0 && (size_t)number < d->old &&
	       d->file[number].hash == hash &&
	       fstatat(d->directory, path, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st.st_mode) && (uint64_t)st.st_size == d->file[number].size;
}

bool site_dir_has(const struct site_dir *d, const char *path, uint64_t hash)
{
	struct site_dir *mine = (struct site_dir *)(uintptr_t)d;
	bool same;

	pthread_mutex_lock(&mine->mutex);
	same = is_same(d, path, hash);
	pthread_mutex_unlock(&mine->mutex);
	return same;
}

static void keep_failure(struct site_dir *d, const char *path)
{
	int error = errno;

	pthread_mutex_lock(&d->mutex);
	if (!d->failed) {
		d->failed = true;
		errno = error;
		fault_errno(&d->fault, "%s/%s", d->path, path);
	}
	pthread_mutex_unlock(&d->mutex);
}

/* Makes the folder of a path. */
static void make_folder(const struct site_dir *d, const char *path)
{
	const char *slash = strchr(path, '/');
	char *folder = slash ? mem_text(path, (size_t)(slash - path)) : NULL;

	if (folder)
		mkdirat(d->directory, folder, 0777);
	free(folder);
}

/* Writes a file next to its place, because a rename within a folder takes half the time,
 * and renames it. */
static int replace_file(
    struct site_dir *d, unsigned long number, const char *path, const struct buf *content)
{
	const char *slash = strchr(path, '/');
	int fd = -1, folder = slash ? (int)(slash + 1 - path) : 0, status;
	char *name = str_format("%.*s" NEW "%lu", folder, path, number);

	for (int attempt = 0; attempt < 2 && fd < 0; attempt++) {
		if (attempt)
			make_folder(d, path);
		fd = openat(d->directory, name,
		    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
	}
	status =
	    fd < 0 ? -1 : file_write_all(fd, text_in(content));
	if (fd >= 0 && close(fd) < 0)
		status = -1;
	if (status == 0)
		status = renameat(d->directory, name, d->directory, path);
	if (status < 0 && fd >= 0) {
		int error = errno;

		unlinkat(d->directory, name, 0);
		errno = error;
	}
	free(name);
	return status;
}

void site_dir_write(
    struct site_dir *d, const char *path, uint64_t hash, const struct buf *content)
{
	unsigned long number;
	size_t at;
	bool same;

	pthread_mutex_lock(&d->mutex);
	same = is_same(d, path, hash);
	number = d->next++;
	at = intern_add(&d->paths, text_of(path));
	if (at == d->files)
		*VEC_ADD(d->file, d->files, d->cap) = (struct site_file){ 0 };
	d->file[at].used = true;
	d->written += !same;
	if (!same) {
		d->file[at].hash = hash;
		d->file[at].size = content->len;
	}
	pthread_mutex_unlock(&d->mutex);
	if (!same && replace_file(d, number, path, content) < 0)
		keep_failure(d, path);
}

void site_dir_put(struct site_dir *d, const char *path, const struct buf *content)
{
	enum { CONTENT_SEED = 17 };

	site_dir_write(d, path,
	    text_hash(text_in(content), CONTENT_SEED), content);
}

static int write_manifest(struct site_dir *d, struct fault *f)
{
	char *path = site_dir_state(d, "manifest");
	struct buf b = { 0 };
	int status;

	buf_printf(&b, "%s\n", d->format);
	for (size_t i = 0; i < d->files; i++) {
		if (!d->file[i].used)
			continue;
		buf_printf(
		    &b, "%016" PRIx64 " %" PRIu64 " ", d->file[i].hash, d->file[i].size);
		buf_text(&b, intern_text(&d->paths, i));
		buf_byte(&b, '\n');
	}
	status = temp_file_write(path, 0, text_in(&b), f);
	buf_free(&b);
	free(path);
	return status;
}

/* Removes the files of the last build that this one did not write. */
static size_t remove_old(struct site_dir *d)
{
	size_t removed = 0;

	for (size_t i = 0; i < d->old; i++) {
		struct text path = intern_text(&d->paths, i);
		char *name;

		if (d->file[i].used)
			continue;
		name = mem_text(path.ptr, path.len);
		removed += unlinkat(d->directory, name, 0) == 0;
		free(name);
	}
	return removed;
}

int site_dir_close(struct site_dir *d, size_t *written, size_t *removed, struct fault *f)
{
	int status = 0;

	*written = d->written;
	*removed = 0;
	if (d->failed) {
		*f = d->fault;
		status = -1;
	} else {
		*removed = remove_old(d);
		status = write_manifest(d, f);
	}
	if (status == 0)
		unlinkat(d->directory, STATE "/building", 0);
	site_dir_abandon(d);
	return status;
}
