/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures all subjects of a plan, one kind after the other; see measure.h.
 */
#include "run/measure.h"
#include "run/measure_calls.h"
#include "run/measure_commands.h"
#include "run/measure_windows.h"
#include "run/runner.h"
#include "sys/interrupt.h"

/* Counts the subjects that are skipped, and writes a sample of each. */
static void write_skipped(
    const struct plan *plan, struct sample_writer *writer, struct outcome *outcome)
{
	struct run_sample sample = { 0 };

	for (size_t i = 0; i < plan->subjects->count; i++) {
		const struct subject *subject = &plan->subjects->subject[i];

		if (!subject->skipped)
			continue;
		if (!subject->unsupported)
			outcome_note_skipped(outcome, subject, NULL);
		outcome->unmeasured++;
		run_sample_skip(&sample, subject);
		sample_writer_sample(writer, &sample);
	}
	run_sample_free(&sample);
}

/* Writes the incomplete energy pools of all subjects. */
static void write_left(const struct plan *plan, struct sample_writer *writer)
{
	struct run_sample sample = { 0 };

	for (size_t i = 0; i < plan->subjects->count; i++) {
		run_sample_begin(&sample, &plan->subjects->subject[i]);
		if (energy_meter_add_left(plan->meter, i, &sample))
			sample_writer_sample(writer, &sample);
	}
	run_sample_free(&sample);
}

/* Measures the kinds of subjects, one after the other, between the hooks. */
static int measure_kinds(
    const struct measurement *m, struct runner *runner, struct rng *rng, struct fault *f)
{
	struct fault at_end;
	int status;

	write_skipped(m->plan, m->writer, m->outcome);
	if (runner_hooks(runner, HOOK_SETUP, f) < 0)
		return -1;
	energy_meter_idle(m->plan->meter);
	status = measure_commands(m, runner, rng, f);
	if (status == 0)
		status = measure_calls(m, f);
	if (status == 0)
		status = measure_windows(m, f);
	write_left(m->plan, m->writer);
	progress_clear(m->progress);
	if (runner_hooks(runner, HOOK_CLEANUP, status < 0 ? &at_end : f) < 0)
		status = -1;
	return status;
}

int measure(const struct measurement *m, struct spawn_client *spawn,
    struct spawn_client *hooks, struct fault *f)
{
	struct runner *runner;
	struct rng rng;
	int status;

	rng_seed(&rng, m->plan->seed);
	runner = runner_open(m->plan, spawn, hooks, &rng, f);
	status = runner ? measure_kinds(m, runner, &rng, f) : -1;
	if (status == 0 && !interrupt_seen())
		sample_writer_end_mark(m->writer);
	runner_close(runner);
	return status;
}
