/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Executes subjects; see runner.h.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "monitor/gpu_monitor.h"
#include "monitor/process_monitor.h"
#include "run/command_windows.h"
#include "run/hooks.h"
#include "run/runner.h"
#include "sys/interrupt.h"

enum { JITTER_BYTES = 4096 };

struct series {
	struct watch_value *value;
	size_t count;
};

struct runner {
	const struct plan *plan;
	struct spawn_client *spawn;
	struct hooks hooks;
	struct rng *rng;
	struct process_monitor *watch; /* NULL: no time series are recorded */
	struct gpu_monitor *gpu_watch; /* likewise, of GPUs */
	struct command_windows *windows; /* NULL: the commands are measured themselves */
	bool batches;
	char *
	    *unstartable; /* by subject: the reason why it could not be started, or NULL */
	/* by subject: results of the last execution */
	bool *ran;
	struct wire_result *result;
	struct wire_count *counts;
	struct wire_worker **workers; /* NULL for a single worker */
	double *extracted;
	struct series *series;
	struct buf output;
};

/* Returns whether every subject may be batched: no hooks around it, no workers. */
static bool all_plain(const struct subjects *subjects)
{
	for (size_t i = 0; i < subjects->count; i++)
		if (subjects->subject[i].hook[HOOK_PREPARE] ||
		    subjects->subject[i].hook[HOOK_CONCLUDE] ||
		    subjects->subject[i].workers > 1)
			return false;
	return true;
}

/* Opens what observes executions over time. Returns 0, or -1 and the message. */
static int open_monitors(struct runner *r, struct fault *f)
{
	const struct plan *p = r->plan;

	if (p->interval_ns <= 0 || !r->spawn)
		return 0;
	r->watch =
	    process_monitor_open(spawn_client_pid(r->spawn), false, p->interval_ns, f);
	if (!r->watch)
		return -1;
	if (p->gpus && p->gpu_asked)
		r->gpu_watch = gpu_monitor_open(p->gpus, p->interval_ns, f);
	return p->gpus && p->gpu_asked && !r->gpu_watch ? -1 : 0;
}

struct runner *runner_open(const struct plan *plan, struct spawn_client *spawn,
    struct spawn_client *hooks, struct rng *rng, struct fault *f)
{
	size_t n = plan->subjects->count;
	struct runner *r = mem_zero(1, sizeof(*r));

	*r = (struct runner){ .plan = plan,
		.spawn = spawn,
		.hooks = { .subjects = plan->subjects, .helper = hooks },
		.rng = rng,
		.batches = !plan->watches && !plan->extracts && all_plain(plan->subjects) &&
		           !energy_meter_reads(plan->meter) && plan->interval_ns == 0,
		.unstartable = mem_zero(n, sizeof(char *)),
		.ran = mem_zero(n, sizeof(*r->ran)),
		.result = mem_zero(n, sizeof(*r->result)),
		.counts = mem_zero(n * plan->counters->count, sizeof(*r->counts)),
		.workers = mem_zero(n, sizeof(struct wire_worker *)),
		.extracted = mem_zero(n * plan->extracts, sizeof(*r->extracted)),
		.series = mem_zero(n, sizeof(*r->series)) };
	for (size_t i = 0; i < n; i++)
		if (plan->subjects->subject[i].workers > 1)
			r->workers[i] = mem_zero(
			    plan->subjects->subject[i].workers, sizeof(**r->workers));
	if (open_monitors(r, f) == 0 && command_windows_open(plan, &r->windows, f) == 0)
		return r;
	runner_close(r);
	return NULL;
}

void runner_close(struct runner *r)
{
	if (!r)
		return;
	process_monitor_close(r->watch);
	gpu_monitor_close(r->gpu_watch);
	command_windows_close(r->windows);
	for (size_t i = 0; i < r->plan->subjects->count; i++) {
		free(r->series[i].value);
		free(r->workers[i]);
		free(r->unstartable[i]);
	}
	free(r->unstartable);
	free(r->series);
	free(r->workers);
	free(r->ran);
	free(r->result);
	free(r->counts);
	free(r->extracted);
	buf_free(&r->output);
	free(r);
}

struct spawn_client *runner_spawn(const struct runner *r)
{
	return r->spawn;
}

int runner_hooks(struct runner *r, enum hook hook, struct fault *f)
{
	return hooks_run_all(&r->hooks, hook, f);
}

static int extract_all(struct runner *r, size_t i, struct fault *f)
{
	const struct plan *p = r->plan;

	if (!p->extracts)
		return 0;
	if (spawn_client_output(r->spawn, &r->output, f) < 0)
		return -1;
	struct text output = { r->output.ptr, r->output.len };
	int found = 0;

	/* a search can take hours, and the first signal does not end it */
	interrupt_end_on_second(0);
	for (size_t x = 0; x < p->extracts && found >= 0; x++) {
		double *value = &r->extracted[i * p->extracts + x];

		found = output_metric_find(p->extract[x], output, value, f);
		if (!found)
			*value = NAN;
	}
	interrupt_ignore_second();
	return found < 0 ? -1 : 0;
}

struct spawn_request runner_request(const struct plan *p, size_t i)
{
	const struct subject *subject = &p->subjects->subject[i];

	return (struct spawn_request){ .path = subject->path,
		.argv = subject->argv,
		.env = subject->env,
		.stdin_path = subject->stdin_path,
		.stdout_path = p->stdout_path,
		.output = p->output,
		.timeout_ns = p->timeout_ns,
		.count = !p->watches && p->counters->count > 0,
		.workers = subject->workers,
		.pin = p->confined };
}

void runner_jitter(const struct plan *p, struct rng *rng, struct spawn_request *q)
{
	if (p->jitter)
		q->jitter = 1 + (uint32_t)rng_below(rng, JITTER_BYTES);
}

int runner_send(struct runner *r, size_t i, bool more, struct fault *f)
{
	struct spawn_request q = runner_request(r->plan, i);

	runner_jitter(r->plan, r->rng, &q);
	q.more = more;
	r->ran[i] = false;
	return spawn_client_send(r->spawn, &q, f);
}

int runner_stopped(struct fault *f)
{
	for (int ms = 0; ms < 100 && !interrupt_seen(); ms++)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	return interrupt_seen()
	           ? 0
	           : fault_set(f, "the helper bench-spawn was stopped by a signal");
}

static bool is_fine(const struct plan *p, int status)
{
	return WIFEXITED(status) && p->fine[WEXITSTATUS(status)];
}

/* Sets the result of several workers: that of the first one that failed or was killed. */
static void join(struct runner *r, size_t i, struct wire_result *result)
{
	struct wire_worker *worker = r->workers[i];
	bool fine = true;
	int64_t first_ns = 0;

	if (!worker)
		return;
	result->status = worker[0].status;
	for (uint32_t k = 0; k < r->plan->subjects->subject[i].workers; k++) {
		if (result->timed_out && worker[k].wall_ns > result->wall_ns)
			worker[k].wall_ns = result->wall_ns;
		if (is_fine(r->plan, worker[k].status) ||
		    (!fine && worker[k].wall_ns >= first_ns))
			continue;
		fine = false;
		first_ns = worker[k].wall_ns;
		result->status = worker[k].status;
	}
}

void runner_settle(const struct plan *p, struct wire_result *result)
{
	if (result->stopped && is_fine(p, result->status))
		result->timed_out = 0;
}

bool runner_failed_alone(const struct wire_result *result)
{
	return result->failure == FAILURE_EXEC || result->failure == FAILURE_STDIN;
}

/* Keeps the result of an execution whose helper ended, so that it does not go
 * unreported. */
static void keep_lost(struct runner *r, size_t i, const struct wire_result *result)
{
	for (size_t x = 0; x < r->plan->extracts; x++)
		r->extracted[i * r->plan->extracts + x] = NAN;
	r->result[i] = *result;
	r->ran[i] = true;
}

int runner_receive(struct runner *r, size_t i, struct fault *f)
{
	struct spawn_request q = runner_request(r->plan, i);
	struct wire_result result = { 0 };

	if (spawn_client_receive(r->spawn, &q, &result, r->workers[i],
	        &r->counts[i * r->plan->counters->count], f) < 0) {
		if (result.lost && !interrupt_seen())
			keep_lost(r, i, &result);
		if (!runner_failed_alone(&result))
			return -1;
		if (!r->unstartable[i])
			r->unstartable[i] = str_copy(f->text);
		return result.interrupted ? runner_stopped(f) : 0;
	}
	if (result.interrupted)
		return runner_stopped(f);
	if (result.passed_over)
		return 1;
	if (result.timed_out)
		result.wall_ns = (int64_t)r->plan->timeout_ns;
	join(r, i, &result);
	runner_settle(r->plan, &result);
	r->result[i] = result;
	r->ran[i] = true;
	return 0;
}

/*
 * Keeps a copy of the time series, in the order of time: the subject's rows are written at
 * the end of the block, after the executions of other subjects.
 */
static void keep_series(struct runner *r, size_t i)
{
	struct series *s = &r->series[i];
	const struct watch_value *own, *gpu;
	size_t owns = process_monitor_values(r->watch, &own),
	       gpus = gpu_monitor_values(r->gpu_watch, &gpu), taken = 0;

	s->count = owns + gpus;
	if (!s->count)
		return;
	s->value = mem_resize(s->value, s->count, sizeof(*s->value));
	for (size_t k = 0; k < s->count; k++) {
		size_t of_gpus = k - taken;
		bool takes = taken < owns &&
		             (of_gpus == gpus || own[taken].at_ns <= gpu[of_gpus].at_ns);

		s->value[k] = takes ? own[taken] : gpu[of_gpus];
		taken += takes;
	}
}

/* Executes a subject between its hooks, and reads its other measurements. */
static int run_subject(struct runner *r, size_t i, struct fault *f)
{
	const char *ended;

	energy_meter_start(r->plan->meter);
	process_monitor_start(r->watch);
	gpu_monitor_start(r->gpu_watch);
	command_windows_start(r->windows, i);
	int failed = runner_send(r, i, false, f) < 0 || runner_receive(r, i, f) < 0;
	ended = command_windows_stop(r->windows, i);
	process_monitor_stop(r->watch);
	gpu_monitor_stop(r->gpu_watch);
	keep_series(r, i);
	energy_meter_stop(r->plan->meter, i);
	if (failed)
		return -1;
	if (ended && !interrupt_seen()) {
		r->ran[i] = false;
		if (!r->unstartable[i])
			r->unstartable[i] = str_copy(ended);
	}
	if (r->ran[i] && extract_all(r, i, f) < 0) {
		r->ran[i] = false;
		return -1;
	}
	return 0;
}

int runner_once(struct runner *r, size_t i, struct fault *f)
{
	const struct subject *subject = &r->plan->subjects->subject[i];
	int prepared;

	r->ran[i] = false;
	prepared = hooks_run(&r->hooks, subject, HOOK_PREPARE, f);
	if (prepared)
		return prepared < 0 ? -1 : 0;
	if (interrupt_seen() && !subject->hook[HOOK_PREPARE])
		return 0;
	if (!interrupt_seen() && run_subject(r, i, f) < 0)
		return -1;
	return hooks_run(&r->hooks, subject, HOOK_CONCLUDE, f) < 0 ? -1 : 0;
}

bool runner_batches(const struct runner *r)
{
	return r->batches;
}

const struct wire_worker *runner_workers(const struct runner *r, size_t subject)
{
	return r->workers[subject];
}

const char *runner_why(const struct wire_result *result)
{
	if (WIFSIGNALED(result->status) &&
	    (WTERMSIG(result->status) == SIGTTIN || WTERMSIG(result->status) == SIGTTOU))
		return "it used the terminal, but commands run in the background (see "
		       "--stdin)";
	return result->lost ? "bench-spawn, which runs it, ended before it did"
	       : result->stopped
	           ? "bench-spawn, which times it, was stopped by a signal meanwhile"
	           : NULL;
}

const char *runner_unstartable(const struct runner *r, size_t subject)
{
	return r->unstartable[subject];
}

bool runner_lost(const struct runner *r, size_t subject)
{
	return r->ran[subject] && r->result[subject].lost;
}

bool runner_ran(const struct runner *r, size_t subject)
{
	return r->ran[subject];
}

struct run_status runner_status_of(const struct plan *p, const struct wire_result *result)
{
	if (result->timed_out)
		return (struct run_status){ RUN_TIMEOUT, 0 };
	if (is_fine(p, result->status) && result->stopped)
		return (struct run_status){ RUN_FAILED, SIGSTOP };
	if (is_fine(p, result->status))
		return (struct run_status){ RUN_OK, 0 };
	return (struct run_status){ RUN_FAILED, result->status };
}

struct run_status runner_status(const struct runner *r, size_t subject)
{
	return runner_status_of(r->plan, &r->result[subject]);
}

const struct wire_result *runner_result(const struct runner *r, size_t subject)
{
	return &r->result[subject];
}

void runner_begin_sample(
    const struct runner *r, size_t i, int64_t number, struct run_sample *s)
{
	const struct plan *p = r->plan;
	const double *extracted = &r->extracted[i * p->extracts];
	double usage[USAGES];

	run_sample_begin(s, &p->subjects->subject[i]);
	s->number = number;
	s->status = runner_status(r, i);
	if (r->windows) {
		command_windows_put(r->windows, i, s);
		return;
	}
	s->begin_ns = r->result[i].begin_ns;
	usage_values(&r->result[i], usage);
	run_sample_add_usage(s, p->counters, usage, true);
	run_sample_add_counts(s, p->counters, &r->counts[i * p->counters->count], usage);
	for (size_t x = 0; x < p->extracts; x++) {
		struct sample_value *v =
		    run_sample_add_named(s, output_metric_name(p->extract[x]),
		        output_metric_unit(p->extract[x]), extracted[x]);

		if (isnan(extracted[x]) && run_is_ok(v->status))
			v->status.outcome = RUN_SKIPPED;
	}
}

void runner_add_series(const struct runner *r, size_t i, struct run_sample *s)
{
	const struct wire_result *result = &r->result[i];

	for (size_t k = 0; k < r->series[i].count; k++) {
		const struct watch_value *w = &r->series[i].value[k];
		struct sample_value *v;
		int64_t t_ns = w->at_ns - result->start_ns;

		if (t_ns > result->wall_ns)
			break;
		if (t_ns < 0) /* before the gate was opened */
			continue;
		v = run_sample_add(s, w->metric, w->value);
		v->t_ns = t_ns;
		v->device = w->device;
	}
}

void runner_explain(const struct runner *r, struct buf *lines)
{
	command_windows_explain(r->windows, lines);
}

void runner_taken(struct runner *r, size_t subject)
{
	r->ran[subject] = false;
}
