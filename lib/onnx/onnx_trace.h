/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The nodes and values of an ONNX model that must be computed, for given sizes of its open
 * dimensions. Most nodes of an exported model disappear, because they compute sizes, and
 * onnx_shapes.h folds what depends on constants and sizes only. Pure.
 *
 * An input of whole numbers that indexes a table (the operator Gather) remains an input.
 * The other inputs of whole numbers and truth values are masks, which become constants of
 * ones.
 *
 * Nodes that pass on their first operand, such as Identity, are skipped: their results are
 * the same value.
 */
#ifndef ONNX_ONNX_TRACE_H
#define ONNX_ONNX_TRACE_H

#include "onnx/onnx_rules.h"
#include "text/shell_words.h"

enum { TRACE_DIMS = 8, TRACE_NONE = UINT32_MAX };
/* The largest number of elements of a computed constant. */
enum { TRACE_FOLD_MAX = 1 << 24 };

struct trace_shape {
	uint32_t dims;
	int64_t size[TRACE_DIMS];
};

/* A value of the model. */
struct trace_value {
	const struct onnx_fact *fact;
	struct trace_shape shape;
	bool is_constant; /* it may have more than TRACE_FOLD_MAX elements, in a tensor */
	uint32_t same;    /* the value that it equals, or itself */
	uint32_t node;    /* that computes it, or TRACE_NONE */
	double rows;      /* of an input that indexes a table: the rows of the table */
};

/* A node whose results are not constants. */
struct trace_node {
	struct rule_call call;
	uint32_t *in, *out; /* values, or TRACE_NONE if absent */
};

struct onnx_trace {
	const struct onnx_model *model;
	struct onnx_shapes shapes;
	struct trace_value *value; /* by the number of the fact */
	struct trace_node *node;   /* in the order of the file */
	size_t values, nodes;
	uint32_t *input, *output; /* values */
	size_t inputs, outputs;
	bool failed, unsupported;
	struct fault fault, ignored;
};

/*
 * Follows a model. Returns 0, or -1 and the message; t->unsupported is true then if the
 * model has an operator that is not known, or is used in an unknown way. Free the trace in
 * either case. It refers to the model, which must live longer.
 */
int trace_model(struct onnx_trace *t, const struct onnx_model *m,
    const struct binding *param, size_t params, struct fault *f);
void trace_free(struct onnx_trace *t);

/* Returns the number of elements of a value. */
int64_t trace_elements(const struct onnx_trace *t, uint32_t value);
/* Returns a value whose elements are known; NULL if the value is not a constant, or has
 * more than TRACE_FOLD_MAX elements. */
const struct onnx_fact *trace_constant(struct onnx_trace *t, uint32_t value);
/* Returns the only element of a constant with one element; NAN if it is not one. */
double trace_scalar(struct onnx_trace *t, uint32_t value);
/* Returns input or output i of a node, or TRACE_NONE if it is absent. */
uint32_t trace_in(const struct trace_node *n, uint32_t i);
uint32_t trace_out(const struct trace_node *n, uint32_t i);
/* Returns whether the node has the standard operator of this name. */
bool trace_is(const struct trace_node *n, const char *op);
/* Returns the node that computes a value if its operator has this name, or NULL. */
const struct trace_node *trace_made_by(
    const struct onnx_trace *t, uint32_t value, const char *op);
/* Returns an attribute of a node, or the default if the node lacks it. */
double trace_float(const struct trace_node *n, const char *name, double otherwise);

/* Where the windows of a convolution or pooling are, for height and width. */
struct trace_window {
	int64_t kernel[2], stride[2], before[2], after[2], dilation[2];
	int64_t beyond[2]; /* for the importer: how far a last window reaches further */
};
/* Stores the windows of a node over an input [N,C,...]; fails if it has more than two
 * dimensions other than N and C. */
void trace_windows(
    struct onnx_trace *t, const struct trace_node *n, struct trace_window *out);
/* Stores the windows of a node over an input [N,C,D,H,W]: those of the planes, and that of
 * the depth as if it was the width. */
void trace_deep_windows(struct onnx_trace *t, const struct trace_node *n,
    struct trace_window *depth, struct trace_window *plane);

/* Store the message, with the node, unless there is one. trace_lack says that our backends
 * lack something; trace_fail says that the file is wrong. */
void trace_fail(struct onnx_trace *t, const struct trace_node *n, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
void trace_lack(struct onnx_trace *t, const struct trace_node *n, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
/* Stores that our backends do not have the operator of a node. */
void trace_lack_operator(struct onnx_trace *t, const struct onnx_node *n);

#endif
