/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that appear complete or not at all. Data is written to a file without a name, or
 * with an unpredictable one, in the target's directory. It gets the target's name after its
 * data has reached the disk. On failure, exit and signals (leftover.h) it is removed, or
 * kept under another name (temp_file_keep), and the target remains unchanged.
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
/* Removes the file, and frees t. */
void temp_file_discard(struct temp_file *t);
/*
 * Gives a file that is still being written the name that temp_file_keep() would give it. It
 * then outlasts a program that is killed. Does nothing if the target is written to
 * directly, if the file has the name already, or if it cannot get it. Keeps errno.
 */
void temp_file_name_partial(struct temp_file *t);
/*
 * Gives a file that could not be written completely the name TARGET.partial, or
 * TARGET.partial.2 and so on if that exists, and frees t. Returns the path, allocated.
 * Returns NULL if nothing but one line was written, if the target is written to directly,
 * or if the file cannot get a name; it is then removed. Keeps errno.
 */
char *temp_file_keep(struct temp_file *t);
/*
 * Adds a line to notes if TARGET.partial exists: an earlier program could not complete it
 * or was killed, or another one is writing it.
 */
void temp_file_note_partial(const char *target, struct buf *notes);
/* Does as temp_file_commit(). On failure, does as temp_file_keep() and stores its result,
 * unless partial is NULL. */
int temp_file_commit_or_keep(struct temp_file *t, char **partial, struct fault *f);

/*
 * Returns 0 if the target may be replaced although these files are read. Returns -1 and the
 * message if it is "-", or the same regular file as one of them.
 */
int temp_file_spares(const char *target, char *const *input, size_t count, struct fault *f);
/* Replaces the content of the target in one call. Returns 0, or -1 and the message. */
int temp_file_write(const char *target, int flags, struct text content, struct fault *f);

#endif
