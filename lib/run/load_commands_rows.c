/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requests and rows of commands under load; see load_commands_priv.h.
 */
#include <math.h>

#include "base/clock.h"
#include "run/load_commands_priv.h"
#include "run/runner.h"

bool commands_load_is_lost(const struct command_load *of, size_t i)
{
	const struct load_executions *e = &of->executions;

	return i < e->count && e->execution[i].ran && e->execution[i].result.lost;
}

/* Fills in the times and the result of a request that was executed. */
static void fill_request(const struct commands_load *s, struct load_request *r, size_t i)
{
	const struct load_executions *e = &s->of[s->now].executions;
	const struct load_execution *x = &e->execution[i];

	r->start_ns = x->result.start_ns - e->origin_ns;
	r->end_ns = r->start_ns + x->result.wall_ns;
	r->server = x->server;
	r->result = run_is_ok(runner_status_of(s->plan, &x->result)) ? REQUEST_DONE
	                                                             : REQUEST_FAILED;
}

void commands_load_requests(
    struct commands_load *s, const int64_t *arrival_ns, size_t arrivals, double limit_ns)
{
	struct command_load *of = &s->of[s->now];
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
		if (i < e->count && e->execution[i].ran && !commands_load_is_lost(of, i))
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

struct run_sample *commands_load_begin(const struct commands_load *s,
    struct run_sample *sample, int64_t period, int64_t number)
{
	run_sample_begin(sample, commands_load_subject(s, s->now));
	sample->process = period;
	sample->number = number;
	sample->begin_ns = s->of[s->now].ended_ns;
	return sample;
}

/* Adds the values of a request that was executed to its sample. */
static void add_execution(struct commands_load *s, size_t i)
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

void commands_load_write_request(struct commands_load *s, int64_t period, size_t i)
{
	const struct plan *p = s->plan;
	const struct command_load *of = &s->of[s->now];
	const bool lost = commands_load_is_lost(of, i);
	const bool executed = !lost && of->request[i].result != REQUEST_LEFT;
	struct run_sample *sample = commands_load_begin(s, &s->sample, period, (int64_t)i);

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
	sample_writer_sample(s->writer, sample);
}

int commands_load_drop(struct commands_load *s, struct fault *f)
{
	const struct subject *subject = commands_load_subject(s, s->now);
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
	sample_writer_sample(s->writer, &s->sample);
	return 0;
}

/* Writes the last period of the current subject: its requests, only those that were
 * executed if it was cut short, and its own values. Returns 0, or -1 and the message if its
 * program cannot be started and the plan is strict. */
static int write_period(struct commands_load *s, struct fault *f)
{
	struct command_load *of = &s->of[s->now];

	for (size_t i = 0; i < of->requests; i++)
		if (!of->cut || of->request[i].result != REQUEST_LEFT ||
		    commands_load_is_lost(of, i))
			commands_load_write_request(s, of->own.process, i);
	if (of->own.values)
		sample_writer_sample(s->writer, &of->own);
	of->unwritten = false;
	return commands_load_drop(s, f);
}

int commands_load_write_block(struct commands_load *s, struct fault *f)
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
