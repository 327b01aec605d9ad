/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations on tensors of 16 bits, float16 and bfloat16.
 *
 * Products and convolutions in bfloat16 are oneDNN's if the processor multiplies bfloat16
 * (cpu_dnn_half.c). All other operations compute in float32: their operands are converted
 * to float32 in memory that the operations of a list share, a kernel of float32 runs, and
 * its results are rounded to 16 bits. Operations on rows do so a few rows at a time, which
 * stay in the second cache. Small weights, such as gains and biases, are converted once;
 * the matrices of products are converted in parts while they are used (cpu_half_product.c),
 * so that they are read from memory in 16 bits.
 */
#ifndef CPU_CPU_HALF_H
#define CPU_CPU_HALF_H

#include "cpu_session.h"

/* Returns whether an operation is on tensors of 16 bits. Moves, which convert, are not. */
bool cpu_op_is_half(const struct backend_op *op);
/* Prepares the operations of 16 bits in a list. Returns 0, or -1 and the reason. */
int cpu_half_prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why);
/* Frees what was prepared for an operation of 16 bits. */
void cpu_half_release(struct backend_session *s, struct backend_op *op);
/* Runs an operation of 16 bits. */
int cpu_half_run(struct backend_session *s, const struct backend_op *op, char *why);
/* Moves elements of 16 bits without changing them. */
void cpu_half_move(struct backend_session *s, const struct backend_op *op);

#endif
