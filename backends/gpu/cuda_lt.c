/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes joined products with cublasLt; see cuda_lt.h. A row-major matrix is a transposed
 * column-major one, so c' = b' a', and the bias is added to each column of c'. Its GELU is
 * the one with tanh; products with another activation are not joined.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_abi.h"
#include "cuda_lt.h"
#include "gpu_session.h"
#include "gpu_tensor.h"

enum { WORKSPACE_MAX = 32 << 20 };

/* The functions. Results are a status; handles and descriptors are addresses. */
struct lt_api {
	int (*create)(void **handle);
	int (*destroy)(void *handle);
	int (*product_create)(void **product, int compute, int scale);
	int (*product_destroy)(void *product);
	int (*product_set)(void *product, int attribute, const void *value, size_t bytes);
	int (*matrix_create)(
	    void **matrix, int type, uint64_t rows, uint64_t columns, int64_t ld);
	int (*matrix_destroy)(void *matrix);
	int (*search_create)(void **search);
	int (*search_destroy)(void *search);
	int (*search_set)(void *search, int attribute, const void *value, size_t bytes);
	int (*search)(void *handle, void *product, void *a, void *b, void *c, void *d,
	    void *search, int most, void *results, int *count);
	int (*run)(void *handle, void *product, const void *alpha, const void *a,
	    void *a_form, const void *b, void *b_form, const void *beta, const void *c,
	    void *c_form, void *d, void *d_form, const void *algorithm, void *workspace,
	    size_t workspace_bytes, void *stream);
};

/* A result of a search, as the library defines it. */
struct lt_result {
	uint64_t algorithm[8];
	size_t workspace;
	int status;
	float waves;
	int reserved[4];
};

/* The properties of a product on which its plan depends; all bytes are compared. */
struct lt_form {
	int64_t dtype, transpose_b, m, n, k, a_ld, b_ld, c_ld, other_ld, act, has_bias;
	int64_t has_other, a_alignment, b_alignment, c_alignment, other_alignment;
};

struct lt_plan {
	struct lt_form form;
	struct lt_plan *next;
	bool works;
	void *product, *a, *b, *c, *other;
	struct lt_result result;
};

struct cuda_lt {
	struct lt_api api;
	void *handle;
	struct lt_plan *plans;
};

static const struct {
	const char *name;
	size_t at;
} functions[] = {
	{ "cublasLtCreate", offsetof(struct lt_api, create) },
	{ "cublasLtDestroy", offsetof(struct lt_api, destroy) },
	{ "cublasLtMatmulDescCreate", offsetof(struct lt_api, product_create) },
	{ "cublasLtMatmulDescDestroy", offsetof(struct lt_api, product_destroy) },
	{ "cublasLtMatmulDescSetAttribute", offsetof(struct lt_api, product_set) },
	{ "cublasLtMatrixLayoutCreate", offsetof(struct lt_api, matrix_create) },
	{ "cublasLtMatrixLayoutDestroy", offsetof(struct lt_api, matrix_destroy) },
	{ "cublasLtMatmulPreferenceCreate", offsetof(struct lt_api, search_create) },
	{ "cublasLtMatmulPreferenceDestroy", offsetof(struct lt_api, search_destroy) },
	{ "cublasLtMatmulPreferenceSetAttribute", offsetof(struct lt_api, search_set) },
	{ "cublasLtMatmulAlgoGetHeuristic", offsetof(struct lt_api, search) },
	{ "cublasLtMatmul", offsetof(struct lt_api, run) },
};

/* It is a part of cuBLAS, which has loaded it. */
static const char *const names[] = { "libcublasLt.so.13", "libcublasLt.so.12",
	"libcublasLt.so.11" };

struct cuda_lt *cuda_lt_open(void)
{
	struct cuda_lt *l = calloc(1, sizeof(*l));
	void *library = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions) && l && library;
	     i++) {
		void *symbol = dlsym(library, functions[i].name);

		if (!symbol)
			library = NULL;
		memcpy((char *)&l->api + functions[i].at, &symbol, sizeof(symbol));
	}
	if (!l || !library || l->api.create(&l->handle)) {
		free(l);
		return NULL;
	}
	return l;
}

/* Frees the parts of a plan, some of which may be missing. */
static void plan_free(const struct cuda_lt *l, struct lt_plan *p)
{
	void *const matrix[] = { p->a, p->b, p->c, p->other };

	for (size_t i = 0; i < 4; i++)
		if (matrix[i])
			l->api.matrix_destroy(matrix[i]);
	if (p->product)
		l->api.product_destroy(p->product);
	p->product = p->a = p->b = p->c = p->other = NULL;
}

void cuda_lt_close(struct cuda_lt *l)
{
	if (!l)
		return;
	for (struct lt_plan *p = l->plans, *next; p; p = next) {
		next = p->next;
		plan_free(l, p);
		free(p);
	}
	l->api.destroy(l->handle);
	free(l);
}

/* Returns the cudaDataType of a type whose products are computed in float32, or -1. */
static int lt_type(int64_t dtype)
{
	switch (dtype) {
	case BACKEND_FLOAT32:
	case BACKEND_TF32:
		return CUDA_TYPE_FLOAT32;
	case BACKEND_FLOAT16:
		return CUDA_TYPE_FLOAT16;
	case BACKEND_BFLOAT16:
		return CUDA_TYPE_BFLOAT16;
	default:
		return -1;
	}
}

/* Returns the epilogue of an activation, or 0. */
static int lt_epilogue(const struct lt_form *f)
{
	switch (f->act) {
	case BACKEND_LINEAR:
		return f->has_bias ? CUBLAS_LT_BIAS : CUBLAS_LT_NO_EPILOGUE;
	case BACKEND_RELU:
		return CUBLAS_LT_RELU | (f->has_bias ? CUBLAS_LT_BIAS : 0);
	case BACKEND_GELU_TANH:
		return CUBLAS_LT_GELU | (f->has_bias ? CUBLAS_LT_BIAS : 0);
	default:
		return 0;
	}
}

static char *element_address(void *buffer, int64_t at, int64_t dtype)
{
	return buffer ? (char *)buffer +
	                    (size_t)at * gpu_dtype_bytes((enum backend_dtype)dtype)
	              : NULL;
}

/* Returns the largest power of two up to 16 that divides all of the elements' addresses. */
static int64_t element_alignment(int64_t at, int64_t ld, int64_t dtype)
{
	const int64_t all = (at | ld) * (int64_t)gpu_dtype_bytes((enum backend_dtype)dtype);

	return all % 16 ? all & -all : 16;
}

static struct lt_form form_of(const struct gpu_product *p)
{
	int64_t out = element_alignment(p->c_at, p->c_ld, p->dtype);
	const int64_t bias = element_alignment(p->bias ? p->bias_at : 0, 0, p->dtype);

	out = bias < out ? bias : out;
	return (struct lt_form){
		.dtype = p->dtype,
		.transpose_b = p->transpose_b,
		.m = p->m,
		.n = p->n,
		.k = p->k,
		.a_ld = p->a_ld,
		.b_ld = p->b_ld,
		.c_ld = p->c_ld,
		.other_ld = p->other ? p->other_ld : p->c_ld,
		.act = p->act,
		.has_bias = p->bias != NULL,
		.has_other = p->other != NULL,
		.a_alignment = element_alignment(p->a_at, p->a_ld, p->dtype),
		.b_alignment = element_alignment(p->b_at, p->b_ld, p->dtype),
		.c_alignment = out,
		.other_alignment =
		    p->other ? element_alignment(p->other_at, p->other_ld, p->dtype) : out,
	};
}

static int search_set(const struct cuda_lt *l, void *search, int attribute, int64_t value)
{
	const uint32_t number = (uint32_t)value;

	return l->api.search_set(search, attribute, &number, sizeof(number));
}

/* Finds the fastest algorithm by the library's own estimate. */
static int plan_search(struct cuda_lt *l, struct lt_plan *p)
{
	const struct lt_form *f = &p->form;
	const uint64_t most = WORKSPACE_MAX;
	void *search = NULL;
	int count = 0, status = l->api.search_create(&search);

	if (!status)
		status =
		    l->api.search_set(search, CUBLAS_LT_WORKSPACE_MAX, &most, sizeof(most));
	/* the library's a is our b */
	if (!status)
		status = search_set(l, search, CUBLAS_LT_ALIGNMENT_A, f->b_alignment);
	if (!status)
		status = search_set(l, search, CUBLAS_LT_ALIGNMENT_B, f->a_alignment);
	if (!status)
		status = search_set(l, search, CUBLAS_LT_ALIGNMENT_C, f->other_alignment);
	if (!status)
		status = search_set(l, search, CUBLAS_LT_ALIGNMENT_D, f->c_alignment);
	if (!status)
		status = l->api.search(l->handle, p->product, p->b, p->a, p->other, p->c,
		    search, 1, &p->result, &count);
	if (search)
		l->api.search_destroy(search);
	return status || count < 1 ? -1 : p->result.status;
}

/* Makes a plan. Returns 0 if it works. */
static int plan_make(struct cuda_lt *l, struct lt_plan *p)
{
	const struct lt_form *f = &p->form;
	const int type = lt_type(f->dtype), epilogue = lt_epilogue(f);
	const int transpose = f->transpose_b ? CUBLAS_TRANSPOSED : CUBLAS_AS_STORED;
	const uint64_t m = (uint64_t)f->m, n = (uint64_t)f->n, k = (uint64_t)f->k;

	if (type < 0 || !epilogue)
		return -1;
	int status = l->api.product_create(&p->product,
	    f->dtype == BACKEND_TF32 ? CUBLAS_IN_TF32 : CUBLAS_IN_FLOAT32,
	    CUDA_TYPE_FLOAT32);
	if (!status)
		status = l->api.product_set(
		    p->product, CUBLAS_LT_TRANSPOSE_A, &transpose, sizeof(transpose));
	if (!status)
		status = l->api.product_set(
		    p->product, CUBLAS_LT_EPILOGUE, &epilogue, sizeof(epilogue));
	if (!status)
		status = l->api.matrix_create(&p->a, type, k, m, f->a_ld);
	if (!status)
		status = l->api.matrix_create(
		    &p->b, type, f->transpose_b ? k : n, f->transpose_b ? n : k, f->b_ld);
	if (!status)
		status = l->api.matrix_create(&p->c, type, n, m, f->c_ld);
	if (!status)
		status = l->api.matrix_create(&p->other, type, n, m, f->other_ld);
	return status ? status : plan_search(l, p);
}

const void *cuda_lt_plan(struct cuda_lt *l, const struct gpu_product *p, size_t *room)
{
	const struct lt_form form = form_of(p);
	struct lt_plan *plan = l->plans;

	while (plan && memcmp(&plan->form, &form, sizeof(form)) != 0)
		plan = plan->next;
	if (!plan) {
		plan = calloc(1, sizeof(*plan));
		if (!plan)
			return NULL;
		plan->form = form;
		plan->next = l->plans;
		l->plans = plan;
		plan->works = plan_make(l, plan) == 0;
		if (!plan->works)
			plan_free(l, plan);
	}
	*room = plan->works ? plan->result.workspace : 0;
	return plan->works ? plan : NULL;
}

int cuda_lt_run(struct cuda_lt *l, const void *plan, const struct gpu_product *p,
    void *room, void *stream)
{
	const struct lt_plan *q = plan;
	const float alpha = (float)p->alpha, beta = p->other ? 1 : 0;
	void *bias = element_address(p->bias, p->bias_at, p->dtype);
	char *c = element_address(p->c, p->c_at, p->dtype);
	const char *other = element_address(p->other, p->other_at, p->dtype);
	int status = 0;

	if (bias)
		status = l->api.product_set(
		    q->product, CUBLAS_LT_BIAS_POINTER, &bias, sizeof(bias));
	if (status)
		return status;
	return l->api.run(l->handle, q->product, &alpha,
	    element_address(p->b, p->b_at, p->dtype), q->b,
	    element_address(p->a, p->a_at, p->dtype), q->a, &beta, other ? other : c,
	    q->other, c, q->c, q->result.algorithm, room, q->result.workspace, stream);
}
