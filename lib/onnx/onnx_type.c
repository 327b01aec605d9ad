/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of element types; see onnx_type.h.
 */
#include "onnx/onnx_type.h"

#include <stddef.h>

static const struct {
	const char *name;
	uint32_t bits;
	bool is_float;
} types[ONNX_TYPES] = {
	[ONNX_UNDEFINED] = { "undefined", 0, false },
	[ONNX_FLOAT] = { "float32", 32, true },
	[ONNX_UINT8] = { "uint8", 8, false },
	[ONNX_INT8] = { "int8", 8, false },
	[ONNX_UINT16] = { "uint16", 16, false },
	[ONNX_INT16] = { "int16", 16, false },
	[ONNX_INT32] = { "int32", 32, false },
	[ONNX_INT64] = { "int64", 64, false },
	[ONNX_STRING] = { "string", 0, false },
	[ONNX_BOOL] = { "bool", 8, false },
	[ONNX_FLOAT16] = { "float16", 16, true },
	[ONNX_DOUBLE] = { "float64", 64, true },
	[ONNX_UINT32] = { "uint32", 32, false },
	[ONNX_UINT64] = { "uint64", 64, false },
	[ONNX_COMPLEX64] = { "complex64", 64, true },
	[ONNX_COMPLEX128] = { "complex128", 128, true },
	[ONNX_BFLOAT16] = { "bfloat16", 16, true },
	[ONNX_FLOAT8E4M3FN] = { "float8e4m3fn", 8, true },
	[ONNX_FLOAT8E4M3FNUZ] = { "float8e4m3fnuz", 8, true },
	[ONNX_FLOAT8E5M2] = { "float8e5m2", 8, true },
	[ONNX_FLOAT8E5M2FNUZ] = { "float8e5m2fnuz", 8, true },
	[ONNX_UINT4] = { "uint4", 4, false },
	[ONNX_INT4] = { "int4", 4, false },
	[ONNX_FLOAT4E2M1] = { "float4e2m1", 4, true },
	[ONNX_FLOAT8E8M0] = { "float8e8m0", 8, true },
	[ONNX_UINT2] = { "uint2", 2, false },
	[ONNX_INT2] = { "int2", 2, false },
	[ONNX_FLOAT6E2M3] = { "float6e2m3", 6, true },
	[ONNX_FLOAT6E3M2] = { "float6e3m2", 6, true },
};

static size_t index_of(int64_t type)
{
	return type > 0 && type < ONNX_TYPES ? (size_t)type : ONNX_UNDEFINED;
}

const char *onnx_type_name(int64_t type)
{
	return types[index_of(type)].name;
}

uint32_t onnx_type_bits(int64_t type)
{
	return types[index_of(type)].bits;
}

bool onnx_type_limits(int64_t type, double *low, double *high)
{
	static const struct {
		enum onnx_type type;
		double low, high;
	} limits[] = { { ONNX_INT8, INT8_MIN, INT8_MAX }, { ONNX_UINT8, 0, UINT8_MAX },
		{ ONNX_INT16, INT16_MIN, INT16_MAX }, { ONNX_UINT16, 0, UINT16_MAX } };

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (type == limits[i].type) {
			*low = limits[i].low;
			*high = limits[i].high;
			return true;
		}
	return false;
}

bool onnx_type_is_float(int64_t type)
{
	return types[index_of(type)].is_float;
}
