/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads random bytes as an ONNX file: a target of libFuzzer, which `make fuzz` runs. The
 * target also decodes the tensors of each model that is read, infers its shapes, and
 * imports it.
 */
#include <stdlib.h>

#include "translate/onnx_import.h"
#include "onnx/onnx_model.h"
#include "onnx/onnx_shapes.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Decodes a tensor, unless its data is in another file. */
static int decode_tensor(void *ctx, struct onnx_tensor *t, struct fault *f)
{
	struct fault ignored;
	void *out;

	(void)ctx;
	(void)f;
	if (t->is_external)
		return 0;
	out = mem_zero((size_t)t->bytes, 1);
	onnx_tensor_read(t, out, &ignored);
	free(out);
	return 0;
}

/* Infers the shapes with the sizes 1, and with another size for the first symbol. */
static void infer_shapes(const struct onnx_model *m)
{
	struct onnx_symbols symbols;
	struct onnx_shapes shapes;
	struct fault f;

	onnx_symbols_find(m, &symbols);
	for (int i = 0; i < 2; i++) {
		if (onnx_shapes_make(m, &symbols, 4096, NULL, &shapes, &f) == 0)
			onnx_shapes_free(&shapes);
		if (symbols.count)
			onnx_symbols_set(&symbols, symbols.item[0].name, "4", &f);
	}
	onnx_symbols_free(&symbols);
}

/* Imports the model, with the size 2 for each symbol. */
static void import_model(const struct onnx_model *m)
{
	struct onnx_symbols symbols;
	struct binding *size;
	struct graph graph = { 0 };
	struct fault f;

	onnx_symbols_find(m, &symbols);
	size = mem_zero(symbols.count + 1, sizeof(*size));
	for (size_t i = 0; i < symbols.count; i++)
		size[i] = (struct binding){ symbols.item[i].name, "2" };
	if (onnx_import(m, size, symbols.count, BACKEND_FLOAT32, &graph, &f) == 0)
		graph_free(&graph);
	free(size);
	onnx_symbols_free(&symbols);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct onnx_model m;
	struct fault f;

	if (onnx_model_read((struct text){ (const char *)bytes, len }, &m, &f) < 0)
		return 0;
	onnx_tensors_visit(&m, decode_tensor, NULL, &f);
	infer_shapes(&m);
	import_model(&m);
	onnx_model_free(&m);
	return 0;
}
