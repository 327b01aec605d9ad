/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantizes weights of products; see graph_quantize.h.
 */
#include <math.h>
#include <stdlib.h>

#include "graph/graph_count.h"
#include "graph/graph_quantize.h"

/* A quantized weight: the numbers of its values. */
struct quantized {
	uint32_t weight, rows, scales;
};

static bool is_product_with_weight(const struct graph *g, const struct graph_node *n)
{
	const struct graph_value *w;

	if (n->op.kind != BACKEND_GEMM || !n->op.p.gemm.transpose)
		return false;
	w = &g->value[n->in[1]];
	return w->role == BACKEND_WEIGHT && w->of == n->in[1] && w->dims == 2 &&
	       w->size[1] <= QUANTIZED_ROW_MOST && w->fill == FILL_NORMAL;
}

/* Adds a value that is made from a weight. Returns its number. */
static uint32_t add_made(struct graph *g, uint32_t weight, const char *suffix,
    enum backend_dtype dtype, enum graph_fill fill)
{
	struct graph_value *v = VEC_ADD(g->value, g->values, g->value_cap);
	const struct graph_value *w = &g->value[weight];
	char *source = str_copy(w->name);

	*VEC_ADD(g->kept, g->kepts, g->kept_cap) = source;
	*v = *w;
	v->name = str_format("%s.%s", w->name, suffix);
	v->of = (uint32_t)(g->values - 1);
	v->dtype = dtype;
	v->fill = fill;
	v->source = source;
	v->row = w->size[1];
	v->counts = false;
	if (fill == FILL_SCALES) {
		v->dims = 1;
		v->stride[0] = 1;
	}
	return v->of;
}

/* Returns the quantized weight, which is made for its first product. */
static struct quantized quantized_of(
    struct graph *g, uint32_t weight, struct quantized **made, size_t *count, size_t *cap)
{
	for (size_t i = 0; i < *count; i++)
		if ((*made)[i].weight == weight)
			return (*made)[i];
	struct quantized q = { weight,
		add_made(g, weight, "int8", BACKEND_INT8, FILL_QUANTIZED),
		add_made(g, weight, "scale", BACKEND_FLOAT32, FILL_SCALES) };
	*VEC_ADD(*made, *count, *cap) = q;
	return q;
}

void graph_quantize(struct graph *g)
{
	struct quantized *made = NULL;
	size_t count = 0, cap = 0;

	for (size_t i = 0; i < g->nodes; i++) {
		struct graph_node *n = &g->node[i];
		struct quantized q;

		if (!is_product_with_weight(g, n))
			continue;
		q = quantized_of(g, n->in[1], &made, &count, &cap);
		n->op.kind = BACKEND_QGEMM;
		n->in[1] = q.rows;
		n->in[4] = q.scales;
		graph_count_node(g, n, 0);
	}
	free(made);
}

double graph_quantized_share(const struct graph *g)
{
	double quantized = 0, all = 0;

	for (size_t i = 0; i < g->nodes; i++) {
		all += g->node[i].macs;
		if (g->node[i].op.kind == BACKEND_QGEMM)
			quantized += g->node[i].macs;
	}
	return quantized > 0 ? quantized / all : 0;
}

float graph_quantize_row(const double *weight, size_t count, int8_t *out)
{
	float most = 0, scale;

	for (size_t i = 0; i < count; i++)
		most = fmaxf(most, fabsf((float)weight[i]));
	scale = most > 0 ? most / 127 : 1;
	for (size_t i = 0; i < count; i++)
		out[i] = (int8_t)fmaxf(-127, fminf(127, rintf((float)weight[i] / scale)));
	return scale;
}
