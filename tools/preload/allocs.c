/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The allocator that bench-run --allocs preloads into the processes of functions. It counts
 * the calls that allocate and their bytes, and forwards them to the real allocator.
 */
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lock.h"
#include "real.h"

#define EXPORT __attribute__((visibility("default")))

static struct lock finding;
static _Atomic int found;
static _Atomic uint64_t calls, total;

THREAD_LOCAL bool busy;
THREAD_LOCAL uint64_t my_calls, my_total;

EXPORT void bench_allocations(bool mine, uint64_t *count, uint64_t *bytes);

/* Stores the calls and bytes of this thread, or of all threads. */
void bench_allocations(bool mine, uint64_t *count, uint64_t *bytes)
{
	if (mine) {
		*count = my_calls;
		*bytes = my_total;
		return;
	}
	*count = atomic_load_explicit(&calls, memory_order_relaxed);
	*bytes = atomic_load_explicit(&total, memory_order_relaxed);
}

/* Returns whether the real allocator is known. It is false only in the thread that is
 * looking for it. */
static bool is_ready(void)
{
	if (atomic_load_explicit(&found, memory_order_acquire))
		return true;
	if (busy)
		return false;
	lock_take(&finding);
	if (!atomic_load_explicit(&found, memory_order_acquire)) {
		busy = true;
		real_find();
		busy = false;
		atomic_store_explicit(&found, 1, memory_order_release);
	}
	lock_give(&finding);
	return true;
}

static void *count_allocation(void *p, size_t size)
{
	if (p) {
		atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
		atomic_fetch_add_explicit(&total, size, memory_order_relaxed);
		my_calls++;
		my_total += size;
	}
	return p;
}

EXPORT void *malloc(size_t size)
{
	return is_ready() ? count_allocation(real.malloc(size), size) : reserve_alloc(size);
}

EXPORT void *calloc(size_t n, size_t size)
{
	/* Memory of the reserve is never reused, so it is zero. */
	return is_ready() ? count_allocation(real.calloc(n, size), n * size)
	                  : reserve_alloc(n * size);
}

EXPORT void *realloc(void *old, size_t size)
{
	void *p;

	if (is_ready() && !reserve_has(old)) {
		p = real.realloc(old, size);
		return size ? count_allocation(p, size) : p;
	}
	p = malloc(size);
	if (p && old) {
		size_t rest = reserve_from(old);

		memcpy(p, old, size < rest ? size : rest);
	}
	return p;
}

EXPORT void *reallocarray(void *old, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, bytes);
}

EXPORT void free(void *p)
{
	if (reserve_has(p) || !is_ready())
		return;
	real.free(p);
}

EXPORT int posix_memalign(void **out, size_t alignment, size_t size)
{
	int error = is_ready() ? real.posix_memalign(out, alignment, size) : ENOMEM;

	if (!error)
		count_allocation(*out, size);
	return error;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	return is_ready() ? count_allocation(real.aligned_alloc(alignment, size), size)
	                  : NULL;
}

EXPORT void *memalign(size_t alignment, size_t size)
{
	return is_ready() ? count_allocation(real.memalign(alignment, size), size) : NULL;
}

EXPORT void *valloc(size_t size)
{
	return memalign((size_t)sysconf(_SC_PAGESIZE), size);
}

EXPORT void *pvalloc(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (size > SIZE_MAX - page)
		return NULL;
	return memalign(page, (size + page - 1) / page * page);
}
