/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the values of a graph lie in memory: what is computed shares one arena, in which
 * two values overlap only when the first is read for the last time before the second is
 * written. Pure.
 */
#ifndef GRAPH_PLACEMENT_H
#define GRAPH_PLACEMENT_H

#include "graph/graph.h"

enum { PLACEMENT_ALIGN = 256 };

struct placement {
	size_t *offset;     /* by value: of activations and outputs, bytes into the arena */
	size_t arena_bytes; /* of the activations and outputs */
	size_t held_bytes;  /* of the weights, inputs and states: each has its own place */
};

/* Whether a value is in the arena: it is computed, and no view. */
bool placement_is_shared(const struct graph *g, uint32_t value);
/*
 * Largest first, each at the lowest free place (Pisarchyk, Lee, "Efficient Memory
 * Management for Deep Neural Net Inference", 2020).
 */
void placement_make(const struct graph *g, struct placement *out);
void placement_free(struct placement *p);

#endif
