/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recognizes the distances between the rows of two matrices, which skl2onnx writes as a
 * Scan over the rows of the second one: its state, the first matrix, does not change, and
 * its body subtracts a row and sums what remains. See onnx_rules_priv.h.
 */
#include "onnx/onnx_rules_priv.h"

/* The largest number of nodes of such a body. */
enum { NODES_MAX = 16 };

/* Returns the node of a graph whose first result has this name, or NULL. */
static const struct onnx_node *maker(const struct onnx_graph *g, struct text name)
{
	for (uint32_t i = 0; i < g->nodes; i++)
		if (g->node[i].outputs && text_equal(g->node[i].output[0], name))
			return &g->node[i];
	return NULL;
}

/* Returns the name of the value that Identity passes on, through all of them. */
static struct text origin(const struct onnx_graph *g, struct text name)
{
	const struct onnx_node *n = maker(g, name);

	/* The names of a hostile file may form a circle. */
	for (uint32_t i = 0;
	    i < g->nodes && n && n->inputs == 1 && text_is(n->op, "Identity"); i++) {
		name = n->input[0];
		n = maker(g, name);
	}
	return name;
}

/* Whether the only axis of a reduction is 1, and whether it removes it. */
static bool removes_columns(const struct onnx_graph *g, const struct onnx_node *n)
{
	const struct onnx_attribute *axes = onnx_attribute(n, "axes"),
	                            *kept = onnx_attribute(n, "keepdims");
	struct fault ignored;
	int64_t axis = 0;

	if (!kept || kept->i)
		return false;
	if (axes)
		return axes->int_count == 1 && axes->ints[0] == 1;
	for (uint32_t i = 0; n->inputs == 2 && i < g->initializers; i++) {
		const struct onnx_tensor *t = &g->initializer[i];

		if (text_equal(t->name, n->input[1]) && t->type == ONNX_INT64 &&
		    t->elements == 1 && t->bytes == sizeof(axis) &&
		    onnx_tensor_read(t, &axis, &ignored) < 0)
			axis = 0;
	}
	return axis == 1;
}

bool onnx_scan_is(const struct onnx_node *n, const char *const *op)
{
	const struct onnx_attribute *body = onnx_attribute(n, "body"),
	                            *scanned = onnx_attribute(n, "num_scan_inputs");
	const struct onnx_graph *g = body ? body->g : NULL;
	const struct onnx_node *last;

	if (!g || g->nodes > NODES_MAX || !scanned || scanned->i != 1 ||
	    n->attributes != 2 || n->inputs != 2 || g->inputs != 2 || g->outputs != 2 ||
	    !text_equal(origin(g, g->output[0].name), g->input[0].name))
		return false;
	last = maker(g, origin(g, g->output[1].name));
	for (const char *const *name = op; *name; name++) {
		if (!last || !last->inputs || last->domain.len ||
		    !text_is(last->op, *name) ||
		    (name == op ? !removes_columns(g, last) : last->inputs != 1))
			return false;
		last = maker(g, origin(g, last->input[0]));
	}
	return last && !last->domain.len && text_is(last->op, "Sub") && last->inputs == 2 &&
	       text_equal(last->input[0], g->input[0].name) &&
	       text_equal(last->input[1], g->input[1].name);
}
