/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes waits; see waits.h. Threads are numbered in the order of their first records. A
 * thread that ended keeps its number, for the next thread with the same identifier.
 */
#include <stdlib.h>

#include "base/hash_map.h"
#include "profile/waits.h"

struct waiting_thread {
	uint32_t pid, tid;
	uint32_t stack; /* of the next or the current wait */
	uint64_t since_ns;
	bool waits, preempted;
};

struct waits {
	struct waiting_thread *thread;
	size_t count, cap;
	size_t ended; /* the waits of the threads before this one have ended */
	struct hash_map map;
};

struct waits *waits_open(void)
{
	return mem_zero(1, sizeof(struct waits));
}

struct thread_search {
	const struct waits *waits;
	uint32_t tid;
};

static bool equal_thread(const void *ctx, size_t number)
{
	const struct thread_search *search = ctx;

	return search->waits->thread[number].tid == search->tid;
}

static struct waiting_thread *thread_of(struct waits *w, uint32_t tid)
{
	struct text key = { (const char *)&tid, sizeof(tid) };
	size_t number = hash_map_add(
	    &w->map, text_hash(key, 0), equal_thread, &(struct thread_search){ w, tid });

	if (number == w->count)
		*VEC_ADD(w->thread, w->count, w->cap) =
		    (struct waiting_thread){ .tid = tid, .stack = WAIT_STACK_MISSING };
	return &w->thread[number];
}

static void end_wait(struct waiting_thread *t)
{
	t->waits = false;
	t->stack = WAIT_STACK_MISSING;
}

void waits_stack(struct waits *w, uint32_t tid, uint32_t stack)
{
	struct waiting_thread *t = thread_of(w, tid);

	end_wait(t);
	t->stack = stack;
}

void waits_out(struct waits *w, uint32_t pid, uint32_t tid, uint64_t now_ns, bool preempted)
{
	struct waiting_thread *t = thread_of(w, tid);

	if (t->waits)
		end_wait(t);
	t->pid = pid;
	t->since_ns = now_ns;
	t->waits = true;
	t->preempted = preempted;
}

void waits_blocked(struct waits *w, uint32_t pid, uint32_t tid, uint64_t begin_ns)
{
	waits_out(w, pid, tid, begin_ns, false);
	thread_of(w, tid)->stack = WAIT_STACK_EARLIER;
}

/* Ends the wait of a thread. Returns whether the thread waited. */
static bool take_wait(struct waiting_thread *t, uint64_t now_ns, struct wait *out)
{
	bool waited = t->waits && now_ns >= t->since_ns;

	*out = (struct wait){ t->pid, t->stack, now_ns - t->since_ns, t->preempted };
	end_wait(t);
	return waited;
}

bool waits_in(struct waits *w, uint32_t tid, uint64_t now_ns, struct wait *out)
{
	return take_wait(thread_of(w, tid), now_ns, out);
}

void waits_reset(struct waits *w, uint32_t tid)
{
	end_wait(thread_of(w, tid));
}

void waits_lost(struct waits *w)
{
	for (size_t i = 0; i < w->count; i++)
		end_wait(&w->thread[i]);
}

bool waits_end(struct waits *w, uint64_t now_ns, struct wait *out)
{
	while (w->ended < w->count)
		if (take_wait(&w->thread[w->ended++], now_ns, out))
			return true;
	return false;
}

void waits_close(struct waits *w)
{
	if (!w)
		return;
	free(w->thread);
	hash_map_free(&w->map);
	free(w);
}
