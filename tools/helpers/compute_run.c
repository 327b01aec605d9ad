/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a list on a device; see compute_run.h. The iterations of a kernel are queued back to
 * back, and the sample ends when the last one completes, so that the rate is measured. Each
 * iteration of a model is awaited, so that the time to its result is measured.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "compute_backend.h"
#include "compute_ceilings.h"
#include "compute_run.h"
#include "compute_whole.h"
#include "engine/engine.h"
#include "engine/verify.h"
#include "graph/dtype.h"
#include "helper_io.h"
#include "helper_job.h"
#include "helper_spans.h"
#include "helper_tokens.h"
#include "op_times.h"
#include "protocol/compute_proto.h"
#include "text/units.h"

enum { STEPS_CHECKED = 2 }; /* the steps that --check compares */

/* The job of a worker, and its sums. */
struct job {
	struct bench *bench;
	struct model *model;
	bool is_kernel, leads;
	bool traced; /* whether the current iteration is part of the timeline */
	enum backend_dtype dtype;
	struct binding *param;
	size_t params;
	struct engine_input *input;
	size_t inputs;
	struct engine *engine;
	struct engine_opts config;
	struct graph graph[ENGINE_PHASES];
	uint64_t new_tokens;
	int64_t past;  /* the number of tokens before the first step */
	uint32_t next; /* the value with the last new tokens, or GRAPH_NONE */
	double *drawn; /* a buffer for that value */
	double memory_sum, memory_most;
	uint64_t looks;
};

static const struct compute_request *request;
static const struct backend *backend;
static double backend_ns; /* the time to load it */

static _Noreturn void give_up(const struct fault *f)
{
	helper_give_up(HELPER_FAILED, "%s", f->text);
}

static const char *job_text(enum compute_text which)
{
	return helper_job.job_text[which];
}

/* Returns a string of the request, or NULL if it is empty. */
static const char *text_or_null(enum compute_text which)
{
	return *job_text(which) ? job_text(which) : NULL;
}

static void read_params(struct job *j)
{
	const char **inputs = helper_job.job_text + COMPUTE_TEXTS;

	j->params = helper_job.request.params;
	j->inputs = request->inputs;
	j->param = calloc(j->params + 1, sizeof(*j->param));
	j->input = calloc(j->inputs + 1, sizeof(*j->input));
	if (!j->param || !j->input)
		helper_give_up(HELPER_FAILED, "no memory");
	for (size_t i = 0; i < j->params; i++)
		j->param[i] =
		    (struct binding){ helper_job.param_name[i], helper_job.param_text[i] };
	for (size_t i = 0; i < j->inputs; i++)
		j->input[i] = (struct engine_input){ inputs[2 * i], inputs[2 * i + 1] };
}

static void expand_phases(struct job *j)
{
	struct fault f;

	j->model = j->is_kernel ? kernel_open(helper_job.symbol, &f)
	                        : model_open(helper_job.symbol, &f);
	if (!j->model)
		give_up(&f);
	for (int i = 0; i < ENGINE_PHASES; i++)
		if ((i == MODEL_FORWARD || j->new_tokens > 1) &&
		    model_expand(j->model,
		        &(struct model_expand_opts){ .param = j->param,
		            .params = j->params,
		            .phase = (enum model_phase)i,
		            .dtype = j->dtype },
		        &j->graph[i], &f) < 0)
			give_up(&f);
	j->past = graph_cached(&j->graph[MODEL_FORWARD]);
}

/* Returns the device of a worker. */
static struct backend_config worker_device(uint32_t worker)
{
	return (struct backend_config){ .abi = BACKEND_ABI,
		.device = request->device[worker % request->devices],
		.threads = request->threads,
		.share_dir = job_text(COMPUTE_SHARE),
		.cache_dir = text_or_null(COMPUTE_CACHE) };
}

static void open_engine(struct job *j)
{
	enum engine_trouble trouble;
	struct fault f;

	j->config = (struct engine_opts){ .backend = backend,
		.device = worker_device(j->bench->worker),
		.graph = { &j->graph[MODEL_FORWARD], &j->graph[MODEL_STEP] },
		.seed = request->seed,
		.rounding = j->dtype,
		.input = j->input,
		.inputs = j->inputs,
		.keep_choices = request->check };
	j->engine = engine_open(&j->config, &trouble, &f);
	if (!j->engine)
		helper_give_up(trouble == ENGINE_UNSUPPORTED ? HELPER_SKIPPED
		               : trouble == ENGINE_NO_ROOM   ? HELPER_ABSENT
		                                             : HELPER_FAILED,
		    "%s", f.text);
}

/* Finds the value with the new tokens of all samples, which is read after each step as an
 * application would. */
static void find_next(struct job *j)
{
	const struct graph *g = engine_graph(j->engine, MODEL_FORWARD);

	j->next = GRAPH_NONE;
	for (uint32_t i = 0; j->new_tokens && i < g->values; i++)
		if (g->value[i].role == BACKEND_STATE && g->value[i].of == i &&
		    g->value[i].dtype == BACKEND_INT32)
			j->next = i;
	if (!j->new_tokens)
		return;
	if (j->next == GRAPH_NONE)
		helper_give_up(HELPER_FAILED, "the list of the model makes no new tokens");
	j->drawn = calloc((size_t)graph_elements(&g->value[j->next]), sizeof(*j->drawn));
	if (!j->drawn)
		helper_give_up(HELPER_FAILED, "no memory");
}

static void check_results(struct job *j)
{
	const int64_t start_ns = clock_monotonic_ns();
	const struct verify_opts config = { .model = j->model,
		.param = j->param,
		.params = j->params,
		.dtype = j->dtype,
		.engine = &j->config,
		.past = j->past,
		.steps = j->new_tokens > STEPS_CHECKED ? STEPS_CHECKED
		         : j->new_tokens > 1           ? 1
		                                       : 0 };
	const double most = verify_tolerance(engine_graph(j->engine, MODEL_FORWARD));
	struct verify_result result;
	struct fault f;

	if (verify_run(j->engine, &config, &result, &f) < 0)
		helper_give_up(HELPER_FAILED, "--check: %s", f.text);
	if (!verify_accept(&result, most, j->dtype, &f))
		helper_give_up(HELPER_FAILED, "--check: %s", f.text);
	if (!j->leads)
		return;
	helper_spans_phase("check", NULL, start_ns, clock_elapsed_ns(start_ns));
	helper_tell(METRIC_ERROR, NULL, result.error);
	if (!isnan(result.choices_differing))
		helper_tell(METRIC_CHOICES_DIFFERING, NULL, result.choices_differing);
}

static void note_memory(struct job *j)
{
	double now = (double)engine_memory(j->engine);

	j->memory_sum += now;
	j->memory_most = now > j->memory_most ? now : j->memory_most;
	j->looks++;
}

static void wait_for(struct job *j)
{
	struct fault f;

	if (engine_sync(j->engine, &f) < 0)
		give_up(&f);
}

static void run_phase(struct job *j, enum model_phase phase, int64_t past)
{
	struct fault f;

	if (engine_run(j->engine, phase, past, &f) < 0)
		give_up(&f);
}

/* Waits until the new tokens are on the host. */
static void take_token(struct job *j)
{
	struct fault f;

	wait_for(j);
	if (engine_read(j->engine, MODEL_FORWARD, j->next, j->drawn, &f) < 0)
		give_up(&f);
}

/* Generates the tokens of an iteration. */
static void generate_tokens(struct job *j, uint64_t iteration)
{
	int64_t begin_ns = clock_monotonic_ns(), end_ns;

	for (uint64_t k = 0; k < j->new_tokens; k++, begin_ns = end_ns) {
		if (k == 0)
			run_phase(j, MODEL_FORWARD, 0);
		else
			run_phase(j, MODEL_STEP, j->past + (int64_t)k - 1);
		take_token(j);
		end_ns = helper_token(j->bench, iteration, begin_ns);
		if (j->traced)
			helper_spans_token(k + 1, begin_ns, end_ns);
	}
}

/* Writes the next batch to the device, which is not part of the sample. */
static void next_batch(struct job *j)
{
	const struct bench_ops *ops = j->bench->ops;
	struct fault f;

	if (!engine_has_batches(j->engine))
		return;
	ops->pause(j->bench);
	if (engine_next_batch(j->engine, &f) < 0)
		give_up(&f);
	ops->resume(j->bench);
}

static void run_once(struct job *j, uint64_t iteration)
{
	if (j->new_tokens)
		generate_tokens(j, iteration);
	else {
		run_phase(j, MODEL_FORWARD, 0);
		if (!j->is_kernel)
			wait_for(j);
	}
}

static void take_samples(struct job *j)
{
	const struct bench_ops *ops = j->bench->ops;

	for (uint64_t n = ops->next(j->bench); n; n = ops->next(j->bench)) {
		for (uint64_t i = 0; i < n; i++) {
			if (i == 0 || !j->is_kernel)
				next_batch(j);
			run_once(j, i);
		}
		wait_for(j);
		if (helper_under_load())
			continue; /* the request ends here */
		note_memory(j);
	}
}

/* Measures the peaks of the device, for the first answer. */
static void report_ceilings(const struct backend_file *file)
{
	const struct backend_config config = worker_device(0);
	const struct measured_peaks p =
	    ceilings_measure(file, &config, (enum backend_dtype)request->dtype);
	const struct {
		enum run_metric metric;
		double value;
	} told[] = { { METRIC_PEAK_FLOP_RATE, p.flop_rate },
		{ METRIC_PEAK_MATRIX_RATE, p.matrix_rate },
		{ METRIC_PEAK_BANDWIDTH, p.bandwidth },
		{ METRIC_PEAK_CACHE_BANDWIDTH, p.cache_bandwidth },
		{ METRIC_PEAK_CACHE_SIZE, p.cache_bytes } };

	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		if (told[i].value > 0)
			helper_tell(told[i].metric, NULL, told[i].value);
}

static void report_ready(struct job *j)
{
	struct engine_times times = engine_times(j->engine);
	const int64_t opened_ns = times.begin_ns + (int64_t)times.open_ns,
	              loaded_ns = opened_ns + (int64_t)times.load_ns;

	helper_spans_phase("open", "device", times.begin_ns, times.open_ns);
	helper_spans_phase("load", NULL, opened_ns, times.load_ns);
	helper_spans_phase("compile", NULL, loaded_ns, times.compile_ns);
	helper_tell(METRIC_OPEN, NULL, backend_ns + times.open_ns);
	helper_tell(METRIC_LOAD, NULL, times.load_ns);
	helper_tell(METRIC_COMPILE, NULL, times.compile_ns);
}

static void report_end(struct job *j)
{
	if (request->timeline && j->new_tokens) {
		j->traced = true;
		generate_tokens(j, 0);
	}
	if (request->ops || request->timeline) {
		op_times_tell(j->engine, MODEL_FORWARD, "", request->ops);
		if (j->new_tokens > 1)
			op_times_tell(j->engine, MODEL_STEP, "step ", request->ops);
	}
	const double graphs = engine_graph_share(j->engine);
	if (!isnan(graphs))
		helper_tell(METRIC_GRAPH, NULL, graphs);
	if (j->memory_most <= 0)
		return;
	helper_tell(METRIC_DEVICE_MEMORY, NULL, j->memory_most);
	if (engine_memory_context(j->engine))
		helper_tell(METRIC_DEVICE_MEMORY_CONTEXT, NULL,
		    (double)engine_memory_context(j->engine));
	helper_tell(METRIC_DEVICE_MEMORY_MEAN, NULL, j->memory_sum / (double)j->looks);
}

static void close_job(struct job *j)
{
	engine_close(j->engine);
	model_close(j->model);
	for (int i = 0; i < ENGINE_PHASES; i++)
		graph_free(&j->graph[i]);
	free(j->param);
	free(j->input);
	free(j->drawn);
}

/* Runs a worker from its request to its end. */
static void run_worker(struct bench *b)
{
	struct job j = { .bench = b,
		.is_kernel = request->is_kernel,
		.leads = b->worker == 0,
		.dtype = (enum backend_dtype)request->dtype,
		.new_tokens = request->new_tokens };

	read_params(&j);
	expand_phases(&j);
	open_engine(&j);
	find_next(&j);
	if (j.leads)
		report_ready(&j);
	worker_barrier_note_ready(helper_job.barrier, b->worker);
	if (request->check)
		check_results(&j);
	note_memory(&j);
	take_samples(&j);
	if (j.leads)
		report_end(&j);
	close_job(&j);
}

/* Returns the file of the backend. */
static struct backend_file backend_file(void)
{
	return (struct backend_file){ .name = (char *)helper_job.object,
		.path = (char *)text_or_null(COMPUTE_PLUGIN) };
}

void compute_prepare(void)
{
	const struct backend_file file = backend_file();
	const int64_t start_ns = clock_monotonic_ns();

	request = helper_job.job;
	if (!request->ceilings)
		return;
	helper_spans_want(request->timeline);
	setenv("BENCH_SHARE", job_text(COMPUTE_SHARE), 1);
	report_ceilings(&file);
	helper_spans_phase("peaks", NULL, start_ns, clock_elapsed_ns(start_ns));
}

void compute_load(void)
{
	const struct backend_file file = backend_file();
	int64_t start_ns;
	struct fault f;

	request = helper_job.job;
	helper_spans_want(request->timeline);
	setenv("BENCH_SHARE", job_text(COMPUTE_SHARE), 1);
	start_ns = clock_monotonic_ns();
	backend = compute_backend_load(&file, &f);
	backend_ns = clock_elapsed_ns(start_ns);
	helper_spans_phase("open", "plug-in", start_ns, backend_ns);
	if (!backend)
		give_up(&f);
	if (backend->engine) {
		compute_whole_begin(request, backend, backend_ns);
		helper_job.run = compute_whole_run;
	} else
		helper_job.run = run_worker;
}
