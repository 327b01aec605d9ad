/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Client of the helpers bench-call and bench-compute, which run a function of a shared
 * object, or a kernel or model on a device, in a separate process. The process remains
 * between samples and waits, so that the processes of many functions can take turns.
 */
#ifndef HELPER_HELPER_CLIENT_H
#define HELPER_HELPER_CLIENT_H

#include <sched.h>

#include "counters/counter.h"
#include "protocol/helper_proto.h"
#include "record/run_status.h"
#include "text/shell_words.h"

struct helper_client;

struct helper_opts {
	const char *helper; /* the helper's program */
	const char *object, *symbol;
	const char *set_up, *tear_down; /* symbols, or NULL */
	enum function_kind kind;
	const struct binding *param;
	size_t params;
	const void *job; /* a struct for this helper and its strings, or NULL */
	size_t job_size;
	const char *const *job_text;
	size_t job_texts;
	double items, bytes; /* per iteration; 0: not known */
	uint32_t threads, processes;
	bool generates; /* it is a model that generates tokens */
	struct counter_set *counters;
	bool family;           /* also count threads that the function starts */
	bool loaded;           /* samples may be periods of a load */
	bool allocs;           /* count allocations */
	const cpu_set_t *cpus; /* where the process may run; NULL: anywhere */
	char *const *env;      /* each NAME=VALUE, added to the environment; or NULL */
	const char *stdin_path, *stdout_path; /* NULL: the null device */
	bool inherit;                         /* send output to our standard error */
	uint32_t jitter;                      /* bytes of padding in the environment */
	double
	    timeout_ns; /* limit of load and set-up together, and of each sample; 0: none */
};

/* The state of a helper's process. */
enum helper_state {
	HELPER_LIVES,
	HELPER_OVER,        /* ended normally */
	HELPER_BROKEN,      /* failed or timed out */
	HELPER_UNAVAILABLE, /* the subject cannot be measured here, or does not exist */
	HELPER_INTERRUPTED, /* a signal asked us to end */
};

/*
 * Times of the phases before the first iteration; negative if a phase was not reached
 * or does not exist.
 */
struct helper_phases {
	/* CLOCK_REALTIME, when loading began; of a process that ended before, its start. */
	int64_t begin_ns;
	double load_ns, setup_ns;
	double ready_ns; /* from the start of loading until the last worker was ready */
};

struct helper_sample {
	struct helper_answer answer;
	const struct wire_count *counts;      /* by counter, for all workers */
	const struct worker_result *workers;  /* threads * processes */
	const struct helper_service *service; /* by request; answer.requests of them */
	const struct helper_extra *extra;     /* further values of this sample */
	size_t extras;
	const struct helper_token *token; /* of the first worker, in order */
	size_t tokens;
};

/*
 * Starts a helper's process and waits until it is set up. Returns NULL and the message
 * if no process could be started; helper_client_state reports how the subject fared.
 * Records in each counter whether it could be opened.
 */
struct helper_client *helper_client_open(const struct helper_opts *opts, struct fault *f);
enum helper_state helper_client_state(const struct helper_client *c);
/* Returns the first process of the helper, from which its other processes descend. */
pid_t helper_client_pid(const struct helper_client *c);
/* Returns how the process ended; ok while it runs. */
struct run_status helper_client_status(const struct helper_client *c);
/* Returns the reason that the function or dlopen gave, or NULL. */
const char *helper_client_why(const struct helper_client *c);
struct helper_phases helper_client_phases(const struct helper_client *c);
/*
 * Runs the iterations of an order, or plays a period of a load with these arrivals, which
 * are NULL without a load and in a closed loop. A helper that plays was opened as `loaded`.
 * The sample is valid until the next call. Returns NULL if there is none; see
 * helper_client_state.
 */
const struct helper_sample *helper_client_play(
    struct helper_client *c, const struct helper_order *order, const int64_t *arrival_ns);
/*
 * Lets the process end. Returns the peak memory of its processes in bytes; 0 if not
 * known.
 */
int64_t helper_client_end(struct helper_client *c);
/* Returns the values that the process reported when it was ready and when it ended. */
const struct helper_extra *helper_client_told(const struct helper_client *c, size_t *count);
/* Returns the spans that the process reported. */
const struct helper_span *helper_client_spans(const struct helper_client *c, size_t *count);
void helper_client_close(struct helper_client *c);

#endif
