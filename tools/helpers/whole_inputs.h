/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generates the inputs of whole models: random numbers that any model accepts.
 */
#ifndef TOOLS_HELPERS_WHOLE_INPUTS_H
#define TOOLS_HELPERS_WHOLE_INPUTS_H

#include "base/base.h"
#include "bench-engine.h"
#include "graph/graph.h"
#include "text/shell_words.h"

/*
 * Appends the elements of an input of these sizes. Floating-point elements are normally
 * distributed, with mean 0 and standard deviation 1. If the graph of the model is known,
 * its integers that select rows of tables are random rows, and its other integers are 1.
 * Otherwise, integers are 0 or 1 at random; those of an input with `mask` in its name
 * are 1. Bools are 1. The elements depend on the seed and the name only. Returns 0, or -1
 * and the message if the type cannot be generated.
 */
int whole_input_draw(const struct backend_port *p, const int64_t *size, uint64_t seed,
    const struct graph *known, struct buf *out, struct fault *f);
/* Appends the value that -P gives to an input that is a whole number or truth value, or to
 * each one of a list of this size. Returns 1, 0 if it gives none, or -1 and the message. */
int whole_input_number(const struct backend_port *p, const int64_t *size,
    const struct binding *param, size_t params, struct buf *out, struct fault *f);

#endif
