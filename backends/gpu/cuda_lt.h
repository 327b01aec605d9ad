/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes joined products with cublasLt: a matrix product, the addition of a bias and of
 * another matrix, and an activation.
 */
#ifndef GPU_CUDA_LT_H
#define GPU_CUDA_LT_H

#include "gpu_driver.h"

struct cuda_lt;

/* Loads the library. Returns NULL if there is none. */
struct cuda_lt *cuda_lt_open(void);
/* Frees the plans and closes the library; NULL is allowed. */
void cuda_lt_close(struct cuda_lt *l);
/* Returns a plan for products of this form, which l owns, and the bytes of scratch memory
 * that it needs; NULL if the library has none. */
const void *cuda_lt_plan(struct cuda_lt *l, const struct gpu_product *p, size_t *room);
/* Enqueues a product. Returns 0 or the library's status. */
int cuda_lt_run(struct cuda_lt *l, const void *plan, const struct gpu_product *p,
    void *room, void *stream);

#endif
