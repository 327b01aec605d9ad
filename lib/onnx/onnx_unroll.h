/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces a Loop or a Scan, whose number of steps is known, by the nodes of its body, once
 * for each step. Values of the body get a new name in each step. Pure.
 */
#ifndef ONNX_ONNX_UNROLL_H
#define ONNX_ONNX_UNROLL_H

#include "onnx/onnx_shapes.h"

/*
 * The largest number of values that all steps of a model may add; the largest number of
 * operands and elements of attributes of their nodes; and the values that a Loop adds
 * before its steps.
 */
enum { UNROLLED_MAX = 1 << 17, UNROLLED_READS_MAX = 1 << 22, UNROLLED_BEFORE = 2 };

/* Where the nodes are added. */
struct unroll_target {
	struct onnx_shapes *shapes;
	const struct onnx_model *model;
	/* Adds a node and infers its results. Returns 0, or -1 and the message. */
	int (*add_node)(void *walk, const struct onnx_node *n, struct fault *f);
	/* Adds a tensor as a value of this name. */
	void (*add_tensor)(void *walk, const struct onnx_tensor *t, struct text name);
	void *walk;
	size_t values, reads; /* that were added */
	unsigned loops;
};

/*
 * Adds the steps of a node. Returns 1; 0 if it is no Loop or Scan, if the number of its
 * steps depends on computed values or is too large, or if its body contains graphs; or -1
 * and the message.
 */
int onnx_unroll(struct unroll_target *t, const struct onnx_node *n, struct fault *f);
/* Returns whether a node is a Loop or a Scan. */
bool onnx_unroll_is_loop(const struct onnx_node *n);

#endif
