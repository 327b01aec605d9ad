/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a worker: one thread that calls the benchmark from its set-up to its end and takes
 * its samples.
 */
#ifndef TOOLS_HELPERS_HELPER_WORKER_H
#define TOOLS_HELPERS_HELPER_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "bench.h"
#include "helper_extras.h"
#include "protocol/helper_proto.h"
#include "request_queue.h"
#include "worker_barrier.h"

typedef void helper_function(struct bench *b);

/* The job of all workers. */
struct helper_job {
	struct helper_request request;
	struct wire_event *events;
	struct wire_opened *opened; /* by event: whether the leader could open it */
	const struct helper_param *params;
	const char **param_name, **param_text;
	const void *job;       /* specific to the helper, or empty */
	const char **job_text; /* the texts of the job */
	const char *object, *symbol, *set_up, *tear_down; /* empty if there is none */
	helper_function *run, *before, *after;            /* the last two may be NULL */
	/* Stores the allocations so far, of this thread or of the process; or NULL. */
	void (*allocations)(bool mine, uint64_t *count, uint64_t *bytes);
	struct worker_barrier *barrier;
	struct request_queue *queue; /* NULL if no order is a load */
	atomic_bool ending;          /* the workers are to end; a signal handler reads it */
};

extern struct helper_job helper_job;

/* Opens the worker's counters, of its thread or of all that it starts. */
void helper_count(bool leader);
/* Runs a worker from its set-up to its end. */
void helper_work(uint32_t process, uint32_t thread);
/* Returns whether the last iteration was a request, in a period of a load. */
bool helper_under_load(void);

#endif
