/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prepares, runs and releases single operations whose tensors have the kernels' types.
 */
#ifndef CPU_CPU_OP_H
#define CPU_CPU_OP_H

#include "cpu_session.h"

/* Begins the `own` of each GEMM, CONV, POOL, BINARY and ROUND. */
struct cpu_own {
	bool rounded; /* whether the operation runs in int8 (cpu_rounded.h) */
};

/* Returns the tensor whose type selects the kernel. */
const struct backend_tensor *cpu_op_typed(const struct backend_op *op);
/* Packs weights and reserves scratch memory. Returns 0, or -1 and the reason. */
int cpu_op_prepare(struct backend_session *s, struct backend_op *op, char *why);
/* Runs an operation. Returns 0, or -1 and the reason. */
int cpu_op_run(struct backend_session *s, const struct backend_op *op, char *why);
/* Frees what was prepared for an operation. */
void cpu_op_release(struct backend_session *s, struct backend_op *op);

#endif
