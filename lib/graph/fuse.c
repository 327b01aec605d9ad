/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuses operations; see fuse.h. Each rule joins an operation with the one that produces its
 * operand, provided that nothing else reads that operand.
 */
#include <stdlib.h>

#include "graph/fuse.h"

/* The writer and the number of readers and views of each value. */
struct uses {
	uint32_t *writer; /* a node, or GRAPH_NONE */
	uint32_t *readers, *views;
	bool *gone; /* by node: whether it was joined with another */
};

static void count_uses(const struct graph *g, struct uses *u)
{
	for (size_t i = 0; i < g->values; i++) {
		u->writer[i] = GRAPH_NONE;
		u->readers[i] = u->views[i] = 0;
	}
	for (size_t i = 0; i < g->values; i++)
		if (g->value[i].of != i)
			u->views[g->value[i].of]++;
	for (size_t n = 0; n < g->nodes; n++) {
		for (int k = 0; k < BACKEND_OUTS; k++)
			if (g->node[n].out[k] != GRAPH_NONE)
				u->writer[g->node[n].out[k]] = (uint32_t)n;
		for (int k = 0; k < BACKEND_INS; k++)
			if (g->node[n].in[k] != GRAPH_NONE)
				u->readers[g->node[n].in[k]]++;
	}
}

/* Returns whether a value only carries a result from one operation to the next. */
static bool is_between(const struct graph *g, const struct uses *u, uint32_t value)
{
	return value != GRAPH_NONE && g->value[value].role == BACKEND_ACTIVATION &&
	       g->value[value].of == value && u->readers[value] == 1 && !u->views[value] &&
	       u->writer[value] != GRAPH_NONE;
}

static bool has_products(enum backend_kind kind)
{
	return kind == BACKEND_CONV || kind == BACKEND_GEMM || kind == BACKEND_QGEMM ||
	       kind == BACKEND_QCONV;
}

static bool same_shape(const struct graph_value *a, const struct graph_value *b)
{
	if (a->dims != b->dims || a->dtype != b->dtype)
		return false;
	for (uint32_t i = 0; i < a->dims; i++)
		if (a->size[i] != b->size[i] || a->stride[i] != b->stride[i])
			return false;
	return true;
}

/* Returns the first node that writes a value, or the value that it is a view of. */
static uint32_t written_by(const struct graph *g, uint32_t value)
{
	for (size_t n = 0; n < g->nodes; n++)
		for (int k = 0; k < BACKEND_OUTS; k++) {
			uint32_t out = g->node[n].out[k];

			if (out != GRAPH_NONE && g->value[out].of == g->value[value].of)
				return (uint32_t)n;
		}
	return 0;
}

/* Removes the second operation; the first writes its result. */
static void take_over(struct graph *g, const struct uses *u, struct graph_node *first,
    struct graph_node *second)
{
	first->out[0] = second->out[0];
	first->op.act = second->op.act;
	u->gone[second - g->node] = true;
	for (int k = 0; k < BACKEND_INS; k++)
		second->in[k] = GRAPH_NONE;
	second->out[0] = GRAPH_NONE;
}

/* Adds a value for a bias. Returns its number. */
static uint32_t add_bias(struct graph *g, const struct graph_value *like, const char *name)
{
	struct graph_value *v = VEC_ADD(g->value, g->values, g->value_cap);

	*v = *like;
	v->name = str_format("%s.folded", name);
	v->of = (uint32_t)(g->values - 1);
	v->counts = false;
	return v->of;
}

/* Folds the batch normalization n into the convolution before it. Returns whether it did.
 */
static bool fold_batchnorm(
    struct graph *g, const struct uses *u, struct fusion *out, size_t n)
{
	struct graph_node *norm = &g->node[n], *conv;
	struct fuse_fold *f;
	uint32_t weight;

	if (norm->op.kind != BACKEND_BATCHNORM || !is_between(g, u, norm->in[0]))
		return false;
	conv = &g->node[u->writer[norm->in[0]]];
	if ((conv->op.kind != BACKEND_CONV && conv->op.kind != BACKEND_QCONV) ||
	    conv->op.act != BACKEND_LINEAR || conv->in[3] != GRAPH_NONE)
		return false;
	weight = conv->in[conv->op.kind == BACKEND_QCONV ? 4 : 1];
	/* Other operations may use weights that are tied or views. */
	if (u->readers[weight] != 1 || u->views[weight] || g->value[weight].of != weight)
		return false;
	f = VEC_ADD(out->fold, out->folds, out->cap);
	*f = (struct fuse_fold){ .weight = weight,
		.old_bias = conv->in[2],
		.gain = norm->in[1],
		.shift = norm->in[2],
		.mean = norm->in[3],
		.var = norm->in[4],
		.eps = norm->op.p.norm.eps };
	f->bias = add_bias(g, &g->value[norm->in[2]], conv->name);
	conv->in[2] = f->bias;
	take_over(g, u, conv, norm);
	return true;
}

/* Joins the addition n with the product that makes one of its operands. That operand must
 * be computed only for the addition, and after the other operand. */
static bool join_add(struct graph *g, const struct uses *u, size_t n)
{
	struct graph_node *add = &g->node[n];

	if (add->op.kind != BACKEND_BINARY || add->op.p.element.multiply ||
	    add->op.p.element.alpha != 1 || add->op.act >= BACKEND_EXP)
		return false;
	for (int k = 0; k < 2; k++) {
		uint32_t mine = add->in[k], other = add->in[1 - k];
		struct graph_node *first;

		if (!is_between(g, u, mine) || other == mine ||
		    !same_shape(&g->value[mine], &g->value[other]))
			continue;
		first = &g->node[u->writer[mine]];
		if (!has_products(first->op.kind) || first->op.act != BACKEND_LINEAR ||
		    first->in[3] != GRAPH_NONE || first->out[0] != mine ||
		    (g->value[g->value[other].of].role == BACKEND_ACTIVATION &&
		        written_by(g, other) > u->writer[mine]))
			continue;
		first->in[3] = other;
		take_over(g, u, first, add);
		return true;
	}
	return false;
}

/* Returns whether an operation of this kind may end in an activation. */
static bool ends_in_act(enum backend_kind kind, enum backend_act act)
{
	if (act >= BACKEND_EXP)
		return kind == BACKEND_BINARY;
	return has_products(kind) || kind == BACKEND_BINARY || kind == BACKEND_GROUPNORM ||
	       kind == BACKEND_BATCHNORM || kind == BACKEND_CAUSAL_CONV;
}

/* Joins the activation n with the operation that makes its operand. */
static bool join_act(struct graph *g, const struct uses *u, size_t n)
{
	struct graph_node *act = &g->node[n], *first;

	if (act->op.kind != BACKEND_UNARY || act->op.p.element.alpha != 1 ||
	    !is_between(g, u, act->in[0]))
		return false;
	first = &g->node[u->writer[act->in[0]]];
	if (!ends_in_act(first->op.kind, act->op.act) || first->op.act != BACKEND_LINEAR ||
	    first->out[0] != act->in[0] ||
	    !same_shape(&g->value[act->in[0]], &g->value[act->out[0]]))
		return false;
	take_over(g, u, first, act);
	return true;
}

/* Removes the nodes that were joined with others. */
static void drop_gone(struct graph *g, const struct uses *u)
{
	size_t kept = 0;

	for (size_t n = 0; n < g->nodes; n++)
		if (u->gone[n])
			free(g->node[n].name);
		else
			g->node[kept++] = g->node[n];
	g->nodes = kept;
}

void fuse_graph(struct graph *g, struct fusion *out)
{
	/* Each node may add a value. */
	size_t most = g->values + g->nodes;
	struct uses u = { .writer = mem_zero(most, sizeof(uint32_t)),
		.readers = mem_zero(most, sizeof(uint32_t)),
		.views = mem_zero(most, sizeof(uint32_t)),
		.gone = mem_zero(g->nodes + 1, sizeof(bool)) };
	bool (*const join[])(
	    struct graph *, const struct uses *, size_t) = { join_add, join_act };

	*out = (struct fusion){ 0 };
	count_uses(g, &u);
	for (size_t n = 0; n < g->nodes; n++) {
		if (u.gone[n])
			continue;
		if (fold_batchnorm(g, &u, out, n))
			count_uses(g, &u);
		for (size_t k = 0; k < COUNT(join); k++)
			if (!u.gone[n] && join[k](g, &u, n))
				count_uses(g, &u);
	}
	drop_gone(g, &u);
	free(u.writer);
	free(u.readers);
	free(u.views);
	free(u.gone);
}

void fusion_free(struct fusion *f)
{
	free(f->fold);
	*f = (struct fusion){ 0 };
}
