/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products with weights in int8 and activations that are quantized when the product runs.
 */
#ifndef CPU_CPU_QUANTIZED_H
#define CPU_CPU_QUANTIZED_H

#include "cpu_session.h"

/* Returns the bytes of scratch memory that a product needs. */
size_t cpu_qgemm_scratch(const struct backend_session *s, const struct backend_op *op);
/* Sums up the rows of the weight, once for all products with it. */
int cpu_qgemm_prepare(struct backend_session *s, struct backend_op *op, char *why);
/* Frees the sums after their last user. */
void cpu_qgemm_release(struct backend_session *s, struct backend_op *op);
/* Runs a product. */
int cpu_qgemm(struct backend_session *s, const struct backend_op *op, char *why);
/* Returns the name of the instructions that multiply: "VNNI", or that of the kernels. */
const char *cpu_int8_name(void);

#endif
