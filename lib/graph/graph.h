/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defines a graph: a list of operations on values with shapes, to which a model or kernel
 * is expanded. The operations are those of bench-operation.h. Pure.
 */
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H

#include "base/base.h"
#include "bench-operation.h"

enum { GRAPH_NONE = UINT32_MAX };

/* How a weight or an input is filled: from the seed and its name, or from memory. */
enum graph_fill {
	FILL_NOTHING, /* not at all: it is computed */
	FILL_NORMAL,  /* normal, with mean `at` and standard deviation `spread` */
	FILL_UNIFORM, /* uniform, from `at` to `at` + `spread` */
	FILL_BELOW,   /* whole numbers from 0 to `spread` - 1 */
	FILL_VALUE,   /* all elements are `at` */
	FILL_COUNT,   /* log(1), log(2) ... along the last dimension: Mamba's decay */
	FILL_DATA,    /* elements in memory: see `data` */
	/* The rows of a FILL_NORMAL weight in int8, and their scales: see graph_quantize.h.
	 */
	FILL_QUANTIZED,
	FILL_SCALES
};

/* A value: a tensor, or a view of one. */
struct graph_value {
	/* Unique in its graph. Weights, inputs and states of the same name in two graphs of
	 * one model share their memory. */
	char *name;
	enum backend_dtype dtype;
	enum backend_role role;
	uint32_t dims;
	int64_t size[BACKEND_DIMS], stride[BACKEND_DIMS];
	/* The number of the value that this one is a view of; its own number if it is not a
	 * view. */
	uint32_t of;
	int64_t offset; /* of a view's first element in that value, in elements */
	enum graph_fill fill;
	double at, spread;
	bool counts; /* whether its elements are parameters of the model */
	/* Of FILL_DATA: the first element in memory, which may be unaligned and must live
	 * until the value is filled; the type of the elements; and their strides. */
	const void *data;
	enum backend_dtype data_dtype;
	int64_t data_stride[BACKEND_DIMS];
	/* Of FILL_QUANTIZED and FILL_SCALES: the name of the weight, from which its numbers
	 * are drawn, and the length of its rows. The graph keeps the name. */
	const char *source;
	int64_t row;
};

/* A node: one operation. */
struct graph_node {
	char *name;           /* such as "encoder.3.attention" */
	const char *word;     /* the word of its line in the list, such as "linear" */
	struct backend_op op; /* kind, act and p are set; tensors are not */
	uint32_t in[BACKEND_INS], out[BACKEND_OUTS]; /* values, or GRAPH_NONE */
	double macs;                                 /* multiply-adds; see graph_count.h */
	double flops;                                /* floating-point operations */
	double bytes; /* the least that it reads and writes: each operand once */
};

/* A graph: values, and nodes in the order in which they run. */
struct graph {
	struct graph_value *value;
	size_t values, value_cap;
	struct graph_node *node;
	size_t nodes, node_cap;
	double params;             /* the number of parameters of the model */
	double macs, flops, bytes; /* the sums over the nodes */
	double samples;            /* that one pass processes: the batch */
	double tokens;             /* that one pass processes; 0 if it has none */
	char *input_shape;         /* of the first input, such as "1x3x224x224" */
	void **kept;               /* memory that is freed with the graph */
	size_t kepts, kept_cap;
};

/* Frees the contents of a graph. */
void graph_free(struct graph *g);
/* Returns the number of elements of a value. */
int64_t graph_elements(const struct graph_value *v);
/* Returns the size of a value in bytes. */
size_t graph_bytes(const struct graph_value *v);
/* Returns the number of tokens that a pass adds to the caches; 0 if it has none. */
int64_t graph_cached(const struct graph *g);
/* Returns the value of this name, or GRAPH_NONE. */
uint32_t graph_find(const struct graph *g, const char *name);

#endif
