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
/*
 * Returns among how many groups to divide the work of each of `groups` groups, so that there
 * are up to two groups for each multiprocessor, of which one runs while the other waits for
 * memory: 1 if there are more groups than multiprocessors. A share of the work, such as the
 * keys of an attention, has at least `least` items: one with few would write and read again
 * nearly as much as it reads.
 */
int64_t gpu_shares(const struct gpu *g, int64_t groups, int64_t work, int64_t least);
/* Returns the number of independent chains of fused operations in a work-item. */
int64_t gpu_chains(const struct gpu *g, enum backend_dtype dtype);
/* Returns whether a kernel computes in double: for float64, and for int32, which a float
 * cannot hold. */
bool gpu_is_wide(const struct gpu *g, enum backend_dtype a, enum backend_dtype b);

/* Returns the kernel for tensors of one type. */
struct gpu_kernel gpu_kernel_of(
    const char *file, const char *name, enum backend_dtype dtype);
/* Returns the driver's handle of a kernel, which is compiled if this is its first use; NULL
 * and why. The session owns the handle. */
void *gpu_kernel_find(struct gpu *g, const struct gpu_kernel *kernel, char *why);

#endif
