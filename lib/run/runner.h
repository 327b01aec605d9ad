/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running the subjects of a plan and keeping what the last run of each gave: hooks and the
 * metrics of the output around each run, or many runs in one go.
 */
#ifndef RUN_RUNNER_H
#define RUN_RUNNER_H

#include "base/rng.h"
#include "run/plan.h"
#include "run/run_sample.h"
#include "run/spawn_client.h"

struct runner;

/*
 * Hooks run under a helper of their own (NULL when there are none), so that what they leave
 * running, a server say, is neither counted with the commands nor confined to their
 * processors. rng draws the sizes of environments. Nothing is taken over. NULL and the
 * message when the time series cannot be had.
 */
struct runner *runner_open(const struct plan *plan, struct spawn_client *spawn,
    struct spawn_client *hooks, struct rng *rng, struct fault *f);
void runner_close(struct runner *r);

/* Run one hook of all subjects; it must succeed. */
int runner_hooks(struct runner *r, enum hook hook, struct fault *f);

/*
 * Runs a subject once, with its hooks. 0, and -1 with the message when no process could be
 * started or a hook failed. A run that was interrupted, or whose program or input cannot be
 * opened, leaves nothing: see runner_ran and runner_unstartable.
 */
int runner_once(struct runner *r, size_t subject, struct fault *f);

/* Whether runs of this plan may be handed over many at a time: nothing is done between. */
bool runner_batches(const struct runner *r);
/*
 * Hand over a run of a subject without waiting for its end; the last one of a batch is not
 * followed by more. Then runner_receive must be called for each, in the same order.
 */
int runner_send(struct runner *r, size_t subject, bool more, struct fault *f);
/* The result of the next run of a batch: 0; 1 when the helper passed over it, as it does
 * with the rest of a batch that takes long; -1 and the message. */
int runner_receive(struct runner *r, size_t subject, struct fault *f);

/* Returns why the kernel would not start a subject's program, or NULL. */
const char *runner_unstartable(const struct runner *r, size_t subject);
/* Whether the last run gave something that has not been taken yet. */
bool runner_ran(const struct runner *r, size_t subject);
/* What each worker of the last run gave; NULL where there was but one. */
const struct wire_worker *runner_workers(const struct runner *r, size_t subject);
/* How it ended, and what the helper said of it. */
struct run_status runner_status(const struct runner *r, size_t subject);
const struct wire_result *runner_result(const struct runner *r, size_t subject);
/* Begins a sample of what it gave: what was accounted, counted and found in its output. */
void runner_begin_sample(const struct runner *r, size_t subject, struct run_sample *s);
/* Adds its time series. */
void runner_add_series(const struct runner *r, size_t subject, struct run_sample *s);
/* It has been taken. */
void runner_taken(struct runner *r, size_t subject);

#endif
