/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A graph with fewer operations that computes the same: a batch normalisation goes into the
 * weights of the convolution before it, an addition and an activation into the end of the
 * convolution or product before them. Pure.
 */
#ifndef GRAPH_FUSE_H
#define GRAPH_FUSE_H

#include "graph/graph.h"

/* A convolution whose weights and bias take in a batch normalisation. */
struct fuse_fold {
	uint32_t weight,
	    bias; /* bias may be a value made for it: old_bias is then GRAPH_NONE */
	uint32_t old_bias;
	uint32_t gain, shift, mean, var;
	double eps;
};

struct fusion {
	struct fuse_fold *fold;
	size_t folds, cap;
};

/* In place. The folds say how the weights are to be changed when they are drawn. */
void fuse_graph(struct graph *g, struct fusion *out);
void fusion_free(struct fusion *f);

#endif
