/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts the elements of matrices; see numbers.h.
 */
#include <math.h>
#include <string.h>

#include "../../../backends/gpu/cuda_abi.h"
#include "numbers.h"

size_t fake_type_bytes(int type)
{
	switch (type) {
	case CUDA_TYPE_FLOAT64:
		return 8;
	case CUDA_TYPE_FLOAT32:
	case CUDA_TYPE_INT32:
		return 4;
	case CUDA_TYPE_FLOAT16:
	case CUDA_TYPE_BFLOAT16:
		return 2;
	case CUDA_TYPE_INT8:
		return 1;
	}
	return 0;
}

double fake_number_load(int type, const char *at, long long i)
{
	uint32_t bits;
	float x;

	switch (type) {
	case CUDA_TYPE_FLOAT64:
		return ((const double *)(const void *)at)[i];
	case CUDA_TYPE_FLOAT32:
		return (double)((const float *)(const void *)at)[i];
	case CUDA_TYPE_FLOAT16:
		return (double)((const _Float16 *)(const void *)at)[i];
	case CUDA_TYPE_BFLOAT16:
		bits = (uint32_t)((const uint16_t *)(const void *)at)[i] << 16;
		memcpy(&x, &bits, sizeof(x));
		return (double)x;
	case CUDA_TYPE_INT8:
		return ((const signed char *)at)[i];
	}
	return ((const int32_t *)(const void *)at)[i];
}

double fake_tf32(double x)
{
	float kept = (float)x;
	uint32_t bits;

	memcpy(&bits, &kept, sizeof(bits));
	bits = (bits + 0x1000u) & ~0x1fffu;
	memcpy(&kept, &bits, sizeof(kept));
	return isfinite(x) ? (double)kept : x;
}

/* Rounds to nearest, ties to even. */
static uint16_t bfloat16_of(double value)
{
	const float x = (float)value;
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	if ((bits & 0x7fffffffu) > 0x7f800000u)
		return (uint16_t)(bits >> 16 | 0x40u);
	return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

void fake_number_store(int type, char *at, long long i, double x)
{
	switch (type) {
	case CUDA_TYPE_FLOAT64:
		((double *)(void *)at)[i] = x;
		break;
	case CUDA_TYPE_FLOAT32:
		((float *)(void *)at)[i] = (float)x;
		break;
	case CUDA_TYPE_FLOAT16:
		((_Float16 *)(void *)at)[i] = (_Float16)x;
		break;
	case CUDA_TYPE_BFLOAT16:
		((uint16_t *)(void *)at)[i] = bfloat16_of(x);
		break;
	default:
		((int32_t *)(void *)at)[i] = (int32_t)x;
	}
}
