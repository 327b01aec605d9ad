/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies the graphs of a model, with the nodes of a function in the place of each call; see
 * onnx_inline.h.
 */
#include "onnx/onnx_inline.h"

#include <stdlib.h>

#include "base/intern.h"
#include "onnx/onnx_rules_priv.h"

struct inliner {
	struct onnx_model *model;
	struct intern keys; /* of functions: domain, name and overload */
	bool *is_active;    /* by function: a call of it is being replaced */
	size_t bytes;       /* of the copies */
	unsigned calls;
	int depth; /* of calls and graphs */
	struct fault *fault;
};

/* A call that is being replaced: the names of values in the function, and the names that
 * replace them, by number. */
struct inlined_call {
	const struct onnx_function *function;
	const struct onnx_node *node; /* its names are those outside the function */
	unsigned number;
	struct intern inside;
	struct text *outside;
	size_t outsides, capacity;
};

/* A list of nodes that grows. */
struct node_list {
	struct onnx_node *node;
	size_t count, capacity;
};

static int shown(struct text name)
{
	return name.len > 80 ? 80 : (int)name.len;
}

/* Sets the message about a function. Returns -1. */
static int function_fault(
    const struct inliner *n, const struct onnx_function *function, const char *what)
{
	return fault_set(n->fault, "the function '%.*s' %s", shown(function->name),
	    function->name.ptr, what);
}

/* Returns memory for a copy, or NULL and the message. */
static void *take(struct inliner *n, size_t count, size_t size)
{
	n->bytes += (count + 1) * size;
	if (n->bytes <= ONNX_INLINED_MAX)
		return arena_zero(&n->model->arena, count, size);
	fault_set(n->fault, "without calls of functions, the graph takes more than %d MiB",
	    ONNX_INLINED_MAX >> 20);
	return NULL;
}

/* Counts the nesting. Returns 0, or -1 and the message. */
static int enter(struct inliner *n)
{
	return n->depth++ < ONNX_GRAPH_DEPTH
	           ? 0
		   : fault_set(n->fault,
	                 "calls of functions and graphs are nested deeper than %d",
	                 ONNX_GRAPH_DEPTH);
}

/* Returns the number that a function of this key has, or would have next. */
static size_t key_number(
    struct inliner *n, struct text domain, struct text name, struct text overload, bool add)
{
	const struct text part[] = { domain, name, overload };
	struct buf key = { 0 };
	size_t number;

	for (size_t i = 0; i < COUNT(part); i++) {
		buf_text(&key, part[i]);
		buf_byte(&key, '\0');
	}
	number = add ? intern_add(&n->keys, text_in(&key))
	             : (size_t)intern_find(&n->keys, text_in(&key));
	buf_free(&key);
	return number;
}

/* Returns the number of the function that a node calls, or SIZE_MAX. As in ONNX Runtime, a
 * function with the name of a known operator does not replace it. */
static size_t function_of(struct inliner *n, const struct onnx_node *node)
{
	return onnx_rule_of(node)
	           ? SIZE_MAX
		   : key_number(n, node->domain, node->op, node->overload, false);
}

/* Names a value of a call. Returns whether it had no name before. */
static bool bind_value(struct inlined_call *c, struct text inside, struct text outside)
{
	if (intern_add(&c->inside, inside) != c->outsides)
		return false;
	*VEC_ADD(c->outside, c->outsides, c->capacity) = outside;
	return true;
}

/* Returns the name that replaces a name: the same one outside functions. */
static struct text renamed(struct inliner *n, struct inlined_call *c, struct text name)
{
	size_t number;

	if (!c || !name.len)
		return name;
	number = intern_add(&c->inside, name);
	if (number == c->outsides) {
		n->bytes += name.len + 16;
		/* No exporter writes such names; if a file does, the value has two nodes,
		 * and is refused. */
		*VEC_ADD(c->outside, c->outsides, c->capacity) = text_of(arena_format(
		    &n->model->arena, "//%u/%.*s", c->number, (int)name.len, name.ptr));
	}
	return c->outside[number];
}

static int copy_graph(struct inliner *n, struct inlined_call *c,
    const struct onnx_graph *from, struct onnx_graph *to);

/* Finds the attribute that an attribute refers to: that of the call, or the default of the
 * function; NULL: it is absent. */
static const struct onnx_attribute *attribute_of(
    const struct inlined_call *c, const struct onnx_attribute *a)
{
	const struct onnx_attribute *const list[] = { c->node->attribute,
		c->function->attribute };
	const uint32_t count[] = { c->node->attributes, c->function->attributes };

	for (size_t l = 0; l < COUNT(list); l++)
		for (uint32_t i = 0; i < count[l]; i++)
			if (text_equal(list[l][i].name, a->ref))
				return &list[l][i];
	return NULL;
}

static int refuse_ref(const struct onnx_attribute *a, struct fault *f)
{
	return fault_set(f,
	    "outside functions, the attribute '%.*s' refers to that of a call ('%.*s')",
	    shown(a->name), a->name.ptr, shown(a->ref), a->ref.ptr);
}

/* Copies the attributes of a node, whose other members are copied already. */
static int copy_attributes(
    struct inliner *n, struct inlined_call *c, struct onnx_node *node)
{
	const struct onnx_attribute *from = node->attribute;
	const uint32_t count = node->attributes;
	struct onnx_attribute *to = take(n, count, sizeof(*to));

	if (!to)
		return -1;
	node->attribute = to;
	node->attributes = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct onnx_attribute *a = &from[i];
		struct onnx_graph *graph;

		if (a->ref.len) {
			if (!c)
				return refuse_ref(a, n->fault);
			a = attribute_of(c, a);
			if (!a)
				continue;
			if (a->type != from[i].type || a->ref.len)
				return function_fault(n, c->function,
				    "is called with an attribute of another type");
		}
		*to = *a;
		to->name = from[i].name;
		/* The graph of an attribute of the call was copied with the call. */
		if (a->g && a == &from[i]) {
			graph = take(n, 1, sizeof(*graph));
			if (!graph || copy_graph(n, c, a->g, graph) < 0)
				return -1;
			to->g = graph;
		}
		to++;
		node->attributes++;
	}
	return 0;
}

static int copy_names(
    struct inliner *n, struct inlined_call *c, const struct text **name, uint32_t count)
{
	struct text *to = take(n, count, sizeof(*to));

	if (!to)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		to[i] = renamed(n, c, (*name)[i]);
	*name = to;
	return 0;
}

/* Appends a node that gives a value another name. */
static int put_identity(struct inliner *n, const struct inlined_call *c, struct text in,
    struct text out, struct node_list *list)
{
	struct text *name = take(n, 2, sizeof(*name));

	if (!name)
		return -1;
	name[0] = in;
	name[1] = out;
	*VEC_ADD(list->node, list->count, list->capacity) =
	    (struct onnx_node){ .op = TEXT("Identity"),
		    .name = c->node->name,
		    .input = name,
		    .output = name + 1,
		    .inputs = 1,
		    .outputs = 1,
		    .offset = c->node->offset };
	return 0;
}

static int put_nodes(struct inliner *n, struct inlined_call *c,
    const struct onnx_node *from, uint32_t count, struct node_list *list);

/* Names the operands and results of a call. */
static int bind_call(struct inliner *n, struct inlined_call *c)
{
	const struct onnx_function *function = c->function;
	const struct onnx_node *node = c->node;

	if (node->inputs > function->inputs || node->outputs > function->outputs)
		return function_fault(
		    n, function, "is called with more values than it has");
	for (uint32_t i = 0; i < function->inputs; i++)
		if (!bind_value(c, function->input[i],
		        i < node->inputs ? node->input[i] : TEXT("")))
			return function_fault(n, function, "has two inputs of one name");
	for (uint32_t i = 0; i < node->outputs; i++)
		if (node->output[i].len)
			bind_value(c, function->output[i], node->output[i]);
	return 0;
}

/* Appends the nodes of a function in the place of a call. */
static int put_call(
    struct inliner *n, size_t number, const struct onnx_node *node, struct node_list *list)
{
	const struct onnx_function *function = &n->model->function[number];
	struct inlined_call c = {
		.function = function, .node = node, .number = n->calls++
	};
	int status;

	if (n->is_active[number])
		return function_fault(n, function, "calls itself");
	n->is_active[number] = true;
	status = enter(n) < 0 || bind_call(n, &c) < 0 ||
	                 put_nodes(n, &c, function->node, function->nodes, list) < 0
	             ? -1
	             : 0;
	/* A result may be an operand, or be a result twice. */
	for (uint32_t i = 0; i < node->outputs && status == 0; i++) {
		const struct text is = renamed(n, &c, function->output[i]);

		if (node->output[i].len && !text_equal(is, node->output[i]))
			status = put_identity(n, &c, is, node->output[i], list);
	}
	n->depth--;
	n->is_active[number] = false;
	intern_free(&c.inside);
	free(c.outside);
	return status;
}

/* Appends the nodes of a graph or function. */
static int put_nodes(struct inliner *n, struct inlined_call *c,
    const struct onnx_node *from, uint32_t count, struct node_list *list)
{
	for (uint32_t i = 0; i < count; i++) {
		const size_t function = function_of(n, &from[i]);
		struct onnx_node node = from[i];

		if (copy_names(n, c, &node.input, node.inputs) < 0 ||
		    copy_names(n, c, &node.output, node.outputs) < 0 ||
		    copy_attributes(n, c, &node) < 0)
			return -1;
		if (function == SIZE_MAX)
			*VEC_ADD(list->node, list->count, list->capacity) = node;
		else if (put_call(n, function, &node, list) < 0)
			return -1;
	}
	return 0;
}

/* Copies the names of values that a graph declares. */
static int copy_values(struct inliner *n, struct inlined_call *c,
    const struct onnx_value **value, uint32_t count)
{
	struct onnx_value *to = take(n, count, sizeof(*to));

	if (!to)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		to[i] = (*value)[i];
		to[i].name = renamed(n, c, to[i].name);
	}
	*value = to;
	return 0;
}

static int copy_initializers(
    struct inliner *n, struct inlined_call *c, struct onnx_graph *g)
{
	struct onnx_tensor *to = take(n, g->initializers, sizeof(*to));

	if (!to)
		return -1;
	for (uint32_t i = 0; i < g->initializers; i++) {
		to[i] = g->initializer[i];
		to[i].name = renamed(n, c, to[i].name);
	}
	g->initializer = to;
	return 0;
}

/* Copies a graph without calls. */
static int copy_graph(struct inliner *n, struct inlined_call *c,
    const struct onnx_graph *from, struct onnx_graph *to)
{
	struct node_list list = { 0 };
	struct onnx_node *node;
	int status;

	*to = *from;
	status = enter(n) < 0 || copy_values(n, c, &to->input, to->inputs) < 0 ||
	                 copy_values(n, c, &to->output, to->outputs) < 0 ||
	                 copy_values(n, c, &to->value, to->values) < 0 ||
	                 copy_initializers(n, c, to) < 0 ||
	                 put_nodes(n, c, from->node, from->nodes, &list) < 0
	             ? -1
	             : 0;
	node = status == 0 ? take(n, list.count, sizeof(*node)) : NULL;
	if (node && list.count)
		memcpy(node, list.node, list.count * sizeof(*node));
	to->node = node;
	to->nodes = (uint32_t)list.count;
	n->depth--;
	free(list.node);
	return node ? 0 : -1;
}

/* Checks that no attribute of a graph refers to one of a call. */
static int check_no_refs(const struct onnx_graph *g, struct fault *f)
{
	int status = 0;

	for (uint32_t i = 0; i < g->nodes; i++)
		for (uint32_t k = 0; k < g->node[i].attributes && status == 0; k++) {
			const struct onnx_attribute *a = &g->node[i].attribute[k];

			if (a->ref.len)
				status = refuse_ref(a, f);
			else if (a->g)
				status = check_no_refs(a->g, f);
		}
	return status;
}

int onnx_inline(struct onnx_model *m, struct fault *f)
{
	struct inliner n = { .model = m, .fault = f };
	int status = 0;

	if (!m->functions)
		return check_no_refs(&m->graph, f);
	for (uint32_t i = 0; i < m->functions && status == 0; i++) {
		const struct onnx_function *function = &m->function[i];

		if (key_number(&n, function->domain, function->name, function->overload,
		        true) != i)
			status = function_fault(&n, function, "is defined twice");
	}
	n.is_active = mem_zero(m->functions + 1, sizeof(*n.is_active));
	if (status == 0)
		status = copy_graph(&n, NULL, &m->graph, &m->graph);
	free(n.is_active);
	intern_free(&n.keys);
	return status;
}
