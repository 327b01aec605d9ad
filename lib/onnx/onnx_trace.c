/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Follows the nodes of a model; see onnx_trace.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "onnx/onnx_trace_priv.h"
#include "text/units.h"

/* The largest size of a dimension, and the largest number of nodes. */
#define SIZE_LIMIT 281474976710656.0 /* 2^48 */
enum { NODES_LIMIT = 100000 };
/* Views of constants with more elements than this are not copied. */
enum { COPIED_MAX = 65536 };

static void complain(
    struct onnx_trace *t, const struct trace_node *n, bool unsupported, const char *text)
{
	char *label;

	if (t->failed)
		return;
	t->failed = true;
	t->unsupported = unsupported;
	label = n ? onnx_node_label(n->from) : NULL;
	fault_set(&t->fault, "%s%s%s", label ? label : "", label ? ": " : "", text);
	free(label);
}

void trace_fail(struct onnx_trace *t, const struct trace_node *n, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	complain(t, n, false, text);
}

void trace_lack(struct onnx_trace *t, const struct trace_node *n, const char *fmt, ...)
{
	char text[512];
	struct buf all = { 0 };
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	buf_printf(
	    &all, "benchutils' own backends cannot run it: %s; use -b onnxruntime", text);
	complain(t, n, true, all.ptr);
	buf_free(&all);
}

uint32_t trace_find_value(const struct onnx_trace *t, struct text name)
{
	long number = intern_find(&t->names, name);

	return number < 0 ? (uint32_t)TRACE_NONE : t->named[number];
}

/* Lets a name mean a value. */
static void name_value(struct onnx_trace *t, struct text name, uint32_t value)
{
	size_t number = intern_add(&t->names, name), old = t->named_cap;

	while (t->named_cap <= number)
		t->named = mem_more(t->named, &t->named_cap, sizeof(*t->named));
	for (; old < t->named_cap; old++)
		t->named[old] = TRACE_NONE;
	t->named[number] = value;
}

struct trace_value *trace_add(struct onnx_trace *t, struct text name, uint32_t *number)
{
	struct trace_value *v = VEC_ADD(t->value, t->values, t->value_cap);

	*number = (uint32_t)(t->values - 1);
	*v = (struct trace_value){ .name = name, .node = TRACE_NONE };
	name_value(t, name, *number);
	return v;
}

int64_t trace_elements(const struct onnx_trace *t, uint32_t value)
{
	const struct trace_shape *s = &t->value[value].shape;
	int64_t count = 1;

	for (uint32_t i = 0; i < s->dims; i++)
		count *= s->size[i];
	return count;
}

void trace_set(
    struct onnx_trace *t, const struct trace_node *n, uint32_t i, struct trace_shape shape)
{
	uint32_t out = trace_out(n, i);
	double elements = 1;

	for (uint32_t d = 0; d < shape.dims; d++) {
		if (shape.size[d] < 0) {
			trace_fail(t, n, "a result has a negative size");
			return;
		}
		elements *= (double)shape.size[d];
	}
	if (elements > SIZE_LIMIT)
		trace_fail(t, n, "a result has more than 2^48 elements");
	else if (out != TRACE_NONE)
		t->value[out].shape = shape;
}

double *trace_room(struct onnx_trace *t, const struct trace_node *n, double elements)
{
	t->folded += elements;
	if (elements <= TRACE_FOLD_MAX && t->folded <= TRACE_FOLD_SUM_MAX)
		return mem_zero((size_t)elements + 1, sizeof(double));
	trace_lack(t, n, "its constants have more than 2^24 elements");
	return NULL;
}

void trace_set_numbers(struct onnx_trace *t, const struct trace_node *n, uint32_t i,
    int64_t type, struct trace_shape shape, double *number)
{
	uint32_t out = trace_out(n, i);

	trace_set(t, n, i, shape);
	if (out == TRACE_NONE || t->failed) {
		free(number);
		return;
	}
	t->value[out].type = type;
	t->value[out].is_constant = true;
	t->value[out].number = number;
}

const struct trace_value *trace_needed(
    struct onnx_trace *t, const struct trace_node *n, uint32_t i)
{
	static const struct trace_value none;
	uint32_t in = trace_in(n, i);

	if (in != TRACE_NONE)
		return &t->value[in];
	trace_fail(t, n, "input %u is missing", i + 1);
	return &none;
}

double trace_scalar(struct onnx_trace *t, uint32_t value)
{
	if (value == TRACE_NONE || !t->value[value].is_constant ||
	    trace_elements(t, value) != 1)
		return NAN;
	const double *x = trace_numbers(t, value);
	return x ? *x : NAN;
}

/* Computes a node whose inputs are constants. Returns whether it did. */
static bool fold(struct onnx_trace *t, struct trace_node *n)
{
	const double **in;
	bool all = n->op->fold && n->ins;

	for (uint32_t i = 0; i < n->ins && all; i++)
		all = n->in[i] == TRACE_NONE || t->value[n->in[i]].is_constant;
	if (!all || t->failed)
		return false;
	/* A view of a large weight remains one. */
	if (n->op->is_view && n->in[0] != TRACE_NONE &&
	    onnx_type_is_float(t->value[n->in[0]].type) &&
	    trace_elements(t, n->in[0]) > COPIED_MAX)
		return false;
	in = mem_zero(n->ins, sizeof(*in));
	for (uint32_t i = 0; i < n->ins && all; i++) {
		in[i] = trace_numbers(t, n->in[i]);
		all = in[i] || n->in[i] == TRACE_NONE;
	}
	for (uint32_t i = 0; i < n->outs && all && !t->failed; i++) {
		double *out;

		if (n->out[i] == TRACE_NONE)
			continue;
		out = trace_room(t, n, (double)trace_elements(t, n->out[i]));
		if (!out)
			break;
		n->op->fold(t, n, in, i, out);
		t->value[n->out[i]].is_constant = true;
		t->value[n->out[i]].number = out;
	}
	free(in);
	return all;
}

/* Returns whether a node only passes on its first input in this program, which computes all
 * floating-point types in one. */
static bool passes_on(const struct onnx_trace *t, const struct trace_node *n)
{
	if (n->ins < 1 || n->in[0] == TRACE_NONE || n->outs < 1)
		return false;
	if (trace_is(n, "Cast")) {
		const struct trace_value *x = &t->value[n->in[0]];
		const bool to = onnx_type_is_float(trace_int(n, "to", 0));

		return to == onnx_type_is_float(x->type) && (to || !x->is_constant);
	}
	return trace_is(n, "Identity") || trace_is(n, "Dropout");
}

static void free_node(struct trace_node *n)
{
	free(n->in);
	free(n->out);
}

static void add_node(struct onnx_trace *t, const struct onnx_node *from)
{
	struct trace_node n = { .from = from, .ins = from->inputs, .outs = from->outputs };
	bool done = false;

	n.op = from->domain.len == 0 ? trace_find_op(from->op) : NULL;
	n.in = mem_zero(n.ins + 1, sizeof(*n.in));
	n.out = mem_zero(n.outs + 1, sizeof(*n.out));
	for (uint32_t i = 0; i < n.ins; i++) {
		n.in[i] = from->input[i].len ? trace_find_value(t, from->input[i])
		                             : (uint32_t)TRACE_NONE;
		if (from->input[i].len && n.in[i] == TRACE_NONE)
			trace_fail(t, &n, "no earlier node computes '%.*s'",
			    (int)from->input[i].len, from->input[i].ptr);
	}
	if (!n.op && !t->failed) {
		t->failed = t->unsupported = true;
		fault_set(&t->fault,
		    "operator '%.*s%s%.*s' (node '%.*s') is not supported by benchutils' "
		    "own "
		    "backends; use -b onnxruntime",
		    (int)from->domain.len, from->domain.ptr, from->domain.len ? "." : "",
		    (int)from->op.len, from->op.ptr, (int)from->name.len, from->name.ptr);
	}
	if (!t->failed && passes_on(t, &n)) {
		name_value(t, from->output[0], n.in[0]);
		done = true;
	}
	for (uint32_t i = 0; i < n.outs && !done; i++) {
		n.out[i] = TRACE_NONE;
		if (!from->output[i].len)
			continue;
		int64_t type = n.ins && n.in[0] != TRACE_NONE ? t->value[n.in[0]].type : 0;
		struct trace_value *v = trace_add(t, from->output[i], &n.out[i]);
		v->node = (uint32_t)t->nodes;
		v->type = n.op && n.op->is_truth ? ONNX_BOOL : type;
	}
	if (!done && !t->failed) {
		n.op->shape(t, &n);
		done = fold(t, &n);
		for (uint32_t i = 0; i < n.outs && !done; i++)
			done = n.out[i] != TRACE_NONE && t->value[n.out[i]].is_constant;
	}
	if (done || t->failed) {
		for (uint32_t i = 0; i < n.outs; i++)
			if (n.out[i] != TRACE_NONE && done && !passes_on(t, &n))
				t->value[n.out[i]].node = TRACE_NONE;
		free_node(&n);
	} else
		*VEC_ADD(t->node, t->nodes, t->node_cap) = n;
}

/* Finds the values of the outputs. */
static void add_outputs(struct onnx_trace *t)
{
	const struct onnx_graph *g = &t->model->graph;

	for (uint32_t i = 0; i < g->outputs && !t->failed; i++) {
		uint32_t value = trace_find_value(t, g->output[i].name);

		if (value == TRACE_NONE)
			trace_fail(t, NULL, "no node computes the output '%.*s'",
			    (int)g->output[i].name.len, g->output[i].name.ptr);
		*VEC_ADD(t->output, t->outputs, t->output_cap) = value;
	}
	if (!t->outputs)
		trace_fail(t, NULL, "the model has no outputs");
}

int trace_model(struct onnx_trace *t, const struct onnx_model *m,
    const struct binding *param, size_t params, struct fault *f)
{
	const struct onnx_graph *g = &m->graph;
	double *rows = mem_zero(g->inputs + 1, sizeof(*rows));

	*t = (struct onnx_trace){ .model = m };
	if (g->nodes > NODES_LIMIT)
		trace_lack(t, NULL, "the model has more than %d nodes", NODES_LIMIT);
	if (g->sparse)
		trace_lack(t, NULL, "the model has sparse initializers");
	for (uint32_t i = 0; i < g->initializers && !t->failed; i++)
		trace_add_initializer(t, &g->initializer[i]);
	trace_find_indices(t, rows);
	for (uint32_t i = 0; i < g->inputs && !t->failed; i++)
		if (!g->input[i].has_initializer)
			trace_add_input(t, &g->input[i], rows[i], param, params);
	free(rows);
	for (uint32_t i = 0; i < g->nodes && !t->failed; i++)
		add_node(t, &g->node[i]);
	if (!t->failed)
		add_outputs(t);
	if (!t->failed)
		return 0;
	return fault_set(f, "%s", t->fault.text);
}

void trace_free(struct onnx_trace *t)
{
	for (size_t i = 0; i < t->values; i++)
		free(t->value[i].number);
	for (size_t i = 0; i < t->nodes; i++)
		free_node(&t->node[i]);
	free(t->value);
	free(t->node);
	free(t->input);
	free(t->output);
	free(t->named);
	intern_free(&t->names);
	*t = (struct onnx_trace){ 0 };
}
