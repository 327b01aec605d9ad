/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolutions in int8 whose groups have one channel and one result, between ROUNDs whose
 * results are bytes.
 */
#ifndef CPU_CPU_DEPTHWISE_H
#define CPU_CPU_DEPTHWISE_H

#include "cpu_qconv.h"

/* Returns whether a convolution is of this kind. */
bool cpu_is_depthwise(const struct backend_op *op);
/* Returns the bytes of scratch memory that a convolution needs. */
size_t cpu_depthwise_scratch(const struct backend_session *s, const struct backend_op *op);
/* Packs the weight of a QCONV and stores it as the `own` of the operation. */
int cpu_depthwise_prepare(struct backend_session *s, struct backend_op *op, char *why);
/* Frees the packed weight. */
void cpu_depthwise_release(struct backend_session *s, struct backend_op *op);
/* Computes the rounded results from the bytes of a ROUND, without the activation. */
void cpu_depthwise_run(struct backend_session *s, const struct backend_op *op,
    struct cpu_scale scale, const uint8_t *bytes, const struct cpu_rounding *to);

#endif
