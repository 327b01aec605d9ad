/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The element types of tensors in ONNX files, by the numbers of TensorProto.DataType in
 * onnx.proto. Pure.
 */
#ifndef ONNX_ONNX_TYPE_H
#define ONNX_ONNX_TYPE_H

#include <stdbool.h>
#include <stdint.h>

enum onnx_type {
	ONNX_UNDEFINED = 0,
	ONNX_FLOAT = 1,
	ONNX_UINT8 = 2,
	ONNX_INT8 = 3,
	ONNX_UINT16 = 4,
	ONNX_INT16 = 5,
	ONNX_INT32 = 6,
	ONNX_INT64 = 7,
	ONNX_STRING = 8,
	ONNX_BOOL = 9,
	ONNX_FLOAT16 = 10,
	ONNX_DOUBLE = 11,
	ONNX_UINT32 = 12,
	ONNX_UINT64 = 13,
	ONNX_COMPLEX64 = 14,
	ONNX_COMPLEX128 = 15,
	ONNX_BFLOAT16 = 16,
	ONNX_FLOAT8E4M3FN = 17,
	ONNX_FLOAT8E4M3FNUZ = 18,
	ONNX_FLOAT8E5M2 = 19,
	ONNX_FLOAT8E5M2FNUZ = 20,
	ONNX_UINT4 = 21,
	ONNX_INT4 = 22,
	ONNX_FLOAT4E2M1 = 23,
	ONNX_FLOAT8E8M0 = 24,
	ONNX_UINT2 = 25,
	ONNX_INT2 = 26,
	ONNX_FLOAT6E2M3 = 27,
	ONNX_FLOAT6E3M2 = 28,
	ONNX_TYPES /* one more than the last */
};

/* Returns "float32", "int64" and so on; "undefined" for 0 and unknown numbers. */
const char *onnx_type_name(int64_t type);
/* Returns the bits of an element in raw data; 0 for strings and unknown numbers. */
uint32_t onnx_type_bits(int64_t type);
/* Stores the smallest and the largest number of a type of quantized numbers: integers of 8
 * and 16 bits. Returns false for other types. */
bool onnx_type_limits(int64_t type, double *low, double *high);
/* Returns whether the type is a floating-point or complex type. */
bool onnx_type_is_float(int64_t type);

#endif
