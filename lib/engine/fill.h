/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What weights and inputs hold: drawn from a seed and the value's name, the same on every
 * machine and in every element type up to its rounding. Pure.
 */
#ifndef ENGINE_FILL_H
#define ENGINE_FILL_H

#include "base/rng.h"
#include "graph/graph.h"

struct fill {
	const struct graph_value *value;
	struct rng rng;
	size_t at; /* the next element */
};

void fill_begin(struct fill *fill, const struct graph_value *v, uint64_t seed);
/*
 * The next elements, in the order of memory. FILL_NORMAL is the sum of four uniform numbers
 * (Irwin-Hall), scaled: bell-shaped, never beyond 3.5 standard deviations, and fast.
 */
void fill_next(struct fill *fill, double *out, size_t count);

#endif
