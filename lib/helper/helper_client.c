/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The client's side of helper_proto.h.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "counters/counter_scale.h"
#include "helper/helper_client.h"
#include "helper/helper_request.h"
#include "helper/helper_start.h"
#include "helper/helper_stops.h"
#include "protocol/helper_check.h"
#include "sys/interrupt.h"

enum {
	LOOK_MS = 100,     /* an interrupt is noticed within this time */
	ENDING_MS = 10000, /* time for the end of a process, which may write a core */
};

struct helper_client {
	struct helper_opts opts;
	pid_t pid;
	int socket;
	enum helper_state state;
	struct run_status status;
	char why[HELPER_WHY_MAX];
	struct helper_phases phases;
	struct helper_sample sample;
	struct wire_count *counts;
	struct worker_result *workers;
	struct helper_service *service;
	struct helper_extra *extra, *told; /* for the sample; for the process */
	size_t service_cap, extra_cap, tolds;
	struct helper_span *span; /* of the process */
	size_t spans;
	struct helper_token *token; /* for the sample */
	size_t token_cap;
	int64_t deadline_ns; /* CLOCK_MONOTONIC; 0: none */
};

static uint32_t worker_count(const struct helper_client *c)
{
	return c->opts.threads * c->opts.processes;
}

/* Sets the deadline of an answer: the limit, plus a time for the other work.
 */
static void set_deadline(struct helper_client *c, int64_t work_ns)
{
	c->deadline_ns = c->opts.timeout_ns > 0
	                     ? clock_monotonic_ns() + (int64_t)c->opts.timeout_ns + work_ns
	                     : 0;
}

/* Kills the process and its group, which it may have left. */
static void kill_all(const struct helper_client *c)
{
	kill(-c->pid, SIGKILL);
	kill(c->pid, SIGKILL);
}

/* Ends all processes of the helper. Returns its status as from wait(2). */
static int reap(struct helper_client *c)
{
	int status = 0;

	if (c->pid <= 0)
		return W_EXITCODE(127, 0); /* no process was executed */
	kill_all(c);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	return status;
}

static void come_to(
    struct helper_client *c, enum helper_state state, enum run_outcome outcome)
{
	reap(c);
	c->state = state;
	c->status = (struct run_status){ outcome, 0 };
}

/* Ends the process if it was stopped during its work. Returns whether it was. */
static bool see_stop(struct helper_client *c)
{
	const int signal = helper_stops_take(c->pid);

	if (!signal)
		return false;
	come_to(c, HELPER_BROKEN, RUN_FAILED);
	c->status.wait_status = signal;
	snprintf(c->why, sizeof(c->why), "its process was stopped by a signal meanwhile");
	return true;
}

static bool has_ended(const struct helper_client *c)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT | WNOHANG) < 0 ||
	       info.si_pid != 0;
}

/*
 * Handles the close of the socket's other end: the process has ended or will end at
 * once; if it continues, it is killed.
 */
static void see_end(struct helper_client *c)
{
	for (int ms = 0; ms < ENDING_MS && !has_ended(c); ms++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	c->status = (struct run_status){ RUN_FAILED, reap(c) };
	c->state = HELPER_BROKEN;
}

/*
 * Waits for data. Returns false after the deadline or an interrupt, and sets the state.
 */
static bool wait_readable(struct helper_client *c)
{
	struct pollfd fd = { .fd = c->socket, .events = POLLIN };

	for (;;) {
		int64_t left_ns =
		    c->deadline_ns ? c->deadline_ns - clock_monotonic_ns() : INT64_MAX;
		int64_t ms = left_ns / 1000000 + 1;

		if (interrupt_seen()) {
			come_to(c, HELPER_INTERRUPTED, RUN_SKIPPED);
			return false;
		}
		/* A signal may arrive just before the call. */
		if (poll(&fd, 1, left_ns <= 0 ? 0 : ms > LOOK_MS ? LOOK_MS : (int)ms) > 0)
			return true;
		if (see_stop(c))
			return false;
		if (left_ns <= 0) {
			come_to(c, HELPER_BROKEN, RUN_TIMEOUT);
			return false;
		}
	}
}

static bool receive(struct helper_client *c, void *out, size_t size)
{
	for (char *p = out; size;) {
		if (!wait_readable(c))
			return false;
		ssize_t got = recv(c->socket, p, size, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			see_end(c);
			return false;
		}
		p += got;
		size -= (size_t)got;
	}
	return true;
}

/* Ends a process whose answer is invalid. Returns false. */
static bool refuse_answer(struct helper_client *c)
{
	snprintf(c->why, sizeof(c->why), "its process sent an invalid answer");
	c->status = (struct run_status){ RUN_FAILED, reap(c) };
	c->state = HELPER_BROKEN;
	return false;
}

/* Receives an answer of the expected kind, with up to this number of requests. Otherwise
 * returns false and sets the state. */
static bool receive_answer(
    struct helper_client *c, enum helper_answer_kind due, uint64_t requests)
{
	struct helper_answer *a = &c->sample.answer;

	if (!receive(c, a, sizeof(*a)))
		return false;
	if (a->kind == due)
		return helper_answer_is_possible(a, requests) || refuse_answer(c);
	if (a->kind < HELPER_FAILED || a->kind > HELPER_ABSENT)
		return refuse_answer(c);
	a->why[sizeof(a->why) - 1] = '\0';
	snprintf(c->why, sizeof(c->why), "%s", a->why);
	if (a->kind == HELPER_SKIPPED)
		come_to(c, HELPER_UNAVAILABLE, RUN_UNSUPPORTED);
	else if (a->kind == HELPER_ABSENT)
		come_to(c, HELPER_UNAVAILABLE, RUN_SKIPPED);
	else
		see_end(c);
	return false;
}

/* Adds the spans that follow the values of an answer. */
static bool receive_spans(struct helper_client *c)
{
	const size_t count = c->sample.answer.spans;

	if (!count)
		return true;
	c->span = mem_resize(c->span, c->spans + count, sizeof(*c->span));
	if (!receive(c, c->span + c->spans, count * sizeof(*c->span)))
		return false;
	helper_spans_terminate(c->span + c->spans, count);
	c->spans += count;
	return true;
}

/* Receives the values and spans that follow an answer. */
static bool receive_extras(struct helper_client *c)
{
	size_t count = c->sample.answer.extras;

	c->sample.extras = 0;
	if (count > c->extra_cap) {
		c->extra = mem_resize(c->extra, count, sizeof(*c->extra));
		c->extra_cap = count;
	}
	if (!receive(c, c->extra, count * sizeof(*c->extra)))
		return false;
	if (!helper_extras_are_possible(c->extra, count))
		return refuse_answer(c);
	c->sample.extra = c->extra;
	c->sample.extras = count;
	return receive_spans(c);
}

/* Receives the tokens of a sample. */
static bool receive_tokens(struct helper_client *c)
{
	size_t count = c->sample.answer.tokens;

	c->sample.tokens = 0;
	if (count > c->token_cap) {
		c->token = mem_resize(c->token, count, sizeof(*c->token));
		c->token_cap = count;
	}
	if (!receive(c, c->token, count * sizeof(*c->token)))
		return false;
	c->sample.token = c->token;
	c->sample.tokens = count;
	return true;
}

/* Keeps the values that the process reported about itself. */
static bool receive_told(struct helper_client *c)
{
	if (!receive_extras(c))
		return false;
	if (!c->sample.extras)
		return true;
	c->told = mem_resize(c->told, c->tolds + c->sample.extras, sizeof(*c->told));
	memcpy(c->told + c->tolds, c->extra, c->sample.extras * sizeof(*c->told));
	c->tolds += c->sample.extras;
	return true;
}

static void send_bytes(struct helper_client *c, const void *bytes, size_t size)
{
	for (const char *p = bytes; size;) {
		ssize_t put = send(c->socket, p, size, MSG_NOSIGNAL);

		if (put < 0 && errno != EINTR)
			return; /* reading reports what happened to the process */
		if (put > 0) {
			p += put;
			size -= (size_t)put;
		}
	}
}

static void send_request(struct helper_client *c)
{
	struct buf request = { 0 };

	helper_request_put(&request, &c->opts);
	send_bytes(c, request.ptr, request.len);
	buf_free(&request);
}

static bool get_ready(struct helper_client *c)
{
	struct counter_set *set = c->opts.counters;
	struct wire_opened *opened;

	if (!receive_answer(c, HELPER_LOADED, 0))
		return false;
	c->phases.begin_ns = c->sample.answer.begin_ns;
	c->phases.load_ns = (double)c->sample.answer.wall_ns;
	if (!receive_answer(c, HELPER_READY, 0))
		return false;
	c->phases.ready_ns = (double)c->sample.answer.ready_ns;
	if (c->sample.answer.set_up)
		c->phases.setup_ns = (double)c->sample.answer.wall_ns;
	opened = mem_zero(set->count + 1, sizeof(*opened));
	bool whole = receive(c, opened, set->count * sizeof(*opened));
	for (size_t i = 0; whole && i < set->count; i++)
		counter_opened(set, i, opened[i].error, opened[i].user_only != 0);
	free(opened);
	if (whole)
		counter_settle(set);
	return whole && receive_told(c) && !see_stop(c);
}

struct helper_client *helper_client_open(const struct helper_opts *opts, struct fault *f)
{
	struct helper_client *c = mem_zero(1, sizeof(*c));

	*c = (struct helper_client){ .opts = *opts,
		.socket = -1,
		.phases = { .begin_ns = clock_realtime_ns(),
		    .load_ns = -1,
		    .setup_ns = -1,
		    .ready_ns = -1 },
		.counts = mem_zero(opts->counters->count + 1, sizeof(*c->counts)),
		.workers = mem_zero(opts->threads * opts->processes, sizeof(*c->workers)) };
	if (helper_start(opts, &c->pid, &c->socket, f) < 0) {
		c->pid = 0;
		helper_client_close(c);
		return NULL;
	}
	set_deadline(c, 0);
	send_request(c);
	get_ready(c);
	return c;
}

enum helper_state helper_client_state(const struct helper_client *c)
{
	return c->state;
}

pid_t helper_client_pid(const struct helper_client *c)
{
	return c->pid;
}

struct run_status helper_client_status(const struct helper_client *c)
{
	return c->status;
}

const char *helper_client_why(const struct helper_client *c)
{
	return *c->why ? c->why : NULL;
}

struct helper_phases helper_client_phases(const struct helper_client *c)
{
	return c->phases;
}

/* Receives the services of the requests of a sample. */
static bool receive_services(struct helper_client *c)
{
	const size_t count = c->sample.answer.requests;

	if (count > c->service_cap) {
		c->service = mem_resize(c->service, count, sizeof(*c->service));
		c->service_cap = count;
	}
	c->sample.service = c->service;
	return receive(c, c->service, count * sizeof(*c->service)) &&
	       (helper_services_are_possible(c->service, count, worker_count(c)) ||
	           refuse_answer(c));
}

const struct helper_sample *helper_client_play(
    struct helper_client *c, const struct helper_order *order, const int64_t *arrival_ns)
{
	if (c->state != HELPER_LIVES)
		return NULL;
	helper_stops_forget(c->pid);
	set_deadline(c, order->limit_ns);
	send_bytes(c, order, sizeof(*order));
	if (arrival_ns)
		send_bytes(c, arrival_ns, order->arrivals * sizeof(*arrival_ns));
	if (!receive_answer(c, HELPER_SAMPLE, order->arrivals) ||
	    !receive(c, c->counts, c->opts.counters->count * sizeof(*c->counts)) ||
	    !receive(c, c->workers, worker_count(c) * sizeof(*c->workers)) ||
	    !receive_services(c) || !receive_extras(c) || !receive_tokens(c) || see_stop(c))
		return NULL;
	c->sample.counts = c->counts;
	c->sample.workers = c->workers;
	return &c->sample;
}

int64_t helper_client_end(struct helper_client *c)
{
	static const struct helper_order end;

	if (c->state != HELPER_LIVES)
		return 0;
	set_deadline(c, 0);
	send_bytes(c, &end, sizeof(end));
	if (!receive_answer(c, HELPER_ENDED, 0))
		return 0;
	int64_t rss_bytes = c->sample.answer.rss_bytes;
	if (!receive_told(c))
		return 0;
	come_to(c, HELPER_OVER, RUN_OK);
	return rss_bytes;
}

const struct helper_extra *helper_client_told(const struct helper_client *c, size_t *count)
{
	*count = c->tolds;
	return c->told;
}

const struct helper_span *helper_client_spans(const struct helper_client *c, size_t *count)
{
	*count = c->spans;
	return c->span;
}

void helper_client_close(struct helper_client *c)
{
	if (!c)
		return;
	reap(c);
	if (c->socket >= 0)
		close(c->socket);
	free(c->counts);
	free(c->workers);
	free(c->service);
	free(c->extra);
	free(c->told);
	free(c->span);
	free(c->token);
	free(c);
}
