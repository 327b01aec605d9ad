/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks the nodes of a graph in their order; see onnx_shapes.h.
 */
#include "onnx/onnx_shapes.h"

#include <stdlib.h>

#include "onnx/onnx_rules_priv.h"
#include "onnx/onnx_unroll.h"

/* Elements of all folded tensors together, so that a hostile file cannot exhaust memory:
 * FOLDED_TIMES the limit of one, and at most FOLDED_MAX. */
enum { FOLDED_TIMES = 2048, FOLDED_MAX = 1 << 26 };
/* Elements that are read for them, so that it does not take long: READ_TIMES as many, and
 * at most READ_MAX. */
enum { READ_TIMES = 8 };
#define READ_MAX 0x1p28

struct fact_search {
	const struct onnx_shapes *shapes;
	struct text name;
};

static bool is_name(const void *ctx, size_t number)
{
	const struct fact_search *s = ctx;

	return text_equal(s->shapes->fact[number].name, s->name);
}

const struct onnx_fact *onnx_shapes_of(const struct onnx_shapes *s, struct text name)
{
	struct fact_search search = { s, name };
	size_t at = hash_map_find(&s->map, text_hash(name, 0), is_name, &search);

	return at == HASH_MAP_NONE ? NULL : &s->fact[at];
}

/* Adds a value. Returns NULL if there is one of this name. The array was allocated for all
 * values, and is never moved. */
static struct onnx_fact *add_fact(struct onnx_shapes *s, struct text name)
{
	struct fact_search search = { s, name };
	size_t at = hash_map_add(&s->map, text_hash(name, 0), is_name, &search);

	if (at != s->facts)
		return NULL;
	s->fact[s->facts] = (struct onnx_fact){ .name = name };
	return &s->fact[s->facts++];
}

int64_t onnx_fact_elements(const struct onnx_fact *v)
{
	/* Shapes with more than ONNX_ELEMENTS_MAX elements are refused. */
	return (int64_t)rule_product(v->dim, v->dims);
}

/* Stores the dimensions of a declared value, if all are fixed or symbols. Returns false
 * otherwise. */
static bool set_declared(struct onnx_shapes *s, const struct onnx_value *v,
    const struct onnx_symbols *symbols, struct onnx_fact *out)
{
	int64_t *dim = arena_zero(&s->arena, v->dims, sizeof(*dim));

	out->type = v->type;
	for (uint32_t i = 0; i < v->dims; i++) {
		dim[i] = onnx_symbols_size(symbols, v, i);
		if (dim[i] < 0)
			return false;
	}
	if (!v->has_shape || !rule_fits(dim, v->dims))
		return false;
	out->dims = v->dims;
	out->dim = dim;
	out->has_shape = true;
	return true;
}

/* Adds a tensor as a value of this name. */
static void add_tensor(struct onnx_shapes *s, const struct onnx_tensor *t, struct text name)
{
	struct onnx_fact *v = add_fact(s, name);

	if (!v) /* two initializers of one name were refused by the reader */
		return;
	v->type = t->type;
	v->has_shape = rule_fits(t->dim, t->dims);
	v->dims = v->has_shape ? t->dims : 0;
	v->dim = t->dim;
	v->tensor = t;
}

static void add_initializers(struct onnx_shapes *s, const struct onnx_graph *g)
{
	for (uint32_t i = 0; i < g->initializers; i++)
		add_tensor(s, &g->initializer[i], g->initializer[i].name);
}

static int add_inputs(struct onnx_shapes *s, const struct onnx_graph *g,
    const struct onnx_symbols *symbols, const bool *ones, struct fault *f)
{
	for (uint32_t i = 0; i < g->inputs; i++) {
		const struct onnx_value *input = &g->input[i];
		struct onnx_fact *v;

		if (input->has_initializer)
			continue;
		v = add_fact(s, input->name);
		if (!v)
			return fault_set(f, "two inputs have the name '%.*s'",
			    (int)(input->name.len > 80 ? 80 : input->name.len),
			    input->name.ptr);
		set_declared(s, input, symbols, v);
		const struct onnx_symbol *number = onnx_symbols_number(symbols, input);

		if (ones && number && (ones[i] || !input->dims))
			onnx_fold_equal(s, v, number->size);
		else if (ones && ones[i])
			onnx_fold_equal(s, v, 1);
	}
	return 0;
}

/* Returns the declared type of a value other than an input; NULL: none. */
static const struct onnx_value *declared(const struct onnx_graph *g, struct text name)
{
	/* Only asked for results of operators without rules, which are few. */
	for (uint32_t i = 0; i < g->values; i++)
		if (text_equal(g->value[i].name, name))
			return &g->value[i];
	return NULL;
}

/* The buffers of a walk. */
struct walk {
	const struct onnx_model *model;
	const struct onnx_symbols *symbols;
	struct onnx_shapes *shapes;
	const struct onnx_fact **in;
	struct onnx_fact **out;
	size_t in_capacity, out_capacity;
	size_t asked; /* calls of declared() */
	struct unroll_target unroll;
};

/* Collects the operands and adds the results of a node. Returns -1 and the message if an
 * operand is not defined, or if a result is already. */
static int bind_node(struct walk *w, const struct onnx_node *n, struct fault *f)
{
	size_t ins = 0, outs = 0;
	char *label;

	for (uint32_t i = 0; i < n->inputs; i++) {
		const struct onnx_fact *v =
		    n->input[i].len ? onnx_shapes_of(w->shapes, n->input[i]) : NULL;

		*VEC_ADD(w->in, ins, w->in_capacity) = v;
		if (v || !n->input[i].len)
			continue;
		label = onnx_node_label(n);
		fault_set(f, "%s: no node before it computes '%.*s'", label,
		    (int)(n->input[i].len > 80 ? 80 : n->input[i].len), n->input[i].ptr);
		free(label);
		return -1;
	}
	for (uint32_t i = 0; i < n->outputs; i++) {
		struct onnx_fact *v =
		    n->output[i].len ? add_fact(w->shapes, n->output[i]) : NULL;

		*VEC_ADD(w->out, outs, w->out_capacity) = v;
		if (v)
			v->node = n;
		if (v || !n->output[i].len)
			continue;
		label = onnx_node_label(n);
		fault_set(f, "%s: '%.*s' is computed a second time", label,
		    (int)(n->output[i].len > 80 ? 80 : n->output[i].len), n->output[i].ptr);
		free(label);
		return -1;
	}
	return 0;
}

static bool has_graphs(const struct onnx_node *n)
{
	for (uint32_t i = 0; i < n->attributes; i++)
		if (n->attribute[i].g)
			return true;
	return false;
}

/* Records why the MACs are unknown; the first reason counts. */
static void stop(struct walk *w, const struct onnx_node *n, const char *why)
{
	char *label;

	if (!w->shapes->has_macs)
		return;
	label = onnx_node_label(n);
	fault_set(&w->shapes->why, "%s: %s", label, why);
	free(label);
	w->shapes->has_macs = false;
}

/* Sets the results of a node that has no rule, from the types in the file. */
static void use_declared(struct walk *w, const struct rule_call *c)
{
	for (uint32_t i = 0; i < c->outs; i++) {
		const struct onnx_value *v;

		if (!c->out[i])
			continue;
		c->out[i]->lost = c->node;
		/* The product of nodes and values is limited, for hostile files. */
		v = w->asked++ < 1000 ? declared(&w->model->graph, c->out[i]->name) : NULL;
		if (v && set_declared(w->shapes, v, w->symbols, c->out[i]))
			c->out[i]->lost = NULL;
	}
}

/* Records the outcome of a rule. */
static void note_outcome(
    struct walk *w, const struct rule_call *c, const struct onnx_rule *rule, int status)
{
	const struct onnx_node *n = c->node;

	for (uint32_t i = 0; i < c->outs; i++)
		if (c->out[i] && !c->out[i]->has_shape)
			c->out[i]->lost = status == RULE_UNKNOWN && c->lost ? c->lost : n;
	if (status == RULE_WRONG) {
		stop(w, n, c->fault->text);
		if (!w->shapes->wrong_node) {
			w->shapes->wrong_node = n;
			w->shapes->wrong = *c->fault;
		}
	} else if (status == RULE_UNKNOWN && rule->multiplies) {
		char *label = onnx_node_label(c->lost ? c->lost : n);
		char *why =
		    str_format("the shapes of its operands are unknown after %s", label);

		stop(w, n, why);
		free(label);
		free(why);
	}
}

static void infer_node(struct walk *w, const struct onnx_node *n)
{
	const struct onnx_rule *rule = onnx_rule_of(n);
	struct fault wrong = { "" };
	struct rule_call c = { .node = n,
		.in = w->in,
		.out = w->out,
		.ins = n->inputs,
		.outs = n->outputs,
		.shapes = w->shapes,
		.fault = &wrong };
	int status;

	if (!rule) {
		use_declared(w, &c);
		stop(w, n,
		    has_graphs(n) ? "graphs inside nodes are not counted"
		                  : "the operator is unknown");
		return;
	}
	for (uint32_t i = 0; i < c.outs; i++)
		if (c.out[i])
			c.out[i]->type = rule->type         ? (int64_t)rule->type
			                 : c.ins && c.in[0] ? c.in[0]->type
			                                    : 0;
	status = rule->infer(&c);
	if (status == RULE_FINE) {
		w->shapes->macs += c.macs;
		onnx_fold(&c);
	} else {
		note_outcome(w, &c, rule, status);
	}
}

/* Adds a node and infers its results. */
static int walk_node(struct walk *w, const struct onnx_node *n, struct fault *f)
{
	struct onnx_shapes *s = w->shapes;

	*VEC_ADD(s->node, s->nodes, s->node_capacity) = n;
	if (bind_node(w, n, f) < 0)
		return -1;
	infer_node(w, n);
	return 0;
}

/* Returns whether a name that a branch defines is already in use: branches of two nodes may
 * have equal names. */
static bool is_defined(const struct onnx_shapes *s, const struct onnx_graph *g)
{
	for (uint32_t i = 0; i < g->initializers; i++)
		if (onnx_shapes_of(s, g->initializer[i].name))
			return true;
	for (uint32_t i = 0; i < g->nodes; i++)
		for (uint32_t k = 0; k < g->node[i].outputs; k++)
			if (g->node[i].output[k].len &&
			    onnx_shapes_of(s, g->node[i].output[k]))
				return true;
	return false;
}

/* Returns the branch that an If takes; NULL: it is not known, or the node is no If. */
static const struct onnx_graph *taken_branch(struct walk *w, const struct onnx_node *n)
{
	const struct onnx_fact *condition =
	    n->inputs == 1 && !n->domain.len && text_is(n->op, "If")
	        ? onnx_shapes_of(w->shapes, n->input[0])
	        : NULL;
	const struct onnx_attribute *branch;

	if (!condition || !condition->has_shape || onnx_fact_elements(condition) != 1 ||
	    !onnx_fact_known(w->shapes, condition) || !condition->integer)
		return NULL;
	branch = onnx_attribute(n, condition->integer[0] ? "then_branch" : "else_branch");
	return branch && branch->g && branch->g->outputs == n->outputs &&
	               !branch->g->inputs && !branch->g->sparse &&
	               !is_defined(w->shapes, branch->g)
	           ? branch->g
	           : NULL;
}

/* Gives output i of a node the elements of that output of its branch. */
static int name_branch_output(struct walk *w, const struct onnx_node *n,
    const struct onnx_graph *branch, uint32_t i, struct fault *f)
{
	struct onnx_node *same = arena_zero(&w->shapes->arena, 1, sizeof(*same));

	*same = *n;
	same->op = TEXT("Identity");
	same->attributes = 0;
	same->input = &branch->output[i].name;
	same->inputs = same->outputs = 1;
	same->output = &n->output[i];
	return n->output[i].len ? walk_node(w, same, f) : 0;
}

/* Returns the Cast that a CastLike is, if the type of its second operand is known, or the
 * node itself. */
static const struct onnx_node *as_cast(struct walk *w, const struct onnx_node *n)
{
	const bool is_like = n->inputs == 2 && !n->domain.len && text_is(n->op, "CastLike");
	const struct onnx_fact *like =
	    is_like ? onnx_shapes_of(w->shapes, n->input[1]) : NULL;
	struct onnx_attribute *to;
	struct onnx_node *made;

	if (!like || !like->type)
		return n;
	to = arena_zero(&w->shapes->arena, 1, sizeof(*to));
	made = arena_zero(&w->shapes->arena, 1, sizeof(*made));
	*to = (struct onnx_attribute){
		.name = TEXT("to"), .type = ONNX_ATTRIBUTE_INT, .i = like->type
	};
	*made = *n;
	made->op = TEXT("Cast");
	made->inputs = made->attributes = 1;
	made->attribute = to;
	return made;
}

/* Walks a node, or those that replace it. */
static int walk_expanded(void *walk, const struct onnx_node *n, struct fault *f)
{
	struct walk *w = walk;
	uint32_t count;
	int status = 0;

	n = onnx_expand(&w->shapes->arena, as_cast(w, n), &count);
	for (uint32_t k = 0; k < count && status == 0; k++)
		status = walk_node(w, n + k, f);
	return status;
}

/* Adds a tensor of the body of a loop. */
static void add_body_tensor(void *walk, const struct onnx_tensor *t, struct text name)
{
	struct walk *w = walk;

	add_tensor(w->shapes, t, name);
}

/* Walks the nodes of a graph. The reader limits the depth of graphs. */
static int walk_graph(struct walk *w, const struct onnx_graph *g, struct fault *f)
{
	int status = 0;

	for (uint32_t i = 0; i < g->nodes && status == 0; i++) {
		const struct onnx_node *n = &g->node[i];
		const struct onnx_graph *branch = taken_branch(w, n);
		int unrolled;

		if (branch) {
			add_initializers(w->shapes, branch);
			status = walk_graph(w, branch, f);
			for (uint32_t k = 0; k < n->outputs && status == 0; k++)
				status = name_branch_output(w, n, branch, k, f);
			continue;
		}
		unrolled = onnx_expansion_max(n) ? 0 : onnx_unroll(&w->unroll, n, f);
		status = unrolled < 0 ? -1 : unrolled > 0 ? 0 : walk_expanded(w, n, f);
	}
	return status;
}

static int walk_model(struct walk *w, struct fault *f)
{
	const struct onnx_graph *g = &w->model->graph;
	int status;

	if (g->sparse) {
		w->shapes->has_macs = false;
		fault_set(&w->shapes->why, "sparse initializers are not supported");
	}
	status = walk_graph(w, g, f);
	free(w->in);
	free(w->out);
	return status;
}

/* Returns the largest number of values that a graph and its branches define, without the
 * steps of loops, and stores whether there are loops. */
static size_t count_values(const struct onnx_graph *g, bool *loops)
{
	size_t count = g->initializers;

	for (uint32_t i = 0; i < g->nodes; i++) {
		const struct onnx_node *n = &g->node[i];

		count += n->outputs + onnx_expansion_max(n);
		if (onnx_unroll_is_loop(n)) {
			*loops = true;
			count += UNROLLED_BEFORE;
		}
		for (uint32_t k = 0; k < n->attributes; k++)
			if (n->attribute[k].g)
				count += count_values(n->attribute[k].g, loops);
	}
	return count;
}

int onnx_shapes_make(const struct onnx_model *m, const struct onnx_symbols *symbols,
    size_t fold_max, const bool *ones, struct onnx_shapes *out, struct fault *f)
{
	const size_t folded_max = FOLDED_TIMES * fold_max;
	const double read = READ_TIMES * (double)folded_max;
	const struct onnx_graph *g = &m->graph;
	struct walk w = { .model = m, .symbols = symbols, .shapes = out };
	bool loops = false;

	*out = (struct onnx_shapes){ .has_macs = true,
		.fold_max = fold_max,
		.folded_max = folded_max < FOLDED_MAX ? folded_max : FOLDED_MAX,
		.fold_work_max = read < READ_MAX ? read : READ_MAX };
	out->capacity = g->inputs + count_values(g, &loops);
	if (loops)
		out->capacity += UNROLLED_MAX;
	w.unroll = (struct unroll_target){ .shapes = out,
		.model = m,
		.add_node = walk_expanded,
		.add_tensor = add_body_tensor,
		.walk = &w };
	out->fact = mem_zero(out->capacity, sizeof(*out->fact));
	add_initializers(out, g);
	if (add_inputs(out, g, symbols, ones, f) < 0 || walk_model(&w, f) < 0) {
		onnx_shapes_free(out);
		return -1;
	}
	return 0;
}

void onnx_shapes_free(struct onnx_shapes *s)
{
	hash_map_free(&s->map);
	arena_free(&s->arena);
	free(s->fact);
	free(s->node);
	*s = (struct onnx_shapes){ 0 };
}
