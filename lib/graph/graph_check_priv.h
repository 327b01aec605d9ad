/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the rules of single operations have to see; see graph_check.h. Pure.
 */
#ifndef GRAPH_GRAPH_CHECK_PRIV_H
#define GRAPH_GRAPH_CHECK_PRIV_H

#include "graph/graph_check.h"

/* A node with its values; the first want that fails is kept. */
struct node_check {
	const struct backend_op *op;
	const struct graph_value *in[BACKEND_INS], *out[BACKEND_OUTS];
	const char *wrong; /* NULL: nothing so far */
};

/* Keeps the message when this is not fine and nothing was wrong before. */
void node_want(struct node_check *c, bool fine, const char *wrong);
/* Wants a vector of n elements, where there is one. */
void node_want_vector(
    struct node_check *c, const struct graph_value *v, int64_t n, const char *wrong);

/* Returns the size of the last dimension. */
int64_t shape_last(const struct graph_value *v);
bool shape_same(const struct graph_value *a, const struct graph_value *b);
bool shape_is(
    const struct graph_value *v, uint32_t dims, int64_t a, int64_t b, int64_t c, int64_t d);

/* The rules, each of an operation whose operands are there and lie as they must. */
void graph_rule_alike(struct node_check *c);
void graph_rule_stream(struct node_check *c);
void graph_rule_dot(struct node_check *c);
void graph_rule_gemv(struct node_check *c);
void graph_rule_gemm(struct node_check *c);
void graph_rule_conv(struct node_check *c);
void graph_rule_norm(struct node_check *c);
void graph_rule_channel_norm(struct node_check *c);
void graph_rule_binary(struct node_check *c);
void graph_rule_glu(struct node_check *c);
void graph_rule_pool(struct node_check *c);
void graph_rule_resize(struct node_check *c);
/* Of tokens: in graph_check_token.c. */
void graph_rule_attention(struct node_check *c);
void graph_rule_gather(struct node_check *c);
void graph_rule_rope(struct node_check *c);
void graph_rule_relative(struct node_check *c);
void graph_rule_sinusoid(struct node_check *c);
void graph_rule_scan(struct node_check *c);
void graph_rule_causal_conv(struct node_check *c);
void graph_rule_route(struct node_check *c);
void graph_rule_experts(struct node_check *c);
void graph_rule_combine(struct node_check *c);
void graph_rule_topk(struct node_check *c);

#endif
