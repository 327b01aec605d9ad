/*
 * Workers, threads and processes, that do something at the same time, again and again. The
 * first one leads: it says how many iterations there are, and sees what the others did. For
 * bench-call, which links it alone.
 */
#ifndef GANG_H
#define GANG_H

#include "call_wire.h"

/* What a worker writes and the leader reads when all have stopped. */
struct gang_slot {
	_Alignas(64) int64_t start_ns, end_ns; /* CLOCK_MONOTONIC */
	int64_t rss_bytes;
	struct call_worker worker;
	struct wire_count *count; /* by event */
};

struct gang;

/* In memory that processes forked from this one share. NULL, and errno. */
struct gang *gang_open(uint32_t workers, uint32_t events);
struct gang_slot *gang_slot(struct gang *g, uint32_t worker);
uint32_t gang_workers(const struct gang *g);

/* The leader: wait until all others have stopped. */
void gang_gather(struct gang *g);
/* The leader: let all do so many iterations; 0 is the end. */
void gang_order(struct gang *g, uint64_t iterations);
/* The others: stop, and wait for the next order. */
uint64_t gang_stop(struct gang *g);
/* All: come to the line, and leave it together. */
void gang_line_up(struct gang *g);

#endif
