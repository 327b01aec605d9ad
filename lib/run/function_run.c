/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function's processes and their samples; see function_run.h.
 *
 * A sample has as many iterations as fill the sample time, which is far longer than the
 * resolution of the clock. The number is calibrated once, in the first process, and
 * then stays the same, so that all samples of a function are means of the same number.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "run/function_run_priv.h"
#include "run/workers.h"
#include "stats/stats.h"
#include "stats/steady.h"
#include "subject/function.h"

enum {
	LEAST_SAMPLES = 10, /* of a process, with a requested precision ... */
	FEWEST_SAMPLES = 2, /* ... and without */
	GROWTH_MAX = 100,   /* from one attempt at a sample to the next */
};

static const double warmup_ns = 5e8; /* limit of the warm-up without -t */

struct function_run *function_run_open(const struct plan *plan,
    const struct subject *subject, struct device_peaks *peaks, struct fault *f)
{
	const struct function *fn = subject->from->function;
	struct function_run *c = mem_zero(1, sizeof(*c));

	*c = (struct function_run){ .plan = plan, .subject = subject, .process = -1 };
	function_run_find_gpu(c);
	if (subject->work) {
		c->items = subject->work->samples;
		c->bytes = subject->work->bytes;
		c->peak = device_peaks_of(peaks, subject);
		return c;
	}
	if (function_amount(fn->items, subject, &c->items, f) < 0 ||
	    function_amount(fn->bytes, subject, &c->bytes, f) < 0) {
		fault_prefix(f, "%s", subject->from->bench);
		function_run_close(c);
		return NULL;
	}
	return c;
}

void function_run_close(struct function_run *c)
{
	if (!c)
		return;
	function_run_forget(c);
	free(c->warmup);
	free(c->warm_ns);
	free(c->wall_ns);
	free(c->load.request);
	free(c->run_progress.value);
	free(c->span);
	run_sample_free(&c->row);
	free(c);
}

/* Returns whether the current process can take samples. */
static bool process_lives(const struct function_run *c)
{
	return c->call && helper_client_state(c->call) == HELPER_LIVES;
}

bool function_run_may_start(const struct function_run *c)
{
	struct stop_rule rule = function_run_rule(c);

	if (c->hopeless)
		return false;
	return rule.until_decided ? !run_progress_is_spent(&c->run_progress, &rule)
	                          : c->process + 1 < (int64_t)function_run_processes(c);
}

double function_run_primary(const struct function_run *c)
{
	double *copy = mem_zero(c->walls, sizeof(*copy)), wall_ns;

	if (c->walls)
		memcpy(copy, c->wall_ns, c->walls * sizeof(*copy));
	stats_sort(copy, c->walls);
	wall_ns = stats_quantile(copy, c->walls, 0.5);
	free(copy);
	if (c->subject->from->kind != KIND_MODEL)
		return wall_ns;
	return c->items * workers_of(c->subject) * 1e9 / wall_ns;
}

double function_run_above_peak(const struct function_run *c)
{
	return c->above_peak;
}

struct stop_rule function_run_rule(const struct function_run *c)
{
	bool is_model = c->subject->from->kind == KIND_MODEL;
	const struct stop_rule one = { .runs = 1 }; /* period of a load */
	struct stop_rule rule = is_model && !c->plan->stop.until_decided
	                            ? c->plan->stop
	                            : c->plan->function_stop;

	if (c->plan->load)
		return one;
	if (c->subject->from->runs)
		rule.runs = c->subject->from->runs;
	return rule;
}

/* Returns the longest time that a process warms up. */
static double warmup_limit_ns(const struct function_run *c)
{
	return c->plan->function_stop.min_ns > 0 ? c->plan->function_stop.min_ns
	                                         : warmup_ns;
}

bool function_run_is_cold(const struct function_run *c)
{
	if (!process_lives(c))
		return false;
	if (c->plan->warmups_set)
		return c->warms < c->plan->warmups;
	return !c->settled && c->warming_ns < warmup_limit_ns(c);
}

/*
 * Returns whether a warm-up sample is too short because the function was slow during
 * calibration.
 */
static bool is_too_short(const struct function_run *c, const struct helper_sample *s)
{
	return (double)s->answer.wall_ns < function_run_sample_ns(c) / 2;
}

/* Increases the number of iterations and restarts the warm-up. */
static void count_more(struct function_run *c, const struct helper_sample *s)
{
	double enough = function_run_sample_ns(c) / fmax((double)s->answer.wall_ns, 1);

	c->iterations = (uint64_t)ceil((double)c->iterations * fmin(enough, GROWTH_MAX));
	function_run_forget_warmups(c);
}

void function_run_warm_up(struct function_run *c)
{
	int64_t start_ns = clock_monotonic_ns();
	const struct helper_sample *s = function_run_iterate(c, c->iterations);

	if (s) {
		function_run_note_span(c, "warm-up", -1, c->iterations, s);
		*VEC_ADD(c->warm_ns, c->warms, c->warm_cap) =
		    function_run_iteration_ns(c, s->workers, c->iterations);
		c->warming_ns += (double)s->answer.wall_ns;
		if (c->process == 0 && is_too_short(c, s)) {
			count_more(c, s);
			goto out;
		}
		c->settled = c->warms >= STEADY_LEAST &&
		             steady_is(&c->warm_ns[c->warms - STEADY_LEAST], STEADY_LEAST);
		if (c->plan->keep_warmups)
			*VEC_ADD(c->warmup, c->warmups, c->warmup_cap) =
			    function_run_copy(c, s);
	}
out:
	c->run_progress.spent_ns += clock_elapsed_ns(start_ns);
}

/*
 * The rule applies to the subject. Each process gets an equal share of the time, but
 * the full number of samples.
 */
bool function_run_wants(struct function_run *c)
{
	struct stop_rule rule = function_run_rule(c);
	double processes = (double)function_run_processes(c),
	       due = fmin((double)(c->process + 1) / processes, 1);
	size_t least =
	    rule.precision > 0 || c->gpu.settling_ns > 0 ? LEAST_SAMPLES : FEWEST_SAMPLES;

	if (!process_lives(c))
		return false;
	if (rule.max_ns > 0 && c->walls && c->run_progress.spent_ns >= rule.max_ns * due)
		return false;
	if (rule.runs)
		return c->walls < rule.runs;
	if (c->walls < least ||
	    c->measured_ns + c->gpu.settling_ns < rule.min_ns / processes)
		return true;
	return !run_progress_is_precise(&c->run_progress, &rule);
}

void function_run_sample(struct function_run *c)
{
	int64_t start_ns = clock_monotonic_ns();
	const struct helper_sample *s;

	function_run_settle(c);
	if (c->plan->load) {
		function_run_play(c);
		return;
	}
	s = function_run_iterate(c, c->iterations);
	if (!s) {
		c->run_progress.spent_ns += clock_elapsed_ns(start_ns);
		return;
	}
	function_run_note_span(c, "sample", (int64_t)c->walls, c->iterations, s);
	function_run_keep(c, s);
	function_run_keep_gpu(c, &c->sample);
	*VEC_ADD(c->wall_ns, c->walls, c->wall_cap) =
	    function_run_iteration_ns(c, s->workers, c->iterations);
	c->measured_ns += (double)s->answer.wall_ns;
	run_progress_add(
	    &c->run_progress, (double)s->answer.wall_ns, clock_elapsed_ns(start_ns), true);
}

struct run_status function_run_status(const struct function_run *c)
{
	return c->status;
}

const char *function_run_why(const struct function_run *c)
{
	return *c->why ? c->why : NULL;
}

uint64_t function_run_iterations(const struct function_run *c)
{
	return c->iterations;
}

struct run_progress *function_run_progress(struct function_run *c)
{
	return &c->run_progress;
}
