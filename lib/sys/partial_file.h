/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of temp_file.h that could not be completed, and are kept as TARGET.partial: a long
 * measurement is not lost because the disk is full or the program is killed.
 */
#ifndef SYS_PARTIAL_FILE_H
#define SYS_PARTIAL_FILE_H

#include "sys/temp_file.h"

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

#endif
