/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs products and convolutions on floating-point numbers in int8 where that gives the
 * same results, as in quantized models: the activations are the results of a ROUND to at
 * most 256 numbers, and the weights are multiples of a scale by at most 127 in each row.
 * Poolings and sums between such operations run on bytes (cpu_byte_ops.h).
 */
#ifndef CPU_CPU_ROUNDED_H
#define CPU_CPU_ROUNDED_H

#include "cpu_session.h"

/* Finds such operations of a list, packs their weights and stores them as their `own`.
 * Returns 0, or -1 and the reason. */
int cpu_rounded_prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why);
/* Returns whether an operation runs in int8. */
bool cpu_is_rounded(const struct backend_op *op);
/* Frees what was prepared for an operation that runs in int8. */
void cpu_rounded_release(struct backend_session *s, struct backend_op *op);
/* Runs such an operation. */
int cpu_rounded_run(struct backend_session *s, const struct backend_op *op, char *why);

#endif
