/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the values and nodes of a model from what is known about them; see
 * onnx_trace.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/intern.h"
#include "onnx/onnx_fold_priv.h"
#include "onnx/onnx_trace.h"
#include "onnx/onnx_unroll.h"

enum { NODES_LIMIT = 100000 };

static void complain(
    struct onnx_trace *t, const struct onnx_node *n, bool unsupported, const char *text)
{
	char *label;

	if (t->failed)
		return;
	t->failed = true;
	t->unsupported = unsupported;
	label = n ? onnx_node_label(n) : NULL;
	fault_set(&t->fault, "%s%s%s", label ? label : "", label ? ": " : "", text);
	free(label);
}

void trace_fail(struct onnx_trace *t, const struct trace_node *n, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	complain(t, n ? n->call.node : NULL, false, text);
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
	complain(t, n ? n->call.node : NULL, true, all.ptr);
	buf_free(&all);
}

void trace_lack_operator(struct onnx_trace *t, const struct onnx_node *n)
{
	/* A node without a name is found by its first output. */
	const struct text place = n->name.len || !n->outputs ? n->name : n->output[0];
	char *text = str_format(
	    "operator '%.*s%s%.*s' (node %s'%.*s') is not supported by benchutils' own "
	    "backends; use -b onnxruntime",
	    (int)n->domain.len, n->domain.ptr, n->domain.len ? "." : "", (int)n->op.len,
	    n->op.ptr, n->name.len ? "" : "of ", (int)place.len, place.ptr);

	complain(t, NULL, true, text);
	free(text);
}

/* The names of a graph, by which values come from others. */
struct sources {
	struct intern tables, names;
	int64_t *rows; /* by table: its first dimension, or 0 if it is not one of numbers */
	uint32_t *input; /* by name: the number of the input that it comes from, plus 1 */
};

/* Records that the result of a node has elements of its first input. */
static void pass_on(struct sources *s, const struct onnx_node *n)
{
	const long from = intern_find(&s->names, n->input[0]);

	if (from >= 0)
		s->input[intern_add(&s->names, n->output[0])] = s->input[from];
}

/* Records that the result of a node is a table with the rows of its first input. */
static void pass_table(struct sources *s, const struct onnx_node *n)
{
	const long from = intern_find(&s->tables, n->input[0]);

	if (from >= 0)
		s->rows[intern_add(&s->tables, n->output[0])] = llabs(s->rows[from]);
}

/* Records the table of numbers from which a node selects rows. */
static void note_table(const struct sources *s, const struct onnx_node *n, uint32_t table,
    uint32_t index, double *rows)
{
	const long from = index < n->inputs ? intern_find(&s->names, n->input[index]) : -1,
	           number =
	               table < n->inputs ? intern_find(&s->tables, n->input[table]) : -1;
	const bool quantized = text_is(n->op, "GatherBlockQuantized");
	const int64_t count = number < 0  ? 0
	                      : quantized ? llabs(s->rows[number])
	                                  : s->rows[number];

	if (from < 0 || !s->input[from] || count <= 0)
		return;
	double *smallest = &rows[s->input[from] - 1];
	*smallest = *smallest > 0 ? fmin(*smallest, (double)count) : (double)count;
}

/* Adds the tables: the initializers, of which those that are quantized have a negative
 * number of rows. */
static void add_tables(struct sources *s, const struct onnx_graph *g)
{
	s->rows = mem_zero((size_t)g->initializers + g->nodes + 1, sizeof(*s->rows));
	for (uint32_t i = 0; i < g->initializers; i++) {
		const struct onnx_tensor *t = &g->initializer[i];
		const int64_t rows = t->dims ? t->dim[0] : 0;

		s->rows[intern_add(&s->tables, t->name)] =
		    onnx_type_is_float(t->type) ? rows : -rows;
	}
}

/* Finds which inputs index a table: those that reach the indices of a Gather from a table
 * of floating-point numbers through operators that keep elements. Stores the number of rows
 * of the smallest such table by input, or 0. */
static void find_indices(const struct onnx_graph *g, double *rows)
{
	static const char *const keeps[] = { "Identity", "Cast", "Reshape", "Flatten",
		"Squeeze", "Unsqueeze", "Transpose", "Slice", "Expand" };
	static const struct {
		const char *op;
		uint32_t table, index; /* operands */
	} selects[] = { { "Gather", 0, 1 }, { "GatherBlockQuantized", 0, 1 },
		{ "EmbedLayerNormalization", 2, 0 }, { "EmbedLayerNormalization", 3, 8 },
		{ "EmbedLayerNormalization", 4, 1 } };
	struct sources s = { .input = mem_zero(
		                 (size_t)g->inputs + g->nodes + 1, sizeof(*s.input)) };

	add_tables(&s, g);
	for (uint32_t i = 0; i < g->inputs; i++)
		s.input[intern_add(&s.names, g->input[i].name)] = i + 1;
	for (uint32_t i = 0; i < g->nodes; i++) {
		const struct onnx_node *n = &g->node[i];

		if (n->inputs < 1 || n->outputs < 1)
			continue;
		for (size_t k = 0; k < COUNT(keeps); k++)
			if (text_is(n->op, keeps[k]))
				pass_on(&s, n);
		if (text_is(n->op, "DequantizeLinear"))
			pass_table(&s, n);
		for (size_t k = 0; k < COUNT(selects); k++)
			if (text_is(n->op, selects[k].op))
				note_table(&s, n, selects[k].table, selects[k].index, rows);
	}
	intern_free(&s.tables);
	intern_free(&s.names);
	free(s.rows);
	free(s.input);
}

/* Checks that an input is a tensor whose sizes are known. */
static void check_input(struct onnx_trace *t, const struct onnx_value *input,
    const struct onnx_symbols *symbols)
{
	const int len = (int)input->name.len;
	const char *name = input->name.ptr;

	if (!input->is_tensor || !input->has_shape || input->dims > TRACE_DIMS ||
	    (!fold_is_real(input->type) && !fold_is_integer(input->type))) {
		trace_lack(t, NULL,
		    "the input '%.*s' is not a tensor of numbers with a known number of "
		    "dimensions, at most %d",
		    len, name, TRACE_DIMS);
		return;
	}
	for (uint32_t i = 0; i < input->dims; i++) {
		const int64_t size = onnx_symbols_size(symbols, input, i);
		const struct text open = input->dim[i].name;

		if (size < 0 && open.len)
			trace_fail(t, NULL,
			    "input '%.*s' has the open dimension '%.*s'; set it, as in -P "
			    "%.*s=1",
			    len, name, (int)open.len, open.ptr, (int)open.len, open.ptr);
		else if (size < 0)
			trace_fail(t, NULL,
			    "dimension %u of input '%.*s' is open; set it, as in -P "
			    "%.*s.%u=1",
			    i, len, name, len, name, i);
		else if (size < 1 || size > INT32_MAX)
			trace_lack(t, NULL, "the input '%.*s' has a dimension of %lld", len,
			    name, (long long)size);
	}
}

/* Returns whether a type is that of pictures or quantized numbers, and not of masks. */
static bool is_small_integer(int64_t type)
{
	return type == ONNX_UINT8 || type == ONNX_INT8 || type == ONNX_UINT16 ||
	       type == ONNX_INT16;
}

/* Infers the shapes of all values. rows: see find_indices(). */
static void infer(
    struct onnx_trace *t, const struct binding *param, size_t params, const double *rows)
{
	const struct onnx_graph *g = &t->model->graph;
	struct onnx_symbols symbols;
	bool *ones = mem_zero(g->inputs, sizeof(*ones));

	onnx_symbols_find(t->model, &symbols);
	for (size_t i = 0; i < params && !t->failed; i++)
		if (onnx_symbols_set(&symbols, param[i].name, param[i].value, &t->fault) <
		    0)
			t->failed = true;
	for (uint32_t i = 0; i < g->inputs && !t->failed; i++) {
		if (!g->input[i].has_initializer)
			check_input(t, &g->input[i], &symbols);
		ones[i] = !onnx_type_is_float(g->input[i].type) && rows[i] <= 0 &&
		          !is_small_integer(g->input[i].type);
		const struct onnx_symbol *number =
		    onnx_symbols_number(&symbols, &g->input[i]);
		if (number && number->is_set && rows[i] > 0 && g->input[i].dims)
			trace_fail(t, NULL,
			    "%s cannot be set: the input selects rows of a table",
			    number->name);
	}
	if (!t->failed && onnx_shapes_make(t->model, &symbols, TRACE_FOLD_MAX, ones,
	                      &t->shapes, &t->fault) < 0)
		t->failed = true;
	onnx_symbols_free(&symbols);
	free(ones);
}

/* Returns the number of the value of a name; TRACE_NONE if the name is empty. */
static uint32_t value_of(const struct onnx_trace *t, struct text name)
{
	const struct onnx_fact *v = name.len ? onnx_shapes_of(&t->shapes, name) : NULL;

	return v ? (uint32_t)(v - t->shapes.fact) : (uint32_t)TRACE_NONE;
}

/* Makes the values. Those with too many dimensions have none; see check_node(). */
static void add_values(struct onnx_trace *t)
{
	t->values = t->shapes.facts;
	t->value = mem_zero(t->values, sizeof(*t->value));
	for (uint32_t i = 0; i < t->values; i++) {
		const struct onnx_fact *fact = &t->shapes.fact[i];
		struct trace_value *v = &t->value[i];

		*v = (struct trace_value){ .fact = fact, .same = i, .node = TRACE_NONE };
		v->is_constant = fact->integer || fact->real || fact->tensor;
		v->shape.dims = fact->dims <= TRACE_DIMS ? fact->dims : 0;
		for (uint32_t d = 0; d < v->shape.dims; d++)
			v->shape.size[d] = fact->dim[d];
	}
}

/* Finds the inputs that are not constants. */
static void add_inputs(struct onnx_trace *t, const double *rows)
{
	const struct onnx_graph *g = &t->model->graph;

	t->input = mem_zero(g->inputs, sizeof(*t->input));
	for (uint32_t i = 0; i < g->inputs && !t->failed; i++) {
		const uint32_t value = value_of(t, g->input[i].name);

		if (g->input[i].has_initializer || t->value[value].is_constant)
			continue;
		if (is_small_integer(g->input[i].type) &&
		    onnx_type_bits(g->input[i].type) > 8)
			trace_lack(t, NULL, "the input '%.*s' has the type %s",
			    (int)g->input[i].name.len, g->input[i].name.ptr,
			    onnx_type_name(g->input[i].type));
		else if (!onnx_type_is_float(g->input[i].type) && rows[i] <= 0 &&
		         !is_small_integer(g->input[i].type))
			trace_lack(t, NULL, "the mask '%.*s' has more than 2^24 elements",
			    (int)g->input[i].name.len, g->input[i].name.ptr);
		t->value[value].rows = rows[i];
		t->input[t->inputs++] = value;
	}
}

/* Fails if a node rounds computed numbers to a type of less than 8 bits, or to a
 * floating-point type of 8 bits. */
static void check_cast(struct onnx_trace *t, const struct trace_node *n)
{
	const struct onnx_fact *to = n->call.outs ? n->call.out[0] : NULL;
	const uint32_t bits = to ? onnx_type_bits(to->type) : 0;

	if (trace_is(n, "Cast") && bits > 0 && to->type != ONNX_BOOL &&
	    !t->value[n->out[0]].is_constant &&
	    (bits < 8 || (bits == 8 && onnx_type_is_float(to->type))))
		trace_lack(
		    t, n, "it converts computed numbers to %s", onnx_type_name(to->type));
}

/* Fails if the shapes of a node are not known. */
static void check_node(struct onnx_trace *t, const struct trace_node *n)
{
	const struct onnx_rule *rule = onnx_rule_of(n->call.node);
	const struct rule_call *c = &n->call;

	if (onnx_unroll_is_loop(c->node))
		trace_lack(t, n,
		    "its body contains graphs, its steps add more than %d values or %d "
		    "operands, or their number depends on computed values",
		    UNROLLED_MAX, UNROLLED_READS_MAX);
	else if (!rule || rule->infer == rule_data)
		trace_lack_operator(t, c->node);
	else if (t->shapes.wrong_node == c->node)
		trace_fail(t, n, "%s", t->shapes.wrong.text);
	else if (c->outs && c->out[0] && !c->out[0]->has_shape)
		trace_lack(t, n, "the shape of its result depends on computed values");
	for (uint32_t i = 0; i < c->ins + c->outs; i++) {
		const struct onnx_fact *v = i < c->ins ? c->in[i] : c->out[i - c->ins];

		if (v && v->dims > TRACE_DIMS)
			trace_lack(t, n, "'%.*s' has more than %d dimensions",
			    (int)v->name.len, v->name.ptr, TRACE_DIMS);
	}
}

/* Returns whether a Dropout drops elements. */
static bool in_training(struct onnx_trace *t, const struct trace_node *n)
{
	const uint32_t mode = trace_in(n, 2);

	return mode != TRACE_NONE && trace_scalar(t, mode) != 0;
}

/* Returns whether a node only passes on its first input in this program, which computes all
 * floating-point types in one. */
static bool passes_on(struct onnx_trace *t, const struct trace_node *n)
{
	if (trace_in(n, 0) == TRACE_NONE || trace_out(n, 0) == TRACE_NONE)
		return false;
	if (trace_is(n, "Cast")) {
		const int64_t from = n->call.in[0]->type, to = n->call.out[0]->type;

		if (from == ONNX_BOOL && !t->value[n->in[0]].is_constant)
			return true; /* truth values are 0 and 1 */
		return fold_is_real(from)
		           ? fold_is_real(to)
		           : !fold_is_real(to) && !t->value[n->in[0]].is_constant;
	}
	return trace_is(n, "Identity") || trace_is(n, "ZipMap") ||
	       (trace_is(n, "Dropout") && !in_training(t, n));
}

/* Returns the fact of a value, or NULL. */
static struct onnx_fact *fact_of(struct onnx_trace *t, uint32_t value)
{
	return value == TRACE_NONE ? NULL : &t->shapes.fact[value];
}

/* Adds a node, unless its results are constants. */
static void add_node(struct onnx_trace *t, const struct onnx_node *from)
{
	const uint32_t ins = from->inputs, outs = from->outputs;
	struct arena *arena = &t->shapes.arena;
	struct trace_node n = { .in = arena_zero(arena, ins, sizeof(*n.in)),
		.out = arena_zero(arena, outs, sizeof(*n.out)) };
	const struct onnx_fact **in = arena_zero(arena, ins, sizeof(*in));
	struct onnx_fact **out = arena_zero(arena, outs, sizeof(*out));
	bool is_needed = false;

	n.call = (struct rule_call){ .node = from,
		.in = in,
		.out = out,
		.ins = ins,
		.outs = outs,
		.shapes = &t->shapes,
		.fault = &t->ignored };
	for (uint32_t i = 0; i < ins; i++) {
		const uint32_t value = value_of(t, from->input[i]);

		in[i] = fact_of(t, value);
		n.in[i] = value == TRACE_NONE ? value : t->value[value].same;
	}
	for (uint32_t i = 0; i < outs; i++) {
		n.out[i] = value_of(t, from->output[i]);
		out[i] = fact_of(t, n.out[i]);
		if (n.out[i] == TRACE_NONE || t->value[n.out[i]].is_constant)
			continue;
		t->value[n.out[i]].node = (uint32_t)t->nodes;
		is_needed = true;
	}
	check_node(t, &n);
	check_cast(t, &n);
	if (!t->failed && passes_on(t, &n))
		t->value[n.out[0]].same = n.in[0];
	if (is_needed)
		t->node[t->nodes++] = n;
}

/* Finds the values of the outputs. */
static void add_outputs(struct onnx_trace *t)
{
	const struct onnx_graph *g = &t->model->graph;

	t->output = mem_zero(g->outputs, sizeof(*t->output));
	for (uint32_t i = 0; i < g->outputs && !t->failed; i++) {
		const uint32_t value = value_of(t, g->output[i].name);

		if (value == TRACE_NONE)
			trace_fail(t, NULL, "no node computes the output '%.*s'",
			    (int)g->output[i].name.len, g->output[i].name.ptr);
		else
			t->output[t->outputs++] = t->value[value].same;
	}
	if (!t->outputs)
		trace_fail(t, NULL, "the model has no outputs");
}

int trace_model(struct onnx_trace *t, const struct onnx_model *m,
    const struct binding *param, size_t params, struct fault *f)
{
	const struct onnx_graph *g = &m->graph;
	double *rows = mem_zero(g->inputs, sizeof(*rows));

	*t = (struct onnx_trace){ .model = m };
	if (g->sparse)
		trace_lack(t, NULL, "the model has sparse initializers");
	find_indices(g, rows);
	infer(t, param, params, rows);
	if (t->shapes.nodes > NODES_LIMIT)
		trace_lack(t, NULL, "the model has more than %d nodes", NODES_LIMIT);
	if (!t->failed) {
		add_values(t);
		add_inputs(t, rows);
		t->node = mem_zero(t->shapes.nodes, sizeof(*t->node));
	}
	for (size_t i = 0; i < t->shapes.nodes && !t->failed; i++)
		add_node(t, t->shapes.node[i]);
	if (!t->failed)
		add_outputs(t);
	free(rows);
	return t->failed ? fault_set(f, "%s", t->fault.text) : 0;
}

void trace_free(struct onnx_trace *t)
{
	onnx_shapes_free(&t->shapes);
	free(t->value);
	free(t->node);
	free(t->input);
	free(t->output);
	*t = (struct onnx_trace){ 0 };
}
