/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removes operations and values that are not needed; see graph_prune.h.
 */
#include <stdlib.h>

#include "graph/graph_prune.h"

/* Removes nodes, and frees their names. */
static void prune_nodes(struct graph *g, const bool *without)
{
	bool *needed = mem_zero(g->values + 1, sizeof(*needed));
	bool *keep = mem_zero(g->nodes + 1, sizeof(*keep));
	size_t kept = 0;

	for (size_t i = g->nodes; i-- > 0;) {
		const struct graph_node *n = &g->node[i];

		for (size_t o = 0; o < BACKEND_OUTS && !without[i]; o++) {
			if (n->out[o] == GRAPH_NONE)
				continue;
			uint32_t base = g->value[n->out[o]].of;
			if (needed[base] || g->value[base].role != BACKEND_ACTIVATION)
				keep[i] = true;
		}
		for (size_t k = 0; k < BACKEND_INS && keep[i]; k++)
			if (n->in[k] != GRAPH_NONE)
				needed[g->value[n->in[k]].of] = true;
	}
	for (size_t i = 0; i < g->nodes; i++)
		if (keep[i])
			g->node[kept++] = g->node[i];
		else
			free(g->node[i].name);
	g->nodes = kept;
	free(keep);
	free(needed);
}

/* Removes the values that no node uses, and renumbers the others. */
static void prune_values(struct graph *g)
{
	uint32_t *number = mem_zero(g->values + 1, sizeof(*number));
	uint32_t kept = 0;

	for (size_t i = 0; i < g->nodes; i++) {
		struct graph_node *n = &g->node[i];

		for (size_t k = 0; k < BACKEND_INS; k++)
			if (n->in[k] != GRAPH_NONE)
				number[n->in[k]] = number[g->value[n->in[k]].of] = 1;
		for (size_t k = 0; k < BACKEND_OUTS; k++)
			if (n->out[k] != GRAPH_NONE)
				number[n->out[k]] = number[g->value[n->out[k]].of] = 1;
	}
	for (uint32_t i = 0; i < g->values; i++)
		if (number[i]) {
			number[i] = kept;
			g->value[kept++] = g->value[i];
		} else
			free(g->value[i].name);
	g->values = kept;
	for (uint32_t i = 0; i < kept; i++)
		g->value[i].of = number[g->value[i].of];
	for (size_t i = 0; i < g->nodes; i++) {
		struct graph_node *n = &g->node[i];

		for (size_t k = 0; k < BACKEND_INS; k++)
			if (n->in[k] != GRAPH_NONE)
				n->in[k] = number[n->in[k]];
		for (size_t k = 0; k < BACKEND_OUTS; k++)
			if (n->out[k] != GRAPH_NONE)
				n->out[k] = number[n->out[k]];
	}
	free(number);
}

void graph_prune(struct graph *g, const bool *without)
{
	prune_nodes(g, without);
	prune_values(g);
}
