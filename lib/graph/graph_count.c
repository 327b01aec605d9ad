/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts the work of operations; see graph_count.h.
 */
#include "graph/dtype.h"
#include "graph/graph_count.h"

/* The input of a counting rule: the operands and, for attention, the keys in use. */
struct node_work {
	const struct backend_op *op;
	const struct graph_value *in[BACKEND_INS], *out[BACKEND_OUTS];
	double keys;
};

static double count_of(const struct graph_value *v)
{
	return v ? (double)graph_elements(v) : 0;
}

static double size_of(const struct graph_value *v, uint32_t dim)
{
	return (double)v->size[dim];
}

static double gemv_macs(const struct node_work *w)
{
	return count_of(w->in[0]);
}

static double gemm_macs(const struct node_work *w)
{
	return count_of(w->out[0]) * size_of(w->in[0], w->in[0]->dims - 1);
}

/* Returns the MACs of a convolution: C/groups KH KW for each element of the result. */
static double conv_macs(const struct node_work *w)
{
	return count_of(w->out[0]) * count_of(w->in[1]) / size_of(w->in[1], 0);
}

static double attention_macs(const struct node_work *w)
{
	double rows = size_of(w->in[0], 0) * size_of(w->in[0], 1);

	return rows * w->keys * (size_of(w->in[0], 2) + size_of(w->out[0], 2));
}

static double scan_macs(const struct node_work *w)
{
	return count_of(w->in[0]) * (3 * size_of(w->in[2], 1) + 1);
}

static double causal_conv_macs(const struct node_work *w)
{
	return count_of(w->out[0]) * size_of(w->in[1], 1);
}

static double experts_macs(const struct node_work *w)
{
	return count_of(w->out[0]) * size_of(w->in[1], 2);
}

static double per_out(const struct node_work *w)
{
	return count_of(w->out[0]);
}

static double per_in(const struct node_work *w)
{
	return count_of(w->in[0]);
}

/* Returns the number of leaves that the rows reach. */
static double leaves(const struct node_work *w)
{
	return size_of(w->in[0], 0) * count_of(w->in[5]);
}

static double fma_elements(const struct node_work *w)
{
	return count_of(w->out[0]) * (double)w->op->p.stream.repeat;
}

static double pool_elements(const struct node_work *w)
{
	return count_of(w->out[0]) *
	       (double)(w->op->p.pool.kernel[0] * w->op->p.pool.kernel[1]);
}

/* For each operation, its MACs; or the number of its elements, and the flops of each. */
static const struct rule {
	double (*macs)(const struct node_work *w);
	double (*elements)(const struct node_work *w);
	double flops;
} rules[BACKEND_KINDS] = {
	[BACKEND_SCALE] = { .elements = per_out, .flops = 1 },
	[BACKEND_TRIAD] = { .elements = per_out, .flops = 2 },
	[BACKEND_AXPY] = { .elements = per_out, .flops = 2 },
	[BACKEND_DOT] = { .elements = per_in, .flops = 2 },
	[BACKEND_FMA] = { .elements = fma_elements, .flops = 2 },
	[BACKEND_GEMV] = { .macs = gemv_macs },
	[BACKEND_GEMM] = { .macs = gemm_macs },
	[BACKEND_CONV] = { .macs = conv_macs },
	[BACKEND_ATTENTION] = { .macs = attention_macs },
	[BACKEND_LAYERNORM] = { .elements = per_out, .flops = 7 },
	[BACKEND_RMSNORM] = { .elements = per_out, .flops = 4 },
	[BACKEND_GROUPNORM] = { .elements = per_out, .flops = 7 },
	[BACKEND_BATCHNORM] = { .elements = per_out, .flops = 2 },
	[BACKEND_SOFTMAX] = { .elements = per_out, .flops = 5 },
	[BACKEND_UNARY] = { .elements = per_out, .flops = 1 },
	[BACKEND_BINARY] = { .elements = per_out, .flops = 1 },
	[BACKEND_ROUND] = { .elements = per_out, .flops = 3 },
	[BACKEND_CELL] = { .elements = per_in, .flops = 4 },
	[BACKEND_TREES] = { .elements = leaves, .flops = 1 },
	[BACKEND_GLU] = { .elements = per_out, .flops = 2 },
	[BACKEND_POOL] = { .elements = pool_elements, .flops = 1 },
	[BACKEND_ROPE] = { .elements = per_out, .flops = 3 },
	[BACKEND_SINUSOID] = { .elements = per_out, .flops = 2 },
	[BACKEND_SCAN] = { .macs = scan_macs },
	[BACKEND_CAUSAL_CONV] = { .macs = causal_conv_macs },
	[BACKEND_ROUTE] = { .elements = per_in, .flops = 5 },
	[BACKEND_EXPERTS] = { .macs = experts_macs },
	[BACKEND_COMBINE] = { .elements = per_in, .flops = 2 },
	[BACKEND_TOPK] = { .elements = per_in, .flops = 1 },
	[BACKEND_QGEMM] = { .macs = gemm_macs },
	[BACKEND_QCONV] = { .macs = conv_macs },
	[BACKEND_QEXPERTS] = { .macs = experts_macs },
};

static double bytes_of(const struct graph_value *v)
{
	return v ? (double)graph_bytes(v) : 0;
}

/* Returns the bytes of an operand: of a table only the rows looked up, of a cache only the
 * rows in use, and of experts only as many as can have been chosen. */
static double operand_bytes(const struct node_work *w, size_t i)
{
	const struct graph_value *v = w->in[i];
	double part = 1;

	if (w->op->kind == BACKEND_GATHER && i == 0)
		return count_of(w->out[0]) * (double)dtype_bytes(v->dtype);
	if (w->op->kind == BACKEND_TREES && i >= 1 && i <= 4 &&
	    leaves(w) < size_of(v, 0)) /* at least a leaf of each tree */
		part = leaves(w) / size_of(v, 0);
	if (w->op->kind == BACKEND_ATTENTION && (i == 1 || i == 2))
		part = w->keys / size_of(v, 1);
	if ((w->op->kind == BACKEND_EXPERTS || w->op->kind == BACKEND_QEXPERTS) &&
	    (i == 1 || i == 4) && size_of(w->out[0], 0) < size_of(v, 0))
		part = size_of(w->out[0], 0) / size_of(v, 0);
	return bytes_of(v) * part;
}

void graph_count_node(const struct graph *g, struct graph_node *n, int64_t keys)
{
	const struct rule *r = &rules[n->op.kind];
	struct node_work w = { .op = &n->op };

	for (size_t i = 0; i < BACKEND_INS; i++)
		w.in[i] = n->in[i] == GRAPH_NONE ? NULL : &g->value[n->in[i]];
	for (size_t i = 0; i < BACKEND_OUTS; i++)
		w.out[i] = n->out[i] == GRAPH_NONE ? NULL : &g->value[n->out[i]];
	if (n->op.kind == BACKEND_ATTENTION)
		w.keys = keys ? (double)keys : size_of(w.in[1], 1);
	n->macs = r->macs ? r->macs(&w) : 0;
	n->flops = r->macs ? 2 * n->macs : r->elements ? r->elements(&w) * r->flops : 0;
	n->bytes = 0;
	for (size_t i = 0; i < BACKEND_INS; i++)
		if (w.in[i])
			n->bytes += operand_bytes(&w, i);
	for (size_t i = 0; i < BACKEND_OUTS; i++)
		n->bytes += bytes_of(w.out[i]);
	/* The result is also read. */
	if (n->op.kind == BACKEND_AXPY)
		n->bytes += bytes_of(w.out[0]);
}
