/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes convolutions with cuDNN 9 through its backend API, in which a graph of
 * operations becomes a plan. The library is optional; it is loaded at run time.
 */
#ifndef GPU_CUDA_DNN_H
#define GPU_CUDA_DNN_H

#include "gpu_driver.h"

struct cuda_dnn;
struct cuda_dnn_plan;

/* Finds the library, and writes ", cuDNN " and its version, or ", no cuDNN", to text.
 * Returns 0, or -1 and why if $BENCH_CUDNN names a library that cannot be loaded. */
int cuda_dnn_find(char *text, size_t size, char *why);
/* Loads the library and opens it for a stream of the current context. Returns NULL and why
 * if there is none. */
struct cuda_dnn *cuda_dnn_open(void *stream, char *why);
/* Frees the plans and closes the library; NULL is allowed. */
void cuda_dnn_close(struct cuda_dnn *d);
/* Returns a plan for a convolution, which d owns; NULL and why if the library has none. */
const struct cuda_dnn_plan *cuda_dnn_plan(
    struct cuda_dnn *d, const struct gpu_convolution *v, char *why);
/* Returns the bytes of scratch memory that a plan needs. */
size_t cuda_dnn_room(const struct cuda_dnn_plan *p);
/* Enqueues a plan. Returns 0, or -1 and why. */
int cuda_dnn_run(struct cuda_dnn *d, const struct cuda_dnn_plan *p,
    const struct gpu_convolution_operands *x, char *why);

#endif
