/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files in memory: other programs read them, and this program reads them as strings that
 * need no memory of their own.
 */
#ifndef SYS_MEMORY_FILE_H
#define SYS_MEMORY_FILE_H

#include "base/base.h"

struct memory_file {
	int fd;
	struct text text; /* the contents, once they are mapped */
};
#define MEMORY_FILE_NONE ((struct memory_file){ .fd = -1 })

/* The following functions return 0, or -1 and a message. */
/* Creates an empty file. */
int memory_file_create(struct memory_file *m, struct fault *f);
/* Appends a string. */
int memory_file_add(struct memory_file *m, struct text t, struct fault *f);
/* Appends the contents of a file ("-": standard input) of at most FILE_READ_MAX bytes, and
 * sets its name for messages. */
int memory_file_add_file(
    struct memory_file *m, const char *path, const char **name, struct fault *f);
/* Sets the text of a complete file. */
int memory_file_map(struct memory_file *m, struct fault *f);
/* Closes the descriptor of a mapped file, because a process may have few of them. The text
 * remains. */
void memory_file_keep_text(struct memory_file *m);
/* Closes a file, unless it is MEMORY_FILE_NONE, which it becomes. */
void memory_file_close(struct memory_file *m);

#endif
