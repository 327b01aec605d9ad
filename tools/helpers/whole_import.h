/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Imports an ONNX file that an engine runs, to learn the ranges of its inputs and to
 * compare its results with the reference.
 */
#ifndef TOOLS_HELPERS_WHOLE_IMPORT_H
#define TOOLS_HELPERS_WHOLE_IMPORT_H

#include "model/model.h"

/* The imported model. */
struct whole_import {
	struct model *model; /* NULL if it cannot be imported */
	struct graph graph;
};

/* Imports a file with these sizes of open dimensions, if it is ONNX and its operators are
 * known. */
void whole_import_open(
    struct whole_import *w, const char *path, const struct binding *param, size_t params);
void whole_import_close(struct whole_import *w);
/* Returns the graph, or NULL. */
const struct graph *whole_import_graph(const struct whole_import *w);

#endif
