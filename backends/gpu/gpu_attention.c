/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes attention: with a kernel that does not store the scores where there is one,
 * elsewhere as scores, their softmax, and the product with the values. Where the rows of
 * heads and tokens are fewer than the multiprocessors, as when a model generates tokens for
 * one prompt, several groups of such a kernel divide the keys of a row.
 */
#include "gpu_call.h"
#include "gpu_ops.h"
#include "gpu_product.h"

/* Returns the type of scores and sums, which is at least float32. */
static enum backend_dtype accumulator_dtype(enum backend_dtype dtype)
{
	return gpu_dtype_bytes(dtype) < sizeof(float) ? BACKEND_FLOAT32 : dtype;
}

/* The sizes of an attention over the first `keys` keys, and where the scratch memory has
 * its scores and their softmax, in bytes. */
struct attention {
	enum backend_dtype real; /* of the scores and of sums */
	int64_t batches, tokens, keys, heads, kv_heads;
	int64_t shared;         /* the heads that have the same keys */
	int64_t width, v_width; /* of a head of the keys, and of the values */
	/* With one token, the heads that share keys are the rows of one product. */
	bool stacked;
	size_t scores_at, softmax_at;
};

static struct attention attention_measure(const struct backend_op *op, int64_t keys)
{
	const struct backend_tensor *q = op->in[0], *v = op->in[2];
	const int64_t heads = op->p.attention.heads, kv_heads = op->p.attention.kv_heads;

	return (struct attention){ .real = accumulator_dtype(q->dtype),
		.batches = q->size[0],
		.tokens = q->size[1],
		.keys = keys,
		.heads = heads,
		.kv_heads = kv_heads,
		.shared = heads / kv_heads,
		.width = q->size[2] / heads,
		.v_width = v->size[2] / kv_heads,
		.stacked = q->size[1] == 1 && heads > kv_heads };
}

/* Takes the scratch memory. Scores of q's type are replaced by their softmax. */
static void attention_take_room(
    struct gpu *g, const struct backend_op *op, struct attention *a)
{
	const enum backend_dtype dtype = op->in[0]->dtype;
	const size_t scores = (size_t)(a->batches * a->heads * a->tokens * a->keys);
	size_t used = 0;

	gpu_room_take(g, scores * gpu_dtype_bytes(a->real), &a->scores_at, &used);
	a->softmax_at = a->scores_at;
	if (a->real != dtype)
		gpu_room_take(g, scores * gpu_dtype_bytes(dtype), &a->softmax_at, &used);
}

/* Computes the scores[b,heads,t,keys], q times k times the scale. */
static int attention_run_scores(
    struct gpu *g, const struct backend_op *op, const struct attention *a, char *why)
{
	const struct backend_tensor *q = op->in[0], *k = op->in[1];
	const int64_t matrix = a->tokens * a->keys;
	struct gpu_product qk = {
		.dtype = q->dtype,
		.out = a->real,
		.transpose_b = true,
		.m = a->stacked ? a->shared : a->tokens,
		.n = a->keys,
		.k = a->width,
		.alpha = op->p.attention.scale,
		.a = gpu_tensor_handle(q),
		.b = gpu_tensor_handle(k),
		.c = g->room,
		.a_at = q->offset,
		.b_at = k->offset,
		.c_at = (int64_t)(a->scores_at / gpu_dtype_bytes(a->real)),
		.a_ld = a->stacked ? a->width : q->stride[1],
		.b_ld = k->stride[1],
		.c_ld = a->keys,
	};
	const struct gpu_batch batch[3] = {
		{ a->batches, q->stride[0], k->stride[0], a->heads * matrix },
		{ a->kv_heads, a->shared * a->width, a->width, a->shared * matrix },
		{ a->stacked ? 1 : a->shared, a->width, 0, matrix },
	};

	return gpu_product_run(g, &qk, batch, why);
}

/* Computes softmax(scores + bias). */
static int attention_run_softmax(
    struct gpu *g, const struct backend_op *op, const struct attention *a, char *why)
{
	const struct backend_tensor *q = op->in[0], *bias = op->in[3];
	const struct gpu_kernel kernel = { .file = "norm",
		.name = "attention_softmax",
		.dtype = q->dtype,
		.other = a->real };
	struct gpu_call c =
	    gpu_call_begin(g, kernel, a->batches * a->heads * a->tokens, why);

	gpu_call_buffer(&c, g->room, (int64_t)(a->softmax_at / gpu_dtype_bytes(q->dtype)));
	gpu_call_buffer(&c, g->room, (int64_t)(a->scores_at / gpu_dtype_bytes(a->real)));
	gpu_call_tensor(&c, bias);
	GPU_CALL_INTS(&c, bias ? bias->stride[0] : 0, bias ? bias->stride[1] : 0, a->heads,
	    a->tokens, a->keys, op->p.attention.causal);
	gpu_call_past(&c, op->past);
	return gpu_call_rows(&c, why);
}

/* Computes the results, the softmax times v. */
static int attention_run_values(
    struct gpu *g, const struct backend_op *op, const struct attention *a, char *why)
{
	const struct backend_tensor *v = op->in[2], *out = op->out[0];
	const enum backend_dtype dtype = op->in[0]->dtype;
	const int64_t matrix = a->tokens * a->keys;
	struct gpu_product av = {
		.dtype = dtype,
		.out = dtype,
		.m = a->stacked ? a->shared : a->tokens,
		.n = a->v_width,
		.k = a->keys,
		.alpha = 1,
		.a = g->room,
		.b = gpu_tensor_handle(v),
		.c = gpu_tensor_handle(out),
		.a_at = (int64_t)(a->softmax_at / gpu_dtype_bytes(dtype)),
		.b_at = v->offset,
		.c_at = out->offset,
		.a_ld = a->keys,
		.b_ld = v->stride[1],
		.c_ld = a->stacked ? a->v_width : out->stride[1],
	};
	const struct gpu_batch batch[3] = {
		{ a->batches, a->heads * matrix, v->stride[0], out->stride[0] },
		{ a->kv_heads, a->shared * matrix, a->v_width, a->shared * a->v_width },
		{ a->stacked ? 1 : a->shared, matrix, 0, a->v_width },
	};

	return gpu_product_run(g, &av, batch, why);
}

/* Computes the attention over the first `keys` keys. */
static int attention_run(
    struct gpu *g, const struct backend_op *op, int64_t keys, char *why)
{
	struct attention a = attention_measure(op, keys);

	attention_take_room(g, op, &a);
	if (attention_run_scores(g, op, &a, why) || attention_run_softmax(g, op, &a, why))
		return -1;
	return attention_run_values(g, op, &a, why);
}

/* Returns whether the rows of a tensor begin at multiples of 16 bytes. */
static bool tensor_is_aligned(const struct backend_tensor *t)
{
	const int64_t each = 16 / (int64_t)gpu_dtype_bytes(t->dtype);

	return t->offset % each == 0 && t->stride[0] % each == 0 &&
	       t->stride[1] % each == 0;
}

/* A kernel of kernels/attention.cl, attention_float.cl or attention_row.cl, whose groups of
 * work-items have `rows` rows. */
struct attention_kernel {
	struct gpu_kernel kernel;
	int64_t rows;
	int64_t shares; /* of the keys, which have a group each */
	int64_t wide;   /* the columns of a share's results */
};

/* Returns the rows of a group of attention_float: the most with which there are groups for
 * the whole device. */
static int64_t float_rows_choose(const struct gpu *g, int64_t parts, int64_t rows)
{
	enum { FEWEST = 16, MOST = 64 };
	int64_t group = MOST;

	while (group > FEWEST && parts * (rows / group) < 2 * (int64_t)g->units)
		group /= 2;
	return group;
}

/* Chooses the kernel with tiles for an attention. Returns false if there is none for its
 * type, the width of its heads, its strides or its scale. */
static bool tile_kernel_choose(
    const struct gpu *g, const struct backend_op *op, struct attention_kernel *kernel)
{
	enum { WIDEST = 160, WIDEST_MANY = 64, WIDEST_FLOAT = 64 };
	enum { SPLIT_ROWS = 16, ROWS = 64, LEAST_KEYS = 256 };
	const struct backend_tensor *q = op->in[0], *k = op->in[1], *v = op->in[2];
	const int64_t heads = op->p.attention.heads, kv_heads = op->p.attention.kv_heads;
	const int64_t width = q->size[2] / heads;
	const int64_t each = 16 / (int64_t)gpu_dtype_bytes(q->dtype);
	const int64_t rows = q->size[1] * (heads / kv_heads);
	const int64_t split =
	    q->size[0] * kv_heads * ((rows + SPLIT_ROWS - 1) / SPLIT_ROWS);

	if (!g->tensor_cores || width % each || op->p.attention.scale <= 0 ||
	    v->size[2] != k->size[2] || !tensor_is_aligned(q) || !tensor_is_aligned(k) ||
	    !tensor_is_aligned(v) || !tensor_is_aligned(op->out[0]))
		return false;
	if (gpu_dtype_bytes(q->dtype) == sizeof(float)) {
		const int64_t own = float_rows_choose(g, q->size[0] * kv_heads, rows);

		*kernel = (struct attention_kernel){
			.kernel =
			    gpu_kernel_of("attention_float", "attention_float", q->dtype),
			.rows = own,
			.shares = 1,
		};
		kernel->kernel.states = own;
		return width <= WIDEST_FLOAT;
	}
	const int64_t states = (width + 15) / 16 * 16;

	*kernel = (struct attention_kernel){
		.kernel = gpu_kernel_of("attention", "attention", q->dtype),
		.rows = ROWS,
		.shares = 1,
		.wide = states,
	};
	kernel->kernel.states = states;
	/* with few groups, the warps of a group share its rows, which are fewer */
	if (split <= 2 * (int64_t)g->units) {
		kernel->kernel.name = "attention_split";
		kernel->rows = SPLIT_ROWS;
		kernel->shares = gpu_shares(g, split, k->size[1], LEAST_KEYS);
	} else if (split > 8 * (int64_t)g->units && states <= WIDEST_MANY) {
		kernel->kernel.name = "attention_many";
	}
	return gpu_dtype_bytes(q->dtype) == 2 && width <= WIDEST;
}

/* Returns the groups of a kernel for an attention. */
static int64_t kernel_groups(
    const struct backend_op *op, const struct attention_kernel *kernel)
{
	const struct backend_tensor *q = op->in[0];
	const int64_t heads = op->p.attention.heads, kv_heads = op->p.attention.kv_heads;
	const int64_t rows = q->size[1] * (heads / kv_heads);

	return q->size[0] * kv_heads * ((rows + kernel->rows - 1) / kernel->rows) *
	       kernel->shares;
}

/* Chooses the kernel with a row in each group, for a few tokens. Tiles waste most of their
 * rows on these; and products take three kernels, and with a cache the number of keys from
 * the host. Returns false if something else suits better. */
static bool row_kernel_choose(const struct gpu *g, const struct backend_op *op,
    const struct attention_kernel *tiles, struct attention_kernel *kernel)
{
	/* The results of LEAST_KEYS keys are less than a fiftieth of their bytes. */
	enum { MOST_TOKENS = 4, WIDEST = 256, LEAST_KEYS = 64 };
	const struct backend_tensor *q = op->in[0], *k = op->in[1], *v = op->in[2];
	const int64_t heads = op->p.attention.heads, kv_heads = op->p.attention.kv_heads;
	const int64_t width = q->size[2] / heads, v_width = v->size[2] / kv_heads;
	const int64_t rows = q->size[0] * q->size[1] * heads;

	if (g->wide || q->size[1] > MOST_TOKENS || width > WIDEST || v_width > WIDEST)
		return false;
	if (tiles && (gpu_dtype_bytes(q->dtype) != sizeof(float) ||
	                 (q->size[1] * (heads / kv_heads) > MOST_TOKENS &&
	                     kernel_groups(op, tiles) >= (int64_t)g->units)))
		return false;
	*kernel = (struct attention_kernel){
		.kernel = gpu_kernel_of("attention_row", "attention_row", q->dtype),
		.rows = 1,
		.shares = gpu_shares(g, rows, k->size[1], LEAST_KEYS),
		.wide = v_width,
	};
	kernel->kernel.states = width;
	return true;
}

/* Takes the scratch memory for the results of shares, if there are several. */
static void shares_take_room(
    struct gpu *g, const struct backend_op *op, const struct attention_kernel *kernel)
{
	const struct backend_tensor *q = op->in[0];
	const int64_t rows = q->size[0] * q->size[1] * op->p.attention.heads;
	size_t at, used = 0;

	if (kernel->shares > 1)
		gpu_room_take(g,
		    (size_t)(rows * kernel->shares * (kernel->wide + 2)) *
		        gpu_dtype_bytes(accumulator_dtype(q->dtype)),
		    &at, &used);
}

/* Combines the results of shares, which are in g->room, if there are several. */
static int shares_join(struct gpu *g, const struct backend_op *op,
    const struct attention_kernel *kernel, char *why)
{
	enum { WARP = 32 };
	const struct backend_tensor *q = op->in[0], *v = op->in[2], *out = op->out[0];
	const int64_t heads = op->p.attention.heads, kv_heads = op->p.attention.kv_heads;
	const int64_t rows = q->size[0] * q->size[1] * heads, width = v->size[2] / kv_heads;

	if (kernel->shares == 1)
		return 0;
	struct gpu_call c = gpu_call_begin(
	    g, gpu_kernel_of("attention_join", "attention_join", q->dtype), rows, why);

	gpu_call_tensor(&c, out);
	gpu_call_buffer(&c, g->room, 0);
	gpu_call_long(&c, out->stride[0]);
	gpu_call_long(&c, out->stride[1]);
	GPU_CALL_INTS(&c, kv_heads, heads / kv_heads, q->size[1], width, kernel->wide,
	    kernel->shares);
	return gpu_call_go(&c, rows, (uint32_t)((width + WARP - 1) / WARP * WARP), why);
}

/* Appends the tensors of an attention with their strides. */
static void call_add_tensors(struct gpu_call *c, const struct backend_op *op)
{
	const struct backend_tensor *const tensor[] = { op->out[0], op->in[0], op->in[1],
		op->in[2] };
	const struct backend_tensor *bias = op->in[3];

	for (size_t i = 0; i < 4; i++)
		gpu_call_tensor(c, tensor[i]);
	gpu_call_tensor(c, bias);
	for (size_t i = 0; i < 4; i++) {
		gpu_call_long(c, tensor[i]->stride[0]);
		gpu_call_long(c, tensor[i]->stride[1]);
	}
	gpu_call_long(c, bias ? bias->stride[0] : 0);
	gpu_call_long(c, bias ? bias->stride[1] : 0);
}

static int attention_run_tiles(struct gpu *g, const struct backend_op *op,
    const struct attention_kernel *kernel, char *why)
{
	enum { GROUP_SIZE = 128 };
	const struct backend_tensor *q = op->in[0];
	const int64_t heads = op->p.attention.heads, kv_heads = op->p.attention.kv_heads;
	const int64_t groups = kernel_groups(op, kernel);

	shares_take_room(g, op, kernel);
	struct gpu_call c = gpu_call_begin(g, kernel->kernel, groups, why);

	call_add_tensors(&c, op);
	GPU_CALL_INTS(&c, kv_heads, heads / kv_heads, q->size[1], op->in[1]->size[1],
	    q->size[2] / heads, op->p.attention.causal, op->p.attention.cached);
	gpu_call_real(&c, op->p.attention.scale);
	gpu_call_past(&c, op->past);
	if (gpu_dtype_bytes(q->dtype) == sizeof(float))
		return gpu_call_go(&c, groups, GROUP_SIZE, why);
	gpu_call_buffer(&c, g->room, 0);
	gpu_call_int(&c, kernel->shares);
	return gpu_call_go(&c, groups, GROUP_SIZE, why) ? -1
	                                                : shares_join(g, op, kernel, why);
}

static int attention_run_rows(struct gpu *g, const struct backend_op *op,
    const struct attention_kernel *kernel, char *why)
{
	const struct backend_tensor *q = op->in[0];
	const int64_t heads = op->p.attention.heads, kv_heads = op->p.attention.kv_heads;
	const int64_t groups = kernel_groups(op, kernel);
	int64_t lanes = 1;

	while (lanes < kernel->wide)
		lanes *= 2;
	shares_take_room(g, op, kernel);
	struct gpu_call c = gpu_call_begin(g, kernel->kernel, groups, why);

	call_add_tensors(&c, op);
	GPU_CALL_INTS(&c, kv_heads, heads / kv_heads, q->size[1], op->in[1]->size[1],
	    kernel->wide, lanes, op->p.attention.causal, op->p.attention.cached);
	gpu_call_real(&c, op->p.attention.scale);
	gpu_call_past(&c, op->past);
	gpu_call_buffer(&c, g->room, 0);
	gpu_call_int(&c, kernel->shares);
	return gpu_call_go(&c, groups, gpu_group(g), why) ? -1
	                                                  : shares_join(g, op, kernel, why);
}

int gpu_op_attention(struct gpu *g, const struct backend_op *op, char *why)
{
	struct attention_kernel tiles, rows;
	const int64_t all = op->in[1]->size[1], tokens = op->in[0]->size[1];
	const bool has_tiles = tile_kernel_choose(g, op, &tiles);

	if (row_kernel_choose(g, op, has_tiles ? &tiles : NULL, &rows))
		return attention_run_rows(g, op, &rows, why);
	if (has_tiles)
		return attention_run_tiles(g, op, &tiles, why);
	if (!op->p.attention.cached)
		return attention_run(g, op, all, why);
	/* the products depend on the number of keys */
	g->needs_past = true;
	if (g->recording)
		return 0;
	/* it is not known yet: make room for all, and try both ends */
	if (g->phase != GPU_RUN && attention_run(g, op, all, why))
		return -1;
	return attention_run(g, op, op->past + tokens, why);
}
