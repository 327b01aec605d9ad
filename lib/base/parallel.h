/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same work on many things at once, by as many threads as there are processors.
 */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stddef.h>

/* Returns how many threads parallel_each uses for count items, when each thread is to have
 * at least `each` of them.
 */
size_t parallel_threads(size_t count, size_t each);
/*
 * Calls work(ctx, thread, i) once for each i below count, in no certain order, from threads
 * numbered 0 to threads - 1, of which 0 is the caller. Where no thread can be started,
 * those that run do all. Returns when all is done.
 */
void parallel_each(
    size_t threads, size_t count, void (*work)(void *, size_t, size_t), void *ctx);

#endif
