/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a graph as an ONNX model (opset 17, or 22 for bfloat16). Pure.
 *
 * Inputs and outputs of the model are those of the graph, with their names, types and
 * shapes. A state is an input with its name and an output with its name and the suffix
 * ONNX_EXPORT_AFTER: the caller gives the outputs of one pass to the next. It is not an
 * input if the graph overwrites all of it first, and not an output if the graph only reads
 * it. The names of nodes begin with the name of their operation in the graph, followed by a
 * slash.
 *
 * Weights are initializers. Their elements are in the model, or in a second file, to which
 * the model refers (external data). The second is required above ONNX_EXPORT_INSIDE_MAX,
 * because protocol buffers are limited to 2 GiB.
 */
#ifndef TRANSLATE_ONNX_EXPORT_H
#define TRANSLATE_ONNX_EXPORT_H

#include "graph/graph.h"

/* The most bytes of weights inside a model. */
#define ONNX_EXPORT_INSIDE_MAX (UINT64_C(2000) << 20)
/* The input for the number of earlier tokens, a scalar of int64. A model has it only if one
 * of its operations reads that number. */
#define ONNX_EXPORT_PAST "past"
/* The suffix of the name of a state after the pass. */
#define ONNX_EXPORT_AFTER ".after"

/* The weights in the second file. */
struct onnx_external {
	struct onnx_external_weight {
		uint32_t value;         /* its number in the graph */
		uint64_t offset, bytes; /* its place in the file */
	} * weight;                     /* in the order of the file */
	size_t weights, cap;
	uint64_t bytes; /* the size of the file; bytes between weights are 0 */
};

/* How to write a model. */
struct onnx_export_opts {
	/* Whether the graph is a MODEL_STEP, in which the number of earlier tokens is an
	 * input. Otherwise, it is that of each operation, normally 0. */
	bool step;
	/* The name of the second file, relative to the directory of the model. NULL: the
	 * weights are in the model. */
	const char *location;
	/* With location: receives the places of the weights. The caller writes the file. */
	struct onnx_external *external;
	/* Without location: stores all elements of a weight, in its element type, at an
	 * address that is aligned for any type. Returns 0, or -1 and the message. */
	int (*weight)(
	    void *context, const struct graph_value *v, void *to, struct fault *f);
	void *context;
};

/* Returns the size of the weights that a graph reads, in bytes. */
uint64_t onnx_export_weight_bytes(const struct graph *g);
/* Appends the bytes of the model to out. Returns 0, or -1 and the message. */
int onnx_export(const struct graph *g, const struct onnx_export_opts *o, struct buf *out,
    struct fault *f);
/* Frees a list of weights. */
void onnx_external_free(struct onnx_external *e);

#endif
