/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns a model of ONNX into a graph of the operations of bench-operation.h. The weights
 * remain in the file. Groups of nodes that compute one operation, such as attention, a
 * normalization or an activation, become that operation. Pure.
 */
#ifndef TRANSLATE_ONNX_IMPORT_H
#define TRANSLATE_ONNX_IMPORT_H

#include "graph/graph.h"
#include "onnx/onnx_model.h"
#include "text/shell_words.h"

enum { ONNX_UNSUPPORTED = -2 };

/*
 * Stores the graph of a model, computed in a floating-point dtype, with these parameters as
 * the sizes of open dimensions; a first one that is not set is 1. The caller frees the
 * graph, which refers to the bytes of the model's file. Returns 0; -1 and the message if
 * the file is wrong; or ONNX_UNSUPPORTED and the message if the operations of
 * bench-operation.h are not enough.
 */
int onnx_import(const struct onnx_model *m, const struct binding *param, size_t params,
    enum backend_dtype dtype, struct graph *out, struct fault *f);

#endif
