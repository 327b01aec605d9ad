/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Follows a model of ONNX from its inputs to its outputs, for given values of its open
 * dimensions: computes the sizes of every value, and the elements of those that depend on
 * constants and sizes only. Most nodes of an exported model disappear by that, because they
 * compute sizes. Pure.
 *
 * An input of whole numbers that indexes a table (the operator Gather) remains an input.
 * The other inputs of whole numbers and truth values are masks, which become constants of
 * ones.
 */
#ifndef ONNX_ONNX_TRACE_H
#define ONNX_ONNX_TRACE_H

#include "base/intern.h"
#include "onnx/onnx_model.h"
#include "text/shell_words.h"

enum { TRACE_DIMS = 8, TRACE_NONE = UINT32_MAX };
/* The largest number of elements of a computed constant, and of all of them. */
enum { TRACE_FOLD_MAX = 1 << 24, TRACE_FOLD_SUM_MAX = 1 << 26 };

struct trace_shape {
	uint32_t dims;
	int64_t size[TRACE_DIMS];
};

/* A value of the model. */
struct trace_value {
	struct text name;
	int64_t type; /* enum onnx_type */
	struct trace_shape shape;
	bool is_constant;
	/* Of a constant: its tensor in the file, and its elements. One of them may be NULL;
	 * trace_numbers reads the elements if they are needed. */
	const struct onnx_tensor *file;
	double *number;
	uint32_t node; /* that computes it, or TRACE_NONE */
	bool is_mask;  /* an input that became a constant of ones */
	double rows;   /* of an input that indexes a table: the rows of the table */
};

struct trace_op;

/* A node that must be computed. */
struct trace_node {
	const struct onnx_node *from;
	const struct trace_op *op;
	uint32_t *in, *out; /* values, or TRACE_NONE if absent */
	uint32_t ins, outs;
};

struct onnx_trace {
	const struct onnx_model *model;
	struct trace_value *value;
	size_t values, value_cap;
	struct trace_node *node; /* in the order of the file */
	size_t nodes, node_cap;
	uint32_t *input, *output; /* values */
	size_t inputs, input_cap, outputs, output_cap;
	struct intern names;
	uint32_t *named; /* by the number of a name: its value */
	size_t named_cap;
	double folded; /* the number of elements of computed constants */
	bool failed, unsupported;
	struct fault fault;
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
/* Returns the elements of a constant; NULL if the value is not one, or has more than
 * TRACE_FOLD_MAX elements. */
const double *trace_numbers(struct onnx_trace *t, uint32_t value);
/* Returns the only element of a constant with one element; NAN if it is not one. */
double trace_scalar(struct onnx_trace *t, uint32_t value);
/* Returns input or output i of a node, or TRACE_NONE if it is absent. */
uint32_t trace_in(const struct trace_node *n, uint32_t i);
uint32_t trace_out(const struct trace_node *n, uint32_t i);
/* Returns whether the operator of a node has this name. */
bool trace_is(const struct trace_node *n, const char *op);
/* Returns the node that computes a value if its operator has this name, or NULL. */
const struct trace_node *trace_made_by(
    const struct onnx_trace *t, uint32_t value, const char *op);

/* Return an attribute of a node, or the default if the node lacks it. */
int64_t trace_int(const struct trace_node *n, const char *name, int64_t otherwise);
double trace_float(const struct trace_node *n, const char *name, double otherwise);
struct text trace_text(const struct trace_node *n, const char *name);
/* Stores an attribute that lists numbers, and returns how many it has: at most TRACE_DIMS;
 * -1 if the node lacks it. */
int trace_ints(const struct trace_node *n, const char *name, int64_t out[TRACE_DIMS]);
/* Stores the axes of a node, from an attribute or else the constant input i, as numbers
 * from 0 to dims - 1. Returns how many, or -1 if the node has none. */
int trace_axes(struct onnx_trace *t, const struct trace_node *n, const char *name,
    uint32_t i, uint32_t dims, int64_t out[TRACE_DIMS]);
/* Stores the elements of a constant as whole numbers, and returns how many it has, at most
 * TRACE_DIMS; -1 if it is not such a constant. */
int trace_list(struct onnx_trace *t, uint32_t value, int64_t out[TRACE_DIMS]);

/* Where the windows of a convolution or pooling are, for height and width. */
struct trace_window {
	int64_t kernel[2], stride[2], before[2], after[2], dilation[2];
	bool flat; /* in one dimension only, which is the width */
};
/* Stores the windows of a node over an input [N,C,...]; fails if it has more than two
 * dimensions besides N and C. */
void trace_windows(
    struct onnx_trace *t, const struct trace_node *n, struct trace_window *out);

/* A part of each dimension: from, step, and the number of places. */
struct trace_slice {
	int64_t from[TRACE_DIMS], step[TRACE_DIMS], size[TRACE_DIMS];
};
/* Stores the part that a Slice takes. */
void trace_sliced(
    struct onnx_trace *t, const struct trace_node *n, struct trace_slice *out);

/* Store the message, with the node, unless there is one. trace_lack says that our backends
 * lack something; trace_fail says that the file is wrong. */
void trace_fail(struct onnx_trace *t, const struct trace_node *n, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
void trace_lack(struct onnx_trace *t, const struct trace_node *n, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#endif
