/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Client of the small static helper bench-spawn, which starts commands and measures
 * each. The helper's source explains why it exists.
 */
#ifndef HELPER_SPAWN_CLIENT_H
#define HELPER_SPAWN_CLIENT_H

#include <sched.h>
#include <sys/types.h>

#include "counters/counter.h"
#include "protocol/spawn_proto.h"

struct spawn_client;

struct spawn_client_opts {
	struct counter_set
	    *counters;         /* opened for every execution that counts; may be empty */
	const cpu_set_t *cpus; /* where commands may run; NULL: anywhere */
	bool capture;          /* some requests will use OUTPUT_CAPTURE */
};

struct spawn_request {
	const char *path;
	char *const *argv;
	char *const *env;        /* each NAME=VALUE, added to the environment; or NULL */
	const char *stdin_path;  /* NULL: the null device */
	const char *stdout_path; /* for OUTPUT_FILE; NULL: the null device */
	enum wire_output output; /* OUTPUT_INHERIT: our standard error */
	double timeout_ns;       /* 0: none */
	int64_t start_at_ns;     /* CLOCK_MONOTONIC; not before this time; 0: at once */
	bool count;              /* read the counters */
	uint32_t jitter;         /* bytes of padding in the environment */
	bool more;               /* another request is sent before a result is received */
	uint32_t
	    workers; /* more than 1: this number of concurrent copies, never in a batch */
	bool pin;    /* confine each of several copies to one of the opts' cpus, in turn */
	bool sheltered; /* not ended by a signal; see wire_request */
};

/*
 * Starts the helper; the commands get the environment of this moment. Records in each
 * counter whether it could be opened. Returns NULL and the message on failure.
 */
struct spawn_client *spawn_client_open(
    const struct spawn_client_opts *opts, struct fault *f);
/*
 * Executes a command to its end. Returns 0, or -1 and the message if it could not be
 * started or the helper is gone; in the second case, the result is that of a command that
 * SIGKILL ended, without values (see result->lost). counts has room for every counter, and
 * workers for every copy if there are several. If the command itself fails, the function
 * succeeds: see result->status, timed_out, stopped and interrupted, and for copies the
 * workers.
 */
int spawn_client_run(struct spawn_client *s, const struct spawn_request *request,
    struct wire_result *result, struct wire_worker *workers, struct wire_count *counts,
    struct fault *f);
/*
 * Sends a request of a batch of up to WIRE_BATCH_RUNS requests, all but the last of
 * which have `more`. Returns 0, or -1 and the message.
 */
int spawn_client_send(
    struct spawn_client *s, const struct spawn_request *request, struct fault *f);
/*
 * Receives the next result of a batch, in the order of the requests, once all have been
 * executed; otherwise like spawn_client_run. If the helper is gone, the results of the
 * executions that it completed are still received.
 */
int spawn_client_receive(struct spawn_client *s, const struct spawn_request *request,
    struct wire_result *result, struct wire_worker *workers, struct wire_count *counts,
    struct fault *f);
/* Returns whether a call failed because the helper has ended. */
bool spawn_client_gone(const struct spawn_client *s);
/* Returns the descriptor that becomes readable when spawn_client_receive need not wait. */
int spawn_client_fd(const struct spawn_client *s);
/*
 * Lets the helper continue if a command stopped it, and kills it if its answer is late. A
 * caller that waits for the descriptor itself calls this about once per second.
 */
void spawn_client_tend(struct spawn_client *s);
/*
 * Reads the output of the last execution with OUTPUT_CAPTURE, up to 16 MiB. Returns 0,
 * or -1 and the message.
 */
int spawn_client_output(struct spawn_client *s, struct buf *out, struct fault *f);
/*
 * Returns the helper's process; SIGTERM to it kills the running command.
 * Async-signal-safe.
 */
pid_t spawn_client_pid(const struct spawn_client *s);
void spawn_client_close(struct spawn_client *s);

#endif
