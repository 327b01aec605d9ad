/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs models on engines; see compute_whole.h. Each iteration ends when the outputs are
 * complete, so the time to a result is measured.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "compute_whole.h"
#include "engine/exported_list.h"
#include "engine/verify.h"
#include "graph/dtype.h"
#include "helper_io.h"
#include "helper_worker.h"
#include "onnx/onnx_export.h"
#include "port/port_file.h"
#include "port/port_shape.h"
#include "whole_inputs.h"
#include "whole_ops.h"

/* The work of a worker. */
struct whole_job {
	struct exported_list_opts config; /* of a list */
	struct exported_list *list;       /* NULL for a model file */
	struct bench *bench;
	struct backend_session *session;
	struct backend_model *model;
	struct backend_port *port;
	size_t ports;
	double open_ns, load_ns;
	double memory_sum, memory_most;
	uint64_t looks;
	double fallback_ops; /* NAN if unknown */
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

static _Noreturn void give_up(const char *what, const char *why)
{
	helper_give_up(HELPER_FAILED, "%s%s%s", what, *what ? ": " : "", why);
}

static const char *text(enum compute_text which)
{
	return helper_job.job_text[which];
}

/* Returns a name or value of the request after its fixed texts. */
static const char *pair_text(size_t pair, size_t which)
{
	return helper_job.job_text[COMPUTE_TEXTS + 2 * pair + which];
}

/* Returns zeroed memory, or gives up. */
static void *room(size_t count, size_t size)
{
	void *ptr = calloc(count + 1, size);

	if (!ptr)
		give_up("", "no memory");
	return ptr;
}

/* Expands the list, unless the request has a model file. */
static void open_list(struct whole_job *j)
{
	const size_t params = helper_job.request.params;
	struct binding *param = room(params, sizeof(*param));
	struct engine_input *input = room(request->inputs, sizeof(*input));
	struct fault f;

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
	if (*text(COMPUTE_FILE))
		return;
	j->list = exported_list_open(&j->config, MODEL_FORWARD, &f);
	if (!j->list)
		give_up("", f.text);
}

/* Returns pairs of the request as options. The caller frees the array. */
static struct backend_option *read_options(size_t first, size_t count)
{
	struct backend_option *option = room(count, sizeof(*option));

	for (size_t i = 0; i < count; i++)
		option[i] = (struct backend_option){ pair_text(first + i, 0),
			pair_text(first + i, 1) };
	return option;
}

static void open_session(struct whole_job *j)
{
	const struct backend_config config = { .abi = BACKEND_ABI,
		.device = request->device[j->bench->worker % request->devices],
		.threads = request->threads,
		.share_dir = text(COMPUTE_SHARE),
		.cache_dir = *text(COMPUTE_CACHE) ? text(COMPUTE_CACHE) : NULL };
	const int64_t start_ns = clock_monotonic_ns();
	char why[BACKEND_WHY + 1] = "";

	j->session = backend->open(&config, why);
	if (!j->session)
		give_up("cannot open the device", why);
	j->open_ns = clock_elapsed_ns(start_ns);
}

static void load_model(struct whole_job *j)
{
	struct backend_option *option = read_options(request->inputs, request->options),
	                      *dimension = read_options(
	                          request->inputs + request->options, request->dimensions);
	struct backend_model_source source = { .path = j->list ? NULL : text(COMPUTE_FILE),
		.option = option,
		.options = request->options,
		.dimension = dimension,
		.dimensions = request->dimensions,
		.profile = request->ops };
	char why[BACKEND_WHY + 1] = "";
	struct fault f;
	int64_t start_ns;

	if (j->list && exported_list_write(j->list, &source, &f) < 0)
		helper_give_up(
		    HELPER_SKIPPED, "it cannot be expressed in ONNX: %s", f.text);
	start_ns = clock_monotonic_ns();
	j->model = backend->engine->load(j->session, &source, why);
	j->load_ns = clock_elapsed_ns(start_ns);
	if (j->list && !request->ops)
		exported_list_drop(j->list);
	if (!j->model && j->list)
		helper_give_up(HELPER_SKIPPED, "%s", why);
	if (!j->model)
		give_up(helper_job.symbol, why);
	free(option);
	free(dimension);
}

static void list_ports(struct whole_job *j)
{
	char why[BACKEND_WHY + 1] = "";
	int count = backend->engine->ports(j->model, NULL, 0, why);

	if (count < 0)
		give_up(helper_job.symbol, why);
	j->ports = (size_t)count;
	j->port = room(j->ports, sizeof(*j->port));
	if (backend->engine->ports(j->model, j->port, j->ports, why) != count)
		give_up(helper_job.symbol, *why ? why : "its inputs cannot be listed");
}

/* Returns the path that --input gives for an input, or NULL. */
static const char *input_path(const char *name)
{
	for (size_t i = 0; i < request->inputs; i++)
		if (strcmp(pair_text(i, 0), name) == 0)
			return pair_text(i, 1);
	return NULL;
}

static void set_input(struct whole_job *j, size_t number)
{
	const struct backend_port *p = &j->port[number];
	const char *path = input_path(p->name);
	int64_t size[BACKEND_PORT_DIMS];
	struct buf elements = { 0 };
	char why[BACKEND_WHY + 1] = "";
	struct fault f;

	if (port_sizes(p, j->config.param, j->config.params, size, &f) < 0 ||
	    (j->list   ? exported_list_draw(j->list, p, &elements, &f)
	        : path ? port_file_read(path, p, size, &elements, &f)
	               : whole_input_draw(p, size, request->seed, &elements, &f)) < 0)
		give_up("", f.text);
	if (backend->engine->set(j->model, number, size, p->dims,
	        elements.ptr ? elements.ptr : "", elements.len, why) < 0)
		give_up(p->name, why);
	buf_free(&elements);
}

static void set_inputs(struct whole_job *j)
{
	for (size_t i = 0; i < j->ports && !j->port[i].output; i++)
		set_input(j, i);
}

static void run_once(struct whole_job *j)
{
	char why[BACKEND_WHY + 1] = "";

	if (backend->engine->run(j->model, why) < 0)
		give_up("", why);
}

static void note_memory(struct whole_job *j)
{
	double now = backend->memory ? (double)backend->memory(j->session) : 0;

	j->memory_sum += now;
	j->memory_most = fmax(j->memory_most, now);
	j->looks++;
}

static void loop(struct whole_job *j)
{
	const struct bench_ops *ops = j->bench->ops;

	for (uint64_t n = ops->next(j->bench); n; n = ops->next(j->bench)) {
		for (; n; n--)
			run_once(j);
		note_memory(j);
	}
}

static void keep_fact(void *context, const char *name, const char *value)
{
	struct whole_job *j = context;

	if (strcmp(name, "fallback_ops") == 0)
		j->fallback_ops = strtod(value, NULL);
}

static void tell_ready(struct whole_job *j)
{
	helper_tell(METRIC_OPEN, NULL, backend_ns + j->open_ns);
	helper_tell(METRIC_LOAD, NULL, j->load_ns);
	j->fallback_ops = NAN;
	if (backend->engine->facts)
		backend->engine->facts(j->model, keep_fact, j);
	if (!isnan(j->fallback_ops))
		helper_tell(METRIC_FALLBACK_OPS, NULL, j->fallback_ops);
}

/* Reads an output of the engine as numbers, for the comparison with the reference. */
static int read_output(
    void *context, const char *name, bool state, double *out, struct fault *f)
{
	struct whole_job *j = context;
	const struct graph *g = exported_list_graph(j->list);
	const uint32_t number = graph_find(g, name);
	const struct graph_value *v = number == GRAPH_NONE ? NULL : &g->value[number];
	char port[BACKEND_PORT_NAME], why[BACKEND_WHY + 1] = "";
	struct backend_port shape;
	const void *elements;
	size_t bytes;

	snprintf(port, sizeof(port), "%s%s", name, state ? ONNX_EXPORT_AFTER : "");
	for (size_t i = 0; v && i < j->ports; i++) {
		const struct backend_port *p = &j->port[i];

		if (!p->output || strcmp(p->name, port) != 0)
			continue;
		if (backend->engine->get(j->model, i, &shape, &elements, &bytes, why) < 0)
			return fault_set(f, "%s", why);
		if (strcmp(shape.type, dtype_name(v->dtype)) != 0 ||
		    bytes != graph_bytes(v))
			return fault_set(f,
			    "output '%s' has %zu bytes of %s instead of %zu of %s", name,
			    bytes, shape.type, graph_bytes(v), dtype_name(v->dtype));
		dtype_load(v->dtype, out, elements, (size_t)graph_elements(v));
		return 0;
	}
	return fault_set(f, "the engine has no output '%s'", port);
}

static void check(struct whole_job *j)
{
	const struct engine_opts engine = { .device = { .share_dir = text(COMPUTE_SHARE) },
		.seed = request->seed,
		.input = j->config.input,
		.inputs = j->config.inputs };
	const struct verify_opts config = { .model = exported_list_model(j->list),
		.param = j->config.param,
		.params = j->config.params,
		.dtype = j->config.dtype,
		.engine = &engine };
	const double most = verify_tolerance(exported_list_graph(j->list));
	double error;
	struct fault f;

	run_once(j);
	if (verify_results(&(struct verify_reader){ read_output, j }, &config, &error, &f) <
	    0)
		give_up("--check", f.text);
	if (!(error <= most))
		helper_give_up(HELPER_FAILED,
		    "--check: the results are wrong: they differ from the reference by "
		    "%.3g, more than the %.3g that %s allows",
		    error, most, dtype_name(j->config.dtype));
	if (j->bench->worker == 0)
		helper_tell(METRIC_ERROR, NULL, error);
}

static void tell_end(struct whole_job *j)
{
	if (request->ops)
		whole_ops_report(backend->engine, j->model);
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

	open_list(&j);
	open_session(&j);
	load_model(&j);
	list_ports(&j);
	set_inputs(&j);
	if (b->worker == 0)
		tell_ready(&j);
	if (request->check)
		check(&j);
	note_memory(&j);
	loop(&j);
	if (b->worker == 0)
		tell_end(&j);
	backend->engine->unload(j.model);
	backend->close(j.session);
	exported_list_close(j.list);
	free((void *)j.config.param);
	free((void *)j.config.input);
	free(j.port);
}
