/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures running processes and the machine in windows; see measure_windows.h. A block has
 * a window of each subject, one after the other, in the order of the plan.
 */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/measure_windows.h"
#include "run/subject_progress.h"
#include "sys/interrupt.h"
#include "window/window.h"

/* A subject, and its samples so far. */
struct window_track {
	struct time_window *window; /* NULL: another kind, or skipped */
	struct run_progress progress;
	int64_t number; /* of the sample to be written */
	bool taken;     /* the last window has not been written */
	bool over;      /* no further window can be taken */
};

struct windows_state {
	const struct plan *plan;
	struct sample_writer *writer;
	struct progress *progress;
	struct outcome *outcome;
	struct rng rng;
	struct window_means means;
	struct run_sample sample;
	struct window_track *of; /* by subject */
	bool *wants;
	size_t *round;
	size_t count;
};

static void show_progress(struct windows_state *s, size_t now)
{
	struct subject_progress *of;

	if (!progress_due(s->progress))
		return;
	of = mem_zero(s->count, sizeof(*of));
	for (size_t i = 0; i < s->count; i++)
		if (s->of[i].window)
			of[i] = subject_progress_in_plan(
			    s->plan, i, &s->of[i].progress, s->wants[i]);
	subject_progress_show(of, s->plan, now, s->progress);
	free(of);
}

/* Opens the windows of all subjects. Returns their number, or -1 and the message. */
static int open_windows(struct windows_state *s, struct fault *f)
{
	const struct subjects *list = s->plan->subjects;
	int windows = 0;

	if (s->plan->watches)
		return 0; /* command_windows has them */
	window_try_events(&s->means, list);
	for (size_t i = 0; i < s->count && windows >= 0; i++) {
		const struct subject *subject = &list->subject[i];

		if (!window_measures(subject))
			continue;
		s->of[i].window = window_open(subject, i, &s->means,
		    subject->aa == 'b' ? s->of[i - 1].window : NULL, f);
		windows = s->of[i].window ? windows + 1 : -1;
	}
	return windows;
}

/* Takes the window of a subject. */
static void take_window(struct windows_state *s, size_t i)
{
	struct window_track *t = &s->of[i];
	const enum window_end end = window_take(t->window);

	t->taken = end == WINDOW_WHOLE;
	t->over = t->over || end == WINDOW_CUT;
}

/* Writes the windows of a block, in the order of the subjects. */
static void write_windows(struct windows_state *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct window_track *t = &s->of[i];

		if (!t->taken)
			continue;
		run_sample_begin(&s->sample, &s->plan->subjects->subject[i]);
		s->sample.number = t->number;
		s->sample.begin_ns = window_begin_ns(t->window);
		window_put(t->window, &s->sample);
		energy_meter_add(s->means.meter, i, NULL, &s->sample);
		run_sample_add_ok(&s->sample);
		if (t->number == 0)
			run_sample_add_absent(&s->sample, s->plan->counters, false);
		sample_writer_sample(s->writer, &s->sample);
		t->taken = false;
	}
}

/* Notes the subjects that have ended. One without samples is skipped. */
static void note_ended(struct windows_state *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct window_track *t = &s->of[i];
		const struct subject *subject = &s->plan->subjects->subject[i];

		if (!t->over || !s->wants[i])
			continue;
		s->wants[i] = false;
		outcome_note_ended(s->outcome, subject, window_ended(t->window),
		    (struct outcome_runs){
		        t->progress.runs, plan_stop_rule(s->plan, i).runs, true });
		if (t->progress.runs)
			continue;
		s->outcome->unmeasured++;
		run_sample_skip(&s->sample, subject);
		sample_writer_sample(s->writer, &s->sample);
	}
}

static void warm_up(struct windows_state *s)
{
	const struct plan *p = s->plan;
	const uint64_t warmups = p->warmups_set ? p->warmups : 0;

	for (uint64_t k = 0; k < warmups && !interrupt_seen(); k++) {
		const size_t n =
		    schedule_warmups(p->order, &s->rng, s->wants, s->count, s->round);

		for (size_t i = 0; i < n && !interrupt_seen(); i++) {
			progress_show(s->progress, 0, NAN, "warming up");
			take_window(s, s->round[i]);
			s->of[s->round[i]].number = (int64_t)k - (int64_t)warmups;
		}
		if (p->keep_warmups)
			write_windows(s);
		note_ended(s);
	}
}

/* Counts a window that was taken. */
static void add_progress(struct window_track *t, double spent_ns)
{
	const double wall_ns = window_wall_ns(t->window), cpu_ns = window_cpu_ns(t->window);

	if (isnan(cpu_ns))
		run_progress_add(&t->progress, wall_ns, spent_ns, false);
	else
		run_progress_add_value(&t->progress, wall_ns, spent_ns, cpu_ns);
}

/* Measures one block. Returns 0, or -1 and the message. */
static int run_block(struct windows_state *s, size_t n, struct fault *f)
{
	if (sample_writer_reserve(s->writer, f) < 0)
		return -1;
	for (size_t k = 0; k < n && !interrupt_seen(); k++) {
		struct window_track *t = &s->of[s->round[k]];
		const int64_t start_ns = clock_monotonic_ns();

		show_progress(s, s->round[k]);
		take_window(s, s->round[k]);
		if (!t->taken)
			continue;
		t->number = (int64_t)t->progress.runs;
		add_progress(t, clock_elapsed_ns(start_ns));
	}
	write_windows(s);
	note_ended(s);
	return sample_writer_flush(s->writer, f);
}

static int run_blocks(struct windows_state *s, struct fault *f)
{
	int status = 0;

	while (status == 0 && !interrupt_seen()) {
		size_t n;

		for (size_t i = 0; i < s->count; i++) {
			const struct stop_rule rule = plan_stop_rule(s->plan, i);

			s->wants[i] =
			    s->wants[i] && run_progress_wants(&s->of[i].progress, &rule);
		}
		n = schedule_round(s->plan->order, &s->rng, s->wants, s->count, s->round);
		if (!n)
			break;
		status = run_block(s, n, f);
	}
	return status;
}

/* Notes problems of the values, the precision and, after an interrupt, the numbers of
 * samples. */
static void note_windows(struct windows_state *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct stop_rule rule = plan_stop_rule(s->plan, i);
		struct window_track *t = &s->of[i];

		if (!t->window)
			continue;
		window_explain(t->window, &s->outcome->windows);
		if (rule.precision > 0 && t->progress.runs &&
		    t->progress.reached > rule.precision)
			s->outcome->imprecise = true;
		if (interrupt_seen())
			outcome_note_runs(s->outcome, s->plan, i,
			    (struct outcome_runs){
			        t->progress.runs, rule.runs, s->wants[i] });
	}
}

int measure_windows(const struct measurement *m, struct fault *f)
{
	const struct plan *plan = m->plan;
	const size_t n = plan->subjects->count;
	struct windows_state s = { .plan = plan,
		.writer = m->writer,
		.progress = m->progress,
		.outcome = m->outcome,
		.means = { .set = plan->counters, .meter = plan->meter },
		.of = mem_zero(n, sizeof(*s.of)),
		.wants = mem_zero(n, sizeof(*s.wants)),
		.round = mem_zero(n, sizeof(*s.round)),
		.count = n };
	int status;

	rng_seed(&s.rng, plan->seed);
	status = open_windows(&s, f);
	if (status > 0) {
		for (size_t i = 0; i < n; i++)
			s.wants[i] = s.of[i].window != NULL;
		warm_up(&s);
		status = run_blocks(&s, f);
		note_windows(&s);
	}
	for (size_t i = 0; i < n; i++) {
		window_close(s.of[i].window);
		free(s.of[i].progress.value);
	}
	counter_groups_free(&s.means.groups);
	run_sample_free(&s.sample);
	free(s.of);
	free(s.wants);
	free(s.round);
	return status;
}
