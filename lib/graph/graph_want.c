/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the rules of operations want of shapes and types; see graph_check_priv.h.
 */
#include "graph/graph_check_priv.h"
#include "graph/graph_quantize.h"

void node_want(struct node_check *c, bool fine, const char *wrong)
{
	if (!fine && !c->wrong)
		c->wrong = wrong;
}

void node_want_vector(
    struct node_check *c, const struct graph_value *v, int64_t n, const char *wrong)
{
	node_want(c, !v || shape_is(v, 1, n, 0, 0, 0), wrong);
}

void node_want_quantized(struct node_check *c, int64_t row)
{
	node_want(c, c->in[1]->dtype == BACKEND_INT8 && c->in[4]->dtype == BACKEND_FLOAT32,
	    "the weight is not int8 with scales in float32");
	node_want(c, row <= QUANTIZED_ROW_MOST,
	    "the rows of the weight are so long that a sum may not fit in 32 bits");
}

int64_t shape_last(const struct graph_value *v)
{
	return v->size[v->dims - 1];
}

bool shape_same(const struct graph_value *a, const struct graph_value *b)
{
	bool same = a->dims == b->dims;

	for (uint32_t i = 0; same && i < a->dims; i++)
		same = a->size[i] == b->size[i];
	return same;
}

bool shape_is(
    const struct graph_value *v, uint32_t dims, int64_t a, int64_t b, int64_t c, int64_t d)
{
	const int64_t size[BACKEND_DIMS] = { a, b, c, d };
	bool same = v->dims == dims;

	for (uint32_t i = 0; same && i < dims; i++)
		same = v->size[i] == size[i];
	return same;
}
