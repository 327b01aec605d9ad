/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of a flame graph, shared by the files that place frames and test differences.
 */
#ifndef FLAME_FLAME_TREE_PRIV_H
#define FLAME_FLAME_TREE_PRIV_H

#include "base/intern.h"
#include "flame/flame.h"

struct flame {
	struct stacks tree; /* a frame is an index into names */
	struct intern names;
	struct flame_entry {
		double value;
		uint32_t node; /* STACK_ROOT: an empty stack */
		uint32_t run;  /* 0, 1 ... within the side */
		enum flame_side side;
	} * entry;
	size_t entries, entry_cap;
	struct flame_runs {
		uint32_t *id;
		size_t count, cap;
	} runs[FLAME_SIDES];
	double total[FLAME_SIDES];
	double *value[FLAME_SIDES]; /* by node, including callees */
	bool both;
	/* The last stack that was added, and its frames. */
	struct buf last;
	struct flame_step {
		uint32_t node;
		size_t end; /* of its name in last */
	} * path;
	size_t path_count, path_cap;
};

/* Sums the values of a side by node, including callees; only those of one run unless run is
 * below 0. */
void flame_sum(const struct flame *f, double *value, enum flame_side side, int64_t run);
/* Returns the name of a node's frame. */
struct text flame_name(const struct flame *f, uint32_t node);

/*
 * Number of runs of each side for Welch's test. It is fewer than welch_valid_sides() needs:
 * a graph shows where to look, without an interval or an exit status, and with equal
 * numbers of runs Welch's test rather finds too few differences.
 */
enum { FLAME_RUNS_LEAST = 3 };
/* Returns whether the values are not all equal. */
bool flame_varies(const double *x, size_t n);

/* Sets p and verdict of each box; node has the node of each box, or STACK_ROOT for a box
 * that is not tested.
 */
void flame_judge(const struct flame *f, const struct flame_place_opts *opts,
    struct flame_plot *plot, const uint32_t *node);

#endif
