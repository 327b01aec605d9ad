/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads decision trees from attributes; see onnx_import_forest.h.
 */
#include <stdlib.h>

#include "translate/onnx_import_forest.h"

enum { NODES_MAX = 1 << 28, TARGETS_MAX = 1 << 20 };

/* Returns the numbers of a tensor, which the caller frees. */
static double *tensor_numbers(
    struct import *im, const struct trace_node *n, const struct onnx_tensor *t)
{
	unsigned char *raw = mem_zero((size_t)t->bytes + 1, 1);
	double *x = mem_zero((size_t)t->elements + 1, sizeof(*x));
	struct fault f;

	if (onnx_tensor_read(t, raw, &f) < 0)
		trace_fail(&im->t, n, "%s", f.text);
	else if (t->type == ONNX_DOUBLE)
		memcpy(x, raw, (size_t)t->bytes);
	else if (t->type == ONNX_FLOAT)
		for (uint64_t i = 0; i < t->elements; i++) {
			float number;

			memcpy(&number, raw + i * sizeof(number), sizeof(number));
			x[i] = (double)number;
		}
	else if (t->type == ONNX_UINT8)
		for (uint64_t i = 0; i < t->elements; i++)
			x[i] = raw[i];
	else
		trace_lack(
		    &im->t, n, "an attribute has the type %s", onnx_type_name(t->type));
	free(raw);
	return x;
}

double *import_attribute_numbers(
    struct import *im, const struct trace_node *n, const char *name, uint32_t *count)
{
	char *longer = str_format("%s_as_tensor", name);
	const struct onnx_attribute *a = onnx_attribute(n->call.node, longer);
	double *x = NULL;

	free(longer);
	a = a ? a : onnx_attribute(n->call.node, name);
	*count = 0;
	if (a && a->t && a->t->elements > 0 && a->t->elements <= UINT32_MAX) {
		*count = (uint32_t)a->t->elements;
		return tensor_numbers(im, n, a->t);
	}
	if (!a || !a->float_count)
		return NULL;
	*count = a->float_count;
	x = mem_zero(a->float_count, sizeof(*x));
	for (uint32_t i = 0; i < a->float_count; i++)
		x[i] = (double)a->floats[i];
	return x;
}

/* Returns the integers of an attribute if there are `count` of them; fails otherwise. */
static const int64_t *attribute_integers(
    struct import *im, const struct trace_node *n, const char *name, uint32_t count)
{
	uint32_t given;
	const int64_t *x = rule_ints(&n->call, name, &given);

	if (x && given == count)
		return x;
	trace_fail(&im->t, n, "its attribute %s has %u elements instead of %u", name, given,
	    count);
	return NULL;
}

static double *attribute_numbers(
    struct import *im, const struct trace_node *n, const char *name, uint32_t count)
{
	uint32_t given;
	double *x = import_attribute_numbers(im, n, name, &given);

	if (given != count)
		trace_fail(&im->t, n, "its attribute %s has %u elements instead of %u",
		    name, given, count);
	return x;
}

/*
 * Sets the test of a branch. Those that BACKEND_TREES lacks are the opposites of others,
 * with the next nodes exchanged.
 */
static void set_test(struct import *im, const struct trace_node *n,
    struct forest_node *node, struct text mode, bool nan_passes)
{
	static const struct {
		const char *mode;
		int32_t test;
		bool opposite;
	} tests[] = { { "BRANCH_LEQ", 0, false }, { "BRANCH_LT", 1, false },
		{ "BRANCH_EQ", 2, false }, { "BRANCH_GT", 0, true },
		{ "BRANCH_GTE", 1, true }, { "BRANCH_NEQ", 2, true } };
	const uint32_t yes = node->yes;
	size_t i = 0;

	while (i < COUNT(tests) && !text_is(mode, tests[i].mode))
		i++;
	if (i == COUNT(tests)) {
		trace_lack(
		    &im->t, n, "a branch has the mode '%.*s'", (int)mode.len, mode.ptr);
		return;
	}
	node->test = tests[i].test;
	if (tests[i].opposite) {
		node->yes = node->no;
		node->no = yes;
		/* A NaN is not equal to any number. */
		nan_passes = node->test != 2 && !nan_passes;
	}
	node->test += nan_passes ? 4 : 0;
}

/* The number of a node in the file, and its place in the attributes. */
struct node_key {
	int64_t tree, node;
	uint32_t place;
};

static int compare_keys(const void *a, const void *b)
{
	const struct node_key *x = a, *y = b;

	if (x->tree != y->tree)
		return x->tree < y->tree ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* Returns the place of a node; fails if there is no such node. */
static uint32_t place_of(struct import *im, const struct trace_node *n,
    const struct node_key *keys, uint32_t count, int64_t tree, int64_t node)
{
	const struct node_key wanted = { tree, node, 0 },
	                      *found = bsearch(
	                          &wanted, keys, count, sizeof(*keys), compare_keys);

	if (found)
		return found->place;
	trace_fail(
	    &im->t, n, "tree %lld has no node %lld", (long long)tree, (long long)node);
	return 0;
}

/* The attributes of the nodes of TreeEnsembleClassifier and TreeEnsembleRegressor. */
struct node_lists {
	const int64_t *tree, *node, *feature, *yes, *no, *missing;
	const struct onnx_attribute *mode;
	double *threshold;
	struct node_key *key; /* sorted */
};

static void read_lists(struct import *im, const struct trace_node *n, struct node_lists *l,
    const struct tree_set *f)
{
	const uint32_t count = f->nodes;

	l->tree = attribute_integers(im, n, "nodes_treeids", count);
	l->node = attribute_integers(im, n, "nodes_nodeids", count);
	l->feature = attribute_integers(im, n, "nodes_featureids", count);
	l->yes = attribute_integers(im, n, "nodes_truenodeids", count);
	l->no = attribute_integers(im, n, "nodes_falsenodeids", count);
	if (rule_has_attribute(&n->call, "nodes_missing_value_tracks_true"))
		l->missing =
		    attribute_integers(im, n, "nodes_missing_value_tracks_true", count);
	l->threshold = attribute_numbers(im, n, "nodes_values", count);
	if (l->mode->string_count != count)
		trace_fail(&im->t, n,
		    "its attribute nodes_modes has %u elements instead of %u",
		    l->mode->string_count, count);
	if (im->t.failed)
		return;
	for (uint32_t i = 0; i < count; i++)
		l->key[i] = (struct node_key){ l->tree[i], l->node[i], i };
	qsort(l->key, count, sizeof(*l->key), compare_keys);
	for (uint32_t i = 1; i < count; i++)
		if (compare_keys(&l->key[i - 1], &l->key[i]) == 0)
			trace_fail(&im->t, n, "tree %lld has two nodes %lld",
			    (long long)l->key[i].tree, (long long)l->key[i].node);
}

/* Adds the nodes of the lists, in their order; the first one of each tree is its root. */
static void add_nodes(struct import *im, const struct trace_node *n,
    const struct node_lists *l, struct tree_set *f)
{
	for (uint32_t i = 0; i < f->nodes && !im->t.failed; i++) {
		struct forest_node *node = &f->node[i];
		const struct text mode = l->mode->strings[i];

		if (i == 0 || l->tree[i] != l->tree[i - 1])
			f->root[f->roots++] = i;
		*node = (struct forest_node){ .feature = -1 };
		if (text_is(mode, "LEAF"))
			continue;
		node->feature = l->feature[i];
		node->threshold = l->threshold[i];
		node->yes = place_of(im, n, l->key, f->nodes, l->tree[i], l->yes[i]);
		node->no = place_of(im, n, l->key, f->nodes, l->tree[i], l->no[i]);
		set_test(im, n, node, mode, l->missing && l->missing[i] != 0);
		if (node->feature < 0)
			trace_fail(&im->t, n, "a branch has the feature %lld",
			    (long long)node->feature);
	}
}

/* Adds the entries of the leaves, those of a leaf one after the other. */
static void add_entries(struct import *im, const struct trace_node *n,
    const struct node_lists *l, struct tree_set *f)
{
	const bool classes = rule_has_attribute(&n->call, "class_ids");
	const uint32_t count = f->entries;
	const int64_t *tree = attribute_integers(
	                  im, n, classes ? "class_treeids" : "target_treeids", count),
	              *node = attribute_integers(
	                  im, n, classes ? "class_nodeids" : "target_nodeids", count),
	              *target = attribute_integers(
	                  im, n, classes ? "class_ids" : "target_ids", count);
	double *weight =
	    attribute_numbers(im, n, classes ? "class_weights" : "target_weights", count);
	uint32_t *owner = mem_zero(count + 1, sizeof(*owner)), at = 0;

	for (uint32_t i = 0; i < count && !im->t.failed; i++) {
		owner[i] = place_of(im, n, l->key, f->nodes, tree[i], node[i]);
		f->node[owner[i]].entries++;
	}
	for (uint32_t i = 0; i < f->nodes; i++) {
		f->node[i].first = at;
		at += f->node[i].entries;
		f->node[i].entries = 0;
	}
	for (uint32_t i = 0; i < count && !im->t.failed; i++) {
		struct forest_node *leaf = &f->node[owner[i]];

		f->entry[leaf->first + leaf->entries++] =
		    (struct forest_entry){ target[i], weight[i] };
	}
	free(owner);
	free(weight);
}

/* Reads the trees of TreeEnsembleClassifier and TreeEnsembleRegressor. */
static void read_by_numbers(struct import *im, const struct trace_node *n, struct tree_set *f)
{
	struct node_lists l = { .mode = onnx_attribute(n->call.node, "nodes_modes") };
	uint32_t classes, targets;

	rule_ints(&n->call, "class_ids", &classes);
	rule_ints(&n->call, "target_ids", &targets);
	f->entries = classes ? classes : targets;
	f->nodes = l.mode ? l.mode->string_count : 0;
	if (f->nodes < 1 || f->nodes > NODES_MAX || f->entries < 1 ||
	    f->entries > NODES_MAX)
		trace_lack(&im->t, n, "it has no trees, or more than 2^28 nodes");
	if (im->t.failed)
		return;
	l.key = mem_zero(f->nodes, sizeof(*l.key));
	f->node = mem_zero(f->nodes, sizeof(*f->node));
	f->root = mem_zero(f->nodes, sizeof(*f->root));
	f->entry = mem_zero(f->entries, sizeof(*f->entry));
	read_lists(im, n, &l, f);
	if (!im->t.failed)
		add_nodes(im, n, &l, f);
	if (!im->t.failed)
		add_entries(im, n, &l, f);
	free(l.key);
	free(l.threshold);
}

/* Returns the place of a next node of TreeEnsemble, whose leaves follow the branches. */
static uint32_t next_place(struct import *im, const struct trace_node *n, int64_t number,
    bool is_leaf, uint32_t branches, uint32_t leaves)
{
	const uint32_t count = is_leaf ? leaves : branches;

	if (number >= 0 && number < (int64_t)count)
		return (uint32_t)number + (is_leaf ? branches : 0);
	trace_fail(
	    &im->t, n, "it has no %s %lld", is_leaf ? "leaf" : "branch", (long long)number);
	return 0;
}

/* The attributes of TreeEnsemble. Those of branches have an element for each. */
struct ensemble {
	uint32_t branches, leaves, roots;
	const int64_t *feature;
	const int64_t *next[2];    /* the place if the test is true, and if it is false */
	const int64_t *to_leaf[2]; /* whether that is the place of a leaf */
	const int64_t *missing;    /* whether a missing value passes the test; or NULL */
	double *threshold, *mode;
	const int64_t *target; /* of leaves */
	double *weight;        /* of leaves */
	const int64_t *root;
};

/* Reads the attributes. The caller frees them in any case. */
static void read_ensemble(struct import *im, const struct trace_node *n, struct ensemble *e)
{
	*e = (struct ensemble){ 0 };
	e->feature = rule_ints(&n->call, "nodes_featureids", &e->branches);
	e->target = rule_ints(&n->call, "leaf_targetids", &e->leaves);
	e->root = rule_ints(&n->call, "tree_roots", &e->roots);
	if (!e->feature || !e->target || !e->root || e->branches > NODES_MAX ||
	    e->leaves > NODES_MAX)
		trace_lack(&im->t, n, "it has no trees, or more than 2^28 nodes");
	if (im->t.failed)
		return;
	for (int i = 0; i < 2; i++) {
		e->next[i] = attribute_integers(
		    im, n, i ? "nodes_falsenodeids" : "nodes_truenodeids", e->branches);
		e->to_leaf[i] = attribute_integers(
		    im, n, i ? "nodes_falseleafs" : "nodes_trueleafs", e->branches);
	}
	if (rule_has_attribute(&n->call, "nodes_missing_value_tracks_true"))
		e->missing = attribute_integers(
		    im, n, "nodes_missing_value_tracks_true", e->branches);
	e->threshold = attribute_numbers(im, n, "nodes_splits", e->branches);
	e->mode = attribute_numbers(im, n, "nodes_modes", e->branches);
	e->weight = attribute_numbers(im, n, "leaf_weights", e->leaves);
}

static void free_ensemble(struct ensemble *e)
{
	free(e->threshold);
	free(e->mode);
	free(e->weight);
}

/* Makes the node of a branch. */
static void read_branch(struct import *im, const struct trace_node *n,
    const struct ensemble *e, uint32_t i, struct forest_node *node)
{
	static const char *const modes[] = { "BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE",
		"BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "BRANCH_MEMBER" };
	const double mode = e->mode[i];
	const char *name = mode >= 0 && mode < (double)COUNT(modes) ? modes[(int)mode] : "";

	*node = (struct forest_node){ .feature = e->feature[i],
		.threshold = e->threshold[i],
		.yes = next_place(
		    im, n, e->next[0][i], e->to_leaf[0][i] != 0, e->branches, e->leaves),
		.no = next_place(
		    im, n, e->next[1][i], e->to_leaf[1][i] != 0, e->branches, e->leaves) };
	set_test(im, n, node, text_of(name), e->missing && e->missing[i] != 0);
	if (node->feature < 0)
		trace_fail(
		    &im->t, n, "a branch has the feature %lld", (long long)node->feature);
}

/* Reads the trees of TreeEnsemble: first the branches, then the leaves. */
static void read_by_places(
    struct import *im, const struct trace_node *n, struct tree_set *f)
{
	struct ensemble e;

	read_ensemble(im, n, &e);
	if (!im->t.failed) {
		f->nodes = e.branches + e.leaves;
		f->entries = e.leaves;
		f->node = mem_zero(f->nodes, sizeof(*f->node));
		f->root = mem_zero(e.roots, sizeof(*f->root));
		f->entry = mem_zero(f->entries, sizeof(*f->entry));
	}
	for (uint32_t i = 0; i < e.branches && !im->t.failed; i++)
		read_branch(im, n, &e, i, &f->node[i]);
	for (uint32_t i = 0; i < e.leaves && !im->t.failed; i++) {
		f->node[e.branches + i] =
		    (struct forest_node){ .feature = -1, .first = i, .entries = 1 };
		f->entry[i] = (struct forest_entry){ e.target[i], e.weight[i] };
	}
	for (uint32_t i = 0; i < e.roots && !im->t.failed; i++)
		f->root[f->roots++] =
		    next_place(im, n, e.root[i], false, e.branches, e.leaves);
	free_ensemble(&e);
}

void import_forest_read(
    struct import *im, const struct trace_node *n, int64_t targets, struct tree_set *out)
{
	*out = (struct tree_set){ .targets = targets };
	if (targets < 1 || targets > TARGETS_MAX) {
		trace_lack(&im->t, n, "it has no targets, or more than 2^20");
		return;
	}
	if (trace_is(n, "TreeEnsemble"))
		read_by_places(im, n, out);
	else
		read_by_numbers(im, n, out);
	for (uint32_t i = 0; i < out->entries && !im->t.failed; i++)
		if (out->entry[i].target < 0 || out->entry[i].target >= targets)
			trace_fail(&im->t, n, "a leaf has the target %lld of %lld",
			    (long long)out->entry[i].target, (long long)targets);
}

void import_forest_free(struct tree_set *f)
{
	free(f->node);
	free(f->root);
	free(f->entry);
}
