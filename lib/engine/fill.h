/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the numbers of weights and inputs from a seed and the value's name. They are the
 * same on each machine, and in each element type up to rounding. Pure.
 */
#ifndef ENGINE_FILL_H
#define ENGINE_FILL_H

#include "base/rng.h"
#include "graph/graph.h"

/* The state of drawing one value. */
struct fill {
	const struct graph_value *value;
	struct rng rng;
	size_t at; /* the index of the next element */
};

/* Begins to draw a value. */
void fill_begin(struct fill *fill, const struct graph_value *v, uint64_t seed);
/*
 * Draws the next elements, in the order of memory. FILL_NORMAL is the scaled sum of four
 * uniform numbers (Irwin-Hall), which is bell-shaped, never beyond 3.5 standard deviations,
 * and fast.
 */
void fill_next(struct fill *fill, double *out, size_t count);

#endif
