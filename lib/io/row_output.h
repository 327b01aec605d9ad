/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Output that always ends after a whole row, even if the reader pauses while a signal
 * arrives, the program is killed, or the disk becomes full.
 *
 * Each write ends at the end of a row. A write to a pipe has at most PIPE_BUF bytes, which
 * the kernel writes atomically (pipe(7)), or no more bytes than there is room for, so it
 * cannot be interrupted halfway. Only a row longer than PIPE_BUF can be cut off there.
 */
#ifndef IO_ROW_OUTPUT_H
#define IO_ROW_OUTPUT_H

#include <stdio.h>

#include "base/base.h"

struct row_output {
	FILE *out;
	struct buf bytes;  /* bytes to write: append to them */
	size_t whole;      /* bytes at the beginning that are whole rows */
	size_t *part;      /* ends of rows at which the bytes can be divided */
	size_t parts, cap; /* ... none of which is longer than PIPE_BUF, if rows allow */
	size_t pipe;       /* capacity of the pipe; 0: the output is not a pipe */
	int error;         /* errno of the first write that failed; nothing follows it */
};

/* Begins output to a file, whose own buffer remains in use for other output. */
void row_output_init(struct row_output *r, FILE *out);
/* Ends the row that was appended to the bytes; writes the rows before it when due. */
void row_output_end_row(struct row_output *r);
/*
 * Writes all bytes. EINTR and short writes are retried: a reader that pauses is waited for.
 * When a write into a file fails half done, the file is cut back to its last whole row of
 * CSV. Returns 0, or -1 (errno set), even when an earlier write failed.
 */
int row_output_flush(struct row_output *r);
void row_output_free(struct row_output *r);

#endif
