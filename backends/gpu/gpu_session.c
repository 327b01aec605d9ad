/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Manages sessions and their memory; see gpu_session.h.
 */
#include <stdlib.h>
#include <string.h>

#include "gpu_list.h"

static struct gpu *gpu_of(struct backend_session *s)
{
	return (struct gpu *)s;
}

struct gpu *gpu_new(
    const struct gpu_driver *driver, const struct backend_config *config, char *why)
{
	struct gpu *g = calloc(1, sizeof(*g));

	if (config->abi != BACKEND_ABI) {
		hook_fail(
		    why, "the ABI of the program is %u, not %u", config->abi, BACKEND_ABI);
		free(g);
		return NULL;
	}
	if (g) {
		g->driver = driver;
		g->share_dir = strdup(config->share_dir ? config->share_dir : ".");
		g->cache_dir = config->cache_dir ? strdup(config->cache_dir) : NULL;
	}
	if (!g || !g->share_dir || (config->cache_dir && !g->cache_dir)) {
		hook_fail(why, "out of memory");
		if (g)
			gpu_close((struct backend_session *)g);
		return NULL;
	}
	return g;
}

void gpu_close(struct backend_session *s)
{
	struct gpu *g = gpu_of(s);

	if (g->device) {
		gpu_lists_free(g);
		if (g->room)
			g->driver->free(g, g->room);
		for (size_t i = 0; i < g->kernels; i++)
			g->driver->drop(g, g->kernel[i].handle);
		for (size_t i = 0; i < g->programs; i++) {
			g->driver->unbuild(g, g->program[i].handle);
			free(g->program[i].options);
		}
		g->driver->close(g);
	}
	free(g->program);
	free(g->kernel);
	free(g->form);
	free(g->share_dir);
	free(g->cache_dir);
	free(g);
}

void gpu_account_begin(struct gpu *g)
{
	if (g->driver->memory_free && g->accounting++ == 0)
		g->free_before = g->driver->memory_free(g);
}

void gpu_account_end(struct gpu *g)
{
	if (g->driver->memory_free && --g->accounting == 0)
		g->held += (int64_t)(g->free_before - g->driver->memory_free(g));
}

void *gpu_alloc(struct backend_session *s, size_t bytes, char *why)
{
	struct gpu *g = gpu_of(s);
	struct gpu_buffer *b = calloc(1, sizeof(*b));

	if (!b) {
		hook_fail(why, "out of memory");
		return NULL;
	}
	b->bytes = bytes;
	gpu_account_begin(g);
	b->handle = g->driver->alloc(g, bytes ? bytes : 1, why);
	gpu_account_end(g);
	if (!b->handle) {
		free(b);
		return NULL;
	}
	g->bytes += bytes;
	return b;
}

void gpu_free(struct backend_session *s, void *buffer)
{
	struct gpu *g = gpu_of(s);
	struct gpu_buffer *b = buffer;

	if (!b)
		return;
	g->bytes -= b->bytes;
	gpu_account_begin(g);
	g->driver->free(g, b->handle);
	gpu_account_end(g);
	free(b);
}

static int buffer_check_range(
    const struct gpu_buffer *b, size_t at, size_t bytes, char *why)
{
	if (at > b->bytes || bytes > b->bytes - at)
		return hook_fail(why, "%zu bytes at %zu exceed a buffer of %zu bytes",
		    bytes, at, b->bytes);
	return 0;
}

int gpu_write(struct backend_session *s, void *buffer, size_t at, const void *from,
    size_t bytes, char *why)
{
	struct gpu *g = gpu_of(s);
	struct gpu_buffer *b = buffer;

	if (buffer_check_range(b, at, bytes, why))
		return -1;
	return bytes ? g->driver->write(g, b->handle, at, from, bytes, why) : 0;
}

int gpu_read(
    struct backend_session *s, void *buffer, size_t at, void *to, size_t bytes, char *why)
{
	struct gpu *g = gpu_of(s);
	struct gpu_buffer *b = buffer;

	if (buffer_check_range(b, at, bytes, why))
		return -1;
	return bytes ? g->driver->read(g, b->handle, at, to, bytes, why) : 0;
}

void gpu_room_take(struct gpu *g, size_t bytes, size_t *at, size_t *used)
{
	*at = *used;
	*used += (bytes + 255) / 256 * 256;
	if (*used > g->room_needed)
		g->room_needed = *used;
}

int gpu_room_fit(struct gpu *g, char *why)
{
	if (g->room_needed <= g->room_bytes)
		return 0;
	if (g->room)
		g->driver->free(g, g->room);
	g->bytes -= g->room_bytes;
	g->room_bytes = 0;
	g->room = g->driver->alloc(g, g->room_needed, why);
	if (!g->room)
		return -1;
	g->room_bytes = g->room_needed;
	g->bytes += g->room_bytes;
	return 0;
}

int gpu_sync(struct backend_session *s, char *why)
{
	return gpu_of(s)->driver->sync(gpu_of(s), why);
}

uint64_t gpu_memory(struct backend_session *s)
{
	const struct gpu *g = gpu_of(s);

	return g->held > (int64_t)g->bytes ? (uint64_t)g->held : g->bytes;
}

uint64_t gpu_memory_context(struct backend_session *s)
{
	struct gpu *g = gpu_of(s);

	return g->driver->context ? g->driver->context(g) : 0;
}

uint64_t gpu_memory_free(struct backend_session *s)
{
	struct gpu *g = gpu_of(s);

	return g->driver->memory_free ? g->driver->memory_free(g) : 0;
}
