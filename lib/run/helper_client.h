/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function of a shared object, or a kernel or model on a device, in a process of its own:
 * the client of the helpers bench-call and bench-compute. The process lives, and waits,
 * between its samples, so that those of many functions can take turns.
 */
#ifndef RUN_HELPER_CLIENT_H
#define RUN_HELPER_CLIENT_H

#include <sched.h>

#include "counters/counter.h"
#include "protocol/helper_proto.h"
#include "run/run_status.h"
#include "text/shell_words.h"

struct helper_client;

struct helper_opts {
	const char *helper; /* its program */
	const char *object, *symbol;
	const char *set_up, *tear_down; /* symbols, or NULL */
	enum function_kind kind;
	const struct binding *param;
	size_t params;
	const void *job; /* a struct for this helper, and its texts; or NULL */
	size_t job_size;
	const char *const *job_text;
	size_t job_texts;
	double items, bytes; /* of an iteration; 0: not known */
	uint32_t threads, processes;
	struct counter_set *counters;
	bool family;           /* count the threads that the function starts, too */
	bool allocs;           /* count allocations */
	const cpu_set_t *cpus; /* where it may run; NULL: anywhere */
	const char *stdin_path, *stdout_path; /* NULL: the null device */
	bool inherit;                         /* its output goes to our standard error */
	uint32_t jitter;                      /* bytes of padding in its environment */
	double timeout_ns; /* of its load and set-up together, and of each sample; 0: none
	                    */
};

/* How it goes. */
enum helper_state {
	HELPER_LIVES,
	HELPER_OVER,        /* it has ended as it should */
	HELPER_BROKEN,      /* it failed, or timed out */
	HELPER_UNAVAILABLE, /* it cannot be measured here, or does not exist */
	HELPER_INTERRUPTED, /* we are to end */
};

/* Phases before the first iteration; negative: it did not come so far, or has none. */
struct helper_phases {
	int64_t begin_ns; /* CLOCK_REALTIME */
	double load_ns, setup_ns;
};

struct helper_sample {
	struct helper_answer answer;
	const struct wire_count *counts;     /* by counter: of all workers */
	const struct worker_result *workers; /* threads * processes */
	const struct helper_extra *extra;    /* numbers of this sample beside these */
	size_t extras;
};

/*
 * Start it and wait until it is set up. NULL and the message when no process could be
 * started; what the function does is told by helper_client_state. Tells each counter
 * whether it could be opened.
 */
struct helper_client *helper_client_open(const struct helper_opts *config, struct fault *f);
enum helper_state helper_client_state(const struct helper_client *c);
/* How it ended; ok while it lives. */
struct run_status helper_client_status(const struct helper_client *c);
/* What the function said of it, or dlopen; or NULL. */
const char *helper_client_why(const struct helper_client *c);
struct helper_phases helper_client_phases(const struct helper_client *c);
/* So many iterations. The sample lives until the next one; NULL: see helper_client_state.
 */
const struct helper_sample *helper_client_run(struct helper_client *c, uint64_t iterations);
/* Let it come to its end. The most memory its processes had, in bytes; 0: not known. */
int64_t helper_client_end(struct helper_client *c);
/* The numbers that it told when it was ready, and when it ended. */
const struct helper_extra *helper_client_told(const struct helper_client *c, size_t *count);
void helper_client_close(struct helper_client *c);

#endif
