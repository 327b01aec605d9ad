/*
 * Convolutions and what lies between them by oneDNN: cpu_dnn.c where its headers are,
 * cpu_dnn_none.c where not, which can do none of it.
 */
#ifndef CPU_DNN_H
#define CPU_DNN_H

#include "cpu.h"
#include "cpu_blas.h"

/* "2.6.3"; empty without it, or when the environment's BENCH_CPU_DNN is "no". */
const char *cpu_dnn_version(void);
/* NULL then. */
struct cpu_dnn *cpu_dnn_open(const struct backend_session *s);
void cpu_dnn_close(struct cpu_dnn *d);

/*
 * Whether float32 products are faster by oneDNN than by OpenBLAS and than packed panels, on
 * the best instruction set here: with vectors of 512 bits, of whose processors OpenBLAS
 * 0.3.21 knows few. Never against OPENBLAS_CORETYPE: who sets it wants that core.
 */
bool cpu_dnn_products(void);
/* One on the calling thread, within those of the session; g is of float32. */
void cpu_dnn_gemm(const struct cpu_blas *g);

/* Plans for the operations of the list that it takes, as their `own`; s has a dnn. */
int cpu_dnn_prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why);
void cpu_dnn_release(struct backend_session *s, struct backend_op *op);
int cpu_dnn_run(struct backend_session *s, const struct backend_op *op, char *why);

/*
 * c[m,n] = a[m,k] b[k,n], or b[n,k]', of int8 into int32. -1 where it has no exact way on
 * this processor.
 */
int cpu_dnn_gemm_int8(struct backend_session *s, bool transpose, int64_t m, int64_t n,
    int64_t k, const int8_t *a, int64_t lda, const int8_t *b, int64_t ldb, int32_t *c,
    int64_t ldc);

#endif
