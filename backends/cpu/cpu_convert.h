/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Moves from one dtype to another.
 */
#ifndef CPU_CPU_CONVERT_H
#define CPU_CPU_CONVERT_H

#include "cpu_session.h"

/* Returns whether tensors of this dtype can be converted. */
bool cpu_converts(enum backend_dtype dtype);
/* Runs a move between any two dtypes that can be converted. */
int cpu_convert(struct backend_session *s, const struct backend_op *op, char *why);

#endif
