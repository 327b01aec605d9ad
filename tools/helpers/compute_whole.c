/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs models on engines; see compute_whole.h. Each iteration ends when the outputs are
 * complete, so the time to a result is measured.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "compute_whole.h"
#include "engine/verify.h"
#include "graph/dtype.h"
#include "graph/graph_quantize.h"
#include "helper_io.h"
#include "helper_job.h"
#include "helper_spans.h"
#include "helper_tokens.h"
#include "text/plural.h"
#include "whole_feed.h"
#include "whole_import.h"
#include "whole_ops.h"
#include "whole_tokens.h"

enum { STEPS_CHECKED = 2 }; /* the steps that --check compares */

/* The work of a worker. */
struct whole_job {
	struct exported_list_opts config; /* of a list */
	struct bench *bench;
	struct backend_session *session;
	struct whole_pass pass[ENGINE_PHASES]; /* MODEL_STEP only if tokens are generated */
	struct whole_feed feed[ENGINE_PHASES];
	struct whole_tokens tokens;
	struct whole_import import; /* of an ONNX file */
	double open_ns;
	bool traced; /* whether the current iteration is part of the timeline */
	double memory_sum, memory_most;
	uint64_t looks;
	double fallback_ops; /* NAN if unknown */
	double cache;        /* 1: the model comes from a cache, 0: not; NAN if unknown */
};

static const struct compute_request *request;
static const struct backend *backend;
static double backend_ns;

void compute_whole_begin(
    const struct compute_request *r, const struct backend *b, double loading_ns)
{
	request = r;
	backend = b;
	backend_ns = loading_ns;
}

/* Ends the helper with a message: what failed, unless it is empty, and why. */
static _Noreturn void give_up(const char *what, const char *why)
{
	helper_give_up(HELPER_FAILED, "%s%s%s", what, *what ? ": " : "", why);
}

/* Returns a string of the request. */
static const char *job_text(enum compute_text which)
{
	return helper_job.job_text[which];
}

/* Returns a name or value of the request after its fixed strings. */
static const char *pair_text(size_t pair, size_t which)
{
	return helper_job.job_text[COMPUTE_TEXTS + 2 * pair + which];
}

/* Reads the parameters of a list, or the open dimensions of a model file. */
static void read_config(struct whole_job *j)
{
	const size_t params = helper_job.request.params;
	struct binding *param = helper_zero(params, sizeof(*param));
	struct engine_input *input = helper_zero(request->inputs, sizeof(*input));

	for (size_t i = 0; i < params; i++)
		param[i] =
		    (struct binding){ helper_job.param_name[i], helper_job.param_text[i] };
	for (size_t i = 0; i < request->inputs; i++)
		input[i] = (struct engine_input){ pair_text(i, 0), pair_text(i, 1) };
	j->config = (struct exported_list_opts){ .name = helper_job.symbol,
		.kernel = request->is_kernel,
		.param = param,
		.params = params,
		.dtype = (enum backend_dtype)request->dtype,
		.seed = request->seed,
		.input = input,
		.inputs = request->inputs };
}

/* Returns pairs of the request as options. The caller frees the array. */
static struct backend_option *read_options(size_t first, size_t count)
{
	struct backend_option *option = helper_zero(count, sizeof(*option));

	for (size_t i = 0; i < count; i++)
		option[i] = (struct backend_option){ pair_text(first + i, 0),
			pair_text(first + i, 1) };
	return option;
}

/* Makes NVIDIA's libraries compute lists in the type that they name: by default, engines
 * round float32 to TF32. A model file is computed as the engine does it where it is
 * deployed. */
static void forbid_tf32(void)
{
	if (!*job_text(COMPUTE_FILE))
		setenv("NVIDIA_TF32_OVERRIDE", "0", 0);
}

/* Opens the device of this worker, and measures how long that takes. */
static void open_session(struct whole_job *j)
{
	const struct backend_config config = { .abi = BACKEND_ABI,
		.device = request->device[j->bench->worker % request->devices],
		.threads = request->threads,
		.share_dir = job_text(COMPUTE_SHARE),
		.cache_dir = *job_text(COMPUTE_CACHE) ? job_text(COMPUTE_CACHE) : NULL };
	const int64_t start_ns = clock_monotonic_ns();
	char why[BACKEND_WHY + 1] = "";

	j->session = backend->open(&config, why);
	if (!j->session)
		give_up("cannot open the device", why);
	j->open_ns = clock_elapsed_ns(start_ns);
	if (j->bench->worker == 0)
		helper_spans_phase("open", "device", start_ns, j->open_ns);
}

/* Gives up if a list in int8 would not be computed in int8. */
static void refuse_int8(const struct whole_job *j, const struct exported_list *list)
{
	const struct backend_engine *e = backend->engine;
	const char *lack =
	    graph_quantized_share(exported_list_graph(list)) > 0 && e->lacks_int8
	        ? e->lacks_int8(j->session)
	        : NULL;

	if (lack)
		helper_give_up(HELPER_SKIPPED, "%s: %s", backend->name, lack);
}

/* Loads the model of a phase, and sets its inputs. */
static void open_pass(struct whole_job *j, enum model_phase phase)
{
	struct whole_pass *p = &j->pass[phase];
	const bool is_file = *job_text(COMPUTE_FILE);
	struct backend_option *option = read_options(request->inputs, request->options),
	                      *dimension = read_options(
	                          request->inputs + request->options, request->dimensions);
	struct fault f;

	p->backend = backend;
	if (!is_file && !(p->list = exported_list_open(&j->config, phase, &f)))
		give_up("", f.text);
	if (p->list)
		refuse_int8(j, p->list);
	whole_pass_load(p, j->session,
	    (struct backend_model_source){ .path = is_file ? job_text(COMPUTE_FILE) : NULL,
	        .option = option,
	        .options = request->options,
	        .dimension = dimension,
	        .dimensions = request->dimensions,
	        .profile = request->ops || request->timeline });
	if (j->bench->worker == 0)
		helper_spans_phase("load",
		    request->new_tokens < 2 ? NULL
		    : phase == MODEL_STEP   ? "step"
		                            : "prompt",
		    p->load_start_ns, p->load_ns);
	free(option);
	free(dimension);
	whole_feed_open(&j->feed[phase], p,
	    &(struct whole_feed_opts){ &j->config, whole_import_graph(&j->import) });
}

/* Generates the tokens of an iteration. */
static void generate_tokens(struct whole_job *j, uint64_t iteration)
{
	struct whole_tokens *t = &j->tokens;
	int64_t begin_ns = clock_monotonic_ns(), end_ns;

	for (uint64_t k = 0; k < request->new_tokens; k++, begin_ns = end_ns) {
		if (k == 0)
			whole_tokens_run_prompt(t);
		else
			whole_tokens_run_step(t, t->past + (int64_t)k - 1);
		whole_tokens_take(t, k == 0 ? t->prompt : t->step);
		end_ns = helper_token(j->bench, iteration, begin_ns);
		if (j->traced)
			helper_spans_token(k + 1, begin_ns, end_ns);
	}
}

/* Sets the next batch, which is not part of the sample. */
static void next_batch(struct whole_job *j)
{
	const struct bench_ops *ops = j->bench->ops;

	if (!j->feed[MODEL_FORWARD].inputs)
		return;
	ops->pause(j->bench);
	whole_feed_next(&j->feed[MODEL_FORWARD]);
	ops->resume(j->bench);
}

/* Runs one iteration. */
static void run_once(struct whole_job *j, uint64_t iteration)
{
	next_batch(j);
	if (request->new_tokens)
		generate_tokens(j, iteration);
	else
		whole_pass_run(&j->pass[MODEL_FORWARD]);
}

/* Adds the memory that the device uses now. */
static void note_memory(struct whole_job *j)
{
	double now = backend->memory ? (double)backend->memory(j->session) : 0;

	j->memory_sum += now;
	j->memory_most = fmax(j->memory_most, now);
	j->looks++;
}

/* Takes the samples. */
static void take_samples(struct whole_job *j)
{
	const struct bench_ops *ops = j->bench->ops;

	for (uint64_t n = ops->next(j->bench); n; n = ops->next(j->bench)) {
		for (uint64_t i = 0; i < n; i++)
			run_once(j, i);
		if (helper_under_load())
			continue; /* the request ends here */
		note_memory(j);
	}
}

/* Ends the helper if the engine uses another number of threads than the rows would show. */
static void check_threads(const char *value)
{
	unsigned long used = strtoul(value, NULL, 10);

	if (used && request->threads && used != request->threads)
		helper_give_up(HELPER_SKIPPED,
		    "%s uses %lu thread%s, not %u: run -P threads=%lu", backend->name, used,
		    plural_s(used), request->threads, used);
}

/* Keeps a fact that becomes a metric. */
static void keep_fact(void *context, const char *name, const char *value)
{
	struct whole_job *j = context;

	if (strcmp(name, "threads") == 0)
		check_threads(value);
	if (strcmp(name, "fallback_ops") == 0)
		j->fallback_ops = strtod(value, NULL);
	if (strcmp(name, "cache") == 0)
		j->cache = strcmp(value, "hit") == 0    ? 1
		           : strcmp(value, "miss") == 0 ? 0
		                                        : NAN;
}

/* Reports the costs of loading, and the facts about the loaded model. */
static void report_ready(struct whole_job *j)
{
	helper_tell(METRIC_OPEN, NULL, backend_ns + j->open_ns);
	helper_tell(METRIC_LOAD, NULL,
	    j->pass[MODEL_FORWARD].load_ns + j->pass[MODEL_STEP].load_ns);
	j->fallback_ops = j->cache = NAN;
	if (backend->engine->facts)
		backend->engine->facts(j->pass[MODEL_FORWARD].model, keep_fact, j);
	if (!isnan(j->fallback_ops))
		helper_tell(METRIC_FALLBACK_OPS, NULL, j->fallback_ops);
	if (!isnan(j->cache))
		helper_tell(METRIC_CACHE_HIT, NULL, j->cache);
}

/* Runs a phase, for the comparison with the reference. */
static int run_phase(void *context, enum model_phase phase, int64_t past, struct fault *f)
{
	struct whole_job *j = context;

	(void)f;
	if (phase == MODEL_STEP)
		whole_tokens_run_step(&j->tokens, past);
	else if (request->new_tokens)
		whole_tokens_run_prompt(&j->tokens);
	else
		whole_pass_run(&j->pass[MODEL_FORWARD]);
	return 0;
}

/* Reads an output or a state, for the comparison with the reference. */
static int read_value(void *context, enum model_phase phase, const char *name, bool state,
    double *out, size_t count, struct fault *f)
{
	const struct whole_job *j = context;

	return whole_pass_read(&j->pass[phase], name, state, out, count, f);
}

/* Returns the type whose rounding --check allows. An engine computes a model file in the
 * types of its inputs, outputs and weights, regardless of the type of the reference. */
static enum backend_dtype coarsest_type(const struct whole_job *j, const struct graph *g)
{
	const struct whole_pass *p = &j->pass[MODEL_FORWARD];
	enum backend_dtype found = j->config.dtype;

	for (size_t i = 0; i < g->values + (p->list ? 0 : p->ports); i++) {
		const struct graph_value *v = i < g->values ? &g->value[i] : NULL;
		const int type = !v ? dtype_find(p->port[i - g->values].type)
		                 : v->fill == FILL_DATA ? (int)v->data_dtype
		                                        : (int)v->dtype;

		if (type >= 0 && verify_type_tolerance((enum backend_dtype)type) >
		                     verify_type_tolerance(found))
			found = (enum backend_dtype)type;
	}
	return found;
}

/* Compares the results with those of the reference. */
static void check_results(struct whole_job *j)
{
	const struct engine_opts engine = { .device = { .share_dir =
		                                            job_text(COMPUTE_SHARE) },
		.seed = request->seed,
		.input = j->config.input,
		.inputs = j->config.inputs };
	const struct exported_list *list = j->pass[MODEL_FORWARD].list;
	const struct graph *graph =
	    list ? exported_list_graph(list) : whole_import_graph(&j->import);
	const struct verify_opts config = { .model = list ? exported_list_model(list)
		                                          : j->import.model,
		.param = j->config.param,
		.params = j->config.params,
		.dtype = j->config.dtype,
		.engine = &engine,
		.past = j->tokens.past,
		.steps = request->new_tokens > STEPS_CHECKED ? STEPS_CHECKED
		         : request->new_tokens > 1           ? 1
		                                             : 0 };
	const int64_t start_ns = clock_monotonic_ns();
	enum backend_dtype type;
	struct verify_result result;
	double most;
	struct fault f;

	if (!graph)
		give_up("--check", "there is no reference");
	if (j->feed[MODEL_FORWARD].masks)
		give_up("--check",
		    "the reference has no mask: give sequences that need no padding");
	type = coarsest_type(j, graph);
	most = fmax(verify_type_tolerance(type), verify_tolerance(graph));
	if (verify_results(&(struct verify_tested){ run_phase, read_value, j }, &config,
	        &result, &f) < 0)
		give_up("--check", f.text);
	if (!verify_accept(&result, most, type, &f))
		give_up("--check", f.text);
	if (j->bench->worker != 0)
		return;
	helper_spans_phase("check", NULL, start_ns, clock_elapsed_ns(start_ns));
	helper_tell(METRIC_ERROR, NULL, result.error);
	if (!isnan(result.choices_differing))
		helper_tell(METRIC_CHOICES_DIFFERING, NULL, result.choices_differing);
}

/* Reports the times of operations, and the memory of the device. */
static void report_end(struct whole_job *j)
{
	if (request->timeline && request->new_tokens) {
		j->traced = true;
		generate_tokens(j, 0);
	}
	if (request->ops || request->timeline)
		whole_ops_report(
		    backend->engine, j->pass[MODEL_FORWARD].model, request->ops);
	if (j->memory_most <= 0)
		return;
	helper_tell(METRIC_DEVICE_MEMORY, NULL, j->memory_most);
	if (backend->memory_context && backend->memory_context(j->session))
		helper_tell(METRIC_DEVICE_MEMORY_CONTEXT, NULL,
		    (double)backend->memory_context(j->session));
	helper_tell(METRIC_DEVICE_MEMORY_MEAN, NULL, j->memory_sum / (double)j->looks);
}

void compute_whole_run(struct bench *b)
{
	struct whole_job j = { .bench = b };

	read_config(&j);
	forbid_tf32();
	open_session(&j);
	whole_import_open(
	    &j.import, job_text(COMPUTE_FILE), j.config.param, j.config.params);
	open_pass(&j, MODEL_FORWARD);
	if (request->new_tokens > 1)
		open_pass(&j, MODEL_STEP);
	if (request->new_tokens) {
		j.tokens.prompt = &j.pass[MODEL_FORWARD];
		j.tokens.step = request->new_tokens > 1 ? &j.pass[MODEL_STEP] : NULL;
		whole_tokens_open(&j.tokens);
	}
	if (b->worker == 0)
		report_ready(&j);
	worker_barrier_note_ready(helper_job.barrier, b->worker);
	if (request->check)
		check_results(&j);
	note_memory(&j);
	take_samples(&j);
	if (b->worker == 0)
		report_end(&j);
	whole_tokens_close(&j.tokens);
	for (int i = 0; i < ENGINE_PHASES; i++)
		if (j.pass[i].backend) {
			whole_feed_close(&j.feed[i]);
			whole_pass_close(&j.pass[i]);
		}
	backend->close(j.session);
	whole_import_close(&j.import);
	free((void *)j.config.param);
	free((void *)j.config.input);
}
