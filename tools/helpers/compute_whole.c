/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs model files; see compute_whole.h. Each iteration ends when the outputs are complete,
 * so the time to a result is measured.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "compute_whole.h"
#include "helper_io.h"
#include "helper_worker.h"
#include "port/port_file.h"
#include "port/port_shape.h"
#include "whole_inputs.h"
#include "whole_ops.h"

/* The work of a worker. */
struct whole_job {
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
	const struct backend_model_source source = { .path = text(COMPUTE_FILE),
		.option = option,
		.options = request->options,
		.dimension = dimension,
		.dimensions = request->dimensions,
		.profile = request->ops };
	char why[BACKEND_WHY + 1] = "";
	int count;
	const int64_t start_ns = clock_monotonic_ns();

	j->model = backend->engine->load(j->session, &source, why);
	j->load_ns = clock_elapsed_ns(start_ns);
	if (!j->model)
		give_up(source.path, why);
	count = backend->engine->ports(j->model, NULL, 0, why);
	if (count < 0)
		give_up(source.path, why);
	j->ports = (size_t)count;
	j->port = room(j->ports, sizeof(*j->port));
	if (backend->engine->ports(j->model, j->port, j->ports, why) != count)
		give_up(source.path, *why ? why : "its inputs cannot be listed");
	free(option);
	free(dimension);
}

/* Returns the path that --input gives for an input, or NULL. */
static const char *input_path(const char *name)
{
	for (size_t i = 0; i < request->inputs; i++)
		if (strcmp(pair_text(i, 0), name) == 0)
			return pair_text(i, 1);
	return NULL;
}

static void set_input(struct whole_job *j, size_t number, const struct binding *value)
{
	const struct backend_port *p = &j->port[number];
	const char *path = input_path(p->name);
	int64_t size[BACKEND_PORT_DIMS];
	struct buf elements = { 0 };
	char why[BACKEND_WHY + 1] = "";
	struct fault f;

	if (port_sizes(p, value, helper_job.request.params, size, &f) < 0 ||
	    (path ? port_file_read(path, p, size, &elements, &f)
	          : whole_input_draw(p, size, request->seed, &elements, &f)) < 0)
		give_up("", f.text);
	if (backend->engine->set(j->model, number, size, p->dims,
	        elements.ptr ? elements.ptr : "", elements.len, why) < 0)
		give_up(p->name, why);
	buf_free(&elements);
}

static void set_inputs(struct whole_job *j)
{
	struct binding *value = room(helper_job.request.params, sizeof(*value));

	for (size_t i = 0; i < helper_job.request.params; i++)
		value[i] =
		    (struct binding){ helper_job.param_name[i], helper_job.param_text[i] };
	for (size_t i = 0; i < j->ports && !j->port[i].output; i++)
		set_input(j, i, value);
	free(value);
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

	open_session(&j);
	load_model(&j);
	set_inputs(&j);
	if (b->worker == 0)
		tell_ready(&j);
	note_memory(&j);
	loop(&j);
	if (b->worker == 0)
		tell_end(&j);
	backend->engine->unload(j.model);
	backend->close(j.session);
	free(j.port);
}
