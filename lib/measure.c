/*
 * The measuring loop; see measure.h. A round's samples are kept until it is over and then
 * written in the order of the subjects, whatever the order in which they ran.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "ending.h"
#include "idle.h"
#include "interrupt.h"
#include "measure.h"

enum { JITTER_BYTES = 4096 };

struct state {
	const struct plan *plan;
	struct spawn *spawn, *hooks;
	struct emit *emit;
	struct progress *progress;
	struct outcome *outcome;
	struct rng rng;
	struct tally *tally;
	bool *wants;
	size_t *round;
	struct wire_result *result; /* of this round, by subject */
	bool *ran;
	struct wire_count *counts;
	double *extracted;
	struct buf output;
};

static void status_of(
    const struct plan *p, const struct wire_result *r, char *out, size_t size)
{
	if (r->timed_out)
		snprintf(out, size, "timeout");
	else
		ending_print(r->status,
		    WIFEXITED(r->status) && p->fine[WEXITSTATUS(r->status)], out, size);
}

/* A hook is a line for the shell; it must succeed. */
static int run_hook(
    struct state *s, const struct subject *subject, enum hook hook, struct fault *f)
{
	static const char *const names[HOOKS] = { "setup", "prepare", "conclude",
		"cleanup" };
	char *argv[] = { "/bin/sh", "-c", subject->hook[hook], NULL };
	struct spawn_request q = {
		.path = argv[0], .argv = argv, .output = OUTPUT_INHERIT
	};
	struct wire_result r;

	if (!subject->hook[hook] || interrupt_seen())
		return 0;
	if (spawn_run(s->hooks, &q, &r, NULL, f) < 0)
		return -1;
	if (interrupt_seen() || (WIFEXITED(r.status) && WEXITSTATUS(r.status) == 0))
		return 0;
	if (WIFEXITED(r.status))
		return fault_set(f, "--%s '%s' ended with status %d", names[hook],
		    subject->hook[hook], WEXITSTATUS(r.status));
	return fault_set(f, "--%s '%s' was killed by signal %d", names[hook],
	    subject->hook[hook], WTERMSIG(r.status));
}

static int hook_all(struct state *s, enum hook hook, struct fault *f)
{
	for (size_t i = 0; i < s->plan->subjects->count; i++)
		if (run_hook(s, &s->plan->subjects->subject[i], hook, f) < 0)
			return -1;
	return 0;
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int extract_all(struct state *s, size_t i, struct fault *f)
{
	const struct plan *p = s->plan;

	if (!p->extracts)
		return 0;
	if (spawn_output(s->spawn, &s->output, f) < 0)
		return -1;
	struct text output = { s->output.ptr, s->output.len };
	for (size_t x = 0; x < p->extracts; x++) {
		double *value = &s->extracted[i * p->extracts + x];

		if (!extract_find(p->extract[x], output, value))
			*value = NAN;
	}
	return 0;
}

/* Run a subject once, hooks around it. An interrupted run leaves no sample. */
static int run_once(struct state *s, size_t i, struct fault *f)
{
	const struct plan *p = s->plan;
	const struct subject *subject = &p->subjects->subject[i];
	struct wire_result *r = &s->result[i];
	struct spawn_request q = { .path = subject->path,
		.argv = subject->argv,
		.stdin_path = subject->stdin_path,
		.stdout_path = p->stdout_path,
		.output = p->output,
		.timeout_ns = p->timeout_ns,
		.count = p->counters->count > 0,
		.jitter = p->jitter ? 1 + (uint32_t)rng_below(&s->rng, JITTER_BYTES) : 0 };

	s->ran[i] = false;
	if (run_hook(s, subject, HOOK_PREPARE, f) < 0)
		return -1;
	if (interrupt_seen())
		return 0;
	if (spawn_run(s->spawn, &q, r, &s->counts[i * p->counters->count], f) < 0)
		return -1;
	if (interrupt_seen() || r->interrupted)
		return 0;
	if (r->timed_out)
		r->wall_ns = (int64_t)p->timeout_ns;
	s->ran[i] = true;
	if (extract_all(s, i, f) < 0)
		return -1;
	return run_hook(s, subject, HOOK_CONCLUDE, f);
}

static void write_sample(struct state *s, size_t i, int64_t number, const char *status)
{
	const struct plan *p = s->plan;

	emit_sample(s->emit, &(struct emit_sample){ .subject = &p->subjects->subject[i],
	                         .sample = number,
	                         .status = status,
	                         .result = &s->result[i],
	                         .counts = &s->counts[i * p->counters->count],
	                         .extracted = &s->extracted[i * p->extracts] });
}

static void note_failure(struct state *s, size_t i, const char *status)
{
	if (s->outcome->failed++)
		return;
	s->outcome->failed_subject = i;
	snprintf(
	    s->outcome->failed_status, sizeof(s->outcome->failed_status), "%s", status);
}

static int run_warmups(struct state *s, struct fault *f)
{
	const struct plan *p = s->plan;
	char status[64];

	for (uint64_t w = 0; w < p->warmups; w++) {
		size_t n = schedule_round(
		    p->order == ORDER_SEQUENTIAL ? ORDER_INTERLEAVED : p->order, &s->rng,
		    s->wants, p->subjects->count, s->round);

		for (size_t k = 0; k < n && !interrupt_seen(); k++) {
			progress_show(s->progress, 0, 0, "warming up");
			if (run_once(s, s->round[k], f) < 0)
				return -1;
		}
		for (size_t i = 0; p->keep_warmups && i < p->subjects->count; i++)
			if (s->wants[i] && s->ran[i]) {
				status_of(p, &s->result[i], status, sizeof(status));
				write_sample(
				    s, i, (int64_t)w - (int64_t)p->warmups, status);
			}
	}
	return 0;
}

/* The stopping rule of a subject: its own number of runs goes before the plan's. */
static struct stop_rule rule_of(const struct plan *p, size_t i)
{
	struct stop_rule rule = p->stop;

	if (p->subjects->subject[i].from->runs)
		rule.runs = p->subjects->subject[i].from->runs;
	return rule;
}

static void show_progress(struct state *s, size_t now)
{
	double left = 0, done = 0;

	if (!progress_due(s->progress))
		return;
	for (size_t i = 0; i < s->plan->subjects->count; i++) {
		struct stop_rule rule = rule_of(s->plan, i);

		if (!s->wants[i]) {
			done++;
			continue;
		}
		left += tally_left_ns(&s->tally[i], &rule);
		done += tally_done(&s->tally[i], &rule);
	}
	progress_show(s->progress, done / (double)s->plan->subjects->count, left,
	    s->plan->subjects->subject[now].from->bench);
}

/* Write the samples of a round, in the order of the subjects. */
static int end_round(struct state *s, struct fault *f)
{
	const struct plan *p = s->plan;
	char status[64];

	for (size_t i = 0; i < p->subjects->count; i++) {
		if (!s->ran[i])
			continue;
		s->ran[i] = false;
		status_of(p, &s->result[i], status, sizeof(status));
		if (strcmp(status, "ok") != 0)
			note_failure(s, i, status);
		write_sample(s, i, (int64_t)s->tally[i].runs - 1, status);
	}
	if (emit_flush(s->emit, f) == 0)
		return 0;
	if (errno != EPIPE)
		return -1;
	interrupt_request(SIGPIPE);
	return 0;
}

static int run_round(struct state *s, size_t n, struct fault *f)
{
	const struct plan *p = s->plan;
	char status[64];
	int failed = 0;

	if (p->idle_load >= 0 && !idle_wait(p->idle_load))
		s->outcome->never_idle = true;
	for (size_t k = 0; k < n && !failed && !interrupt_seen(); k++) {
		size_t i = s->round[k];
		double start = now_ns();

		show_progress(s, i);
		failed = run_once(s, i, f);
		if (!s->ran[i])
			continue;
		status_of(p, &s->result[i], status, sizeof(status));
		tally_add(&s->tally[i], (double)s->result[i].wall_ns, now_ns() - start,
		    strcmp(status, "ok") == 0);
	}
	struct fault ignored;
	if (failed)
		end_round(s, &ignored);
	return failed ? -1 : end_round(s, f);
}

static int run_rounds(struct state *s, struct fault *f)
{
	const struct plan *p = s->plan;

	while (!interrupt_seen()) {
		size_t n;

		for (size_t i = 0; i < p->subjects->count; i++) {
			struct stop_rule rule = rule_of(p, i);

			s->wants[i] = s->wants[i] && tally_wants(&s->tally[i], &rule);
		}
		n = schedule_round(
		    p->order, &s->rng, s->wants, p->subjects->count, s->round);
		if (!n)
			break;
		if (run_round(s, n, f) < 0)
			return -1;
	}
	for (size_t i = 0; i < p->subjects->count; i++)
		if (p->stop.precision && s->tally[i].runs &&
		    s->tally[i].reached > p->stop.precision)
			s->outcome->imprecise = true;
	return 0;
}

static int run_all(struct state *s, struct fault *f)
{
	const struct subjects *subjects = s->plan->subjects;
	struct fault at_end;
	int status;

	for (size_t i = 0; i < subjects->count; i++) {
		s->wants[i] = !subjects->subject[i].from->skipped;
		if (!s->wants[i])
			emit_skipped(s->emit, &subjects->subject[i]);
	}
	if (hook_all(s, HOOK_SETUP, f) < 0)
		return -1;
	status = run_warmups(s, f);
	if (status == 0)
		status = run_rounds(s, f);
	progress_clear(s->progress);
	if (hook_all(s, HOOK_CLEANUP, status < 0 ? &at_end : f) < 0)
		status = -1;
	return status;
}

int measure(const struct plan *plan, struct spawn *spawn, struct spawn *hooks,
    struct emit *emit, struct progress *progress, struct outcome *outcome, struct fault *f)
{
	size_t n = plan->subjects->count;
	struct state s = { .plan = plan,
		.spawn = spawn,
		.hooks = hooks,
		.emit = emit,
		.progress = progress,
		.outcome = outcome,
		.tally = mem_zero(n, sizeof(*s.tally)),
		.wants = mem_zero(n, sizeof(*s.wants)),
		.round = mem_zero(n, sizeof(*s.round)),
		.result = mem_zero(n, sizeof(*s.result)),
		.ran = mem_zero(n, sizeof(*s.ran)),
		.counts = mem_zero(n * plan->counters->count, sizeof(*s.counts)),
		.extracted = mem_zero(n * plan->extracts, sizeof(*s.extracted)) };
	int status;

	rng_seed(&s.rng, plan->seed);
	status = run_all(&s, f);
	for (size_t i = 0; i < n; i++)
		free(s.tally[i].value);
	free(s.tally);
	free(s.wants);
	free(s.round);
	free(s.result);
	free(s.ran);
	free(s.counts);
	free(s.extracted);
	buf_free(&s.output);
	return status;
}
