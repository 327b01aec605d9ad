/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operations that are matrix products: gemm, including int8, gemv and experts.
 */
#ifndef CPU_CPU_GEMM_H
#define CPU_CPU_GEMM_H

#include "cpu_session.h"

/* Returns the bytes of scratch memory that a gemm or experts needs. */
size_t cpu_gemm_scratch(const struct backend_session *s, const struct backend_op *op);
/* Packs the weights of a gemm, once for all operations that use them. */
int cpu_gemm_prepare(struct backend_session *s, struct backend_op *op, char *why);
/* Releases the packed weights after their last user. */
void cpu_gemm_release(struct backend_session *s, struct backend_op *op);
/* Rows in the order of the experts that were chosen for them. */
struct cpu_sorting {
	int64_t *begin; /* [experts + 1]: the first row of each expert, in sorted order */
	int64_t *row;   /* [rows]: the row of the result */
};
/* Sorts the rows of the result of experts, by counting. */
void cpu_rows_sort(const struct backend_op *op, const struct cpu_sorting *at);
/* Each runs one operation. */
int cpu_gemm(struct backend_session *s, const struct backend_op *op, char *why);
int cpu_gemv(struct backend_session *s, const struct backend_op *op, char *why);
int cpu_experts(struct backend_session *s, const struct backend_op *op, char *why);

#endif
