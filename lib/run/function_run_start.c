/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts a function's processes and calibrates the iterations of a sample; see
 * function_run_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "run/function_run_priv.h"
#include "subject/compute.h"
#include "subject/function.h"

enum {
	CLOCK_STEPS = 1000, /* least duration of a sample, in steps of the clock */
	GROWTH_MAX = 100,   /* from one attempt at a sample to the next */
};

/* Returns the smallest step of the clock. */
static double clock_step_ns(void)
{
	double step_ns = INFINITY;

	for (int i = 0; i < 20; i++) {
		int64_t start_ns = clock_monotonic_ns(), end_ns;

		while ((end_ns = clock_monotonic_ns()) <= start_ns)
			;
		step_ns = fmin(step_ns, (double)(end_ns - start_ns));
	}
	return step_ns;
}

double function_run_sample_ns(const struct function_run *c)
{
	const struct template *from = c->subject->from;
	const bool queued = from->kind == KIND_KERNEL && !from->compute->on_host;

	return fmax(queued ? c->plan->device_sample_ns : c->plan->sample_ns,
	    CLOCK_STEPS * clock_step_ns());
}

/*
 * Finds the number of iterations that fill a sample. Returns false if the process has
 * ended.
 */
static bool count_out(struct function_run *c, bool *more_threads)
{
	double wanted_ns = function_run_sample_ns(c);
	uint64_t n = 1;

	for (;;) {
		const struct helper_sample *s = function_run_iterate(c, n);

		if (!s)
			return false;
		double wall_ns = fmax((double)s->answer.wall_ns, 1);
		double enough = wanted_ns / wall_ns * (double)n;

		function_run_note_span(c, "calibrate", -1, n, s);
		*more_threads = s->answer.more_threads;
		if (wall_ns >= wanted_ns)
			break;
		if (wall_ns >= wanted_ns / 2) {
			n = (uint64_t)ceil(enough);
			break;
		}
		n = (uint64_t)ceil(fmin(enough, (double)n * GROWTH_MAX)) + 1;
	}
	c->iterations = n;
	return true;
}

/*
 * Runs the first iteration and calibrates the samples. Returns false if the process has
 * ended.
 */
static bool calibrate_process(struct function_run *c, bool *more_threads)
{
	const struct helper_sample *s = function_run_iterate(c, 1);

	if (!s)
		return false;
	c->first_ns = function_run_iteration_ns(c, s->workers, 1);
	function_run_note_span(c, "first", -1, 1, s);
	*more_threads = s->answer.more_threads;
	return c->iterations || count_out(c, more_threads);
}

/* Returns the options that functions and lists on a device have in common. */
static struct helper_opts config_of(const struct function_run *c, uint32_t jitter)
{
	const struct plan *p = c->plan;

	return (struct helper_opts){ .kind = FUNCTION_LOOP,
		.items = c->items,
		.bytes = c->bytes,
		.threads = c->subject->threads,
		.processes = c->subject->workers,
		.counters = p->counters,
		.family = c->family,
		.loaded = p->load != NULL,
		.cpus = p->confined ? &p->cpus : NULL,
		.env = c->subject->env,
		.stdin_path = c->subject->stdin_path,
		.stdout_path = p->stdout_path,
		.inherit = p->output == OUTPUT_INHERIT,
		.jitter = jitter };
}

static void add_function(struct helper_opts *config, const struct function_run *c)
{
	const struct function *fn = c->subject->from->function;

	config->helper = "bench-call";
	config->object = fn->object;
	config->symbol = fn->symbol;
	config->set_up = fn->set_up;
	config->tear_down = fn->tear_down;
	config->kind = fn->kind;
	config->param = c->subject->factor;
	config->params = c->subject->factors;
	config->allocs = c->plan->allocs;
	config->timeout_ns = c->plan->function_timeout_ns;
}

static void add_list(
    struct helper_opts *config, const struct function_run *c, const struct compute_job *job)
{
	config->helper = "bench-compute";
	config->object = c->subject->from->compute->backend;
	config->symbol = c->subject->from->list;
	config->param = job->param;
	config->params = job->params;
	config->job = job->request;
	config->job_size = job->size;
	config->job_text = job->text;
	config->job_texts = job->texts;
	config->generates = c->subject->work->new_tokens > 0;
	config->timeout_ns = c->plan->compute_timeout_ns;
}

/* Records the peak rates of the device that the process reported. */
static void learn_peaks(struct function_run *c)
{
	size_t count;
	const struct helper_extra *told = helper_client_told(c->call, &count);

	for (size_t i = 0; c->asks_peaks && i < count; i++) {
		double *peak = peak_place(c->peak, (enum run_metric)told[i].metric);

		if (peak)
			*peak = told[i].value;
	}
}

/* Makes the job of a kernel or model, which asks for the peaks if they are wanted and not
 * known. */
static void make_job(struct function_run *c, struct compute_job *job)
{
	struct compute_opts opts = c->plan->compute;

	if (c->peak->flop_rate > 0 || c->peak->matrix_rate > 0 || c->peak->bandwidth > 0)
		opts.ceilings = false;
	c->asks_peaks |= opts.ceilings;
	compute_job_free(job);
	compute_job_make(job, c->subject, &opts);
}

int function_run_start(struct function_run *c, uint32_t jitter, struct fault *f)
{
	struct compute_job job = { 0 };
	int64_t start_ns = clock_monotonic_ns();
	bool more_threads = false;
	int status = 0;

	c->process++;
	c->asks_peaks = false;
	for (;;) {
		struct helper_opts config = config_of(c, jitter);

		if (c->subject->work) {
			make_job(c, &job);
			add_list(&config, c, &job);
		} else
			add_function(&config, c);
		function_run_forget(c);
		c->call = helper_client_open(&config, f);
		status = c->call ? 0 : -1;
		if (status < 0)
			break;
		calibrate_process(c, &more_threads);
		learn_peaks(c);
		/*
		 * Counters opened for the process's first thread miss its other
		 * threads.
		 */
		if (c->family || !more_threads || !c->plan->counters->count ||
		    helper_client_state(c->call) != HELPER_LIVES)
			break;
		c->family = true;
	}
	compute_job_free(&job);
	c->run_progress.spent_ns += clock_elapsed_ns(start_ns);
	return status;
}
