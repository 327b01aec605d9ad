/*
 * The rules of backend.h; see graph_check.h. A rule is a function of one operation; the
 * first of its wants that fails is the message, later ones are passed over.
 */
#include "graph/dtype.h"
#include "graph/graph_check.h"

struct check {
	const struct graph *g;
	const struct backend_op *op;
	const struct graph_value *in[BACKEND_INS], *out[BACKEND_OUTS];
	const char *wrong;
};

static void want(struct check *c, bool fine, const char *wrong)
{
	if (!fine && !c->wrong)
		c->wrong = wrong;
}

static bool contiguous(const struct graph_value *v)
{
	int64_t stride = 1;

	for (uint32_t i = v->dims; i-- > 0; stride *= v->size[i])
		if (v->size[i] != 1 && v->stride[i] != stride)
			return false;
	return true;
}

/* The innermost elements side by side, rows in order and not into each other. */
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

static int64_t last(const struct graph_value *v)
{
	return v->size[v->dims - 1];
}

static bool same_shape(const struct graph_value *a, const struct graph_value *b)
{
	bool same = a->dims == b->dims;

	for (uint32_t i = 0; same && i < a->dims; i++)
		same = a->size[i] == b->size[i];
	return same;
}

static bool shape_is(
    const struct graph_value *v, uint32_t dims, int64_t a, int64_t b, int64_t c, int64_t d)
{
	const int64_t size[BACKEND_DIMS] = { a, b, c, d };
	bool same = v->dims == dims;

	for (uint32_t i = 0; same && i < dims; i++)
		same = v->size[i] == size[i];
	return same;
}

/* An optional vector of n elements. */
static void want_vector(
    struct check *c, const struct graph_value *v, int64_t n, const char *wrong)
{
	want(c, !v || shape_is(v, 1, n, 0, 0, 0), wrong);
}

static void want_alike(struct check *c)
{
	want(c, same_shape(c->in[0], c->out[0]), "in and out have different sizes");
}

static void check_stream(struct check *c)
{
	want_alike(c);
	want(c, !c->in[1] || same_shape(c->in[0], c->in[1]),
	    "operands have different sizes");
	want(c, c->op->kind != BACKEND_FMA || c->op->p.stream.repeat >= 1,
	    "repeat is less than 1");
}

static void check_dot(struct check *c)
{
	want(c, same_shape(c->in[0], c->in[1]), "operands have different sizes");
	want(c, shape_is(c->out[0], 1, 1, 0, 0, 0), "the result is not one number");
}

static void check_gemv(struct check *c)
{
	want(c, c->in[0]->dims == 2 && c->in[1]->dims == 1, "it takes [m,k] and [k]");
	want(c, last(c->in[0]) == last(c->in[1]), "the inner sizes differ");
	want(
	    c, shape_is(c->out[0], 1, c->in[0]->size[0], 0, 0, 0), "the result is not [m]");
}

static void check_gemm(struct check *c)
{
	const struct graph_value *a = c->in[0], *b = c->in[1], *out = c->out[0];
	uint32_t dims = a->dims;
	bool across = c->op->p.gemm.transpose;

	want(c, (dims == 2 || dims == 3) && b->dims == dims && out->dims == dims,
	    "its operands have neither all 2 nor all 3 dimensions");
	if (c->wrong)
		return;
	int64_t k = b->size[dims - (across ? 1 : 2)], n = b->size[dims - (across ? 2 : 1)];
	want(c, a->size[dims - 1] == k, "the inner sizes of the product differ");
	want(c, dims == 2 || b->size[0] == 1 || b->size[0] == a->size[0],
	    "the batches differ");
	want(c,
	    out->size[0] == a->size[0] && out->size[dims - 2] == a->size[dims - 2] &&
	        out->size[dims - 1] == n,
	    "the result is not [m,n]");
	want_vector(c, c->in[2], n, "the bias is not one number a column");
	want(c, !c->in[3] || same_shape(c->in[3], out), "what is added is not of its size");
	want(c, c->op->act == BACKEND_LINEAR || dtype_is_float(a->dtype),
	    "whole numbers have no activation");
}

static int64_t window(int64_t size, int64_t before, int64_t after, int64_t kernel,
    int64_t dilation, int64_t stride)
{
	int64_t room = size + before + after - dilation * (kernel - 1) - 1;

	return room < 0 ? 0 : room / stride + 1;
}

static void check_conv(struct check *c)
{
	const struct graph_value *x = c->in[0], *w = c->in[1], *out = c->out[0];
	int64_t groups = c->op->p.conv.groups;

	want(c, x->dims == 4 && w->dims == 4 && out->dims == 4, "it takes [N,C,H,W]");
	want(c, groups >= 1, "groups is less than 1");
	if (c->wrong)
		return;
	want(c, w->size[0] % groups == 0 && x->size[1] == w->size[1] * groups,
	    "the channels do not go into the groups");
	want(c, out->size[0] == x->size[0] && out->size[1] == w->size[0],
	    "the result has other images or channels");
	for (uint32_t i = 0; i < 2; i++)
		want(c,
		    out->size[2 + i] == window(x->size[2 + i], c->op->p.conv.before[i],
		                            c->op->p.conv.after[i], w->size[2 + i],
		                            c->op->p.conv.dilation[i],
		                            c->op->p.conv.stride[i]),
		    "the result has another height or width");
	want_vector(c, c->in[2], w->size[0], "the bias is not one number a channel");
	want(c, !c->in[3] || same_shape(c->in[3], out), "what is added is not of its size");
}

static void check_attention(struct check *c)
{
	const struct graph_value *q = c->in[0], *k = c->in[1], *v = c->in[2],
	                         *bias = c->in[3], *out = c->out[0];
	int64_t heads = c->op->p.attention.heads, kv = c->op->p.attention.kv_heads;

	want(c, q->dims == 3 && k->dims == 3 && v->dims == 3 && out->dims == 3,
	    "it takes [batch,tokens,width]");
	want(c, heads >= 1 && kv >= 1 && heads % kv == 0,
	    "the heads are no multiple of the key-value heads");
	if (c->wrong)
		return;
	want(c, q->size[2] % heads == 0 && k->size[2] % kv == 0 && v->size[2] % kv == 0,
	    "the width is no multiple of the heads");
	want(c, q->size[2] / heads == k->size[2] / kv,
	    "heads of queries and of keys have different sizes");
	want(c, q->size[0] == k->size[0] && q->size[0] == v->size[0], "the batches differ");
	want(c, k->size[1] == v->size[1], "there are more keys than values, or fewer");
	want(c, shape_is(out, 3, q->size[0], q->size[1], v->size[2] / kv * heads, 0),
	    "the result has other sizes");
	want(c,
	    !c->op->p.attention.causal || c->op->p.attention.cached ||
	        k->size[1] >= q->size[1],
	    "it has fewer keys than queries");
	want(c, !bias || shape_is(bias, 3, heads, q->size[1], k->size[1], 0),
	    "the bias is not [heads,queries,keys]");
}

static void check_norm(struct check *c)
{
	want_alike(c);
	want_vector(c, c->in[1], last(c->in[0]), "the gain has another size");
	want_vector(c, c->in[2], last(c->in[0]), "the shift has another size");
}

static void check_channel_norm(struct check *c)
{
	want_alike(c);
	want(c, c->in[0]->dims >= 2, "it takes [N,C,...]");
	if (c->wrong)
		return;
	for (size_t i = 1; i < 5; i++)
		want_vector(
		    c, c->in[i], c->in[0]->size[1], "there is not one number a channel");
	want(c,
	    c->op->kind == BACKEND_BATCHNORM ||
	        (c->op->p.norm.groups >= 1 &&
	            c->in[0]->size[1] % c->op->p.norm.groups == 0),
	    "the channels do not go into the groups");
}

static void check_binary(struct check *c)
{
	int64_t inner = c->op->p.element.inner;

	want_alike(c);
	want(c,
	    inner >= 1 &&
	        graph_elements(c->in[0]) % (inner * graph_elements(c->in[1])) == 0,
	    "the sizes of the second operand do not go into those of the first");
}

static void check_glu(struct check *c)
{
	const struct graph_value *x = c->in[0], *out = c->out[0];

	want(c,
	    x->dims == out->dims && last(x) == 2 * last(out) &&
	        graph_elements(x) == 2 * graph_elements(out),
	    "the result is not half as wide");
}

static void check_gather(struct check *c)
{
	const struct graph_value *table = c->in[0], *ids = c->in[1], *out = c->out[0];

	want(c, table->dims == 2 && out->dims == 3,
	    "it makes [batch,tokens,width] of [rows,width]");
	if (c->wrong)
		return;
	want(c, last(out) == last(table), "the widths differ");
	want(c, !ids || shape_is(ids, 2, out->size[0], out->size[1], 0, 0),
	    "the numbers are not [batch,tokens]");
	want(c, ids || c->op->p.gather.first + out->size[1] <= table->size[0],
	    "the table has fewer rows than there are tokens");
}

static void check_pool(struct check *c)
{
	const struct graph_value *x = c->in[0], *out = c->out[0];

	want(c, x->dims == 4 && out->dims == 4, "it takes [N,C,H,W]");
	for (uint32_t i = 0; !c->wrong && i < 2; i++) {
		int64_t kernel = c->op->p.pool.kernel[i];

		want(c, c->op->p.pool.before[i] < kernel && c->op->p.pool.after[i] < kernel,
		    "there is more room around it than the kernel is wide");
		want(c,
		    out->size[2 + i] == window(x->size[2 + i], c->op->p.pool.before[i],
		                            c->op->p.pool.after[i], kernel, 1,
		                            c->op->p.pool.stride[i]),
		    "the result has another height or width");
	}
}

static void check_resize(struct check *c)
{
	want(c, c->in[0]->dims == 4 && c->out[0]->dims == 4, "it takes [N,C,H,W]");
	want(c,
	    c->in[0]->size[0] == c->out[0]->size[0] &&
	        c->in[0]->size[1] == c->out[0]->size[1],
	    "the result has other images or channels");
}

static void check_rope(struct check *c)
{
	int64_t heads = c->op->p.rope.heads;

	want_alike(c);
	want(c, c->in[0]->dims == 3, "it takes [batch,tokens,width]");
	want(c, heads >= 1 && last(c->in[0]) % (2 * heads) == 0,
	    "the width is no multiple of two a head");
}

static void check_relative(struct check *c)
{
	const struct graph_value *table = c->in[0], *out = c->out[0];

	want(c, table->dims == 2 && out->dims == 3, "it makes [heads,tokens,keys]");
	want(c,
	    table->size[0] == c->op->p.relative.buckets && c->op->p.relative.buckets >= 4 &&
	        c->op->p.relative.distance > c->op->p.relative.buckets / 2,
	    "the buckets do not fit");
	want(c, table->size[1] == out->size[0], "the table has another number of heads");
}

static void check_sinusoid(struct check *c)
{
	want(c, c->in[0]->dims == 1 && c->in[0]->dtype == BACKEND_FLOAT32,
	    "it takes [N] of float32");
	want(c,
	    c->out[0]->dims == 2 && c->out[0]->size[0] == c->in[0]->size[0] &&
	        last(c->out[0]) % 2 == 0,
	    "the result is not [N,d] with an even d");
}

static void check_scan(struct check *c)
{
	const struct graph_value *x = c->in[0], *decay = c->in[2];

	want_alike(c);
	want(c, x->dims == 3 && decay->dims == 2, "it takes [batch,tokens,channels]");
	if (c->wrong)
		return;
	int64_t b = x->size[0], t = x->size[1], n = x->size[2], s = decay->size[1];
	want(c, same_shape(x, c->in[1]), "the steps have other sizes");
	want(c, decay->size[0] == n, "the decay has another number of channels");
	want(c, shape_is(c->in[3], 3, b, t, s, 0) && shape_is(c->in[4], 3, b, t, s, 0),
	    "B and C are not [batch,tokens,states]");
	want_vector(c, c->in[5], n, "D is not one number a channel");
	want_vector(c, c->in[6], n, "the bias is not one number a channel");
	want(c,
	    shape_is(c->in[7], 3, b, n, s, 0) && c->in[7]->role == BACKEND_STATE &&
	        c->in[7]->dtype == BACKEND_FLOAT32,
	    "the state is not [batch,channels,states] of float32");
}

static void check_causal_conv(struct check *c)
{
	const struct graph_value *x = c->in[0], *w = c->in[1], *out = c->out[0];

	want(c, x->dims == 3 && w->dims == 2 && out->dims == 3,
	    "it takes [batch,tokens,channels]");
	if (c->wrong)
		return;
	want(c,
	    x->size[0] == out->size[0] && x->size[2] == out->size[2] &&
	        w->size[0] == x->size[2],
	    "batches or channels differ");
	want(c, x->size[1] >= out->size[1] + w->size[1] - 1,
	    "it needs the kernel's size less one of rows before the first token");
	want_vector(c, c->in[2], x->size[2], "the bias is not one number a channel");
}

static void check_route(struct check *c)
{
	const struct graph_value *x = c->in[0];
	int64_t k = c->op->p.route.k;

	want(c, x->dims == 2, "it takes [tokens,experts]");
	want(c, k >= 1 && k <= last(x), "k is not from 1 to the number of experts");
	want(c,
	    c->out[1] && shape_is(c->out[0], 2, x->size[0], k, 0, 0) &&
	        shape_is(c->out[1], 2, x->size[0], k, 0, 0) &&
	        c->out[1]->dtype == BACKEND_INT32,
	    "the results are not [tokens,k]");
}

static void check_experts(struct check *c)
{
	const struct graph_value *x = c->in[0], *w = c->in[1], *chosen = c->in[2],
	                         *out = c->out[0];

	want(c,
	    x->dims == 2 && w->dims == 3 && chosen->dims == 2 && out->dims == 2 &&
	        chosen->dtype == BACKEND_INT32,
	    "it takes [rows,width], [experts,out,width] and [tokens,k]");
	if (c->wrong)
		return;
	int64_t k = c->op->p.route.k, rows = chosen->size[0] * k;
	want(c, last(chosen) == k, "k is not that of the choice");
	want(c, last(x) == w->size[2], "the widths differ");
	want(c, x->size[0] == rows || x->size[0] == chosen->size[0],
	    "the rows are neither one a token nor one a choice");
	want(c, out->size[0] == rows && last(out) == w->size[1],
	    "the result has other sizes");
}

static void check_combine(struct check *c)
{
	const struct graph_value *x = c->in[0], *w = c->in[1], *out = c->out[0];
	int64_t k = c->op->p.route.k;

	want(c,
	    x->dims == 2 && shape_is(w, 2, out->size[0], k, 0, 0) &&
	        x->size[0] == out->size[0] * k,
	    "it takes [tokens k,width] and [tokens,k]");
	want(c, shape_is(out, 2, w->size[0], last(x), 0, 0), "the result has other sizes");
	want(c, !c->in[2] || same_shape(c->in[2], out), "what is added is not of its size");
}

static void check_topk(struct check *c)
{
	const struct graph_value *x = c->in[0];
	int64_t k = c->op->p.route.k;

	want(c, x->dims == 2, "it takes [rows,columns]");
	want(c, k >= 1 && k <= last(x), "k is not from 1 to the number of columns");
	want(c, !c->out[0] || shape_is(c->out[0], 2, x->size[0], k, 0, 0),
	    "the values are not [rows,k]");
	want(c,
	    c->out[1] && shape_is(c->out[1], 2, x->size[0], k, 0, 0) &&
	        c->out[1]->dtype == BACKEND_INT32,
	    "the places are not [rows,k] of int32");
}

/* Sets of operands, a bit for each; which must be there, and which may have rows apart. */
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
/* What dtypes: of the whole numbers, and whether all operands have the same. */
enum { FLOATS, MAY_INT8, ANY };

static const struct rule {
	void (*check)(struct check *c);
	unsigned needs, rows, strided, other_dtype;
	int dtypes;
} rules[BACKEND_KINDS] = {
	[BACKEND_NOP] = { .dtypes = ANY },
	[BACKEND_COPY] = { check_stream, .needs = I0 | O0, .dtypes = ANY },
	[BACKEND_SCALE] = { check_stream, .needs = I0 | O0 },
	[BACKEND_TRIAD] = { check_stream, .needs = I0 | I1 | O0 },
	[BACKEND_AXPY] = { check_stream, .needs = I0 | O0 },
	[BACKEND_DOT] = { check_dot, .needs = I0 | I1 | O0, .other_dtype = O0 },
	[BACKEND_FMA] = { check_stream, .needs = I0 | O0 },
	[BACKEND_GEMV] = { check_gemv, .needs = I0 | I1 | O0 },
	[BACKEND_GEMM] = { check_gemm, .needs = I0 | I1 | O0, .rows = I0 | I1 | I3 | O0,
	    .other_dtype = I2 | I3 | O0, .dtypes = MAY_INT8 },
	[BACKEND_CONV] = { check_conv, .needs = I0 | I1 | O0 },
	[BACKEND_ATTENTION] = { check_attention, .needs = I0 | I1 | I2 | O0,
	    .rows = I0 | I1 | I2 | I3 | O0 },
	[BACKEND_LAYERNORM] = { check_norm, .needs = I0 | O0 },
	[BACKEND_RMSNORM] = { check_norm, .needs = I0 | O0 },
	[BACKEND_GROUPNORM] = { check_channel_norm, .needs = I0 | I1 | I2 | O0 },
	[BACKEND_BATCHNORM] = { check_channel_norm, .needs = I0 | I1 | I2 | I3 | I4 | O0 },
	[BACKEND_SOFTMAX] = { want_alike, .needs = I0 | O0 },
	[BACKEND_UNARY] = { want_alike, .needs = I0 | O0 },
	[BACKEND_BINARY] = { check_binary, .needs = I0 | I1 | O0 },
	[BACKEND_GLU] = { check_glu, .needs = I0 | O0, .rows = I0 },
	[BACKEND_GATHER] = { check_gather, .needs = I0 | O0, .other_dtype = I1 },
	[BACKEND_POOL] = { check_pool, .needs = I0 | O0 },
	[BACKEND_RESIZE] = { check_resize, .needs = I0 | O0 },
	[BACKEND_MOVE] = { want_alike, .needs = I0 | O0, .strided = I0 | O0,
	    .other_dtype = O0, .dtypes = ANY },
	[BACKEND_ROPE] = { check_rope, .needs = I0 | O0, .rows = I0 | O0 },
	[BACKEND_RELATIVE] = { check_relative, .needs = I0 | O0, .rows = O0 },
	[BACKEND_SINUSOID] = { check_sinusoid, .needs = I0 | O0, .other_dtype = O0 },
	[BACKEND_SCAN] = { check_scan, .needs = I0 | I1 | I2 | I3 | I4 | I5 | I6 | I7 | O0,
	    .rows = I3 | I4, .other_dtype = I7 },
	[BACKEND_CAUSAL_CONV] = { check_causal_conv, .needs = I0 | I1 | O0 },
	[BACKEND_ROUTE] = { check_route, .needs = I0 | O0 | O1, .other_dtype = O1 },
	[BACKEND_EXPERTS] = { check_experts, .needs = I0 | I1 | I2 | O0,
	    .other_dtype = I2 },
	[BACKEND_COMBINE] = { check_combine, .needs = I0 | I1 | O0 },
	[BACKEND_TOPK] = { check_topk, .needs = I0 | O1, .other_dtype = O1 },
};

static void check_operand(
    struct check *c, const struct rule *r, const struct graph_value *v, unsigned bit)
{
	want(c, v || !(r->needs & bit), "an operand is lacking");
	if (!v || c->wrong)
		return;
	want(c, v->dims >= 1 && v->dims <= BACKEND_DIMS, "an operand has no dimensions");
	if (r->rows & bit)
		want(c, in_rows(v),
		    "an operand has more than its rows apart: move it before");
	else if (!(r->strided & bit))
		want(c, contiguous(v), "an operand is not contiguous: move it before");
	want(c, r->other_dtype & bit || !c->in[0] || v->dtype == c->in[0]->dtype,
	    "the operands have different dtypes");
}

int graph_check_node(const struct graph *g, const struct graph_node *n, struct fault *f)
{
	const struct rule *r = &rules[n->op.kind];
	struct check c = { .g = g, .op = &n->op };

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
		want(&c,
		    dtype_is_float(c.in[0]->dtype) ||
		        (r->dtypes == MAY_INT8 && c.in[0]->dtype == BACKEND_INT8),
		    "it is not computed in whole numbers of this type");
	if (!c.wrong && r->check)
		r->check(&c);
	return c.wrong ? fault_set(f, "%s", c.wrong) : 0;
}
