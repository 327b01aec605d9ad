/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the inferred type and shape of each output of ONNX files: the file, the name, the
 * number of the type, and the sizes or "?", separated by tabs.
 */
#include <stdio.h>

#include "model/onnx_file.h"
#include "onnx/onnx_shapes.h"

static void print_output(const char *path, const struct onnx_fact *v)
{
	printf("%s\t%.*s\t%lld\t", path, (int)v->name.len, v->name.ptr, (long long)v->type);
	for (uint32_t i = 0; i < v->dims; i++)
		printf("%s%lld", i ? "," : "", (long long)v->dim[i]);
	puts(v->has_shape ? "" : "?");
}

/* Returns the status of the program. */
static int print_file(const char *path)
{
	struct onnx_file file;
	struct onnx_symbols symbols;
	struct onnx_shapes shapes;
	struct fault f;
	int status;

	if (onnx_file_open(path, &file, &f) < 0) {
		printf("%s: %s\n", path, f.text);
		return STATUS_TROUBLE;
	}
	onnx_symbols_find(&file.model, &symbols);
	status = onnx_shapes_make(&file.model, &symbols, 4096, NULL, &shapes, &f);
	if (status < 0)
		printf("%s: %s\n", path, f.text);
	for (uint32_t i = 0; status == 0 && i < file.model.graph.outputs; i++) {
		const struct onnx_fact *v =
		    onnx_shapes_of(&shapes, file.model.graph.output[i].name);

		if (v)
			print_output(path, v);
	}
	if (status == 0)
		onnx_shapes_free(&shapes);
	onnx_symbols_free(&symbols);
	onnx_file_close(&file);
	return status < 0 ? STATUS_TROUBLE : STATUS_FINE;
}

int main(int argc, char **argv)
{
	int status = STATUS_FINE;

	for (int i = 1; i < argc; i++)
		status |= print_file(argv[i]);
	return status;
}
