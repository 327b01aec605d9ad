/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Executes the commands of a plan, alone with hooks and metrics from the output, or
 * many in a batch, and keeps the results of the last execution of each.
 */
#ifndef RUN_RUNNER_H
#define RUN_RUNNER_H

#include "base/rng.h"
#include "helper/spawn_client.h"
#include "run/plan.h"
#include "sample/run_sample.h"

struct runner;

/*
 * Opens a runner. Hooks run under a separate helper, so that processes that they leave
 * running, such as a server, are neither counted with the commands nor confined to
 * their processors; hooks is NULL if there are none. rng draws the sizes of
 * environments. All arguments must outlive the runner. Returns NULL and the message if
 * the time series cannot be recorded.
 */
struct runner *runner_open(const struct plan *plan, struct spawn_client *spawn,
    struct spawn_client *hooks, struct rng *rng, struct fault *f);
void runner_close(struct runner *r);
/* Returns the helper that executes commands, which the runner borrows; NULL: there is none.
 */
struct spawn_client *runner_spawn(const struct runner *r);

/*
 * Runs one hook of all subjects. Returns 0, or -1 and the message if one of them
 * failed.
 */
int runner_hooks(struct runner *r, enum hook hook, struct fault *f);

/*
 * Executes a subject once, with its hooks. Returns 0, or -1 and the message if no
 * process could be started or a hook failed. An execution that was interrupted, or
 * whose program or input cannot be opened, has no result; see runner_ran and
 * runner_unstartable.
 */
int runner_once(struct runner *r, size_t subject, struct fault *f);

/*
 * Returns whether executions of this plan may be batched, because nothing needs to be
 * done between them.
 */
bool runner_batches(const struct runner *r);
/*
 * Sends an execution of a subject to the helper without waiting for its end. more is
 * false for the last one of a batch. Then runner_receive must be called once for each,
 * in the same order.
 */
int runner_send(struct runner *r, size_t subject, bool more, struct fault *f);
/*
 * Receives the result of the next execution of a batch. Returns 0; 1 if the helper
 * skipped it, as it does with the rest of a batch that takes too long; or -1 and the
 * message. If the helper has ended, the execution has a result; see runner_lost.
 */
int runner_receive(struct runner *r, size_t subject, struct fault *f);

/* Returns the request for an execution of a command of a plan. */
struct spawn_request runner_request(const struct plan *p, size_t subject);
/* Draws the size of the environment of a request, if the plan varies it. */
void runner_jitter(const struct plan *p, struct rng *rng, struct spawn_request *q);
/*
 * Handles the end of the helper by a signal. A key pressed at the terminal sends the
 * signal to the helper and to us, in any order. If we do not receive it within 100 ms,
 * only the helper was meant, and the run fails: returns 0, or -1 and the message.
 */
int runner_stopped(struct fault *f);
/* Returns how an execution ended. */
struct run_status runner_status_of(const struct plan *p, const struct wire_result *result);
/* Corrects the result of a command that succeeded: it did not time out, even if the helper
 * was stopped until after the limit. */
void runner_settle(const struct plan *p, struct wire_result *result);
/* Returns the words to add to the status of an execution that failed, or NULL. */
const char *runner_why(const struct wire_result *result);
/* Returns whether the reason why a program was not started concerns this subject only, so
 * that others may be started. */
bool runner_failed_alone(const struct wire_result *result);

/* Returns why the kernel would not start a subject's program, or why what is measured
 * meanwhile has ended; NULL: neither. */
const char *runner_unstartable(const struct runner *r, size_t subject);
/* Returns whether the last execution has a result that has not been taken yet. */
bool runner_ran(const struct runner *r, size_t subject);
/*
 * Returns the results of each worker of the last execution; NULL if there was only one.
 */
const struct wire_worker *runner_workers(const struct runner *r, size_t subject);
/* Returns whether the last execution has a result that says only that its helper ended. */
bool runner_lost(const struct runner *r, size_t subject);
/* Returns how the last execution ended. */
struct run_status runner_status(const struct runner *r, size_t subject);
/* Returns the helper's result of the last execution. */
const struct wire_result *runner_result(const struct runner *r, size_t subject);
/*
 * Begins a sample with the accounting, the counters and the metrics in the output of
 * the last execution; if something else was measured meanwhile, with its values.
 */
void runner_begin_sample(
    const struct runner *r, size_t subject, int64_t number, struct run_sample *s);
/* Appends a line for each problem of the values. */
void runner_explain(const struct runner *r, struct buf *lines);
/* Adds the time series of the last execution to the sample. */
void runner_add_series(const struct runner *r, size_t subject, struct run_sample *s);
/* Marks the result of the last execution as taken. */
void runner_taken(struct runner *r, size_t subject);

#endif
