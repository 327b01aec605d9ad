/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compiled programs on disk.
 */
#ifndef GPU_GPU_CACHE_H
#define GPU_GPU_CACHE_H

#include "gpu_session.h"

/* Returns a compiled program from the cache, to be freed by the caller; NULL: none. */
void *gpu_cache_get(struct gpu *g, const char *source, const char *options, size_t *bytes);
/* Stores a compiled program. Errors are ignored: they cost time the next time, nothing
 * else. */
void gpu_cache_put(struct gpu *g, const char *source, const char *options,
    const void *binary, size_t bytes);

#endif
