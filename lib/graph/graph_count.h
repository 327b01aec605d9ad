/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts the work of an operation, from its shapes: multiply-adds (MACs), floating-point
 * operations (flops) and bytes. Pure.
 *
 * MACs are counted for matrix products, convolutions, QK' and AV of attention (all pairs,
 * even if it is causal), and selective scans (three for each state and one for each
 * channel). An operation with MACs has twice as many flops. Other operations have the flops
 * for each element that the table in graph_count.c gives; an exponential or a similar
 * function is one.
 */
#ifndef GRAPH_GRAPH_COUNT_H
#define GRAPH_GRAPH_COUNT_H

#include "graph/graph.h"

/*
 * Stores macs, flops and bytes of a node that has passed graph_check_node. keys is the
 * number of rows of a cache that its attention reads; 0 means all.
 */
void graph_count_node(const struct graph *g, struct graph_node *n, int64_t keys);

#endif
