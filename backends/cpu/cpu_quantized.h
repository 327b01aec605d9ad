/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products with weights in int8 and activations that are quantized when the product runs.
 */
#ifndef CPU_CPU_QUANTIZED_H
#define CPU_CPU_QUANTIZED_H

#include "cpu_session.h"

/* How a tensor is quantized. */
struct cpu_scale {
	float scale;
	int32_t zero;
	float inverse; /* of the scale, if all numbers are multiples of it; else 0 */
};

/* Returns the bytes of scratch memory that a product, of experts or not, needs. */
size_t cpu_qgemm_scratch(const struct backend_session *s, const struct backend_op *op);
/* Packs the weight, or sums up its rows, once for all products with it. */
int cpu_qgemm_prepare(struct backend_session *s, struct backend_op *op, char *why);
/* Frees what was prepared after its last user. */
void cpu_qgemm_release(struct backend_session *s, struct backend_op *op);
/* Each runs one operation; cpu_qgemm_scaled() with activations that are quantized as
 * given. */
void cpu_qgemm_scaled(
    struct backend_session *s, const struct backend_op *op, struct cpu_scale q);
int cpu_qgemm(struct backend_session *s, const struct backend_op *op, char *why);
int cpu_qexperts(struct backend_session *s, const struct backend_op *op, char *why);
/* Returns how activations are quantized; see BACKEND_QGEMM. */
struct cpu_scale cpu_activations_scale(
    const struct backend_session *s, const struct backend_tensor *a);
/* Returns the sums of the rows of a weight, in memory of the session; NULL if there is
 * none. */
int32_t *cpu_qsums(
    struct backend_session *s, const int8_t *weight, int64_t rows, int64_t row);
/* Returns whether VNNI multiplies bytes; otherwise, weights are packed for products of 16
 * bits. */
bool cpu_uses_vnni(const struct backend_session *s);
/* Returns the function for tiles of convolutions. Sets *finishes to whether it can finish
 * the sums. */
cpu_qtile_run *cpu_qtile_of(const struct backend_session *s, bool *finishes);
/* Returns the name of the instructions that multiply: "VNNI", or that of the kernels. */
const char *cpu_int8_name(void);

#endif
