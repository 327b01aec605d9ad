/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes waits; see waits.h. Threads are numbered in the order of their first records. A
 * thread that ended keeps its number, for the next thread with the same identifier.
 *
 * The records of one processor are in order, but those of another one may arrive late. A
 * late record is used if it completes a wait, and otherwise ignored, so that it neither
 * ends nor begins a wait that is not its own.
 */
#include <stdlib.h>

#include "base/hash_map.h"
#include "profile/waits.h"

enum thread_state {
	THREAD_RUNS,
	THREAD_RUNS_AFTER_GAP, /* it got a processor; when its wait began was not seen */
	THREAD_WAITS,
	THREAD_WAITED_EARLIER, /* it was blocked when the profile began */
};

struct waiting_thread {
	uint32_t pid, tid;
	uint32_t stack;    /* of the next or the current wait */
	uint64_t since_ns; /* time of the last change of the state */
	enum thread_state state;
	bool preempted;
};

struct waits {
	struct waiting_thread *thread;
	size_t count, cap;
	uint64_t lost_ns; /* time at which records were lost last */
	size_t ended;     /* the waits of the threads before this one have ended */
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
		*VEC_ADD(w->thread, w->count, w->cap) = (struct waiting_thread){
			.tid = tid, .stack = WAIT_STACK_MISSING, .since_ns = w->lost_ns
		};
	return &w->thread[number];
}

static void set_running(struct waiting_thread *t, uint64_t now_ns)
{
	t->state = THREAD_RUNS;
	t->stack = WAIT_STACK_MISSING;
	t->since_ns = now_ns;
}

static bool thread_waits(const struct waiting_thread *t)
{
	return t->state == THREAD_WAITS || t->state == THREAD_WAITED_EARLIER;
}

void waits_stack(struct waits *w, uint32_t tid, uint32_t stack, uint64_t now_ns)
{
	struct waiting_thread *t = thread_of(w, tid);
	bool late = now_ns < t->since_ns;

	if (late && (t->state == THREAD_RUNS || t->state == THREAD_WAITS))
		return;
	if (thread_waits(t))
		set_running(t, now_ns);
	t->stack = stack;
}

bool waits_out(struct waits *w, uint32_t pid, uint32_t tid, uint64_t now_ns, bool preempted,
    struct wait *out)
{
	struct waiting_thread *t = thread_of(w, tid);

	if (now_ns < t->since_ns) {
		if (t->state != THREAD_RUNS_AFTER_GAP || now_ns < w->lost_ns)
			return false;
		*out = (struct wait){ pid, t->stack, t->since_ns - now_ns, preempted };
		set_running(t, t->since_ns);
		return true;
	}
	if (thread_waits(t))
		t->stack = WAIT_STACK_MISSING;
	t->pid = pid;
	t->since_ns = now_ns;
	t->state = THREAD_WAITS;
	t->preempted = preempted;
	return false;
}

void waits_blocked(struct waits *w, uint32_t pid, uint32_t tid, uint64_t begin_ns)
{
	struct waiting_thread *t = thread_of(w, tid);

	*t = (struct waiting_thread){ .pid = pid,
		.tid = tid,
		.stack = WAIT_STACK_EARLIER,
		.since_ns = begin_ns,
		.state = THREAD_WAITED_EARLIER };
}

bool waits_in(struct waits *w, uint32_t tid, uint64_t now_ns, struct wait *out)
{
	struct waiting_thread *t = thread_of(w, tid);
	bool waited = thread_waits(t);

	if (now_ns < t->since_ns)
		return false;
	*out = (struct wait){ t->pid, t->stack, now_ns - t->since_ns, t->preempted };
	set_running(t, now_ns);
	if (!waited)
		t->state = THREAD_RUNS_AFTER_GAP;
	return waited;
}

void waits_reset(struct waits *w, uint32_t tid, uint64_t now_ns)
{
	struct waiting_thread *t = thread_of(w, tid);

	if (now_ns >= t->since_ns)
		set_running(t, now_ns);
}

void waits_lost(struct waits *w, uint64_t now_ns)
{
	w->lost_ns = now_ns;
	for (size_t i = 0; i < w->count; i++)
		set_running(&w->thread[i], now_ns);
}

bool waits_end(struct waits *w, uint64_t now_ns, struct wait *out)
{
	while (w->ended < w->count)
		if (waits_in(w, w->thread[w->ended++].tid, now_ns, out))
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
