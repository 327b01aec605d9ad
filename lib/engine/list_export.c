/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes lists to ONNX files; see list_export.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "engine/drawn_table.h"
#include "engine/list_export.h"
#include "graph/dtype.h"
#include "translate/onnx_export.h"
#include "sys/output_file.h"
#include "sys/temp_file.h"

/* The most bytes of weights in the model by default, and the elements written at once. */
enum { INSIDE_MAX = 1 << 30, CHUNK = 1 << 18 };

/* Where weights come from. */
struct weight_source {
	struct drawn_tables tables;
	uint64_t seed;
};

/* Stores all elements of a weight, for onnx_export_opts. */
static int weight_store(
    void *context, const struct graph_value *v, void *to, struct fault *f)
{
	struct weight_source *from = context;

	(void)f;
	drawn_elements(&from->tables, v, from->seed, 0, (size_t)graph_elements(v), to);
	return 0;
}

/* Opens a list, and expands it to a graph, which refers to the model if that is an ONNX
 * file. Takes the parameter dtype out. Returns 0, or -1 and the message. */
static int open_list(const struct list_export_opts *o, enum backend_dtype *dtype,
    struct model **model, struct graph *g, struct fault *f)
{
	struct model *m = *model =
	    o->kernel ? kernel_open(o->name, f) : model_open(o->name, f);
	struct binding *param = mem_zero(o->params + 1, sizeof(*param));
	size_t params = 0;
	int found = BACKEND_FLOAT32, status = m ? 0 : -1;

	for (size_t i = 0; i < o->params && status == 0; i++)
		if (strcmp(o->param[i].name, "dtype") != 0)
			param[params++] = o->param[i];
		else if ((found = dtype_find(o->param[i].value)) < 0)
			status = fault_set(
			    f, "dtype=%s: no such element type", o->param[i].value);
	*dtype = (enum backend_dtype)found;
	const struct model_expand_opts opts = {
		.param = param, .params = params, .phase = o->phase, .dtype = *dtype
	};

	if (status == 0)
		status = model_expand(m, &opts, g, f);
	free(param);
	return status;
}

/* Writes a weight to its place in the second file. Returns 0, or -1 and errno. */
static int write_weight(int fd, const struct graph_value *v, struct weight_source *from,
    uint64_t offset, char *bytes)
{
	size_t size = dtype_bytes(v->dtype), count = (size_t)graph_elements(v);

	if (lseek(fd, (off_t)offset, SEEK_SET) < 0)
		return -1;
	for (size_t at = 0; at < count; at += CHUNK) {
		size_t n = count - at < CHUNK ? count - at : CHUNK;

		drawn_elements(&from->tables, v, from->seed, at, n, bytes);
		if (file_write_all(fd, (struct text){ bytes, n * size }) < 0)
			return -1;
	}
	return 0;
}

/* Writes the second file. Returns 0, or -1 and the message. */
static int write_weights(const char *path, const struct graph *g,
    const struct onnx_external *external, struct weight_source *from, struct fault *f)
{
	struct temp_file *file = temp_file_open(path, 0, f);
	char *bytes = mem_zero(CHUNK, sizeof(double));
	int status = file ? 0 : -1;

	for (size_t i = 0; i < external->weights && status == 0; i++) {
		const struct onnx_external_weight *w = &external->weight[i];

		status = write_weight(
		    temp_file_fd(file), &g->value[w->value], from, w->offset, bytes);
		if (status < 0)
			fault_errno(f, "%s", path);
	}
	free(bytes);
	if (status == 0)
		return temp_file_commit(file, f);
	if (file)
		temp_file_discard(file);
	return -1;
}

/* Writes the first file. Returns 0, or -1 and the message. */
static int write_model(const char *path, struct text model, struct fault *f)
{
	struct output_file *file = output_file_open(path, f);

	if (!file)
		return -1;
	if (fwrite(model.ptr, 1, model.len, output_file_stream(file)) == model.len)
		return output_file_commit(file, f);
	fault_errno(f, "%s", path);
	output_file_discard(file);
	return -1;
}

int list_export(const struct list_export_opts *o, const char *path, struct fault *f)
{
	struct weight_source from = { .seed = o->seed };
	struct onnx_external external = { 0 };
	struct onnx_export_opts opts = { .step = o->phase == MODEL_STEP,
		.external = &external,
		.weight = weight_store,
		.context = &from };
	struct graph g = { 0 };
	struct buf model = { 0 };
	char *data = str_format("%s.data", path);
	const char *slash = strrchr(data, '/');
	struct model *m;
	int status = open_list(o, &from.tables.rounding, &m, &g, f);

	if (status == 0 && (o->external || onnx_export_weight_bytes(&g) > INSIDE_MAX)) {
		opts.location = slash ? slash + 1 : data;
		if (strcmp(path, "-") == 0)
			status = fault_set(f,
			    "the weights of %s need a second file, so "
			    "the model cannot go to standard output",
			    o->name);
	}
	if (status == 0 && onnx_export(&g, &opts, &model, f) < 0)
		status = fault_prefix(f, "%s", o->name);
	if (status == 0 && external.weights)
		status = write_weights(data, &g, &external, &from, f);
	if (status == 0)
		status = write_model(path, text_in(&model), f);
	drawn_tables_free(&from.tables);
	onnx_external_free(&external);
	buf_free(&model);
	graph_free(&g);
	model_close(m);
	free(data);
	return status;
}
