/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that is being written, for the modules that name it: temp_file.c and
 * partial_file.c.
 */
#ifndef SYS_TEMP_FILE_PRIV_H
#define SYS_TEMP_FILE_PRIV_H

#include <sys/stat.h>

#include "sys/temp_file.h"

/* Attempts to find a name that is not in use; the bytes of the target's name in a new one.
 */
enum { NAME_ATTEMPTS = 100, OLD_NAME_KEPT = 200 };

struct temp_file {
	char *target, *dir; /* as in messages */
	const char
	    *base;     /* the name of the target in its directory, a part of one of these */
	char *path;    /* the target with links resolved, or NULL */
	char *name;    /* the name of the file in the directory, or NULL */
	char *partial; /* the path of the file with that name, if it is to stay, or NULL */
	char self[32]; /* the path of the unnamed file below /proc */
	int flags, directory, fd, leftover;
	bool exists; /* the target exists */
	bool direct; /* write directly to the target */
	struct stat old;
};

/* Returns the path of the target, with links resolved. */
static inline const char *temp_file_path(const struct temp_file *t)
{
	return t->path ? t->path : t->target;
}

/* Gives the file this name in its directory unless the name exists. Returns 0, or -1 and
 * errno. */
int temp_file_name_new(const struct temp_file *t, const char *name);
/* Forgets the name of the file, which is not in use or is to stay. */
void temp_file_drop_name(struct temp_file *t);
/* Synchronizes the new name to the disk, if the directory can be synchronized. Returns 0,
 * or -1 and errno. */
int temp_file_sync_folder(const struct temp_file *t);
/* Synchronizes the file, and gives it the target's name. Returns 0, or -1, the message and
 * errno. */
int temp_file_place(struct temp_file *t, struct fault *f);
/* Closes a file that has the target's name, and frees t. Returns 0, or -1, the message and
 * errno. */
int temp_file_end(struct temp_file *t, struct fault *f);

#endif
