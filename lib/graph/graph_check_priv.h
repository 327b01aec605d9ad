/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares the rules of single operations; see graph_check.h. Pure.
 */
#ifndef GRAPH_GRAPH_CHECK_PRIV_H
#define GRAPH_GRAPH_CHECK_PRIV_H

#include "graph/graph_check.h"

/* A node with its values, and the message of the first check that failed. */
struct node_check {
	const struct backend_op *op;
	const struct graph_value *in[BACKEND_INS], *out[BACKEND_OUTS];
	const char *wrong; /* NULL if no check has failed */
};

/* Stores the message if this is not fine and no earlier check failed. */
void node_want(struct node_check *c, bool fine, const char *wrong);
/* Checks that a value, unless it is NULL, is a vector of n elements. */
void node_want_vector(
    struct node_check *c, const struct graph_value *v, int64_t n, const char *wrong);

/* Returns the size of the last dimension. */
int64_t shape_last(const struct graph_value *v);
/* Returns whether two values have the same sizes. */
bool shape_same(const struct graph_value *a, const struct graph_value *b);
/* Returns whether a value has this many dimensions of these sizes. */
bool shape_is(
    const struct graph_value *v, uint32_t dims, int64_t a, int64_t b, int64_t c, int64_t d);
/* Checks the types of a quantized weight and its scales, and the length of its rows. */
void node_want_quantized(struct node_check *c, int64_t row);

/* The rules. Each checks an operation whose operands are present and have valid strides. */
void graph_rule_alike(struct node_check *c);
void graph_rule_stream(struct node_check *c);
void graph_rule_dot(struct node_check *c);
void graph_rule_gemv(struct node_check *c);
void graph_rule_gemm(struct node_check *c);
void graph_rule_qgemm(struct node_check *c);
void graph_rule_qconv(struct node_check *c);
void graph_rule_conv(struct node_check *c);
void graph_rule_norm(struct node_check *c);
void graph_rule_channel_norm(struct node_check *c);
void graph_rule_binary(struct node_check *c);
void graph_rule_glu(struct node_check *c);
void graph_rule_pool(struct node_check *c);
void graph_rule_resize(struct node_check *c);
/* The rules of operations on tokens, in graph_check_token.c. */
void graph_rule_attention(struct node_check *c);
void graph_rule_gather(struct node_check *c);
void graph_rule_rope(struct node_check *c);
void graph_rule_relative(struct node_check *c);
void graph_rule_sinusoid(struct node_check *c);
void graph_rule_scan(struct node_check *c);
void graph_rule_causal_conv(struct node_check *c);
void graph_rule_route(struct node_check *c);
void graph_rule_experts(struct node_check *c);
void graph_rule_qexperts(struct node_check *c);
void graph_rule_cell(struct node_check *c);
void graph_rule_combine(struct node_check *c);
void graph_rule_topk(struct node_check *c);
void graph_rule_trees(struct node_check *c);

#endif
