/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The only file that includes OpenBLAS's header. */
#include <cblas.h>

#include "cpu_blas.h"

void cpu_blas_start(void)
{
	openblas_set_num_threads(1);
}

static void blas_gemv(const struct cpu_blas *g)
{
	/* As the rows of b are of n without transpose, y = b' x then. */
	CBLAS_TRANSPOSE turn = g->transpose ? CblasNoTrans : CblasTrans;
	blasint rows = (blasint)(g->transpose ? g->n : g->k);
	blasint columns = (blasint)(g->transpose ? g->k : g->n);
	if (g->type == CPU_FLOAT32)
		cblas_sgemv(CblasRowMajor, turn, rows, columns, (float)g->alpha, g->b,
		    (blasint)g->ldb, g->a, 1, (float)g->beta, g->c, 1);
	else
		cblas_dgemv(CblasRowMajor, turn, rows, columns, g->alpha, g->b,
		    (blasint)g->ldb, g->a, 1, g->beta, g->c, 1);
}

void cpu_blas_gemm(const struct cpu_blas *g)
{
	CBLAS_TRANSPOSE turn = g->transpose ? CblasTrans : CblasNoTrans;
	if (g->m == 1) {
		blas_gemv(g);
	} else if (g->type == CPU_FLOAT32) {
		cblas_sgemm(CblasRowMajor, CblasNoTrans, turn, (blasint)g->m, (blasint)g->n,
		    (blasint)g->k, (float)g->alpha, g->a, (blasint)g->lda, g->b,
		    (blasint)g->ldb, (float)g->beta, g->c, (blasint)g->ldc);
	} else {
		cblas_dgemm(CblasRowMajor, CblasNoTrans, turn, (blasint)g->m, (blasint)g->n,
		    (blasint)g->k, g->alpha, g->a, (blasint)g->lda, g->b, (blasint)g->ldb,
		    g->beta, g->c, (blasint)g->ldc);
	}
}

const char *cpu_blas_core(void)
{
	return openblas_get_corename();
}

const char *cpu_blas_config(void)
{
	return openblas_get_config();
}

const char *cpu_blas_threading(void)
{
	switch (openblas_get_parallel()) {
	case OPENBLAS_THREAD:
		return "pthreads";
	case OPENBLAS_OPENMP:
		return "OpenMP";
	default:
		return "no threads";
	}
}
