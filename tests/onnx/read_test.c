/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads ONNX files that are made here, sound and broken.
 */
#include <stdlib.h>

#include "../lib/tap.h"
#include "onnx/onnx_model.h"
#include "protobuf/wire.h"
#include "wire_bytes.h"

/* The fields of the messages, from onnx.proto. */
enum { MODEL_IR = 1, MODEL_PRODUCER = 2, MODEL_GRAPH = 7, MODEL_OPSET = 8 };
enum { GRAPH_NODE = 1, GRAPH_TENSOR = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_OP = 4, NODE_ATTRIBUTE = 5 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_I = 3, ATTRIBUTE_G = 6, ATTRIBUTE_TYPE = 20 };
enum { TENSOR_DIMS = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_RAW = 9 };

/* Wraps a graph, which it frees, in a model. */
static struct buf model_of(struct buf *graph)
{
	struct buf model = { 0 }, opset = { 0 };

	put_int(&model, MODEL_IR, 8);
	put_text(&model, MODEL_PRODUCER, "test");
	put_message(&model, MODEL_GRAPH, graph);
	put_text(&opset, 1, "");
	put_int(&opset, 2, 17);
	put_message(&model, MODEL_OPSET, &opset);
	return model;
}

/* Returns a copy of the bytes without room after them, so that tools find reads beyond. */
static int read_exactly(
    const struct buf *b, size_t len, struct onnx_model *m, char **copy, struct fault *f)
{
	*copy = malloc(len ? len : 1);
	memcpy(*copy, b->ptr, len);
	return onnx_model_read((struct text){ *copy, len }, m, f);
}

/* Checks the message for a model, whose bytes it frees. */
static void refuses(struct buf *model, const char *want, const char *what)
{
	struct onnx_model m;
	struct fault f = { "" };
	char *copy;
	int status = read_exactly(model, model->len, &m, &copy, &f);

	if (!tap_ok(status == -1 && strstr(f.text, want), "%s is refused", what))
		printf("# status: %d\n# got:  %s\n# want: %s\n", status, f.text, want);
	if (status == 0)
		onnx_model_free(&m);
	free(copy);
	buf_free(model);
	*model = (struct buf){ 0 };
}

static struct buf node_of(const char *op, const char *name)
{
	struct buf node = { 0 };

	put_text(&node, NODE_INPUT, "x");
	put_text(&node, NODE_OUTPUT, "y");
	put_text(&node, NODE_NAME, name);
	put_text(&node, NODE_OP, op);
	return node;
}

/* Makes an attribute with a name and a type. */
static struct buf attribute_of(const char *name, int64_t type)
{
	struct buf attribute = { 0 };

	put_text(&attribute, ATTRIBUTE_NAME, name);
	put_int(&attribute, ATTRIBUTE_TYPE, type);
	return attribute;
}

static struct buf tensor_of(int64_t type, int64_t dim, struct text raw)
{
	struct buf tensor = { 0 };

	put_int(&tensor, TENSOR_DIMS, dim);
	put_int(&tensor, TENSOR_TYPE, type);
	put_text(&tensor, TENSOR_NAME, "w");
	if (raw.ptr)
		put_bytes(&tensor, TENSOR_RAW, raw);
	return tensor;
}

/* An input x, a weight w of two floats, and a node with attributes of several types. */
static struct buf small_model(void)
{
	struct buf graph = { 0 }, node = node_of("Conv", "c1");
	struct buf attribute = attribute_of("pads", ONNX_ATTRIBUTE_INTS);
	struct buf value = { 0 }, type = { 0 }, tensor_type = { 0 }, shape = { 0 },
	           dim = { 0 };
	struct buf tensor = tensor_of(ONNX_FLOAT, 2, TEXT("\0\0\200\77\0\0\0\100"));

	put_bytes(&attribute, 8, TEXT("\1\2\3\377\377\377\377\377\377\377\377\377\1"));
	put_message(&node, NODE_ATTRIBUTE, &attribute);
	put_message(&graph, GRAPH_NODE, &node);
	put_message(&graph, GRAPH_TENSOR, &tensor);
	put_text(&dim, 2, "batch");
	put_message(&shape, 1, &dim);
	put_int(&dim, 1, 3);
	put_message(&shape, 1, &dim);
	put_message(&shape, 1, &dim);
	put_int(&tensor_type, 1, ONNX_FLOAT);
	put_message(&tensor_type, 2, &shape);
	put_message(&type, 1, &tensor_type);
	put_text(&value, 1, "x");
	put_message(&value, 2, &type);
	put_message(&graph, GRAPH_INPUT, &value);
	return model_of(&graph);
}

static void test_small(void)
{
	struct buf bytes = small_model();
	struct onnx_model m;
	struct fault f = { "" };
	float w[2];

	if (!tap_ok(onnx_model_read(text_in(&bytes), &m, &f) == 0,
	        "a small model is read"))
		printf("# %s\n", f.text);
	const struct onnx_graph *g = &m.graph;
	const struct onnx_attribute *pads = onnx_attribute(&g->node[0], "pads");
	char *label = onnx_node_label(&g->node[0]);

	tap_ok(m.ir_version == 8 && onnx_opset(&m) == 17 && text_is(m.producer, "test"),
	    "a model has its versions and its producer");
	tap_ok(g->nodes == 1 && g->inputs == 1 && g->initializers == 1 && !g->outputs,
	    "a graph has its nodes, inputs and initializers");
	tap_ok(pads && pads->int_count == 4 && pads->ints[2] == 3 && pads->ints[3] == -1,
	    "packed integers of an attribute are decoded, also negative ones");
	tap_text(label, "node 'c1' (Conv)", "a node is named with its operator");
	tap_ok(g->input[0].dims == 3 && text_is(g->input[0].dim[0].name, "batch") &&
	           g->input[0].dim[1].is_fixed && g->input[0].dim[1].size == 3 &&
	           !g->input[0].dim[2].is_fixed && !g->input[0].dim[2].name.len,
	    "dimensions are symbolic, fixed or unknown");
	tap_ok(g->initializer[0].data.ptr > bytes.ptr &&
	           g->initializer[0].data.ptr < bytes.ptr + bytes.len,
	    "raw data stays in the bytes of the file");
	memcpy(w, g->initializer[0].data.ptr, sizeof(w));
	tap_ok(w[0] == 1 && w[1] == 2, "raw data has its values");
	free(label);
	onnx_model_free(&m);
	buf_free(&bytes);
}

/* Every prefix of a model is refused or is a model; nothing is read beyond its end. */
static void test_truncated(void)
{
	struct buf bytes = small_model();
	size_t read = 0;

	for (size_t len = 0; len < bytes.len; len++) {
		struct onnx_model m;
		struct fault f;
		char *copy;

		if (read_exactly(&bytes, len, &m, &copy, &f) == 0) {
			onnx_model_free(&m);
			read++;
		}
		free(copy);
	}
	/* The graph is complete before the opset. */
	tap_ok(
	    read == 1, "a model that is truncated at any byte inside its graph is refused");
	buf_free(&bytes);
}

static void test_broken_bytes(void)
{
	static const struct {
		struct text bytes;
		const char *want, *what;
	} cases[] = {
		{ TEXT(""), "empty", "an empty file" },
		{ TEXT("\x89PNG\r\n"), "ModelProto: a number", "a PNG file" },
		{ TEXT("\010\010"), "no graph", "a model without a graph" },
		{ TEXT("\072\0"), "IR version 0", "a model without an IR version" },
		{ TEXT("\010\017\072\0"), "IR version 15 is unknown",
		    "an IR version to come" },
		{ TEXT("\010\377\377\377\377\377\377\377\377\377\1\072\0"), "IR version -1",
		    "a negative IR version" },
		{ TEXT("\010\010\072\377\377\377\377\377\377\377\377\377\1"),
		    "beyond the end", "a length of 2^64 - 1" },
		{ TEXT("\010\010\072\377\377\377\377\7"), "beyond the end",
		    "a length of 2 GiB" },
		{ TEXT("\010\010\072\1"), "beyond the end", "a length beyond the file" },
		{ TEXT("\010\377\377\377\377\377\377\377\377\377\2"), "64 bits",
		    "a varint of 65 bits" },
		{ TEXT("\010\200\200\200\200\200\200\200\200\200\200\1"), "64 bits",
		    "a varint of 11 bytes" },
		{ TEXT("\010"), "truncated", "a varint without bytes" },
		{ TEXT("\013\014"), "group", "a group" },
		{ TEXT("\0\0"), "number 0", "a field with the number 0" },
		{ TEXT("\016\0"), "wire type", "a field of wire type 6" },
		{ TEXT("\011\0\0\0\0\0\0\0\0"), "ir_version has wire type 1 instead of 0",
		    "a version of the wrong wire type" },
		{ TEXT("\010\010\070\1"), "graph has wire type 0",
		    "a number as the graph" },
		{ TEXT("\010\010\072\0\072\0"), "graph occurs twice", "a second graph" },
		{ TEXT("\010\010\022\2\300\200"), "UTF-8", "a name that is not UTF-8" },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf b = { 0 };

		buf_text(&b, cases[i].bytes);
		buf_room(&b, 1);
		refuses(&b, cases[i].want, cases[i].what);
	}
}

/* Wraps a tensor in a model. */
static struct buf with_tensor(struct buf tensor)
{
	struct buf graph = { 0 };

	put_message(&graph, GRAPH_TENSOR, &tensor);
	return model_of(&graph);
}

static void test_tensors(void)
{
	struct buf b = with_tensor(tensor_of(29, 1, TEXT("a")));

	refuses(&b, "tensor 'w': byte 12: element type 29 is unknown", "element type 29");
	b = with_tensor(tensor_of(0, 1, TEXT("a")));
	refuses(&b, "element type 0 is unknown", "an undefined element type");
	b = with_tensor(tensor_of(ONNX_FLOAT, 2, TEXT("1234")));
	refuses(&b, "4 bytes of data instead of 8", "a tensor with too few bytes");
	b = with_tensor(tensor_of(ONNX_FLOAT, -1, TEXT("")));
	refuses(&b, "dimension 0 is -1", "a negative dimension");
	b = with_tensor(tensor_of(ONNX_FLOAT, INT64_MAX, TEXT("")));
	refuses(&b, "dimensions are too large", "a dimension that overflows");
	b = with_tensor(tensor_of(ONNX_FLOAT, 2, (struct text){ 0 }));
	refuses(&b, "0 numbers of data instead of 2", "a tensor without data");

	struct buf t = tensor_of(ONNX_FLOAT, INT64_C(1) << 32, (struct text){ 0 });
	put_int(&t, TENSOR_DIMS, INT64_C(1) << 32);
	b = with_tensor(t);
	refuses(&b, "dimensions are too large", "a product of dimensions of 2^64");
	t = tensor_of(ONNX_FLOAT, 1, TEXT("1234"));
	put_bytes(&t, 4, TEXT("1234"));
	b = with_tensor(t);
	refuses(&b, "does not use", "a tensor with data in two fields");
	t = tensor_of(ONNX_INT64, 1, (struct text){ 0 });
	put_bytes(&t, 4, TEXT("1234"));
	b = with_tensor(t);
	refuses(&b, "element type int64 does not use", "floats in a tensor of integers");
	t = tensor_of(ONNX_FLOAT, 1, (struct text){ 0 });
	put_int(&t, 14, 1);
	b = with_tensor(t);
	refuses(&b, "no location", "an external tensor without a location");
	t = tensor_of(ONNX_FLOAT, 1, TEXT("1234"));
	for (int i = 0; i < ONNX_DIMS_MAX; i++)
		put_int(&t, TENSOR_DIMS, 1);
	b = with_tensor(t);
	refuses(&b, "65 dimensions", "a tensor of 65 dimensions");

	struct buf graph = { 0 };
	for (int i = 0; i < 2; i++) {
		t = tensor_of(ONNX_FLOAT, 1, TEXT("1234"));
		put_message(&graph, GRAPH_TENSOR, &t);
	}
	b = model_of(&graph);
	refuses(&b, "two initializers have the name 'w'", "a name of two initializers");
}

/* Wraps an attribute in a model. */
static struct buf with_attribute(struct buf attribute)
{
	struct buf graph = { 0 }, node = node_of("Conv", "c1");

	put_message(&node, NODE_ATTRIBUTE, &attribute);
	put_message(&graph, GRAPH_NODE, &node);
	return model_of(&graph);
}

static void test_nodes(void)
{
	struct buf graph = { 0 }, node = { 0 };
	struct buf attribute = attribute_of("a", ONNX_ATTRIBUTE_INT), b;

	put_bytes(&attribute, 7, TEXT("1234"));
	b = with_attribute(attribute);
	refuses(&b, "node 'c1' (Conv): attribute 'a': byte ",
	    "an attribute whose value has another type");
	b = with_attribute(attribute_of("a", ONNX_ATTRIBUTE_TENSOR));
	refuses(
	    &b, "attribute 'a': byte 30: it has no value", "an attribute without a value");
	b = with_attribute(attribute_of("a", 99));
	refuses(&b, "attribute type 99 is unknown", "an unknown attribute type");
	put_message(&graph, GRAPH_NODE, &node);
	b = model_of(&graph);
	refuses(&b, "the node has no operator", "a node without an operator");
}

/* Appends the beginning of a graph whose node has a graph of inner_len bytes. */
static void put_outer(struct buf *b, size_t inner_len)
{
	struct buf node = node_of("If", "n");
	struct buf attribute = attribute_of("then", ONNX_ATTRIBUTE_GRAPH);

	put_varint(&attribute, ATTRIBUTE_G << 3 | 2);
	put_varint(&attribute, inner_len);
	put_varint(&node, NODE_ATTRIBUTE << 3 | 2);
	put_varint(&node, attribute.len + inner_len);
	buf_put(&node, attribute.ptr, attribute.len);
	put_varint(b, GRAPH_NODE << 3 | 2);
	put_varint(b, node.len + inner_len);
	buf_put(b, node.ptr, node.len);
	buf_free(&attribute);
	buf_free(&node);
}

/* Returns a model with graphs in graphs. */
static struct buf nested(size_t depth)
{
	size_t *len = mem_zero(depth, sizeof(*len));
	struct buf graph = { 0 };

	for (size_t i = 1; i < depth; i++) {
		graph.len = 0;
		put_outer(&graph, len[i - 1]);
		len[i] = graph.len + len[i - 1];
	}
	graph.len = 0;
	for (size_t i = depth; i-- > 1;)
		put_outer(&graph, len[i - 1]);
	free(len);
	return model_of(&graph);
}

static void test_depth(void)
{
	struct buf b = nested(ONNX_GRAPH_DEPTH);
	struct onnx_model m;
	struct fault f = { "" };
	int status = onnx_model_read(text_in(&b), &m, &f);

	tap_ok(status == 0, "100 nested graphs are read");
	if (status == 0)
		onnx_model_free(&m);
	buf_free(&b);
	b = nested(ONNX_GRAPH_DEPTH + 1);
	refuses(&b, "nested deeper than 100", "a depth of 101 graphs");
	b = nested(20000);
	refuses(&b, "nested deeper than 100", "a depth of 20,000 graphs");
}

/* Many small elements must not need much memory. */
static void test_memory(void)
{
	struct buf graph = { 0 }, b;
	struct onnx_model m;
	struct fault f = { "" };
	int status;

	for (int i = 0; i < 1000000; i++)
		buf_text(&graph, TEXT("\12\0"));
	b = model_of(&graph);
	refuses(&b, "1000000 elements need more memory", "a file of a million empty nodes");
	for (int i = 0; i < 100000; i++)
		buf_text(&graph, TEXT("\12\16\12\1a\22\1b\42\4Relu\32\0"));
	b = model_of(&graph);
	status = onnx_model_read(text_in(&b), &m, &f);
	if (!tap_ok(status == 0, "a file of 100,000 nodes without weights is read"))
		printf("# %s\n", f.text);
	else
		onnx_model_free(&m);
	buf_free(&b);
}

static void test_wire(void)
{
	struct text left = TEXT("\254\2\1");
	struct wire_item item;
	uint64_t value = 0;

	tap_ok(wire_varint(&left, &value) && value == 300 && left.len == 1,
	    "a varint of two bytes is 300");
	tap_ok(wire_varint(&left, &value) && value == 1 && left.len == 0,
	    "a varint of one byte is 1");
	tap_ok(!wire_varint(&left, &value), "a varint of no bytes is refused");
	left = TEXT("\45\1\2\3\4\52\2ab");
	tap_ok(!wire_next(&left, &item) && item.number == 4 && item.type == WIRE_TYPE_32 &&
	           item.value == 0x04030201,
	    "a fixed number is little-endian");
	tap_ok(!wire_next(&left, &item) && item.number == 5 && text_is(item.bytes, "ab") &&
	           !left.len,
	    "the bytes of a field are in place");
}

int main(void)
{
	test_wire();
	test_small();
	test_truncated();
	test_broken_bytes();
	test_tensors();
	test_nodes();
	test_depth();
	test_memory();
	return tap_end();
}
