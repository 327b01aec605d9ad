/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a node is what backend.h says of its operation: which tensors it needs, how their
 * sizes, strides and dtypes agree, what its parameters may be. Pure.
 */
#ifndef GRAPH_GRAPH_CHECK_H
#define GRAPH_GRAPH_CHECK_H

#include "graph/graph.h"

/* 0, or -1 and what is wrong, without the node's name. */
int graph_check_node(const struct graph *g, const struct graph_node *n, struct fault *f);

#endif
