/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of cuDNN 9's interface that convolutions use, declared here because its headers
 * are not installed with it. The values are those of NVIDIA's cudnn_graph.h.
 */
#ifndef GPU_CUDA_DNN_API_H
#define GPU_CUDA_DNN_API_H

#include <stddef.h>
#include <stdint.h>

/* Kinds of descriptors. */
enum {
	DNN_POINTWISE = 0,
	DNN_CONVOLUTION = 1,
	DNN_ENGINE = 2,
	DNN_CONFIG = 3,
	DNN_HEURISTIC = 4,
	DNN_PLAN = 5,
	DNN_OP_CONVOLUTION = 10,
	DNN_OP_POINTWISE = 13,
	DNN_GRAPH = 15,
	DNN_PACK = 16,
	DNN_TENSOR = 17
};

/* Attributes of descriptors. */
enum {
	DNN_POINTWISE_MODE = 0,
	DNN_POINTWISE_PRECISION = 1,
	DNN_POINTWISE_SWISH_BETA = 8,
	DNN_CONVOLUTION_TYPE = 100,
	DNN_CONVOLUTION_MODE = 101,
	DNN_CONVOLUTION_DILATIONS = 102,
	DNN_CONVOLUTION_STRIDES = 103,
	DNN_CONVOLUTION_AFTER = 104,
	DNN_CONVOLUTION_BEFORE = 105,
	DNN_CONVOLUTION_DIMS = 106,
	DNN_HEURISTIC_MODE = 200,
	DNN_HEURISTIC_GRAPH = 201,
	DNN_HEURISTIC_RESULTS = 202,
	DNN_CONFIG_ENGINE = 300,
	DNN_PLAN_HANDLE = 400,
	DNN_PLAN_CONFIG = 401,
	DNN_PLAN_WORKSPACE = 402,
	DNN_OP_CONVOLUTION_ALPHA = 700,
	DNN_OP_CONVOLUTION_BETA = 701,
	DNN_OP_CONVOLUTION_DESCRIPTOR = 702,
	DNN_OP_CONVOLUTION_W = 703,
	DNN_OP_CONVOLUTION_X = 704,
	DNN_OP_CONVOLUTION_Y = 705,
	DNN_OP_POINTWISE_DESCRIPTOR = 750,
	DNN_OP_POINTWISE_X = 751,
	DNN_OP_POINTWISE_B = 752,
	DNN_OP_POINTWISE_Y = 753,
	DNN_OP_POINTWISE_ALPHA1 = 754,
	DNN_OP_POINTWISE_ALPHA2 = 755,
	DNN_GRAPH_HANDLE = 800,
	DNN_GRAPH_OPS = 801,
	DNN_TENSOR_ALIGNMENT = 900,
	DNN_TENSOR_TYPE = 901,
	DNN_TENSOR_SIZES = 902,
	DNN_TENSOR_STRIDES = 903,
	DNN_TENSOR_ID = 906,
	DNN_TENSOR_VIRTUAL = 907,
	DNN_PACK_IDS = 1000,
	DNN_PACK_POINTERS = 1001,
	DNN_PACK_WORKSPACE = 1003,
	DNN_ENGINE_NUMERICAL_NOTE = 1303
};

/* Types of attributes. */
enum {
	DNN_TYPE_HANDLE = 0,
	DNN_TYPE_DATA = 1,
	DNN_TYPE_BOOLEAN = 2,
	DNN_TYPE_INT64 = 3,
	DNN_TYPE_FLOAT = 4,
	DNN_TYPE_DOUBLE = 5,
	DNN_TYPE_POINTER = 6,
	DNN_TYPE_CONVOLUTION_MODE = 7,
	DNN_TYPE_HEURISTIC_MODE = 8,
	DNN_TYPE_NUMERICAL_NOTE = 11,
	DNN_TYPE_POINTWISE_MODE = 14,
	DNN_TYPE_DESCRIPTOR = 15
};

/* Types of elements. */
enum { DNN_FLOAT = 0, DNN_HALF = 2, DNN_BFLOAT16 = 9 };

enum { DNN_CROSS_CORRELATION = 1 };

/* Element-wise operations. */
enum {
	DNN_ADD = 0,
	DNN_RELU = 100,
	DNN_TANH = 101,
	DNN_SIGMOID = 102,
	DNN_GELU = 104,
	DNN_SOFTPLUS = 105,
	DNN_SWISH = 106,
	DNN_GELU_TANH = 107
};

/* The way to find configurations: by rules. */
enum { DNN_MODE_A = 3 };

/* The changes of numbers that an engine makes. */
enum {
	DNN_NOTE_NARROWS_INPUTS = 1,
	DNN_NOTE_NARROWS_SUMS = 2,
	DNN_NOTE_FFT = 3,
	DNN_NOTE_WINOGRAD_13 = 8,
	DNN_NOTES = 16
};

/* The functions. Results are 0 or a status; descriptors and handles are addresses. */
struct cuda_dnn_api {
	size_t (*version)(void);
	const char *(*error_text)(int status);
	void (*error_last)(char *text, size_t size);
	int (*create)(void **handle);
	int (*destroy)(void *handle);
	int (*set_stream)(void *handle, void *stream);
	int (*descriptor_create)(int kind, void **descriptor);
	int (*descriptor_destroy)(void *descriptor);
	int (*descriptor_finish)(void *descriptor);
	int (*set)(
	    void *descriptor, int attribute, int type, int64_t count, const void *from);
	int (*get)(const void *descriptor, int attribute, int type, int64_t most,
	    int64_t *count, void *to);
	int (*execute)(void *handle, void *plan, void *pack);
};

/* Loads the functions of the library. Returns 0, or -1 and why. */
int cuda_dnn_load(struct cuda_dnn_api *api, char *why);

#endif
