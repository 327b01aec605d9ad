/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds a graph line by line: the state of the build, and functions that add values, views
 * and operations. model_args.h evaluates the arguments of a line.
 *
 * The builder stores the first failure only. The functions here accept any number and
 * always return a valid value, so the builders of words need no branches for failure: they
 * continue, and the expansion checks for failure after each line. Pure.
 */
#ifndef MODEL_MODEL_BUILD_H
#define MODEL_MODEL_BUILD_H

#include "base/intern.h"
#include "graph/graph.h"
#include "model/model_list.h"

/* The largest number of elements of a value. */
#define ELEMENTS_MAX 281474976710656.0 /* 2^48 */

/* A symbol of a list, or a parameter of a definition. */
struct model_symbol_value {
	const char *name;
	double value;
	const char *text; /* the text of a parameter that is a string, else NULL */
};

/* The names in use, and for each the suffix that makes the next duplicate unique. */
struct build_names {
	struct intern intern;
	size_t *next, next_cap;
};

struct builder {
	struct graph *g;
	enum backend_dtype dtype;
	bool stepping;   /* the graph is a step, which adds one token */
	bool generating; /* the model generates, so values are kept for steps */
	bool *once;      /* by node: whether it does not run in a step */
	size_t once_cap;

	/* The symbols of the list, then those of the block that is being expanded. */
	struct model_symbol_value *symbol;
	size_t symbols, symbol_cap, globals, frame;

	struct buf path;                  /* the prefix of names: "encoder.3." */
	struct build_names values, nodes; /* names have the numbers of their values */

	/* The current line. */
	const struct model_line *line;
	const char *word; /* from the table of words, which outlives the list */
	char *name;       /* of the line, with its path */
	uint32_t in[BACKEND_INS], out[BACKEND_OUTS];
	size_t ins, outs;

	bool failed;
	const struct model_line *failed_line;
	struct fault fault;
};

/* Stores the message and the current line, unless the build has failed before. */
void build_fail(struct builder *b, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Returns the operand of the line at index i, or GRAPH_NONE if it is absent. */
uint32_t build_in(const struct builder *b, size_t i);
/* Returns a value by its number; the pointer is valid until the next value is added. */
struct graph_value *build_value(struct builder *b, uint32_t value);
/* Returns the size of the last dimension of a value. */
int64_t build_last(struct builder *b, uint32_t value);

/* The sizes of the dimensions of a value. */
struct shape {
	uint32_t dims;
	int64_t size[BACKEND_DIMS];
};
#define SHAPE(...)       \
	((struct shape){ \
	    sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), { __VA_ARGS__ } })

/* Returns the shape of a value. */
struct shape build_shape(struct builder *b, uint32_t value);
/* Adds an activation with the name of the line, and a suffix if the name is in use. Returns
 * its number. */
uint32_t build_new(struct builder *b, enum backend_dtype dtype, struct shape shape);
/* Adds a value that is the same in all phases, and fails if its name is in use. The name is
 * that of the line, followed by a dot and the suffix unless that is NULL. */
uint32_t build_lasting(struct builder *b, const char *suffix, enum backend_role role,
    enum backend_dtype dtype, struct shape shape);
/* Adds a weight, normally distributed with mean `at` and standard deviation `spread`. */
uint32_t build_weight(
    struct builder *b, const char *suffix, struct shape shape, double at, double spread);

/* Adds a view of a value: the same elements with other sizes and strides. */
uint32_t build_view(struct builder *b, uint32_t of, struct shape shape,
    const int64_t stride[BACKEND_DIMS], int64_t offset);
/* Adds a view of the same elements in the same order with other sizes. Fails if that would
 * move them. */
uint32_t build_reshape(struct builder *b, uint32_t value, struct shape shape);
/* Returns a view of a value as [rows,last], or the value if it has two dimensions. */
uint32_t build_rows(struct builder *b, uint32_t value);
/* Returns a view of [batch tokens,width] as [batch,tokens,width], by the argument batch=;
 * or the value if it does not have two dimensions. */
uint32_t build_tokens(struct builder *b, uint32_t value);
/* Adds a view of `size` places of one dimension, beginning at `from`. */
uint32_t build_slice(
    struct builder *b, uint32_t value, uint32_t dim, int64_t from, int64_t size);

/* The values that an operation takes and makes. */
struct operands {
	uint32_t in[BACKEND_INS], out[BACKEND_OUTS];
	uint32_t ins, outs;
};
#define OPERANDS(made, ...)                                                \
	((struct operands){ .in = { __VA_ARGS__ },                         \
	    .out = { made },                                               \
	    .ins = sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), \
	    .outs = 1 })
/* Adds an operation. Returns a pointer through which the caller sets its parameters; it is
 * valid until the next operation is added. */
struct backend_op *build_node(
    struct builder *b, enum backend_kind kind, struct operands operands);

/* Frees the builder, but not its graph. */
void build_free(struct builder *b);

#endif
