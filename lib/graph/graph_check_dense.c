/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of operations on arrays and images; see graph_check.h.
 */
#include "graph/dtype.h"
#include "graph/graph_check_priv.h"

void graph_rule_alike(struct node_check *c)
{
	node_want(c, shape_same(c->in[0], c->out[0]),
	    "the operand and the result have different sizes");
}

void graph_rule_stream(struct node_check *c)
{
	graph_rule_alike(c);
	node_want(c, !c->in[1] || shape_same(c->in[0], c->in[1]),
	    "the operands have different sizes");
	node_want(c, c->op->kind != BACKEND_FMA || c->op->p.stream.repeat >= 1,
	    "repeat= is less than 1");
}

void graph_rule_dot(struct node_check *c)
{
	node_want(c, shape_same(c->in[0], c->in[1]), "the operands have different sizes");
	node_want(c, shape_is(c->out[0], 1, 1, 0, 0, 0), "the result is not one number");
}

void graph_rule_gemv(struct node_check *c)
{
	node_want(c, c->in[0]->dims == 2 && c->in[1]->dims == 1,
	    "the operands are not [m,k] and [k]");
	node_want(c, shape_last(c->in[0]) == shape_last(c->in[1]),
	    "the inner sizes of the product differ");
	node_want(
	    c, shape_is(c->out[0], 1, c->in[0]->size[0], 0, 0, 0), "the result is not [m]");
}

void graph_rule_gemm(struct node_check *c)
{
	const struct graph_value *a = c->in[0], *b = c->in[1], *out = c->out[0];
	uint32_t dims = a->dims;
	bool across = c->op->p.gemm.transpose;

	node_want(c, (dims == 2 || dims == 3) && b->dims == dims && out->dims == dims,
	    "the operands do not all have 2 or all have 3 dimensions");
	if (c->wrong)
		return;
	int64_t k = b->size[dims - (across ? 1 : 2)], n = b->size[dims - (across ? 2 : 1)];
	node_want(c, a->size[dims - 1] == k, "the inner sizes of the product differ");
	node_want(c, dims == 2 || b->size[0] == 1 || b->size[0] == a->size[0],
	    "the batches differ");
	node_want(c,
	    out->size[0] == a->size[0] && out->size[dims - 2] == a->size[dims - 2] &&
	        out->size[dims - 1] == n,
	    "the result is not [m,n]");
	node_want_vector(c, c->in[2], n, "the bias is not one number for each column");
	node_want(
	    c, !c->in[3] || shape_same(c->in[3], out), "what is added is not of its size");
	node_want(c, c->op->act == BACKEND_LINEAR || dtype_is_float(a->dtype),
	    "an activation function is not available for whole numbers");
}

void graph_rule_qgemm(struct node_check *c)
{
	const struct graph_value *a = c->in[0], *b = c->in[1], *out = c->out[0];
	uint32_t dims = a->dims;

	node_want(c, (dims == 2 || dims == 3) && b->dims == 2 && out->dims == dims,
	    "the operands are not [m,k] and [n,k], or the first with a batch in front");
	node_want(c, c->op->p.gemm.transpose, "the weight is not transposed");
	node_want_quantized(c, shape_last(b));
	if (c->wrong)
		return;
	node_want(
	    c, a->size[dims - 1] == b->size[1], "the inner sizes of the product differ");
	node_want(c,
	    out->size[0] == a->size[0] && out->size[dims - 2] == a->size[dims - 2] &&
	        out->size[dims - 1] == b->size[0],
	    "the result is not [m,n]");
	node_want_vector(
	    c, c->in[2], b->size[0], "the bias is not one number for each column");
	node_want_vector(
	    c, c->in[4], b->size[0], "the scales are not one number for each column");
	node_want(
	    c, !c->in[3] || shape_same(c->in[3], out), "what is added is not of its size");
}

static int64_t window(int64_t size, int64_t before, int64_t after, int64_t kernel,
    int64_t dilation, int64_t stride)
{
	int64_t room = size + before + after - dilation * (kernel - 1) - 1;

	return room < 0 ? 0 : room / stride + 1;
}

void graph_rule_conv(struct node_check *c)
{
	const struct graph_value *x = c->in[0], *w = c->in[1], *out = c->out[0];
	int64_t groups = c->op->p.conv.groups;

	node_want(c, x->dims == 4 && w->dims == 4 && out->dims == 4, "it takes [N,C,H,W]");
	node_want(c, groups >= 1, "groups= is less than 1");
	if (c->wrong)
		return;
	node_want(c, w->size[0] % groups == 0 && x->size[1] == w->size[1] * groups,
	    "the channels cannot be divided into the groups");
	node_want(c, out->size[0] == x->size[0] && out->size[1] == w->size[0],
	    "the result has other images or channels");
	for (uint32_t i = 0; i < 2; i++)
		node_want(c,
		    out->size[2 + i] == window(x->size[2 + i], c->op->p.conv.before[i],
		                            c->op->p.conv.after[i], w->size[2 + i],
		                            c->op->p.conv.dilation[i],
		                            c->op->p.conv.stride[i]),
		    "the result has another height or width");
	node_want_vector(
	    c, c->in[2], w->size[0], "the bias is not one number for each channel");
	node_want(
	    c, !c->in[3] || shape_same(c->in[3], out), "what is added is not of its size");
}

void graph_rule_qconv(struct node_check *c)
{
	const struct graph_value *w = c->in[1];

	graph_rule_conv(c);
	if (c->wrong)
		return;
	node_want_quantized(c, graph_elements(w) / w->size[0]);
	node_want_vector(
	    c, c->in[4], w->size[0], "the scales are not one number for each channel");
}

void graph_rule_norm(struct node_check *c)
{
	graph_rule_alike(c);
	node_want_vector(c, c->in[1], shape_last(c->in[0]), "the gain has another size");
	node_want_vector(c, c->in[2], shape_last(c->in[0]), "the shift has another size");
}

void graph_rule_channel_norm(struct node_check *c)
{
	graph_rule_alike(c);
	node_want(c, c->in[0]->dims >= 2, "the operand is not [N,C,...]");
	if (c->wrong)
		return;
	for (size_t i = 1; i < 5; i++)
		node_want_vector(c, c->in[i], c->in[0]->size[1],
		    "a parameter is not one number for each channel");
	node_want(c,
	    c->op->kind == BACKEND_BATCHNORM ||
	        (c->op->p.norm.groups >= 1 &&
	            c->in[0]->size[1] % c->op->p.norm.groups == 0),
	    "the channels cannot be divided into the groups");
}

void graph_rule_binary(struct node_check *c)
{
	int64_t inner = c->op->p.element.inner;

	graph_rule_alike(c);
	node_want(c,
	    inner >= 1 &&
	        graph_elements(c->in[0]) % (inner * graph_elements(c->in[1])) == 0,
	    "the sizes of the operands do not fit together");
}

void graph_rule_glu(struct node_check *c)
{
	const struct graph_value *x = c->in[0], *out = c->out[0];

	node_want(c,
	    x->dims == out->dims && shape_last(x) == 2 * shape_last(out) &&
	        graph_elements(x) == 2 * graph_elements(out),
	    "the result is not half as wide as the operand");
}

void graph_rule_pool(struct node_check *c)
{
	const struct graph_value *x = c->in[0], *out = c->out[0];

	node_want(c, x->dims == 4 && out->dims == 4, "it takes [N,C,H,W]");
	for (uint32_t i = 0; !c->wrong && i < 2; i++) {
		int64_t kernel = c->op->p.pool.kernel[i];

		node_want(c,
		    c->op->p.pool.before[i] < kernel && c->op->p.pool.after[i] < kernel,
		    "pad= is not smaller than the kernel");
		node_want(c,
		    out->size[2 + i] == window(x->size[2 + i], c->op->p.pool.before[i],
		                            c->op->p.pool.after[i], kernel, 1,
		                            c->op->p.pool.stride[i]),
		    "the result has another height or width");
	}
}

void graph_rule_resize(struct node_check *c)
{
	node_want(c, c->in[0]->dims == 4 && c->out[0]->dims == 4, "it takes [N,C,H,W]");
	node_want(c,
	    c->in[0]->size[0] == c->out[0]->size[0] &&
	        c->in[0]->size[1] == c->out[0]->size[1],
	    "the result has other images or channels");
}
