/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that an allocator may use: memory from the kernel, and a spin lock. A mutex
 * could allocate memory, and the critical sections are short.
 */
#ifndef TOOLS_PRELOAD_LOCK_H
#define TOOLS_PRELOAD_LOCK_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

/* Declares a thread-local variable that is accessed without a call, which could allocate.
 */
#define THREAD_LOCAL static __thread __attribute__((tls_model("initial-exec")))

struct lock {
	_Atomic int taken;
};

/* Takes the lock if it is free. Returns whether it did. */
static inline bool lock_try(struct lock *l)
{
	return !atomic_exchange_explicit(&l->taken, 1, memory_order_acquire);
}

/* Takes the lock. */
static inline void lock_take(struct lock *l)
{
	while (!lock_try(l))
		while (atomic_load_explicit(&l->taken, memory_order_relaxed))
			sched_yield();
}

/* Releases the lock. */
static inline void lock_give(struct lock *l)
{
	atomic_store_explicit(&l->taken, 0, memory_order_release);
}

/* Returns zeroed memory, or NULL if there is none. */
static inline void *memory_map(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

#endif
