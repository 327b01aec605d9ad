/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens ONNX files as models; see model_priv.h. They have no lines: model_expand imports
 * them.
 */
#include <stdlib.h>

#include "model/model_priv.h"
#include "onnx/onnx_shapes.h"

/* Adds the open dimensions of the inputs as symbols; 0 is a size that must be set. */
static void add_symbols(struct model *m)
{
	struct onnx_symbols found;

	onnx_symbols_find(&m->onnx->model, &found);
	for (size_t i = 0; i < found.count; i++)
		*VEC_ADD(m->symbol, m->symbols, m->symbol_cap) =
		    (struct model_symbol){ str_copy(found.item[i].name),
			    (double)found.item[i].size, str_copy(found.item[i].longer) };
	onnx_symbols_free(&found);
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
	for (size_t i = 0; i < m->symbols; i++) {
		free((void *)(uintptr_t)m->symbol[i].name);
		free((void *)(uintptr_t)m->symbol[i].longer);
	}
	onnx_file_close(m->onnx);
	free(m->onnx);
	free(m->onnx_name);
	free(m->onnx_summary);
}
