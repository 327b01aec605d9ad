/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes and strides of tensors, for the operations of the GPU backends.
 */
#ifndef GPU_GPU_TENSOR_H
#define GPU_GPU_TENSOR_H

#include "gpu_session.h"

/* Returns the size of an element in bytes. */
size_t gpu_dtype_bytes(enum backend_dtype dtype);
/* Returns the name of a dtype, such as "float32". */
const char *gpu_dtype_name(enum backend_dtype dtype);

/* Returns the driver's handle of a tensor's buffer; NULL if there is no tensor. */
void *gpu_tensor_handle(const struct backend_tensor *t);
/* Returns the number of elements. */
int64_t gpu_tensor_elements(const struct backend_tensor *t);
/* Returns the innermost size. */
int64_t gpu_tensor_columns(const struct backend_tensor *t);
/* Returns the number of rows of the innermost size. */
int64_t gpu_tensor_rows(const struct backend_tensor *t);

/* The strides between rows, in two levels: row r begins at r / inner outer_stride + r %
 * inner inner_stride. */
struct gpu_steps {
	int64_t inner, outer_stride, inner_stride;
};
/* Computes the strides between rows. Returns false if the first two of four dimensions do
 * not have a common stride. */
bool gpu_tensor_steps(const struct backend_tensor *t, struct gpu_steps *s);

#endif
