/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Infers the shapes of graphs of one or a few nodes, and counts their multiply-adds. The
 * expected shapes are those of the operators' definitions; tests/onnx/read.t compares with
 * the shape inference of the Python package onnx.
 */
#include <stdlib.h>

#include "../lib/tap.h"
#include "onnx/onnx_shapes.h"
#include "wire_bytes.h"

/* Appends an attribute: "axis:1" is an integer, "pads=1,1" a list, "mode~text" a string. */
static void put_attribute(struct buf *node, const char *spec, size_t len)
{
	size_t name = strcspn(spec, ":=~");
	struct buf a = { 0 };

	put_bytes(&a, 1, (struct text){ spec, name });
	if (spec[name] == ':') {
		put_int(&a, 3, atoll(spec + name + 1));
		put_int(&a, 20, ONNX_ATTRIBUTE_INT);
	} else if (spec[name] == '~') {
		put_bytes(&a, 4, (struct text){ spec + name + 1, len - name - 1 });
		put_int(&a, 20, ONNX_ATTRIBUTE_STRING);
	} else {
		for (const char *at = spec + name; at < spec + len && *at != ' ';
		     at += 1 + strcspn(at + 1, ", "))
			put_int(&a, 8, atoll(at + 1));
		put_int(&a, 20, ONNX_ATTRIBUTE_INTS);
	}
	put_message(node, 5, &a);
}

/* Adds an input of the graph with the sizes "2,3"; a size may be a name. */
static void put_input(struct buf *graph, const char *name, const char *sizes)
{
	struct buf value = { 0 }, type = { 0 }, tensor = { 0 }, shape = { 0 }, dim = { 0 };

	for (const char *at = sizes; *at && *at != ' '; at += *at == ',') {
		size_t len = strcspn(at, ", ");

		if (*at >= '0' && *at <= '9')
			put_int(&dim, 1, atoll(at));
		else
			put_bytes(&dim, 2, (struct text){ at, len });
		put_message(&shape, 1, &dim);
		at += len;
	}
	put_int(&tensor, 1, ONNX_FLOAT);
	put_message(&tensor, 2, &shape);
	put_message(&type, 1, &tensor);
	put_text(&value, 1, name);
	put_message(&value, 2, &type);
	put_message(graph, 11, &value);
}

/* Adds an initializer of integers: "1,2", or "1,2;3,4" for two rows; "" is an empty one. */
static void put_integers(struct buf *graph, const char *name, const char *values)
{
	struct buf tensor = { 0 };
	int64_t count = 0, rows = 1;

	for (const char *at = values; *at && *at != ' '; count++) {
		put_int(&tensor, 7, atoll(at));
		at += strcspn(at, ",; ");
		rows += *at == ';';
		at += *at == ',' || *at == ';';
	}
	if (rows > 1)
		put_int(&tensor, 1, rows);
	put_int(&tensor, 1, count / rows);
	put_int(&tensor, 2, ONNX_INT64);
	put_text(&tensor, 8, name);
	put_message(graph, 5, &tensor);
}

/*
 * Makes a graph of one node. Operands, separated by spaces: "2,3" is an input, "#2,3" a
 * tensor of integers, "-" an absent operand.
 */
static struct buf graph_of(
    const char *op, const char *operands, const char *attributes, int outs)
{
	struct buf graph = { 0 }, node = { 0 };
	char name[] = "a";

	for (const char *at = operands; *at; name[0]++) {
		if (*at == '#')
			put_integers(&graph, name, at + 1);
		else if (*at != '-')
			put_input(&graph, name, at);
		put_text(&node, 1, *at == '-' ? "" : name);
		at += strcspn(at, " ");
		at += *at == ' ';
	}
	for (int i = 0; i < outs; i++)
		put_text(&node, 2, (const char *[]){ "y", "z", "w" }[i]);
	put_text(&node, 4, op);
	for (const char *at = attributes; *at;) {
		size_t len = strcspn(at, " ");

		put_attribute(&node, at, len);
		at += len + (at[len] == ' ');
	}
	put_message(&graph, 1, &node);
	return graph;
}

static struct buf model_of(struct buf *graph)
{
	struct buf model = { 0 };

	put_int(&model, 1, 8);
	put_message(&model, 7, graph);
	return model;
}

/* Returns "2x3", "scalar", "?" or a message, to be freed. */
static char *shape_text(struct onnx_shapes *shapes, const struct onnx_fact *v)
{
	struct buf b = { 0 };

	if (!v || !v->has_shape)
		return str_copy("?");
	for (uint32_t i = 0; i < v->dims; i++)
		buf_printf(&b, "%s%lld", i ? "x" : "", (long long)v->dim[i]);
	if (!v->dims)
		buf_str(&b, "scalar");
	for (int64_t i = 0;
	     onnx_fact_known(shapes, v) && v->integer && i < onnx_fact_elements(v); i++)
		buf_printf(&b, "%s%lld", i ? "," : " = ", (long long)v->integer[i]);
	return b.ptr;
}

/* Infers the shapes of a graph, which it frees. Returns the text of value y. */
static char *infer(struct buf *graph, double *macs, char **why)
{
	struct buf bytes = model_of(graph);
	struct onnx_symbols symbols;
	struct onnx_shapes shapes;
	struct onnx_model m;
	struct fault f;
	char *text;

	*macs = -1;
	*why = NULL;
	if (onnx_model_read(text_in(&bytes), &m, &f) < 0) {
		buf_free(&bytes);
		return str_copy(f.text);
	}
	onnx_symbols_find(&m, &symbols);
	if (onnx_symbols_set(&symbols, "batch", "5", &f) < 0)
		puts(f.text);
	if (onnx_shapes_make(&m, &symbols, 4096, NULL, &shapes, &f) < 0) {
		text = str_copy(f.text);
	} else {
		text = shape_text(&shapes, onnx_shapes_of(&shapes, TEXT("y")));
		*macs = shapes.has_macs ? shapes.macs : -1;
		*why = str_copy(shapes.has_macs ? "" : shapes.why.text);
		onnx_shapes_free(&shapes);
	}
	onnx_symbols_free(&symbols);
	onnx_model_free(&m);
	buf_free(&bytes);
	return text;
}

static const struct {
	const char *op, *operands, *attributes, *want;
	double macs;
} cases[] = {
	{ "Relu", "2,3", "", "2x3", 0 },
	{ "Add", "2,3,1 4", "", "2x3x4", 0 },
	{ "Add", "2,3 4", "", "?", -1 },
	{ "MatMul", "2,3 3,4", "", "2x4", 24 },
	{ "MatMul", "7,2,3 3,4", "", "7x2x4", 168 },
	{ "MatMul", "7,1,2,3 5,3,4", "", "7x5x2x4", 840 },
	{ "MatMul", "3 3,4", "", "4", 12 },
	{ "MatMul", "2,3 3", "", "2", 6 },
	{ "MatMul", "2,3 4,3", "", "?", -1 },
	{ "MatMul", "batch,3 3,4", "", "5x4", 60 },
	{ "Gemm", "2,3 4,3", "transB:1", "2x4", 24 },
	{ "Gemm", "3,2 3,4", "transA:1", "2x4", 24 },
	{ "Gemm", "2,3 3,4 3", "", "?", -1 },
	{ "Gemm", "2,3 3,4 1,2,4", "", "?", -1 },
	{ "Conv", "1,3,8,8 16,3,3,3", "pads=1,1,1,1 strides=2,2", "1x16x4x4", 6912 },
	{ "Conv", "1,4,8 4,1,3", "group:4 dilations=2", "1x4x4", 48 },
	{ "Conv", "1,3,7,7 2,3,2,2", "auto_pad~SAME_UPPER strides=2,2", "1x2x4x4", 384 },
	{ "Conv", "1,3,2,2 2,3,3,3", "", "?", -1 },
	{ "Conv", "1,3,4,4 2,3,3,3", "pads=1", "?", -1 },
	{ "ConvTranspose", "1,2,4,4 2,3,2,2", "strides=2,2", "1x3x8x8", 384 },
	{ "MaxPool", "1,3,7,7", "kernel_shape=2,2 strides=2,2 ceil_mode:1", "1x3x4x4", 0 },
	{ "MaxPool", "1,3,7,7", "", "?", -1 },
	{ "GlobalAveragePool", "2,3,7,7", "", "2x3x1x1", 0 },
	{ "LSTM", "9,2,3 1,16,3 1,16,4", "hidden_size:4", "9x1x2x4", 2016 },
	{ "Einsum", "2,3,4 2,4,5", "equation~bij,bjk->bik", "2x3x5", 120 },
	{ "Einsum", "2 3", "equation~i,j", "2x3", 0 },
	{ "Attention", "2,3,5,8 2,3,7,8 2,3,7,4", "", "2x3x5x4", 2520 },
	{ "Reshape", "2,3,4 #0,-1", "", "2x12", 0 },
	{ "Reshape", "2,3 #4,-1", "", "?", -1 },
	{ "Flatten", "2,3,4", "axis:2", "6x4", 0 },
	{ "Squeeze", "2,1,3,1 #1", "", "2x3x1", 0 },
	{ "Squeeze", "2,1,3,1", "", "2x3", 0 },
	{ "Unsqueeze", "2,3 #0,-1", "", "1x2x3x1", 0 },
	{ "Unsqueeze", "2,3", "axes=1", "2x1x3", 0 },
	{ "Transpose", "2,3,4", "perm=2,0,1", "4x2x3", 0 },
	{ "Transpose", "2,3,4", "perm=2,0,0", "?", -1 },
	{ "Concat", "2,3 2,4", "axis:-1", "2x7", 0 },
	{ "Split", "2,7 #3,4", "axis:1", "2x3", 0 },
	{ "Slice", "9,9 #1 #-1 #1 #3", "", "9x3", 0 },
	{ "Slice", "9 #-1 #-9223372036854775807 #0 #-1", "", "9", 0 },
	{ "Gather", "5,6 #1,2", "axis:1", "5x2", 0 },
	{ "Expand", "3,1 #2,1,4", "", "2x3x4", 0 },
	{ "Tile", "2,3 #2,1", "", "4x3", 0 },
	{ "Pad", "2,3 #0,1,0,2", "", "2x6", 0 },
	{ "Resize", "1,3,4,4 - - #1,3,8,9", "", "1x3x8x9", 0 },
	{ "DepthToSpace", "1,12,2,3", "blocksize:2", "1x3x4x6", 0 },
	{ "ReduceMean", "2,3,4", "axes=1", "2x1x4", 0 },
	{ "ReduceSum", "2,3,4 #-1", "keepdims:0", "2x3", 0 },
	{ "ArgMax", "2,3", "axis:1 keepdims:0", "2", 0 },
	{ "TopK", "2,9 #4", "", "2x4", 0 },
	{ "Shape", "2,3,4", "", "3 = 2,3,4", 0 },
	{ "Shape", "2,3,4", "start:-2", "2 = 3,4", 0 },
	{ "ConstantOfShape", "#2,3", "", "2x3", 0 },
	{ "Range", "#2 #9 #3", "", "3 = 2,5,8", 0 },
	{ "Concat", "#1,2 #3", "axis:0", "3 = 1,2,3", 0 },
	{ "Slice", "#5,6,7,8 #1 #4 #0 #2", "", "2 = 6,8", 0 },
	{ "Slice", "#5,6,7,8 #-1 #-9 #0 #-1", "", "4 = 8,7,6,5", 0 },
	{ "Gather", "#5,6,7,8 #-1,0", "", "2 = 8,5", 0 },
	{ "Gather", "#5,6,7,8 #4", "", "1", 0 },
	{ "Mul", "#5,6 #2", "", "2 = 10,12", 0 },
	{ "Div", "#7,-7 #2", "", "2 = 3,-3", 0 },
	{ "Div", "#7 #-1", "", "1 = -7", 0 },
	{ "Div", "#7 #0", "", "1", 0 },
	{ "Div", "#-9223372036854775808 #-1", "", "1 = -9223372036854775808", 0 },
	{ "Mod", "#7,-7 #3", "", "2 = 1,2", 0 },
	{ "Equal", "#7,-1 #-1", "", "2 = 0,1", 0 },
	{ "Where", "#1,0 #7,8 #-1", "", "2 = 7,-1", 0 },
	{ "Cast", "#300", "to:2", "1 = 44", 0 },
	{ "ReduceProd", "#2,3,4", "keepdims:0", "scalar = 24", 0 },
	{ "Expand", "#4 #2,2", "", "2x2 = 4,4,4,4", 0 },
	{ "Reshape", "#5,6,7,8 #2,-1", "", "2x2 = 5,6,7,8", 0 },
	{ "Transpose", "#5,6;7,8", "", "2x2 = 5,7,6,8", 0 },
	{ "Pow", "#2,-3 #3", "", "2 = 8,-27", 0 },
	{ "Relu", "#-5,6", "", "2 = 0,6", 0 },
	{ "ReduceSum", "#5,6;7,8 #0", "keepdims:0", "2 = 12,14", 0 },
	{ "ReduceMean", "#5,6;7,10", "axes=1", "2x1 = 5,8", 0 },
	{ "ReduceMax", "#5,9;7,8", "axes=-1 keepdims:0", "2 = 9,8", 0 },
	{ "CumSum", "#5,6;7,8 #1", "", "2x2 = 5,11,7,15", 0 },
	{ "CumSum", "#5,6;7,8 #0", "", "2x2 = 5,6,12,14", 0 },
	{ "CumSum", "#5,6 #0", "reverse:1", "2", 0 },
	{ "Trilu", "#5,6;7,8", "upper:0", "2x2 = 5,0,7,8", 0 },
	{ "Trilu", "#5,6;7,8 #1", "", "2x2 = 0,6,0,0", 0 },
	{ "GatherElements", "#5,6;7,8 #1,0;0,-1", "axis:1", "2x2 = 6,5,7,8", 0 },
	{ "GatherElements", "#5,6;7,8 #1,0;0,-1", "", "2x2 = 7,6,5,8", 0 },
	{ "GatherElements", "2,3 #0", "", "?", -1 },
	{ "GatherND", "#5,6;7,8 #1,0;0,1", "", "2 = 7,6", 0 },
	{ "GatherND", "#5,6;7,8 #-1", "", "2 = 7,8", 0 },
	{ "GatherND", "#5,6;7,8 #2", "", "2", 0 },
	{ "MatMul", "#1,2;3,4 #5,6;7,8", "", "2x2 = 19,22,43,50", 8 },
	{ "NonZero", "2,3", "", "?", 0 },
	{ "Frobnicate", "2,3", "", "?", -1 },
};

static void test_cases(void)
{
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct buf graph =
		    graph_of(cases[i].op, cases[i].operands, cases[i].attributes, 1);
		double macs;
		char *why, *got = infer(&graph, &macs, &why);
		char *what = str_format("%s of %s %s has the shape, values and MACs of its "
		                        "definition",
		    cases[i].op, cases[i].operands, cases[i].attributes);

		/* The number of parts that Split makes is that of its results. */
		if (strcmp(cases[i].op, "Split") == 0) {
			free(got);
			free(why);
			graph =
			    graph_of("Split", cases[i].operands, cases[i].attributes, 2);
			got = infer(&graph, &macs, &why);
		}
		if (!tap_ok(strcmp(got, cases[i].want) == 0 && macs == cases[i].macs, "%s",
		        what))
			printf("# got:  %s, %.0f MACs %s\n# want: %s, %.0f MACs\n", got,
			    macs, why ? why : "", cases[i].want, cases[i].macs);
		free(what);
		free(why);
		free(got);
	}
}

/* Adds a node with one operand. */
static void put_unary(struct buf *graph, const char *op, const char *in, const char *out)
{
	struct buf node = { 0 };

	put_text(&node, 1, in);
	put_text(&node, 2, out);
	put_text(&node, 4, op);
	put_message(graph, 1, &node);
}

/* Infers the shapes of a graph, which it frees, and compares the text of value y, or the
 * reason why the MACs are unknown. */
static void expect(struct buf *graph, bool is_reason, const char *want, const char *name)
{
	double macs;
	char *why, *got = infer(graph, &macs, &why);

	tap_text(is_reason ? why : got, want, name);
	free(got);
	free(why);
}

static void test_graphs(void)
{
	struct buf graph = { 0 }, node = { 0 };

	put_input(&graph, "x", "2,3");
	put_unary(&graph, "Relu", "nowhere", "y");
	expect(&graph, false, "node of 'y' (Relu): no node before it computes 'nowhere'",
	    "an operand that no node computes is refused");

	put_input(&graph, "x", "2,3");
	put_unary(&graph, "Relu", "x", "y");
	put_unary(&graph, "Relu", "x", "y");
	expect(&graph, false, "node of 'y' (Relu): 'y' is computed a second time",
	    "a value that two nodes compute is refused");

	put_input(&graph, "x", "2,3");
	put_unary(&graph, "NonZero", "x", "n");
	put_text(&node, 1, "x");
	put_text(&node, 1, "n");
	put_text(&node, 2, "y");
	put_text(&node, 4, "MatMul");
	put_message(&graph, 1, &node);
	expect(&graph, true,
	    "node of 'y' (MatMul): the shapes of its operands are unknown after node of "
	    "'n' (NonZero)",
	    "a product of unknown shapes names the node that lost them");

	put_input(&graph, "x", "2,3");
	put_unary(&graph, "Frobnicate", "x", "y");
	expect(&graph, true, "node of 'y' (Frobnicate): the operator is unknown",
	    "an unknown operator is named");
}

/* Constants that graph_of() cannot write. */
static void test_constants(void)
{
	/* 1.5, -2, the smallest and the largest number of float16, little-endian. */
	static const char halves[] = "\x00\x3e\x00\xc0\x01\x00\xff\x7b";
	struct buf graph = { 0 }, node = { 0 }, tensor = { 0 };

	put_int(&tensor, 1, 4);
	put_int(&tensor, 2, ONNX_FLOAT16);
	put_text(&tensor, 8, "h");
	put_bytes(&tensor, 9, (struct text){ halves, 8 });
	put_message(&graph, 5, &tensor);
	put_text(&node, 1, "h");
	put_text(&node, 2, "y");
	put_text(&node, 4, "Cast");
	put_attribute(&node, "to:7", 4);
	put_message(&graph, 1, &node);
	expect(&graph, false, "4 = 1,-2,0,65504", "constants of float16 are decoded");

	put_integers(&graph, "x", "5,6,7");
	put_text(&node, 1, "x");
	put_text(&node, 2, "a");
	put_text(&node, 2, "b");
	put_text(&node, 4, "Split");
	put_message(&graph, 1, &node);
	put_unary(&graph, "Neg", "b", "y");
	expect(
	    &graph, false, "1 = -7", "each result of a Split of constants is a constant");

	put_input(&graph, "x", "2,3");
	put_unary(&graph, "Shape", "x", "s");
	put_unary(&graph, "Identity", "s", "y");
	expect(&graph, false, "2 = 2,3", "Identity keeps computed elements");
}

int main(void)
{
	test_cases();
	test_graphs();
	test_constants();
	return tap_end();
}
