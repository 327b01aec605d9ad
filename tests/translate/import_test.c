/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Imports the ONNX files of tests/fixtures/data/onnx and compares the results of the
 * reference backend with those of ONNX Runtime, which are next to the files.
 *
 * With arguments, it does so for a file of the caller: MODEL.onnx EXPECTED.raw
 * [NAME=VALUE]..., where a value that contains a slash is the file of an input.
 */
#include <math.h>
#include <stdlib.h>

#include "backends/ref/ref.h"
#include "engine/engine.h"
#include "engine/tensor_file.h"
#include "translate/onnx_import.h"
#include "tests/lib/tap.h"
#include "tests/onnx/wire_bytes.h"

static const char folder[] = "tests/fixtures/data/onnx";

/* Returns the largest difference of the first output from the elements in a file, relative
 * to the largest of them; NAN and the message on failure. */
static double difference(struct engine *e, const char *expected, struct fault *f)
{
	const struct graph *g = engine_graph(e, MODEL_FORWARD);
	uint32_t out = 0;
	double most = 0, apart = 0;

	while (out < g->values && g->value[out].role != BACKEND_OUTPUT)
		out++;
	if (out == g->values) {
		fault_set(f, "there is no output");
		return NAN;
	}
	size_t count = (size_t)graph_elements(&g->value[out]);
	double *x = mem_zero(count + 1, sizeof(*x)), *y = mem_zero(count + 1, sizeof(*y));
	struct tensor_source source;
	if (tensor_source_open(expected, &g->value[out], &source, f) < 0 ||
	    tensor_file_read(&source, &g->value[out], 0, y, f) < 0 ||
	    engine_read(e, MODEL_FORWARD, out, x, f) < 0)
		apart = NAN;
	for (size_t i = 0; i < count && !isnan(apart); i++) {
		most = fmax(most, fabs(y[i]));
		apart = isfinite(x[i]) ? fmax(apart, fabs(x[i] - y[i])) : (double)INFINITY;
	}
	tensor_source_close(&source);
	free(x);
	free(y);
	return most > 0 ? apart / most : apart;
}

/* Runs a file and returns the difference of its output; NAN and the message on failure. */
static double run(const char *path, const char *expected, const struct binding *param,
    size_t params, const struct engine_input *input, size_t inputs, struct fault *f)
{
	struct model *m = model_open(path, f);
	struct graph graph = { 0 };
	struct engine_opts config = { .backend = &backend_ref,
		.device = { .abi = BACKEND_ABI },
		.graph = { &graph },
		.rounding = BACKEND_FLOAT32,
		.input = input,
		.inputs = inputs };
	enum engine_trouble trouble;
	struct engine *e = NULL;
	double apart = NAN;
	const struct model_expand_opts opts = {
		.param = param, .params = params, .dtype = BACKEND_FLOAT64
	};

	if (m && model_expand(m, &opts, &graph, f) == 0)
		e = engine_open(&config, &trouble, f);
	if (e && engine_run(e, MODEL_FORWARD, 0, f) == 0 && engine_sync(e, f) == 0)
		apart = difference(e, expected, f);
	engine_close(e);
	model_close(m);
	return apart;
}

static const struct {
	const char *name, *input;
	struct binding param[2];
	size_t params;
} cases[] = {
	{ "resnet", "image", { { "batch", "2" } }, 1 },
	{ "vit", "image", { { 0 } }, 0 },
	{ "bert", "input_ids", { { "batch", "2" }, { "tokens", "12" } }, 2 },
	{ "gpt2", "input_ids", { { "batch", "2" }, { "tokens", "12" } }, 2 },
	{ "dense", "x", { { "batch", "3" } }, 1 },
	{ "mixed", "image", { { 0 } }, 0 },
	{ "quantized", "image", { { "batch", "2" } }, 1 },
};

static void test_files(void)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *path = str_format("%s/%s.onnx", folder, cases[i].name),
		     *expected = str_format("%s/%s.out.raw", folder, cases[i].name),
		     *file =
		         str_format("%s/%s.%s.raw", folder, cases[i].name, cases[i].input);
		const struct engine_input input = { cases[i].input, file };
		struct fault f = { "" };
		double apart =
		    run(path, expected, cases[i].param, cases[i].params, &input, 1, &f);

		tap_ok(apart <= 1e-4,
		    "%s.onnx differs by %.3g from ONNX Runtime, at most 1e-4 of the "
		    "largest "
		    "element %s",
		    cases[i].name, apart, f.text);
		free(path);
		free(expected);
		free(file);
	}
}

/* Field numbers of onnx.proto. */
enum {
	MODEL_IR = 1,
	MODEL_GRAPH = 7,
	MODEL_OPSET = 8,
	GRAPH_NODE = 1,
	GRAPH_INPUT = 11,
	GRAPH_OUTPUT = 12
};

/* Appends a value: float32 with these sizes, of which -1 is an open dimension. */
static void put_value(
    struct buf *graph, uint32_t field, const char *name, const int *size, size_t dims)
{
	struct buf shape = { 0 }, tensor = { 0 }, type = { 0 }, value = { 0 };

	for (size_t i = 0; i < dims; i++) {
		struct buf dim = { 0 };

		if (size[i] < 0)
			put_text(&dim, 2, "open");
		else
			put_int(&dim, 1, size[i]);
		put_message(&shape, 1, &dim);
	}
	put_int(&tensor, 1, ONNX_FLOAT);
	put_message(&tensor, 2, &shape);
	put_message(&type, 1, &tensor);
	put_text(&value, 1, name);
	put_message(&value, 2, &type);
	put_message(graph, field, &value);
}

/* An operator of x and z, whose import fails, and the message. */
struct refusal {
	const char *op, *second; /* the second input; NULL: none */
	int size[3];
	int status;
	const char *message;
	bool is_second; /* y is the second result */
};

static const struct refusal refusals[] = {
	{ "Loop", NULL, { 2, 3, 4 }, ONNX_UNSUPPORTED,
	    "node 'here' (Loop): benchutils' own backends cannot run it: its body contains "
	    "graphs, its steps add more than 131072 values or 4194304 operands, or their "
	    "number depends on computed values; use -b onnxruntime",
	    false },
	{ "Unique", NULL, { 2, 3, 4 }, ONNX_UNSUPPORTED,
	    "operator 'Unique' (node 'here') is not supported by benchutils' own backends; "
	    "use "
	    "-b onnxruntime",
	    false },
	{ "Pow", "x", { 2, 3, 4 }, ONNX_UNSUPPORTED,
	    "node 'here' (Pow): benchutils' own backends cannot run it: its power is "
	    "computed, and its base is not one constant above 0; use -b onnxruntime",
	    false },
	{ "Dropout", NULL, { 2, 3, 4 }, ONNX_UNSUPPORTED,
	    "operator 'Dropout' (node 'here') is not supported by benchutils' own "
	    "backends; "
	    "use -b onnxruntime",
	    true },
	{ "LayerNormalization", NULL, { 2, 3, 4 }, ONNX_UNSUPPORTED,
	    "node 'here' (LayerNormalization): benchutils' own backends cannot run it: its "
	    "result 2 is not available; use -b onnxruntime",
	    true },
	{ "MatMul", "x", { 2, 3, 4 }, -1,
	    "node 'here' (MatMul): rows of 4 elements and columns of 3", false },
	{ "Add", "nothing", { 2, 3, 4 }, -1,
	    "node 'here' (Add): no node before it computes 'nothing'", false },
	{ "Add", NULL, { 2, -1, 4 }, -1,
	    "input 'x' has the open dimension 'open'; set it, as in -P open=1", false },
	{ "MaxPool", NULL, { 2, 3, 0 }, ONNX_UNSUPPORTED,
	    "benchutils' own backends cannot run it: the input 'x' has a dimension of 0; "
	    "use -b "
	    "onnxruntime",
	    false },
};

/* Imports a model of one node with this name, or none if it is empty. Returns the status of
 * onnx_import. */
static int import_node(
    const struct refusal *r, const char *name, struct graph *made, struct fault *f)
{
	struct buf node = { 0 }, graph = { 0 }, opset = { 0 }, model = { 0 };
	struct onnx_model m;
	int status = 0;

	*made = (struct graph){ 0 };
	put_text(&node, 1, "x");
	if (r->second)
		put_text(&node, 1, r->second);
	if (r->is_second)
		put_text(&node, 2, "");
	put_text(&node, 2, "y");
	if (*name)
		put_text(&node, 3, name);
	put_text(&node, 4, r->op);
	put_message(&graph, GRAPH_NODE, &node);
	put_value(&graph, GRAPH_INPUT, "x", r->size, 3);
	put_value(&graph, GRAPH_OUTPUT, "y", r->size, 3);
	put_int(&model, MODEL_IR, 8);
	put_message(&model, MODEL_GRAPH, &graph);
	put_int(&opset, 2, 17);
	put_message(&model, MODEL_OPSET, &opset);
	if (onnx_model_read(text_in(&model), &m, f) == 0) {
		status = onnx_import(&m, NULL, 0, BACKEND_FLOAT32, made, f);
		onnx_model_free(&m);
	}
	buf_free(&model);
	return status;
}

static void test_refusals(void)
{
	for (size_t i = 0; i < COUNT(refusals); i++) {
		const struct refusal *r = &refusals[i];
		struct graph made;
		struct fault f = { "" };
		const int status = import_node(r, "here", &made, &f);

		tap_ok(status == r->status && strcmp(f.text, r->message) == 0,
		    "the import of a model with the %s result of %s reports why it fails: "
		    "%s",
		    r->is_second ? "second" : "first", r->op, f.text);
		graph_free(&made);
	}
}

/* Returns whether the graph has a value with this name and role. */
static bool has(const struct graph *g, const char *name, enum backend_role role)
{
	const uint32_t number = graph_find(g, name);

	return number != GRAPH_NONE && g->value[number].role == role;
}

static void test_names(void)
{
	static const struct refusal one = { "Relu", NULL, { 2, 3, 4 }, 0, "", false };
	static const char *const names[] = { "", "x", "y", "here" };

	for (size_t i = 0; i < COUNT(names); i++) {
		struct graph made;
		struct fault f = { "" };

		tap_ok(import_node(&one, names[i], &made, &f) == 0 &&
		           has(&made, "x", BACKEND_INPUT) &&
		           has(&made, "y", BACKEND_OUTPUT),
		    "an imported model keeps the names of its input and output if its node "
		    "is named '%s' %s",
		    names[i], f.text);
		graph_free(&made);
	}
}

/* Checks how the six files become operations: patterns become one operation each. */
static void test_patterns(void)
{
	static const struct {
		const char *name;
		enum backend_kind kind;
		size_t count;
	} wanted[] = { { "bert", BACKEND_ATTENTION, 2 }, { "bert", BACKEND_SOFTMAX, 0 },
		{ "bert", BACKEND_MOVE, 0 }, { "gpt2", BACKEND_ATTENTION, 2 },
		{ "gpt2", BACKEND_MOVE, 0 }, { "vit", BACKEND_ATTENTION, 2 },
		{ "dense", BACKEND_LAYERNORM, 1 }, { "dense", BACKEND_RMSNORM, 1 } };

	for (size_t i = 0; i < COUNT(wanted); i++) {
		const struct binding param[] = { { "batch", "2" }, { "tokens", "12" } };
		char *path = str_format("%s/%s.onnx", folder, wanted[i].name);
		struct fault f = { "" };
		struct model *m = model_open(path, &f);
		struct graph g = { 0 };
		size_t count = 0, params = *wanted[i].name == 'v'   ? 0
		                           : *wanted[i].name == 'd' ? 1
		                                                    : 2;
		const struct model_expand_opts opts = {
			.param = param, .params = params, .dtype = BACKEND_FLOAT32
		};

		if (m)
			(void)model_expand(m, &opts, &g, &f);
		for (size_t n = 0; n < g.nodes; n++)
			count += g.node[n].op.kind == wanted[i].kind;
		tap_ok(g.nodes && count == wanted[i].count,
		    "%s.onnx has %zu operations of kind %d, expected %zu %s",
		    wanted[i].name, count, (int)wanted[i].kind, wanted[i].count, f.text);
		graph_free(&g);
		model_close(m);
		free(path);
	}
}

/* Compares a file of the caller. */
static int run_file(int argc, char **argv)
{
	struct binding param[16];
	struct engine_input input[16];
	size_t params = 0, inputs = 0;
	struct fault f = { "" };

	for (int i = 3; i < argc && i < 16; i++) {
		char *equals = strchr(argv[i], '=');

		if (!equals)
			continue;
		*equals = '\0';
		if (strchr(equals + 1, '/'))
			input[inputs++] = (struct engine_input){ argv[i], equals + 1 };
		else
			param[params++] = (struct binding){ argv[i], equals + 1 };
	}
	double apart = run(argv[1], argv[2], param, params, input, inputs, &f);
	tap_ok(apart <= 1e-4, "%s differs by %.3g from %s %s", argv[1], apart, argv[2],
	    f.text);
	return tap_end();
}

/* Checks that the activation of GPT-2, x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), of
 * which the file has each factor as a constant, becomes one activation in each layer. */
static void test_gelu_tanh(void)
{
	const struct binding param[] = { { "batch", "2" }, { "tokens", "12" } };
	char *path = str_format("%s/gpt2.onnx", folder);
	struct fault f = { "" };
	struct model *m = model_open(path, &f);
	struct graph g = { 0 };
	size_t count = 0;
	const struct model_expand_opts opts = {
		.param = param, .params = COUNT(param), .dtype = BACKEND_FLOAT32
	};

	if (m)
		(void)model_expand(m, &opts, &g, &f);
	for (size_t n = 0; n < g.nodes; n++)
		count += g.node[n].op.act == BACKEND_GELU_TANH;
	tap_ok(count == 2, "each layer of gpt2.onnx has one GELU with tanh, %zu of 2 %s",
	    count, f.text);
	graph_free(&g);
	model_close(m);
	free(path);
}

int main(int argc, char **argv)
{
	if (argc > 2)
		return run_file(argc, argv);
	test_files();
	test_patterns();
	test_gelu_tanh();
	test_refusals();
	test_names();
	return tap_end();
}
