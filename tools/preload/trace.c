/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks up the stack; see trace.h.
 */
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>
#include <unwind.h>

#include "lock.h"
#include "trace.h"

/* The bounds of this thread's stack; the end is 0 until they are known. */
THREAD_LOCAL uintptr_t stack_start, stack_end;

extern void *__libc_stack_end;

static void find_stack(void)
{
	struct rlimit limit = { .rlim_cur = RLIM_INFINITY };
	pthread_attr_t attr;
	void *start;
	size_t size;

	stack_start = stack_end = 1; /* unknown */
	if (getpid() == (int)gettid()) {
		getrlimit(RLIMIT_STACK, &limit);
		stack_end = (uintptr_t)__libc_stack_end;
		if (limit.rlim_cur < stack_end)
			stack_start = stack_end - limit.rlim_cur;
	} else if (pthread_getattr_np(pthread_self(), &attr) == 0) {
		if (pthread_attr_getstack(&attr, &start, &size) == 0) {
			stack_start = (uintptr_t)start;
			stack_end = stack_start + size;
		}
		pthread_attr_destroy(&attr);
	}
}

/*
 * Follows frame pointers from our own frame. In code without frame pointers a word may be
 * any number, so it is followed only up the stack, where all memory is readable, and not on
 * a stack that is not the thread's own (of a coroutine or a signal).
 */
static void walk_frames(struct trace *t, uintptr_t ours)
{
	uintptr_t last = ours, frame = *(uintptr_t *)ours;

	if (!stack_end)
		find_stack();
	if (ours < stack_start || ours >= stack_end)
		return;
	while (t->depth < HEAP_DEPTH && frame > last && frame % sizeof(frame) == 0 &&
	       frame < stack_end && stack_end - frame >= 2 * sizeof(frame)) {
		uintptr_t pc = ((uintptr_t *)frame)[1];

		if (pc < 4096)
			break;
		t->pc[t->depth++] = pc;
		last = frame;
		frame = *(uintptr_t *)frame;
	}
}

static _Unwind_Reason_Code on_frame(struct _Unwind_Context *context, void *arg)
{
	struct trace *t = arg;
	uintptr_t pc = _Unwind_GetIP(context);

	if (!pc || t->depth == HEAP_DEPTH)
		return _URC_END_OF_STACK;
	if (!t->depth && pc != t->begins)
		return _URC_NO_REASON; /* still inside this library */
	t->pc[t->depth++] = pc;
	return _URC_NO_REASON;
}

void trace_take(struct trace *t, uintptr_t caller, uintptr_t frame, bool by_unwinder)
{
	t->depth = 0;
	t->begins = caller;
	if (by_unwinder)
		_Unwind_Backtrace(on_frame, t);
	if (t->depth)
		return;
	t->pc[t->depth++] = caller;
	walk_frames(t, frame);
}

uint64_t trace_hash(const struct trace *t)
{
	uint64_t h = t->depth;

	for (uint32_t i = 0; i < t->depth; i++) {
		h = (h ^ t->pc[i]) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	h *= 0xd6e8feb86659fd93u;
	return h ^ h >> 32 ? h ^ h >> 32 : 1;
}
