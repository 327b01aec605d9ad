/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a model or kernel on the reference backend and writes what each pass reads and
 * makes, for export.t. Arguments: model|kernel NAME STEPS DIR [PARAMETER=VALUE...], where
 * input=NAME=FILE lets an input hold the numbers of a file of NumPy. Each line on standard
 * output describes a value: the number of the pass; before or after; the
 * role; the name; the element type; the sizes; and the file in DIR, which has its elements
 * in float64.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/ref/ref.h"
#include "engine/engine.h"
#include "graph/dtype.h"
#include "subject/subject.h"

static const char *folder;

static void write_value(
    struct engine *e, enum model_phase phase, uint32_t value, int pass, const char *when)
{
	static const char *const roles[] = { "activation", "weight", "input", "output",
		"state" };
	static int files;
	const struct graph_value *v = &engine_graph(e, phase)->value[value];
	size_t count = (size_t)graph_elements(v);
	double *x = mem_zero(count, sizeof(*x));
	char *path = str_format("%s/%d", folder, files);
	struct fault f;
	FILE *out = fopen(path, "w");

	if (engine_read(e, phase, value, x, &f) < 0)
		errx(2, "%s: %s", v->name, f.text);
	if (!out || fwrite(x, sizeof(*x), count, out) != count || fclose(out) != 0)
		err(2, "%s", path);
	printf("%d\t%s\t%s\t%s\t%s\t", pass, when, roles[v->role], v->name,
	    dtype_name(v->dtype == BACKEND_FLOAT64 ? BACKEND_FLOAT32 : v->dtype));
	for (uint32_t i = 0; i < v->dims; i++)
		printf("%s%lld", i ? "," : "", (long long)v->size[i]);
	printf("\t%d\n", files++);
	free(path);
	free(x);
}

static void write_values(struct engine *e, enum model_phase phase, int pass,
    enum backend_role role, const char *when)
{
	const struct graph *g = engine_graph(e, phase);

	for (uint32_t i = 0; i < g->values; i++) {
		const struct graph_value *v = &g->value[i];

		if (v->of == i && (v->role == role || v->role == BACKEND_STATE))
			write_value(e, phase, i, pass, when);
	}
}

/* Splits NAME=FILE. */
static struct engine_input input_of(const char *text)
{
	const char *path = strrchr(text, '=');

	if (!path)
		errx(2, "%s: no file", text);
	return (struct engine_input){ .name = mem_text(text, (size_t)(path - text)),
		.path = path + 1 };
}

int main(int argc, char **argv)
{
	struct graph graph[ENGINE_PHASES] = { 0 };
	struct engine_opts opts = { .backend = &backend_ref,
		.device = { .abi = BACKEND_ABI },
		.graph = { &graph[0], &graph[1] },
		.seed = 1,
		.plain = true,
		.rounding = BACKEND_FLOAT32 };
	struct binding given[32], param[32];
	struct engine_input input[32], used[32];
	size_t params = 0, inputs = 0;
	int64_t past;
	enum backend_dtype dtype = BACKEND_FLOAT64;
	enum engine_trouble trouble;
	struct fault f;

	if (argc < 5 || argc > 36)
		errx(2, "wrong arguments");
	int steps = atoi(argv[3]);
	folder = argv[4];
	for (int i = 5; i < argc; i++) {
		if (label_parse(argv[i], &given[i - 5], &f) < 0)
			errx(2, "%s", f.text);
		if (strcmp(given[i - 5].name, "dtype") == 0)
			dtype = (enum backend_dtype)dtype_find(given[i - 5].value);
		else if (strcmp(given[i - 5].name, "input") == 0)
			input[inputs++] = input_of(given[i - 5].value);
		else
			param[params++] = given[i - 5];
	}
	struct model *m =
	    *argv[1] == 'k' ? kernel_open(argv[2], &f) : model_open(argv[2], &f);
	if (!m)
		errx(2, "%s", f.text);
	for (int i = 0; i <= (steps > 0); i++)
		if (model_expand(m,
		        &(struct model_expand_opts){ .param = param,
		            .params = params,
		            .phase = (enum model_phase)i,
		            .dtype = dtype },
		        &graph[i], &f) < 0)
			errx(2, "%s", f.text);
	for (size_t i = 0; i < inputs; i++)
		if (graph_find(&graph[0], input[i].name) != GRAPH_NONE)
			used[opts.inputs++] = input[i];
	opts.input = used;
	struct engine *e = engine_open(&opts, &trouble, &f);
	if (!e)
		errx(2, "%s", f.text);
	past = graph_cached(engine_graph(e, MODEL_FORWARD));
	for (int i = 0; i <= steps; i++) {
		enum model_phase phase = i ? MODEL_STEP : MODEL_FORWARD;

		printf("%d\tpast\t%d\n", i, i ? (int)past + i - 1 : 0);
		write_values(e, phase, i, BACKEND_INPUT, "before");
		if (engine_run(e, phase, past + i - 1, &f) < 0)
			errx(2, "%s", f.text);
		write_values(e, phase, i, BACKEND_OUTPUT, "after");
	}
	engine_close(e);
	model_close(m);
	for (int i = 5; i < argc; i++)
		free((char *)given[i - 5].name);
	for (size_t i = 0; i < inputs; i++)
		free((char *)input[i].name);
	return 0;
}
