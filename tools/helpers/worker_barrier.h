/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A barrier at which workers, threads of several processes, start each sample together. The
 * first worker leads: it sets the number of iterations and reads the results of the others.
 */
#ifndef TOOLS_HELPERS_WORKER_BARRIER_H
#define TOOLS_HELPERS_WORKER_BARRIER_H

#include <stdbool.h>

#include "protocol/helper_proto.h"

/* Allocations. */
struct worker_allocs {
	uint64_t calls, bytes;
};

/* The results of a worker, which the leader reads when all workers have stopped. */
struct worker_slot {
	/* CLOCK_MONOTONIC. Before the first sample: when its process began to load (set for
	 * the first worker of each process only), and when the worker was ready. */
	_Alignas(64) int64_t start_ns, end_ns;
	int64_t rss_bytes;
	bool ended; /* its process has completed */
	struct worker_result worker;
	struct wire_count *count;                         /* by event */
	struct worker_allocs allocs_before, allocs_after; /* of its process */
	struct worker_allocs allocs_left_out;
};

struct worker_barrier;

/* Creates a barrier in memory that forked processes share. Returns NULL and sets errno on
 * failure. */
struct worker_barrier *worker_barrier_open(uint32_t workers, uint32_t events);
/* Returns the slot of a worker. */
struct worker_slot *worker_barrier_slot(struct worker_barrier *g, uint32_t worker);
/* Returns the number of workers. */
uint32_t worker_barrier_workers(const struct worker_barrier *g);

/* Sets a function that a waiting worker calls from time to time, to check that the others
 * are alive. */
void worker_barrier_look(struct worker_barrier *g, void (*look)(void));
/* Waits until this number of processes have called it, and returns in all of them at the
 * same time. Called once, before the workers exist. */
void worker_barrier_start(struct worker_barrier *g, uint32_t processes);
/* Notes that a worker is ready, unless that is noted already. */
void worker_barrier_note_ready(struct worker_barrier *g, uint32_t worker);
/* Returns the time from the start of the first process until the last worker was ready. */
int64_t worker_barrier_ready_time(const struct worker_barrier *g, uint32_t threads);
/* Waits until all others have stopped. Called by the leader. */
void worker_barrier_gather(struct worker_barrier *g);
/* Sets the number of iterations of all workers; 0 is the end. Called by the leader. */
void worker_barrier_order(struct worker_barrier *g, uint64_t iterations);
/* Stops, and returns the next number of iterations when it is set. Called by all others. */
uint64_t worker_barrier_stop(struct worker_barrier *g);
/* Waits until all others have called worker_barrier_line_up. Called by the leader before
 * it. */
void worker_barrier_await_line(struct worker_barrier *g);
/* Waits until all workers have called it, and returns in all of them at the same time. */
void worker_barrier_line_up(struct worker_barrier *g);

#endif
