/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads decision trees from the attributes of a node, and makes an operation of them; see
 * BACKEND_TREES.
 */
#ifndef TRANSLATE_ONNX_IMPORT_FOREST_H
#define TRANSLATE_ONNX_IMPORT_FOREST_H

#include "translate/onnx_import_priv.h"

/* A node of a tree: a branch, with the tests of BACKEND_TREES, or a leaf. */
struct forest_node {
	int64_t feature; /* -1: a leaf */
	double threshold;
	int32_t test;     /* with 4 if a NaN passes */
	uint32_t yes, no; /* of a branch: the next nodes */
	/* Of a leaf: its entries. */
	uint32_t first, entries;
};

/* A weight of a leaf for a target. */
struct forest_entry {
	int64_t target;
	double weight;
};

struct tree_set {
	struct forest_node *node;
	uint32_t *root;
	struct forest_entry *entry;
	uint32_t nodes, roots, entries;
	int64_t targets;
};

/* Reads the trees of a node with this number of targets: of TreeEnsembleClassifier, with
 * the attributes class_ids and so on, of TreeEnsembleRegressor or of TreeEnsemble. Fails if
 * they are wrong. Free the result in either case. */
void import_forest_read(
    struct import *im, const struct trace_node *n, int64_t targets, struct tree_set *out);
void import_forest_free(struct tree_set *f);
/* Returns whether each row gets an entry for this target, because one tree has one in each
 * leaf. */
bool import_forest_reaches(const struct tree_set *f, int64_t target);
/* Adds alpha times the sums of the trees for x[rows,features]. Returns [rows,targets]. */
uint32_t import_forest_sum(struct import *im, const struct trace_node *n,
    const struct tree_set *f, uint32_t x, double alpha);
/* Returns the numbers of an attribute, or of the tensor in the attribute NAME_as_tensor, or
 * of the tensor in the attribute, which the caller frees, and stores how many; NULL and 0
 * if there are none. */
double *import_attribute_numbers(
    struct import *im, const struct trace_node *n, const char *name, uint32_t *count);

#endif
