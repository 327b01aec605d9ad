/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model lists and kernels, bench-model(5): operations with shapes over symbols, read from
 * CSV, and made into a graph for given values of the symbols.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "graph/graph.h"
#include "text/shell_words.h"

struct model;

/* A symbol that a list has, and may be given another value. */
struct model_symbol {
	const char *name;
	double value; /* unless another is given */
};

/* What a run of the list is of. */
enum model_phase {
	MODEL_FORWARD, /* all of it, once: what comes in is there. For a model that
	                  generates, the prompt, and the first new token */
	MODEL_STEP     /* of a model that generates: one more token, `past` behind others */
};

/*
 * share/models/NAME.csv, or a path with a slash. NULL and the message when there is none,
 * or it cannot be made sense of.
 */
struct model *model_open(const char *name, struct fault *f);
/* The kernel NAME of share/kernels/kernels.csv. */
struct model *kernel_open(const char *name, struct fault *f);
void model_close(struct model *m);

/* Names of all that are installed, sorted; freed with shell_words_free. */
char **model_names(struct fault *f);
char **kernel_names(struct fault *f);
/* Returns whether a pattern selects this name: "all", or a glob, in any case. */
bool model_name_matches(const char *pattern, const char *name);

const char *model_arch(const struct model *m);    /* its architecture type; "" of kernels */
const char *model_summary(const struct model *m); /* one line */
size_t model_symbols(const struct model *m, const struct model_symbol **out);

/*
 * Its graph with these symbols (others have their defaults), computed in dtype. -1 and the
 * message when a parameter is none of its symbols, is no number that it can take, or shapes
 * do not fit.
 */
int model_expand(const struct model *m, const struct binding *param, size_t params,
    enum model_phase phase, enum backend_dtype dtype, struct graph *out, struct fault *f);

#endif
