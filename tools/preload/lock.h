/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may be used inside an allocator: a spin lock, as a mutex may allocate and what it
 * guards is short, and memory straight from the kernel.
 */
#ifndef TOOLS_PRELOAD_LOCK_H
#define TOOLS_PRELOAD_LOCK_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

/* A variable of each thread, without a call to find it, which could allocate. */
#define THREAD_LOCAL static __thread __attribute__((tls_model("initial-exec")))

struct lock {
	_Atomic int taken;
};

static inline bool lock_try(struct lock *l)
{
	return !atomic_exchange_explicit(&l->taken, 1, memory_order_acquire);
}

static inline void lock_take(struct lock *l)
{
	while (!lock_try(l))
		while (atomic_load_explicit(&l->taken, memory_order_relaxed))
			sched_yield();
}

static inline void lock_give(struct lock *l)
{
	atomic_store_explicit(&l->taken, 0, memory_order_release);
}

/* Zeroed; NULL when there is none. */
static inline void *memory_map(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

#endif
