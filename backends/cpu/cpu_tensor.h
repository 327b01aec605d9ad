/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes, strides and elements of tensors, for the kernels.
 */
#ifndef CPU_CPU_TENSOR_H
#define CPU_CPU_TENSOR_H

#include "bench-backend.h"

/* The types for which the kernels are compiled. */
enum { CPU_FLOAT32, CPU_FLOAT64, CPU_TYPES };

/* The types of 16 bits, which the kernels load and store, but do not compute in. */
enum { CPU_FLOAT16, CPU_BFLOAT16, CPU_HALVES };

/* Returns whether a dtype has 16 bits. */
static inline bool cpu_is_half(enum backend_dtype dtype)
{
	return dtype == BACKEND_FLOAT16 || dtype == BACKEND_BFLOAT16;
}

/* Returns the type of 16 bits of a tensor of float16 or bfloat16. */
static inline int cpu_half_of(const struct backend_tensor *t)
{
	return t->dtype == BACKEND_FLOAT16 ? CPU_FLOAT16 : CPU_BFLOAT16;
}

/* Returns the kernels' type for a tensor of float32 or float64. */
static inline int cpu_type_of(const struct backend_tensor *t)
{
	return t->dtype == BACKEND_FLOAT64 ? CPU_FLOAT64 : CPU_FLOAT32;
}

/* Returns the size of an element of CPU_FLOAT32 or CPU_FLOAT64, in bytes. */
static inline size_t cpu_type_bytes(int type)
{
	return type == CPU_FLOAT32 ? sizeof(float) : sizeof(double);
}

static inline int64_t cpu_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t cpu_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Returns the number of elements. */
static inline int64_t cpu_count(const struct backend_tensor *t)
{
	int64_t n = 1;
	for (uint32_t i = 0; i < t->dims; i++)
		n *= t->size[i];
	return n;
}

/* Returns the innermost size, which is 1 without dimensions. */
static inline int64_t cpu_columns(const struct backend_tensor *t)
{
	return t->dims ? t->size[t->dims - 1] : 1;
}

/* Returns the number of rows of the innermost size. */
static inline int64_t cpu_row_count(const struct backend_tensor *t)
{
	int64_t n = 1;
	for (uint32_t i = 0; i + 1 < t->dims; i++)
		n *= t->size[i];
	return n;
}

/* Returns the row of the table that a GATHER takes for row r of its result, which has this
 * number of tokens: the nearest one in the table. */
static inline int64_t cpu_gather_row(
    const struct backend_op *op, const int32_t *index, int64_t r, int64_t tokens)
{
	const int64_t row = index ? index[r] : op->p.gather.first + op->past + r % tokens;

	return cpu_max(0, cpu_min(row, cpu_row_count(op->in[0]) - 1));
}

/* Returns the start of row r, in elements from the first element of the tensor. */
static inline int64_t cpu_row(const struct backend_tensor *t, int64_t r)
{
	int64_t at = 0;
	for (uint32_t i = t->dims < 2 ? 0 : t->dims - 1; i-- > 0;) {
		at += r % t->size[i] * t->stride[i];
		r /= t->size[i];
	}
	return at;
}

/* Returns whether the rows follow each other without gaps. */
static inline bool cpu_rows_are_dense(const struct backend_tensor *t)
{
	const int64_t rows = cpu_row_count(t);
	return rows == 0 || cpu_row(t, rows - 1) == (rows - 1) * cpu_columns(t);
}

/* Returns the size of a dimension, counted from the last one, which is 1; 1 if absent. */
static inline int64_t cpu_size(const struct backend_tensor *t, uint32_t from_end)
{
	return from_end > t->dims ? 1 : t->size[t->dims - from_end];
}

/* Returns the stride of a dimension, counted from the last one, which is 1; 0 if absent. */
static inline int64_t cpu_stride(const struct backend_tensor *t, uint32_t from_end)
{
	return from_end > t->dims ? 0 : t->stride[t->dims - from_end];
}

/* These five return the first element of a tensor of their type. */
static inline float *cpu_f32(const struct backend_tensor *t)
{
	return (float *)t->buffer + t->offset;
}

static inline double *cpu_f64(const struct backend_tensor *t)
{
	return (double *)t->buffer + t->offset;
}

static inline int32_t *cpu_i32(const struct backend_tensor *t)
{
	return (int32_t *)t->buffer + t->offset;
}

static inline uint16_t *cpu_u16(const struct backend_tensor *t)
{
	return (uint16_t *)t->buffer + t->offset;
}

static inline int8_t *cpu_i8(const struct backend_tensor *t)
{
	return (int8_t *)t->buffer + t->offset;
}

/* Returns the first element of a tensor of float32 or float64. */
static inline void *cpu_first(const struct backend_tensor *t)
{
	return cpu_type_of(t) == CPU_FLOAT32 ? (void *)cpu_f32(t) : (void *)cpu_f64(t);
}

#endif
