/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares the constants of HIP and rocBLAS that the backend hip uses, so that it can be
 * built without AMD's headers. They are part of the ABI of these libraries in ROCm 5 to 7,
 * and tests/device/hip_abi.t compares those of HIP with its headers where those are
 * installed.
 */
#ifndef GPU_HIP_ABI_H
#define GPU_HIP_ABI_H

/* Attributes of a device, for hipDeviceGetAttribute. */
enum {
	HIP_ATTRIBUTE_UNITS = 63, /* multiprocessors */
	HIP_ATTRIBUTE_MAJOR = 23, /* of the compute capability */
	HIP_ATTRIBUTE_MINOR = 61,
};

/* Transposition (rocblas_operation), and the algorithm that rocBLAS chooses
 * (rocblas_gemm_algo). */
enum {
	ROCBLAS_NONE = 111,
	ROCBLAS_TRANSPOSE = 112,
	ROCBLAS_STANDARD = 0,
};

/* Types of elements (rocblas_datatype). */
enum {
	ROCBLAS_FLOAT16 = 150,
	ROCBLAS_FLOAT32 = 151,
	ROCBLAS_FLOAT64 = 152,
	ROCBLAS_INT8 = 160,
	ROCBLAS_INT32 = 162,
	ROCBLAS_BFLOAT16 = 168,
};

#endif
