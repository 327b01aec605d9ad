/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds programs and kernels, which are compiled when they are first needed.
 */
#ifndef GPU_GPU_PROGRAM_H
#define GPU_GPU_PROGRAM_H

#include "gpu_session.h"

/* Returns the number of work-items in a group of an element-wise kernel. */
uint32_t gpu_group(const struct gpu *g);
/* Returns the number of work-items in a group that has a row. */
uint32_t gpu_row_group(const struct gpu *g);
/* Returns the number of independent chains of fused operations in a work-item. */
int64_t gpu_chains(const struct gpu *g, enum backend_dtype dtype);
/* Returns whether a kernel computes in double: for float64, and for int32, which a float
 * cannot hold. */
bool gpu_is_wide(const struct gpu *g, enum backend_dtype a, enum backend_dtype b);

/* Returns the kernel `name` of a file of kernels, named without its suffix, built
 * for tensors of types dtype (T) and other (U), and with STATES where states is not 0; NULL
 * and why. file and name are constants: they are compared by address. */
void *gpu_kernel_find(struct gpu *g, const char *file, const char *name,
    enum backend_dtype dtype, enum backend_dtype other, int64_t states, char *why);

#endif
