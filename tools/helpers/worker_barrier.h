/*
 * Workers, threads and processes, that do something at the same time, again and again. The
 * first one leads: it says how many iterations there are, and sees what the others did. For
 * bench-call, which links it alone.
 */
#ifndef CREW_H
#define CREW_H

#include <stdbool.h>

#include "protocol/helper_proto.h"

struct crew_allocs {
	uint64_t calls, bytes;
};

/* What a worker writes and the leader reads when all have stopped. */
struct crew_slot {
	_Alignas(64) int64_t start_ns, end_ns; /* CLOCK_MONOTONIC */
	int64_t rss_bytes;
	bool ended; /* its process has come to its end */
	struct call_worker worker;
	struct wire_count *count;                       /* by event */
	struct crew_allocs allocs_before, allocs_after; /* so far, of its process */
	struct crew_allocs allocs_left_out;
};

struct crew;

/* In memory that processes forked from this one share. NULL, and errno. */
struct crew *crew_open(uint32_t workers, uint32_t events);
struct crew_slot *crew_slot(struct crew *g, uint32_t worker);
uint32_t crew_workers(const struct crew *g);

/* What a worker that waits for others does now and then, to see whether they live. */
void crew_look(struct crew *g, void (*look)(void));
/* The leader: wait until all others have stopped. */
void crew_gather(struct crew *g);
/* The leader: let all do so many iterations; 0 is the end. */
void crew_order(struct crew *g, uint64_t iterations);
/* The others: stop, and wait for the next order. */
uint64_t crew_stop(struct crew *g);
/* The leader, before it comes to the line: wait until all others are there. */
void crew_await_line(struct crew *g);
/* All: come to the line, and leave it together. */
void crew_line_up(struct crew *g);

#endif
