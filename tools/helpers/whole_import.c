/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Imports ONNX files; see whole_import.h.
 */
#include "whole_import.h"
#include "model/onnx_file.h"

void whole_import_open(
    struct whole_import *w, const char *path, const struct binding *param, size_t params)
{
	struct fault ignored;

	*w = (struct whole_import){ 0 };
	if (onnx_file_is_named(path))
		w->model = model_open(path, &ignored);
	const struct model_expand_opts opts = {
		.param = param, .params = params, .dtype = BACKEND_FLOAT32
	};

	if (w->model && model_expand(w->model, &opts, &w->graph, &ignored) != 0)
		whole_import_close(w);
}

void whole_import_close(struct whole_import *w)
{
	graph_free(&w->graph);
	model_close(w->model);
	*w = (struct whole_import){ 0 };
}

const struct graph *whole_import_graph(const struct whole_import *w)
{
	return w->model ? &w->graph : NULL;
}
