/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that appear complete or not at all. Data is written to a file without a name, or
 * with an unpredictable one, in the target's directory. It gets the target's name after its
 * data has reached the disk. On failure, exit and signals (leftover.h) it is removed, or
 * kept under another name (partial_file.h), and the target remains unchanged.
 *
 * The new file has the owner, group and permissions of the file that it replaces, or the
 * usual ones of a new file. A target without permission to write is not replaced.
 */
#ifndef SYS_TEMP_FILE_H
#define SYS_TEMP_FILE_H

#include "base/base.h"

enum temp_file_flags {
	/*
	 * Behaves like > in the shell: a symbolic link is followed, and a device, a pipe,
	 * /dev/stdout or /dev/fd/N is written to directly. Without this flag a link is
	 * replaced, and the others are refused.
	 */
	TEMP_FILE_OUTPUT = 1,
	TEMP_FILE_NEW = 2, /* the target must not exist: EEXIST */
};

struct temp_file;

/* Begins a file. Returns NULL, the message and errno on failure. */
struct temp_file *temp_file_open(const char *target, int flags, struct fault *f);
/* Returns the descriptor, which is open for reading and writing. Do not close it. */
int temp_file_fd(const struct temp_file *t);
/* Gives the file the target's name, and frees t. Returns 0, or -1, the message and errno.
 */
int temp_file_commit(struct temp_file *t, struct fault *f);
/* Removes the file, and frees t. Keeps errno. */
void temp_file_discard(struct temp_file *t);

/*
 * Returns 0 if the target may be replaced although these files are read. Returns -1 and the
 * message if it is "-", or the same regular file as one of them.
 */
int temp_file_spares(const char *target, char *const *input, size_t count, struct fault *f);
/* Replaces the content of the target in one call. Returns 0, or -1 and the message. */
int temp_file_write(const char *target, int flags, struct text content, struct fault *f);

#endif
