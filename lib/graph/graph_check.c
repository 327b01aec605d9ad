/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks the rules of bench-operation.h; see graph_check.h. A rule is a function that
 * checks one operation. The first check that fails gives the message; later ones are
 * ignored.
 */
#include "graph/dtype.h"
#include "graph/graph_check_priv.h"

/* Returns whether a value is contiguous. */
static bool contiguous(const struct graph_value *v)
{
	int64_t stride = 1;

	for (uint32_t i = v->dims; i-- > 0; stride *= v->size[i])
		if (v->size[i] != 1 && v->stride[i] != stride)
			return false;
	return true;
}

/* Returns whether a value is in rows: its innermost elements are adjacent, and its rows are
 * in order and do not overlap. */
static bool in_rows(const struct graph_value *v)
{
	int64_t least = 1;

	for (uint32_t i = v->dims; i-- > 0;) {
		if (v->size[i] == 1)
			continue;
		if (v->stride[i] < least || (i == v->dims - 1 && v->stride[i] != 1))
			return false;
		least = v->stride[i] * v->size[i];
	}
	return true;
}

/* Sets of operands, with a bit for each. */
enum {
	I0 = 1,
	I1 = 2,
	I2 = 4,
	I3 = 8,
	I4 = 16,
	I5 = 32,
	I6 = 64,
	I7 = 128,
	O0 = 256,
	O1 = 512
};
/* The dtypes of an operation: floating-point types, those and int8, or any. */
enum { FLOATS, MAY_INT8, ANY };

static const struct rule {
	void (*check)(struct node_check *c);
	unsigned needs;       /* the required operands */
	unsigned rows;        /* those whose rows may be strided */
	unsigned strided;     /* those with any strides */
	unsigned other_dtype; /* those whose dtype may differ from that of the first */
	int dtypes;
} rules[BACKEND_KINDS] = {
	[BACKEND_NOP] = { .dtypes = ANY },
	[BACKEND_COPY] = { graph_rule_stream, .needs = I0 | O0, .dtypes = ANY },
	[BACKEND_SCALE] = { graph_rule_stream, .needs = I0 | O0 },
	[BACKEND_TRIAD] = { graph_rule_stream, .needs = I0 | I1 | O0 },
	[BACKEND_AXPY] = { graph_rule_stream, .needs = I0 | O0 },
	[BACKEND_DOT] = { graph_rule_dot, .needs = I0 | I1 | O0, .other_dtype = O0 },
	[BACKEND_FMA] = { graph_rule_stream, .needs = I0 | O0 },
	[BACKEND_GEMV] = { graph_rule_gemv, .needs = I0 | I1 | O0 },
	[BACKEND_GEMM] = { graph_rule_gemm, .needs = I0 | I1 | O0,
	    .rows = I0 | I1 | I3 | O0, .other_dtype = I2 | I3 | O0, .dtypes = MAY_INT8 },
	[BACKEND_CONV] = { graph_rule_conv, .needs = I0 | I1 | O0 },
	[BACKEND_ATTENTION] = { graph_rule_attention, .needs = I0 | I1 | I2 | O0,
	    .rows = I0 | I1 | I2 | I3 | O0 },
	[BACKEND_LAYERNORM] = { graph_rule_norm, .needs = I0 | O0 },
	[BACKEND_RMSNORM] = { graph_rule_norm, .needs = I0 | O0 },
	[BACKEND_GROUPNORM] = { graph_rule_channel_norm, .needs = I0 | I1 | I2 | O0 },
	[BACKEND_BATCHNORM] = { graph_rule_channel_norm,
	    .needs = I0 | I1 | I2 | I3 | I4 | O0 },
	[BACKEND_SOFTMAX] = { graph_rule_alike, .needs = I0 | O0 },
	[BACKEND_UNARY] = { graph_rule_alike, .needs = I0 | O0 },
	[BACKEND_BINARY] = { graph_rule_binary, .needs = I0 | I1 | O0 },
	[BACKEND_ROUND] = { graph_rule_alike, .needs = I0 | O0 },
	[BACKEND_CELL] = { graph_rule_cell, .needs = I0 | I1 | I2 | O0 },
	[BACKEND_TREES] = { graph_rule_trees, .needs = I0 | I1 | I2 | I3 | I4 | I5 | O0,
	    .other_dtype = I1 | I3 | I5 },
	[BACKEND_GLU] = { graph_rule_glu, .needs = I0 | O0, .rows = I0 },
	[BACKEND_GATHER] = { graph_rule_gather, .needs = I0 | O0, .other_dtype = I1 },
	[BACKEND_POOL] = { graph_rule_pool, .needs = I0 | O0 },
	[BACKEND_RESIZE] = { graph_rule_resize, .needs = I0 | O0 },
	[BACKEND_MOVE] = { graph_rule_alike, .needs = I0 | O0, .strided = I0 | O0,
	    .other_dtype = O0, .dtypes = ANY },
	[BACKEND_ROPE] = { graph_rule_rope, .needs = I0 | O0, .rows = I0 | O0 },
	[BACKEND_RELATIVE] = { graph_rule_relative, .needs = I0 | O0, .rows = O0 },
	[BACKEND_SINUSOID] = { graph_rule_sinusoid, .needs = I0 | O0, .other_dtype = O0 },
	[BACKEND_SCAN] = { graph_rule_scan,
	    .needs = I0 | I1 | I2 | I3 | I4 | I5 | I6 | I7 | O0, .rows = I3 | I4,
	    .other_dtype = I7 },
	[BACKEND_CAUSAL_CONV] = { graph_rule_causal_conv, .needs = I0 | I1 | O0 },
	[BACKEND_ROUTE] = { graph_rule_route, .needs = I0 | O0 | O1, .other_dtype = O1 },
	[BACKEND_EXPERTS] = { graph_rule_experts, .needs = I0 | I1 | I2 | O0,
	    .other_dtype = I2 },
	[BACKEND_COMBINE] = { graph_rule_combine, .needs = I0 | I1 | O0 },
	[BACKEND_TOPK] = { graph_rule_topk, .needs = I0 | O1, .other_dtype = O1 },
	[BACKEND_QGEMM] = { graph_rule_qgemm, .needs = I0 | I1 | I4 | O0,
	    .rows = I0 | I3 | O0, .other_dtype = I1 | I4 },
	[BACKEND_QCONV] = { graph_rule_qconv, .needs = I0 | I1 | I4 | O0,
	    .other_dtype = I1 | I4 },
	[BACKEND_QEXPERTS] = { graph_rule_qexperts, .needs = I0 | I1 | I2 | I4 | O0,
	    .other_dtype = I1 | I2 | I4 },
};

/* Checks what holds for each operand. */
static void check_operand(
    struct node_check *c, const struct rule *r, const struct graph_value *v, unsigned bit)
{
	node_want(c, v || !(r->needs & bit), "an operand is missing");
	if (!v || c->wrong)
		return;
	node_want(
	    c, v->dims >= 1 && v->dims <= BACKEND_DIMS, "an operand has no dimensions");
	if (r->rows & bit)
		node_want(c, in_rows(v),
		    "the rows of an operand are not contiguous; use move first");
	else if (!(r->strided & bit))
		node_want(c, contiguous(v), "an operand is not contiguous; use move first");
	node_want(c, r->other_dtype & bit || !c->in[0] || v->dtype == c->in[0]->dtype,
	    "the operands have different dtypes");
}

int graph_check_node(const struct graph *g, const struct graph_node *n, struct fault *f)
{
	const struct rule *r = &rules[n->op.kind];
	struct node_check c = { .op = &n->op };

	for (size_t i = 0; i < BACKEND_INS; i++)
		if (n->in[i] != GRAPH_NONE)
			c.in[i] = &g->value[n->in[i]];
	for (size_t i = 0; i < BACKEND_OUTS; i++)
		if (n->out[i] != GRAPH_NONE)
			c.out[i] = &g->value[n->out[i]];
	for (size_t i = 0; i < BACKEND_INS; i++)
		check_operand(&c, r, c.in[i], 1u << i);
	for (size_t i = 0; i < BACKEND_OUTS; i++)
		check_operand(&c, r, c.out[i], 1u << (BACKEND_INS + i));
	if (c.in[0] && r->dtypes != ANY)
		node_want(&c,
		    dtype_is_float(c.in[0]->dtype) ||
		        (r->dtypes == MAY_INT8 && c.in[0]->dtype == BACKEND_INT8),
		    "not available for whole numbers of this type");
	node_want(&c,
	    n->op.act < BACKEND_EXP || n->op.kind == BACKEND_UNARY ||
	        n->op.kind == BACKEND_BINARY,
	    "no operation but add and mul ends in this function");
	if (!c.wrong && r->check)
		r->check(&c);
	return c.wrong ? fault_set(f, "%s", c.wrong) : 0;
}
