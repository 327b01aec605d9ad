/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the rules of nodes and applies them; see onnx_import_priv.h.
 */
#include <stdlib.h>

#include "graph/dtype.h"
#include "graph/graph_check.h"
#include "graph/graph_count.h"
#include "translate/onnx_import_priv.h"

/* Marks a value, which must be computed, as needed. */
static void need(struct import *im, bool *needed, uint32_t value)
{
	if (value != TRACE_NONE && im->t.value[value].node != TRACE_NONE)
		needed[value] = true;
}

/* Fails if a computed integer of 8 bits may wrap around: it would not do so here. */
static void check_wrapping(struct import *im, const struct trace_node *n)
{
	static const char *const wraps[] = { "Abs", "Add", "CumSum", "Mul", "Neg",
		"ReduceSum", "Sub", "Sum" };
	const int64_t type = n->call.outs && n->call.out[0] ? n->call.out[0]->type : 0;

	for (size_t i = 0; i < COUNT(wraps); i++)
		if ((type == ONNX_UINT8 || type == ONNX_INT8) && trace_is(n, wraps[i]))
			trace_lack(&im->t, n, "its result of the type %s may wrap around",
			    onnx_type_name(type));
}

/* Fails if a rule for floating-point numbers would get whole ones, or none. */
static void check_type(
    struct import *im, const struct trace_node *n, const struct import_rule *rule)
{
	for (uint32_t i = 0; i < n->call.ins && rule->whole == IMPORT_NO_WHOLE; i++) {
		const struct trace_value *v =
		    n->in[i] == TRACE_NONE ? NULL : &im->t.value[n->in[i]];

		if (!v || v->is_constant)
			continue;
		if (!onnx_type_is_float(v->fact->type))
			trace_lack(&im->t, n, "its input '%.*s' has the type %s",
			    (int)v->fact->name.len, v->fact->name.ptr,
			    onnx_type_name(v->fact->type));
		else if (trace_elements(&im->t, n->in[i]) == 0)
			trace_lack(&im->t, n, "its input '%.*s' has no elements",
			    (int)v->fact->name.len, v->fact->name.ptr);
	}
}

/* Fails because no rule computes a node. */
static void lack_rule(struct import *im, const struct trace_node *n)
{
	bool is_constant = n->call.ins > 0, is_large = false;

	for (uint32_t i = 0; i < n->call.ins + n->call.outs; i++) {
		const bool is_in = i < n->call.ins;
		const uint32_t value = is_in ? n->in[i] : n->out[i - n->call.ins];

		if (value == TRACE_NONE)
			continue;
		is_constant &= !is_in || im->t.value[value].is_constant;
		is_large |= trace_elements(&im->t, value) > TRACE_FOLD_MAX;
	}
	if (is_constant && is_large)
		trace_lack(&im->t, n, "its constants have more than 2^24 elements");
	else
		trace_lack_operator(&im->t, n->call.node);
}

/* Fails if a result other than the first is needed that the rule does not make. */
static void check_results(struct import *im, const struct trace_node *n,
    const struct import_rule *rule, const bool *needed)
{
	for (uint32_t k = 1; k < n->call.outs && !rule->makes_all; k++)
		if (n->out[k] != TRACE_NONE && needed[n->out[k]])
			trace_lack(&im->t, n, "its result %u is not available", k + 1);
}

/* Chooses a rule for each node that is needed. */
static void choose(struct import *im)
{
	bool *needed = mem_zero(im->t.values + 1, sizeof(*needed));
	const struct trace_node *missing = NULL; /* the first in the file */

	for (size_t i = 0; i < im->t.outputs; i++)
		need(im, needed, im->t.output[i]);
	for (size_t i = im->t.nodes; i-- > 0 && !im->t.failed;) {
		const struct trace_node *n = &im->t.node[i];
		struct import_plan *plan = &im->plan[i];
		bool wanted = false;

		for (uint32_t k = 0; k < n->call.outs; k++)
			wanted |= n->out[k] != TRACE_NONE && needed[n->out[k]];
		if (!wanted)
			continue;
		for (size_t k = 0; k < IMPORT_INS; k++)
			plan->match.in[k] = TRACE_NONE;
		plan->rule = import_find_pattern(im, n, &plan->match);
		if (plan->rule) {
			check_results(im, n, plan->rule, needed);
			for (size_t k = 0; k < IMPORT_INS; k++)
				need(im, needed, plan->match.in[k]);
			continue;
		}
		plan->rule = import_find_rule(n);
		if (plan->rule && !missing) {
			check_type(im, n, plan->rule);
			check_wrapping(im, n);
			check_results(im, n, plan->rule, needed);
		} else if (!plan->rule)
			missing = n;
		for (uint32_t k = 0; k < n->call.ins; k++)
			need(im, needed, n->in[k]);
	}
	if (missing)
		lack_rule(im, missing);
	free(needed);
}

/* Keeps the names of inputs and outputs, by which callers find them, from other values: a
 * node without a name has that of its output. */
static void reserve_names(struct import *im)
{
	for (size_t i = 0; i < im->t.inputs; i++)
		intern_add(&im->names, im->t.value[im->t.input[i]].fact->name);
	for (size_t i = 0; i < im->t.outputs; i++)
		intern_add(&im->names, im->t.model->graph.output[i].name);
}

/* Gives a value the name of an input or output, unless a value already has it. */
static void name_port(struct import *im, struct graph_value *v, struct text name)
{
	free(v->name);
	v->name = mem_text(name.ptr, name.len);
	if (graph_find(im->g, v->name) == (uint32_t)(v - im->g->value))
		return;
	free(v->name);
	v->name = import_name(im, name);
}

/* Adds the inputs of the model to the graph. */
static void add_inputs(struct import *im)
{
	for (size_t i = 0; i < im->t.inputs && !im->t.failed; i++) {
		const struct trace_value *v = &im->t.value[im->t.input[i]];
		struct graph_value *made;
		uint32_t value = import_new(im, import_shortened(v->shape));

		made = &im->g->value[value];
		name_port(im, made, v->fact->name);
		made->role = BACKEND_INPUT;
		made->fill = FILL_NORMAL;
		made->spread = 1;
		if (v->rows > 0) {
			made->dtype = BACKEND_INT32;
			made->fill = FILL_BELOW;
			made->spread = v->rows;
		} else if (!onnx_type_is_float(v->fact->type)) {
			/* Pixels, or quantized numbers. */
			const bool is_signed = v->fact->type == ONNX_INT8;

			made->dtype = is_signed ? BACKEND_INT8 : BACKEND_UINT8;
			made->fill = FILL_BELOW;
			made->spread = is_signed ? INT8_MAX + 1 : UINT8_MAX + 1;
		}
		im->view[im->t.input[i]] = import_whole(im, value, v->shape);
	}
}

/* Adds the operations of all nodes that are needed. */
static void add_nodes(struct import *im)
{
	for (size_t i = 0; i < im->t.nodes && !im->t.failed; i++) {
		im->now = &im->t.node[i];
		if (!im->plan[i].rule)
			continue;
		im->word = im->plan[i].rule->op;
		im->converts = im->plan[i].rule->whole == IMPORT_CONVERTS;
		im->plan[i].rule->add(im, im->now, &im->plan[i].match);
	}
	im->now = NULL;
	im->converts = false;
	im->word = "Identity";
}

/* Makes the outputs of the model outputs of the graph: each is a contiguous value. One that
 * is a constant is copied. */
static void add_outputs(struct import *im)
{
	bool computes = false;

	for (size_t i = 0; i < im->t.outputs && !im->t.failed; i++) {
		const struct text name = im->t.model->graph.output[i].name;
		struct import_view view = import_see(im, im->t.output[i]);
		uint32_t value = view.base;

		if (im->t.failed)
			return;
		computes |= !view.is_constant;
		if (view.is_constant || !import_contiguous(&view) ||
		    graph_elements(&im->g->value[value]) != import_count(&view.shape) ||
		    im->g->value[value].role != BACKEND_ACTIVATION) {
			value = import_new(im, IMPORT_SHAPE(import_count(&view.shape)));
			import_move(im, view, import_whole(im, value, view.shape));
		}
		name_port(im, &im->g->value[value], name);
		im->g->value[value].role = BACKEND_OUTPUT;
	}
	if (!computes)
		trace_lack(&im->t, NULL,
		    "none of its outputs depends on an input of floating-point numbers or "
		    "tokens");
}

/* Describes the first input of the model. */
static void describe(const struct import *im, struct graph *g)
{
	struct buf text = { 0 };

	g->samples = 1;
	for (size_t i = 0; i < im->t.inputs; i++) {
		const struct trace_value *v = &im->t.value[im->t.input[i]];

		for (uint32_t d = 0; d < v->shape.dims && i == 0; d++)
			buf_printf(
			    &text, "%s%lld", d ? "x" : "", (long long)v->shape.size[d]);
		if (i == 0 && v->shape.dims)
			g->samples = (double)v->shape.size[0];
		if (v->rows > 0 && g->tokens <= 0)
			g->tokens = (double)import_count(&v->shape);
	}
	buf_byte(&text, '\0');
	g->input_shape = text.ptr;
}

/* Checks and counts the operations. */
static void count(struct import *im)
{
	struct graph *g = im->g;
	struct fault f;

	for (size_t i = 0; i < g->values; i++) {
		g->value[i].role = g->value[g->value[i].of].role;
		if (g->value[i].counts)
			g->params += (double)graph_elements(&g->value[i]);
	}
	for (size_t i = 0; i < g->nodes && !im->t.failed; i++) {
		if (graph_check_node(g, &g->node[i], &f) < 0)
			trace_lack(&im->t, NULL, "%s (%s): %s", g->node[i].name,
			    g->node[i].word, f.text);
		else
			graph_count_node(g, &g->node[i], 0);
		g->macs += g->node[i].macs;
		g->flops += g->node[i].flops;
		g->bytes += g->node[i].bytes;
	}
	if (!g->nodes)
		trace_lack(&im->t, NULL, "the model has no operation");
}

int onnx_import(const struct onnx_model *m, const struct binding *param, size_t params,
    enum backend_dtype dtype, struct graph *out, struct fault *f)
{
	struct import im = { .g = out, .dtype = dtype };
	bool unsupported;
	int status;

	*out = (struct graph){ 0 };
	if (!dtype_is_float(dtype)) {
		fault_set(f, "ONNX files run in floating-point types, not in %s",
		    dtype_name(dtype));
		return ONNX_UNSUPPORTED;
	}
	status = trace_model(&im.t, m, param, params, f);
	im.view = mem_zero(im.t.values + 1, sizeof(*im.view));
	im.plan = mem_zero(im.t.nodes + 1, sizeof(*im.plan));
	if (status == 0) {
		reserve_names(&im);
		choose(&im);
		add_inputs(&im);
		add_nodes(&im);
		add_outputs(&im);
		describe(&im, out);
		if (!im.t.failed)
			count(&im);
		if (im.t.failed)
			status = fault_set(f, "%s", im.t.fault.text);
	}
	unsupported = im.t.unsupported;
	if (status < 0)
		graph_free(out);
	trace_free(&im.t);
	intern_free(&im.names);
	intern_free(&im.node_names);
	free(im.view);
	free(im.plan);
	free(im.weight);
	return status == 0 ? 0 : unsupported ? ONNX_UNSUPPORTED : -1;
}
