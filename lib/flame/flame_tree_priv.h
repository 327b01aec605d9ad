/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of a flame graph, for the files that place and judge it.
 */
#ifndef FLAME_FLAME_TREE_PRIV_H
#define FLAME_FLAME_TREE_PRIV_H

#include "base/intern.h"
#include "flame/flame.h"

struct flame {
	struct stacks tree; /* of frames that are numbers of names */
	struct intern names;
	struct flame_entry {
		double value;
		uint32_t node; /* STACK_ROOT: of an empty stack */
		uint32_t run;  /* 0, 1 ... within the side */
		enum flame_side side;
	} * entry;
	size_t entries, entry_cap;
	struct flame_runs {
		uint32_t *id;
		size_t count, cap;
	} runs[FLAME_SIDES];
	double total[FLAME_SIDES];
	double *value[FLAME_SIDES]; /* by node, with all that was called */
	bool both;
	/* The last stack that was added, and its frames. */
	struct buf last;
	struct flame_step {
		uint32_t node;
		size_t end; /* of its name in last */
	} * path;
	size_t path_count, path_cap;
};

/* Adds up a side, or one run of it when run is not below 0, by node with all it called. */
void flame_sum(const struct flame *f, double *value, enum flame_side side, int64_t run);
struct text flame_name(const struct flame *f, uint32_t node);

/* Fills p and verdict of the boxes, which are of the nodes given; STACK_ROOT: not tested.
 */
void flame_judge(const struct flame *f, const struct flame_place_opts *opts,
    struct flame_picture *picture, const uint32_t *node);

#endif
