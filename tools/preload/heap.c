/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The allocator that bench-prof --heap preloads into a command. It attributes each
 * allocation to the stack that requested it, and forwards it to the real allocator.
 *
 * The counts are in a mapped file, so nothing has to be done at the end, and _exit, exec or
 * a signal loses nothing. A separate table finds blocks by their addresses; a header in
 * front of each block would not distinguish blocks of other allocators.
 *
 * Nothing here may allocate memory, except calls during which `busy` is set.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocks.h"
#include "heap_writer.h"
#include "lock.h"
#include "real.h"

#define EXPORT __attribute__((visibility("default")))

static bool by_unwinder;
static char directory[HEAP_PATH];
static _Atomic int ready; /* 1 during the initialization, 2 after it */

THREAD_LOCAL bool busy;

static void before_fork(void)
{
	if (!heap_writer_file)
		return;
	heap_writer_hold();
	blocks_hold();
}

static void in_parent(void)
{
	if (!heap_writer_file)
		return;
	blocks_release();
	heap_writer_release();
}

static void start_counting(void)
{
	if (heap_writer_open(directory) && !blocks_open())
		heap_writer_abandon();
}

/* Lets a child count its own allocations; blocks from before the fork belong to its parent.
 */
static void in_child(void)
{
	int error = errno;

	if (!heap_writer_file)
		return;
	busy = true;
	heap_writer_close();
	blocks_close();
	start_counting();
	heap_writer_release();
	busy = false;
	errno = error;
}

static void make_ready(void)
{
	const char *how = getenv(HEAP_VARIABLE), *colon = how ? strchr(how, ':') : NULL;
	size_t len = colon ? strlen(colon + 1) : sizeof(directory);

	real_find();
	if (len >= sizeof(directory))
		return;
	memcpy(directory, colon + 1, len + 1);
	by_unwinder = strncmp(how, "dwarf", 5) == 0;
	start_counting();
	if (heap_writer_file)
		pthread_atfork(before_fork, in_parent, in_child);
}

/* Returns whether the real allocator is known. It is false only in the thread that is
 * looking for it. */
static bool is_ready(void)
{
	int none = 0;

	if (atomic_load_explicit(&ready, memory_order_acquire) == 2)
		return true;
	if (busy)
		return false;
	if (atomic_compare_exchange_strong(&ready, &none, 1)) {
		busy = true;
		make_ready();
		busy = false;
		atomic_store_explicit(&ready, 2, memory_order_release);
	}
	while (atomic_load_explicit(&ready, memory_order_acquire) != 2)
		;
	return true;
}

static void count_alloc(const void *p, size_t size, uintptr_t caller, uintptr_t frame)
{
	struct trace t;
	uint32_t stack;
	int error = errno;

	busy = true;
	trace_take(&t, caller, frame, by_unwinder);
	stack = heap_writer_stack(&t);
	if (stack && blocks_add((uintptr_t)p, size, stack))
		heap_writer_alloc(stack, size);
	else
		heap_writer_drop();
	busy = false;
	errno = error;
}

/* Counts a free. Called before the block is freed, because another thread may get its
 * address afterwards. */
static bool count_free(const void *p, struct block *gone)
{
	if (!blocks_take((uintptr_t)p, gone))
		return false;
	heap_writer_free(gone->stack, gone->bytes);
	return true;
}

/* Restores the count of a block that realloc could not change. */
static void count_back(const struct block *b)
{
	if (blocks_add(b->at, b->bytes, b->stack))
		heap_writer_back(b->stack, b->bytes);
}

/* The return address and the frame of the function that the program called. Only such a
 * function may use these macros. */
#define CALLER ((uintptr_t)__builtin_return_address(0))
#define FRAME ((uintptr_t)__builtin_frame_address(0))
#define COUNT_ALLOC(p, size)                                     \
	do {                                                     \
		if ((p) && heap_writer_file && !busy)            \
			count_alloc((p), (size), CALLER, FRAME); \
	} while (0)

EXPORT void *malloc(size_t size)
{
	void *p;

	if (!is_ready())
		return reserve_alloc(size);
	p = real.malloc(size);
	COUNT_ALLOC(p, size);
	return p;
}

EXPORT void *calloc(size_t n, size_t size)
{
	void *p;

	if (!is_ready())
		return reserve_alloc(n * size); /* never reused, so it is zero */
	p = real.calloc(n, size);
	COUNT_ALLOC(p, n * size);
	return p;
}

static void *early_realloc(const void *old, size_t size)
{
	size_t room = reserve_from(old);
	void *p = is_ready() ? real.malloc(size) : reserve_alloc(size);

	if (p)
		memcpy(p, old, size < room ? size : room);
	return p;
}

static void *change_block(void *old, size_t size, uintptr_t caller, uintptr_t frame)
{
	struct block gone;
	bool known;
	void *p;

	if (reserve_has(old))
		p = early_realloc(old, size);
	else if (!is_ready())
		return reserve_alloc(size);
	else {
		known = old && heap_writer_file && !busy && count_free(old, &gone);
		p = real.realloc(old, size);
		if (!p && known && size)
			count_back(&gone);
	}
	if (p && heap_writer_file && !busy)
		count_alloc(p, size, caller, frame);
	return p;
}

EXPORT void *realloc(void *old, size_t size)
{
	return change_block(old, size, CALLER, FRAME);
}

EXPORT void *reallocarray(void *old, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return change_block(old, bytes, CALLER, FRAME);
}

EXPORT void free(void *p)
{
	struct block gone;

	if (!p || reserve_has(p) || !is_ready())
		return;
	if (heap_writer_file && !busy)
		count_free(p, &gone);
	real.free(p);
}

EXPORT int posix_memalign(void **out, size_t alignment, size_t size)
{
	int error;

	if (!is_ready())
		return ENOMEM;
	error = real.posix_memalign(out, alignment, size);
	if (!error)
		COUNT_ALLOC(*out, size);
	return error;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	void *p = is_ready() ? real.aligned_alloc(alignment, size) : NULL;

	COUNT_ALLOC(p, size);
	return p;
}

EXPORT void *memalign(size_t alignment, size_t size)
{
	void *p = is_ready() ? real.memalign(alignment, size) : NULL;

	COUNT_ALLOC(p, size);
	return p;
}

EXPORT void *valloc(size_t size)
{
	void *p = is_ready() ? real.memalign((size_t)sysconf(_SC_PAGESIZE), size) : NULL;

	COUNT_ALLOC(p, size);
	return p;
}

EXPORT void *pvalloc(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p = NULL;

	if (is_ready() && size <= SIZE_MAX - page) {
		size = (size + page - 1) / page * page;
		p = real.memalign(page, size);
	}
	COUNT_ALLOC(p, size);
	return p;
}
