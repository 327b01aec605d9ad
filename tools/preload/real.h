/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The allocator that ours stand before, and a small reserve for those who ask while it is
 * being looked for, as the dynamic linker does.
 */
#ifndef TOOLS_PRELOAD_REAL_H
#define TOOLS_PRELOAD_REAL_H

#include <stdbool.h>
#include <stddef.h>

extern struct real {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	void *(*memalign)(size_t, size_t);
} real;

/* Look for it. The caller sees to it that this happens once. */
void real_find(void);
/* Zeroed memory of the reserve, never freed; NULL when it is used up. */
void *reserve_alloc(size_t size);
bool reserve_has(const void *p);
/* How many bytes of the reserve begin there. */
size_t reserve_from(const void *p);

#endif
