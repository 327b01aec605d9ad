/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the real allocator; see real.h.
 */
#include <dlfcn.h>
#include <stdatomic.h>

#include "real.h"

enum { RESERVE_BYTES = 1 << 16 };

struct real real;
static char reserve[RESERVE_BYTES] __attribute__((aligned(16)));
static _Atomic size_t reserve_used;

void real_find(void)
{
	real.malloc = dlsym(RTLD_NEXT, "malloc");
	real.calloc = dlsym(RTLD_NEXT, "calloc");
	real.realloc = dlsym(RTLD_NEXT, "realloc");
	real.free = dlsym(RTLD_NEXT, "free");
	real.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
	real.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
	real.memalign = dlsym(RTLD_NEXT, "memalign");
}

void *reserve_alloc(size_t size)
{
	size_t at = atomic_fetch_add(&reserve_used, (size + 15) & ~(size_t)15);

	return size <= RESERVE_BYTES && at <= RESERVE_BYTES - size ? reserve + at : NULL;
}

bool reserve_has(const void *p)
{
	return (const char *)p >= reserve && (const char *)p < reserve + sizeof(reserve);
}

size_t reserve_from(const void *p)
{
	return (size_t)(reserve + sizeof(reserve) - (const char *)p);
}
