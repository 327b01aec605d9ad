/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantizes graphs dynamically: products and convolutions with constant weights are
 * computed in int8, and all else in floating point. Pure.
 *
 * A row of a weight w in float32 becomes round(w / scale) in int8, ties to even, with
 * scale = max |w| / 127 of the row, which is one output channel; the scale of a row of
 * zeros is 1. BACKEND_QGEMM defines how activations are quantized when the operation runs.
 */
#ifndef GRAPH_GRAPH_QUANTIZE_H
#define GRAPH_GRAPH_QUANTIZE_H

#include "graph/graph.h"

/* The most elements of a row of a quantized weight: the sums of products of uint8 and int8
 * fit in 32 bits. */
enum { QUANTIZED_ROW_MOST = INT32_MAX / (UINT8_MAX * INT8_MAX) };

/*
 * Replaces operations by quantized ones, and counts their work again, before the work of
 * the graph is summed up: a GEMM whose second operand is a transposed weight of two
 * dimensions by a QGEMM, a CONV by a QCONV, except where each channel is a group, and
 * EXPERTS by QEXPERTS.
 * Their weights must have rows of at most QUANTIZED_ROW_MOST elements. Weights that other
 * operations also use remain for them.
 */
void graph_quantize(struct graph *g);
/* Returns whether operations of a kind have quantized weights. */
bool graph_is_quantized(enum backend_kind kind);
/* Returns the share of a graph's MACs that are computed in int8; 0 without MACs. */
double graph_quantized_share(const struct graph *g);
/* Quantizes a row of a weight. Returns its scale. */
float graph_quantize_row(const double *weight, size_t count, int8_t *out);

#endif
