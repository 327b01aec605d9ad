/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures commands under load; see load_commands.h. The periods of a block are kept until
 * the block is complete and are then written in the order of the subjects.
 */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/load_commands.h"
#include "run/load_commands_priv.h"
#include "run/load_rows.h"
#include "run/subject_progress.h"
#include "sys/interrupt.h"

/* Returns the progress of a subject, whose number of periods is known. */
static struct subject_progress progress_of(const struct commands_load *s, size_t i)
{
	const struct command_load *of = &s->of[i];
	const struct arrivals_size size =
	    load_plan_size(s->plan->load, commands_load_subject(s, i), s->plan->processes);
	const double periods = (double)s->plan->processes;

	if (!of->wants && !of->periods)
		return (struct subject_progress){ 0 };
	return (struct subject_progress){ .measured = true,
		.done = of->wants ? (double)of->periods / periods : 1,
		.left_ns = of->wants
		               ? (periods - (double)of->periods) *
		                     arrivals_period_ns(&s->plan->load->arrivals, &size)
		               : 0,
		.live = { .value = of->latency_ns,
		    .count = of->latencies,
		    .scale = 1,
		    .runs = of->total.ended,
		    .wants = of->wants } };
}

static void show_load(void *ctx)
{
	const struct commands_load *s = ctx;
	struct subject_progress *of;

	if (!progress_due(s->progress))
		return;
	of = mem_zero(s->count, sizeof(*of));
	for (size_t i = 0; i < s->count; i++)
		of[i] = progress_of(s, i);
	subject_progress_show(of, s->plan, s->now, s->progress);
	free(of);
}

/* Adds the latencies of the period to those of the display. */
static void note_latencies(struct commands_load *s)
{
	struct command_load *of = &s->of[s->now];

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
    struct commands_load *s, const struct load_work *w, const struct arrivals_size *size)
{
	const struct load_plan *load = s->plan->load;
	struct command_load *of = &s->of[s->now];
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

/* Ends the measurement of a subject that failed in this number of requests; 0: in a
 * warm-up. */
static void give_up(struct commands_load *s, uint64_t requests)
{
	s->of[s->now].wants = false;
	outcome_note_stopped(s->outcome, s->now, requests);
}

static struct load_work work_of(struct commands_load *s)
{
	return (struct load_work){ .subject = s->now,
		.servers = commands_load_subject(s, s->now)->workers,
		.requests = SIZE_MAX,
		.rng = &s->rng,
		.wait = show_load,
		.ctx = s };
}

/* Returns the time that a period lasts at least. */
static int64_t planned_ns(const struct commands_load *s, const struct load_work *w,
    const struct arrivals_size *size)
{
	const double planned = arrivals_period_ns(&s->plan->load->arrivals, size);

	if (!w->arrival_ns)
		return 0;
	return (int64_t)(w->limit_ns > 0 ? fmin(planned, w->limit_ns) : planned);
}

/* Measures a period of the current subject. Returns 0, or -1 and the message. */
static int run_period(struct commands_load *s, struct fault *f)
{
	const struct load_plan *load = s->plan->load;
	struct command_load *of = &s->of[s->now];
	struct arrivals_size size =
	    load_plan_size(load, commands_load_subject(s, s->now), s->plan->processes);
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
	commands_load_requests(s, arrival_ns, w.requests, w.limit_ns);
	of->unwritten = true;
	of->cut = status < 0 || interrupt_seen();
	commands_load_begin(s, &of->own, (int64_t)of->periods, 0);
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
static int warm_up(struct commands_load *s, struct fault *f)
{
	struct command_load *of = &s->of[s->now];
	struct load_work w = work_of(s);
	int status;

	w.requests = s->plan->warmups * w.servers;
	if (!w.requests || interrupt_seen())
		return 0;
	progress_show(s->progress, 0, NAN, "warming up");
	status = load_servers_run(s->servers, &w, &of->executions, f);
	commands_load_requests(s, NULL, 0, 0);
	for (size_t i = 0; i < of->requests; i++)
		if (commands_load_is_lost(of, i))
			commands_load_write_request(s, 0, i);
	if (status < 0)
		return -1;
	if (of->executions.unstartable)
		return commands_load_drop(s, f);
	for (size_t i = 0; i < of->requests && !s->plan->ignore_failure; i++)
		if (of->request[i].result == REQUEST_FAILED && !interrupt_seen()) {
			commands_load_write_request(s, 0, i);
			give_up(s, 0);
			break;
		}
	return 0;
}

/* Measures blocks of periods until no subject wants another one. */
static int run_blocks(struct commands_load *s, struct fault *f)
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
		status = sample_writer_reserve(s->writer, f);
		if (status < 0)
			break;
		s->outcome->never_idle |= !plan_wait_idle(s->plan);
		for (size_t k = 0; k < n && status == 0 && !interrupt_seen(); k++) {
			s->now = round[k];
			status = run_period(s, f);
			s->of[s->now].wants = s->of[s->now].wants &&
			                      s->of[s->now].periods < s->plan->processes;
		}
		if (commands_load_write_block(s, status < 0 ? &(struct fault){ 0 } : f) < 0)
			status = -1;
		if (sample_writer_flush(s->writer, status < 0 ? &(struct fault){ 0 } : f) <
		    0)
			status = -1;
	}
	free(wants);
	free(round);
	return status;
}

/* Measures all commands. Returns 0, or -1 and the message. */
static int run_all(struct commands_load *s, struct fault *f)
{
	for (s->now = 0; s->now < s->count; s->now++)
		if (s->of[s->now].wants && warm_up(s, f) < 0)
			return -1;
	s->now = 0;
	if (run_blocks(s, f) < 0)
		return -1;
	for (size_t i = 0; i < s->count; i++) {
		if (interrupt_seen() &&
		    commands_load_subject(s, i)->from->kind == KIND_COMMAND)
			outcome_note_runs(s->outcome, s->plan, i,
			    (struct outcome_runs){ s->of[i].periods, s->plan->processes,
			        s->of[i].wants || s->of[i].periods });
		if (s->of[i].periods)
			load_rows_explain(&s->of[i].total, commands_load_subject(s, i),
			    &s->outcome->loads);
	}
	return 0;
}

/* Returns the largest number of servers of a command; 0: there is no command. */
static uint32_t most_servers(struct commands_load *s)
{
	uint32_t most = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct subject *subject = commands_load_subject(s, i);

		s->of[i].wants = !subject->skipped && subject->from->kind == KIND_COMMAND;
		if (s->of[i].wants && subject->workers > most)
			most = subject->workers;
	}
	return most;
}

int load_commands(const struct measurement *m, struct spawn_client *spawn, struct fault *f)
{
	const struct plan *plan = m->plan;
	struct commands_load s = { .plan = plan,
		.writer = m->writer,
		.progress = m->progress,
		.outcome = m->outcome,
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
