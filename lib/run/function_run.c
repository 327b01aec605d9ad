/*
 * A function's processes and their samples; see function_run.h.
 *
 * A sample has as many iterations as take the time asked for, which is far above what the
 * clock resolves. They are counted out once, in the first process, and then stay, so that
 * all samples of a function are means of equally many.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run/function_run_priv.h"
#include "base/clock.h"
#include "subject/function.h"
#include "stats/steady.h"
#include "run/workers.h"

enum {
	CLOCK_STEPS = 1000, /* a sample lasts at least so many of the clock's */
	LEAST_SAMPLES = 10, /* of a process when a precision is asked for ... */
	FEWEST_SAMPLES = 2, /* ... and when not */
	GROWTH_MAX = 100,   /* from one attempt at a sample to the next */
};

static const double warmup_ns = 5e8; /* at most, when no time is asked for */

/* What the clock moves on by at least. */
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

static double sample_time_ns(const struct function_run *c)
{
	return fmax(c->plan->sample_ns, CLOCK_STEPS * clock_step_ns());
}

struct function_run *function_run_open(const struct plan *plan,
    const struct subject *subject, struct peaks *peaks, struct fault *f)
{
	const struct function *fn = subject->from->function;
	struct function_run *c = mem_zero(1, sizeof(*c));

	*c = (struct function_run){ .plan = plan, .subject = subject, .process = -1 };
	if (subject->work) {
		c->items = subject->work->samples;
		c->bytes = subject->work->bytes;
		c->peak = peaks_of(peaks, subject);
		return c;
	}
	if (function_amount(fn->items, subject, &c->items, f) < 0 ||
	    function_amount(fn->bytes, subject, &c->bytes, f) < 0) {
		struct fault why = *f;

		fault_set(f, "%s: %s", subject->from->bench, why.text);
		function_run_close(c);
		return NULL;
	}
	return c;
}

static void drop(struct kept *k)
{
	free(k->counts);
	free(k->workers);
	free(k->extra);
	*k = (struct kept){ 0 };
}

static void forget_warmups(struct function_run *c)
{
	for (size_t i = 0; i < c->warmups; i++)
		drop(&c->warmup[i]);
	c->warmups = c->warms = 0;
}

static void forget_process(struct function_run *c)
{
	helper_client_close(c->call);
	c->call = NULL;
	forget_warmups(c);
	drop(&c->sample);
	c->walls = 0;
	c->warming_ns = c->measured_ns = 0;
	c->settled = c->sampled = false;
	c->first_ns = -1;
	c->under_way = 0;
	*c->why = '\0';
}

void function_run_close(struct function_run *c)
{
	if (!c)
		return;
	forget_process(c);
	free(c->warmup);
	free(c->warm_ns);
	free(c->wall_ns);
	free(c->run_progress.value);
	run_sample_free(&c->row);
	free(c);
}

static struct kept keep(const struct function_run *c, const struct helper_sample *s)
{
	size_t counters = c->plan->counters->count, workers = workers_of(c->subject);
	struct kept k = { .answer = s->answer,
		.counts = mem_zero(counters + 1, sizeof(*k.counts)),
		.workers = mem_zero(workers, sizeof(*k.workers)) };

	memcpy(k.counts, s->counts, counters * sizeof(*k.counts));
	memcpy(k.workers, s->workers, workers * sizeof(*k.workers));
	if (s->extras) {
		k.extra = mem_zero(s->extras, sizeof(*k.extra));
		k.extras = s->extras;
		memcpy(k.extra, s->extra, s->extras * sizeof(*k.extra));
	}
	return k;
}

double function_run_iteration_ns(
    const struct function_run *c, const struct worker_result *workers, uint64_t iterations)
{
	double sum_ns = 0;

	for (uint32_t i = 0; i < workers_of(c->subject); i++)
		sum_ns += (double)workers[i].wall_ns;
	return sum_ns / workers_of(c->subject) / (double)iterations;
}

static const struct helper_sample *run(struct function_run *c, uint64_t iterations)
{
	const struct helper_sample *s;

	if (helper_client_state(c->call) != HELPER_LIVES)
		return NULL;
	c->under_way = iterations;
	s = helper_client_run(c->call, iterations);
	if (s)
		c->under_way = 0;
	return s;
}

/* Find how many iterations take the time of a sample. False: the process is gone. */
static bool count_out(struct function_run *c, bool *more_threads)
{
	double wanted_ns = sample_time_ns(c);
	uint64_t n = 1;

	for (;;) {
		const struct helper_sample *s = run(c, n);

		if (!s)
			return false;
		double wall_ns = fmax((double)s->answer.wall_ns, 1);
		double enough = wanted_ns / wall_ns * (double)n;

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

/* The first iteration, and what the samples are to be. False: the process is gone. */
static bool begin(struct function_run *c, bool *more_threads)
{
	const struct helper_sample *s = run(c, 1);

	if (!s)
		return false;
	c->first_ns = function_run_iteration_ns(c, s->workers, 1);
	*more_threads = s->answer.more_threads;
	return c->iterations || count_out(c, more_threads);
}

/* What of its process is the same for functions and lists on a device. */
static struct helper_config config_of(const struct function_run *c, uint32_t jitter)
{
	const struct plan *p = c->plan;

	return (struct helper_config){ .kind = FUNCTION_LOOP,
		.items = c->items,
		.bytes = c->bytes,
		.threads = c->subject->threads,
		.processes = c->subject->workers,
		.counters = p->counters,
		.family = c->family,
		.cpus = p->confined ? &p->cpus : NULL,
		.stdin_path = c->subject->stdin_path,
		.stdout_path = p->stdout_path,
		.inherit = p->output == OUTPUT_INHERIT,
		.jitter = jitter };
}

static void add_function(struct helper_config *config, const struct function_run *c)
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

static void add_list(struct helper_config *config, const struct function_run *c,
    const struct compute_job *job)
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
	config->timeout_ns = c->plan->compute_timeout_ns;
}

/* What the device can do at most, which its process has told. */
static void learn_peaks(struct function_run *c)
{
	size_t count;
	const struct helper_extra *told = helper_client_told(c->call, &count);

	for (size_t i = 0; i < count; i++)
		if (told[i].metric == METRIC_PEAK_FLOP_RATE)
			c->peak->flop_rate = told[i].value;
		else if (told[i].metric == METRIC_PEAK_BANDWIDTH)
			c->peak->bandwidth = told[i].value;
}

int function_run_start(struct function_run *c, uint32_t jitter, struct fault *f)
{
	struct compute_job job = { 0 };
	int64_t start_ns = clock_monotonic_ns();
	bool more_threads = false;
	int status = 0;

	c->process++;
	if (c->subject->work) {
		struct compute_opts opts = c->plan->compute;

		opts.ceilings = !c->peak->flop_rate && !c->peak->bandwidth;
		compute_job_make(&job, c->subject, &opts);
	}
	for (;;) {
		struct helper_config config = config_of(c, jitter);

		if (c->subject->work)
			add_list(&config, c, &job);
		else
			add_function(&config, c);
		forget_process(c);
		c->call = helper_client_open(&config, f);
		status = c->call ? 0 : -1;
		if (status < 0)
			break;
		begin(c, &more_threads);
		/* Counters that were opened for its own thread miss the others. */
		if (c->family || !more_threads || !c->plan->counters->count ||
		    helper_client_state(c->call) != HELPER_LIVES)
			break;
		c->family = true;
	}
	if (status == 0)
		learn_peaks(c);
	compute_job_free(&job);
	c->run_progress.spent_ns += clock_elapsed_ns(start_ns);
	return status;
}

/* Returns whether its process can be asked for samples. */
static bool process_lives(const struct function_run *c)
{
	return c->call && helper_client_state(c->call) == HELPER_LIVES;
}

bool function_run_may_start(const struct function_run *c)
{
	return !c->hopeless && c->process + 1 < (int64_t)function_run_processes(c);
}

uint64_t function_run_processes(const struct function_run *c)
{
	return c->subject->work ? c->plan->compute_processes : c->plan->processes;
}

struct stop_rule function_run_rule(const struct function_run *c)
{
	struct stop_rule rule =
	    c->subject->from->kind == KIND_MODEL ? c->plan->stop : c->plan->function_stop;

	if (c->subject->from->runs)
		rule.runs = c->subject->from->runs;
	return rule;
}

/* The longest that a process warms up. */
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

/* The function was slow at first, when its iterations were counted out. */
static bool is_too_short(const struct function_run *c, const struct helper_sample *s)
{
	return (double)s->answer.wall_ns < sample_time_ns(c) / 2;
}

/* Warm up anew with more iterations. */
static void count_more(struct function_run *c, const struct helper_sample *s)
{
	double enough = sample_time_ns(c) / fmax((double)s->answer.wall_ns, 1);

	c->iterations = (uint64_t)ceil((double)c->iterations * fmin(enough, GROWTH_MAX));
	forget_warmups(c);
}

void function_run_warm_up(struct function_run *c)
{
	int64_t start_ns = clock_monotonic_ns();
	const struct helper_sample *s = run(c, c->iterations);

	if (s) {
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
			*VEC_ADD(c->warmup, c->warmups, c->warmup_cap) = keep(c, s);
	}
out:
	c->run_progress.spent_ns += clock_elapsed_ns(start_ns);
}

/* Rules are for a subject; each process has its share of the time, and every one of the
 * runs. */
bool function_run_wants(struct function_run *c)
{
	struct stop_rule rule = function_run_rule(c);
	double processes = (double)function_run_processes(c),
	       due = (double)(c->process + 1) / processes;
	size_t least = rule.precision > 0 ? LEAST_SAMPLES : FEWEST_SAMPLES;

	if (!process_lives(c))
		return false;
	if (rule.max_ns > 0 && c->walls && c->run_progress.spent_ns >= rule.max_ns * due)
		return false;
	if (rule.runs)
		return c->walls < rule.runs;
	if (c->walls < least || c->measured_ns < rule.min_ns / processes)
		return true;
	return !run_progress_is_precise(&c->run_progress, &rule);
}

void function_run_sample(struct function_run *c)
{
	int64_t start_ns = clock_monotonic_ns();
	const struct helper_sample *s = run(c, c->iterations);

	if (!s) {
		c->run_progress.spent_ns += clock_elapsed_ns(start_ns);
		return;
	}
	drop(&c->sample);
	c->sample = keep(c, s);
	c->sampled = true;
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
