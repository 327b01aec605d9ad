/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the numbers of weights and inputs from a seed and the value's name, or copies them
 * from memory. Drawn numbers are the same on each machine, and in each element type up to
 * rounding. Pure.
 *
 * Number i depends on i only, not on the numbers before it: it is made from output i of
 * SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014) with the value's key as the seed. A device can therefore draw
 * large values itself; see `draw` in bench-backend.h.
 */
#ifndef ENGINE_FILL_H
#define ENGINE_FILL_H

#include "graph/graph.h"

/* The state of drawing one value. */
struct fill {
	const struct graph_value *value;
	uint64_t key;
	uint64_t at; /* the index of the next element */
};

/* Begins to draw a value. */
void fill_begin(struct fill *fill, const struct graph_value *v, uint64_t seed);
/* Returns the elements of a value in memory if they are adjacent there; NULL if not. They
 * are of type data_dtype. */
const void *fill_memory(const struct graph_value *v);
/*
 * Draws the next elements, in the order of memory. FILL_NORMAL is the scaled sum of four
 * uniform numbers (Irwin-Hall), which is bell-shaped, never beyond 3.5 standard deviations,
 * and fast.
 */
void fill_next(struct fill *fill, double *out, size_t count);

/* A FILL_NORMAL element is one of BACKEND_DRAWN numbers. Stores all of them, in order. */
void fill_table(const struct graph_value *v, double *out);
/* Draws the next elements of a FILL_NORMAL value as elements of a table of BACKEND_DRAWN
 * elements of `size` bytes (1, 2, 4 or 8). */
void fill_next_from(
    struct fill *fill, const void *table, size_t size, void *out, size_t count);

#endif
