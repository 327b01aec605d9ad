/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Convolution without oneDNN: a matrix product whose rows are windows.
 */
#ifndef CPU_CPU_IM2COL_H
#define CPU_CPU_IM2COL_H

#include "cpu_session.h"

/* Returns the bytes of scratch memory that a convolution needs. */
size_t cpu_im2col_scratch(const struct backend_session *s, const struct backend_op *op);
/* Runs a convolution. */
int cpu_im2col(struct backend_session *s, const struct backend_op *op, char *why);

#endif
