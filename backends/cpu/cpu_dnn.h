/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolutions by oneDNN, and the operations between them. cpu_dnn.c is built where its
 * headers are installed, cpu_dnn_none.c elsewhere.
 */
#ifndef CPU_CPU_DNN_H
#define CPU_CPU_DNN_H

#include "cpu_blas.h"
#include "cpu_isa.h"
#include "cpu_session.h"

/* Returns oneDNN's version, as in "2.6.3"; empty without oneDNN, or when the environment's
 * BENCH_CPU_DNN is "no". */
const char *cpu_dnn_version(void);
/* Opens oneDNN for a session; NULL when cpu_dnn_version is empty or oneDNN fails. */
struct cpu_dnn *cpu_dnn_open(const struct backend_session *s);
void cpu_dnn_close(struct cpu_dnn *d);

/*
 * Returns whether oneDNN computes float32 products faster than OpenBLAS and packed panels
 * on the best instruction set of this processor. It does with vectors of 512 bits, because
 * OpenBLAS 0.3.21 supports few processors that have them. Returns false if
 * OPENBLAS_CORETYPE is set, so that the user's choice takes effect.
 */
bool cpu_dnn_products(void);
/* Computes a float32 product on the calling thread, which is one of the session's. */
void cpu_dnn_gemm(const struct cpu_blas *g);

/* Returns whether oneDNN computes products and convolutions in bfloat16, with instructions
 * of this processor (AVX512-BF16). */
bool cpu_dnn_bfloat16(void);
/* Makes a plan for a product in bfloat16 and stores it as the operation's `own`, if oneDNN
 * has a fast one. s->dnn must not be NULL. Returns 0, or -1 and the reason. */
int cpu_dnn_half_gemm(struct backend_session *s, struct backend_op *op, char *why);

/* Makes plans for the operations of a list that oneDNN runs, and stores them as their
 * `own`. s->dnn must not be NULL. */
int cpu_dnn_prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why);
/* Releases the plan of an operation. */
void cpu_dnn_release(struct backend_session *s, struct backend_op *op);
/* Runs the plan of an operation. */
int cpu_dnn_run(struct backend_session *s, const struct backend_op *op, char *why);

/* Returns whether oneDNN has an exact product of int8 on this processor (VNNI on x86-64).
 */
bool cpu_dnn_int8(void);
/* Computes a product with the session's threads. Returns 0, or -1 if oneDNN has no exact
 * product on this processor. */
int cpu_dnn_gemm_int8(struct backend_session *s, const struct cpu_int8_product *p);
/* Computes c[m,n] = a[m,k] b[n,k]' of uint8 and int8 into int32, all contiguous. Returns -1
 * like cpu_dnn_gemm_int8. */
int cpu_dnn_gemm_u8s8(struct backend_session *s, int64_t m, int64_t n, int64_t k,
    const uint8_t *a, const int8_t *b, int32_t *c);

#endif
