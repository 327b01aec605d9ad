/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The job of a helper: what bench-run requested, and what the workers share.
 */
#ifndef TOOLS_HELPERS_HELPER_JOB_H
#define TOOLS_HELPERS_HELPER_JOB_H

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
	const char **job_text; /* the strings of the job */
	const char *object, *symbol, *set_up, *tear_down; /* empty if there is none */
	helper_function *run, *before, *after;            /* the last two may be NULL */
	/* Stores the allocations so far, of this thread or of the process; or NULL. */
	void (*allocations)(bool mine, uint64_t *count, uint64_t *bytes);
	struct worker_barrier *barrier;
	struct request_queue *queue; /* NULL if no order is a load */
	atomic_bool ending;          /* the workers are to end; a signal handler reads it */
};

extern struct helper_job helper_job;

/* Returns whether the last iteration was a request, in a period of a load. */
bool helper_under_load(void);

#endif
