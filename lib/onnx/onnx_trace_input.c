/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the inputs that index a table; see onnx_trace_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "onnx/onnx_trace_priv.h"

/* The names of a graph: initializers have the numbers of the first intern. */
struct sources {
	struct intern tables, names;
	uint32_t *input; /* by name: the number of the input that it comes from, plus 1 */
};

/* Records that the result of a node has elements of its first input. */
static void pass_on(struct sources *s, const struct onnx_node *n)
{
	const long from = intern_find(&s->names, n->input[0]);

	if (from >= 0)
		s->input[intern_add(&s->names, n->output[0])] = s->input[from];
}

/* Records the table that a Gather reads. */
static void note_table(const struct sources *s, const struct onnx_graph *g,
    const struct onnx_node *n, double *rows)
{
	const long from = intern_find(&s->names, n->input[1]),
	           number = intern_find(&s->tables, n->input[0]);
	const struct onnx_tensor *table = number < 0 ? NULL : &g->initializer[number];

	if (from < 0 || !s->input[from] || !table || !onnx_type_is_float(table->type) ||
	    !table->dims)
		return;
	double *smallest = &rows[s->input[from] - 1];
	*smallest =
	    *smallest > 0 ? fmin(*smallest, (double)table->dim[0]) : (double)table->dim[0];
}

void trace_find_indices(const struct onnx_graph *g, double *rows)
{
	static const char *const keeps[] = { "Identity", "Cast", "Reshape", "Flatten",
		"Squeeze", "Unsqueeze", "Transpose", "Slice", "Expand" };
	struct sources s = { .input = mem_zero(
		                 (size_t)g->inputs + g->nodes + 1, sizeof(*s.input)) };

	for (uint32_t i = 0; i < g->initializers; i++)
		intern_add(&s.tables, g->initializer[i].name);
	for (uint32_t i = 0; i < g->inputs; i++)
		s.input[intern_add(&s.names, g->input[i].name)] = i + 1;
	for (uint32_t i = 0; i < g->nodes; i++) {
		const struct onnx_node *n = &g->node[i];

		if (n->inputs < 1 || n->outputs < 1)
			continue;
		for (size_t k = 0; k < COUNT(keeps); k++)
			if (text_is(n->op, keeps[k]))
				pass_on(&s, n);
		if (text_is(n->op, "Gather") && n->inputs == 2)
			note_table(&s, g, n, rows);
	}
	intern_free(&s.tables);
	intern_free(&s.names);
	free(s.input);
}
