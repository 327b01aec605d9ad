/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the elements of large weights on the device.
 */
#include "gpu.h"
#include "gpu_call.h"

enum { ACCESS_BYTES = 16 };

/* Returns a type with elements of this size, which the device need not compute in. */
static enum backend_dtype dtype_of_size(size_t size)
{
	switch (size) {
	case 1:
		return BACKEND_UINT8;
	case 2:
		return BACKEND_BFLOAT16;
	case 4:
		return BACKEND_FLOAT32;
	default:
		return BACKEND_FLOAT64;
	}
}

int gpu_draw(struct backend_session *s, void *buffer, size_t size, const void *table,
    uint64_t key, uint64_t count, char *why)
{
	struct gpu *g = (struct gpu *)s;
	const struct gpu_buffer *to = buffer;
	const enum backend_dtype dtype = dtype_of_size(size);
	const size_t table_bytes = BACKEND_DRAWN * size;
	void *copy;
	int status;

	if (count > to->bytes / size)
		return hook_fail(why, "%llu elements exceed a buffer of %zu bytes",
		    (unsigned long long)count, to->bytes);
	copy = g->driver->alloc(g, table_bytes, why);
	if (!copy)
		return -1;
	status = g->driver->write(g, copy, 0, table, table_bytes, why);
	if (!status) {
		struct gpu_call c = gpu_call_begin_long(
		    g, gpu_kernel_of("draw", "draw", dtype), (int64_t)count, why);

		gpu_call_buffer(&c, to->handle, 0);
		gpu_call_buffer(&c, copy, 0);
		gpu_call_long(&c, (int64_t)key);
		status = gpu_call_each(&c, ACCESS_BYTES / (int64_t)size, why);
	}
	if (!status)
		status = gpu_sync(s, why);
	g->driver->free(g, copy);
	return status;
}
