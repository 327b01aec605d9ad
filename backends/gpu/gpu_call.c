/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of kernels; see gpu_call.h.
 */
#include "gpu_call.h"

/* The most work-items of a launch without work. More take time, because a processor skips
 * accesses to memory that was never used slowly, and warm nothing: the compiler of pocl is
 * the only one that distinguishes launches by size, and calls 65535 work-items small. */
enum { WARM_ITEMS = 1 << 17 };

static void call_push(struct gpu_call *c, struct gpu_arg arg)
{
	c->arg[c->args++] = arg;
}

static struct gpu_call call_find(
    struct gpu *g, const struct gpu_kernel *kernel, int64_t count, char *why)
{
	return (struct gpu_call){ .gpu = g,
		.wide_real = gpu_is_wide(g, kernel->dtype, kernel->other),
		.kernel = gpu_kernel_find(g, kernel, why),
		.count = count };
}

struct gpu_call gpu_call_begin(
    struct gpu *g, struct gpu_kernel kernel, int64_t count, char *why)
{
	struct gpu_call c = call_find(g, &kernel, count, why);

	gpu_call_int(&c, g->phase == GPU_RUN ? count : 0);
	return c;
}

struct gpu_call gpu_call_begin_long(
    struct gpu *g, struct gpu_kernel kernel, int64_t count, char *why)
{
	struct gpu_call c = call_find(g, &kernel, count, why);

	gpu_call_long(&c, g->phase == GPU_RUN ? count : 0);
	return c;
}

void gpu_call_buffer(struct gpu_call *c, void *buffer, int64_t at)
{
	call_push(c, (struct gpu_arg){ .type = GPU_BUFFER, .value.buffer = buffer });
	gpu_call_long(c, buffer ? at : 0);
}

void gpu_call_tensor(struct gpu_call *c, const struct backend_tensor *t)
{
	gpu_call_buffer(c, gpu_tensor_handle(t), t ? t->offset : 0);
}

void gpu_call_int(struct gpu_call *c, int64_t value)
{
	call_push(c, (struct gpu_arg){ .type = GPU_INT, .value.i = (int32_t)value });
}

void gpu_call_ints(struct gpu_call *c, size_t count, const int64_t *value)
{
	for (size_t i = 0; i < count; i++)
		gpu_call_int(c, value[i]);
}

void gpu_call_long(struct gpu_call *c, int64_t value)
{
	call_push(c, (struct gpu_arg){ .type = GPU_LONG, .value.l = value });
}

void gpu_call_real(struct gpu_call *c, double value)
{
	if (c->wide_real)
		call_push(c, (struct gpu_arg){ .type = GPU_DOUBLE, .value.d = value });
	else
		call_push(
		    c, (struct gpu_arg){ .type = GPU_FLOAT, .value.f = (float)value });
}

void gpu_call_past(struct gpu_call *c, int64_t past)
{
	const bool recording = c->gpu->recording;

	gpu_call_int(c, recording ? 0 : past);
	gpu_call_buffer(c, recording ? c->gpu->past : NULL, 0);
}

int gpu_call_go(struct gpu_call *c, int64_t groups, uint32_t group_size, char *why)
{
	if (!c->kernel)
		return -1;
	if (c->gpu->phase == GPU_MEASURE || groups <= 0)
		return 0;
	if (c->gpu->phase == GPU_WARM && groups > WARM_ITEMS / group_size)
		groups = WARM_ITEMS / group_size;
	return c->gpu->driver->launch(
	    c->gpu, c->kernel, (uint32_t)groups, group_size, c->arg, c->args, why);
}

int gpu_call_each(struct gpu_call *c, int64_t each, char *why)
{
	const int64_t share = gpu_group(c->gpu) * each;

	return gpu_call_go(c, (c->count + share - 1) / share, gpu_group(c->gpu), why);
}

int gpu_call_packs(struct gpu_call *c, enum backend_dtype dtype, char *why)
{
	return gpu_call_each(
	    c, c->gpu->wide ? 1 : 16 / (int64_t)gpu_dtype_bytes(dtype), why);
}

int gpu_call_rows(struct gpu_call *c, char *why)
{
	return gpu_call_go(c, c->count, gpu_row_group(c->gpu), why);
}
