/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files below a root; see kernel_files.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir_names.h"
#include "sys/kernel_files.h"
#include "text/units.h"

enum { FILE_MAX_BYTES = 1 << 16 };

const char *kernel_files_root(void)
{
	const char *root = getenv("BENCH_ROOT");

	return root && *root ? root : "/";
}

int kernel_files_open(struct kernel_files *t, const char *root, struct fault *f)
{
	*t = (struct kernel_files){ .live = strcmp(root, "/") == 0 };
	t->root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return t->root < 0 ? fault_errno(f, "%s", root) : 0;
}

void kernel_files_close(struct kernel_files *t)
{
	close(t->root);
}

/* Returns whether an error means that the machine does not have the file. */
static bool is_absence(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ENODEV || error == ENXIO ||
	       error == EINVAL || error == EOPNOTSUPP || error == ENODATA;
}

static bool is_permission(int error)
{
	return error == EACCES || error == EPERM;
}

/* Records the first failure that root would also have, or else the first one. */
static void note_failure(const struct kernel_files *t, const char *path, int error)
{
	struct kernel_failure *kept = t->failure;

	if (!kept || is_absence(error) ||
	    (kept->error && (!is_permission(kept->error) || is_permission(error))))
		return;
	free(kept->path);
	kept->error = error;
	kept->path = str_copy(path);
}

int kernel_file_open(const struct kernel_files *t, const char *path)
{
	int fd = openat(t->root, path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		int error = errno;

		note_failure(t, path, error);
		errno = error;
	}
	return fd;
}

bool kernel_file_count(int fd, uint64_t *out)
{
	char text[32];
	ssize_t len = pread(fd, text, sizeof(text), 0);
	int64_t number;

	if (len <= 0 ||
	    !integer_parse(text_trim((struct text){ text, (size_t)len }), &number) ||
	    number < 0)
		return false;
	*out = (uint64_t)number;
	return true;
}

int kernel_file_reread(int fd, struct buf *out)
{
	ssize_t got;

	out->len = 0;
	do {
		buf_room(out, 4096);
		got = pread(
		    fd, out->ptr + out->len, out->cap - out->len - 1, (off_t)out->len);
		if (got > 0)
			out->len += (size_t)got;
		else if (got < 0 && errno != EINTR)
			return errno;
	} while (got != 0);
	return 0;
}

bool kernel_file_read_up_to(
    const struct kernel_files *t, const char *path, size_t max, struct buf *out)
{
	int fd = kernel_file_open(t, path);
	size_t end = out->len + max;
	ssize_t got = 0;

	if (fd < 0)
		return false;
	do {
		buf_room(out, 4096);
		got = read(fd, out->ptr + out->len, 4096);
		if (got > 0)
			out->len += (size_t)got;
	} while (out->len < end && (got > 0 || (got < 0 && errno == EINTR)));
	if (got < 0)
		note_failure(t, path, errno);
	out->ptr[out->len] = '\0';
	close(fd);
	return got >= 0;
}

bool kernel_file_read(const struct kernel_files *t, const char *path, struct buf *out)
{
	return kernel_file_read_up_to(t, path, FILE_MAX_BYTES, out);
}

bool kernel_file_exists(const struct kernel_files *t, const char *path)
{
	if (faccessat(t->root, path, F_OK, 0) == 0)
		return true;
	note_failure(t, path, errno);
	return false;
}

bool kernel_file_line(const struct kernel_files *t, const char *path, struct buf *out)
{
	struct buf b = { 0 };
	bool there = kernel_file_read(t, path, &b);
	struct text all = { b.ptr, b.len };

	if (there)
		buf_text(out, text_trim(text_next_line(&all)));
	buf_free(&b);
	return there;
}

bool kernel_file_number(const struct kernel_files *t, const char *path, double *out)
{
	struct buf b = { 0 };
	bool there = kernel_file_line(t, path, &b) &&
	             number_parse(text_in(&b), out);

	buf_free(&b);
	return there;
}

size_t kernel_dir_names(const struct kernel_files *t, const char *path, char ***names)
{
	size_t count = dir_names_at(t->root, path, names);

	if (!*names)
		note_failure(t, path, errno);
	return count;
}
