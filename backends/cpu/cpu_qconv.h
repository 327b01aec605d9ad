/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolutions with weights in int8 and activations that are quantized when the convolution
 * runs.
 */
#ifndef CPU_CPU_QCONV_H
#define CPU_CPU_QCONV_H

#include "cpu_quantized.h"

/* Returns the bytes of scratch memory that a convolution needs. */
size_t cpu_qconv_scratch(const struct backend_session *s, const struct backend_op *op);
/* Packs the weight and sums up its rows, once for all convolutions with it. */
int cpu_qconv_prepare(struct backend_session *s, struct backend_op *op, char *why);
/* Frees the packed weight after its last user. */
void cpu_qconv_release(struct backend_session *s, struct backend_op *op);
/* Stores the activations in the scratch memory, quantized as given. Returns false if one is
 * not a number. They are `bytes` if that is not NULL. */
bool cpu_qconv_store(const struct backend_session *s, const struct backend_op *op,
    struct cpu_scale scale, const uint8_t *bytes);

/* How a result is rounded to bytes: q = clamp(round(x / scale), low, high) - base. */
struct cpu_rounding {
	uint8_t *q; /* in the order of the elements of x */
	float scale;
	int32_t low, high, base;
};

/* Computes the result from the stored activations. If `to` is not NULL, the result is
 * rounded and stored only there, without the activation; there must be no residual. */
void cpu_qconv_multiply(struct backend_session *s, const struct backend_op *op,
    struct cpu_scale scale, const struct cpu_rounding *to);
/* Runs a convolution. */
int cpu_qconv(struct backend_session *s, const struct backend_op *op, char *why);

#endif
