/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The measuring loop of functions, kernels and models; see measure_calls.h. A block
 * measures each subject that needs a sample, in random order; its rows are written when
 * it is complete, in the order of the subjects. The processes of all subjects of a
 * block exist at the same time; only one of them works while the others wait.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/function_run.h"
#include "run/measure_calls.h"
#include "run/subject_progress.h"
#include "run/workers.h"
#include "subject/option_scope.h"
#include "sys/interrupt.h"

enum { JITTER_BYTES = 4096 };

struct state {
	const struct plan *plan;
	struct sample_writer *writer;
	struct progress *progress;
	struct outcome *outcome;
	struct rng rng;
	struct workers *workers;
	struct device_peaks *peaks;
	struct function_run **run; /* by subject; NULL for commands and skipped subjects */
	bool *wants;
	size_t *round;
	size_t count;
	size_t alone; /* the only subject measured now; SIZE_MAX: all, alternately */
};

/* Returns whether a subject is measured now. */
static bool is_due(const struct state *s, size_t i)
{
	return s->run[i] && (s->alone == SIZE_MAX || s->alone == i);
}

static size_t choose_round(struct state *s)
{
	return schedule_round(s->plan->order, &s->rng, s->wants, s->count, s->round);
}

static void show_progress(struct state *s, size_t now)
{
	struct subject_progress *of;

	if (!progress_due(s->progress))
		return;
	of = mem_zero(s->count, sizeof(*of));
	for (size_t i = 0; i < s->count; i++) {
		struct ruled_subject samples;
		double iterations;

		if (!s->run[i])
			continue;
		iterations = (double)function_run_iterations(s->run[i]);
		samples =
		    (struct ruled_subject){ .so_far = function_run_progress(s->run[i]),
			    .rule = function_run_rule(s->run[i]),
			    .scale = iterations > 0 ? 1 / iterations : 0,
			    .wants = s->wants[i] };
		samples.rule.runs *= function_run_processes(s->run[i]);
		of[i] = subject_progress_of(&samples);
	}
	subject_progress_show(of, s->plan, now, s->progress);
	free(of);
}

/* Returns whether another process of the subject is to be started. */
static bool wants_process(struct state *s, size_t i)
{
	struct decisions *d = s->plan->decisions;

	return is_due(s, i) && function_run_may_start(s->run[i]) &&
	       (!d || decisions_want(d, i));
}

/* Gives up the comparisons of subjects that cannot be measured any more. */
static void leave_decisions(struct state *s)
{
	for (size_t i = 0; s->plan->decisions && i < s->count; i++)
		if (s->run[i] && !function_run_may_start(s->run[i]))
			decisions_leave(s->plan->decisions, i);
}

/*
 * Starts the next process of each subject. Returns their number, or -1 and the message.
 */
static int start_all(struct state *s, struct fault *f)
{
	size_t n;

	s->outcome->never_idle |= !plan_wait_idle(s->plan);
	leave_decisions(s);
	for (size_t i = 0; i < s->count; i++)
		s->wants[i] = wants_process(s, i);
	n = choose_round(s);
	for (size_t k = 0; k < n && !interrupt_seen(); k++) {
		uint32_t jitter =
		    s->plan->jitter ? 1 + (uint32_t)rng_below(&s->rng, JITTER_BYTES) : 0;

		show_progress(s, s->round[k]);
		if (function_run_start(s->run[s->round[k]], jitter, f) < 0)
			return -1;
	}
	return (int)n;
}

static void warm_up(struct state *s)
{
	size_t n;

	do {
		for (size_t i = 0; i < s->count; i++)
			s->wants[i] = is_due(s, i) && function_run_is_cold(s->run[i]);
		n = choose_round(s);
		for (size_t k = 0; k < n && !interrupt_seen(); k++) {
			show_progress(s, s->round[k]);
			function_run_warm_up(s->run[s->round[k]]);
		}
	} while (n && !interrupt_seen());
	for (size_t i = 0; i < s->count; i++)
		if (is_due(s, i))
			function_run_write_warmups(s->run[i], s->writer);
}

/*
 * Writes the samples of a block, with their speed-up relative to its sequential
 * samples.
 */
static void end_round(struct state *s)
{
	workers_forget(s->workers);
	for (size_t i = 0; i < s->count; i++)
		if (s->run[i])
			workers_note(s->workers, i, function_run_throughput(s->run[i]));
	for (size_t i = 0; i < s->count; i++)
		if (s->run[i])
			function_run_write(s->run[i], s->writer,
			    workers_speedup(
			        s->workers, i, function_run_throughput(s->run[i])));
}

static int run_rounds(struct state *s, struct fault *f)
{
	while (!interrupt_seen()) {
		size_t n;

		for (size_t i = 0; i < s->count; i++)
			s->wants[i] = is_due(s, i) && function_run_wants(s->run[i]);
		n = choose_round(s);
		if (!n)
			break;
		if (sample_writer_reserve(s->writer, f) < 0)
			return -1;
		for (size_t k = 0; k < n && !interrupt_seen(); k++) {
			show_progress(s, s->round[k]);
			function_run_sample(s->run[s->round[k]]);
		}
		end_round(s);
		if (sample_writer_flush(s->writer, f) < 0)
			return -1;
	}
	return 0;
}

/*
 * Notes how a process ended. Returns 0, or -1 and the message if the subject cannot be
 * measured and the plan is strict.
 */
static int note_end(struct state *s, size_t i, struct fault *f)
{
	struct run_status status = function_run_status(s->run[i]);
	const struct subject *subject = &s->plan->subjects->subject[i];
	const char *why = function_run_why(s->run[i]);
	bool unsupported = status.outcome == RUN_UNSUPPORTED;

	if (run_is_ok(status))
		return 0;
	if (!unsupported && status.outcome != RUN_SKIPPED) {
		outcome_note_failure(s->outcome, i, status, why);
		return 0;
	}
	if (s->plan->strict)
		return fault_set(f, "%s: %s", subject->from->bench,
		    why           ? why
		    : unsupported ? "unsupported"
		                  : "skipped");
	if (!function_run_progress(s->run[i])->runs)
		s->outcome->unmeasured++;
	if (unsupported)
		outcome_note_unsupported(s->outcome, i, why);
	else
		outcome_note_skipped(s->outcome, subject, why);
	return 0;
}

/* Returns the speed-up with which the workers of a subject became ready, relative to the
 * single worker that was started in this block. */
static double init_speedup(const struct state *s, size_t i)
{
	return workers_speedup(s->workers, i, function_run_init_rate(s->run[i]));
}

static int end_all(struct state *s, struct fault *f)
{
	int status = 0;

	workers_forget(s->workers);
	for (size_t i = 0; i < s->count; i++)
		if (s->run[i] && s->wants[i])
			workers_note(s->workers, i, function_run_init_rate(s->run[i]));
	for (size_t i = 0; i < s->count; i++) {
		if (!s->run[i] || !s->wants[i])
			continue;
		if (!function_run_end(s->run[i], s->writer, init_speedup(s, i)))
			continue;
		if (status == 0)
			status = note_end(s, i, f);
		if (s->plan->decisions)
			decisions_note(s->plan->decisions, i,
			    function_run_primary(s->run[i]),
			    function_run_status(s->run[i]));
	}
	if (s->plan->decisions)
		decisions_end_block(s->plan->decisions);
	return status;
}

/* Measures the energy of each subject that has a process, in random order. */
static void measure_energy(struct state *s)
{
	size_t n = energy_meter_reads(s->plan->meter) ? choose_round(s) : 0;

	for (size_t k = 0; k < n && !interrupt_seen(); k++) {
		show_progress(s, s->round[k]);
		function_run_measure_energy(s->run[s->round[k]], s->writer);
	}
}

/* Records the time series of each subject that has a process, in random order. Returns 0,
 * or -1 and the message. */
static int observe_round(struct state *s, struct fault *f)
{
	const size_t n = s->plan->interval_asked ? choose_round(s) : 0;

	for (size_t k = 0; k < n && !interrupt_seen(); k++) {
		show_progress(s, s->round[k]);
		if (function_run_observe(s->run[s->round[k]], s->writer, f) < 0)
			return -1;
	}
	return 0;
}

/* Measures process after process until no subject needs another one. */
static int run_processes(struct state *s, struct fault *f)
{
	bool *started = mem_zero(s->count, sizeof(*started));
	int status;

	while ((status = start_all(s, f)) > 0 && !interrupt_seen()) {
		struct fault ignored;

		memcpy(started, s->wants, s->count * sizeof(*started));
		warm_up(s);
		status = run_rounds(s, f);
		memcpy(s->wants, started, s->count * sizeof(*started));
		if (status == 0)
			status = observe_round(s, f);
		measure_energy(s);
		if (end_all(s, status < 0 ? &ignored : f) < 0)
			status = -1;
		if (sample_writer_flush(s->writer, status < 0 ? &ignored : f) < 0)
			status = -1;
		if (status < 0)
			break;
	}
	free(started);
	return status;
}

/* Measures each subject completely before the next one is started. */
static int run_in_sequence(struct state *s, struct fault *f)
{
	for (s->alone = 0; s->alone < s->count; s->alone++)
		if (s->run[s->alone] && run_processes(s, f) < 0)
			return -1;
	return 0;
}

static int open_callers(struct state *s, struct fault *f)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct subject *subject = &s->plan->subjects->subject[i];

		if (!(1u << subject->from->kind & (OF_FUNCTIONS | OF_LISTS)) ||
		    subject->skipped)
			continue;
		s->run[i] = function_run_open(s->plan, subject, s->peaks, f);
		if (!s->run[i])
			return -1;
	}
	return 0;
}

static void see_peaks(struct state *s)
{
	for (size_t i = 0; i < s->count; i++) {
		double above = s->run[i] ? function_run_above_peak(s->run[i]) : 0;

		if (above > s->outcome->above_peak) {
			s->outcome->above_peak = above;
			s->outcome->above_peak_subject = i;
		}
	}
}

static void see_precision(struct state *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct stop_rule rule;

		if (!s->run[i])
			continue;
		rule = function_run_rule(s->run[i]);
		if (rule.precision > 0 && function_run_progress(s->run[i])->runs &&
		    function_run_progress(s->run[i])->reached > rule.precision)
			s->outcome->imprecise = true;
	}
}

/* Notes how many samples of each subject an interrupted run has. */
static void note_runs(struct state *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct stop_rule rule;

		if (!s->run[i])
			continue;
		rule = function_run_rule(s->run[i]);
		outcome_note_runs(s->outcome, s->plan, i,
		    (struct outcome_runs){ function_run_progress(s->run[i])->runs,
		        rule.runs * function_run_processes(s->run[i]), true });
	}
}

int measure_calls(const struct measurement *m, struct fault *f)
{
	const struct plan *plan = m->plan;
	size_t n = plan->subjects->count;
	struct state s = { .plan = plan,
		.writer = m->writer,
		.progress = m->progress,
		.outcome = m->outcome,
		.run = mem_zero(n, sizeof(struct function_run *)),
		.wants = mem_zero(n, sizeof(*s.wants)),
		.round = mem_zero(n, sizeof(*s.round)),
		.workers = plan->workers || plan->threads
		               ? workers_open(plan->subjects, plan->workers, plan->threads)
		               : NULL,
		.peaks = device_peaks_open(),
		.count = n,
		.alone = SIZE_MAX };
	int status;

	rng_seed(&s.rng, plan->seed);
	status = open_callers(&s, f);
	if (status == 0)
		status = plan->order == ORDER_SEQUENTIAL ? run_in_sequence(&s, f)
		                                         : run_processes(&s, f);
	see_precision(&s);
	if (interrupt_seen())
		note_runs(&s);
	for (size_t i = 0; i < n; i++)
		if (s.run[i]) {
			function_run_explain_gpu(s.run[i], &s.outcome->gpus);
			function_run_explain_load(s.run[i], &s.outcome->loads);
		}
	see_peaks(&s);
	for (size_t i = 0; i < n; i++)
		function_run_close(s.run[i]);
	workers_close(s.workers);
	device_peaks_close(s.peaks);
	free(s.run);
	free(s.wants);
	free(s.round);
	return status;
}
