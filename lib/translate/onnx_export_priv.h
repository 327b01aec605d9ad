/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares what the files of the export share: tensors and nodes of the model, and the
 * values of the graph. Pure.
 *
 * The functions store the first failure only, and always return a valid tensor, so the
 * functions of operations need no branches for failure. Nodes that compute the same from
 * the same tensors are added once.
 */
#ifndef TRANSLATE_ONNX_EXPORT_PRIV_H
#define TRANSLATE_ONNX_EXPORT_PRIV_H

#include "base/intern.h"
#include "translate/onnx_export.h"
#include "onnx/onnx_type.h"

enum { EMIT_NONE = UINT32_MAX, EMIT_DIMS = 8 };
/* The version of the operators, and the first version in which operators for images take
 * bfloat16. */
enum { EMIT_OPSET = 17, EMIT_OPSET_BFLOAT16 = 22 };

/* The sizes of a tensor; -1 is a size that is not known before the model runs. */
struct emit_shape {
	uint32_t dims;
	int64_t size[EMIT_DIMS];
};
#define EMIT_SHAPE(...)       \
	((struct emit_shape){ \
	    sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), { __VA_ARGS__ } })

/* A tensor of the model: an input, an initializer, or the result of a node. */
struct emit_tensor {
	char *name;
	enum onnx_type type;
	struct emit_shape shape;
	uint32_t source;  /* the tensor that this one reshapes, or EMIT_NONE */
	bool named;       /* the name must not change */
	struct text data; /* of a constant, which the tensor owns */
	uint32_t weight;  /* the value of the graph, or GRAPH_NONE */
};

struct emit_body;

/* A node of the model. */
struct emit_node {
	const char *op;
	char *name;
	uint32_t *in, ins, out, outs; /* the results are `out` and the tensors after it */
	struct buf attr;              /* its attributes */
	struct emit_body *body;       /* of Scan and Loop, or NULL */
};

/* The nodes of the model, or of the body of a node. */
struct emit_body {
	struct emit_node *node;
	size_t nodes, cap;
	uint32_t in[BACKEND_INS], out[BACKEND_INS]; /* of a body */
	size_t ins, outs;
};

/* A part of a value that was written after `whole`: in the memory of the value, seen as
 * [outer,period], the columns from `at` to `at` + `len`. */
struct emit_piece {
	struct graph_value view;
	uint32_t tensor;  /* with the shape of the view */
	uint32_t ordered; /* with the elements in the order of memory */
	int64_t outer, period, at, len;
};

/* The contents of a value of the graph at the current operation. */
struct emit_value {
	uint32_t initial; /* the input or initializer, or EMIT_NONE */
	uint32_t whole;   /* the tensor with all elements, or EMIT_NONE */
	struct emit_piece *piece;
	size_t pieces, cap;
	bool written;
};

struct emit {
	const struct graph *g;
	const struct onnx_export_opts *opts;
	struct emit_tensor *tensor;
	size_t tensors, tensor_cap;
	struct emit_body main, *body; /* body: the one to which nodes are added */
	struct emit_value *value;     /* by value of the graph */
	uint32_t *initializer;        /* constants and weights */
	size_t initializers, initializer_cap;
	uint32_t *input, *output;
	size_t inputs, input_cap, outputs, output_cap;
	struct intern names, constants, nodes; /* nodes: by what they compute */
	uint32_t *constant, *result;           /* tensors by number */
	size_t constant_cap, constants_made, result_cap, results;
	struct buf attr;               /* of the next node */
	const struct graph_node *node; /* the current operation */
	uint32_t past;                 /* the input, or EMIT_NONE */
	int64_t opset;                 /* the version of the operators */
	size_t counter;
	bool failed;
	struct fault *fault;
};

/* Stores the message, which begins with the current operation, unless an earlier call
 * did. */
void emit_fail(struct emit *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* onnx_export_tensor.c: tensors, constants and nodes. */

/* Returns the type of ONNX. */
enum onnx_type emit_type_of(enum backend_dtype dtype);
/* Returns the shape or type of a tensor. */
struct emit_shape emit_shape(const struct emit *e, uint32_t t);
enum onnx_type emit_type(const struct emit *e, uint32_t t);
/* Returns the number of elements of a shape. */
int64_t emit_elements(struct emit_shape s);
/* Adds a tensor that no node computes. With `named`, its name must not change; otherwise it
 * may be NULL. */
uint32_t emit_tensor(struct emit *e, const char *name, bool named, enum onnx_type type,
    struct emit_shape shape);
/* Set attributes of the next node. */
void emit_attr_int(struct emit *e, const char *name, int64_t value);
void emit_attr_ints(struct emit *e, const char *name, const int64_t *value, size_t count);
void emit_attr_float(struct emit *e, const char *name, double value);
void emit_attr_text(struct emit *e, const char *name, const char *value);
/* The operands of a node; EMIT_NONE is absent. */
struct emit_ins {
	const uint32_t *in;
	uint32_t count;
};
#define EMIT_INS(...)                                          \
	((struct emit_ins){ (const uint32_t[]){ __VA_ARGS__ }, \
	    sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t) })
/* Adds a node with one result. Returns the result. */
uint32_t emit_add(struct emit *e, const char *op, enum onnx_type type,
    struct emit_shape shape, struct emit_ins ins);
/* Adds a node with several results, whose descriptions are those of the tensors in
 * `like`. Returns the first result; the others have the following numbers. */
struct emit_like {
	enum onnx_type type;
	struct emit_shape shape;
};
uint32_t emit_add_all(struct emit *e, const char *op, const struct emit_like *like,
    uint32_t outs, struct emit_ins ins);
/* Begin and end the body of the next node, of Scan or Loop. Its inputs are new tensors. */
void emit_begin_body(struct emit *e, struct emit_body *body);
uint32_t emit_body_input(struct emit *e, enum onnx_type type, struct emit_shape shape);
void emit_end_body(struct emit *e, const uint32_t *out, size_t outs);
/* Adds a node with a body, whose contents it takes over. Returns the first result. */
uint32_t emit_add_with_body(struct emit *e, const char *op, const struct emit_body *body,
    const struct emit_like *like, uint32_t outs, struct emit_ins ins);
/* Frees the contents of a body. */
void emit_body_free(struct emit_body *b);

/* Return constants. */
uint32_t emit_constant(
    struct emit *e, enum onnx_type type, struct emit_shape shape, struct text data);
uint32_t emit_int(struct emit *e, int64_t value); /* a scalar of int64 */
uint32_t emit_ints(struct emit *e, struct emit_shape shape, const int64_t *value);
uint32_t emit_list(struct emit *e, const int64_t *value, size_t count);
uint32_t emit_number(struct emit *e, enum onnx_type type, double value); /* a scalar */
uint32_t emit_numbers(
    struct emit *e, enum onnx_type type, struct emit_shape shape, const double *value);
/* Returns first, first + 1 ... as int64 with this shape. */
uint32_t emit_count(struct emit *e, int64_t first, struct emit_shape shape);

/* onnx_export_basic.c: nodes that many operations need. */

uint32_t emit_unary(struct emit *e, const char *op, uint32_t a); /* of the same type */
uint32_t emit_binary(struct emit *e, const char *op, uint32_t a, uint32_t b);
uint32_t emit_compare(struct emit *e, const char *op, uint32_t a, uint32_t b);
uint32_t emit_scale(struct emit *e, uint32_t a, double factor); /* a if factor is 1 */
uint32_t emit_shift(struct emit *e, uint32_t a, double addend);
uint32_t emit_reshape(struct emit *e, uint32_t a, struct emit_shape shape);
uint32_t emit_transpose(struct emit *e, uint32_t a, const int64_t *order);
uint32_t emit_slice(struct emit *e, uint32_t a, uint32_t axis, int64_t from, int64_t to);
uint32_t emit_concat(struct emit *e, int64_t axis, const uint32_t *part, uint32_t parts);
uint32_t emit_cast(struct emit *e, uint32_t a, enum onnx_type type);
uint32_t emit_gather(struct emit *e, uint32_t table, uint32_t index, uint32_t axis);
uint32_t emit_matmul(struct emit *e, uint32_t a, uint32_t b);
uint32_t emit_expand(struct emit *e, uint32_t a, struct emit_shape shape);
/* Applies the activation function of the current operation. */
uint32_t emit_act(struct emit *e, enum backend_act act, uint32_t a);
/* Quantizes a tensor. Returns its bytes; the next two tensors are their scale and their
 * zero point. */
uint32_t emit_quantized(struct emit *e, uint32_t a);
/* Returns the number of earlier tokens, a scalar of int64. */
uint32_t emit_past(struct emit *e);

/* onnx_export_value.c: values of the graph. */

/* Returns the shape of a value. */
struct emit_shape emit_value_shape(const struct graph_value *v);
/* Returns the elements of a value of the graph as a tensor with its shape; EMIT_NONE for
 * GRAPH_NONE. */
uint32_t emit_read(struct emit *e, uint32_t value);
/* Returns the elements of any view, which `v` describes. */
uint32_t emit_read_view(struct emit *e, const struct graph_value *v);
/* Writes a tensor with the shape of a value to it. */
void emit_write(struct emit *e, uint32_t value, uint32_t tensor);
/* Writes a tensor to a value, from the element past * advance on. */
void emit_write_after_past(
    struct emit *e, uint32_t value, uint32_t tensor, int64_t advance);
/* Returns the tensor with all elements of a value that is not a view. */
uint32_t emit_whole(struct emit *e, uint32_t base);

/* The operations; each adds the nodes of e->node. */
typedef void emit_run(struct emit *e, const struct graph_node *n);
emit_run emit_copy, emit_stream_scale, emit_triad, emit_axpy, emit_dot, emit_fma;
emit_run emit_unary_op, emit_binary_op, emit_round, emit_cell, emit_glu, emit_softmax;
emit_run emit_gemv, emit_gemm, emit_qgemm, emit_conv, emit_qconv, emit_pool, emit_resize;
emit_run emit_layernorm, emit_rmsnorm, emit_groupnorm, emit_batchnorm;
emit_run emit_attention, emit_rope, emit_relative, emit_sinusoid;
emit_run emit_lookup, emit_move, emit_scan, emit_causal_conv;
emit_run emit_route, emit_experts, emit_qexperts, emit_combine, emit_topk;

/* onnx_export_model.c: the bytes of the model. */

/* Appends the model. Returns 0, or -1 and the message. */
int emit_model(struct emit *e, struct buf *out);

#endif
