/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts and feeds the servers of a load; see load_servers.h.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/load_servers.h"
#include "run/runner.h"
#include "sys/interrupt.h"

enum {
	LEAD_NS =
	    2000000, /* before a period, so that all servers have their requests ... */
	LEAD_EACH_NS = 50000, /* ... and for each of the servers */
	WAIT_MS = 100,
	TEND_NS = 1000000000
};

struct load_server {
	struct spawn_client *helper;
	bool busy;
	size_t request; /* its number */
};

struct load_servers {
	const struct plan *plan;
	struct load_server *server;
	struct pollfd *poll; /* room for one for each server */
	uint32_t *polled;    /* the servers that they belong to */
	uint32_t count;
	int64_t tended_ns; /* CLOCK_MONOTONIC */
};

struct load_servers *load_servers_open(
    const struct plan *plan, struct spawn_client *first, uint32_t count, struct fault *f)
{
	struct load_servers *s = mem_zero(1, sizeof(*s));

	*s = (struct load_servers){ .plan = plan,
		.server = mem_zero(count, sizeof(*s->server)),
		.poll = mem_zero(count, sizeof(*s->poll)),
		.polled = mem_zero(count, sizeof(*s->polled)) };
	for (; s->count < count; s->count++) {
		struct spawn_client *helper = first;

		if (s->count)
			helper = spawn_client_open(
			    &(struct spawn_client_opts){ .counters = plan->counters,
			        .cpus = plan->confined ? &plan->cpus : NULL },
			    f);
		if (!helper) {
			load_servers_close(s);
			return NULL;
		}
		s->server[s->count].helper = helper;
		if (s->count)
			interrupt_watch(spawn_client_pid(helper));
	}
	return s;
}

void load_servers_close(struct load_servers *s)
{
	for (uint32_t k = 1; s && k < s->count; k++) {
		interrupt_forget(spawn_client_pid(s->server[k].helper));
		spawn_client_close(s->server[k].helper);
	}
	if (s) {
		free(s->server);
		free(s->poll);
		free(s->polled);
	}
	free(s);
}

void load_executions_free(struct load_executions *e)
{
	free(e->execution);
	free(e->counts);
	free(e->unstartable);
	*e = (struct load_executions){ 0 };
}

/* Returns the time since the beginning of the period. */
static int64_t elapsed_ns(const struct load_executions *e)
{
	return clock_monotonic_ns() - e->origin_ns;
}

/* Returns whether another request begins in this period. */
static bool wants_request(const struct load_work *w, const struct load_executions *e)
{
	int64_t now = elapsed_ns(e),
	        at = w->arrival_ns && e->count < w->requests ? w->arrival_ns[e->count] : 0;

	if (interrupt_seen() || e->unstartable || e->count >= w->requests)
		return false;
	if (w->limit_ns > 0 && (double)(at > now ? at : now) >= w->limit_ns)
		return false;
	return w->arrival_ns || w->period_ns <= 0 || (double)now < w->period_ns;
}

/* Adds room for the next execution. Returns its number. */
static size_t add_room(struct load_executions *e, size_t counters)
{
	if (e->count == e->cap) {
		e->cap = e->cap ? 2 * e->cap : 64;
		e->execution = mem_resize(e->execution, e->cap, sizeof(*e->execution));
		if (counters)
			e->counts =
			    mem_resize(e->counts, e->cap * counters, sizeof(*e->counts));
	}
	e->execution[e->count] = (struct load_execution){ 0 };
	return e->count++;
}

/* Gives the next request to a server. Returns 0, or -1 and the message. */
static int give_request(struct load_servers *s, uint32_t to, const struct load_work *w,
    struct load_executions *e, struct fault *f)
{
	struct spawn_request q = runner_request(s->plan, w->subject);
	struct load_server *server = &s->server[to];

	server->request = add_room(e, s->plan->counters->count);
	e->execution[server->request].server = to;
	q.workers = 1;
	q.pin = false;
	if (w->arrival_ns)
		q.start_at_ns = e->origin_ns + w->arrival_ns[server->request];
	runner_jitter(s->plan, w->rng, &q);
	server->busy = true;
	return spawn_client_send(server->helper, &q, f);
}

/* Takes the result of a server's request. Returns 0, or -1 and the message. */
static int take_result(struct load_servers *s, uint32_t from, const struct load_work *w,
    struct load_executions *e, struct fault *f)
{
	struct load_server *server = &s->server[from];
	struct load_execution *x = &e->execution[server->request];
	size_t counters = s->plan->counters->count;
	struct spawn_request q = runner_request(s->plan, w->subject);
	struct wire_result result = { 0 };

	q.workers = 1;
	server->busy = false;
	if (spawn_client_receive(server->helper, &q, &result, NULL,
	        counters ? &e->counts[server->request * counters] : NULL, f) < 0) {
		x->ran = result.lost && !interrupt_seen();
		x->result = result;
		if (!runner_failed_alone(&result))
			return -1;
		if (!e->unstartable)
			e->unstartable = str_copy(f->text);
		return 0;
	}
	if (result.interrupted || result.passed_over)
		return runner_stopped(f);
	if (result.timed_out)
		result.wall_ns = (int64_t)s->plan->timeout_ns;
	runner_settle(s->plan, &result);
	x->result = result;
	x->ran = true;
	if (result.start_ns + result.wall_ns - e->origin_ns > e->end_ns)
		e->end_ns = result.start_ns + result.wall_ns - e->origin_ns;
	return 0;
}

/* Tends the helpers of the busy servers from time to time. */
static void tend_helpers(struct load_servers *s, nfds_t busy)
{
	if (clock_monotonic_ns() - s->tended_ns < TEND_NS)
		return;
	s->tended_ns = clock_monotonic_ns();
	for (nfds_t i = 0; i < busy; i++)
		spawn_client_tend(s->server[s->polled[i]].helper);
}

/* Waits for results, and takes them. Returns the number of servers that are busy, or -1 and
 * the message. */
static int wait_results(struct load_servers *s, const struct load_work *w,
    struct load_executions *e, struct fault *f)
{
	nfds_t busy = 0;
	int status = 0, ready;

	for (uint32_t k = 0; k < w->servers; k++)
		if (s->server[k].busy) {
			s->polled[busy] = k;
			s->poll[busy++] =
			    (struct pollfd){ .fd = spawn_client_fd(s->server[k].helper),
				    .events = POLLIN };
		}
	ready = busy ? poll(s->poll, busy, WAIT_MS) : 0;
	if (ready < 0 && errno != EINTR)
		return fault_errno(f, "poll");
	if (ready == 0 && w->wait)
		w->wait(w->ctx);
	tend_helpers(s, busy);
	for (nfds_t i = 0; ready > 0 && i < busy; i++)
		if (s->poll[i].revents && take_result(s, s->polled[i], w, e, f) < 0)
			status = -1;
	return status < 0 ? -1 : (int)busy;
}

int load_servers_run(struct load_servers *s, const struct load_work *w,
    struct load_executions *e, struct fault *f)
{
	int busy;

	e->count = 0;
	e->end_ns = 0;
	e->origin_ns = clock_monotonic_ns();
	if (w->arrival_ns)
		e->origin_ns += LEAD_NS + (int64_t)w->servers * LEAD_EACH_NS;
	do {
		for (uint32_t k = 0; k < w->servers; k++)
			if (!s->server[k].busy && wants_request(w, e) &&
			    give_request(s, k, w, e, f) < 0)
				return -1;
		busy = wait_results(s, w, e, f);
	} while (busy > 0);
	return busy;
}
