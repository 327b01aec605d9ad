/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads model lists and kernels in the format of bench-model(5), and ONNX files, and
 * expands them to graphs for given values of their symbols. The symbols of an ONNX file are
 * its open dimensions, which are 1 by default.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "graph/graph.h"
#include "translate/onnx_import.h"
#include "text/shell_words.h"

struct model;

/* A symbol of a list, with its default. */
struct model_symbol {
	const char *name;
	double value; /* the default; 0 for a dimension of an ONNX file that must be set */
	/* Another name that an ONNX file has for it; NULL: none. */
	const char *longer;
};

/* The part of a model that a graph computes. */
enum model_phase {
	/* The whole model, from its inputs. For a model that generates: the prompt and the
	 * first new token. */
	MODEL_FORWARD,
	/* For a model that generates: one more token, after `past` others. */
	MODEL_STEP
};

/*
 * Opens share/models/NAME.csv, or a path if the name contains a slash; or an ONNX file if
 * the name ends in ".onnx". Returns NULL and the message if the file cannot be read or is
 * not a list.
 */
struct model *model_open(const char *name, struct fault *f);
/* Opens the kernel NAME of share/kernels/kernels.csv. Returns NULL and the message if there
 * is none. */
struct model *kernel_open(const char *name, struct fault *f);
/* Frees a model or kernel; NULL is allowed. */
void model_close(struct model *m);

/* Returns the names of the installed models, sorted, to be freed with shell_words_free;
 * NULL and the message on failure. */
char **model_names(struct fault *f);
/* Returns the names of the installed kernels in the same way. */
char **kernel_names(struct fault *f);
/* Returns whether a pattern, "all" or a glob, matches a name regardless of case. */
bool model_name_matches(const char *pattern, const char *name);

/* Returns the type of architecture; "" for a kernel. */
const char *model_arch(const struct model *m);
/* Returns the description, which is one line. */
const char *model_summary(const struct model *m);
/* Stores the symbols, which the model owns, and returns their number. */
size_t model_symbols(const struct model *m, const struct model_symbol **out);
/* Exchanges the name of a symbol of an ONNX file for the longer one. */
void model_symbol_lengthen(struct model *m, size_t i);

/* The status of model_expand if an ONNX file needs an operation that bench-operation.h
 * lacks, or too little of a model can be quantized. */
enum { MODEL_UNSUPPORTED = ONNX_UNSUPPORTED };

/* How to expand a model. */
struct model_expand_opts {
	const struct binding *param; /* values of symbols; others have their defaults */
	size_t params;
	enum model_phase phase; /* MODEL_FORWARD, unless set */
	enum backend_dtype dtype;
	bool exact; /* float64 instead of all floating-point types, for ref */
};

/*
 * Expands a model to a graph that is computed in opts->dtype. Returns 0, or -1 and the
 * message if a parameter names no symbol or has an unusable value, or if shapes do not fit;
 * or MODEL_UNSUPPORTED and the message. The caller frees the graph, which refers to the
 * model if that is an ONNX file.
 *
 * A kernel in int8 has values of int8. A list of a model in int8 is a graph in float32
 * whose products are quantized (graph_quantize.h); they must be half of its MACs.
 */
int model_expand(const struct model *m, const struct model_expand_opts *opts,
    struct graph *out, struct fault *f);

#endif
