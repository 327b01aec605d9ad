/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running commands one at a time and measuring each: the client of the small static helper
 * bench-spawn, which starts them (why, its source says).
 */
#ifndef RUN_SPAWN_CLIENT_H
#define RUN_SPAWN_CLIENT_H

#include <sched.h>
#include <sys/types.h>

#include "counters/counter.h"
#include "protocol/spawn_proto.h"

struct spawn_client;

struct spawn_client_opts {
	struct counter_set *counters; /* opened for every run that counts; may be empty */
	const cpu_set_t *cpus;        /* where commands may run; NULL: anywhere */
	bool capture;                 /* OUTPUT_CAPTURE will be asked for */
};

struct spawn_request {
	const char *path; /* the program's file */
	char *const *argv;
	const char *stdin_path;  /* NULL: the null device */
	const char *stdout_path; /* for OUTPUT_FILE; NULL: the null device */
	enum wire_output output; /* OUTPUT_INHERIT: our standard error */
	double timeout_ns;       /* 0: none */
	bool count;              /* read the counters */
	uint32_t jitter;         /* bytes of padding in the environment */
	bool more;               /* another request is sent before a result is received */
	uint32_t workers; /* more than 1: so many copies at once, not one of a batch */
	bool pin;         /* each of several copies on one of config->cpus, in turn */
	bool sheltered;   /* not ended by a signal; see wire_request */
};

/*
 * Start the helper; the environment of the commands is ours at this moment. NULL and the
 * message on failure. Tells each counter whether it could be opened.
 */
struct spawn_client *spawn_client_open(
    const struct spawn_client_opts *config, struct fault *f);
/*
 * Run a command to its end. 0; or -1 and the message when it could not be started (what it
 * was, and why) or the helper is gone. counts has room for every counter, workers for every
 * copy if there are several. A command that failed is a success of this function: see
 * result->status, timed_out, interrupted; that of copies is with each of the workers.
 */
int spawn_client_run(struct spawn_client *s, const struct spawn_request *request,
    struct wire_result *result, struct wire_worker *workers, struct wire_count *counts,
    struct fault *f);
/*
 * The halves of spawn_client_run, for a batch of up to WIRE_BATCH_RUNS requests, of which
 * all but the last say that more follow; the results come when all have run, in the same
 * order.
 */
int spawn_client_send(
    struct spawn_client *s, const struct spawn_request *request, struct fault *f);
int spawn_client_receive(struct spawn_client *s, const struct spawn_request *request,
    struct wire_result *result, struct wire_worker *workers, struct wire_count *counts,
    struct fault *f);
/* What the last run with OUTPUT_CAPTURE wrote, up to 16 MiB. */
int spawn_client_output(struct spawn_client *s, struct buf *out, struct fault *f);
/* The helper's process: a SIGTERM to it kills the command under way. Async-signal-safe. */
pid_t spawn_client_pid(const struct spawn_client *s);
void spawn_client_close(struct spawn_client *s);

#endif
