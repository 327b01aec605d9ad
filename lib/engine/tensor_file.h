/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads inputs from files. A file has an array in NumPy's format (.npy) of any type, also
 * in an archive (see port_file.h), or raw numbers, little-endian and in row-major order:
 * float32 for floating-point inputs, and the input's own type for integers. A directory has
 * one file for each element of the first dimension, in the order of their names; fewer files
 * are repeated.
 */
#ifndef ENGINE_TENSOR_FILE_H
#define ENGINE_TENSOR_FILE_H

#include "graph/graph.h"

/* Reads all elements of a value. Returns 0, or -1 and the message if a file cannot be read
 * or has the wrong size. */
int tensor_file_read(
    const char *path, const struct graph_value *v, double *out, struct fault *f);

#endif
