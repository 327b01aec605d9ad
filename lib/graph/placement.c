/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places values in memory; see placement.h.
 */
#include <stdlib.h>

#include "graph/placement.h"

/* A value in the arena, and the nodes between which it is needed. */
struct span {
	uint32_t value;
	size_t first, last, bytes;
};

static size_t rounded_up(size_t bytes)
{
	return (bytes + PLACEMENT_ALIGN - 1) / PLACEMENT_ALIGN * PLACEMENT_ALIGN;
}

bool placement_is_shared(const struct graph *g, uint32_t value)
{
	const struct graph_value *v = &g->value[value];

	return v->of == value &&
	       (v->role == BACKEND_ACTIVATION || v->role == BACKEND_OUTPUT);
}

/* Extends the span of a value that a node uses, or of the value that it is a view of. */
static void extend_span(
    const struct graph *g, struct span *span, uint32_t value, size_t node)
{
	struct span *s;

	if (value == GRAPH_NONE)
		return;
	s = &span[g->value[value].of];
	s->first = node < s->first ? node : s->first;
	s->last = node > s->last ? node : s->last;
	/* The host reads outputs after the last node. */
	if (g->value[value].role == BACKEND_OUTPUT)
		s->last = g->nodes;
}

static int by_size(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return (x->value > y->value) - (x->value < y->value);
}

static int by_offset(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (x[0] > y[0]) - (x[0] < y[0]);
}

/* Returns the lowest offset where the value overlaps no value that is needed concurrently.
 */
static size_t lowest_offset(
    const struct span *span, size_t i, const size_t *offset, size_t (*busy)[2])
{
	size_t count = 0, at = 0;

	for (size_t k = 0; k < i; k++)
		if (span[k].first <= span[i].last && span[i].first <= span[k].last) {
			busy[count][0] = offset[span[k].value];
			busy[count++][1] = offset[span[k].value] + span[k].bytes;
		}
	qsort(busy, count, sizeof(*busy), by_offset);
	for (size_t k = 0; k < count; k++) {
		if (busy[k][0] >= at + span[i].bytes)
			break;
		at = busy[k][1] > at ? busy[k][1] : at;
	}
	return at;
}

void placement_make(const struct graph *g, struct placement *out)
{
	struct span *span = mem_zero(g->values + 1, sizeof(*span));
	size_t(*busy)[2] = mem_zero(g->values + 1, sizeof(*busy)), count = 0;

	*out = (struct placement){ .offset = mem_zero(g->values + 1, sizeof(size_t)) };
	for (size_t i = 0; i < g->values; i++)
		span[i] = (struct span){ .value = (uint32_t)i,
			.first = SIZE_MAX,
			.bytes = rounded_up(graph_bytes(&g->value[i])) };
	for (size_t n = 0; n < g->nodes; n++) {
		for (int k = 0; k < BACKEND_INS; k++)
			extend_span(g, span, g->node[n].in[k], n);
		for (int k = 0; k < BACKEND_OUTS; k++)
			extend_span(g, span, g->node[n].out[k], n);
	}
	for (uint32_t i = 0; i < g->values; i++)
		if (placement_is_shared(g, i) && span[i].first != SIZE_MAX)
			span[count++] = span[i];
		else if (g->value[i].of == i && span[i].first != SIZE_MAX)
			out->held_bytes += rounded_up(graph_bytes(&g->value[i]));
	qsort(span, count, sizeof(*span), by_size);
	for (size_t i = 0; i < count; i++) {
		size_t at = lowest_offset(span, i, out->offset, busy);

		out->offset[span[i].value] = at;
		if (at + span[i].bytes > out->arena_bytes)
			out->arena_bytes = at + span[i].bytes;
	}
	free(span);
	free(busy);
}

void placement_free(struct placement *p)
{
	free(p->offset);
	*p = (struct placement){ 0 };
}
