/*
 * The allocator that bench-run --allocs preloads into the processes of functions: it counts
 * the calls that allocate and their bytes, and hands them to the real one. Not for people.
 *
 * What the real one is asked for while it is being looked for comes from a small reserve.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lock.h"

#define EXPORT __attribute__((visibility("default")))

enum { RESERVE_BYTES = 1 << 16 };

static struct {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	int (*posix_memalign)(void **, size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	void *(*memalign)(size_t, size_t);
} real;

static struct lock finding;
static _Atomic int found;
static char reserve[RESERVE_BYTES] __attribute__((aligned(16)));
static _Atomic size_t reserve_used;
static _Atomic uint64_t calls, total;

THREAD_LOCAL bool busy;

EXPORT void bench_allocations(uint64_t *count, uint64_t *bytes);

void bench_allocations(uint64_t *count, uint64_t *bytes)
{
	*count = atomic_load_explicit(&calls, memory_order_relaxed);
	*bytes = atomic_load_explicit(&total, memory_order_relaxed);
}

static void *from_reserve(size_t size)
{
	size_t at = atomic_fetch_add(&reserve_used, (size + 15) & ~(size_t)15);

	return size <= RESERVE_BYTES && at <= RESERVE_BYTES - size ? reserve + at : NULL;
}

static bool is_of_reserve(const void *p)
{
	return (const char *)p >= reserve && (const char *)p < reserve + sizeof(reserve);
}

/* Whether the real allocator is known; only the thread that looks for it is told no. */
static bool is_ready(void)
{
	if (atomic_load_explicit(&found, memory_order_acquire))
		return true;
	if (busy)
		return false;
	lock_take(&finding);
	if (!atomic_load_explicit(&found, memory_order_acquire)) {
		busy = true;
		real.malloc = dlsym(RTLD_NEXT, "malloc");
		real.calloc = dlsym(RTLD_NEXT, "calloc");
		real.realloc = dlsym(RTLD_NEXT, "realloc");
		real.free = dlsym(RTLD_NEXT, "free");
		real.posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
		real.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
		real.memalign = dlsym(RTLD_NEXT, "memalign");
		busy = false;
		atomic_store_explicit(&found, 1, memory_order_release);
	}
	lock_give(&finding);
	return true;
}

static void *counted(void *p, size_t size)
{
	if (p) {
		atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
		atomic_fetch_add_explicit(&total, size, memory_order_relaxed);
	}
	return p;
}

EXPORT void *malloc(size_t size)
{
	return is_ready() ? counted(real.malloc(size), size) : from_reserve(size);
}

EXPORT void *calloc(size_t n, size_t size)
{
	/* The reserve was never used before, so it is zero. */
	return is_ready() ? counted(real.calloc(n, size), n * size)
	                  : from_reserve(n * size);
}

EXPORT void *realloc(void *old, size_t size)
{
	void *p;

	if (is_ready() && !is_of_reserve(old)) {
		p = real.realloc(old, size);
		return size ? counted(p, size) : p;
	}
	p = malloc(size);
	if (p && old) {
		size_t rest = (size_t)(reserve + sizeof(reserve) - (char *)old);

		memcpy(p, old, size < rest ? size : rest);
	}
	return p;
}

EXPORT void free(void *p)
{
	if (is_of_reserve(p) || !is_ready())
		return;
	real.free(p);
}

EXPORT int posix_memalign(void **out, size_t alignment, size_t size)
{
	int error = is_ready() ? real.posix_memalign(out, alignment, size) : ENOMEM;

	if (!error)
		counted(*out, size);
	return error;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	return is_ready() ? counted(real.aligned_alloc(alignment, size), size) : NULL;
}

EXPORT void *memalign(size_t alignment, size_t size)
{
	return is_ready() ? counted(real.memalign(alignment, size), size) : NULL;
}

EXPORT void *valloc(size_t size)
{
	return memalign((size_t)sysconf(_SC_PAGESIZE), size);
}
