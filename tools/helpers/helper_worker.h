/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A worker: one thread that runs the benchmark from its set-up to its end and takes its
 * samples.
 */
#ifndef TOOLS_HELPERS_HELPER_WORKER_H
#define TOOLS_HELPERS_HELPER_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "bench.h"
#include "helper_extras.h"
#include "protocol/helper_proto.h"
#include "worker_barrier.h"

typedef void helper_function(struct bench *b);

/* What all workers are to do. */
struct helper_job {
	struct helper_request request;
	struct wire_event *events;
	struct wire_opened *opened; /* by event: how it went in the leader */
	const struct helper_param *params;
	const char **param_name, **param_text;
	const void *job;       /* what this helper alone knows ... */
	const char **job_text; /* ... and its texts */
	const char *object, *symbol, *set_up, *tear_down; /* empty: none */
	helper_function *run, *before, *after;            /* the last two may be NULL */
	/* So far, of this thread or of the process; or NULL. */
	void (*allocations)(bool mine, uint64_t *count, uint64_t *bytes);
	struct worker_barrier *barrier;
	atomic_bool ending; /* the workers have been told to end; read by a signal handler */
};

extern struct helper_job helper_job;

/* The worker's counters, of its thread or of all that comes of it. */
void helper_count(bool leader);
/* A worker's whole work, from its set-up to its end. */
void helper_work(uint32_t process, uint32_t thread);

#endif
