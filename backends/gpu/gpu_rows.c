/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs operations whose kernels have a row, or a group of channels, for each group: norms,
 * softmax, the largest elements, decision trees; and routing.
 */
#include "gpu_call.h"
#include "gpu_channels.h"
#include "gpu_layout.h"
#include "gpu_ops.h"

/* Begins a call whose first arguments are out and the first `ins` inputs. */
static struct gpu_call call_begin_rows(struct gpu *g, struct gpu_kernel kernel,
    const struct backend_op *op, size_t ins, int64_t count, char *why)
{
	struct gpu_call c = gpu_call_begin(g, kernel, count, why);

	gpu_call_tensor(&c, op->out[0]);
	for (size_t i = 0; i < ins; i++)
		gpu_call_tensor(&c, op->in[i]);
	return c;
}

/* A lane of a warp keeps at most this many bytes of a row in registers, as float32 or
 * float64; a group has four warps. */
enum { LANE_BYTES = 256, LANES = 32, GROUP_WARPS = 4 };

/* Returns the elements of a piece of 16 bytes. */
static int64_t piece_elements(const struct backend_op *op)
{
	return 16 / (int64_t)gpu_dtype_bytes(op->in[0]->dtype);
}

/* Returns whether the device loads and stores the rows of an operation, which have
 * `columns` elements, in pieces of 16 bytes. */
static bool rows_have_pieces(
    const struct gpu *g, const struct backend_op *op, int64_t columns)
{
	const int64_t piece = piece_elements(op);
	int64_t all = columns | op->out[0]->offset;

	for (size_t i = 0; i < 3; i++)
		all |= op->in[i] ? op->in[i]->offset : 0;
	return g->warps && all % piece == 0;
}

/* Runs the kernel for rows that fit in the registers of a warp, or the other: of a softmax,
 * an rmsnorm or a layernorm, which have one, two and three inputs. */
static int rows_run(struct gpu *g, const struct backend_op *op, size_t ins,
    const char *by_warps, const char *by_groups, char *why)
{
	const enum backend_dtype dtype = op->in[0]->dtype;
	const int64_t rows = gpu_tensor_rows(op->in[0]);
	const int64_t columns = gpu_tensor_columns(op->in[0]);
	const int64_t lane = LANES * piece_elements(op);
	const int64_t pieces = (columns + lane - 1) / lane;
	const int64_t bytes =
	    pieces * piece_elements(op) * (dtype == BACKEND_FLOAT64 ? 8 : 4);
	const bool warps = rows_have_pieces(g, op, columns) && bytes <= LANE_BYTES;
	struct gpu_call c = gpu_call_begin(g,
	    (struct gpu_kernel){ .file = "norm",
	        .name = warps ? by_warps : by_groups,
	        .dtype = dtype,
	        .other = dtype,
	        .states = warps ? pieces : 0 },
	    rows, why);

	gpu_call_tensor(&c, op->out[0]);
	for (size_t i = 0; i < ins; i++)
		gpu_call_tensor(&c, op->in[i]);
	gpu_call_int(&c, columns);
	if (ins > 1)
		gpu_call_real(&c, op->p.norm.eps);
	if (ins == 2)
		gpu_call_real(&c, op->p.norm.alpha);
	if (!warps)
		return gpu_call_rows(&c, why);
	return gpu_call_go(
	    &c, (rows + GROUP_WARPS - 1) / GROUP_WARPS, LANES * GROUP_WARPS, why);
}

int gpu_op_layernorm(struct gpu *g, const struct backend_op *op, char *why)
{
	return rows_run(g, op, 3, "layernorm_warps", "layernorm", why);
}

int gpu_op_rmsnorm(struct gpu *g, const struct backend_op *op, char *why)
{
	return rows_run(g, op, 2, "rmsnorm_warps", "rmsnorm", why);
}

int gpu_op_groupnorm(struct gpu *g, const struct backend_op *op, char *why)
{
	if (gpu_layout_is_last(op->in[0]))
		return gpu_channels_groupnorm(g, op, why);
	const struct backend_tensor *x = op->in[0];
	const int64_t groups = op->p.norm.groups, channels = x->size[1] / groups;
	const int64_t inner = gpu_tensor_elements(x) / x->size[0] / x->size[1];
	const char *name =
	    rows_have_pieces(g, op, inner) ? "groupnorm_pieces" : "groupnorm";
	struct gpu_call c = call_begin_rows(
	    g, gpu_kernel_of("norm", name, x->dtype), op, 3, x->size[0] * groups, why);

	GPU_CALL_INTS(&c, channels, inner, groups);
	gpu_call_real(&c, op->p.norm.eps);
	gpu_call_int(&c, op->act);
	return gpu_call_rows(&c, why);
}

int gpu_op_batchnorm(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0];
	const int64_t inner = gpu_tensor_elements(x) / x->size[0] / x->size[1];
	struct gpu_call c = call_begin_rows(g, gpu_kernel_of("norm", "batchnorm", x->dtype),
	    op, 5, x->size[0] * x->size[1], why);

	GPU_CALL_INTS(&c, x->size[1], inner);
	gpu_call_real(&c, op->p.norm.eps);
	gpu_call_int(&c, op->act);
	return gpu_call_rows(&c, why);
}

int gpu_op_softmax(struct gpu *g, const struct backend_op *op, char *why)
{
	return rows_run(g, op, 1, "softmax_warps", "softmax", why);
}

int gpu_op_topk(struct gpu *g, const struct backend_op *op, char *why)
{
	const enum backend_dtype dtype = op->in[0]->dtype;
	struct gpu_call c = gpu_call_begin(
	    g, gpu_kernel_of("expert", "topk", dtype), gpu_tensor_rows(op->in[0]), why);

	gpu_call_tensor(&c, op->out[0]);
	gpu_call_tensor(&c, op->out[1]);
	gpu_call_tensor(&c, op->in[0]);
	GPU_CALL_INTS(&c, gpu_tensor_columns(op->in[0]), op->p.route.k);
	return gpu_call_rows(&c, why);
}

int gpu_op_route(struct gpu *g, const struct backend_op *op, char *why)
{
	const enum backend_dtype dtype = op->in[0]->dtype;
	struct gpu_call c = gpu_call_begin(
	    g, gpu_kernel_of("expert", "route", dtype), gpu_tensor_rows(op->in[0]), why);

	gpu_call_tensor(&c, op->out[0]);
	gpu_call_tensor(&c, op->out[1]);
	gpu_call_tensor(&c, op->in[0]);
	GPU_CALL_INTS(
	    &c, gpu_tensor_columns(op->in[0]), op->p.route.k, op->p.route.renormalise);
	return gpu_call_each(&c, 1, why);
}

int gpu_op_combine(struct gpu *g, const struct backend_op *op, char *why)
{
	struct gpu_call c =
	    call_begin_rows(g, gpu_kernel_of("expert", "combine", op->in[0]->dtype), op, 3,
	        gpu_tensor_elements(op->out[0]), why);

	GPU_CALL_INTS(&c, gpu_tensor_columns(op->out[0]), op->p.route.k);
	return gpu_call_each(&c, 1, why);
}

int gpu_op_trees(struct gpu *g, const struct backend_op *op, char *why)
{
	const int64_t targets = gpu_tensor_columns(op->out[0]);
	const char *name = targets == 1 ? "trees_of_one" : "trees_of_many";
	struct gpu_call c =
	    call_begin_rows(g, gpu_kernel_of("trees", name, op->in[0]->dtype), op, 6,
	        gpu_tensor_rows(op->in[0]), why);

	GPU_CALL_INTS(&c, gpu_tensor_columns(op->in[0]), op->in[5]->size[0]);
	gpu_call_real(&c, op->p.trees.alpha);
	if (targets > 1)
		gpu_call_int(&c, targets);
	return gpu_call_rows(&c, why);
}
