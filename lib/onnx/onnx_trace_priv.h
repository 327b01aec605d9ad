/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares what the files of the trace share; see onnx_trace.h.
 */
#ifndef ONNX_ONNX_TRACE_PRIV_H
#define ONNX_ONNX_TRACE_PRIV_H

#include "onnx/onnx_trace.h"

/* An operator: how the sizes of its results follow, and how constants are computed. */
struct trace_op {
	const char *name;
	/* Stores the types and sizes of the results, whose types are that of the first
	 * input before. */
	void (*shape)(struct onnx_trace *t, struct trace_node *n);
	/* Computes result `which` from the elements of the inputs, all of which are
	 * constants; NULL if constants are not computed. */
	void (*fold)(struct onnx_trace *t, const struct trace_node *n,
	    const double *const *in, uint32_t which, double *out);
	double (*number)(double); /* for fold_each */
	double (*pair)(double, double, bool whole);
	bool is_view;  /* the results have elements of the first input */
	bool is_truth; /* the result is a truth value */
};

/* Returns the operator of this name, or NULL. */
const struct trace_op *trace_find_op(struct text name);

/* Returns the value of this name, or TRACE_NONE. */
uint32_t trace_find_value(const struct onnx_trace *t, struct text name);
/* Adds a value. Returns it, and stores its number. */
struct trace_value *trace_add(struct onnx_trace *t, struct text name, uint32_t *number);
/* Adds the constant of an initializer. Fails if it has too many dimensions. */
void trace_add_initializer(struct onnx_trace *t, const struct onnx_tensor *tensor);
/* Finds which inputs index a table: those that reach the indices of a Gather from a table
 * of floating-point numbers through operators that keep elements. Stores the number of rows
 * of the smallest such table by input, or 0. */
void trace_find_indices(struct onnx_trace *t, double *rows);
/* Adds an input, which indexes a table of this number of rows, or none if it is 0. */
void trace_add_input(struct onnx_trace *t, const struct onnx_value *input, double rows,
    const struct binding *param, size_t params);

/* Returns the value of an input that must be present; fails otherwise. */
const struct trace_value *trace_needed(
    struct onnx_trace *t, const struct trace_node *n, uint32_t i);
/* Stores the sizes of result i, if it is present. */
void trace_set(
    struct onnx_trace *t, const struct trace_node *n, uint32_t i, struct trace_shape shape);
/* Stores the elements of a result that is a constant, which the trace takes over. */
void trace_set_numbers(struct onnx_trace *t, const struct trace_node *n, uint32_t i,
    int64_t type, struct trace_shape shape, double *number);
/* Returns memory for the elements of a constant, or NULL after a failure. */
double *trace_room(struct onnx_trace *t, const struct trace_node *n, double elements);

/* The rules of sizes, in onnx_trace_shape.c and onnx_trace_place.c. */
void trace_shape_alike(struct onnx_trace *t, struct trace_node *n);
void trace_shape_broadcast(struct onnx_trace *t, struct trace_node *n);
void trace_shape_cast(struct onnx_trace *t, struct trace_node *n);
void trace_shape_where(struct onnx_trace *t, struct trace_node *n);
void trace_shape_matmul(struct onnx_trace *t, struct trace_node *n);
void trace_shape_gemm(struct onnx_trace *t, struct trace_node *n);
void trace_shape_conv(struct onnx_trace *t, struct trace_node *n);
void trace_shape_pool(struct onnx_trace *t, struct trace_node *n);
void trace_shape_global(struct onnx_trace *t, struct trace_node *n);
void trace_shape_reduce(struct onnx_trace *t, struct trace_node *n);
void trace_shape_resize(struct onnx_trace *t, struct trace_node *n);
void trace_shape_constant(struct onnx_trace *t, struct trace_node *n);
void trace_shape_of(struct onnx_trace *t, struct trace_node *n);
void trace_shape_size(struct onnx_trace *t, struct trace_node *n);
void trace_shape_filled(struct onnx_trace *t, struct trace_node *n);
void trace_shape_range(struct onnx_trace *t, struct trace_node *n);
void trace_shape_reshape(struct onnx_trace *t, struct trace_node *n);
void trace_shape_flatten(struct onnx_trace *t, struct trace_node *n);
void trace_shape_squeeze(struct onnx_trace *t, struct trace_node *n);
void trace_shape_unsqueeze(struct onnx_trace *t, struct trace_node *n);
void trace_shape_transpose(struct onnx_trace *t, struct trace_node *n);
void trace_shape_slice(struct onnx_trace *t, struct trace_node *n);
void trace_shape_split(struct onnx_trace *t, struct trace_node *n);
void trace_shape_expand(struct onnx_trace *t, struct trace_node *n);
void trace_shape_tile(struct onnx_trace *t, struct trace_node *n);
void trace_shape_concat(struct onnx_trace *t, struct trace_node *n);
void trace_shape_pad(struct onnx_trace *t, struct trace_node *n);
void trace_shape_gather(struct onnx_trace *t, struct trace_node *n);
void trace_shape_gather_elements(struct onnx_trace *t, struct trace_node *n);
void trace_shape_gather_nd(struct onnx_trace *t, struct trace_node *n);

/* The computation of constants, in onnx_trace_fold.c. */
#define FOLD_PARAMS                                                                \
	struct onnx_trace *t, const struct trace_node *n, const double *const *in, \
	    uint32_t which, double *out
void trace_fold_each(FOLD_PARAMS);
void trace_fold_pair(FOLD_PARAMS);
void trace_fold_cast(FOLD_PARAMS);
void trace_fold_where(FOLD_PARAMS);
void trace_fold_copy(FOLD_PARAMS);
void trace_fold_matmul(FOLD_PARAMS);
void trace_fold_transpose(FOLD_PARAMS);
void trace_fold_slice(FOLD_PARAMS);
void trace_fold_split(FOLD_PARAMS);
void trace_fold_expand(FOLD_PARAMS);
void trace_fold_concat(FOLD_PARAMS);
void trace_fold_gather(FOLD_PARAMS);
void trace_fold_gather_elements(FOLD_PARAMS);
void trace_fold_gather_nd(FOLD_PARAMS);
void trace_fold_trilu(FOLD_PARAMS);
void trace_fold_reduce(FOLD_PARAMS);
void trace_fold_cumsum(FOLD_PARAMS);

#endif
