/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps files that are not complete; see partial_file.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/link_target.h"
#include "sys/partial_file.h"
#include "sys/temp_file_priv.h"

#define PARTIAL ".partial"

/* Returns the i-th name of an incomplete file, counted from 1. base is the name in path. */
static char *partial_path(const char *path, const char *base, int i)
{
	char number[16] = "";

	if (i > 1)
		snprintf(number, sizeof(number), ".%d", i);
	return str_format(
	    "%.*s%.*s" PARTIAL "%s", (int)(base - path), path, OLD_NAME_KEPT, base, number);
}

void temp_file_note_partial(const char *target, struct buf *notes)
{
	struct stat st;
	char *real =
	    lstat(target, &st) == 0 && S_ISLNK(st.st_mode) ? link_target(target) : NULL;
	const char *path = real ? real : target, *slash = strrchr(path, '/');
	char *partial = partial_path(path, slash ? slash + 1 : path, 1);

	if (lstat(partial, &st) == 0)
		buf_printf(notes,
		    "%s: kept from an earlier run that was not completed, or in use by "
		    "another one; remove the file if it is not needed\n",
		    partial);
	free(partial);
	free(real);
}

/* Gives the file a name next to the target. Returns the path, or NULL and errno. */
static char *take_partial_name(struct temp_file *t)
{
	const char *path = temp_file_path(t);
	const ptrdiff_t dir = t->base - path;

	for (int i = 1; i <= NAME_ATTEMPTS; i++) {
		char *partial = partial_path(path, t->base, i);

		if (temp_file_name_new(t, partial + dir) == 0)
			return partial;
		free(partial);
		if (errno != EEXIST)
			break;
	}
	return NULL;
}

void temp_file_name_partial(struct temp_file *t)
{
	int error = errno;

	if (!t->direct && !t->partial && (t->partial = take_partial_name(t))) {
		temp_file_drop_name(t);
		t->name = str_copy(t->partial + (t->base - temp_file_path(t)));
	}
	errno = error;
}

/* Returns whether a file has more than one line, which may be the header of a table. */
static bool has_more_than_header(int fd)
{
	char bytes[4096];
	off_t at = 0;
	ssize_t count;

	while ((count = pread(fd, bytes, sizeof(bytes), at)) > 0) {
		const char *end = memchr(bytes, '\n', (size_t)count);
		struct stat st;

		if (end)
			return fstat(fd, &st) == 0 && at + (end - bytes) + 1 < st.st_size;
		at += count;
	}
	return at > 0;
}

char *temp_file_keep(struct temp_file *t)
{
	char *partial = NULL;
	int error = errno;

	if (!t->direct && has_more_than_header(t->fd)) {
		temp_file_name_partial(t);
		partial = t->partial;
		t->partial = NULL;
	}
	if (partial) {
		temp_file_drop_name(t);
		fsync(t->fd); /* what cannot reach the disk may still do so later */
		temp_file_sync_folder(t);
	}
	temp_file_discard(t);
	errno = error;
	return partial;
}

int temp_file_commit_or_keep(struct temp_file *t, char **partial, struct fault *f)
{
	if (!partial)
		return temp_file_commit(t, f);
	if (temp_file_place(t, f) == 0)
		return temp_file_end(t, f);
	*partial = temp_file_keep(t);
	return -1;
}
