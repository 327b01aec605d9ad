/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces nodes that call functions of their ONNX file by the nodes of these functions.
 * Pure.
 */
#ifndef ONNX_ONNX_INLINE_H
#define ONNX_ONNX_INLINE_H

#include "onnx/onnx_model.h"

/*
 * Replaces the calls in all graphs of a model, and those in functions. Nodes with the name
 * of an operator that has a rule (onnx_rules_priv.h) are no calls. Values inside a function
 * get new names. Returns 0, or -1 and the message if a function calls itself, if the calls
 * do not fit the functions, or if the result would take more than ONNX_INLINED_MAX bytes or
 * be nested deeper than ONNX_GRAPH_DEPTH.
 */
int onnx_inline(struct onnx_model *m, struct fault *f);

#endif
