/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads ONNX files, which are protocol buffers (onnx.proto, up to IR version 14). Pure.
 *
 * The reader copies no names and no tensors: each `struct text` is a part of the file's
 * bytes, which must live as long as the model. Arrays are in an arena, whose size is
 * limited to ONNX_MEMORY_FACTOR times the size of the file (plus 1 MiB), so that a hostile
 * file cannot exhaust memory. Fields that the reader does not know are skipped.
 *
 * Nodes that call functions of the file are replaced by the nodes of these functions, which
 * takes up to ONNX_INLINED_MAX more bytes; see onnx_inline.h.
 *
 * These are refused: groups, bad varints, lengths beyond the file, strings that are not
 * UTF-8, graphs nested deeper than ONNX_GRAPH_DEPTH, unknown IR versions and element types,
 * tensors whose data does not have the size of their dimensions, two initializers with the
 * same name, and calls of functions that cannot be replaced.
 *
 * Reading does not check that operators exist, that their attributes are correct, or that
 * the names of values are defined; onnx_shapes.h does.
 */
#ifndef ONNX_ONNX_MODEL_H
#define ONNX_ONNX_MODEL_H

#include "base/arena.h"
#include "base/base.h"
#include "onnx/onnx_type.h"

enum {
	ONNX_IR_VERSION_MAX = 14,
	ONNX_GRAPH_DEPTH = 100, /* the main graph has depth 1 */
	ONNX_DIMS_MAX = 64,     /* dimensions of a tensor */
	ONNX_MEMORY_FACTOR = 24,
	ONNX_INLINED_MAX = 1 << 27,
};

/* A dimension of an input or output. */
struct onnx_dim {
	int64_t size;     /* valid if is_fixed; never negative */
	struct text name; /* of a symbolic dimension; empty: fixed or unknown */
	bool is_fixed;
};

/* An input, an output, or another value whose type the file has. */
struct onnx_value {
	struct text name;
	bool has_type;
	/* If false, the value is a sequence, a map, an optional value or a sparse tensor,
	 * or has no type; the rest is 0. */
	bool is_tensor;
	bool has_shape; /* false: not even the number of dimensions is known */
	/* For inputs: an initializer of this name gives the value, so that users do not
	 * have to. */
	bool has_initializer;
	int64_t type; /* enum onnx_type; 0: unknown */
	uint32_t dims;
	const struct onnx_dim *dim;
};

struct onnx_entry { /* of a list of keys and values */
	struct text key, value;
};

/* A tensor in the file: an initializer or an attribute. */
struct onnx_tensor {
	struct text name;
	int64_t type; /* enum onnx_type, never 0 */
	uint32_t dims;
	const int64_t *dim; /* not negative */
	uint64_t elements;  /* the product of the dimensions */
	uint64_t bytes;     /* of the elements; 0 for strings */
	/*
	 * The elements, little-endian, in rows, packed without gaps (4-bit elements: the
	 * first is in the lower bits). Not aligned. ptr is NULL for a tensor that
	 * onnx_tensor_read() must decode (the fields float_data, int32_data and so on), for
	 * an external tensor before onnx_file.h has mapped its file, and for strings.
	 */
	struct text data;
	bool is_external;
	/* Of an external tensor, as in the file. */
	struct text location;
	uint64_t offset;
	/* Private. */
	struct text message;
	const struct onnx_entry *external;
	int64_t data_location;
	uint64_t floats, int32s, int64s, doubles, uint64s, strings;
	uint32_t externals;
	bool has_raw, has_segment;
};

enum onnx_attribute_type {
	ONNX_ATTRIBUTE_FLOAT = 1,
	ONNX_ATTRIBUTE_INT = 2,
	ONNX_ATTRIBUTE_STRING = 3,
	ONNX_ATTRIBUTE_TENSOR = 4,
	ONNX_ATTRIBUTE_GRAPH = 5,
	ONNX_ATTRIBUTE_FLOATS = 6,
	ONNX_ATTRIBUTE_INTS = 7,
	ONNX_ATTRIBUTE_STRINGS = 8,
	/* Lists of tensors and graphs, sparse tensors and types: their content is not
	 * kept. */
	ONNX_ATTRIBUTE_TENSORS = 9,
	ONNX_ATTRIBUTE_TYPE_PROTOS = 14
};

struct onnx_attribute {
	struct text name;
	/* Private: in a function, the name of the attribute of the call that it is. */
	struct text ref;
	int64_t type; /* enum onnx_attribute_type; decides which member is valid */
	float f;
	int64_t i;
	struct text s;
	const struct onnx_tensor *t;
	const struct onnx_graph *g;
	const float *floats;
	const int64_t *ints;
	const struct text *strings;
	uint32_t float_count, int_count, string_count;
};

struct onnx_node {
	struct text op;     /* "Conv" */
	struct text domain; /* empty for the standard operators, including "ai.onnx" */
	struct text name;   /* may be empty */
	struct text overload; /* private: of the function that it calls */
	/* The names of values; an empty string is an optional value that is absent. */
	const struct text *input, *output;
	const struct onnx_attribute *attribute;
	uint32_t inputs, outputs, attributes;
	uint32_t offset; /* of the node in the file, for messages */
};

struct onnx_graph {
	struct text name;
	const struct onnx_value *input, *output;
	const struct onnx_value *value; /* types of other values */
	const struct onnx_tensor *initializer;
	const struct onnx_node *node; /* in the order of the file, which is topological */
	uint32_t inputs, outputs, values, initializers, nodes;
	uint64_t sparse; /* number of sparse initializers, which are not kept */
};

struct onnx_opset {
	struct text domain; /* empty: the standard operators */
	int64_t version;
};

/* Private: a function of the file. */
struct onnx_function {
	struct text name, domain, overload;
	const struct text *input, *output;
	const struct onnx_attribute *attribute; /* the values of those that a call lacks */
	const struct onnx_node *node;
	uint32_t inputs, outputs, attributes, nodes;
};

struct onnx_model {
	int64_t ir_version;
	struct text producer, producer_version;
	const struct onnx_opset *opset;
	uint32_t opsets;
	bool has_graph;
	struct onnx_graph graph;
	/* Private. */
	const struct onnx_function *function;
	uint32_t functions;
	struct arena arena;
};

/*
 * Reads a model from the bytes of its file. Returns 0, or -1 and the message, which names
 * the byte and the node; nothing is to be freed after a failure.
 */
int onnx_model_read(struct text file, struct onnx_model *m, struct fault *f);
void onnx_model_free(struct onnx_model *m);

/* Returns the attribute of this name, or NULL. */
const struct onnx_attribute *onnx_attribute(const struct onnx_node *n, const char *name);
/* Returns the version of the standard operators; 1 if the file has none. */
int64_t onnx_opset(const struct onnx_model *m);

/*
 * Copies t->bytes bytes to out, in the form of t->data, from wherever they are in the file.
 * Returns 0, or -1 and the message if the tensor is external and not mapped, or has
 * strings.
 */
int onnx_tensor_read(const struct onnx_tensor *t, void *out, struct fault *f);

/* Is called for a tensor, which it may change. Returns 0, or -1 and the message. */
typedef int onnx_tensor_visitor(void *ctx, struct onnx_tensor *t, struct fault *f);
/* Calls visit() for the initializers of all graphs and for the tensors of all attributes,
 * until it fails. Returns what it returned last. */
int onnx_tensors_visit(
    struct onnx_model *m, onnx_tensor_visitor *visit, void *ctx, struct fault *f);

/*
 * Returns "node 'name' (Op)", or "node of 'output' (Op)" if it has no name, to be freed.
 */
char *onnx_node_label(const struct onnx_node *n);

#endif
