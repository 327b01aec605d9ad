/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares the constants of the CUDA driver and of cuBLAS that the backend cuda uses, so
 * that it can be built without NVIDIA's headers. They are part of the ABI of these
 * libraries, and tests/device/cuda_abi.t compares them with the headers where those are
 * installed.
 */
#ifndef GPU_CUDA_ABI_H
#define GPU_CUDA_ABI_H

/* Attributes of a device, for cuDeviceGetAttribute. */
enum {
	CUDA_ATTRIBUTE_UNITS = 16, /* multiprocessors */
	CUDA_ATTRIBUTE_MAJOR = 75, /* of the compute capability */
	CUDA_ATTRIBUTE_MINOR = 76,
};

/* Types of elements (cudaDataType). */
enum {
	CUDA_TYPE_FLOAT32 = 0,
	CUDA_TYPE_FLOAT64 = 1,
	CUDA_TYPE_FLOAT16 = 2,
	CUDA_TYPE_INT8 = 3,
	CUDA_TYPE_INT32 = 10,
	CUDA_TYPE_BFLOAT16 = 14,
};

/* Types that products are computed in (cublasComputeType_t). */
enum {
	CUBLAS_IN_FLOAT32 = 68,
	CUBLAS_IN_FLOAT64 = 70,
	CUBLAS_IN_INT32 = 72,
	CUBLAS_IN_TF32 = 77, /* of float32 */
};

/* Transposition (cublasOperation_t), and the algorithm that cuBLAS chooses
 * (cublasGemmAlgo_t). */
enum {
	CUBLAS_AS_STORED = 0,
	CUBLAS_TRANSPOSED = 1,
	CUBLAS_ALGORITHM_DEFAULT = -1,
};

/* cublasLt: attributes of a product and of a matrix, epilogues, and preferences for the
 * search of an algorithm. */
enum {
	CUBLAS_LT_TRANSPOSE_A = 3,
	CUBLAS_LT_EPILOGUE = 7,
	CUBLAS_LT_BIAS_POINTER = 8,
	CUBLAS_LT_NO_EPILOGUE = 1,
	CUBLAS_LT_RELU = 2,
	CUBLAS_LT_BIAS = 4,
	CUBLAS_LT_GELU = 32, /* its formula has a tanh */
	CUBLAS_LT_WORKSPACE_MAX = 1,
	CUBLAS_LT_ALIGNMENT_A = 5,
	CUBLAS_LT_ALIGNMENT_B = 6,
	CUBLAS_LT_ALIGNMENT_C = 7,
	CUBLAS_LT_ALIGNMENT_D = 8,
};

/* The default mathematics without reductions in the type of the operands (cublasMath_t). */
enum { CUBLAS_MATH_WITHOUT_REDUCED_REDUCTION = 16 };

#endif
