/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks whether a node obeys the rules of bench-operation.h for its operation: the
 * required tensors, their sizes, strides and dtypes, and the values of its parameters.
 * Pure.
 */
#ifndef GRAPH_GRAPH_CHECK_H
#define GRAPH_GRAPH_CHECK_H

#include "graph/graph.h"

/* Returns 0, or -1 and the message, which does not contain the node's name. */
int graph_check_node(const struct graph *g, const struct graph_node *n, struct fault *f);

#endif
