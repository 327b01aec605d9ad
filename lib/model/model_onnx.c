/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens ONNX files as models; see model_priv.h. They have no lines: model_expand imports
 * them.
 */
#include <stdlib.h>

#include "model/model_priv.h"

/* Adds a symbol of this name, which becomes the model's, or takes the one that there is. A
 * first dimension is 1 by default; 0: it must be set. */
static void add_symbol(struct model *m, char *name, bool first)
{
	for (size_t i = 0; i < m->symbols; i++)
		if (strcmp(m->symbol[i].name, name) == 0) {
			if (first)
				m->symbol[i].value = 1;
			free(name);
			return;
		}
	*VEC_ADD(m->symbol, m->symbols, m->symbol_cap) =
	    (struct model_symbol){ name, first ? 1 : 0 };
}

/* Adds the open dimensions of the inputs as symbols: by the names that the model gives
 * them, or else by INPUT.NUMBER. */
static void add_symbols(struct model *m)
{
	const struct onnx_graph *g = &m->onnx->model.graph;

	for (uint32_t i = 0; i < g->inputs; i++)
		for (uint32_t d = 0; d < g->input[i].dims && !g->input[i].has_initializer;
		     d++) {
			const struct text input = g->input[i].name,
			                  name = g->input[i].dim[d].name;

			if (!g->input[i].dim[d].is_fixed)
				add_symbol(m,
				    name.len ? mem_text(name.ptr, name.len)
				             : str_format(
				                   "%.*s.%u", (int)input.len, input.ptr, d),
				    d == 0);
		}
}

struct model *model_onnx_open(const char *path, struct fault *f)
{
	struct model *m = mem_zero(1, sizeof(*m));
	const char *slash = strrchr(path, '/');

	m->onnx = mem_zero(1, sizeof(*m->onnx));
	if (onnx_file_open(path, m->onnx, f) < 0) {
		free(m->onnx);
		free(m);
		return NULL;
	}
	m->onnx_name = str_copy(slash ? slash + 1 : path);
	m->onnx_summary = str_format("ONNX file by %.*s %.*s",
	    (int)m->onnx->model.producer.len, m->onnx->model.producer.ptr,
	    (int)m->onnx->model.producer_version.len, m->onnx->model.producer_version.ptr);
	m->name = m->onnx_name;
	m->arch = "";
	m->summary = m->onnx_summary;
	add_symbols(m);
	return m;
}

void model_onnx_close(struct model *m)
{
	if (!m->onnx)
		return;
	for (size_t i = 0; i < m->symbols; i++)
		free((void *)(uintptr_t)m->symbol[i].name);
	onnx_file_close(m->onnx);
	free(m->onnx);
	free(m->onnx_name);
	free(m->onnx_summary);
}
