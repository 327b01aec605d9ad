/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removes operations from a graph, and with them everything that only they need. Pure.
 */
#ifndef GRAPH_GRAPH_PRUNE_H
#define GRAPH_GRAPH_PRUNE_H

#include "graph/graph.h"

/*
 * Removes the nodes for which `without` is set; then the nodes whose results no other node
 * reads, unless the results are outputs or states; then the values that no node uses.
 */
void graph_prune(struct graph *g, const bool *without);

#endif
