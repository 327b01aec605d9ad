/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A loop whose items are shared among as many threads as there are processors.
 */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

/* Returns how many threads to use for count items if each thread gets at least `each` of
 * them. */
size_t parallel_threads(size_t count, size_t each);
/*
 * Calls work(ctx, thread, i) once for each i below count, in any order, from threads
 * numbered 0 to threads - 1. Thread 0 is the caller. If threads cannot be started, the
 * others do their work. Returns when all calls have returned.
 */
void parallel_each(
    size_t threads, size_t count, void (*work)(void *, size_t, size_t), void *ctx);

#endif
