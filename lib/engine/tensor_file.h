/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads inputs of lists from the sources of port_source.h. An array in NumPy's format may
 * have any type. Raw files contain float32 for floating-point inputs, and the input's own
 * type for integers.
 */
#ifndef ENGINE_TENSOR_FILE_H
#define ENGINE_TENSOR_FILE_H

#include "graph/graph.h"
#include "port/port_source.h"

/* An open source. */
struct tensor_source {
	struct backend_port port;
	struct port_source from; /* has the number of batches */
};

/* Opens the source of a value. Returns 0, or -1 and the message. */
int tensor_source_open(const char *spec, const struct graph_value *v,
    struct tensor_source *s, struct fault *f);
void tensor_source_close(struct tensor_source *s);
/* Stores all elements of the value in a batch. Returns 0, or -1 and the message if a file
 * cannot be read or has the wrong size. */
int tensor_file_read(const struct tensor_source *s, const struct graph_value *v,
    size_t batch, double *out, struct fault *f);

#endif
