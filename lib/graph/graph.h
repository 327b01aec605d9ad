/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of operations on values with shapes: what a model or a kernel is before it is put
 * on a device. The operations are those of backend.h. Pure.
 */
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H

#include "base/base.h"
#include "bench-backend.h"

enum { GRAPH_NONE = UINT32_MAX };

/* What a weight or an input is filled with, by seed and name. */
enum graph_fill {
	FILL_NOTHING, /* it is computed */
	FILL_NORMAL,  /* mean `at`, standard deviation `spread` */
	FILL_UNIFORM, /* from `at` on, `spread` wide */
	FILL_BELOW,   /* whole numbers from 0 on, below `spread` */
	FILL_VALUE,   /* all are `at` */
	FILL_COUNT    /* log(1), log(2) ... along the last dimension: Mamba's decay */
};

struct graph_value {
	/* Unique in its graph; weights, inputs and states of the same name in two graphs of
	 * one model are the same memory. */
	char *name;
	enum backend_dtype dtype;
	enum backend_role role;
	uint32_t dims;
	int64_t size[BACKEND_DIMS], stride[BACKEND_DIMS];
	uint32_t
	    of; /* the value whose memory this one is a view of; its own number: none */
	int64_t offset; /* of a view's first element from that value's, in elements */
	enum graph_fill fill;
	double at, spread;
	bool counts; /* its elements are parameters of the model */
};

struct graph_node {
	char *name;           /* as people know it: "encoder.3.attention" */
	const char *word;     /* the word of the list that it comes of: "linear" */
	struct backend_op op; /* its kind, act and p; tensors are not set */
	uint32_t in[BACKEND_INS], out[BACKEND_OUTS]; /* values, or GRAPH_NONE */
	double macs;  /* of matrix products, convolutions, QK', AV and scans */
	double flops; /* twice that; of what has no such products, its operations */
	double bytes; /* that it reads and writes at least: each operand once */
};

struct graph {
	struct graph_value *value;
	size_t values, value_cap;
	struct graph_node *node;
	size_t nodes, node_cap;
	double params;             /* elements of the values that count */
	double macs, flops, bytes; /* sums over the nodes */
	double samples;            /* that one run works on: the batch */
	double tokens;             /* likewise; 0: it has none */
	char *input_shape;         /* of the first input: "1x3x224x224" */
};

void graph_free(struct graph *g);
/* Elements of a value, and the bytes that it takes. */
int64_t graph_elements(const struct graph_value *v);
size_t graph_bytes(const struct graph_value *v);
/* The tokens that a run adds to its caches; 0: it has none. */
int64_t graph_cached(const struct graph *g);
/* The value of this name, or GRAPH_NONE. */
uint32_t graph_find(const struct graph *g, const char *name);

#endif
