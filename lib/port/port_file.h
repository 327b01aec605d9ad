/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads arrays as inputs of whole models: NumPy's format (.npy), whose header has the type
 * and sizes, plain or in an archive (PATH.npz, or PATH.npz:ARRAY for an array of another
 * name than the input), and raw files, which have only the elements. Both are little-endian
 * and in row-major order.
 */
#ifndef PORT_PORT_FILE_H
#define PORT_PORT_FILE_H

#include "bench-engine.h"
#include "base/base.h"

/* Appends the elements of an array, for an input of these sizes. Returns 0, or -1 and the
 * message if the file cannot be read, or its type, sizes or length differ from those of the
 * input. */
int port_file_read(const char *path, const struct backend_port *p, const int64_t *size,
    struct buf *out, struct fault *f);
/* Appends the bytes of a file that is no directory, or of the file of NumPy in an archive;
 * `input` is the name of the input. Returns 0, or -1 and the message if it cannot be read
 * or is not a regular file. */
int port_file_bytes(const char *path, const char *input, struct buf *out, struct fault *f);

#endif
