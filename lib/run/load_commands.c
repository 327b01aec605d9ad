/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures commands under load; see load_commands.h. The periods of a block are kept until
 * the block is complete and are then written in the order of the subjects.
 */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/load_commands.h"
#include "run/load_rows.h"
#include "run/load_servers.h"
#include "run/measure.h"
#include "run/runner.h"
#include "sys/idle.h"
#include "sys/interrupt.h"

/* The periods of a subject. */
struct loaded {
	uint64_t periods; /* that have ended */
	struct load_executions executions; /* of the last period */
	struct load_request *request;      /* of the last period */
	size_t requests;
	struct run_sample own; /* the values of the last period itself, unless it was cut */
	int64_t ended_ns;      /* CLOCK_REALTIME at the end of the last period */
	bool unwritten;        /* the last period is not written yet */
	bool cut;              /* without requests that were not executed */
	bool wants;
	bool succeeds; /* a request succeeded */
	struct load_total total;
	double *latency_ns; /* of the requests that succeeded, for the display */
	size_t latencies, cap;
};

struct state {
	const struct plan *plan;
	struct sample_writer *emit;
	struct progress *progress;
	struct outcome *outcome;
	struct load_servers *servers;
	struct loaded *of; /* by subject */
	size_t count;      /* of subjects */
	size_t now;        /* the subject being measured */
	struct rng rng;
	struct run_sample sample; /* the sample that is being written */
};

static const struct subject *subject_of(const struct state *s, size_t i)
{
	return &s->plan->subjects->subject[i];
}

/* Returns the estimated part of the measurement that is done, and the time left. */
static double progress_of(const struct state *s, double *left_ns)
{
	double done = 0, periods = 0;

	for (size_t i = 0; i < s->count; i++) {
		struct arrivals_size size =
		    load_plan_size(s->plan->load, subject_of(s, i), s->plan->processes);
		double period_ns = arrivals_period_ns(&s->plan->load->arrivals, &size);

		if (!s->of[i].wants && !s->of[i].periods)
			continue;
		periods += (double)s->plan->processes;
		done += (double)(s->of[i].wants ? s->of[i].periods : s->plan->processes);
		*left_ns +=
		    s->of[i].wants
		        ? period_ns * (double)(s->plan->processes - s->of[i].periods)
		        : 0;
	}
	return periods > 0 ? done / periods : 1;
}

static void show_load(void *ctx)
{
	struct state *s = ctx;
	struct live_subject *live;
	double left_ns = 0, done;

	if (!progress_due(s->progress))
		return;
	done = progress_of(s, &left_ns);
	if (!progress_is_live(s->progress)) {
		progress_show(
		    s->progress, done, left_ns, subject_of(s, s->now)->from->bench);
		return;
	}
	live = mem_zero(s->count, sizeof(*live));
	for (size_t i = 0; i < s->count; i++)
		live[i] = (struct live_subject){ subject_label(subject_of(s, i)),
			s->of[i].latency_ns, s->of[i].latencies, 1, s->of[i].total.ended,
			s->of[i].wants };
	progress_show_live(
	    s->progress, done, left_ns, live, s->count, s->now, s->plan->stop.confidence);
	for (size_t i = 0; i < s->count; i++)
		free((char *)live[i].name);
	free(live);
}

/* Returns whether the helper of a request ended before it answered. */
static bool is_lost(const struct loaded *of, size_t i)
{
	const struct load_executions *e = &of->executions;

	return i < e->count && e->execution[i].ran && e->execution[i].result.lost;
}

/* Fills in the times and the result of a request that was executed. */
static void fill_request(const struct state *s, struct load_request *r, size_t i)
{
	const struct load_executions *e = &s->of[s->now].executions;
	const struct load_execution *x = &e->execution[i];

	r->start_ns = x->result.start_ns - e->origin_ns;
	r->end_ns = r->start_ns + x->result.wall_ns;
	r->server = x->server;
	r->result = run_is_ok(runner_status_of(s->plan, &x->result)) ? REQUEST_DONE
	                                                             : REQUEST_FAILED;
}

/*
 * Makes the requests of a period from their arrivals and executions. Those that were not
 * executed were left, at the time when the last request ended or the limit was reached.
 */
static void make_requests(
    struct state *s, const int64_t *arrival_ns, size_t arrivals, double limit_ns)
{
	struct loaded *of = &s->of[s->now];
	const struct load_executions *e = &of->executions;
	size_t count = arrival_ns ? arrivals : e->count;
	int64_t end_ns = e->end_ns;

	if (limit_ns > (double)end_ns)
		end_ns = (int64_t)limit_ns;
	of->request = mem_resize(of->request, count + 1, sizeof(*of->request));
	of->requests = 0;
	of->ended_ns = clock_realtime_ns();
	for (size_t i = 0; i < count; i++) {
		struct load_request r = {
			.first_token_ns = NAN, .per_token_ns = NAN, .inter_token_ns = NAN
		};

		r.arrival_ns = arrival_ns ? arrival_ns[i] : 0;
		if (i < e->count && e->execution[i].ran && !is_lost(of, i))
			fill_request(s, &r, i);
		else {
			r.start_ns = r.end_ns =
			    end_ns > r.arrival_ns ? end_ns : r.arrival_ns;
			r.result = REQUEST_LEFT;
		}
		if (!arrival_ns)
			r.arrival_ns = r.start_ns;
		of->request[of->requests++] = r;
	}
}

/* Begins a sample of the current subject. */
static struct run_sample *begin(
    const struct state *s, struct run_sample *sample, int64_t period, int64_t number)
{
	run_sample_begin(sample, subject_of(s, s->now));
	sample->process = period;
	sample->number = number;
	sample->begin_ns = s->of[s->now].ended_ns;
	return sample;
}

/* Adds the values of a request that was executed to its sample. */
static void add_execution(struct state *s, size_t i)
{
	const struct plan *p = s->plan;
	const struct load_executions *e = &s->of[s->now].executions;
	double usage[USAGES];

	usage_values(&e->execution[i].result, usage);
	run_sample_add_usage(&s->sample, p->counters, usage, false);
	run_sample_add_counts(
	    &s->sample, p->counters, &e->counts[i * p->counters->count], usage);
	energy_meter_add_modelled(p->meter, &e->execution[i].result, &s->sample);
}

/* Writes the rows of a request. */
static void write_request(struct state *s, int64_t period, size_t i)
{
	const struct plan *p = s->plan;
	const struct loaded *of = &s->of[s->now];
	const bool lost = is_lost(of, i);
	const bool executed = !lost && of->request[i].result != REQUEST_LEFT;
	struct run_sample *sample = begin(s, &s->sample, period, (int64_t)i);

	if (lost || executed) {
		const struct wire_result *result = &of->executions.execution[i].result;

		sample->status = runner_status_of(p, result);
		sample->begin_ns = result->begin_ns;
		if (!run_is_ok(sample->status))
			outcome_note_failure(
			    s->outcome, s->now, sample->status, runner_why(result));
	} else
		sample->status.outcome = RUN_TIMEOUT;
	load_rows_request(sample, &of->request[i]);
	if (executed)
		add_execution(s, i);
	run_sample_add_ok(sample);
	if (i == 0 && period == 0) {
		run_sample_add_absent(sample, p->counters, p->gpu_absent);
		energy_meter_add_absent(p->meter, sample);
	}
	sample_writer_sample(s->emit, sample);
}

/* Adds the latencies of the period to those of the display. */
static void note_latencies(struct state *s)
{
	struct loaded *of = &s->of[s->now];

	for (size_t i = 0; i < of->requests; i++) {
		const struct load_request *r = &of->request[i];

		if (r->result != REQUEST_DONE)
			continue;
		of->succeeds = true;
		if (progress_is_live(s->progress))
			*VEC_ADD(of->latency_ns, of->latencies, of->cap) =
			    (double)(r->end_ns - r->arrival_ns);
	}
}

/* Ends a period that was measured. Its own values exist unless it was interrupted. */
static void end_period(
    struct state *s, const struct load_work *w, const struct arrivals_size *size)
{
	const struct load_plan *load = s->plan->load;
	struct loaded *of = &s->of[s->now];
	struct period period = { .request = of->request,
		.count = of->requests,
		.servers = w->servers,
		.planned_ns = arrivals_period_ns(&load->arrivals, size),
		.rate = size->rate,
		.closed = !w->arrival_ns,
		.slo = load->has_slo ? &load->slo : NULL };
	struct period_summary summary;

	note_latencies(s);
	if (of->cut || of->executions.unstartable)
		return;
	requests_summarize(&period, &summary);
	load_rows_period(&of->own, &summary);
	energy_meter_add_period(s->plan->meter, s->now,
	    &(struct energy_batch){ .iterations = summary.done }, &of->own);
	load_total_add(&of->total, &period, &summary);
	of->periods++;
}

/* Ends the measurement of a subject whose program cannot be started. Returns 0, or -1 and
 * the message if the plan is strict. */
static int drop_unstartable(struct state *s, struct fault *f)
{
	const struct subject *subject = subject_of(s, s->now);
	const char *why = s->of[s->now].executions.unstartable;

	if (!why)
		return 0;
	if (s->plan->strict)
		return fault_set(f, "%s: %s", subject->from->bench, why);
	s->of[s->now].wants = false;
	outcome_note_skipped(s->outcome, subject, why);
	if (!s->of[s->now].periods)
		s->outcome->unmeasured++;
	run_sample_skip(&s->sample, subject);
	sample_writer_sample(s->emit, &s->sample);
	return 0;
}

/* Writes the last period of the current subject: its requests, only those that were
 * executed if it was cut short, and its own values. Returns 0, or -1 and the message if its
 * program cannot be started and the plan is strict. */
static int write_period(struct state *s, struct fault *f)
{
	struct loaded *of = &s->of[s->now];

	for (size_t i = 0; i < of->requests; i++)
		if (!of->cut || of->request[i].result != REQUEST_LEFT || is_lost(of, i))
			write_request(s, of->own.process, i);
	if (of->own.values)
		sample_writer_sample(s->emit, &of->own);
	of->unwritten = false;
	return drop_unstartable(s, f);
}

/* Writes the periods of a block in the order of the subjects. Returns 0, or -1 and the
 * message. */
static int write_block(struct state *s, struct fault *f)
{
	int status = 0;

	for (s->now = 0; s->now < s->count; s->now++)
		if (s->of[s->now].unwritten && write_period(s, f) < 0) {
			f = &(struct fault){ 0 };
			status = -1;
		}
	s->now = 0;
	return status;
}

/* Ends the measurement of a subject that failed in this number of requests; 0: in a
 * warm-up. */
static void give_up(struct state *s, uint64_t requests)
{
	s->of[s->now].wants = false;
	outcome_note_stopped(s->outcome, s->now, requests);
}

static struct load_work work_of(struct state *s)
{
	return (struct load_work){ .subject = s->now,
		.servers = subject_of(s, s->now)->workers,
		.requests = SIZE_MAX,
		.rng = &s->rng,
		.wait = show_load,
		.ctx = s };
}

/* Returns the time that a period lasts at least. */
static int64_t planned_ns(
    const struct state *s, const struct load_work *w, const struct arrivals_size *size)
{
	const double planned = arrivals_period_ns(&s->plan->load->arrivals, size);

	if (!w->arrival_ns)
		return 0;
	return (int64_t)(w->limit_ns > 0 ? fmin(planned, w->limit_ns) : planned);
}

/* Measures a period of the current subject. Returns 0, or -1 and the message. */
static int run_period(struct state *s, struct fault *f)
{
	const struct load_plan *load = s->plan->load;
	struct loaded *of = &s->of[s->now];
	struct arrivals_size size =
	    load_plan_size(load, subject_of(s, s->now), s->plan->processes);
	struct load_work w = work_of(s);
	int64_t *arrival_ns = arrivals_make(
	    &load->arrivals, &size, arrivals_seed(s->plan->seed, of->periods), &w.requests);
	int status;

	w.arrival_ns = arrival_ns;
	if (!arrival_ns) {
		w.requests = size.requests ? (size_t)size.requests : ARRIVALS_MAX;
		w.period_ns = size.requests ? 0 : size.period_ns;
	}
	w.limit_ns = load_plan_limit_ns(load, s->plan->processes);
	energy_meter_start(s->plan->meter);
	status = load_servers_run(s->servers, &w, &of->executions, f);
	if (status == 0)
		energy_meter_stop_at(s->plan->meter, s->now,
		    of->executions.origin_ns + planned_ns(s, &w, &size));
	make_requests(s, arrival_ns, w.requests, w.limit_ns);
	of->unwritten = true;
	of->cut = status < 0 || interrupt_seen();
	begin(s, &of->own, (int64_t)of->periods, 0);
	if (status == 0)
		end_period(s, &w, &size);
	if (status == 0 && of->wants && !of->succeeds && !of->executions.unstartable &&
	    !s->plan->ignore_failure && !interrupt_seen())
		give_up(s, of->requests);
	free(arrival_ns);
	return status;
}

/* Takes the warm-ups of the current subject, on each of its servers. Returns 0, or -1 and
 * the message. */
static int warm_up(struct state *s, struct fault *f)
{
	struct loaded *of = &s->of[s->now];
	struct load_work w = work_of(s);
	int status;

	w.requests = s->plan->warmups * w.servers;
	if (!w.requests || interrupt_seen())
		return 0;
	progress_show(s->progress, 0, 0, "warming up");
	status = load_servers_run(s->servers, &w, &of->executions, f);
	make_requests(s, NULL, 0, 0);
	for (size_t i = 0; i < of->requests; i++)
		if (is_lost(of, i))
			write_request(s, 0, i);
	if (status < 0)
		return -1;
	if (of->executions.unstartable)
		return drop_unstartable(s, f);
	for (size_t i = 0; i < of->requests && !s->plan->ignore_failure; i++)
		if (of->request[i].result == REQUEST_FAILED && !interrupt_seen()) {
			write_request(s, 0, i);
			give_up(s, 0);
			break;
		}
	return 0;
}

/* Measures blocks of periods until no subject wants another one. */
static int run_blocks(struct state *s, struct fault *f)
{
	bool *wants = mem_zero(s->count, sizeof(*wants));
	size_t *round = mem_zero(s->count, sizeof(*round)), n;
	int status = 0;

	while (status == 0 && !interrupt_seen()) {
		for (size_t i = 0; i < s->count; i++)
			wants[i] = s->of[i].wants && s->of[i].periods < s->plan->processes;
		n = schedule_round(s->plan->order, &s->rng, wants, s->count, round);
		if (!n)
			break;
		status = sample_writer_reserve(s->emit, f);
		if (status < 0)
			break;
		if (s->plan->idle_load >= 0 && !idle_wait(s->plan->idle_load))
			s->outcome->never_idle = true;
		for (size_t k = 0; k < n && status == 0 && !interrupt_seen(); k++) {
			s->now = round[k];
			status = run_period(s, f);
			s->of[s->now].wants = s->of[s->now].wants &&
			                      s->of[s->now].periods < s->plan->processes;
		}
		if (write_block(s, status < 0 ? &(struct fault){ 0 } : f) < 0)
			status = -1;
		if (sample_writer_flush(s->emit, status < 0 ? &(struct fault){ 0 } : f) < 0)
			status = -1;
	}
	free(wants);
	free(round);
	return status;
}

/* Measures all commands. Returns 0, or -1 and the message. */
static int run_all(struct state *s, struct fault *f)
{
	for (s->now = 0; s->now < s->count; s->now++)
		if (s->of[s->now].wants && warm_up(s, f) < 0)
			return -1;
	s->now = 0;
	if (run_blocks(s, f) < 0)
		return -1;
	for (size_t i = 0; i < s->count; i++) {
		if (interrupt_seen() && subject_of(s, i)->from->kind == KIND_COMMAND)
			outcome_note_runs(s->outcome, s->plan, i,
			    (struct outcome_runs){ s->of[i].periods, s->plan->processes,
			        s->of[i].wants || s->of[i].periods });
		if (s->of[i].periods)
			load_rows_explain(
			    &s->of[i].total, subject_of(s, i), &s->outcome->loads);
	}
	return 0;
}

/* Returns the largest number of servers of a command; 0: there is no command. */
static uint32_t most_servers(struct state *s)
{
	uint32_t most = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct subject *subject = subject_of(s, i);

		s->of[i].wants = !subject->skipped && subject->from->kind == KIND_COMMAND;
		if (s->of[i].wants && subject->workers > most)
			most = subject->workers;
	}
	return most;
}

int load_commands(const struct plan *plan, struct spawn_client *spawn,
    struct sample_writer *emit, struct progress *progress, struct outcome *outcome,
    struct fault *f)
{
	struct state s = { .plan = plan,
		.emit = emit,
		.progress = progress,
		.outcome = outcome,
		.count = plan->subjects->count,
		.of = mem_zero(plan->subjects->count, sizeof(*s.of)) };
	uint32_t servers = most_servers(&s);
	int status = 0;

	rng_seed(&s.rng, plan->seed);
	if (servers) {
		s.servers = load_servers_open(plan, spawn, servers, f);
		status = s.servers ? run_all(&s, f) : -1;
	}
	load_servers_close(s.servers);
	for (size_t i = 0; i < s.count; i++) {
		free(s.of[i].latency_ns);
		load_executions_free(&s.of[i].executions);
		free(s.of[i].request);
		run_sample_free(&s.of[i].own);
	}
	free(s.of);
	run_sample_free(&s.sample);
	return status;
}
