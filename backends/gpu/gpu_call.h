/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds the call of a kernel argument by argument, and enqueues it.
 */
#ifndef GPU_GPU_CALL_H
#define GPU_GPU_CALL_H

#include "gpu_program.h"
#include "gpu_tensor.h"

struct gpu_call {
	struct gpu *gpu;
	void *kernel;
	bool wide_real; /* R is double */
	int64_t count;
	uint32_t group_size;
	struct gpu_arg arg[GPU_ARGS];
	size_t args;
};

/* Begins a call of a kernel on `count` items. If the kernel cannot be compiled, sets why,
 * and gpu_call_go fails. */
struct gpu_call gpu_call_begin(
    struct gpu *g, struct gpu_kernel kernel, int64_t count, char *why);
/* Begins a call of a kernel that takes the number of items as a long. */
struct gpu_call gpu_call_begin_long(
    struct gpu *g, struct gpu_kernel kernel, int64_t count, char *why);
/* These append arguments. A tensor or a driver's buffer may be NULL; a buffer is passed
 * from its element `at`. A real is of type R. */
void gpu_call_tensor(struct gpu_call *c, const struct backend_tensor *t);
void gpu_call_buffer(struct gpu_call *c, void *buffer, int64_t at);
void gpu_call_int(struct gpu_call *c, int64_t value);
void gpu_call_ints(struct gpu_call *c, size_t count, const int64_t *value);
void gpu_call_long(struct gpu_call *c, int64_t value);
void gpu_call_real(struct gpu_call *c, double value);
/* Appends the number of earlier tokens, which common.cl's PAST_ARGUMENTS declares. */
void gpu_call_past(struct gpu_call *c, int64_t past);
/* Enqueues the call with this many groups of group_size work-items. */
int gpu_call_go(struct gpu_call *c, int64_t groups, uint32_t group_size, char *why);
/* Enqueues an element-wise kernel, with `each` elements in a work-item. */
int gpu_call_each(struct gpu_call *c, int64_t each, char *why);
/* Enqueues an element-wise kernel whose work-items have 16 bytes of elements of a type, or
 * one element on a processor. */
int gpu_call_packs(struct gpu_call *c, enum backend_dtype dtype, char *why);
/* Enqueues a kernel in which each group has a row. */
int gpu_call_rows(struct gpu_call *c, char *why);

/* Appends integers. */
#define GPU_CALL_INTS(c, ...)                                                  \
	gpu_call_ints(c, sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), \
	    (int64_t[]){ __VA_ARGS__ })

#endif
