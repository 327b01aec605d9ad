/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests to bench-compute; see compute_request.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "subject/compute_file.h"
#include "subject/compute_request.h"

int compute_inputs_read(const char *const *specs, size_t count, struct subjects *subjects,
    struct binding **out, struct fault *f)
{
	struct binding *input = mem_zero(count + 1, sizeof(*input));

	*out = NULL;
	for (size_t i = 0; i < count; i++) {
		const char *equals = strchr(specs[i], '=');

		if (!equals || equals == specs[i] || !equals[1]) {
			compute_inputs_free(input, i);
			return fault_set(f, "--input '%s' is not NAME=PATH", specs[i]);
		}
		input[i] =
		    (struct binding){ mem_text(specs[i], (size_t)(equals - specs[i])),
			    equals + 1 };
		if (computes_check_input(subjects, &input[i], f) < 0) {
			compute_inputs_free(input, i + 1);
			return -1;
		}
	}
	*out = input;
	return 0;
}

void compute_inputs_free(struct binding *input, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free((char *)input[i].name);
	free(input);
}

char *compute_cache_dir(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache == '/')
		return str_format("%s/benchutils", cache);
	return home && *home ? str_format("%s/.cache/benchutils", home) : str_copy("");
}

/*
 * Returns whether peak rates are measured: not for ref, which is meant to be right and
 * not fast, not for engines, which run no kernels, and not for several instances, which
 * share the device.
 */
static bool has_ceilings(const struct subject *s, const struct compute_opts *o)
{
	return o->ceilings && s->from->compute->path && !s->from->compute->has_engine &&
	       s->workers * s->threads == 1;
}

static void add_bindings(struct compute_job *job, const struct binding *list, size_t count)
{
	job->text = mem_resize(job->text, job->texts + 2 * count + 1, sizeof(*job->text));
	for (size_t i = 0; i < count; i++) {
		job->text[job->texts++] = list[i].name;
		job->text[job->texts++] = list[i].value;
	}
}

static void add_texts(
    struct compute_job *job, const struct subject *s, const struct compute_opts *o)
{
	const struct compute *c = s->from->compute;
	size_t options, dimensions;
	struct binding *option = compute_engine_options(s, &options),
	               *dimension = compute_file_dimensions(s, &dimensions);

	job->share_dir = share_path("");
	job->cache_dir = compute_cache_dir();
	job->texts = COMPUTE_TEXTS;
	job->text = mem_zero(job->texts, sizeof(*job->text));
	job->text[COMPUTE_PLUGIN] = c->path ? c->path : "";
	job->text[COMPUTE_SHARE] = job->share_dir;
	job->text[COMPUTE_CACHE] = job->cache_dir;
	job->text[COMPUTE_FILE] = c->whole ? s->from->list : "";
	job->request->inputs = (uint32_t)o->inputs;
	job->request->options = (uint32_t)options;
	job->request->dimensions = (uint32_t)dimensions;
	add_bindings(job, o->input, o->inputs);
	add_bindings(job, option, options);
	add_bindings(job, dimension, dimensions);
	free(option);
	free(dimension);
}

void compute_job_make(
    struct compute_job *job, const struct subject *s, const struct compute_opts *o)
{
	const struct compute *c = s->from->compute;
	struct compute_request *r;

	*job = (struct compute_job){ .size = sizeof(*r) + c->devices * sizeof(*r->device) };
	job->request = r = mem_zero(1, job->size);
	r->seed = o->seed;
	r->new_tokens = s->work->new_tokens;
	r->threads = (uint32_t)s->work->threads;
	r->dtype = s->work->dtype;
	r->is_kernel = s->from->kind == KIND_KERNEL;
	r->check = o->check;
	r->ops = o->ops;
	r->timeline = o->timeline;
	r->ceilings = has_ceilings(s, o);
	r->devices = c->devices;
	for (uint32_t i = 0; i < c->devices; i++)
		r->device[i] = c->device[i];
	add_texts(job, s, o);
	job->param = compute_symbols(s, &job->params);
}

void compute_job_free(struct compute_job *job)
{
	free(job->request);
	free(job->text);
	free(job->param);
	free(job->share_dir);
	free(job->cache_dir);
	*job = (struct compute_job){ 0 };
}
