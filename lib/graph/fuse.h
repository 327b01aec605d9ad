/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuses operations, so that a graph computes the same with fewer of them. A batch
 * normalization is folded into the weights of the preceding convolution; an addition and an
 * activation are joined with the preceding convolution or product. Pure.
 */
#ifndef GRAPH_FUSE_H
#define GRAPH_FUSE_H

#include "graph/graph.h"

/* A convolution into whose weights and bias a batch normalization is folded. */
struct fuse_fold {
	uint32_t weight;   /* the scales of its rows if it is quantized */
	uint32_t bias;     /* a new value */
	uint32_t old_bias; /* GRAPH_NONE if the convolution had none */
	uint32_t gain, shift, mean, var;
	double eps;
};

/* The batch normalizations that were folded. */
struct fusion {
	struct fuse_fold *fold;
	size_t folds, cap;
};

/* Fuses a graph in place. The folds say how to change the weights when they are drawn. */
void fuse_graph(struct graph *g, struct fusion *out);
/* Frees a fusion. */
void fusion_free(struct fusion *f);

#endif
