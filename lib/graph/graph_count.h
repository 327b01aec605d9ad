/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The work of an operation: multiply-adds, operations and bytes, from its shapes. Pure.
 *
 * A multiply-add (MAC) is one of a matrix product, of a convolution, of QK' and AV of
 * attention (all pairs, also where it is causal), or of a selective scan: three a state and
 * one a channel. An operation that has MACs has twice as many flops; others have, for each
 * element, what the table in graph_count.c says, an exponential or the like being one.
 */
#ifndef GRAPH_GRAPH_COUNT_H
#define GRAPH_GRAPH_COUNT_H

#include "graph/graph.h"

/*
 * Fill in macs, flops and bytes of a node that graph_check_node has let through. keys: how
 * many rows of a cache its attention reads; 0: all that there are.
 */
void graph_count_node(const struct graph *g, struct graph_node *n, int64_t keys);

#endif
