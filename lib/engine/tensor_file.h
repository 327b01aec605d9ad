/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inputs from files: raw numbers, little-endian, in row-major order, float32 for real
 * values and int32 for whole ones (uint8 and int8 as they are). A folder has one file for
 * each element of the first dimension, in the order of their names.
 */
#ifndef ENGINE_TENSOR_FILE_H
#define ENGINE_TENSOR_FILE_H

#include "graph/graph.h"

/* All elements of the value. -1 and the message when a size is not what it has to be. */
int tensor_file_read(
    const char *path, const struct graph_value *v, double *out, struct fault *f);

#endif
