/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads and frees graphs; see graph.h.
 */
#include <stdlib.h>

#include "graph/dtype.h"
#include "graph/graph.h"

void graph_free(struct graph *g)
{
	for (size_t i = 0; i < g->values; i++)
		free(g->value[i].name);
	for (size_t i = 0; i < g->nodes; i++)
		free(g->node[i].name);
	for (size_t i = 0; i < g->kepts; i++)
		free(g->kept[i]);
	free(g->kept);
	free(g->value);
	free(g->node);
	free(g->input_shape);
	*g = (struct graph){ 0 };
}

int64_t graph_elements(const struct graph_value *v)
{
	int64_t count = 1;

	for (uint32_t i = 0; i < v->dims; i++)
		count *= v->size[i];
	return count;
}

size_t graph_bytes(const struct graph_value *v)
{
	return (size_t)graph_elements(v) * dtype_bytes(v->dtype);
}

uint32_t graph_find(const struct graph *g, const char *name)
{
	for (size_t i = 0; i < g->values; i++)
		if (strcmp(g->value[i].name, name) == 0)
			return (uint32_t)i;
	return GRAPH_NONE;
}

int64_t graph_cached(const struct graph *g)
{
	for (size_t n = 0; n < g->nodes; n++) {
		const struct graph_node *node = &g->node[n];
		double all;

		if (node->op.kind != BACKEND_MOVE || node->op.p.move.advance <= 0)
			continue;
		all = (double)graph_elements(&g->value[node->in[0]]);
		return (int64_t)(all / g->samples / (double)node->op.p.move.advance);
	}
	return 0;
}
