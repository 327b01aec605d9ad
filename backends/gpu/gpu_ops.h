/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares the operations of the GPU backends.
 */
#ifndef GPU_GPU_OPS_H
#define GPU_GPU_OPS_H

#include "gpu_session.h"

/* Runs an operation. Returns 0, or -1 and why. */
typedef int gpu_operation(struct gpu *g, const struct backend_op *op, char *why);
gpu_operation gpu_op_nop, gpu_op_stream, gpu_op_chain, gpu_op_dot, gpu_op_gemv;
gpu_operation gpu_op_gemm, gpu_op_conv, gpu_op_attention, gpu_op_experts;
gpu_operation gpu_op_layernorm, gpu_op_rmsnorm, gpu_op_groupnorm, gpu_op_batchnorm,
    gpu_op_softmax;
gpu_operation gpu_op_unary, gpu_op_binary, gpu_op_round, gpu_op_cell, gpu_op_glu,
    gpu_op_gather, gpu_op_move;
gpu_operation gpu_op_pool, gpu_op_resize;
gpu_operation gpu_op_rope, gpu_op_relative, gpu_op_sinusoid, gpu_op_scan,
    gpu_op_causal_conv;
gpu_operation gpu_op_route, gpu_op_combine, gpu_op_topk, gpu_op_trees;

/* Returns whether an operation BINARY combines two tensors of one shape, element by
 * element, and runs it as a stream. */
bool gpu_binary_is_stream(const struct backend_op *op);
gpu_operation gpu_op_binary_stream;

/* These make the table that an operation reads, or its reordered weights, as its `own`. */
int gpu_table_rope(struct gpu *g, struct backend_op *op, char *why);
int gpu_table_sinusoid(struct gpu *g, struct backend_op *op, char *why);
int gpu_table_conv(struct gpu *g, struct backend_op *op, char *why);
int gpu_table_relative(struct gpu *g, struct backend_op *op, char *why);
int gpu_table_gemm(struct gpu *g, struct backend_op *op, char *why);

#endif
