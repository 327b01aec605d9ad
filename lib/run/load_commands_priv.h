/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of load_commands.c: measuring periods, and making and writing their rows.
 */
#ifndef RUN_LOAD_COMMANDS_PRIV_H
#define RUN_LOAD_COMMANDS_PRIV_H

#include "base/rng.h"
#include "results/sample_writer.h"
#include "run/load_rows.h"
#include "run/load_servers.h"
#include "run/outcome.h"
#include "run/plan.h"
#include "run/progress.h"

/* The periods of a subject. */
struct command_load {
	uint64_t periods;                  /* that have ended */
	struct load_executions executions; /* of the last period */
	struct load_request *request;      /* of the last period */
	size_t requests;
	struct run_sample own; /* the values of the last period itself, unless it was cut */
	int64_t ended_ns;      /* CLOCK_REALTIME at the end of the last period */
	bool unwritten;        /* the last period is not written yet */
	bool cut;              /* without requests that were not executed */
	bool wants;
	bool succeeds; /* a request succeeded */
	struct load_total total;
	double *latency_ns; /* of the requests that succeeded, for the display */
	size_t latencies, cap;
};

struct commands_load {
	const struct plan *plan;
	struct sample_writer *writer;
	struct progress *progress;
	struct outcome *outcome;
	struct load_servers *servers;
	struct command_load *of; /* by subject */
	size_t count;            /* of subjects */
	size_t now;              /* the subject being measured */
	struct rng rng;
	struct run_sample sample; /* the sample that is being written */
};

/* Returns subject i of the plan. */
static inline const struct subject *commands_load_subject(
    const struct commands_load *s, size_t i)
{
	return &s->plan->subjects->subject[i];
}

/* Returns whether the helper of request i ended before it answered. */
bool commands_load_is_lost(const struct command_load *of, size_t i);
/*
 * Makes the requests of the last period of the current subject from their arrivals (NULL:
 * they began as soon as a server was free) and executions. Those that were not executed
 * were left, at the time when the last request ended or the limit was reached.
 */
void commands_load_requests(
    struct commands_load *s, const int64_t *arrival_ns, size_t arrivals, double limit_ns);
/* Begins a sample of the current subject, and returns it. */
struct run_sample *commands_load_begin(const struct commands_load *s,
    struct run_sample *sample, int64_t period, int64_t number);
/* Writes the rows of request i of the current subject. */
void commands_load_write_request(struct commands_load *s, int64_t period, size_t i);
/* Ends the measurement of the current subject if its program cannot be started. Returns 0,
 * or -1 and the message if the plan is strict. */
int commands_load_drop(struct commands_load *s, struct fault *f);
/* Writes the periods of a block in the order of the subjects. Returns 0, or -1 and the
 * message. */
int commands_load_write_block(struct commands_load *s, struct fault *f);

#endif
