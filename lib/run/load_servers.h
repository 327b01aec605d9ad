/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The servers of commands under load: each has a helper, which executes one request after
 * the other.
 *
 * A free server gets the next request before its arrival, and its helper sleeps until then.
 * As this server is free, the request begins when it arrives, as if it had been given to
 * the server at that moment, but only one process must wake up.
 */
#ifndef RUN_LOAD_SERVERS_H
#define RUN_LOAD_SERVERS_H

#include "base/rng.h"
#include "helper/spawn_client.h"
#include "run/plan.h"

struct load_servers;

/*
 * Opens servers. The first one uses the helper `first`. The arguments must outlive them.
 * Returns NULL and the message if a helper cannot be started.
 */
struct load_servers *load_servers_open(
    const struct plan *plan, struct spawn_client *first, uint32_t count, struct fault *f);
void load_servers_close(struct load_servers *s);

/* The requests of a period. */
struct load_work {
	size_t subject;
	uint32_t servers;          /* the first ones */
	const int64_t *arrival_ns; /* not decreasing; NULL: a closed loop */
	size_t requests;           /* in a closed loop: at most */
	double period_ns; /* of a closed loop: no request begins later; 0: no limit */
	double limit_ns;  /* no request begins later; 0: no limit */
	struct rng *rng;  /* draws the sizes of environments */
	void (*wait)(void *ctx); /* called about ten times a second */
	void *ctx;
};

/* An execution of a request. */
struct load_execution {
	struct wire_result result;
	uint32_t server;
	bool ran; /* it has a result; a signal may have prevented it */
};

/* The executions of a period, in the order of their requests. Zero it to begin. */
struct load_executions {
	int64_t origin_ns; /* CLOCK_MONOTONIC at the beginning of the period */
	int64_t end_ns;    /* when the last request ended, since origin_ns */
	struct load_execution *execution;
	struct wire_count *counts; /* for each execution, one for each counter */
	size_t count, cap;
	char *unstartable; /* why the program cannot be started; allocated, or NULL */
};

/*
 * Executes the requests of a period. Returns 0, even after an interrupt (interrupt_seen),
 * or -1 and the message.
 */
int load_servers_run(struct load_servers *s, const struct load_work *work,
    struct load_executions *out, struct fault *f);
void load_executions_free(struct load_executions *e);

#endif
