/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading CSV from a descriptor: parsed ahead by a second thread where the file is long and
 * there is a processor for it.
 */
#ifndef IO_CSV_THREAD_H
#define IO_CSV_THREAD_H

#include "io/csv_reader.h"

/*
 * Hands all records that the descriptor gives to the reader's callback, in this thread,
 * each as soon as it has been read. The name is for messages. Returns 0 or -1.
 */
int csv_thread_read(struct csv_reader *s, int fd, const char *name, struct fault *f);

#endif
