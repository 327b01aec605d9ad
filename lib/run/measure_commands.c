/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop for commands; see measure_commands.h. The samples of a block are kept until the
 * block is complete and are then written in the order of the subjects.
 *
 * Sending a request and receiving its result costs two wake-ups. On an idle machine
 * these are a tenth of the time of a small program, and they leave the processor in a
 * different state than an execution immediately before would. If nothing needs to be
 * done between executions, as many blocks as are certainly needed are therefore sent at
 * once, up to about 20 ms of them. The helper executes them back to back while this
 * process sleeps.
 */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/load_commands.h"
#include "run/measure_commands.h"
#include "run/subject_progress.h"
#include "run/workers.h"
#include "subject/subject_column.h"
#include "sys/interrupt.h"

enum { BATCH_NS = 20000000, BATCH_RUNS = 64, FAILURES_MOST = 10 };

/* The commands of a run, and their samples so far. */
struct command_loop {
	const struct plan *plan;
	struct runner *runner;
	struct rng *rng;
	struct workers *workers; /* NULL: one at a time */
	struct sample_writer *writer;
	struct progress *progress;
	struct outcome *outcome;
	struct run_sample sample;          /* the sample that is being written */
	struct run_progress *run_progress; /* by subject, like the next two */
	bool *wants;
	bool *measurable; /* a sample succeeded or timed out */
	size_t *round; /* the subjects of one or more blocks, one block after the other */
};

static void write_sample(struct command_loop *s, size_t i, int64_t number)
{
	const struct plan *p = s->plan;
	struct run_sample *sample = &s->sample;

	runner_begin_sample(s->runner, i, number, sample);
	if (number >= 0 && !run_is_ok(sample->status))
		outcome_note_failure(
		    s->outcome, i, sample->status, runner_why(runner_result(s->runner, i)));
	energy_meter_add(p->meter, i, runner_result(s->runner, i), sample);
	workers_add(s->workers, s->runner, i, sample);
	runner_add_series(s->runner, i, sample);
	run_sample_add_ok(sample);
	if (number == 0)
		run_sample_add_absent(sample, p->counters, p->gpu_absent);
	sample_writer_sample(s->writer, sample);
	runner_taken(s->runner, i);
}

/*
 * Drops the subjects that could not be started. Returns 0, or -1 and the message if the
 * plan is strict.
 */
static int drop_unstartable(struct command_loop *s, struct fault *f)
{
	const struct plan *p = s->plan;

	for (size_t i = 0; i < p->subjects->count; i++) {
		const struct subject *subject = &p->subjects->subject[i];
		const char *why = runner_unstartable(s->runner, i);

		if (!why || !s->wants[i])
			continue;
		if (p->strict)
			return fault_set(f, "%s: %s", subject_title(subject), why);
		s->wants[i] = false;
		if (p->decisions)
			decisions_leave(p->decisions, i);
		outcome_note_skipped(s->outcome, subject, why);
		if (!s->run_progress[i].runs)
			s->outcome->unmeasured++;
		run_sample_skip(&s->sample, subject);
		sample_writer_sample(s->writer, &s->sample);
	}
	return 0;
}

/* Ends the measurement of a subject that failed in this number of samples; 0: in a warm-up.
 */
static void give_up(struct command_loop *s, size_t i, uint64_t samples)
{
	s->wants[i] = false;
	if (s->plan->decisions)
		decisions_leave(s->plan->decisions, i);
	outcome_note_stopped(s->outcome, i, samples);
}

/*
 * Ends the measurement of the subjects whose last execution, a warm-up, failed. That
 * execution becomes their only sample, so that readers find the failure.
 */
static void drop_failed(struct command_loop *s)
{
	for (size_t i = 0; i < s->plan->subjects->count; i++)
		if (s->wants[i] && runner_ran(s->runner, i) &&
		    runner_status(s->runner, i).outcome == RUN_FAILED) {
			s->run_progress[i].runs = 1;
			write_sample(s, i, 0);
			give_up(s, i, 0);
		}
}

/* Writes the first sample of a subject if the helper ended during its warm-up. Returns -1.
 */
static int write_lost(struct command_loop *s, size_t i)
{
	if (runner_lost(s->runner, i))
		write_sample(s, i, 0);
	return -1;
}

static int run_warmups(struct command_loop *s, struct fault *f)
{
	const struct plan *p = s->plan;

	for (uint64_t w = 0; w < p->warmups; w++) {
		size_t n = schedule_warmups(
		    p->order, s->rng, s->wants, p->subjects->count, s->round);

		for (size_t k = 0; k < n && !interrupt_seen(); k++) {
			progress_show(s->progress, 0, NAN, "warming up");
			if (runner_once(s->runner, s->round[k], f) < 0)
				return write_lost(s, s->round[k]);
		}
		workers_round(s->workers, s->runner);
		if (!p->ignore_failure)
			drop_failed(s);
		for (size_t i = 0; p->keep_warmups && i < p->subjects->count; i++)
			if (runner_ran(s->runner, i))
				write_sample(s, i, (int64_t)w - (int64_t)p->warmups);
		if (drop_unstartable(s, f) < 0)
			return -1;
	}
	for (size_t i = 0; i < p->subjects->count; i++)
		runner_taken(s->runner, i);
	return 0;
}

static void show_progress(struct command_loop *s, size_t now)
{
	const size_t count = s->plan->subjects->count;
	struct subject_progress *of;

	if (!progress_due(s->progress))
		return;
	of = mem_zero(count, sizeof(*of));
	for (size_t i = 0; i < count; i++)
		of[i] =
		    subject_progress_in_plan(s->plan, i, &s->run_progress[i], s->wants[i]);
	subject_progress_show(of, s->plan, now, s->progress);
	free(of);
}

/* Compares the samples of a block that have not been taken yet. */
static void decide_round(struct command_loop *s)
{
	struct decisions *d = s->plan->decisions;

	for (size_t i = 0; i < s->plan->subjects->count; i++)
		if (runner_ran(s->runner, i))
			decisions_note(d, i, (double)runner_result(s->runner, i)->wall_ns,
			    runner_status(s->runner, i));
	decisions_end_block(d);
}

/* Writes the samples of a block, in the order of the subjects. */
static void end_round(struct command_loop *s)
{
	workers_round(s->workers, s->runner);
	if (s->plan->decisions)
		decide_round(s);
	for (size_t i = 0; i < s->plan->subjects->count; i++)
		if (runner_ran(s->runner, i))
			write_sample(s, i, (int64_t)s->run_progress[i].runs - 1);
}

/*
 * Counts the last execution of a subject, if there was one, and returns its duration.
 * The caller adds its other costs to spent_ns.
 */
static double add_run(struct command_loop *s, size_t i)
{
	if (!runner_ran(s->runner, i))
		return 0;
	const double wall_ns = (double)runner_result(s->runner, i)->wall_ns;
	run_progress_add(
	    &s->run_progress[i], wall_ns, wall_ns, run_is_ok(runner_status(s->runner, i)));
	if (runner_status(s->runner, i).outcome != RUN_FAILED)
		s->measurable[i] = true;
	return wall_ns;
}

/* Measures one block, one execution after the other. */
static int run_round(struct command_loop *s, const size_t *round, size_t n, struct fault *f)
{
	int failed = 0;

	for (size_t k = 0; k < n && !failed && !interrupt_seen(); k++) {
		int64_t start_ns = clock_monotonic_ns();

		show_progress(s, round[k]);
		failed = runner_once(s->runner, round[k], f);
		double wall_ns = add_run(s, round[k]);
		s->run_progress[round[k]].spent_ns += clock_elapsed_ns(start_ns) - wall_ns;
	}
	end_round(s);
	return failed;
}

/*
 * Measures several blocks of n subjects that are sent at once. If the helper skips the
 * rest, because the batch takes longer than expected, a block that has begun is
 * completed. The results arrive together at the end: each execution is charged its own
 * time and an equal share of the remaining time.
 */
static int run_batch(struct command_loop *s, size_t rounds, size_t n, struct fault *f)
{
	size_t runs = rounds * n, done = runs;
	int64_t start_ns = clock_monotonic_ns();
	double beside = 0;

	show_progress(s, s->round[0]);
	for (size_t k = 0; k < runs; k++)
		if (runner_send(s->runner, s->round[k], k + 1 < runs, f) < 0) {
			if (k > 0 && spawn_client_gone(runner_spawn(s->runner)))
				break; /* what it has executed is received */
			return -1;
		}
	for (size_t k = 0; k < runs; k++) {
		int passed_over = runner_receive(s->runner, s->round[k], f);

		if (passed_over < 0) {
			add_run(s, s->round[k]);
			end_round(s);
			return -1;
		}
		if (k == 0)
			beside = clock_elapsed_ns(start_ns);
		if (passed_over && k < done)
			done = k;
		if (k >= done)
			continue;
		beside -= add_run(s, s->round[k]);
		if (k % n == n - 1)
			end_round(s);
	}
	for (size_t k = 0; k < done; k++)
		s->run_progress[s->round[k]].spent_ns += beside / (double)done;
	return done % n ? run_round(s, &s->round[done], n - done % n, f) : 0;
}

/*
 * Returns how many blocks with the subjects of this one may be sent at once; 1: one
 * execution at a time.
 */
static size_t rounds_ahead(struct command_loop *s, size_t n)
{
	double round_ns = 0;
	size_t rounds = BATCH_RUNS / n;

	if (!runner_batches(s->runner) || s->plan->idle_load >= 0)
		return 1;
	for (size_t k = 0; k < n; k++) {
		const struct run_progress *t = &s->run_progress[s->round[k]];
		struct stop_rule rule = plan_stop_rule(s->plan, s->round[k]);
		uint64_t ahead = run_progress_ahead(t, &rule);

		if (!s->measurable[s->round[k]] && ahead > FAILURES_MOST)
			ahead = t->runs < FAILURES_MOST ? FAILURES_MOST - t->runs : 1;
		if (ahead < rounds)
			rounds = (size_t)ahead;
		round_ns += t->runs ? t->spent_ns / (double)t->runs : BATCH_NS;
	}
	if ((double)rounds * round_ns > BATCH_NS)
		rounds = (size_t)(BATCH_NS / round_ns);
	return rounds ? rounds : 1;
}

static size_t choose_round(struct command_loop *s, size_t *round)
{
	return schedule_round(
	    s->plan->order, s->rng, s->wants, s->plan->subjects->count, round);
}

/* Ends the measurement of subjects without a fixed number of samples that only failed. */
static void drop_failing(struct command_loop *s)
{
	for (size_t i = 0; i < s->plan->subjects->count; i++)
		if (s->wants[i] && !s->measurable[i] && !plan_stop_rule(s->plan, i).runs &&
		    s->run_progress[i].runs >= FAILURES_MOST)
			give_up(s, i, s->run_progress[i].runs);
}

/* Finds the subjects of the next block. */
static void choose_subjects(struct command_loop *s)
{
	const struct plan *p = s->plan;

	for (size_t i = 0; p->decisions && i < p->subjects->count; i++)
		if (subject_has_command(&p->subjects->subject[i]) &&
		    (!s->wants[i] || run_progress_is_spent(&s->run_progress[i], &p->stop)))
			decisions_leave(p->decisions, i);
	for (size_t i = 0; i < p->subjects->count; i++) {
		struct stop_rule rule = plan_stop_rule(p, i);
		bool wants = run_progress_wants(&s->run_progress[i], &rule) ||
		             (p->decisions && decisions_want(p->decisions, i));

		s->wants[i] = s->wants[i] && wants;
	}
}

/* Chooses the next blocks, n subjects each, that are measured without a pause. Returns
 * their number, or 0 if no subject wants another sample. */
static size_t choose_rounds(struct command_loop *s, size_t *n)
{
	if (!s->plan->ignore_failure)
		drop_failing(s);
	choose_subjects(s);
	*n = choose_round(s, s->round);
	if (!*n)
		return 0;
	const size_t rounds = rounds_ahead(s, *n);

	for (size_t r = 1; r < rounds; r++)
		choose_round(s, s->round + r * *n);
	return rounds;
}

/* Measures these blocks, and writes their rows even if that fails. Returns 0, or -1 and the
 * message. */
static int run_chosen(struct command_loop *s, size_t rounds, size_t n, struct fault *f)
{
	struct fault ignored;
	int status = rounds > 1 ? run_batch(s, rounds, n, f) : run_round(s, s->round, n, f);

	if (status == 0)
		status = drop_unstartable(s, f);
	if (sample_writer_flush(s->writer, status < 0 ? &ignored : f) < 0)
		status = -1;
	return status;
}

static int run_rounds(struct command_loop *s, struct fault *f)
{
	const struct plan *p = s->plan;
	int status = 0;
	size_t n, rounds;

	while (status == 0 && !interrupt_seen() && (rounds = choose_rounds(s, &n))) {
		if (sample_writer_reserve(s->writer, f) < 0)
			return -1;
		s->outcome->never_idle |= !plan_wait_idle(p);
		status = run_chosen(s, rounds, n, f);
	}
	for (size_t i = 0; i < p->subjects->count; i++)
		if (p->stop.precision > 0 && s->run_progress[i].runs &&
		    s->run_progress[i].reached > p->stop.precision)
			s->outcome->imprecise = true;
	return status;
}

/* Notes how many samples of each command an interrupted run has. */
static void note_runs(struct command_loop *s)
{
	for (size_t i = 0; i < s->plan->subjects->count; i++)
		if (subject_has_command(&s->plan->subjects->subject[i]))
			outcome_note_runs(s->outcome, s->plan, i,
			    (struct outcome_runs){ s->run_progress[i].runs,
			        plan_stop_rule(s->plan, i).runs, s->wants[i] });
}

/* Takes warm-ups and blocks until no command wants more. Returns 0, or -1 and the message.
 */
static int run_loop(struct command_loop *s, struct fault *f)
{
	int status = run_warmups(s, f);

	if (status == 0)
		status = run_rounds(s, f);
	runner_explain(s->runner, &s->outcome->windows);
	if (interrupt_seen())
		note_runs(s);
	return status;
}

int measure_commands(
    const struct measurement *m, struct runner *runner, struct rng *rng, struct fault *f)
{
	const struct plan *plan = m->plan;
	const size_t n = plan->subjects->count;
	int status;

	if (plan->load)
		return load_commands(m, runner_spawn(runner), f);
	struct command_loop s = { .plan = plan,
		.runner = runner,
		.rng = rng,
		.workers = plan->workers || plan->threads
		               ? workers_open(plan->subjects, plan->workers, plan->threads)
		               : NULL,
		.writer = m->writer,
		.progress = m->progress,
		.outcome = m->outcome,
		.run_progress = mem_zero(n, sizeof(*s.run_progress)),
		.wants = mem_zero(n, sizeof(*s.wants)),
		.measurable = mem_zero(n, sizeof(*s.measurable)),
		.round = mem_zero(n > BATCH_RUNS ? n : BATCH_RUNS, sizeof(*s.round)) };
	for (size_t i = 0; i < n; i++)
		s.wants[i] = !plan->subjects->subject[i].skipped &&
		             subject_has_command(&plan->subjects->subject[i]);
	status = run_loop(&s, f);
	workers_close(s.workers);
	for (size_t i = 0; i < n; i++)
		free(s.run_progress[i].value);
	free(s.run_progress);
	free(s.wants);
	free(s.measurable);
	free(s.round);
	run_sample_free(&s.sample);
	return status;
}
