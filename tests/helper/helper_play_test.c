/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Periods of a load in a helper: bench-call serves requests with a function of the C
 * library, which takes almost no time.
 */
#include <stdlib.h>

#include "helper/helper_client.h"
#include "tests/lib/tap.h"

enum { MS = 1000000, REQUESTS = 200 };

static struct helper_client *open_servers(uint32_t processes, uint32_t threads)
{
	static struct counter_set none;
	const struct helper_opts opts = { .helper = "bench-call",
		.object = "libc.so.6",
		.symbol = "getppid",
		.kind = FUNCTION_PLAIN,
		.threads = threads,
		.processes = processes,
		.counters = &none,
		.loaded = true,
		.timeout_ns = 30e9 };
	struct helper_client *c;
	struct fault f;

	c = helper_client_open(&opts, &f);
	if (!c || helper_client_state(c) != HELPER_LIVES) {
		printf("Bail out! %s\n", c ? helper_client_why(c) : f.text);
		exit(1);
	}
	return c;
}

/* Plays these arrivals. Returns NULL if the helper has ended. */
static const struct helper_sample *play(
    struct helper_client *c, struct helper_order order, const int64_t *arrival_ns)
{
	order.iterations = order.arrivals;
	return helper_client_play(c, &order, arrival_ns);
}

/* Returns whether no request starts before its arrival or after its end. */
static bool in_order(const struct helper_sample *s, const int64_t *arrival_ns)
{
	for (uint32_t i = 0; i < s->answer.requests; i++)
		if (s->service[i].start_ns < arrival_ns[i] ||
		    s->service[i].end_ns < s->service[i].start_ns)
			return false;
	return true;
}

/* Returns whether each server starts a request only after the end of its last one. */
static bool one_at_a_time(const struct helper_sample *s, uint32_t servers)
{
	int64_t *end_ns = mem_zero(servers, sizeof(*end_ns));
	bool fine = true;

	for (uint32_t i = 0; i < s->answer.requests && fine; i++) {
		const struct helper_service *r = &s->service[i];

		fine = r->worker < servers && r->start_ns >= end_ns[r->worker];
		if (fine)
			end_ns[r->worker] = r->end_ns;
	}
	free(end_ns);
	return fine;
}

static void test_open_loop(uint32_t processes, uint32_t threads)
{
	struct helper_client *c = open_servers(processes, threads);
	int64_t arrival_ns[REQUESTS];
	const struct helper_sample *s;

	for (int i = 0; i < REQUESTS; i++)
		arrival_ns[i] = (int64_t)i * MS / 4;
	for (int period = 0; period < 2; period++) {
		s = play(c, (struct helper_order){ .arrivals = REQUESTS }, arrival_ns);
		tap_ok(s && s->answer.requests == REQUESTS && in_order(s, arrival_ns),
		    "%u processes of %u threads start no request of period %d before it "
		    "arrives",
		    processes, threads, period);
		tap_ok(s && one_at_a_time(s, processes * threads),
		    "%u processes of %u threads serve one request each at a time in period "
		    "%d",
		    processes, threads, period);
	}
	s = helper_client_play(c, &(struct helper_order){ .iterations = 1000 }, NULL);
	tap_ok(s && !s->answer.requests,
	    "%u processes of %u threads take an ordinary sample after a period", processes,
	    threads);
	helper_client_end(c);
	tap_ok(helper_client_state(c) == HELPER_OVER,
	    "%u processes of %u threads end normally after a period", processes, threads);
	helper_client_close(c);
}

static void test_few_requests(void)
{
	struct helper_client *c = open_servers(2, 2);
	const int64_t arrival_ns[1] = { MS };
	const struct helper_sample *s =
	    play(c, (struct helper_order){ .arrivals = 1 }, arrival_ns);

	tap_ok(s && s->answer.requests == 1 && in_order(s, arrival_ns),
	    "a period may have fewer requests than servers");
	helper_client_close(c);
}

static void test_closed_loop(void)
{
	struct helper_client *c = open_servers(1, 2);
	const struct helper_sample *s =
	    play(c, (struct helper_order){ .arrivals = 50, .closed = 1 }, NULL);

	tap_ok(s && s->answer.requests == 50 && one_at_a_time(s, 2),
	    "a closed loop of a number of requests starts all of them");
	s = play(c,
	    (struct helper_order){
	        .arrivals = HELPER_REQUESTS_MAX, .limit_ns = 2 * MS, .closed = 1 },
	    NULL);
	tap_ok(s && s->answer.requests > 0 && s->answer.requests < HELPER_REQUESTS_MAX,
	    "a closed loop of a duration ends");
	for (uint32_t i = 0; s && i < s->answer.requests; i++)
		if (s->service[i].start_ns > 100 * MS)
			s = NULL;
	tap_ok(s, "a closed loop starts no request long after its end");
	helper_client_close(c);
}

static void test_limit(void)
{
	struct helper_client *c = open_servers(1, 1);
	const int64_t arrival_ns[] = { 0, MS, 20 * (int64_t)MS };
	const struct helper_sample *s = play(
	    c, (struct helper_order){ .arrivals = 3, .limit_ns = 10 * MS }, arrival_ns);

	/* A busy machine may be late by more than the limit for the second one. */
	tap_ok(s && s->answer.requests <= 2, "no request starts after the limit");
	helper_client_close(c);
}

/* Five requests arrive together, and one much later. */
static void test_batches(void)
{
	struct helper_client *c = open_servers(1, 1);
	const int64_t arrival_ns[] = { MS, MS, MS, MS, MS, 300 * (int64_t)MS };
	const struct helper_sample *s = play(c,
	    (struct helper_order){ .arrivals = 6, .window_ns = 20 * MS, .batch = 4 },
	    arrival_ns);
	const struct helper_service *r = s ? s->service : NULL;

	tap_ok(s && s->answer.requests == 6 && in_order(s, arrival_ns),
	    "requests in batches start after their arrivals");
	if (!r)
		return;
	tap_ok(r[0].batch == 4 && r[3].batch == 4 && r[0].start_ns == r[3].start_ns &&
	           r[0].end_ns == r[3].end_ns,
	    "a full batch is served by one iteration");
	tap_ok(r[4].batch == 1 && r[4].start_ns >= 21 * MS && r[4].window_ns == 20 * MS,
	    "a batch that is not full waits until the window is over");
	tap_ok(r[5].batch == 1 && r[5].start_ns >= 320 * MS,
	    "the window begins when the server has its first request");
	helper_client_close(c);
}

int main(void)
{
	test_open_loop(1, 1);
	test_open_loop(1, 3);
	test_open_loop(3, 1);
	test_open_loop(2, 2);
	test_few_requests();
	test_closed_loop();
	test_limit();
	test_batches();
	return tap_end();
}
