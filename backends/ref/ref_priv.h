/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The backend ref: the operations of bench-operation.h written as simply as possible, with
 * float64 in memory and in every sum.
 */
#ifndef REF_REF_PRIV_H
#define REF_REF_PRIV_H

#include <math.h>

#include "bench-backend.h"

struct backend_session {
	uint64_t bytes;  /* the size of all buffers */
	double *scratch; /* memory for one row of an operation */
	size_t scratch_count;
};

typedef int ref_run(struct backend_session *s, const struct backend_op *op, char *why);

/* Each runs an operation. Returns 0, or -1 and why. */
ref_run ref_nop, ref_copy, ref_scale, ref_triad, ref_axpy, ref_dot, ref_fma;
ref_run ref_unary, ref_binary, ref_round, ref_cell, ref_glu;
ref_run ref_gemv, ref_gemm, ref_conv;
ref_run ref_qgemm, ref_qconv, ref_qexperts;
ref_run ref_attention, ref_rope, ref_relative;
ref_run ref_layernorm, ref_rmsnorm, ref_groupnorm, ref_batchnorm, ref_softmax;
ref_run ref_gather, ref_pool, ref_resize, ref_move, ref_sinusoid;
ref_run ref_scan, ref_causal_conv;
ref_run ref_route, ref_experts, ref_combine, ref_topk, ref_trees;

/* Checks the dtypes and dims of an operation. Returns 0, or -1 and why. */
int ref_supports(struct backend_session *s, const struct backend_op *op, char *why);
/* Returns the elements of scratch that an operation needs. */
size_t ref_scratch(const struct backend_op *op);

/* Returns act(x). */
double ref_act(enum backend_act act, double x);
/* Computes the softmax of a row in place. */
void ref_softmax_row(double *row, int64_t count);

/* Returns the first element of a float64 tensor. */
static inline double *ref_data(const struct backend_tensor *t)
{
	return (double *)t->buffer + t->offset;
}

/* Returns the first element of an int32 tensor. */
static inline int32_t *ref_ids(const struct backend_tensor *t)
{
	return (int32_t *)t->buffer + t->offset;
}

/* These read and write an element of a float32 or float64 tensor. */
double ref_get(const struct backend_tensor *t, int64_t i);
void ref_put(const struct backend_tensor *t, int64_t i, double x);

/* Returns the size of a dimension, counted from the last one, which is 0; 1 if absent. */
static inline int64_t ref_size(const struct backend_tensor *t, uint32_t from_end)
{
	return from_end < t->dims ? t->size[t->dims - 1 - from_end] : 1;
}

/* Returns the stride of a dimension, counted from the last one, which is 0; 0 if absent. */
static inline int64_t ref_stride(const struct backend_tensor *t, uint32_t from_end)
{
	return from_end < t->dims ? t->stride[t->dims - 1 - from_end] : 0;
}

/* Returns the number of elements. */
static inline int64_t ref_elements(const struct backend_tensor *t)
{
	int64_t count = 1;

	for (uint32_t i = 0; i < t->dims; i++)
		count *= t->size[i];
	return count;
}

#endif
