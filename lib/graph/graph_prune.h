/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A graph less some of its operations, and less all that only those had a use for. Pure.
 */
#ifndef GRAPH_GRAPH_PRUNE_H
#define GRAPH_GRAPH_PRUNE_H

#include "graph/graph.h"

/*
 * Take away the nodes for which `without` is set, then those whose results no other one
 * reads, unless they are outputs or states, and then all values that are left unused.
 */
void graph_prune(struct graph *g, const bool *without);

#endif
