/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests lib/load/requests with simulated queues, whose means and quantiles are known, and
 * shows what a closed loop omits.
 */
#include <math.h>
#include <stdlib.h>

#include "../lib/tap.h"
#include "base/rng.h"
#include "load/arrivals.h"
#include "load/requests.h"
#include "load/slo.h"
#include "stats/stats.h"

enum { MEAN_NS = 1000000, SERVERS_MOST = 2 };

/* A queue to simulate. */
struct queue {
	double load;   /* the rate times the mean service time over the servers */
	bool constant; /* service times, else exponential */
	uint32_t servers;
	size_t requests, lag_ns;
	uint64_t seed;
};

/* Simulates a queue, first come first served: each request takes the server that is free
 * first (J. Kiefer, J. Wolfowitz, "On the theory of queues with many servers", 1955). */
static struct load_request *simulate(const struct queue *q, double *rate)
{
	struct load_request *request = mem_zero(q->requests, sizeof(*request));
	int64_t free_ns[SERVERS_MOST] = { -1, -1 };
	struct rng rng;
	size_t count;
	int64_t *at;

	*rate = q->load * q->servers * 1e9 / MEAN_NS;
	at = arrivals_make(&(struct arrivals){ .kind = ARRIVALS_POISSON },
	    &(struct arrivals_size){ .rate = *rate, .requests = q->requests }, q->seed,
	    &count);
	rng_seed(&rng, q->seed + 1);
	for (size_t i = 0; i < count; i++) {
		double service =
		    q->constant ? MEAN_NS : -log1p(-rng_uniform(&rng)) * MEAN_NS;
		uint32_t to = q->servers == 2 && free_ns[1] < free_ns[0];
		int64_t ready = at[i] > free_ns[to] ? at[i] : free_ns[to];

		request[i] = (struct load_request){ .arrival_ns = at[i],
			.start_ns = ready + (int64_t)q->lag_ns,
			.end_ns = ready + (int64_t)q->lag_ns + (int64_t)service,
			.server = to,
			.first_token_ns = NAN,
			.per_token_ns = NAN,
			.inter_token_ns = NAN };
		free_ns[to] = request[i].end_ns;
	}
	free(at);
	return request;
}

static struct period period_of(
    const struct queue *q, const struct load_request *request, double rate)
{
	return (struct period){ .request = request,
		.count = q->requests,
		.servers = q->servers,
		.rate = rate,
		.planned_ns = (double)q->requests / rate * 1e9 };
}

/* The mean and the 99% quantile of the latencies, in service times. */
struct sojourn {
	double mean, p99, utilization;
};

/* Averages them over several simulations. */
static struct sojourn sojourn_of(struct queue q, size_t runs)
{
	struct sojourn out = { 0 };
	double *ns = mem_zero(q.requests, sizeof(*ns));

	for (size_t k = 0; k < runs; k++, q.seed += 2) {
		struct period_summary s;
		double rate;
		struct load_request *request = simulate(&q, &rate);
		struct period p = period_of(&q, request, rate);

		requests_summarize(&p, &s);
		for (size_t i = 0; i < q.requests; i++)
			ns[i] = (double)(request[i].end_ns - request[i].arrival_ns);
		stats_sort(ns, q.requests);
		out.mean += stats_mean(ns, q.requests) / MEAN_NS / (double)runs;
		out.p99 += stats_quantile(ns, q.requests, 0.99) / MEAN_NS / (double)runs;
		out.utilization += s.utilization / (double)runs;
		free(request);
	}
	free(ns);
	return out;
}

static void near_to(double got, double want, double within, const char *what)
{
	if (!tap_ok(fabs(got / want - 1) <= within, "%s", what))
		printf("# got %g, want %g within %g\n", got, want, within);
}

/* Returns the mean wait in M/D/c, in service times. One service time later, a queue of n
 * has max(n - c, 0) requests and those that arrived (C. D. Crommelin, "Delay probability
 * formulae when the holding times are constant", 1932); the stationary distribution of this
 * chain gives the mean queue, and the rate the mean wait (Little). */
static double constant_wait(double load, int servers)
{
	enum { STATES = 400 };
	double *p = mem_zero(STATES, sizeof(*p)), *next = mem_zero(STATES, sizeof(*next)),
	       arrive[STATES], rate = load * servers, queue = 0;

	for (int k = 0; k < STATES; k++)
		arrive[k] = exp(-rate + k * log(rate) - lgamma(k + 1.0));
	p[0] = 1;
	for (int step = 0; step < 2000; step++) {
		for (int n = 0; n < STATES; n++)
			next[n] = 0;
		for (int n = 0; n < STATES; n++) {
			int left = n > servers ? n - servers : 0;

			for (int k = 0; k < 40 && left + k < STATES; k++)
				next[left + k] += p[n] * arrive[k];
		}
		memcpy(p, next, STATES * sizeof(*p));
	}
	for (int n = servers + 1; n < STATES; n++)
		queue += (n - servers) * p[n];
	free(p);
	free(next);
	return queue / rate;
}

/* Returns P(wait > t) in M/D/1, t in service times (A. K. Erlang, 1909). */
static double constant_above(double load, double t)
{
	double sum = 0;

	for (int k = 0; k <= (int)t; k++) {
		double x = load * (k - t);

		sum += pow(x, k) / tgamma(k + 1.0) * exp(-x);
	}
	return 1 - (1 - load) * sum;
}

static void test_exponential(void)
{
	for (int i = 0; i < 3; i++) {
		double load = (double[]){ 0.3, 0.6, 0.9 }[i],
		       within = (double[]){ 0.01, 0.02, 0.06 }[i];
		struct sojourn s = sojourn_of(
		    (struct queue){
		        .load = load, .servers = 1, .requests = 100000, .seed = 3 },
		    5);
		char what[120];

		snprintf(what, sizeof(what),
		    "the mean latency of M/M/1 at a load of %.1f is that of theory", load);
		near_to(s.mean, 1 / (1 - load), within, what);
		snprintf(what, sizeof(what),
		    "the 99%% quantile of M/M/1 at a load of %.1f is that of theory",
		    load);
		near_to(s.p99, log(100) / (1 - load), 2 * within, what);
		snprintf(what, sizeof(what), "the utilization of M/M/1 is its load of %.1f",
		    load);
		near_to(s.utilization, load, 0.01, what);
	}
}

static void test_constant(void)
{
	for (int i = 0; i < 3; i++) {
		double load = (double[]){ 0.3, 0.6, 0.9 }[i], t = 0;
		struct queue q = { .load = load,
			.constant = true,
			.servers = 1,
			.requests = 100000,
			.seed = 11 };
		struct sojourn s = sojourn_of(q, 5);
		char what[120];

		snprintf(what, sizeof(what),
		    "the mean wait of M/D/1 at a load of %.1f is that of Pollaczek and "
		    "Khinchine",
		    load);
		near_to(s.mean - 1, load / 2 / (1 - load), 0.05, what);
		while (constant_above(load, t) > 0.01)
			t += 0.001;
		snprintf(what, sizeof(what),
		    "the 99%% quantile of M/D/1 at a load of %.1f is that of Erlang",
		    load);
		near_to(s.p99 - 1, t, 0.08, what);
		q.servers = 2;
		s = sojourn_of(q, 5);
		snprintf(what, sizeof(what),
		    "the mean wait of M/D/2 at a load of %.1f is that of Crommelin", load);
		near_to(s.mean - 1, constant_wait(load, 2), 0.06, what);
	}
	near_to(constant_wait(0.6, 1), 0.75, 1e-6,
	    "Crommelin's chain gives the wait of Pollaczek and Khinchine for one server");
}

/* Returns in how many of 100 runs of six periods the servers are said not to keep up. */
static int said(double load, uint64_t seed)
{
	int count = 0;

	for (int k = 0; k < 100; k++) {
		struct load_total total = { 0 };

		for (int i = 0; i < 6; i++) {
			struct queue q = {
				.load = load, .servers = 1, .requests = 84, .seed = seed++
			};
			struct period_summary s;
			double rate;
			struct load_request *request = simulate(&q, &rate);
			struct period p = period_of(&q, request, rate);

			requests_summarize(&p, &s);
			load_total_add(&total, &p, &s);
			free(request);
		}
		count += load_total_saturated(&total);
	}
	return count;
}

static void test_saturation(void)
{
	int fine = said(0.8, 1), over = said(1.2, 1), edge = said(1, 1);

	tap_ok(fine == 0, "a load of 0.8 is never said to be too much (%d of 100)", fine);
	tap_ok(
	    over == 100, "a load of 1.2 is always said to be too much (%d of 100)", over);
	tap_ok(edge > 30 && edge < 70,
	    "a load of 1 is said to be too much in half of the runs (%d of 100)", edge);
}

static void test_lag(void)
{
	struct queue q = { .load = 0.5,
		.constant = true,
		.servers = 2,
		.requests = 2000,
		.lag_ns = 300000,
		.seed = 5 };
	struct load_total total = { 0 };
	struct period_summary s;
	struct buf lines = { 0 };
	double rate;
	struct load_request *request = simulate(&q, &rate);
	struct period p = period_of(&q, request, rate);

	requests_summarize(&p, &s);
	load_total_add(&total, &p, &s);
	tap_ok(fabs(s.lag_ns - 3e5) < 1 && fabs(s.occupied_ns - 1.3e6) < 1,
	    "a lag of 0.3 ms is found, and occupies the servers");
	load_total_explain(&total, "q", &lines);
	tap_text(lines.ptr,
	    "q at 1000/s: the generator was late by up to 300.0 µs (99%); latencies "
	    "include "
	    "this\n",
	    "a late generator is reported");
	buf_free(&lines);
	free(request);
}

static void test_failures(void)
{
	struct load_request r[] = {
		{ .arrival_ns = 0, .start_ns = 0, .end_ns = 400 },
		{ .arrival_ns = 100, .start_ns = 400, .end_ns = 700 },
		{ .arrival_ns = 200,
		    .start_ns = 700,
		    .end_ns = 800,
		    .result = REQUEST_FAILED },
		{ .arrival_ns = 300,
		    .start_ns = 900,
		    .end_ns = 900,
		    .result = REQUEST_LEFT },
	};
	struct period p = {
		.request = r, .count = 4, .servers = 1, .planned_ns = 400, .rate = 1e7
	};
	struct load_total total = { 0 };
	struct period_summary s;
	struct slo slo;
	struct fault f;
	struct buf lines = { 0 };

	slo_parse("latency=500ns", &slo, &f);
	p.slo = &slo;
	requests_summarize(&p, &s);
	tap_ok(s.done == 2 && s.failed == 1 && s.left == 1 && s.length_ns == 900,
	    "requests are counted by their results");
	tap_ok(
	    s.latency_ns == 500, "the median latency is that of requests that succeeded");
	tap_ok(s.offered_rate == 1e7 && fabs(s.throughput - 2 / 900e-9) < 1 &&
	           fabs(s.utilization - 800.0 / 900) < 1e-12,
	    "throughput counts the requests that succeeded until the last one ended");
	tap_ok(s.slo_share == 0.25 && fabs(s.goodput - 1 / 900e-9) < 1,
	    "goodput counts the requests that kept the service level");
	load_total_add(&total, &p, &s);
	load_total_explain(&total, "q", &lines);
	tap_ok(strstr(lines.ptr,
	           "q at 1e+07/s: the server completed 3.333e+06/s, so the queue "
	           "and the latencies grow as long as the load lasts; 1 "
	           "request was not started in time (-T)\n") == lines.ptr,
	    "a queue that grows is reported with the requests that were left");
	buf_free(&lines);
	p = (struct period){
		.request = r, .count = 2, .servers = 1, .planned_ns = 4000, .closed = true
	};
	r[1].arrival_ns = 400;
	requests_summarize(&p, &s);
	tap_ok(
	    s.length_ns == 700 && s.utilization == 1 && fabs(s.throughput - 2 / 700e-9) < 1,
	    "a closed loop that ends before its time has the length of its requests");
	r[1].arrival_ns = 600;
	r[1].start_ns = 600;
	r[1].end_ns = 1000;
	p = (struct period){ .request = r, .count = 2, .servers = 1, .planned_ns = 600 };
	total = (struct load_total){ 0 };
	requests_summarize(&p, &s);
	load_total_add(&total, &p, &s);
	tap_ok(fabs(s.offered_rate - 1 / 600e-9) < 1 && !load_total_saturated(&total),
	    "a server that is free at each arrival of a file keeps up");
}

/* A period without requests does not halve the means of the others. */
static void test_empty_period(void)
{
	struct load_request r[] = {
		{ .arrival_ns = 0, .start_ns = 0, .end_ns = 120 },
		{ .arrival_ns = 100, .start_ns = 120, .end_ns = 240 },
	};
	struct period p = { .request = r, .servers = 1, .planned_ns = 200, .rate = 1e7 };
	struct load_total total = { 0 };
	struct period_summary s;

	requests_summarize(&p, &s);
	load_total_add(&total, &p, &s);
	p.count = 2;
	requests_summarize(&p, &s);
	load_total_add(&total, &p, &s);
	tap_ok(load_total_saturated(&total),
	    "servers that cannot keep up are found after a period without requests");
}

static void test_batch(void)
{
	struct load_request r[] = {
		{ .arrival_ns = 0, .start_ns = 100, .end_ns = 500 },
		{ .arrival_ns = 50, .start_ns = 100, .end_ns = 500 },
		{ .arrival_ns = 60, .start_ns = 500, .end_ns = 1000 },
	};
	struct period p = {
		.request = r, .count = 3, .servers = 1, .planned_ns = 1000, .rate = 3e6
	};
	struct period_summary s;

	requests_summarize(&p, &s);
	tap_ok(fabs(s.utilization - 0.9) < 1e-12, "a batch keeps its server busy once");
}

/* A server stalls for 1 s in 10 s; a request takes 1 ms and one is due every 10 ms. A
 * closed loop takes one slow request. wrk2 corrects it with the expected interval: the
 * omitted latencies are estimated from one above the interval (HdrHistogram,
 * recordValueWithExpectedInterval). An open loop measures the same. */
static void test_omission(void)
{
	enum { INTERVAL = 10000000, SERVICE = 1000000, STALL = 1000000000, DUE = 1000 };
	double open[DUE], closed[DUE], corrected[2 * DUE];
	int64_t free_ns = 0, now = 0;
	size_t count = 0, n = 0;

	for (int i = 0; i < DUE; i++) {
		int64_t at = (int64_t)i * INTERVAL, start = at > free_ns ? at : free_ns;

		free_ns = start + SERVICE + (i == DUE / 2 ? STALL : 0);
		open[i] = (double)(free_ns - at);
	}
	/* The closed loop waits for the end, then for the next time that is due. */
	while (now < (int64_t)DUE * INTERVAL) {
		int64_t service = SERVICE + (n == DUE / 2 ? STALL : 0);

		closed[n++] = (double)service;
		for (int64_t late = service; late > 0; late -= INTERVAL)
			corrected[count++] = (double)late;
		now += service > INTERVAL ? service : INTERVAL;
	}
	stats_sort(open, DUE);
	stats_sort(closed, n);
	stats_sort(corrected, count);
	near_to(stats_quantile(closed, n, 0.99), SERVICE, 1e-9,
	    "the 99% quantile of a closed loop omits a stall of a tenth of the time");
	tap_ok(stats_quantile(open, DUE, 0.99) > 0.85 * STALL,
	    "the 99%% quantile of an open loop contains the stall");
	near_to(stats_quantile(corrected, count, 0.99), stats_quantile(open, DUE, 0.99),
	    0.05, "the correction of wrk2 gives the 99% quantile of the open loop");
	near_to(stats_mean(corrected, count), stats_mean(open, DUE), 0.15,
	    "the correction of wrk2 gives the mean of the open loop");
}

int main(void)
{
	test_exponential();
	test_constant();
	test_saturation();
	test_lag();
	test_failures();
	test_empty_period();
	test_batch();
	test_omission();
	return tap_end();
}
