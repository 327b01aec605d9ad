/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stream to a file that gets its name when it is complete; see sys/temp_file.h.
 */
#ifndef RESULTS_OUTPUT_STREAM_H
#define RESULTS_OUTPUT_STREAM_H

#include <stdio.h>

#include "base/base.h"

struct output_stream;
/* Begins a file; flags are those of temp_file_open(). Returns NULL and the message on
 * failure. */
struct output_stream *output_stream_open(const char *path, int flags, struct fault *f);
/* Returns the stream. Do not close it. */
FILE *output_stream_file(struct output_stream *s);
/* Gives the file a name that it keeps if the program is killed (temp_file_name_partial). */
void output_stream_name_partial(struct output_stream *s);
/* Reserves room for as many bytes as were written since the last call. Returns 0, or -1 and
 * errno, such as ENOSPC (file_room_reserve). */
int output_stream_reserve(struct output_stream *s);
/*
 * Gives the file its name if status, that of the writes so far, is 0. Otherwise removes it
 * or, unless partial is NULL, keeps it and stores its path or NULL (temp_file_keep). Frees
 * the stream. Returns 0, or -1, a message with `what`, and errno.
 */
int output_stream_end(
    struct output_stream *s, int status, char **partial, const char *what, struct fault *f);
/* Removes the file and frees the stream. NULL is allowed. */
void output_stream_discard(struct output_stream *s);

#endif
