/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes sizes and strides of tensors; see gpu_tensor.h.
 */
#include "gpu_tensor.h"

static const struct {
	const char *name;
	size_t bytes;
} dtypes[BACKEND_DTYPES] = {
	[BACKEND_FLOAT32] = { "float32", 4 },
	[BACKEND_FLOAT64] = { "float64", 8 },
	[BACKEND_FLOAT16] = { "float16", 2 },
	[BACKEND_BFLOAT16] = { "bfloat16", 2 },
	[BACKEND_TF32] = { "tf32", 4 },
	[BACKEND_INT8] = { "int8", 1 },
	[BACKEND_INT32] = { "int32", 4 },
	[BACKEND_UINT8] = { "uint8", 1 },
};

size_t gpu_dtype_bytes(enum backend_dtype dtype)
{
	return dtypes[dtype].bytes;
}

const char *gpu_dtype_name(enum backend_dtype dtype)
{
	return dtypes[dtype].name;
}

void *gpu_tensor_handle(const struct backend_tensor *t)
{
	return t ? ((struct gpu_buffer *)t->buffer)->handle : NULL;
}

int64_t gpu_tensor_elements(const struct backend_tensor *t)
{
	int64_t n = 1;

	for (uint32_t i = 0; i < t->dims; i++)
		n *= t->size[i];
	return n;
}

int64_t gpu_tensor_columns(const struct backend_tensor *t)
{
	return t->dims ? t->size[t->dims - 1] : 1;
}

int64_t gpu_tensor_rows(const struct backend_tensor *t)
{
	int64_t n = 1;

	for (uint32_t i = 0; i + 1 < t->dims; i++)
		n *= t->size[i];
	return n;
}

bool gpu_tensor_steps(const struct backend_tensor *t, struct gpu_steps *s)
{
	const int64_t *size = t->size, *stride = t->stride;

	*s = (struct gpu_steps){ .inner = 1 };
	if (t->dims < 2)
		return true;
	s->inner = size[t->dims - 2];
	s->inner_stride = stride[t->dims - 2];
	if (t->dims > 2)
		s->outer_stride = stride[t->dims - 3];
	return t->dims < 4 || size[0] == 1 || stride[0] == size[1] * stride[1];
}
