/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queue of the requests of a load, which all workers serve: threads of several
 * processes. The arrivals of a period are known before it begins, so a worker takes the
 * next request even if it has not arrived yet, and then waits for it. The requests are thus
 * served in the order of their arrival, by whichever worker is free first.
 */
#ifndef TOOLS_HELPERS_REQUEST_QUEUE_H
#define TOOLS_HELPERS_REQUEST_QUEUE_H

#include <stdbool.h>

#include "protocol/helper_proto.h"

/* Requests that one iteration serves. */
struct request_batch {
	uint64_t first;
	uint32_t count;
	int64_t due_ns; /* CLOCK_MONOTONIC: when the iteration is to start */
	/* from the time at which the first request could have started alone to due_ns */
	int64_t window_ns;
};

struct request_queue;

/* Creates an empty queue in memory that forked processes share. Returns NULL and sets errno
 * on failure. */
struct request_queue *request_queue_open(uint32_t workers);

/* Empties the queue, and fills it with the requests of an order, whose arrivals it receives
 * from bench-run. Called by the leader while the other workers wait for an order. */
void request_queue_fill(struct request_queue *q, const struct helper_order *o);
/* Returns whether the last order was a load. */
bool request_queue_is_filled(const struct request_queue *q);
/* Sets the origin of the period, some time ahead. Called by the leader before the workers
 * leave the line. */
void request_queue_begin(struct request_queue *q);

/* Returns the origin of the period. */
int64_t request_queue_origin(const struct request_queue *q);

/* Takes the next requests. Returns false if none is left. */
bool request_queue_take(struct request_queue *q, struct request_batch *b);
/* Waits until a time of CLOCK_MONOTONIC, and returns the time. */
int64_t request_queue_wait(const struct request_queue *q, int64_t until_ns);
/* Notes the start and end, times of CLOCK_MONOTONIC, of requests that were taken. */
void request_queue_note(struct request_queue *q, const struct request_batch *b,
    uint32_t worker, int64_t start_ns, int64_t end_ns);

/* Returns the number of requests that were taken; 0 if the last order was not a load. */
uint32_t request_queue_taken(const struct request_queue *q);
/* Sends the start and end of each request that was taken. */
void request_queue_send(const struct request_queue *q);

#endif
