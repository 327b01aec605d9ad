/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places the values of a graph in memory. The computed values share one arena, in which two
 * values overlap only if the first is read for the last time before the second is written.
 * Pure.
 */
#ifndef GRAPH_PLACEMENT_H
#define GRAPH_PLACEMENT_H

#include "graph/graph.h"

enum { PLACEMENT_ALIGN = 256 }; /* of values in the arena, in bytes */

/* Where the values of a graph are. */
struct placement {
	size_t *offset; /* by value: of activations and outputs in the arena, in bytes */
	size_t arena_bytes; /* the size of the arena */
	size_t
	    held_bytes; /* of weights, inputs and states, which have buffers of their own */
};

/* Returns whether a value is in the arena: it is computed, and not a view. */
bool placement_is_shared(const struct graph *g, uint32_t value);
/*
 * Places the values, the largest first, each at the lowest free offset (Pisarchyk, Lee,
 * "Efficient Memory Management for Deep Neural Net Inference", 2020).
 */
void placement_make(const struct graph *g, struct placement *out);
/* Frees a placement. */
void placement_free(struct placement *p);

#endif
