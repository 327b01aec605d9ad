/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the threads of a block as fibers. A fiber runs until it waits or ends; a warp
 * continues until all of its fibers wait for the block or have ended. A wait that can never
 * end is reported, such as one that some lanes of a warp do not reach.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifndef __x86_64__
#include <ucontext.h>
#endif

#include "fake.h"

enum { LANES = 32, THREADS = 1024, STACK = (64 << 10) + 9 * 64, SLOT = 64 };

struct fiber {
#ifdef __x86_64__
	void *at; /* the stack pointer */
#else
	ucontext_t at;
#endif
	enum { FIBER_RUNS, FIBER_AT_BARRIER, FIBER_IN_WARP, FIBER_ENDED } state;
	unsigned exchanges;
};

static struct {
	char *stack; /* of all fibers */
	struct fiber fiber[THREADS], scheduler;
	unsigned current, count;
	/* The values of the lanes, alternately in one of two places, because a lane may be
	 * one exchange ahead of the others. */
	_Alignas(16) char given[THREADS / LANES][2][LANES * SLOT];
	const struct fake_program *program;
	const struct fake_kernel *kernel;
	void **argument;
	struct fake_dim size; /* of the block */
} fibers;

#ifdef __x86_64__
/* Stores the stack pointer in *from, and continues at `to`. */
void fake_fiber_switch(void **from, void *to);
__asm__(".text\n"
        ".hidden fake_fiber_switch\n"
        ".globl fake_fiber_switch\n"
        "fake_fiber_switch:\n"
        "	push %rbp\n	push %rbx\n	push %r12\n	push %r13\n	push "
        "%r14\n	push %r15\n"
        "	mov %rsp, (%rdi)\n"
        "	mov %rsi, %rsp\n"
        "	pop %r15\n	pop %r14\n	pop %r13\n	pop %r12\n	pop "
        "%rbx\n	pop %rbp\n"
        "	ret\n");
#define FIBER_SWITCH(from, to) fake_fiber_switch(&(from)->at, (to)->at)
#else
#define FIBER_SWITCH(from, to) swapcontext(&(from)->at, &(to)->at)
#endif

static void fiber_select(unsigned i)
{
	const struct fake_dim size = fibers.size;

	fibers.current = i;
	*fibers.program->thread =
	    (struct fake_dim){ i % size.x, i / size.x % size.y, i / size.x / size.y };
}

/* Continues with the next fiber of the warp, or with the scheduler if that one waits. */
static void fiber_leave(struct fiber *f)
{
	const unsigned next = fibers.current + 1;

	if (next % LANES && next < fibers.count && fibers.fiber[next].state == FIBER_RUNS) {
		fiber_select(next);
		FIBER_SWITCH(f, &fibers.fiber[next]);
	} else {
		FIBER_SWITCH(f, &fibers.scheduler);
	}
}

static void fiber_main(void)
{
	struct fiber *f = &fibers.fiber[fibers.current];

	fibers.kernel->call(fibers.argument);
	f->state = FIBER_ENDED;
	fiber_leave(f);
	abort();
}

static void fiber_make(unsigned i)
{
	struct fiber *f = &fibers.fiber[i];
	char *stack = fibers.stack + (size_t)i * STACK;

	f->state = FIBER_RUNS;
	f->exchanges = 0;
#ifdef __x86_64__
	/* the address of fiber_main above six registers; a function begins 8 bytes off 16
	 */
	void **top = (void **)(stack + STACK - 64);

	top[0] = (void *)fiber_main;
	f->at = top - 6;
#else
	getcontext(&f->at);
	f->at.uc_stack.ss_sp = stack;
	f->at.uc_stack.ss_size = STACK;
	makecontext(&f->at, fiber_main, 0);
#endif
}

static void fiber_wait(int state)
{
	struct fiber *f = &fibers.fiber[fibers.current];

	f->state = state;
	fiber_leave(f);
}

void fake_barrier(void)
{
	fiber_wait(FIBER_AT_BARRIER);
}

void *fake_exchange(const void *mine, unsigned bytes)
{
	const unsigned i = fibers.current;
	char *all = fibers.given[i / LANES][fibers.fiber[i].exchanges++ % 2];

	if (bytes > SLOT)
		abort();
	memcpy(all + i % LANES * SLOT, mine, bytes);
	fiber_wait(FIBER_IN_WARP);
	return all;
}

/* Sets the fibers from first on that are in a state to FIBER_RUNS, if all others have
 * ended. Returns whether there are any. */
static bool fibers_release(unsigned first, unsigned count, int state)
{
	bool any = false;

	for (unsigned i = first; i < first + count; i++) {
		if (fibers.fiber[i].state == FIBER_ENDED)
			continue;
		if ((int)fibers.fiber[i].state != state)
			return false;
		any = true;
	}
	for (unsigned i = first; any && i < first + count; i++)
		if ((int)fibers.fiber[i].state == state)
			fibers.fiber[i].state = FIBER_RUNS;
	return any;
}

static void warp_run(unsigned first)
{
	const unsigned lanes = fibers.count - first < LANES ? fibers.count - first : LANES;

	do
		for (unsigned i = first; i < first + lanes; i++)
			if (fibers.fiber[i].state == FIBER_RUNS) {
				fiber_select(i);
				FIBER_SWITCH(&fibers.scheduler, &fibers.fiber[i]);
			}
	while (fibers_release(first, lanes, FIBER_IN_WARP));
}

void fake_run_block(const struct fake_program *p, const struct fake_kernel *k,
    void **argument, struct fake_dim block_size)
{
	fibers.count = block_size.x * block_size.y * block_size.z;
	fibers.size = block_size;
	fibers.program = p;
	fibers.kernel = k;
	fibers.argument = argument;
	if (fibers.count > THREADS)
		abort();
	if (!fibers.stack)
		fibers.stack = mmap(NULL, (size_t)THREADS * STACK, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (fibers.stack == MAP_FAILED)
		abort();
	for (unsigned i = 0; i < fibers.count; i++)
		fiber_make(i);
	do
		for (unsigned i = 0; i < fibers.count; i += LANES)
			warp_run(i);
	while (fibers_release(0, fibers.count, FIBER_AT_BARRIER));
	for (unsigned i = 0; i < fibers.count; i++)
		if (fibers.fiber[i].state != FIBER_ENDED) {
			fprintf(stderr,
			    "fake_cuda: thread %u waits for threads that do not come\n", i);
			abort();
		}
}
