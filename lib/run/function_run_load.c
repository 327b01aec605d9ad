/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The load of a function, kernel or model; see function_run.h. Each process plays one
 * period, after its first iteration and its warm-up, which are not under load.
 *
 * A period ends after a limit of time, even if the servers cannot keep up. Requests that
 * have not been started by then are left. With --rate max, each process makes one search
 * instead; see load/rate_search.h.
 */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/function_run_priv.h"
#include "run/load_rows.h"
#include "run/workers.h"
#include "sys/interrupt.h"

/* The longest time that a period may take without -T: this multiple of the time that its
 * requests should take after the last arrival, and some more. */
static const double limit_of_expected = 10, limit_more_ns = 1e9;

static struct arrivals_size size_of(const struct function_run *c)
{
	return load_plan_size(c->plan->load, c->subject, function_run_processes(c));
}

/* Returns the time that the servers need for this number of requests, by the last iteration
 * before the load. */
static double expected_ns(const struct function_run *c, double requests)
{
	double usual_ns = c->warms ? c->warm_ns[c->warms - 1] : c->first_ns;

	return requests * usual_ns / workers_of(c->subject);
}

/* Returns the time for which requests of this number may begin in a period. */
static double limit_of(
    const struct function_run *c, const struct arrivals_size *size, uint64_t requests)
{
	const struct load_plan *load = c->plan->load;
	const double enough_ns = arrivals_period_ns(&load->arrivals, size) +
	                         limit_of_expected * expected_ns(c, (double)requests) +
	                         limit_more_ns,
	             given_ns = load_plan_limit_ns(load, function_run_processes(c));

	if (load->search)
		return given_ns > 0
		           ? fmin(enough_ns,
		                 fmax(given_ns - clock_elapsed_ns(c->load.search_ns), 1))
		           : enough_ns;
	return given_ns > 0 ? given_ns : enough_ns;
}

/* Returns the order of a period with this number of arrivals. */
static struct helper_order order_of(
    const struct function_run *c, const struct arrivals_size *size, size_t count)
{
	const struct load_plan *load = c->plan->load;
	const bool closed = load->arrivals.kind == ARRIVALS_CLOSED;
	const uint64_t requests = !closed          ? count
	                          : size->requests ? size->requests
	                                           : ARRIVALS_MAX;
	double limit_ns = limit_of(c, size, requests);

	if (closed && !size->requests)
		limit_ns = fmin(limit_ns, size->period_ns);
	return (struct helper_order){ .iterations = requests,
		.arrivals = requests,
		.limit_ns = (int64_t)fmin(limit_ns, (double)(INT64_MAX / 2)),
		.window_ns = (int64_t)load->window_ns,
		.batch = load->window_ns > 0 ? load_plan_batch(c->subject) : 1,
		.closed = closed };
}

/* Walks through the tokens of the requests of a period, which are sorted by request. */
struct token_walk {
	const struct kept *from;
	const struct load_request *request;
	size_t at, count; /* the tokens of the current request */
};

/* Goes to the tokens of request i, which is the next one. Requests that one iteration
 * served have the tokens of the first of them. */
static void next_tokens(struct token_walk *w, size_t i)
{
	const struct load_request *r = &w->request[i];
	const size_t next = w->at + w->count;
	size_t count = 0;

	while (next + count < w->from->tokens && w->from->token[next + count].request == i)
		count++;
	if (!count && i && r->result == REQUEST_DONE && r->server == r[-1].server &&
	    r->start_ns == r[-1].start_ns)
		return;
	w->at = next;
	w->count = count;
}

/* Keeps the requests of a sample. Those that were not started are left. */
static void keep_requests(struct function_run *c, const struct helper_sample *s,
    const int64_t *arrival_ns, size_t count, int64_t over_ns)
{
	struct function_load *load = &c->load;
	const size_t started = s->answer.requests;

	load->requests = arrival_ns ? count : started;
	load->iterations = 0;
	load->request =
	    mem_resize(load->request, load->requests + 1, sizeof(*load->request));
	struct token_walk tokens = { .from = &c->sample, .request = load->request };

	for (size_t i = 0; i < load->requests; i++) {
		struct load_request *r = &load->request[i];

		*r = (struct load_request){ .arrival_ns = arrival_ns ? arrival_ns[i] : 0,
			.result = REQUEST_LEFT,
			.first_token_ns = NAN,
			.per_token_ns = NAN,
			.inter_token_ns = NAN };
		r->start_ns = r->end_ns = r->arrival_ns > over_ns ? r->arrival_ns : over_ns;
		if (i >= started)
			continue;
		r->start_ns = s->service[i].start_ns;
		r->end_ns = s->service[i].end_ns;
		r->window_ns = s->service[i].window_ns;
		r->server = s->service[i].worker;
		load->iterations += 1. / s->service[i].batch;
		r->result = REQUEST_DONE;
		if (!arrival_ns)
			r->arrival_ns = r->start_ns;
		next_tokens(&tokens, i);
		token_rows_describe(r, &c->sample.token[tokens.at], tokens.count);
	}
}

/* Summarizes the period that was played. Returns the mean time of a service. */
static double summarize(struct function_run *c, const struct arrivals_size *size)
{
	const struct load_plan *plan = c->plan->load;
	struct function_load *load = &c->load;
	const struct period period = { .request = load->request,
		.count = load->requests,
		.servers = workers_of(c->subject),
		.planned_ns = arrivals_period_ns(&plan->arrivals, size),
		.rate = size->rate,
		.closed = plan->arrivals.kind == ARRIVALS_CLOSED,
		.slo = plan->has_slo ? &plan->slo : NULL };

	requests_summarize(&period, &load->summary);
	if (!plan->search)
		load_total_add(&load->total, &period, &load->summary);
	return load->summary.utilization * load->summary.length_ns * period.servers /
	       fmax((double)load->summary.done, 1);
}

/* Returns the time that a period lasts at least. */
static int64_t planned_ns(const struct function_run *c, const struct arrivals_size *size,
    const struct helper_order *order)
{
	const double planned = arrivals_period_ns(&c->plan->load->arrivals, size);

	return order->closed ? 0 : (int64_t)fmin(planned, (double)order->limit_ns);
}

/* Plays a period of this size. Returns false if the process has ended. */
static bool play_period(
    struct function_run *c, const struct arrivals_size *size, uint64_t seed)
{
	size_t count;
	int64_t *arrival_ns = arrivals_make(&c->plan->load->arrivals, size, seed, &count);
	const struct helper_order order = order_of(c, size, count);
	const struct helper_sample *s;

	energy_meter_start(c->plan->meter);
	s = function_run_order(c, &order, arrival_ns);
	if (s) {
		energy_meter_stop_at(c->plan->meter, function_run_index(c),
		    s->answer.start_ns + planned_ns(c, size, &order));
		function_run_keep(c, s);
		function_run_keep_gpu(c, &c->sample);
		keep_requests(c, s, arrival_ns, count, order.limit_ns);
		c->load.service_ns = summarize(c, size);
	}
	free(arrival_ns);
	return s;
}

/* The highest rate that a search tries is this multiple of the capacity at most. */
enum { MOST_OF_CAPACITY = 4 };

/* Adds the requests of the period to the search. */
static void note_period(const struct function_run *c, struct rate_search *s)
{
	const struct function_load *load = &c->load;
	bool *kept = mem_zero(load->requests + 1, sizeof(*kept));

	for (size_t i = 0; i < load->requests; i++)
		kept[i] = slo_keeps(&c->plan->load->slo, &load->request[i]);
	rate_search_note(s, kept, load->requests,
	    s->rate / 1e9 * load->summary.occupied_ns >= workers_of(c->subject));
	free(kept);
}

/* Returns whether the search has used its time. */
static bool is_spent(const struct function_run *c)
{
	const double limit_ns =
	    load_plan_limit_ns(c->plan->load, function_run_processes(c));

	return limit_ns > 0 && clock_elapsed_ns(c->load.search_ns) >= limit_ns;
}

/* Searches for the highest rate that keeps the service level. Returns false if the process
 * has ended. */
static bool search_rate(struct function_run *c)
{
	const struct load_plan *plan = c->plan->load;
	struct rate_search *s = &c->load.search;

	c->load.search_ns = clock_monotonic_ns();
	rate_search_begin(s, fmin(1e9 / expected_ns(c, 1), RATE_MAX / MOST_OF_CAPACITY),
	    plan->slo.share, c->plan->stop.confidence);
	for (uint64_t period = 0; s->rate > 0; period++) {
		const struct arrivals_size size = { .rate = s->rate,
			.requests =
			    s->requests < ARRIVALS_MAX ? s->requests : ARRIVALS_MAX };
		const uint64_t process_seed =
		    arrivals_seed(c->plan->seed, (uint64_t)c->process);

		if (is_spent(c) || interrupt_seen())
			break;
		if (!play_period(c, &size, arrivals_seed(process_seed, period)))
			return false;
		/* If -T ended the period, it says nothing about the rate. */
		if (c->load.summary.left &&
		    load_plan_limit_ns(plan, function_run_processes(c)) > 0)
			break;
		note_period(c, s);
	}
	c->load.searches++;
	c->load.without_low += s->keeps <= 0;
	c->load.without_high += isfinite(s->breaks) ? 0 : 1;
	c->load.unfinished += s->rate > 0;
	return true;
}

void function_run_play(struct function_run *c)
{
	const struct arrivals_size size = size_of(c);
	const int64_t start_ns = clock_monotonic_ns();

	if (c->plan->load->search
	        ? search_rate(c)
		: play_period(
	              c, &size, arrivals_seed(c->plan->seed, (uint64_t)c->process))) {
		*VEC_ADD(c->wall_ns, c->walls, c->wall_cap) = c->load.service_ns;
		run_progress_add(
		    &c->run_progress, c->load.service_ns, clock_elapsed_ns(start_ns), true);
	} else
		c->run_progress.spent_ns += clock_elapsed_ns(start_ns);
}

/* Returns the number of requests that one iteration can serve. */
static double requests_of_iteration(const struct function_run *c)
{
	return c->plan->load->window_ns > 0 ? load_plan_batch(c->subject) : 1;
}

/* Adds the energy of the period, and that of a request that was served. */
static void put_period_energy(struct run_sample *s, const struct function_run *c)
{
	struct energy_batch requests = { .iterations = c->load.summary.done,
		.subject = c->subject->work ? c->subject : NULL };

	if (c->subject->from->kind == KIND_MODEL) {
		requests.inputs = c->subject->work->samples / requests_of_iteration(c);
		requests.tokens = c->subject->work->tokens / requests_of_iteration(c);
	}
	energy_meter_add_period(c->plan->meter, function_run_index(c), &requests, s);
}

/* Adds the values of the whole period: what it says about the servers, and what a request
 * costs on average. */
static void put_period(struct run_sample *s, struct function_run *c)
{
	const struct period_summary *p = &c->load.summary;
	const struct kept *k = &c->sample;
	const double busy_ns = p->utilization * p->length_ns;

	load_rows_period(s, p);
	if (c->subject->work)
		token_rows_put_period(s, c->load.request, c->load.requests,
		    c->subject->work->samples / requests_of_iteration(c), p->length_ns);
	run_sample_add(s, METRIC_RSS, (double)k->answer.rss_bytes);
	function_run_put_gpu(c, k, s);
	put_period_energy(s, c);
	if (!k->answer.requests)
		return;
	if (c->plan->load->window_ns > 0)
		run_sample_add(s, METRIC_BATCH_FILL,
		    k->answer.requests / c->load.iterations / requests_of_iteration(c));
	s->iterations = k->answer.requests;
	function_run_put_allocs(s, c, k, (double)k->answer.requests);
	/* Then one worker counts for all, also while they wait. */
	if (!c->family || workers_of(c->subject) == 1)
		function_run_put_counts(s, c, k, busy_ns);
}

/* Adds a rate, or its absence. */
static void put_rate(struct run_sample *s, enum run_metric m, double rate)
{
	const bool known = rate > 0 && isfinite(rate);
	struct sample_value *v = run_sample_add(s, m, known ? rate : NAN);

	if (!known)
		v->status.outcome = RUN_SKIPPED;
}

static void write_search(struct function_run *c, struct sample_writer *writer)
{
	const struct rate_search *search = &c->load.search;
	struct run_sample *s = function_run_begin_row(c, 0, c->sample.answer.begin_ns, 1);

	put_rate(s, METRIC_MAX_RATE, rate_search_middle(search));
	put_rate(s, METRIC_MAX_RATE_LOW, search->keeps);
	put_rate(s, METRIC_MAX_RATE_HIGH, search->breaks);
	sample_writer_sample(writer, s);
}

void function_run_write_period(struct function_run *c, struct sample_writer *writer)
{
	const struct function_load *load = &c->load;
	const int64_t begin_ns = c->sample.answer.begin_ns;
	struct token_walk tokens = { .from = &c->sample, .request = load->request };
	struct run_sample *s;

	if (c->plan->load->search) {
		write_search(c, writer);
		return;
	}
	for (size_t i = 0; i < load->requests; i++) {
		const struct load_request *r = &load->request[i];

		s = function_run_begin_row(c, (int64_t)i, begin_ns + r->arrival_ns, 1);
		if (r->result == REQUEST_LEFT)
			s->status.outcome = RUN_TIMEOUT;
		load_rows_request(s, r);
		if (r->result == REQUEST_DONE) {
			next_tokens(&tokens, i);
			token_rows_put_request(
			    s, &c->sample.token[tokens.at], tokens.count, r->arrival_ns);
		}
		sample_writer_sample(writer, s);
	}
	s = function_run_begin_row(c, 0, begin_ns, 1);
	put_period(s, c);
	sample_writer_sample(writer, s);
}

/* Appends a line for each reason why searches have no result. */
static void explain_search(const struct function_run *c, struct buf *lines)
{
	const struct {
		uint64_t count;
		const char *what;
	} lacks[] = {
		{ c->load.without_low, "found no rate that keeps the service level" },
		{ c->load.without_high, "found no rate that breaks the service level" },
		{ c->load.unfinished, "ended early, so their intervals are wide (-T)" },
	};
	char *name = subject_label(c->subject);

	for (size_t i = 0; i < COUNT(lacks); i++)
		if (lacks[i].count)
			buf_printf(lines, "%s: %llu of %llu searches %s\n", name,
			    (unsigned long long)lacks[i].count,
			    (unsigned long long)c->load.searches, lacks[i].what);
	free(name);
}

void function_run_explain_load(const struct function_run *c, struct buf *lines)
{
	if (c->plan->load && c->plan->load->search)
		explain_search(c, lines);
	if (c->load.total.periods)
		load_rows_explain(&c->load.total, c->subject, lines);
}
