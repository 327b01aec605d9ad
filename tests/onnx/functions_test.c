/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of ONNX files, sound and broken, replace the nodes that call them. Files that a
 * library wrote are in tests/translate/function_operators.py.
 */
#include <stdlib.h>

#include "../lib/tap.h"
#include "onnx/onnx_model.h"
#include "wire_bytes.h"

/* The fields of the messages, from onnx.proto. */
enum { MODEL_IR = 1, MODEL_GRAPH = 7, MODEL_FUNCTION = 25, GRAPH_NODE = 1 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_OP = 4, NODE_ATTRIBUTE = 5, NODE_DOMAIN = 7 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_I = 3, ATTRIBUTE_TYPE = 20, ATTRIBUTE_REF = 21 };
enum { FUNCTION_NAME = 1, FUNCTION_INPUT = 4, FUNCTION_OUTPUT = 5, FUNCTION_NODE = 7 };
enum { FUNCTION_DOMAIN = 10, FUNCTION_ATTRIBUTE = 11 };

/* Appends a node from "in" to "out" to a message. Its attribute a is the integer 3, or
 * refers to that of the call named `ref`. */
static void put_node(struct buf *to, uint32_t field, const char *op, const char *in,
    const char *out, const char *ref)
{
	struct buf node = { 0 }, attribute = { 0 };

	put_text(&node, NODE_INPUT, in);
	put_text(&node, NODE_OUTPUT, out);
	put_text(&node, NODE_OP, op);
	put_text(&node, NODE_DOMAIN, op[0] >= 'a' ? "local" : "");
	put_text(&attribute, ATTRIBUTE_NAME, "a");
	put_int(&attribute, ATTRIBUTE_TYPE, ONNX_ATTRIBUTE_INT);
	if (ref)
		put_text(&attribute, ATTRIBUTE_REF, ref);
	else
		put_int(&attribute, ATTRIBUTE_I, 3);
	put_message(&node, NODE_ATTRIBUTE, &attribute);
	put_message(to, field, &node);
}

/* Returns a function of one input and one output, without nodes. */
static struct buf function_of(const char *name, const char *in, const char *out)
{
	struct buf function = { 0 };

	put_text(&function, FUNCTION_NAME, name);
	put_text(&function, FUNCTION_DOMAIN, "local");
	put_text(&function, FUNCTION_INPUT, in);
	put_text(&function, FUNCTION_OUTPUT, out);
	return function;
}

/* Returns a model whose graph calls a function. */
static struct buf model_calling(const char *op, const char *ref)
{
	struct buf model = { 0 }, graph = { 0 };

	put_int(&model, MODEL_IR, 8);
	put_node(&graph, GRAPH_NODE, op, "x", "y", ref);
	put_message(&model, MODEL_GRAPH, &graph);
	return model;
}

/* Returns a copy of the model without room after it, so that tools find reads beyond. */
static char *exactly(const struct buf *model)
{
	char *copy = malloc(model->len);

	memcpy(copy, model->ptr, model->len);
	return copy;
}

/* Checks the message for a model, whose bytes it frees. */
static void refuses(struct buf *model, const char *want, const char *what)
{
	struct onnx_model m;
	struct fault f = { "" };
	char *copy = exactly(model);
	const int status = onnx_model_read((struct text){ copy, model->len }, &m, &f);

	if (!tap_ok(status == -1 && strstr(f.text, want), "%s is refused", what))
		printf("# status: %d\n# got:  %s\n# want: %s\n", status, f.text, want);
	if (status == 0)
		onnx_model_free(&m);
	free(copy);
	buf_free(model);
}

/* Checks the nodes of a model, whose bytes it frees: "OPERATOR IN OUT A;" of each. */
static void has_nodes(struct buf *model, const char *want, const char *what)
{
	struct onnx_model m;
	struct fault f = { "" };
	struct buf got = { 0 };
	char *copy = exactly(model);

	if (onnx_model_read((struct text){ copy, model->len }, &m, &f) < 0) {
		tap_ok(false, "%s", what);
		printf("# %s\n", f.text);
	} else {
		for (uint32_t i = 0; i < m.graph.nodes; i++) {
			const struct onnx_node *n = &m.graph.node[i];
			const struct onnx_attribute *a = onnx_attribute(n, "a");

			buf_text(&got, n->op);
			buf_byte(&got, ' ');
			buf_text(&got, n->input[0]);
			buf_byte(&got, ' ');
			buf_text(&got, n->output[0]);
			buf_printf(&got, " %d;", a ? (int)a->i : -1);
		}
		tap_text(got.ptr, want, what);
		onnx_model_free(&m);
	}
	free(copy);
	buf_free(&got);
	buf_free(model);
}

static void test_sound(void)
{
	struct buf model = model_calling("outer", NULL), f = function_of("outer", "u", "v");

	put_node(&f, FUNCTION_NODE, "inner", "u", "t", "a");
	put_node(&f, FUNCTION_NODE, "inner", "t", "v", "b");
	put_message(&model, MODEL_FUNCTION, &f);
	f = function_of("inner", "u", "v");
	put_node(&f, FUNCTION_NODE, "Abs", "u", "t", "a");
	put_node(&f, FUNCTION_NODE, "Neg", "t", "v", NULL);
	put_message(&model, MODEL_FUNCTION, &f);
	has_nodes(&model,
	    "Abs x //1/t 3;Neg //1/t //0/t 3;Abs //0/t //2/t -1;Neg //2/t y 3;",
	    "calls in functions are replaced, and values and attributes renamed");
	model = model_calling("same", NULL);
	f = function_of("same", "u", "u");
	put_message(&model, MODEL_FUNCTION, &f);
	has_nodes(&model, "Identity x y -1;", "a result that is an operand has its name");
	model = model_calling("Abs", NULL);
	f = function_of("unused", "u", "v");
	put_message(&model, MODEL_FUNCTION, &f);
	has_nodes(&model, "Abs x y 3;", "nodes that call no function are kept");
	model = model_calling("Abs", NULL);
	f = (struct buf){ 0 };
	put_text(&f, FUNCTION_NAME, "Abs");
	put_text(&f, FUNCTION_INPUT, "u");
	put_text(&f, FUNCTION_OUTPUT, "v");
	put_node(&f, FUNCTION_NODE, "Neg", "u", "v", NULL);
	put_message(&model, MODEL_FUNCTION, &f);
	has_nodes(&model, "Abs x y 3;", "a function does not replace an operator of its name");
	model = model_calling("New", NULL);
	f = (struct buf){ 0 };
	put_text(&f, FUNCTION_NAME, "New");
	put_text(&f, FUNCTION_INPUT, "u");
	put_text(&f, FUNCTION_OUTPUT, "v");
	put_node(&f, FUNCTION_NODE, "Neg", "u", "v", NULL);
	put_message(&model, MODEL_FUNCTION, &f);
	has_nodes(&model, "Neg x y 3;", "a function replaces an unknown standard operator");
}

static void test_attributes(void)
{
	struct buf model = model_calling("f", NULL), f = function_of("f", "u", "v"),
	           attribute = { 0 };

	put_node(&f, FUNCTION_NODE, "Abs", "u", "v", "b");
	put_text(&attribute, ATTRIBUTE_NAME, "b");
	put_int(&attribute, ATTRIBUTE_TYPE, ONNX_ATTRIBUTE_INT);
	put_int(&attribute, ATTRIBUTE_I, 7);
	put_message(&f, FUNCTION_ATTRIBUTE, &attribute);
	put_message(&model, MODEL_FUNCTION, &f);
	has_nodes(
	    &model, "Abs x y 7;", "an attribute that a call lacks has its default value");
	model = model_calling("f", NULL);
	f = function_of("f", "u", "v");
	put_node(&f, FUNCTION_NODE, "Abs", "u", "v", "b");
	put_text(&attribute, ATTRIBUTE_NAME, "b");
	put_int(&attribute, ATTRIBUTE_TYPE, ONNX_ATTRIBUTE_TENSOR);
	put_text(&attribute, ATTRIBUTE_REF, "b");
	put_message(&f, FUNCTION_ATTRIBUTE, &attribute);
	put_message(&model, MODEL_FUNCTION, &f);
	refuses(&model, "the function 'f' is called with an attribute of another type",
	    "an attribute of another type than that of the call");
	model = model_calling("Abs", "b");
	refuses(&model, "the attribute 'a' refers to that of a call ('b')",
	    "an attribute of a call outside functions");
}

static void test_calls(void)
{
	struct buf model = model_calling("f", NULL), f = function_of("f", "u", "v");

	put_node(&f, FUNCTION_NODE, "g", "u", "v", NULL);
	put_message(&model, MODEL_FUNCTION, &f);
	f = function_of("g", "u", "v");
	put_node(&f, FUNCTION_NODE, "f", "u", "v", NULL);
	put_message(&model, MODEL_FUNCTION, &f);
	refuses(&model, "the function 'f' calls itself", "a function that calls itself");

	model = model_calling("f", NULL);
	f = (struct buf){ 0 };
	put_text(&f, FUNCTION_NAME, "f");
	put_text(&f, FUNCTION_DOMAIN, "local");
	put_message(&model, MODEL_FUNCTION, &f);
	refuses(&model, "the function 'f' is called with more values than it has",
	    "a call with too many operands");

	model = model_calling("f", NULL);
	for (int i = 0; i < 2; i++) {
		f = function_of("f", "u", "v");
		put_message(&model, MODEL_FUNCTION, &f);
	}
	refuses(
	    &model, "the function 'f' is defined twice", "a function that is defined twice");

	model = model_calling("f", NULL);
	f = function_of("f", "u", "v");
	put_text(&f, FUNCTION_INPUT, "u");
	put_message(&model, MODEL_FUNCTION, &f);
	refuses(&model, "two inputs of one name", "a function with two inputs of one name");
}

/* Functions that each call the next one `times` times. */
static struct buf chain(int length, int times)
{
	struct buf model = model_calling("f0", NULL);

	for (int i = 0; i < length; i++) {
		char name[16], next[16];
		struct buf f;

		snprintf(name, sizeof(name), "f%d", i);
		snprintf(next, sizeof(next), "f%d", i + 1);
		f = function_of(name, "u", "v");
		for (int k = 0; k < times; k++)
			put_node(&f, FUNCTION_NODE, i + 1 < length ? next : "Abs", "u",
			    k ? "w" : "v", NULL);
		put_message(&model, MODEL_FUNCTION, &f);
	}
	return model;
}

static void test_limits(void)
{
	struct buf model = chain(ONNX_GRAPH_DEPTH - 1, 1);

	has_nodes(&model, "Abs x y 3;", "99 functions that call each other are read");
	model = chain(ONNX_GRAPH_DEPTH, 1);
	refuses(&model, "nested deeper than 100", "a chain of 100 functions");
	model = chain(30, 10);
	refuses(&model, "the graph takes more than 128 MiB", "a graph of 10^30 nodes");
}

int main(void)
{
	test_sound();
	test_attributes();
	test_calls();
	test_limits();
	return tap_end();
}
