/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps compiled programs on disk.
 */
#ifndef GPU_GPU_CACHE_H
#define GPU_GPU_CACHE_H

#include "gpu_session.h"

/* Returns a compiled program from the cache, which the caller frees; NULL if there is none.
 */
void *gpu_cache_get(struct gpu *g, const char *source, const char *options, size_t *bytes);
/* Stores a compiled program. Errors are ignored, because they only cost time later. */
void gpu_cache_put(struct gpu *g, const char *source, const char *options,
    const void *binary, size_t bytes);

#endif
