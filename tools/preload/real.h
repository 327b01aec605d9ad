/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the real allocator, which the preloaded ones call. A small reserve serves the
 * requests made during the search, as the dynamic linker makes them.
 */
#ifndef TOOLS_PRELOAD_REAL_H
#define TOOLS_PRELOAD_REAL_H

#include <stdbool.h>
#include <stddef.h>

/* The functions of the real allocator. */
extern struct real {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	void *(*memalign)(size_t, size_t);
} real;

/* Finds the real allocator. The caller ensures that it is called only once. */
void real_find(void);
/* Returns zeroed memory of the reserve, which is never freed; NULL if it is used up. */
void *reserve_alloc(size_t size);
/* Returns whether the memory belongs to the reserve. */
bool reserve_has(const void *p);
/* Returns the number of bytes from this address to the end of the reserve. */
size_t reserve_from(const void *p);

#endif
