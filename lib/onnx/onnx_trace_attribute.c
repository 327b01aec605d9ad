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

void trace_windows(
    struct onnx_trace *t, const struct trace_node *n, struct trace_window *out)
{
	const struct onnx_fact *x = n->call.in[0];
	const bool is_global =
	    trace_is(n, "GlobalAveragePool") || trace_is(n, "GlobalMaxPool");
	const bool has_weights = trace_is(n, "Conv") || trace_is(n, "ConvTranspose") ||
	                         trace_is(n, "ConvInteger");
	struct rule_call call = n->call;
	struct rule_window w;
	const uint32_t planes = x->dims - 2;

	*out = (struct trace_window){
		.kernel = { 1, 1 }, .stride = { 1, 1 }, .dilation = { 1, 1 }
	};
	if (x->dims != 3 && x->dims != 4) {
		trace_lack(t, n, "its input has %u dimensions instead of 3 or 4", x->dims);
		return;
	}
	if (!is_global && !rule_window_read(&call, &w, planes,
	                      has_weights ? call.in[1]->dim + 2 : NULL)) {
		trace_fail(t, n, "%s", call.fault->text);
		return;
	}
	/* One dimension is the width. */
	for (uint32_t from = 0; from < planes; from++) {
		const int64_t size = x->dim[2 + from];
		const int to = (int)(2 - planes + from);

		out->kernel[to] = is_global ? size : w.kernel[from];
		if (is_global)
			continue;
		out->stride[to] = w.stride ? w.stride[from] : 1;
		out->dilation[to] = w.dilation ? w.dilation[from] : 1;
		if (w.is_same)
			pad_same(out, to, size, w.is_lower);
		else if (w.pads) {
			out->before[to] = w.pads[from];
			out->after[to] = w.pads[planes + from];
		}
		if (out->before[to] < 0 || out->after[to] < 0)
			trace_lack(t, n, "a padding is negative");
	}
}
