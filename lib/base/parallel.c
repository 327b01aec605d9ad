/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that take items from a common counter; see parallel.h.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/parallel.h"

enum { THREADS_MOST = 64, TAKEN_AT_ONCE = 8 };

struct crowd {
	void (*work)(void *, size_t, size_t);
	void *ctx;
	size_t count;
	atomic_size_t next;
};

struct member {
	struct crowd *crowd;
	size_t number;
	pthread_t thread;
};

static void *parallel_worker(void *arg)
{
	const struct member *m = arg;
	struct crowd *c = m->crowd;
	size_t from;

	while ((from = atomic_fetch_add(&c->next, TAKEN_AT_ONCE)) < c->count)
		for (size_t i = from; i < from + TAKEN_AT_ONCE && i < c->count; i++)
			c->work(c->ctx, m->number, i);
	return NULL;
}

size_t parallel_threads(size_t count, size_t each)
{
	cpu_set_t set;
	size_t processors = 1, useful = count / each;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		processors = (size_t)CPU_COUNT(&set);
	if (processors > THREADS_MOST)
		processors = THREADS_MOST;
	return useful < 1 ? 1 : useful < processors ? useful : processors;
}

void parallel_each(
    size_t threads, size_t count, void (*work)(void *, size_t, size_t), void *ctx)
{
	struct crowd crowd = { .work = work, .ctx = ctx, .count = count };
	struct member *member = mem_zero(threads, sizeof(*member));
	size_t started = 1;

	for (size_t i = 0; i < threads; i++)
		member[i] = (struct member){ .crowd = &crowd, .number = i };
	for (; started < threads; started++)
		if (pthread_create(&member[started].thread, NULL, parallel_worker,
		        &member[started]) != 0)
			break;
	parallel_worker(&member[0]);
	for (size_t i = 1; i < started; i++)
		pthread_join(member[i].thread, NULL);
	free(member);
}
