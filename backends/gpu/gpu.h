/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares the hooks of the backends opencl, cuda and hip, which run the operations of
 * bench-backend.h through their drivers. The kernels, in kernels, are one source for all
 * three.
 */
#ifndef GPU_GPU_H
#define GPU_GPU_H

#include "gpu_session.h"

/* Hooks of struct backend. */
int gpu_supports(struct backend_session *s, const struct backend_op *op, char *why);
int gpu_prepare(struct backend_session *s, struct backend_op *op, size_t count, char *why);
void gpu_release(struct backend_session *s, struct backend_op *op, size_t count);
int gpu_run(struct backend_session *s, const struct backend_op *op, char *why);
int gpu_draw(struct backend_session *s, void *buffer, size_t size, const void *table,
    uint64_t key, uint64_t count, char *why);
int gpu_run_list(
    struct backend_session *s, const struct backend_op *op, size_t count, char *why);
int gpu_time_list(struct backend_session *s, const struct backend_op *op, size_t count,
    struct backend_op_span *span, char *why);
bool gpu_is_graph(struct backend_session *s, const struct backend_op *op, size_t count);

/* The members of a struct backend that are the same in all three. */
#define GPU_HOOKS                                                                     \
	.abi = BACKEND_ABI, .close = gpu_close, .alloc = gpu_alloc, .free = gpu_free, \
	.write = gpu_write, .read = gpu_read, .supports = gpu_supports,               \
	.prepare = gpu_prepare, .release = gpu_release,                               \
	.run = { [0 ... BACKEND_KINDS - 1] = gpu_run }, .run_list = gpu_run_list,     \
	.is_graph = gpu_is_graph, .sync = gpu_sync, .memory = gpu_memory,             \
	.memory_free = gpu_memory_free, .memory_context = gpu_memory_context,         \
	.time_list = gpu_time_list, .draw = gpu_draw

#endif
