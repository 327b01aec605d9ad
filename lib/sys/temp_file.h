/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that appear whole or not at all: data is written to a file without a name, or with
 * an unpredictable one, in the target's folder, which gets the target's name once it has
 * reached the disk. On failure, exit and signals (leftover.h) it is removed, and the target
 * remains unchanged.
 *
 * The new file has the owner, group and permissions of the file that it replaces, or else
 * those of any new file. A file that must not be written is not replaced either.
 */
#ifndef SYS_TEMP_FILE_H
#define SYS_TEMP_FILE_H

#include "base/base.h"

enum temp_file_flags {
	/*
	 * Behaves like > in the shell: a symbolic link is followed, and a target without
	 * content to be replaced is written to directly: a device, a pipe, /dev/stdout,
	 * /dev/fd/N. Without this flag a link is replaced, and the others are refused.
	 */
	TEMP_FILE_OUTPUT = 1,
	TEMP_FILE_NEW = 2, /* the target must not exist: EEXIST */
};

struct temp_file;

/* Begins a file. NULL and the message; errno is set. */
struct temp_file *temp_file_open(const char *target, int flags, struct fault *f);
/* Returns the descriptor, open for reading and writing, to be left open. */
int temp_file_fd(const struct temp_file *t);
/* Ends it by giving it the target's name. Returns 0; or -1, the message and errno. */
int temp_file_commit(struct temp_file *t, struct fault *f);
/* Ends it by removing it. */
void temp_file_discard(struct temp_file *t);

/* All three in one call: the target's new content. Returns 0; or -1 and the message. */
int temp_file_write(const char *target, int flags, struct text content, struct fault *f);

#endif
