/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A barrier for workers, threads and processes, that start each sample at the same time.
 * The first worker leads: it sets the number of iterations and reads what the others did.
 */
#ifndef TOOLS_HELPERS_WORKER_BARRIER_H
#define TOOLS_HELPERS_WORKER_BARRIER_H

#include <stdbool.h>

#include "protocol/helper_proto.h"

struct worker_allocs {
	uint64_t calls, bytes;
};

/* What a worker writes and the leader reads when all have stopped. */
struct worker_slot {
	_Alignas(64) int64_t start_ns, end_ns; /* CLOCK_MONOTONIC */
	int64_t rss_bytes;
	bool ended; /* its process has come to its end */
	struct worker_result worker;
	struct wire_count *count;                         /* by event */
	struct worker_allocs allocs_before, allocs_after; /* so far, of its process */
	struct worker_allocs allocs_left_out;
};

struct worker_barrier;

/* In memory that processes forked from this one share. NULL, and errno. */
struct worker_barrier *worker_barrier_open(uint32_t workers, uint32_t events);
struct worker_slot *worker_barrier_slot(struct worker_barrier *g, uint32_t worker);
uint32_t worker_barrier_workers(const struct worker_barrier *g);

/* What a worker that waits for others does now and then, to see whether they live. */
void worker_barrier_look(struct worker_barrier *g, void (*look)(void));
/* The leader: wait until all others have stopped. */
void worker_barrier_gather(struct worker_barrier *g);
/* The leader: let all do so many iterations; 0 is the end. */
void worker_barrier_order(struct worker_barrier *g, uint64_t iterations);
/* The others: stop, and wait for the next order. */
uint64_t worker_barrier_stop(struct worker_barrier *g);
/* The leader, before it comes to the line: wait until all others are there. */
void worker_barrier_await_line(struct worker_barrier *g);
/* All: come to the line, and leave it together. */
void worker_barrier_line_up(struct worker_barrier *g);

#endif
