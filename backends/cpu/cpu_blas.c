/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls OpenBLAS. Only this file includes its header. */
#include <cblas.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "cpu_blas.h"

void cpu_blas_start(void)
{
	openblas_set_num_threads(1);
}

/*
 * The address space that a thread needs: OpenBLAS's buffer (BUFFER_SIZE, 32 << 22 bytes on
 * x86-64 and Arm), its stack, and its arena of the C library. The last two may not be
 * backed by memory. The arena is twice as large until it is aligned.
 */
enum { BUFFER_BYTES = 129 << 20, STACK_BYTES = 8 << 20, ARENA_BYTES = 128 << 20 };

static bool map_and_keep(void **map, size_t bytes, int protection)
{
	*map = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return *map != MAP_FAILED;
}

/* Checks that there is room for the buffers of this number of threads. */
static int reserve_room(int threads, char *why)
{
	enum { EACH = 2 };
	static const size_t bytes[EACH] = { BUFFER_BYTES, STACK_BYTES + ARENA_BYTES };
	size_t wanted = EACH * (size_t)threads, count = 0;
	void **map = calloc(wanted, sizeof(*map));

	while (map && count < wanted &&
	       map_and_keep(&map[count], bytes[count % EACH],
	           count % EACH ? PROT_NONE : PROT_READ | PROT_WRITE))
		count++;
	for (size_t i = 0; i < count; i++)
		munmap(map[i], bytes[i % EACH]);
	free(map);
	if (count < wanted)
		return hook_fail(why,
		    "OpenBLAS needs %zu MiB of address space for %d thread%s, which is not "
		    "available: raise ulimit -v, see vm.overcommit_memory, or use fewer "
		    "threads",
		    (bytes[0] + bytes[1]) * (size_t)threads >> 20, threads,
		    threads == 1 ? "" : "s");
	return 0;
}

int cpu_blas_reserve(int threads, char *why)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static int reserved; /* the number of threads whose buffers OpenBLAS keeps */

	pthread_mutex_lock(&lock);
	const int status = threads > reserved ? reserve_room(threads, why) : 0;
	if (!status && threads > reserved)
		reserved = threads;
	pthread_mutex_unlock(&lock);
	return status;
}

static void blas_gemv(const struct cpu_blas *g)
{
	/* Without transpose the rows of b have n elements, so y = b' x. */
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
