/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes matrix products with OpenBLAS, each on the calling thread only. */
#ifndef CPU_CPU_BLAS_H
#define CPU_CPU_BLAS_H

#include "cpu_session.h"
#include "cpu_tensor.h"

/* c[m,n] = alpha a[m,k] b[k,n] + beta c, or b[n,k]' with transpose. */
struct cpu_blas {
	int type; /* CPU_FLOAT32 or CPU_FLOAT64 */
	bool transpose;
	int64_t m, n, k;
	const void *a;
	int64_t lda;
	const void *b;
	int64_t ldb;
	void *c;
	int64_t ldc;
	double alpha, beta;
};

/* Makes OpenBLAS use only the calling thread. Call it once, before the other functions. */
void cpu_blas_start(void);
/*
 * Makes sure that OpenBLAS can allocate the buffers of this many threads, because it would
 * retry forever. Call it before the first product, after all other memory is allocated.
 * Returns 0, or -1 and the reason.
 */
int cpu_blas_reserve(int threads, char *why);
/* Computes a product on the calling thread. */
void cpu_blas_gemm(const struct cpu_blas *g);

/* Returns the core type for which OpenBLAS has chosen kernels, such as "Zen". */
const char *cpu_blas_core(void);
/* Returns the version of OpenBLAS and how it was built. */
const char *cpu_blas_config(void);
/* Returns the threads of OpenBLAS: "pthreads", "OpenMP" or "no threads". */
const char *cpu_blas_threading(void);

#endif
