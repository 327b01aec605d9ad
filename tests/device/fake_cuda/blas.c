/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fakes cuBLAS: computes products with plain loops, in double precision. Matrices are
 * stored by columns, as cuBLAS defines. Operands that are not on the device are rejected.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../backends/gpu/cuda_abi.h"
#include "fake.h"
#include "numbers.h"

enum {
	BLAS_NOT_INITIALIZED = 1,
	BLAS_ALLOC_FAILED = 3,
	BLAS_INVALID_VALUE = 7,
	BLAS_NOT_SUPPORTED = 15
};
/* The memory that the library allocates for itself if it is given none. */
enum { WORKSPACE = 32 << 20 };

static const double product_us = 20;

struct handle {
	void *stream;
	bool own_workspace;
};

struct product {
	int transpose_a, transpose_b, m, n, k, a_type, b_type, c_type, a_ld, b_ld, c_ld,
	    batch;
	long long a_step, b_step, c_step;
	const char *a, *b;
	char *c;
	double alpha, beta;
	int compute;
};

/* Returns op(x)[outer, inner] of one matrix as contiguous rows; the columns of op(x) if
 * by_column. The numbers are rounded as the type that the product is computed in says. */
static double *matrix_load(
    int compute, int type, const char *x, int ld, int outer, int inner, bool swap)
{
	double *all = malloc(sizeof(*all) * (size_t)outer * (size_t)(inner ? inner : 1));

	if (!all)
		abort();
	for (int i = 0; i < outer; i++)
		for (int j = 0; j < inner; j++) {
			const double value = fake_number_load(
			    type, x, swap ? (long long)i * ld + j : (long long)j * ld + i);

			all[(long long)i * inner + j] =
			    compute == CUBLAS_IN_TF32 ? fake_tf32(value) : value;
		}
	return all;
}

static int product_run(const void *data)
{
	const struct product *p = data;

	if (getenv("FAKE_CUDA_IDLE"))
		return 0;
	for (int t = 0; t < p->batch; t++) {
		/* rows of op(a) and columns of op(b), both of length k */
		double *a = matrix_load(p->compute, p->a_type,
		    p->a + t * p->a_step * (long long)fake_type_bytes(p->a_type), p->a_ld,
		    p->m, p->k, p->transpose_a);
		double *b = matrix_load(p->compute, p->b_type,
		    p->b + t * p->b_step * (long long)fake_type_bytes(p->b_type), p->b_ld,
		    p->n, p->k, !p->transpose_b);
		char *c = p->c + t * p->c_step * (long long)fake_type_bytes(p->c_type);

		for (int j = 0; j < p->n; j++)
			for (int i = 0; i < p->m; i++) {
				const double *x = a + (long long)i * p->k,
				             *y = b + (long long)j * p->k;
				const long long at = (long long)j * p->c_ld + i;
				double sum = 0;

				for (int e = 0; e < p->k; e++)
					sum += x[e] * y[e];
				sum *= p->alpha;
				if (p->beta != 0)
					sum += p->beta * fake_number_load(p->c_type, c, at);
				fake_number_store(p->c_type, c, at, sum);
			}
		free(a);
		free(b);
	}
	return 0;
}

/* Returns whether a matrix of some rows and columns is on the device, in each of a batch.
 */
static bool matrix_is_device(
    const char *x, int type, int rows, int columns, int ld, long long step, int batch)
{
	const long long last =
	    (long long)(columns - 1) * ld + rows + (long long)(batch - 1) * step;

	return ld >= rows && (rows < 1 || columns < 1 ||
	                         fake_is_device(x, (size_t)last * fake_type_bytes(type)));
}

FAKE_API int cublasCreate_v2(struct handle **handle)
{
	if (fake_called(__func__, "%s", ""))
		return BLAS_NOT_INITIALIZED;
	*handle = calloc(1, sizeof(**handle));
	(*handle)->own_workspace = true;
	fake_use_memory(WORKSPACE);
	return 0;
}

FAKE_API int cublasDestroy_v2(struct handle *handle)
{
	if (handle->own_workspace)
		fake_use_memory(-(int64_t)WORKSPACE);
	free(handle);
	return fake_called(__func__, "%s", "");
}

FAKE_API int cublasSetStream_v2(struct handle *handle, void *stream)
{
	handle->stream = stream;
	return fake_called(__func__, "%s", "") ? BLAS_INVALID_VALUE : 0;
}

FAKE_API int cublasSetWorkspace_v2(struct handle *handle, void *workspace, size_t bytes)
{
	if (fake_called(__func__, "%zu", bytes) || !fake_is_device(workspace, bytes))
		return BLAS_INVALID_VALUE;
	if (handle->own_workspace)
		fake_use_memory(-(int64_t)WORKSPACE);
	handle->own_workspace = false;
	return 0;
}

FAKE_API int cublasSetMathMode(struct handle *handle, int mode)
{
	(void)handle;
	return fake_called(__func__, "%d", mode) ? BLAS_INVALID_VALUE : 0;
}

FAKE_API int cublasGemmStridedBatchedEx(struct handle *handle, int transpose_a,
    int transpose_b, int m, int n, int k, const void *alpha, const void *a, int a_type,
    int a_ld, long long a_step, const void *b, int b_type, int b_ld, long long b_step,
    const void *beta, void *c, int c_type, int c_ld, long long c_step, int batch,
    int compute, int algorithm)
{
	const struct product p = { transpose_a, transpose_b, m, n, k, a_type, b_type,
		c_type, a_ld, b_ld, c_ld, batch, a_step, b_step, c_step, a, b, c,
		compute == CUBLAS_IN_FLOAT64 ? *(const double *)alpha
		: compute == CUBLAS_IN_INT32 ? *(const int *)alpha
		                             : (double)*(const float *)alpha,
		compute == CUBLAS_IN_FLOAT64 ? *(const double *)beta
		: compute == CUBLAS_IN_INT32 ? *(const int *)beta
		                             : (double)*(const float *)beta,
		compute };

	if (fake_called(__func__, "%d,%d,%d batch=%d type=%d compute=%d algorithm=%d", m, n,
	        k, batch, a_type, compute, algorithm))
		return BLAS_NOT_SUPPORTED;
	if (m < 0 || n < 0 || k < 0 || batch < 0 ||
	    !matrix_is_device(
	        a, a_type, transpose_a ? k : m, transpose_a ? m : k, a_ld, a_step, batch) ||
	    !matrix_is_device(
	        b, b_type, transpose_b ? n : k, transpose_b ? k : n, b_ld, b_step, batch) ||
	    !matrix_is_device(c, c_type, m, n, c_ld, c_step, batch))
		return BLAS_INVALID_VALUE;
	if (a_type == CUDA_TYPE_INT8 &&
	    ((uintptr_t)a % 4 || (uintptr_t)b % 4 || a_ld % 4 || b_ld % 4))
		return BLAS_NOT_SUPPORTED;
	return fake_enqueue(handle->stream, product_run, &p, sizeof(p), product_us);
}
