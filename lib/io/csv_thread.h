/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads CSV from a descriptor. If the file is long and there is a second processor, another
 * thread parses ahead.
 */
#ifndef IO_CSV_THREAD_H
#define IO_CSV_THREAD_H

#include "io/csv_reader.h"

/*
 * Reads to the end of the descriptor, and calls the reader's callback in this thread for
 * each record as soon as it has been read. The name is for messages. Returns 0 or -1.
 */
int csv_thread_read(struct csv_reader *s, int fd, const char *name, struct fault *f);

#endif
