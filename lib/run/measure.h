/*
 * The measuring loop of bench-run: hooks, then for commands warm-ups, rounds and stopping,
 * then the functions (measure_calls.h).
 */
#ifndef MEASURE_H
#define MEASURE_H

#include "run/sample_writer.h"
#include "run/plan.h"
#include "run/progress.h"
#include "run/spawn_client.h"

/* How it went. */
struct outcome {
	uint64_t failed;       /* measured runs that failed */
	bool imprecise;        /* the precision asked for was not reached */
	bool never_idle;       /* a round began although the machine was busy */
	size_t failed_subject; /* the first that failed ... */
	struct run_status failed_status;
	char failed_why[640];       /* ... and what it said of it, or empty */
	uint64_t unsupported;       /* processes of what cannot be measured here */
	size_t unsupported_subject; /* the first ... */
	char unsupported_why[640];  /* ... and why */
};

/*
 * Measure. spawn may be NULL when no subject is a command. Hooks run under a helper of
 * their own (NULL when there are none). 0, also after an interrupt (interrupt_seen); -1 and
 * the message when a command could not be started, a hook failed or the output could not be
 * written. What was measured until then has been handed to emit.
 */
int measure(const struct plan *plan, struct spawn *spawn, struct spawn *hooks,
    struct emit *emit, struct progress *progress, struct outcome *outcome, struct fault *f);

/* Hand on what is complete; that nobody reads it is an interrupt. 0, or -1. */
int measure_flush(struct emit *emit, struct fault *f);

/* What went wrong, and what else is to be told of it, a line each; nothing when all is
 * well. */
void outcome_failures(
    const struct outcome *outcome, const struct plan *plan, struct buf *lines);
void outcome_explain(
    const struct outcome *outcome, const struct plan *plan, struct buf *lines);

#endif
