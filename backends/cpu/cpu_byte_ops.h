/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs poolings and sums between ROUNDs on bytes: the maxima of windows, and the rounded
 * sum of two tensors of one size. Means of whole planes read bytes and write numbers.
 */
#ifndef CPU_CPU_BYTE_OPS_H
#define CPU_CPU_BYTE_OPS_H

#include "cpu_bytes.h"

/* Lets the writer of operation `at`, a ROUND, run on bytes, if it is such an operation.
 * Returns 0, or -1 and the reason. */
int cpu_byte_op_prepare(struct backend_session *s, struct backend_op *op, size_t count,
    size_t at, struct backend_op *writer, char *why);
/* Lets operation `at` run on bytes, if it computes the means of whole planes. Returns 0, or
 * -1 and the reason. */
int cpu_byte_mean_prepare(struct backend_op *op, size_t count, size_t at, char *why);
/* Frees what was prepared. */
void cpu_byte_op_release(struct backend_op *op);
/* Runs such an operation. */
void cpu_byte_op_run(struct backend_session *s, const struct backend_op *op);

#endif
