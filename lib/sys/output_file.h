/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output of a program: standard output, or the file that -o names, which appears
 * complete or not at all (temp_file.h).
 */
#ifndef SYS_OUTPUT_FILE_H
#define SYS_OUTPUT_FILE_H

#include <stdio.h>

#include "base/base.h"

struct output_file;

/*
 * Begins the output. NULL and "-" are standard output. A device, a pipe, /dev/stdout and
 * /dev/fd/N are written to directly. Returns NULL and the message on failure.
 */
struct output_file *output_file_open(const char *path, struct fault *f);
/* Returns the stream to write to. */
FILE *output_file_stream(const struct output_file *o);
/* Returns whether the output goes where standard output goes, under any name. */
bool output_file_is_stdout(const struct output_file *o);
/*
 * Flushes the stream and gives the file its name. Frees o. Returns 0, or -1, the message
 * and errno. Standard output is left to stdout_close().
 */
int output_file_commit(struct output_file *o, struct fault *f);
/* Does as output_file_commit(). On failure, does as output_file_keep() and stores its
 * result, unless partial is NULL. */
int output_file_commit_or_keep(struct output_file *o, char **partial, struct fault *f);
/* Keeps an incomplete file as temp_file_keep() does, and frees o. Returns the path,
 * allocated, or NULL if nothing is kept. */
char *output_file_keep(struct output_file *o);
/* Removes an incomplete file, and frees o. Bytes that were written directly stay. */
void output_file_discard(struct output_file *o);

#endif
