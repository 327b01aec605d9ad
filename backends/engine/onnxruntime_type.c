/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the types of elements; see onnxruntime_type.h. */
#include <stddef.h>

#include "onnxruntime_type.h"

/* By the number of ONNX's TensorProto.DataType. */
static const struct {
	const char *name;
	uint32_t bytes;
} types[] = {
	[1] = { "float32", 4 },
	[2] = { "uint8", 1 },
	[3] = { "int8", 1 },
	[4] = { "uint16", 2 },
	[5] = { "int16", 2 },
	[6] = { "int32", 4 },
	[7] = { "int64", 8 },
	[8] = { "string", 0 },
	[9] = { "bool", 1 },
	[10] = { "float16", 2 },
	[11] = { "float64", 8 },
	[12] = { "uint32", 4 },
	[13] = { "uint64", 8 },
	[14] = { "complex64", 8 },
	[15] = { "complex128", 16 },
	[16] = { "bfloat16", 2 },
	[17] = { "float8_e4m3fn", 1 },
	[18] = { "float8_e4m3fnuz", 1 },
	[19] = { "float8_e5m2", 1 },
	[20] = { "float8_e5m2fnuz", 1 },
};

const char *ort_type_name(int element, uint32_t *bytes)
{
	if (element <= 0 || (size_t)element >= sizeof(types) / sizeof(*types))
		return NULL;
	*bytes = types[element].bytes;
	return types[element].name;
}
