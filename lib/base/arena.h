/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory for many small strings and arrays that are freed together.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/base.h"

/* Zero it to begin. */
struct arena {
	struct arena_block *block;
};

/* Returns a copy that ends with a NUL. Its address is valid until arena_free(). */
const char *arena_text(struct arena *a, struct text t);
/* Returns a formatted string, which is valid until arena_free(). */
const char *arena_format(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Returns an array of zeros, aligned for any type, which is valid until arena_free(). */
void *arena_zero(struct arena *a, size_t count, size_t size);
void arena_free(struct arena *a);

#endif
