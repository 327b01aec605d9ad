/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fakes cublasLt: computes products with a bias, another matrix and an activation with
 * plain loops, in double precision. Matrices are stored by columns. Operands that are not
 * on the device, or less aligned than the search assumed, are rejected.
 */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../../../backends/gpu/cuda_abi.h"
#include "fake.h"
#include "numbers.h"

enum { LT_INVALID_VALUE = 7, LT_NOT_SUPPORTED = 15, WORKSPACE = 1000 };

static const double product_us = 20;

struct matrix {
	int type;
	uint64_t rows, columns;
	int64_t ld;
};

struct product {
	int compute, transpose_a, epilogue;
	const char *bias;
};

struct search {
	uint64_t workspace;
	uint32_t alignment[4];
};

struct algorithm {
	uint64_t magic;
	uint32_t alignment[4];
	uint64_t rest[5];
};

struct result {
	struct algorithm algorithm;
	size_t workspace;
	int status;
	float waves;
	int reserved[4];
};

struct job {
	struct product product;
	struct matrix a, b, c, d;
	const char *a_data, *b_data, *c_data;
	char *d_data;
	double alpha, beta;
};

static const uint64_t algorithm_magic = 0x6c7466616b65;

FAKE_API int cublasLtCreate(void **handle)
{
	*handle = malloc(1);
	return fake_called(__func__, "%s", "") ? LT_NOT_SUPPORTED : 0;
}

FAKE_API int cublasLtDestroy(void *handle)
{
	free(handle);
	return 0;
}

FAKE_API int cublasLtMatmulDescCreate(struct product **p, int compute, int scale)
{
	*p = calloc(1, sizeof(**p));
	(*p)->compute = compute;
	(*p)->epilogue = CUBLAS_LT_NO_EPILOGUE;
	return (compute == CUBLAS_IN_FLOAT32 || compute == CUBLAS_IN_TF32) &&
	               scale == CUDA_TYPE_FLOAT32
	           ? 0
	           : LT_INVALID_VALUE;
}

FAKE_API int cublasLtMatmulDescDestroy(struct product *p)
{
	free(p);
	return 0;
}

FAKE_API int cublasLtMatmulDescSetAttribute(
    struct product *p, int attribute, const void *value, size_t bytes)
{
	switch (attribute) {
	case CUBLAS_LT_TRANSPOSE_A:
		memcpy(&p->transpose_a, value, bytes);
		return 0;
	case CUBLAS_LT_EPILOGUE:
		memcpy(&p->epilogue, value, bytes);
		return 0;
	case CUBLAS_LT_BIAS_POINTER:
		memcpy(&p->bias, value, bytes);
		return 0;
	}
	return LT_INVALID_VALUE;
}

FAKE_API int cublasLtMatrixLayoutCreate(
    struct matrix **m, int type, uint64_t rows, uint64_t columns, int64_t ld)
{
	*m = malloc(sizeof(**m));
	**m = (struct matrix){ type, rows, columns, ld };
	return ld < (int64_t)rows ? LT_INVALID_VALUE : 0;
}

FAKE_API int cublasLtMatrixLayoutDestroy(struct matrix *m)
{
	free(m);
	return 0;
}

FAKE_API int cublasLtMatmulPreferenceCreate(struct search **s)
{
	*s = calloc(1, sizeof(**s));
	return 0;
}

FAKE_API int cublasLtMatmulPreferenceDestroy(struct search *s)
{
	free(s);
	return 0;
}

FAKE_API int cublasLtMatmulPreferenceSetAttribute(
    struct search *s, int attribute, const void *value, size_t bytes)
{
	if (attribute == CUBLAS_LT_WORKSPACE_MAX && bytes == sizeof(s->workspace)) {
		memcpy(&s->workspace, value, bytes);
		return 0;
	}
	if (attribute < CUBLAS_LT_ALIGNMENT_A || attribute > CUBLAS_LT_ALIGNMENT_D ||
	    bytes != sizeof(*s->alignment))
		return LT_INVALID_VALUE;
	memcpy(&s->alignment[attribute - CUBLAS_LT_ALIGNMENT_A], value, bytes);
	return 0;
}

FAKE_API int cublasLtMatmulAlgoGetHeuristic(void *handle, const struct product *p,
    const struct matrix *a, const struct matrix *b, const struct matrix *c,
    const struct matrix *d, const struct search *s, int most, struct result *result,
    int *count)
{
	const uint64_t k = p->transpose_a ? a->rows : a->columns;
	const uint64_t n = p->transpose_a ? a->columns : a->rows;

	(void)handle;
	*count = 0;
	if (k != b->rows || n != d->rows || n != c->rows || b->columns != d->columns ||
	    c->columns != d->columns || most < 1)
		return LT_INVALID_VALUE;
	if (fake_called(__func__, "%d,%d,%d epilogue=%d", (int)n, (int)d->columns, (int)k,
	        p->epilogue) ||
	    s->workspace < WORKSPACE)
		return LT_NOT_SUPPORTED;
	*result =
	    (struct result){ .algorithm.magic = algorithm_magic, .workspace = WORKSPACE };
	memcpy(result->algorithm.alignment, s->alignment, sizeof(s->alignment));
	*count = 1;
	return 0;
}

static double lt_act(int epilogue, double x)
{
	if (epilogue & CUBLAS_LT_RELU)
		return x > 0 ? x : 0;
	if (epilogue & CUBLAS_LT_GELU)
		return x / 2 * (1 + tanh(0.79788456080286536 * (x + 0.044715 * x * x * x)));
	return x;
}

static double factor_load(
    const struct job *j, const struct matrix *m, const char *data, int64_t i)
{
	const double x = fake_number_load(m->type, data, i);

	return j->product.compute == CUBLAS_IN_TF32 ? fake_tf32(x) : x;
}

static int lt_run(const void *data)
{
	const struct job *j = data;
	const int64_t k = (int64_t)j->b.rows;

	for (int64_t column = 0; column < (int64_t)j->d.columns; column++)
		for (int64_t row = 0; row < (int64_t)j->d.rows; row++) {
			double sum = 0;

			for (int64_t i = 0; i < k; i++)
				sum +=
				    factor_load(j, &j->a, j->a_data,
				        j->product.transpose_a ? row * j->a.ld + i
				                               : i * j->a.ld + row) *
				    factor_load(j, &j->b, j->b_data, column * j->b.ld + i);
			sum *= j->alpha;
			if (j->beta != 0)
				sum += j->beta * fake_number_load(j->c.type, j->c_data,
				                     column * j->c.ld + row);
			if (j->product.epilogue & CUBLAS_LT_BIAS)
				sum += fake_number_load(j->d.type, j->product.bias, row);
			fake_number_store(j->d.type, j->d_data, column * j->d.ld + row,
			    lt_act(j->product.epilogue, sum));
		}
	return 0;
}

static bool matrix_is_device(const struct matrix *m, const char *data, uint32_t alignment)
{
	const int64_t last = (int64_t)(m->columns - 1) * m->ld + (int64_t)m->rows;

	return (uintptr_t)data % alignment == 0 &&
	       fake_is_device(data, (size_t)last * fake_type_bytes(m->type));
}

FAKE_API int cublasLtMatmul(void *handle, const struct product *p, const float *alpha,
    const char *a, const struct matrix *a_form, const char *b, const struct matrix *b_form,
    const float *beta, const char *c, const struct matrix *c_form, char *d,
    const struct matrix *d_form, const struct algorithm *algorithm, void *workspace,
    size_t workspace_bytes, void *stream)
{
	const struct job j = { *p, *a_form, *b_form, *c_form, *d_form, a, b, c, d,
		(double)*alpha, (double)*beta };

	(void)handle;
	if (fake_called(__func__, "%d,%d,%d epilogue=%d add=%d type=%d compute=%d",
	        (int)d_form->rows, (int)d_form->columns, (int)b_form->rows, p->epilogue,
	        *beta != 0, a_form->type, p->compute))
		return LT_NOT_SUPPORTED;
	if (algorithm->magic != algorithm_magic || workspace_bytes < WORKSPACE ||
	    !fake_is_device(workspace, workspace_bytes) || (uintptr_t)workspace % 256 ||
	    !matrix_is_device(a_form, a, algorithm->alignment[0]) ||
	    !matrix_is_device(b_form, b, algorithm->alignment[1]) ||
	    !matrix_is_device(c_form, c, algorithm->alignment[2]) ||
	    !matrix_is_device(d_form, d, algorithm->alignment[3]) ||
	    (p->epilogue & CUBLAS_LT_BIAS &&
	        (!fake_is_device(p->bias, d_form->rows * fake_type_bytes(d_form->type)) ||
	            (uintptr_t)p->bias % algorithm->alignment[3])))
		return LT_INVALID_VALUE;
	return fake_enqueue(stream, lt_run, &j, sizeof(j), product_us);
}
