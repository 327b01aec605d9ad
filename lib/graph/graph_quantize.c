/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantizes weights of products and convolutions; see graph_quantize.h.
 */
#include <math.h>
#include <stdlib.h>

#include "graph/graph_count.h"
#include "graph/graph_quantize.h"

/* A quantized weight: the numbers of its values. */
struct quantized {
	uint32_t weight, rows, scales;
};

/* The operations that can be quantized, and how. */
static const struct quantizable {
	enum backend_kind kind, quantized;
	uint32_t dims; /* of the weight */
	uint32_t outs; /* the dimensions that count rows */
} quantizables[] = {
	{ BACKEND_GEMM, BACKEND_QGEMM, 2, 1 },
	{ BACKEND_CONV, BACKEND_QCONV, 4, 1 },
	{ BACKEND_EXPERTS, BACKEND_QEXPERTS, 3, 2 },
};

static int64_t row_elements(const struct graph_value *w, uint32_t outs)
{
	int64_t row = 1;

	for (uint32_t i = outs; i < w->dims; i++)
		row *= w->size[i];
	return row;
}

/* Returns whether the parameters of an operation allow it to be quantized. */
static bool may_quantize(const struct graph_node *n, const struct graph_value *w)
{
	if (n->op.kind == BACKEND_GEMM)
		return n->op.p.gemm.transpose;
	/* A row of one channel is too short to gain from products of four bytes. */
	return n->op.kind != BACKEND_CONV || w->size[1] > 1 || n->op.p.conv.groups == 1;
}

/* Returns how a node can be quantized, or NULL. */
static const struct quantizable *quantizable_of(
    const struct graph *g, const struct graph_node *n)
{
	for (size_t i = 0; i < COUNT(quantizables); i++) {
		const struct quantizable *q = &quantizables[i];
		const struct graph_value *w;

		if (n->op.kind != q->kind)
			continue;
		w = &g->value[n->in[1]];
		return w->role == BACKEND_WEIGHT && w->of == n->in[1] &&
		               w->dims == q->dims && w->fill == FILL_NORMAL &&
		               row_elements(w, q->outs) <= QUANTIZED_ROW_MOST &&
		               may_quantize(n, w)
		           ? q
		           : NULL;
	}
	return NULL;
}

/* Adds a value that is made from a weight: rows in int8, or their scales. Returns its
 * number. */
static uint32_t add_made(
    struct graph *g, uint32_t weight, uint32_t outs, enum graph_fill fill)
{
	bool scales = fill == FILL_SCALES;
	struct graph_value *v = VEC_ADD(g->value, g->values, g->value_cap);
	const struct graph_value *w = &g->value[weight];
	char *source = str_copy(w->name);

	*VEC_ADD(g->kept, g->kepts, g->kept_cap) = source;
	*v = *w;
	v->name = str_format("%s.%s", w->name, scales ? "scale" : "int8");
	v->of = (uint32_t)(g->values - 1);
	v->dtype = scales ? BACKEND_FLOAT32 : BACKEND_INT8;
	v->fill = fill;
	v->source = source;
	v->row = row_elements(w, outs);
	v->counts = false;
	if (scales) {
		v->dims = outs;
		for (uint32_t i = 0; i < outs; i++)
			v->stride[i] /= v->row;
	}
	return v->of;
}

/* Returns the quantized weight, which is made for its first user. */
static struct quantized quantized_of(struct graph *g, uint32_t weight, uint32_t outs,
    struct quantized **made, size_t *count, size_t *cap)
{
	for (size_t i = 0; i < *count; i++)
		if ((*made)[i].weight == weight)
			return (*made)[i];
	struct quantized q = { weight, add_made(g, weight, outs, FILL_QUANTIZED),
		add_made(g, weight, outs, FILL_SCALES) };
	*VEC_ADD(*made, *count, *cap) = q;
	return q;
}

void graph_quantize(struct graph *g)
{
	struct quantized *made = NULL;
	size_t count = 0, cap = 0;

	for (size_t i = 0; i < g->nodes; i++) {
		struct graph_node *n = &g->node[i];
		const struct quantizable *how = quantizable_of(g, n);
		struct quantized q;

		if (!how)
			continue;
		q = quantized_of(g, n->in[1], how->outs, &made, &count, &cap);
		n->op.kind = how->quantized;
		n->in[1] = q.rows;
		n->in[4] = q.scales;
		graph_count_node(g, n, 0);
	}
	free(made);
}

bool graph_is_quantized(enum backend_kind kind)
{
	for (size_t i = 0; i < COUNT(quantizables); i++)
		if (quantizables[i].quantized == kind)
			return true;
	return false;
}

double graph_quantized_share(const struct graph *g)
{
	double quantized = 0, all = 0;

	for (size_t i = 0; i < g->nodes; i++) {
		all += g->node[i].macs;
		if (graph_is_quantized(g->node[i].op.kind))
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
