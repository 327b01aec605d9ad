/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decision trees; see onnx_import_forest.h. The nodes are put in the order in which a walk
 * that passes all tests visits them, so that the next one is often in the same cache line.
 */
#include <math.h>
#include <stdlib.h>

#include "translate/onnx_import_forest.h"

enum { FEATURES_MAX = 1 << 28 };

/* The nodes that are still to be visited. */
struct visits {
	uint32_t *place; /* of a node */
	int32_t *from;   /* the branch whose failed test leads to it, or -1 */
	size_t count;
};

/* The operands of the operation. */
struct forest_operands {
	int32_t *node, *target, *root;
	double *threshold, *weight;
	uint32_t nodes, entries;
	int32_t test; /* of all branches; -1: they differ */
};

/* Returns a threshold, or one in float32 that the same numbers of float32 pass. */
static double rounded_threshold(const struct forest_node *node)
{
	float y = (float)node->threshold;

	if ((node->test & 3) == 0 && (double)y > node->threshold)
		y = nextafterf(y, -INFINITY);
	if ((node->test & 3) == 1 && (double)y < node->threshold)
		y = nextafterf(y, INFINITY);
	return (double)y;
}

/* Adds a node that a walk reaches. */
static void put_node(struct import *im, const struct tree_set *f, struct forest_operands *o,
    const struct forest_node *node, struct visits *todo)
{
	const int32_t at = (int32_t)o->nodes++;

	if (node->feature < 0) {
		o->node[2 * at] = -1 - (int32_t)node->entries;
		o->node[2 * at + 1] = (int32_t)o->entries;
		for (uint32_t i = 0; i < node->entries; i++) {
			const struct forest_entry *e = &f->entry[node->first + i];

			o->target[o->entries] = (int32_t)e->target;
			o->weight[o->entries++] = e->weight;
		}
		return;
	}
	o->node[2 * at] = (int32_t)(8 * node->feature + node->test);
	o->threshold[at] =
	    im->dtype == BACKEND_FLOAT64 ? node->threshold : rounded_threshold(node);
	o->test = o->test == -2 || o->test == node->test ? node->test : -1;
	todo->place[todo->count] = node->no;
	todo->from[todo->count++] = at;
	todo->place[todo->count] = node->yes;
	todo->from[todo->count++] = -1;
}

/* Puts the nodes in their order. Fails if they are no trees. */
static void put_trees(struct import *im, const struct trace_node *n, const struct tree_set *f,
    int64_t features, struct forest_operands *o)
{
	struct visits todo = { .place = mem_zero((size_t)f->nodes + 2, sizeof(*todo.place)),
		.from = mem_zero((size_t)f->nodes + 2, sizeof(*todo.from)) };
	bool *seen = mem_zero(f->nodes, sizeof(*seen));

	for (uint32_t i = 0; i < f->roots && !im->t.failed; i++) {
		o->root[i] = (int32_t)o->nodes;
		todo.place[0] = f->root[i];
		todo.from[0] = -1;
		todo.count = 1;
		while (todo.count && !im->t.failed) {
			const uint32_t place = todo.place[--todo.count];
			const int32_t from = todo.from[todo.count];

			if (f->node[place].feature >= features)
				trace_fail(&im->t, n,
				    "a branch has the feature %lld of %lld",
				    (long long)f->node[place].feature, (long long)features);
			if (seen[place])
				trace_lack(&im->t, n, "two branches lead to the same node");
			if (im->t.failed)
				break;
			seen[place] = true;
			if (from >= 0)
				o->node[2 * from + 1] = (int32_t)o->nodes;
			put_node(im, f, o, &f->node[place], &todo);
		}
	}
	free(seen);
	free(todo.place);
	free(todo.from);
}

bool import_forest_reaches(const struct tree_set *f, int64_t target)
{
	uint32_t tree = 0;
	bool all = true;

	/* Nodes of a tree follow its root. */
	for (uint32_t i = 0; i < f->nodes; i++) {
		const struct forest_node *node = &f->node[i];
		bool has = node->feature >= 0;

		if (tree + 1 < f->roots && i == f->root[tree + 1]) {
			if (all)
				return true;
			all = true;
			tree++;
		}
		for (uint32_t k = 0; k < node->entries && node->feature < 0; k++)
			has |= f->entry[node->first + k].target == target;
		all &= has;
	}
	return all;
}

uint32_t import_forest_sum(struct import *im, const struct trace_node *n,
    const struct tree_set *f, uint32_t x, double alpha)
{
	struct forest_operands o = { .test = -2 };
	uint32_t in[4], out, roots;

	if (im->t.failed)
		return GRAPH_NONE;
	const int64_t rows = im->g->value[x].size[0], features = im->g->value[x].size[1],
	              nodes = f->nodes, entries = f->entries;
	if (features > FEATURES_MAX) {
		trace_lack(&im->t, n, "it has more than 2^28 features");
		return GRAPH_NONE;
	}
	o.node = mem_zero((size_t)nodes * 2, sizeof(*o.node));
	o.threshold = mem_zero((size_t)nodes, sizeof(*o.threshold));
	o.target = mem_zero((size_t)entries, sizeof(*o.target));
	o.weight = mem_zero((size_t)entries, sizeof(*o.weight));
	o.root = mem_zero(f->roots, sizeof(*o.root));
	put_trees(im, n, f, features, &o);
	/* The graph frees them. */
	in[0] = import_integers(im, o.node, IMPORT_SHAPE(nodes, 2));
	in[1] = import_constant(im, o.threshold, IMPORT_SHAPE(nodes));
	in[2] = import_integers(im, o.target, IMPORT_SHAPE(entries));
	in[3] = import_constant(im, o.weight, IMPORT_SHAPE(entries));
	roots = import_integers(im, o.root, IMPORT_SHAPE(f->roots));
	out = import_new(im, IMPORT_SHAPE(rows, f->targets));
	struct backend_op *op = import_node(im, BACKEND_TREES, out, x, in[0], in[1], in[2]);

	op->p.trees.alpha = alpha;
	op->p.trees.test = o.test < 0 ? -1 : o.test;
	im->g->node[im->g->nodes - 1].in[4] = in[3];
	im->g->node[im->g->nodes - 1].in[5] = roots;
	return out;
}
