/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hooks for operations that the GPU backends share; see gpu.h.
 */
#include "gpu.h"
#include "gpu_layout.h"
#include "gpu_list.h"
#include "gpu_ops.h"
#include "gpu_tensor.h"

#define BIT(kind) (1u << (kind))

enum {
	ALL_FLOATS = BIT(BACKEND_FLOAT32) | BIT(BACKEND_FLOAT64) | BIT(BACKEND_FLOAT16) |
	             BIT(BACKEND_BFLOAT16) | BIT(BACKEND_TF32)
};

enum { ALL = UINT8_MAX }; /* inputs or outputs */

static const struct {
	gpu_operation *run;
	/* Makes the table that the operation reads; NULL: none. */
	int (*table)(struct gpu *g, struct backend_op *op, char *why);
	/* Bit i: input or output i may have a type that the device does not compute in. */
	uint8_t any_in, any_out;
	bool is_long; /* the kernels have indices of 64 bits */
} operations[BACKEND_KINDS] = {
	[BACKEND_NOP] = { .run = gpu_op_nop },
	[BACKEND_COPY] = { .run = gpu_op_stream,
	    .any_in = ALL,
	    .any_out = ALL,
	    .is_long = true },
	[BACKEND_SCALE] = { .run = gpu_op_stream, .is_long = true },
	[BACKEND_TRIAD] = { .run = gpu_op_stream, .is_long = true },
	[BACKEND_AXPY] = { .run = gpu_op_stream, .is_long = true },
	[BACKEND_DOT] = { .run = gpu_op_dot, .is_long = true },
	[BACKEND_FMA] = { .run = gpu_op_chain, .is_long = true },
	[BACKEND_GEMV] = { .run = gpu_op_gemv, .is_long = true },
	[BACKEND_GEMM] = { .run = gpu_op_gemm, .table = gpu_table_gemm },
	[BACKEND_CONV] = { .run = gpu_op_conv, .table = gpu_table_conv },
	[BACKEND_ATTENTION] = { .run = gpu_op_attention },
	[BACKEND_LAYERNORM] = { .run = gpu_op_layernorm },
	[BACKEND_RMSNORM] = { .run = gpu_op_rmsnorm },
	[BACKEND_GROUPNORM] = { .run = gpu_op_groupnorm },
	[BACKEND_BATCHNORM] = { .run = gpu_op_batchnorm },
	[BACKEND_SOFTMAX] = { .run = gpu_op_softmax },
	[BACKEND_UNARY] = { .run = gpu_op_unary },
	[BACKEND_BINARY] = { .run = gpu_op_binary },
	[BACKEND_ROUND] = { .run = gpu_op_round },
	[BACKEND_CELL] = { .run = gpu_op_cell },
	[BACKEND_GLU] = { .run = gpu_op_glu },
	[BACKEND_GATHER] = { .run = gpu_op_gather, .any_in = BIT(1) },
	[BACKEND_POOL] = { .run = gpu_op_pool },
	[BACKEND_RESIZE] = { .run = gpu_op_resize },
	[BACKEND_MOVE] = { .run = gpu_op_move, .any_in = ALL, .any_out = ALL },
	[BACKEND_ROPE] = { .run = gpu_op_rope, .table = gpu_table_rope },
	[BACKEND_RELATIVE] = { .run = gpu_op_relative, .table = gpu_table_relative },
	[BACKEND_SINUSOID] = { .run = gpu_op_sinusoid,
	    .table = gpu_table_sinusoid,
	    .any_in = BIT(0) },
	[BACKEND_SCAN] = { .run = gpu_op_scan, .any_in = BIT(7) },
	[BACKEND_CAUSAL_CONV] = { .run = gpu_op_causal_conv },
	[BACKEND_ROUTE] = { .run = gpu_op_route, .any_out = BIT(1) },
	[BACKEND_EXPERTS] = { .run = gpu_op_experts, .any_in = BIT(2) },
	[BACKEND_COMBINE] = { .run = gpu_op_combine },
	[BACKEND_TOPK] = { .run = gpu_op_topk, .any_out = BIT(1) },
	[BACKEND_TREES] = { .run = gpu_op_trees, .any_in = BIT(1) | BIT(3) | BIT(5) },
};

static struct gpu *gpu_of(struct backend_session *s)
{
	return (struct gpu *)s;
}

/* Returns whether the type of input or output i may be one that the device does not compute
 * in. */
static bool tensor_is_any_type(const struct backend_op *op, bool out, size_t i)
{
	const uint8_t any =
	    out ? operations[op->kind].any_out : operations[op->kind].any_in;

	return (any >> i & 1) ||
	       (op->kind == BACKEND_GEMM && op->in[0]->dtype == BACKEND_INT8);
}

/* Returns whether the kernels of an operation have indices of 64 bits. */
static bool op_is_long(const struct backend_op *op)
{
	if (op->kind == BACKEND_BINARY)
		return gpu_binary_is_stream(op);
	if (op->kind == BACKEND_GEMM) /* without the pass over its result */
		return !op->in[2] && !op->in[3] && op->act == BACKEND_LINEAR;
	return operations[op->kind].is_long;
}

static int tensor_check(const struct gpu *g, const struct backend_op *op, bool out,
    size_t i, const struct backend_tensor *t, char *why)
{
	struct gpu_steps steps;
	int64_t last = 0;

	for (uint32_t d = 0; d < t->dims; d++)
		last += (t->size[d] - 1) * t->stride[d];
	if (last >= INT32_MAX - 65536 && !op_is_long(op))
		return hook_fail(
		    why, "tensors of 2^31 elements or more are not supported here");
	for (uint32_t d = 0; d < t->dims && t->dims > 1; d++)
		if (t->size[d] > INT32_MAX - 65536)
			return hook_fail(
			    why, "2^31 rows or columns or more are not supported");
	if (!gpu_tensor_steps(t, &steps) && op->kind != BACKEND_MOVE)
		return hook_fail(
		    why, "strided rows in two of four dimensions are not supported");
	if (tensor_is_any_type(op, out, i))
		return 0;
	if (!(ALL_FLOATS >> t->dtype & 1))
		return hook_fail(
		    why, "this operation is not supported in %s", gpu_dtype_name(t->dtype));
	if (!(g->dtypes >> t->dtype & 1))
		return hook_fail(
		    why, "the device does not compute in %s", gpu_dtype_name(t->dtype));
	return 0;
}

int gpu_supports(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct gpu *g = gpu_of(s);

	for (size_t i = 0; i < BACKEND_INS; i++)
		if (op->in[i] && tensor_check(g, op, false, i, op->in[i], why))
			return -1;
	for (size_t i = 0; i < BACKEND_OUTS; i++)
		if (op->out[i] && tensor_check(g, op, true, i, op->out[i], why))
			return -1;
	if (op->kind == BACKEND_GEMM && op->in[0]->dtype == BACKEND_INT8 &&
	    (op->in[2] || op->in[3] || op->act || op->p.gemm.alpha != 1 ||
	        op->out[0]->dtype != BACKEND_INT32))
		return hook_fail(why, "a product of int8 must be int32, without bias, "
		                      "addend, factor and activation");
	if (op->kind == BACKEND_SCAN && gpu_tensor_columns(op->in[2]) > 256)
		return hook_fail(why, "more than 256 states are not supported");
	if (op->kind == BACKEND_TOPK && op->p.route.k > gpu_tensor_columns(op->in[0]))
		return hook_fail(why, "k is larger than the number of elements");
	return 0;
}

static int list_run(struct gpu *g, const struct backend_op *op, size_t count, char *why)
{
	for (size_t i = 0; i < count; i++)
		if (operations[op[i].kind].run(g, &op[i], why))
			return -1;
	return 0;
}

static int list_prepare(struct gpu *g, struct backend_op *op, size_t count, char *why)
{
	struct backend_session *s = (struct backend_session *)g;

	gpu_layout_choose(g, op, count);
	for (size_t i = 0; i < count; i++)
		if (operations[op[i].kind].table &&
		    operations[op[i].kind].table(g, &op[i], why))
			return -1;
	g->phase = GPU_MEASURE;
	g->scratch_needed = 1;
	if (list_run(g, op, count, why) || gpu_sync(s, why) || gpu_room_fit(g, why))
		return -1;
	g->scratch = g->driver->alloc(g, g->scratch_needed, why);
	if (!g->scratch)
		return -1;
	g->phase = GPU_WARM;
	const int result = list_run(g, op, count, why) ? -1 : gpu_sync(s, why);
	g->driver->free(g, g->scratch);
	g->scratch = NULL;
	return result;
}

int gpu_prepare(struct backend_session *s, struct backend_op *op, size_t count, char *why)
{
	gpu_account_begin(gpu_of(s));
	const int result = list_prepare(gpu_of(s), op, count, why);

	gpu_of(s)->phase = GPU_RUN;
	if (result)
		gpu_release(s, op, count);
	else
		gpu_list_add(gpu_of(s), op, count, list_run);
	gpu_account_end(gpu_of(s));
	return result;
}

void gpu_release(struct backend_session *s, struct backend_op *op, size_t count)
{
	gpu_list_remove(gpu_of(s), op);
	for (size_t i = 0; i < count; i++) {
		gpu_free(s, op[i].own);
		op[i].own = NULL;
	}
}

int gpu_run(struct backend_session *s, const struct backend_op *op, char *why)
{
	return operations[op->kind].run(gpu_of(s), op, why);
}

int gpu_run_list(
    struct backend_session *s, const struct backend_op *op, size_t count, char *why)
{
	return gpu_list_run(gpu_of(s), op, count, list_run, why);
}

int gpu_time_list(struct backend_session *s, const struct backend_op *op, size_t count,
    struct backend_op_span *span, char *why)
{
	return gpu_list_time(gpu_of(s), op, count, list_run, span, why);
}

bool gpu_is_graph(struct backend_session *s, const struct backend_op *op, size_t count)
{
	(void)count;
	return gpu_list_is_graph(gpu_of(s), op);
}
