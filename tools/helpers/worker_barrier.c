/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The barrier of the workers; see worker_barrier.h. A worker that waits for an order sleeps
 * in the kernel (a futex), so that it does not disturb. A worker that waits at the line
 * spins until the last one has arrived, so that all leave within some ten ns. It yields if
 * that takes long, as it does if there are more workers than processors.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "worker_barrier.h"

enum { SPINS = 2000, LOOK_NS = 100000000, LOOK_SPINS = 1 << 16 };

struct worker_barrier {
	uint32_t workers, events;
	void (*look)(void);   /* checks that the others are alive, or NULL */
	_Atomic uint32_t met; /* processes, at the start */
	_Alignas(64) _Atomic uint32_t stopped; /* since the last order */
	_Alignas(64) _Atomic uint32_t orders;
	uint64_t iterations; /* of the last order */
	_Alignas(64) _Atomic uint32_t at_line;
	_Alignas(64) _Atomic uint32_t departures;
	struct worker_slot slot[];
};

/* Calls `look`, which matters only in the leader, because the others do not outlive it. */
static void wait_while(
    const struct worker_barrier *g, _Atomic uint32_t *word, uint32_t value)
{
	const struct timespec while_ns = { .tv_nsec = LOOK_NS };

	while (atomic_load(word) == value)
		if (syscall(SYS_futex, word, FUTEX_WAIT, value, &while_ns, NULL, 0) < 0 &&
		    errno == ETIMEDOUT && g->look)
			g->look();
}

static void wake_all(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

struct worker_barrier *worker_barrier_open(uint32_t workers, uint32_t events)
{
	size_t slots = workers * sizeof(struct worker_slot),
	       counts = workers * events * sizeof(struct wire_count);
	struct worker_barrier *g = mmap(NULL, sizeof(*g) + slots + counts,
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct wire_count *count;

	if (g == MAP_FAILED)
		return NULL;
	g->workers = workers;
	g->events = events;
	count = (struct wire_count *)(void *)((char *)(g + 1) + slots);
	for (uint32_t i = 0; i < workers; i++)
		g->slot[i].count = count + (size_t)i * events;
	return g;
}

struct worker_slot *worker_barrier_slot(struct worker_barrier *g, uint32_t worker)
{
	return &g->slot[worker];
}

uint32_t worker_barrier_workers(const struct worker_barrier *g)
{
	return g->workers;
}

void worker_barrier_look(struct worker_barrier *g, void (*look)(void))
{
	g->look = look;
}

void worker_barrier_gather(struct worker_barrier *g)
{
	uint32_t stopped;

	while ((stopped = atomic_load(&g->stopped)) < g->workers - 1)
		wait_while(g, &g->stopped, stopped);
}

void worker_barrier_order(struct worker_barrier *g, uint64_t iterations)
{
	if (g->workers == 1)
		return;
	g->iterations = iterations;
	atomic_store(&g->stopped, 0);
	atomic_fetch_add(&g->orders, 1);
	wake_all(&g->orders);
}

uint64_t worker_barrier_stop(struct worker_barrier *g)
{
	uint32_t orders = atomic_load(&g->orders);

	if (atomic_fetch_add(&g->stopped, 1) + 1 == g->workers - 1)
		wake_all(&g->stopped);
	wait_while(g, &g->orders, orders);
	return g->iterations;
}

static void turn_round(const struct worker_barrier *g, unsigned spin)
{
	if (spin > SPINS) {
		sched_yield();
		if (spin % LOOK_SPINS == 0 && g->look)
			g->look();
	}
#if defined(__x86_64__) || defined(__i386__)
	else
		__builtin_ia32_pause();
#endif
}

void worker_barrier_await_line(struct worker_barrier *g)
{
	for (unsigned spin = 0; atomic_load(&g->at_line) < g->workers - 1; spin++)
		turn_round(g, spin);
}

/* Returns when this number of workers have called it. */
static void line_up(struct worker_barrier *g, uint32_t workers)
{
	const uint32_t departures = atomic_load(&g->departures);

	if (workers == 1)
		return;
	if (atomic_fetch_add(&g->at_line, 1) + 1 == workers) {
		atomic_store(&g->at_line, 0);
		atomic_fetch_add(&g->departures, 1);
		return;
	}
	for (unsigned spin = 0; atomic_load(&g->departures) == departures; spin++)
		turn_round(g, spin);
}

void worker_barrier_line_up(struct worker_barrier *g)
{
	line_up(g, g->workers);
}

/* Sleeps until the last process has come, because that may take long, and then lines up. */
void worker_barrier_start(struct worker_barrier *g, uint32_t processes)
{
	uint32_t met = atomic_fetch_add(&g->met, 1) + 1;

	if (met == processes)
		wake_all(&g->met);
	while ((met = atomic_load(&g->met)) < processes)
		wait_while(g, &g->met, met);
	line_up(g, processes);
}

void worker_barrier_note_ready(struct worker_barrier *g, uint32_t worker)
{
	if (!g->slot[worker].end_ns)
		g->slot[worker].end_ns = clock_monotonic_ns();
}

int64_t worker_barrier_ready_time(const struct worker_barrier *g, uint32_t threads)
{
	int64_t first_ns = INT64_MAX, last_ns = 0;

	for (uint32_t i = 0; i < g->workers; i++) {
		const struct worker_slot *slot = &g->slot[i];

		if (i % threads == 0 && slot->start_ns < first_ns)
			first_ns = slot->start_ns;
		if (slot->end_ns > last_ns)
			last_ns = slot->end_ns;
	}
	return last_ns - first_ns;
}
