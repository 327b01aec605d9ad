/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes graphs as ONNX models; see onnx_export.h.
 */
#include <stdlib.h>

#include "graph/dtype.h"
#include "translate/onnx_export_priv.h"

/* How each operation is written. */
static emit_run *const runs[BACKEND_KINDS] = {
	[BACKEND_COPY] = emit_copy,
	[BACKEND_SCALE] = emit_stream_scale,
	[BACKEND_TRIAD] = emit_triad,
	[BACKEND_AXPY] = emit_axpy,
	[BACKEND_DOT] = emit_dot,
	[BACKEND_FMA] = emit_fma,
	[BACKEND_GEMV] = emit_gemv,
	[BACKEND_GEMM] = emit_gemm,
	[BACKEND_CONV] = emit_conv,
	[BACKEND_ATTENTION] = emit_attention,
	[BACKEND_LAYERNORM] = emit_layernorm,
	[BACKEND_RMSNORM] = emit_rmsnorm,
	[BACKEND_GROUPNORM] = emit_groupnorm,
	[BACKEND_BATCHNORM] = emit_batchnorm,
	[BACKEND_SOFTMAX] = emit_softmax,
	[BACKEND_UNARY] = emit_unary_op,
	[BACKEND_BINARY] = emit_binary_op,
	[BACKEND_ROUND] = emit_round,
	[BACKEND_CELL] = emit_cell,
	[BACKEND_GLU] = emit_glu,
	[BACKEND_GATHER] = emit_lookup,
	[BACKEND_POOL] = emit_pool,
	[BACKEND_RESIZE] = emit_resize,
	[BACKEND_MOVE] = emit_move,
	[BACKEND_ROPE] = emit_rope,
	[BACKEND_RELATIVE] = emit_relative,
	[BACKEND_SINUSOID] = emit_sinusoid,
	[BACKEND_SCAN] = emit_scan,
	[BACKEND_CAUSAL_CONV] = emit_causal_conv,
	[BACKEND_ROUTE] = emit_route,
	[BACKEND_EXPERTS] = emit_experts,
	[BACKEND_COMBINE] = emit_combine,
	[BACKEND_TOPK] = emit_topk,
	[BACKEND_QGEMM] = emit_qgemm,
	[BACKEND_QCONV] = emit_qconv,
	[BACKEND_QEXPERTS] = emit_qexperts,
};

/* Reserves the names that the model must have, and begins without contents. */
static void begin(struct emit *e)
{
	const struct graph *g = e->g;

	e->body = &e->main;
	e->past = EMIT_NONE;
	e->opset = EMIT_OPSET;
	e->value = mem_zero(g->values + 1, sizeof(*e->value));
	for (size_t i = 0; i < g->values; i++) {
		e->value[i].initial = e->value[i].whole = EMIT_NONE;
		intern_add(&e->names, text_of(g->value[i].name));
		if (emit_type_of(g->value[i].dtype) == ONNX_UNDEFINED)
			emit_fail(e, "%s is no element type of ONNX",
			    dtype_name(g->value[i].dtype));
		if (g->value[i].dtype == BACKEND_BFLOAT16)
			e->opset = EMIT_OPSET_BFLOAT16;
	}
}

/* Adds an output of this name. A tensor that no node computes for this name alone is copied
 * to it. */
static void add_output(struct emit *e, const char *name, uint32_t t)
{
	struct emit_tensor *made = &e->tensor[t];

	if (made->named || made->data.ptr) {
		t = emit_unary(e, "Identity", t);
		made = &e->tensor[t];
	}
	free(made->name);
	made->name = str_copy(name);
	made->named = true;
	*VEC_ADD(e->output, e->outputs, e->output_cap) = t;
}

/* Adds the inputs and outputs of the model in the order of the values. */
static void end(struct emit *e)
{
	const struct graph *g = e->g;

	e->node = NULL;
	for (uint32_t i = 0; i < g->values && !e->failed; i++) {
		const struct graph_value *v = &g->value[i];

		if (v->of != i || !e->value[i].written)
			continue;
		if (v->role == BACKEND_OUTPUT)
			add_output(e, v->name, emit_whole(e, i));
		if (v->role == BACKEND_STATE) {
			char *name = str_format("%s%s", v->name, ONNX_EXPORT_AFTER);

			if (intern_find(&e->names, text_of(name)) >= 0)
				emit_fail(e, "the name '%s' is needed for a state", name);
			add_output(e, name, emit_whole(e, i));
			free(name);
		}
	}
	for (uint32_t i = 0; i < g->values; i++)
		if (e->value[i].initial != EMIT_NONE && g->value[i].role != BACKEND_WEIGHT)
			*VEC_ADD(e->input, e->inputs, e->input_cap) = e->value[i].initial;
	if (e->past != EMIT_NONE) {
		*VEC_ADD(e->input, e->inputs, e->input_cap) = e->past;
		if (intern_find(&e->names, TEXT(ONNX_EXPORT_PAST)) >= 0)
			emit_fail(e,
			    "the name '%s' is needed for the number of earlier tokens",
			    ONNX_EXPORT_PAST);
	}
	if (!e->outputs)
		emit_fail(e, "there is no output");
}

static void release(struct emit *e)
{
	for (size_t i = 0; i < e->tensors; i++) {
		free(e->tensor[i].name);
		free((char *)e->tensor[i].data.ptr);
	}
	for (size_t i = 0; i < e->g->values; i++)
		free(e->value[i].piece);
	emit_body_free(&e->main);
	free(e->tensor);
	free(e->value);
	free(e->initializer);
	free(e->input);
	free(e->output);
	free(e->constant);
	free(e->result);
	intern_free(&e->names);
	intern_free(&e->constants);
	intern_free(&e->nodes);
	buf_free(&e->attr);
}

int onnx_export(const struct graph *g, const struct onnx_export_opts *o, struct buf *out,
    struct fault *f)
{
	struct emit e = { .g = g, .opts = o, .fault = f };
	int status;

	begin(&e);
	for (size_t i = 0; i < g->nodes && !e.failed; i++) {
		e.node = &g->node[i];
		if (runs[e.node->op.kind])
			runs[e.node->op.kind](&e, e.node);
	}
	if (!e.failed)
		end(&e);
	status = e.failed ? -1 : emit_model(&e, out);
	release(&e);
	return status;
}

uint64_t onnx_export_weight_bytes(const struct graph *g)
{
	bool *counted = mem_zero(g->values + 1, sizeof(*counted));
	uint64_t bytes = 0;

	for (size_t n = 0; n < g->nodes; n++)
		for (int k = 0; k < BACKEND_INS; k++) {
			uint32_t in = g->node[n].in[k], base;

			if (in == GRAPH_NONE)
				continue;
			base = g->value[in].of;
			if (g->value[base].role == BACKEND_WEIGHT && !counted[base])
				bytes += graph_bytes(&g->value[base]);
			counted[base] = true;
		}
	free(counted);
	return bytes;
}

void onnx_external_free(struct onnx_external *e)
{
	free(e->weight);
	*e = (struct onnx_external){ 0 };
}
