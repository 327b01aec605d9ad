/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The measuring loop of bench-run: hooks, then for commands warm-ups, rounds and stopping,
 * then the functions (measure_calls.h).
 */
#ifndef RUN_MEASURE_H
#define RUN_MEASURE_H

#include "run/outcome.h"
#include "run/plan.h"
#include "run/progress.h"
#include "run/sample_writer.h"
#include "run/spawn_client.h"

/*
 * Measure. spawn may be NULL when no subject is a command. Hooks run under a helper of
 * their own (NULL when there are none). 0, also after an interrupt (interrupt_seen); -1 and
 * the message when no process could be started, a hook failed, the output could not be
 * written, or, if the plan is strict, a subject turned out not to be measurable. What was
 * measured until then has been handed to emit.
 */
int measure(const struct plan *plan, struct spawn_client *spawn, struct spawn_client *hooks,
    struct sample_writer *emit, struct progress *progress, struct outcome *outcome,
    struct fault *f);

/* Hand on what is complete; that nobody reads it is an interrupt. 0, or -1. */
int measure_flush(struct sample_writer *emit, struct fault *f);

#endif
