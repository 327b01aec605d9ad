/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list as a model for engines, which run whole models: the list as an ONNX model, and its
 * inputs with the same elements that other backends get.
 */
#ifndef ENGINE_EXPORTED_LIST_H
#define ENGINE_EXPORTED_LIST_H

#include "engine/engine.h"

/* The list, and where its elements come from. */
struct exported_list_opts {
	const char *name; /* of the model or kernel */
	bool kernel;
	const struct binding *param;
	size_t params;
	enum backend_dtype dtype;
	uint64_t seed;
	const struct engine_input *input; /* sources of inputs */
	size_t inputs;
};

struct exported_list;

/* Expands a phase of a list to a graph. Returns NULL and the message on failure. The
 * options must outlive the list. */
struct exported_list *exported_list_open(
    const struct exported_list_opts *opts, enum model_phase phase, struct fault *f);
/* Frees a list and removes its files; NULL is allowed. */
void exported_list_close(struct exported_list *l);

/*
 * Exports the list, and stores the model in `source`. The bytes live as long as the list.
 * If the weights exceed 2 GB, the model is in files in a temporary directory instead.
 * Returns 0, or -1 and the message if the list cannot be expressed in ONNX, or a file
 * cannot be written.
 */
int exported_list_write(
    struct exported_list *l, struct backend_model_source *source, struct fault *f);
/* Removes the files, if there are any, when the model is loaded. */
void exported_list_drop(struct exported_list *l);

/*
 * Appends the elements of an input or a state: those of all batches of a source, or drawn
 * ones; 0 for the number of earlier tokens. Returns 0, or -1 and the message if the list
 * has no such input, or its source is wrong.
 */
int exported_list_draw(const struct exported_list *l, const struct backend_port *p,
    struct buf *out, struct fault *f);

/* Returns the graph and the model, which the list owns. */
const struct graph *exported_list_graph(const struct exported_list *l);
const struct model *exported_list_model(const struct exported_list *l);

#endif
