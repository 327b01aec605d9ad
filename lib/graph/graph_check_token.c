/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of operations on tokens: attention, positions, sequences, experts and search;
 * see graph_check.h.
 */
#include "graph/graph_check_priv.h"

void graph_rule_attention(struct node_check *c)
{
	const struct graph_value *q = c->in[0], *k = c->in[1], *v = c->in[2],
	                         *bias = c->in[3], *out = c->out[0];
	int64_t heads = c->op->p.attention.heads, kv = c->op->p.attention.kv_heads;

	node_want(c, q->dims == 3 && k->dims == 3 && v->dims == 3 && out->dims == 3,
	    "the operands are not [batch,tokens,width]");
	node_want(c, heads >= 1 && kv >= 1 && heads % kv == 0,
	    "heads= is not a multiple of kv_heads=");
	if (c->wrong)
		return;
	node_want(c,
	    q->size[2] % heads == 0 && k->size[2] % kv == 0 && v->size[2] % kv == 0,
	    "the width is not a multiple of the heads");
	node_want(c, q->size[2] / heads == k->size[2] / kv,
	    "the heads of queries and of keys have different sizes");
	node_want(
	    c, q->size[0] == k->size[0] && q->size[0] == v->size[0], "the batches differ");
	node_want(c, k->size[1] == v->size[1], "the numbers of keys and values differ");
	node_want(c, shape_is(out, 3, q->size[0], q->size[1], v->size[2] / kv * heads, 0),
	    "the result has other sizes");
	node_want(c,
	    !c->op->p.attention.causal || c->op->p.attention.cached ||
	        k->size[1] >= q->size[1],
	    "causal= needs at least as many keys as queries");
	node_want(c, !bias || shape_is(bias, 3, heads, q->size[1], k->size[1], 0),
	    "the bias is not [heads,queries,keys]");
}

void graph_rule_gather(struct node_check *c)
{
	const struct graph_value *table = c->in[0], *ids = c->in[1], *out = c->out[0];

	node_want(c, table->dims == 2 && out->dims == 3,
	    "the table is not [rows,width], or the result is not [batch,tokens,width]");
	if (c->wrong)
		return;
	node_want(c, shape_last(out) == shape_last(table), "the widths differ");
	node_want(c, !ids || shape_is(ids, 2, out->size[0], out->size[1], 0, 0),
	    "the token numbers are not [batch,tokens]");
	node_want(c, ids || c->op->p.gather.first + out->size[1] <= table->size[0],
	    "the table has fewer rows than there are tokens");
}

void graph_rule_rope(struct node_check *c)
{
	int64_t heads = c->op->p.rope.heads;

	graph_rule_alike(c);
	node_want(c, c->in[0]->dims == 3, "the operand is not [batch,tokens,width]");
	node_want(c, heads >= 1 && shape_last(c->in[0]) % (2 * heads) == 0,
	    "the width of a head is not even");
}

void graph_rule_relative(struct node_check *c)
{
	const struct graph_value *table = c->in[0], *out = c->out[0];

	node_want(
	    c, table->dims == 2 && out->dims == 3, "the result is not [heads,tokens,keys]");
	node_want(c,
	    table->size[0] == c->op->p.relative.buckets && c->op->p.relative.buckets >= 4 &&
	        c->op->p.relative.distance > c->op->p.relative.buckets / 2,
	    "buckets= is less than 4, or distance= is not above buckets/2");
	node_want(
	    c, table->size[1] == out->size[0], "the table has another number of heads");
}

void graph_rule_sinusoid(struct node_check *c)
{
	node_want(c, c->in[0]->dims == 1 && c->in[0]->dtype == BACKEND_FLOAT32,
	    "the operand is not [N] of float32");
	node_want(c,
	    c->out[0]->dims == 2 && c->out[0]->size[0] == c->in[0]->size[0] &&
	        shape_last(c->out[0]) % 2 == 0,
	    "the result is not [N,d] with an even d");
}

void graph_rule_scan(struct node_check *c)
{
	const struct graph_value *x = c->in[0], *decay = c->in[2];

	graph_rule_alike(c);
	node_want(c, x->dims == 3 && decay->dims == 2,
	    "the operand is not [batch,tokens,channels]");
	if (c->wrong)
		return;
	int64_t b = x->size[0], t = x->size[1], n = x->size[2], s = decay->size[1];
	node_want(c, shape_same(x, c->in[1]), "the steps have other sizes");
	node_want(c, decay->size[0] == n, "the decay has another number of channels");
	node_want(c, shape_is(c->in[3], 3, b, t, s, 0) && shape_is(c->in[4], 3, b, t, s, 0),
	    "B and C are not [batch,tokens,states]");
	node_want_vector(c, c->in[5], n, "D is not one number for each channel");
	node_want_vector(c, c->in[6], n, "the bias is not one number for each channel");
	node_want(c,
	    shape_is(c->in[7], 3, b, n, s, 0) && c->in[7]->role == BACKEND_STATE &&
	        c->in[7]->dtype == BACKEND_FLOAT32,
	    "the state is not [batch,channels,states] of float32");
}

void graph_rule_causal_conv(struct node_check *c)
{
	const struct graph_value *x = c->in[0], *w = c->in[1], *out = c->out[0];

	node_want(c, x->dims == 3 && w->dims == 2 && out->dims == 3,
	    "the operand is not [batch,tokens,channels]");
	if (c->wrong)
		return;
	node_want(c,
	    x->size[0] == out->size[0] && x->size[2] == out->size[2] &&
	        w->size[0] == x->size[2],
	    "the batches or channels differ");
	node_want(c, x->size[1] >= out->size[1] + w->size[1] - 1,
	    "the cache has fewer than kernel - 1 rows before the first token");
	node_want_vector(
	    c, c->in[2], x->size[2], "the bias is not one number for each channel");
}

void graph_rule_route(struct node_check *c)
{
	const struct graph_value *x = c->in[0];
	int64_t k = c->op->p.route.k;

	node_want(c, x->dims == 2, "the operand is not [tokens,experts]");
	node_want(
	    c, k >= 1 && k <= shape_last(x), "k= is not from 1 to the number of experts");
	node_want(c,
	    c->out[1] && shape_is(c->out[0], 2, x->size[0], k, 0, 0) &&
	        shape_is(c->out[1], 2, x->size[0], k, 0, 0) &&
	        c->out[1]->dtype == BACKEND_INT32,
	    "the results are not [tokens,k]");
}

void graph_rule_experts(struct node_check *c)
{
	const struct graph_value *x = c->in[0], *w = c->in[1], *chosen = c->in[2],
	                         *out = c->out[0];

	node_want(c,
	    x->dims == 2 && w->dims == 3 && chosen->dims == 2 && out->dims == 2 &&
	        chosen->dtype == BACKEND_INT32,
	    "the operands are not [rows,width], [experts,out,width] and [tokens,k]");
	if (c->wrong)
		return;
	int64_t k = c->op->p.route.k, rows = chosen->size[0] * k;
	node_want(c, shape_last(chosen) == k, "k= differs from that of the choice");
	node_want(c, shape_last(x) == w->size[2], "the widths differ");
	node_want(c, x->size[0] == rows || x->size[0] == chosen->size[0],
	    "there is not one row for each token or for each choice");
	node_want(c, out->size[0] == rows && shape_last(out) == w->size[1],
	    "the result has other sizes");
}

void graph_rule_qexperts(struct node_check *c)
{
	const struct graph_value *w = c->in[1], *scales = c->in[4];

	graph_rule_experts(c);
	if (c->wrong)
		return;
	node_want_quantized(c, shape_last(w));
	node_want(c, shape_is(scales, 2, w->size[0], w->size[1], 0, 0),
	    "the scales are not one number for each column of each expert");
}

void graph_rule_cell(struct node_check *c)
{
	const struct graph_value *x = c->in[0], *out = c->out[0];
	const int64_t gates = c->op->p.cell.gates;

	node_want(c, gates == 3 || gates == 4, "a cell has 3 or 4 gates");
	node_want(c, (gates == 4) == (c->out[1] != NULL),
	    "a cell with 4 gates, and no other one, has two results");
	node_want(c,
	    out->dims == 2 && shape_is(x, 2, out->size[0], gates * out->size[1], 0, 0) &&
	        shape_same(c->in[1], x),
	    "the operands are not [batch,gates width]");
	node_want(c,
	    shape_same(c->in[2], out) && (!c->out[1] || shape_same(c->out[1], out)),
	    "a state is not [batch,width]");
}

void graph_rule_combine(struct node_check *c)
{
	const struct graph_value *x = c->in[0], *w = c->in[1], *out = c->out[0];
	int64_t k = c->op->p.route.k;

	node_want(c,
	    x->dims == 2 && shape_is(w, 2, out->size[0], k, 0, 0) &&
	        x->size[0] == out->size[0] * k,
	    "the operands are not [tokens k,width] and [tokens,k]");
	node_want(c, shape_is(out, 2, w->size[0], shape_last(x), 0, 0),
	    "the result has other sizes");
	node_want(
	    c, !c->in[2] || shape_same(c->in[2], out), "what is added is not of its size");
}

void graph_rule_trees(struct node_check *c)
{
	const struct graph_value *x = c->in[0], *node = c->in[1], *out = c->out[0];

	node_want(c, x->dims == 2 && out->dims == 2 && out->size[0] == x->size[0],
	    "the operand and the result are not [rows,features] and [rows,targets]");
	node_want(c,
	    node->dtype == BACKEND_INT32 && c->in[3]->dtype == BACKEND_INT32 &&
	        c->in[5]->dtype == BACKEND_INT32,
	    "the nodes, targets and roots are not int32");
	node_want(c,
	    node->dims == 2 && shape_is(node, 2, node->size[0], 2, 0, 0) &&
	        shape_is(c->in[2], 1, node->size[0], 0, 0, 0),
	    "the nodes are not [nodes,2] with [nodes] thresholds");
	node_want(c, c->in[3]->dims == 1 && shape_same(c->in[3], c->in[4]),
	    "the targets and weights of the leaves have other sizes");
	node_want(c, c->in[5]->dims == 1, "the roots are not [trees]");
}

void graph_rule_topk(struct node_check *c)
{
	const struct graph_value *x = c->in[0];
	int64_t k = c->op->p.route.k;

	node_want(c, x->dims == 2, "the operand is not [rows,columns]");
	node_want(
	    c, k >= 1 && k <= shape_last(x), "k= is not from 1 to the number of columns");
	node_want(c, !c->out[0] || shape_is(c->out[0], 2, x->size[0], k, 0, 0),
	    "the values are not [rows,k]");
	node_want(c,
	    c->out[1] && shape_is(c->out[1], 2, x->size[0], k, 0, 0) &&
	        c->out[1]->dtype == BACKEND_INT32,
	    "the positions are not [rows,k] of int32");
}
