/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Declares what the rules of the domain ai.onnx.ml share; see onnx_import_learning.c.
 */
#ifndef TRANSLATE_ONNX_IMPORT_LEARNING_H
#define TRANSLATE_ONNX_IMPORT_LEARNING_H

#include "translate/onnx_import_priv.h"

/* The function of the scores of a row. */
enum import_transform { IMPORT_NONE, IMPORT_SOFTMAX, IMPORT_LOGISTIC };

/* Returns the place of the value of an attribute among words, or that of its number. */
int import_choice(struct import *im, const struct trace_node *n, const char *name,
    const char *const *words, int count, int otherwise);
/* Returns the attribute post_transform. */
enum import_transform import_transform_of(struct import *im, const struct trace_node *n);
/* Returns the scores after the transform. */
uint32_t import_transformed(
    struct import *im, uint32_t scores, enum import_transform transform);

/* Returns input 0 as [rows,features]. */
uint32_t import_features(struct import *im, const struct trace_node *n);
/* Adds the numbers of an attribute, one for each target or none, to each row. Returns the
 * sum. */
uint32_t import_with_base(struct import *im, const struct trace_node *n, const char *name,
    uint32_t x, int64_t targets);
/* Adds alpha x[rows,k] w', where w[columns,k] are numbers, which the graph frees. Returns
 * [rows,columns]. */
uint32_t import_product_with(
    struct import *im, uint32_t x, double alpha, double *w, int64_t columns);
/* Joins two values [rows,1]. Returns [rows,2]. */
uint32_t import_two_columns(struct import *im, uint32_t first, uint32_t second);

/* Lets output 0 be the label of the largest score of each row. */
void import_best_label(struct import *im, const struct trace_node *n, uint32_t scores);
/* Lets output 0 be the second label where a score [rows,1] is above a number, otherwise the
 * first one. */
void import_label_above(
    struct import *im, const struct trace_node *n, uint32_t score, double least);
/* Lets output 1 be the scores. */
void import_scores(struct import *im, const struct trace_node *n, uint32_t scores);

#endif
