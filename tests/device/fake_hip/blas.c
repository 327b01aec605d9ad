/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fakes rocBLAS with the fake of cuBLAS. The result must replace the addend, as the backend
 * hip asks for.
 */
#include "../../../backends/gpu/cuda_abi.h"
#include "../../../backends/gpu/hip_abi.h"
#include "../fake_cuda/fake.h"

enum { BLAS_INVALID_VALUE = 11 };

/* The fake of cuBLAS. */
int cublasCreate_v2(void **handle);
int cublasDestroy_v2(void *handle);
int cublasSetStream_v2(void *handle, void *stream);
int cublasSetWorkspace_v2(void *handle, void *workspace, size_t bytes);
int cublasGemmStridedBatchedEx(void *handle, int transpose_a, int transpose_b, int m, int n,
    int k, const void *alpha, const void *a, int a_type, int a_ld, long long a_step,
    const void *b, int b_type, int b_ld, long long b_step, const void *beta, void *c,
    int c_type, int c_ld, long long c_step, int batch, int compute, int algorithm);

FAKE_API int rocblas_create_handle(void **handle)
{
	return cublasCreate_v2(handle);
}

FAKE_API int rocblas_destroy_handle(void *handle)
{
	return cublasDestroy_v2(handle);
}

FAKE_API int rocblas_set_stream(void *handle, void *stream)
{
	return cublasSetStream_v2(handle, stream);
}

FAKE_API int rocblas_set_workspace(void *handle, void *workspace, size_t bytes)
{
	return cublasSetWorkspace_v2(handle, workspace, bytes);
}

/* The numbers of a type in both libraries, and of cuBLAS's computation in it. */
static const struct {
	int rocblas, cuda, compute;
} types[] = {
	{ ROCBLAS_FLOAT32, CUDA_TYPE_FLOAT32, CUBLAS_IN_FLOAT32 },
	{ ROCBLAS_FLOAT64, CUDA_TYPE_FLOAT64, CUBLAS_IN_FLOAT64 },
	{ ROCBLAS_FLOAT16, CUDA_TYPE_FLOAT16, -1 },
	{ ROCBLAS_BFLOAT16, CUDA_TYPE_BFLOAT16, -1 },
	{ ROCBLAS_INT8, CUDA_TYPE_INT8, -1 },
	{ ROCBLAS_INT32, CUDA_TYPE_INT32, CUBLAS_IN_INT32 },
};

static int cuda_type(int type)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].rocblas == type)
			return types[i].cuda;
	return -1;
}

static int cuda_compute(int type)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].rocblas == type)
			return types[i].compute;
	return -1;
}

FAKE_API int rocblas_gemm_strided_batched_ex(void *handle, int transpose_a, int transpose_b,
    int m, int n, int k, const void *alpha, const void *a, int a_type, int a_ld,
    int64_t a_step, const void *b, int b_type, int b_ld, int64_t b_step, const void *beta,
    const void *c, int c_type, int c_ld, int64_t c_step, void *d, int d_type, int d_ld,
    int64_t d_step, int batch, int compute, int algorithm, int32_t solution, uint32_t flags)
{
	if (c != d || c_type != d_type || c_ld != d_ld || c_step != d_step ||
	    algorithm != ROCBLAS_STANDARD || solution || flags ||
	    cuda_compute(compute) < 0 || cuda_type(a_type) < 0 || cuda_type(d_type) < 0 ||
	    (transpose_a != ROCBLAS_NONE && transpose_a != ROCBLAS_TRANSPOSE) ||
	    transpose_b != ROCBLAS_NONE)
		return BLAS_INVALID_VALUE;
	return cublasGemmStridedBatchedEx(handle,
	    transpose_a == ROCBLAS_TRANSPOSE ? CUBLAS_TRANSPOSED : CUBLAS_AS_STORED,
	    CUBLAS_AS_STORED, m, n, k, alpha, a, cuda_type(a_type), a_ld, a_step, b,
	    cuda_type(b_type), b_ld, b_step, beta, d, cuda_type(d_type), d_ld, d_step,
	    batch, cuda_compute(compute), CUBLAS_ALGORITHM_DEFAULT);
}
