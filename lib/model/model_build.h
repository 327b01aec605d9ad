/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A graph while it grows, line by line: where the line stands, and the ways to add values,
 * views and operations. What its arguments come to is in model_args.h.
 *
 * What goes wrong is kept, and only the first of it: the builders of words go on with
 * whatever they have, and the expansion looks after each line. So they need no branches for
 * failure, and every function here takes any number and gives a value that is there. Pure.
 */
#ifndef MODEL_MODEL_BUILD_H
#define MODEL_MODEL_BUILD_H

#include "base/intern.h"
#include "graph/graph.h"
#include "model/model_list.h"

/* No value has more elements. */
#define ELEMENTS_MAX 281474976710656.0 /* 2^48 */

struct model_symbol_value {
	const char *name;
	double value;
	const char *text; /* of a text: instead of a value */
};

/* Names that are taken, and for each by which number the next of its like is told apart. */
struct build_names {
	struct intern intern;
	size_t *next, next_cap;
};

struct builder {
	struct graph *g;
	enum backend_dtype dtype;
	bool stepping;   /* the graph is of one token behind others */
	bool generating; /* values are kept for steps */
	bool *once;      /* for each node: not in a step */
	size_t once_cap;

	/* Symbols: those of the list, then those of the block that is being expanded. */
	struct model_symbol_value *symbol;
	size_t symbols, symbol_cap, globals, frame;

	struct buf path;                  /* before names: "encoder.3." */
	struct build_names values, nodes; /* a value's number is that of its name */

	/* The line at work. */
	const struct model_line *line;
	const char *word; /* of the tables: it outlives the list */
	char *name;       /* with its path */
	uint32_t in[BACKEND_INS], out[BACKEND_OUTS];
	size_t ins, outs;

	bool failed;
	const struct model_line *failed_line;
	struct fault fault;
};

void build_fail(struct builder *b, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The i-th operand of the line; what is not there is GRAPH_NONE. */
uint32_t build_in(const struct builder *b, size_t i);
struct graph_value *build_value(struct builder *b, uint32_t value);
int64_t build_last(struct builder *b, uint32_t value);

struct shape {
	uint32_t dims;
	int64_t size[BACKEND_DIMS];
};
#define SHAPE(...)       \
	((struct shape){ \
	    sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), { __VA_ARGS__ } })

struct shape build_shape(struct builder *b, uint32_t value);
/* A value of its own, with the line's name. */
uint32_t build_new(struct builder *b, enum backend_dtype dtype, struct shape shape);
/* The same for what keeps its name from phase to phase: it must be nobody else's. The
 * suffix, unless NULL, follows the line's name and a dot. */
uint32_t build_lasting(struct builder *b, const char *suffix, enum backend_role role,
    enum backend_dtype dtype, struct shape shape);
/* A parameter of the model, normal with this mean and deviation. */
uint32_t build_weight(
    struct builder *b, const char *suffix, struct shape shape, double at, double spread);
/* The same, or with the argument weight= that of another line. */
uint32_t build_tied(
    struct builder *b, const char *suffix, struct shape shape, double spread);

/* Views of values: other sizes and strides of the same elements. */
uint32_t build_view(struct builder *b, uint32_t of, struct shape shape,
    const int64_t stride[BACKEND_DIMS], int64_t offset);
/* Other sizes of the same elements in the same order, without moving them. */
uint32_t build_reshape(struct builder *b, uint32_t value, struct shape shape);
/* Its rows as [rows,last]. */
uint32_t build_rows(struct builder *b, uint32_t value);
/* [batch tokens,width] as [batch,tokens,width], by the argument batch=. */
uint32_t build_tokens(struct builder *b, uint32_t value);
/* Part of one dimension. */
uint32_t build_slice(
    struct builder *b, uint32_t value, uint32_t dim, int64_t from, int64_t size);

struct operands {
	uint32_t in[BACKEND_INS], out[BACKEND_OUTS];
	uint32_t ins, outs;
};
#define OPERANDS(made, ...)                                                \
	((struct operands){ .in = { __VA_ARGS__ },                         \
	    .out = { made },                                               \
	    .ins = sizeof((uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t), \
	    .outs = 1 })
/* The operation that makes `out` of these; its parameters are the caller's to set, through
 * the pointer, which lives until the next one. */
struct backend_op *build_node(
    struct builder *b, enum backend_kind kind, struct operands operands);

void build_free(struct builder *b);

#endif
