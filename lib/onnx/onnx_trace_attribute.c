/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the values and attributes of nodes; see onnx_trace.h.
 */
#include <math.h>

#include "onnx/onnx_rules_priv.h"
#include "onnx/onnx_trace.h"

int64_t trace_elements(const struct onnx_trace *t, uint32_t value)
{
	const struct trace_shape *s = &t->value[value].shape;
	int64_t count = 1;

	for (uint32_t i = 0; i < s->dims; i++)
		count *= s->size[i];
	return count;
}

const struct onnx_fact *trace_constant(struct onnx_trace *t, uint32_t value)
{
	const struct onnx_fact *v = value == TRACE_NONE ? NULL : t->value[value].fact;

	return v && onnx_fact_known(&t->shapes, v) ? v : NULL;
}

double trace_scalar(struct onnx_trace *t, uint32_t value)
{
	const bool is_one = value != TRACE_NONE && trace_elements(t, value) == 1;
	const struct onnx_fact *v = is_one ? trace_constant(t, value) : NULL;

	return v ? onnx_fact_number(v, 0) : (double)NAN;
}

uint32_t trace_in(const struct trace_node *n, uint32_t i)
{
	return i < n->call.ins ? n->in[i] : (uint32_t)TRACE_NONE;
}

uint32_t trace_out(const struct trace_node *n, uint32_t i)
{
	return i < n->call.outs ? n->out[i] : (uint32_t)TRACE_NONE;
}

bool trace_is(const struct trace_node *n, const char *op)
{
	return !n->call.node->domain.len && text_is(n->call.node->op, op);
}

const struct trace_node *trace_made_by(
    const struct onnx_trace *t, uint32_t value, const char *op)
{
	const struct trace_node *n;

	if (value == TRACE_NONE || t->value[value].node == TRACE_NONE)
		return NULL;
	n = &t->node[t->value[value].node];
	return trace_is(n, op) ? n : NULL;
}

double trace_float(const struct trace_node *n, const char *name, double otherwise)
{
	const struct onnx_attribute *a = onnx_attribute(n->call.node, name);

	return a && a->type == ONNX_ATTRIBUTE_FLOAT ? (double)a->f : otherwise;
}

/* Stores the paddings that SAME_UPPER or SAME_LOWER ask for in a dimension of this size. */
static void pad_same(struct trace_window *w, int i, int64_t size, bool is_lower)
{
	int64_t out = (size + w->stride[i] - 1) / w->stride[i];
	int64_t all =
	    (out - 1) * w->stride[i] + (w->kernel[i] - 1) * w->dilation[i] + 1 - size;

	all = all > 0 ? all : 0;
	w->before[i] = is_lower ? all - all / 2 : all / 2;
	w->after[i] = all - w->before[i];
}

/* The windows of a node, as its attributes have them. */
struct node_windows {
	struct rule_window read;
	bool is_global;
	uint32_t planes;
};

/* Reads the windows. Returns false and fails if they are wrong. */
static bool windows_read(
    struct onnx_trace *t, const struct trace_node *n, struct node_windows *w)
{
	const struct onnx_fact *x = n->call.in[0];
	const bool is_global =
	    trace_is(n, "GlobalAveragePool") || trace_is(n, "GlobalMaxPool");
	const bool has_weights = trace_is(n, "Conv") || trace_is(n, "FusedConv") ||
	                         trace_is(n, "ConvTranspose") || trace_is(n, "ConvInteger");
	struct rule_call call = n->call;

	*w = (struct node_windows){ .is_global = is_global, .planes = x->dims - 2 };
	if (is_global || rule_window_read(&call, &w->read, w->planes,
	                     has_weights ? call.in[1]->dim + 2 : NULL))
		return true;
	trace_fail(t, n, "%s", call.fault->text);
	return false;
}

/* Stores the window of a plane. */
static void put_window(struct onnx_trace *t, const struct trace_node *n,
    const struct node_windows *w, uint32_t from, struct trace_window *out, int to)
{
	const int64_t size = n->call.in[0]->dim[2 + from];
	const struct rule_window *r = &w->read;

	out->kernel[to] = w->is_global ? size : r->kernel[from];
	if (w->is_global)
		return;
	out->stride[to] = r->stride ? r->stride[from] : 1;
	out->dilation[to] = r->dilation ? r->dilation[from] : 1;
	if (r->is_same)
		pad_same(out, to, size, r->is_lower);
	else if (r->pads) {
		out->before[to] = r->pads[from];
		out->after[to] = r->pads[w->planes + from];
	}
	if (out->before[to] < 0 || out->after[to] < 0)
		trace_lack(t, n, "a padding is negative");
}

static const struct trace_window no_window = {
	.kernel = { 1, 1 }, .stride = { 1, 1 }, .dilation = { 1, 1 }
};

void trace_windows(
    struct onnx_trace *t, const struct trace_node *n, struct trace_window *out)
{
	const uint32_t dims = n->call.in[0]->dims;
	struct node_windows w;

	*out = no_window;
	if (dims != 3 && dims != 4)
		trace_lack(t, n, "its input has %u dimensions instead of 3 or 4", dims);
	else if (windows_read(t, n, &w)) /* one dimension is the width */
		for (uint32_t from = 0; from < w.planes; from++)
			put_window(t, n, &w, from, out, (int)(2 - w.planes + from));
}

void trace_deep_windows(struct onnx_trace *t, const struct trace_node *n,
    struct trace_window *depth, struct trace_window *plane)
{
	struct node_windows w;

	*depth = *plane = no_window;
	if (n->call.in[0]->dims != 5)
		trace_fail(t, n, "its input does not have 5 dimensions");
	else if (windows_read(t, n, &w)) {
		put_window(t, n, &w, 0, depth, 1);
		put_window(t, n, &w, 1, plane, 0);
		put_window(t, n, &w, 2, plane, 1);
	}
}
