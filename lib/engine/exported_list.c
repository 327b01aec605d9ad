/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exports lists for engines; see exported_list.h.
 */
#include <stdlib.h>
#include <unistd.h>

#include "engine/drawn_table.h"
#include "engine/exported_list.h"
#include "engine/list_export.h"
#include "engine/tensor_file.h"
#include "graph/dtype.h"
#include "translate/onnx_export.h"
#include "sys/leftover.h"

struct exported_list {
	const struct exported_list_opts *opts;
	enum model_phase phase;
	struct model *model;
	struct graph graph;
	struct drawn_tables tables;
	struct buf bytes;
	char *folder, *path; /* of the files; NULL if there are none */
	int leftover;
};

struct exported_list *exported_list_open(
    const struct exported_list_opts *c, enum model_phase phase, struct fault *f)
{
	struct exported_list *l = mem_zero(1, sizeof(*l));

	l->opts = c;
	l->phase = phase;
	l->tables.rounding = c->dtype;
	l->model = c->kernel ? kernel_open(c->name, f) : model_open(c->name, f);
	const struct model_expand_opts opts = {
		.param = c->param, .params = c->params, .phase = phase, .dtype = c->dtype
	};

	if (l->model && model_expand(l->model, &opts, &l->graph, f) == 0)
		return l;
	exported_list_close(l);
	return NULL;
}

void exported_list_drop(struct exported_list *l)
{
	if (l->folder) {
		leftover_remove_folder(l->folder);
		leftover_drop(l->leftover);
	}
	free(l->folder);
	free(l->path);
	l->folder = l->path = NULL;
}

void exported_list_close(struct exported_list *l)
{
	if (!l)
		return;
	exported_list_drop(l);
	buf_free(&l->bytes);
	drawn_tables_free(&l->tables);
	graph_free(&l->graph);
	model_close(l->model);
	free(l);
}

static int store_weight(
    void *context, const struct graph_value *v, void *to, struct fault *f)
{
	struct exported_list *l = context;

	(void)f;
	drawn_elements(&l->tables, v, l->opts->seed, 0, (size_t)graph_elements(v), to);
	return 0;
}

/* Writes the model and its weights to files. Returns 0, or -1 and the message. */
static int write_files(struct exported_list *l, struct fault *f)
{
	const struct exported_list_opts *c = l->opts;
	const char *base = getenv("TMPDIR");
	struct binding *param = mem_zero(c->params + 1, sizeof(*param));
	struct list_export_opts opts = { .name = c->name,
		.kernel = c->kernel,
		.phase = l->phase,
		.param = param,
		.params = c->params + 1,
		.seed = c->seed,
		.external = true };
	int status = 0;

	l->folder = str_format("%s/bench-model-XXXXXX", base && *base ? base : "/tmp");
	if (!mkdtemp(l->folder)) {
		status = fault_errno(f, "%s", l->folder);
		free(l->folder);
		l->folder = NULL;
	} else
		l->leftover = leftover_add_folder(l->folder);
	for (size_t i = 0; i < c->params; i++)
		param[i] = c->param[i];
	param[c->params] = (struct binding){ "dtype", dtype_name(c->dtype) };
	if (status == 0) {
		l->path = str_format("%s/model.onnx", l->folder);
		status = list_export(&opts, l->path, f);
	}
	free(param);
	return status;
}

int exported_list_write(
    struct exported_list *l, struct backend_model_source *source, struct fault *f)
{
	const struct onnx_export_opts opts = {
		.step = l->phase == MODEL_STEP, .weight = store_weight, .context = l
	};

	if (onnx_export_weight_bytes(&l->graph) > ONNX_EXPORT_INSIDE_MAX) {
		if (write_files(l, f) < 0)
			return -1;
		source->path = l->path;
		return 0;
	}
	if (onnx_export(&l->graph, &opts, &l->bytes, f) < 0)
		return -1;
	source->bytes = l->bytes.ptr;
	source->size = l->bytes.len;
	return 0;
}

/* Returns the source of an input, or NULL. */
static const char *source_of(const struct exported_list *l, const char *name)
{
	for (size_t i = 0; i < l->opts->inputs; i++)
		if (strcmp(l->opts->input[i].name, name) == 0)
			return l->opts->input[i].path;
	return NULL;
}

/* Appends all batches of an input from a source. Returns 0, or -1 and the message. */
static int read_batches(const struct exported_list *l, const struct graph_value *v,
    const char *spec, struct buf *out, struct fault *f)
{
	const size_t count = (size_t)graph_elements(v), bytes = graph_bytes(v);
	struct tensor_source s;
	double *x;
	int status = 0;

	if (tensor_source_open(spec, v, &s, f) < 0)
		return -1;
	x = mem_zero(count + 1, sizeof(*x));
	for (size_t i = 0; status == 0 && i < s.from.batches; i++) {
		status = tensor_file_read(&s, v, i, x, f);
		if (status == 0 && dtype_is_float(v->dtype))
			drawn_round(l->opts->dtype, x, count);
		if (status < 0)
			continue;
		buf_room(out, bytes);
		dtype_store(v->dtype, out->ptr + out->len, x, count);
		out->len += bytes;
	}
	free(x);
	tensor_source_close(&s);
	return status;
}

int exported_list_draw(const struct exported_list *l, const struct backend_port *p,
    struct buf *out, struct fault *f)
{
	struct drawn_tables tables = { .rounding = l->opts->dtype };
	const uint32_t number = graph_find(&l->graph, p->name);
	const struct graph_value *v;
	const char *spec = source_of(l, p->name);
	size_t bytes;

	if (number == GRAPH_NONE && strcmp(p->name, ONNX_EXPORT_PAST) == 0) {
		buf_put(out, &(int64_t){ 0 }, sizeof(int64_t));
		return 0;
	}
	if (number == GRAPH_NONE)
		return fault_set(f, "the list has no input '%s'", p->name);
	v = &l->graph.value[number];
	if (spec)
		return read_batches(l, v, spec, out, f);
	bytes = graph_bytes(v);
	buf_room(out, bytes);
	memset(out->ptr + out->len, 0, bytes);
	drawn_elements(
	    &tables, v, l->opts->seed, 0, (size_t)graph_elements(v), out->ptr + out->len);
	out->len += bytes;
	drawn_tables_free(&tables);
	return 0;
}

const struct graph *exported_list_graph(const struct exported_list *l)
{
	return &l->graph;
}

const struct model *exported_list_model(const struct exported_list *l)
{
	return l->model;
}
