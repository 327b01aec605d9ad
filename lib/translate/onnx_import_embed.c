/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * EmbedLayerNormalization of ONNX Runtime: the normalized sum of rows of tables for tokens,
 * positions and segments; see onnx_import_priv.h.
 */
#include "translate/onnx_import_priv.h"

/* Returns the rows of a table that tokens select [tokens,width]. */
static uint32_t selected(struct import *im, const struct trace_node *n, uint32_t table,
    uint32_t ids, const struct trace_shape *made)
{
	struct import_view rows = import_input(im, n, table),
	                   of = import_see(im, n->in[ids]);
	const int64_t width = made->size[2];
	uint32_t out, a, b;

	if (im->t.failed)
		return GRAPH_NONE;
	if (rows.shape.dims != 2 || rows.shape.size[1] != width) {
		trace_fail(&im->t, n, "its tables have other widths");
		return GRAPH_NONE;
	}
	if (import_count(&of.shape) != made->size[0] * made->size[1])
		of = import_broadcast(of, IMPORT_SHAPE(made->size[0], made->size[1]));
	out = import_new(im, IMPORT_SHAPE(made->size[0], made->size[1], width));
	a = import_operand(im, rows, rows.shape, IMPORT_WHOLE);
	b = import_operand(
	    im, of, IMPORT_SHAPE(made->size[0], made->size[1]), IMPORT_WHOLE);
	/* Constants, such as segments of ones, are weights of whole numbers. */
	if (!im->t.failed && im->g->value[b].role == BACKEND_WEIGHT)
		im->g->value[b].dtype = BACKEND_INT32;
	import_node(im, BACKEND_GATHER, out, a, b, GRAPH_NONE, GRAPH_NONE)->p.gather.alpha =
	    1;
	return out;
}

/* Returns the first rows of the table of positions for all batches. */
static struct import_view first_rows(
    struct import *im, const struct trace_node *n, const struct trace_shape *made)
{
	struct import_view v = import_input(im, n, 3);

	if (v.shape.dims != 2 || v.shape.size[0] < made->size[1] ||
	    v.shape.size[1] != made->size[2]) {
		trace_fail(&im->t, n,
		    "its table of positions has %lld rows for %lld tokens",
		    (long long)v.shape.size[0], (long long)made->size[1]);
		return v;
	}
	v.shape.size[0] = made->size[1];
	return v;
}

void import_embed_norm(IMPORT_PARAMS)
{
	const struct trace_shape made = *import_made(im, n, 0);
	uint32_t sum, out;

	(void)m;
	if (trace_out(n, 1) != TRACE_NONE && trace_in(n, 7) != TRACE_NONE)
		trace_lack(&im->t, n, "it counts the keys of its mask");
	for (uint32_t i = 0; i < 7; i++)
		if (trace_in(n, i) == TRACE_NONE && i != 1 && i != 4)
			trace_fail(&im->t, n, "its input %u is missing", i + 1);
	if (im->t.failed)
		return;
	sum = selected(im, n, 2, 0, &made);
	if (trace_in(n, 8) != TRACE_NONE && !im->t.failed)
		sum = import_binary(
		    im, sum, selected(im, n, 3, 8, &made), 1, 1, false, BACKEND_LINEAR);
	else if (!im->t.failed) {
		const struct import_view v = first_rows(im, n, &made);

		if (!im->t.failed)
			sum = import_binary(im, sum,
			    import_operand(
			        im, v, IMPORT_SHAPE(import_count(&v.shape)), IMPORT_WHOLE),
			    1, 1, false, BACKEND_LINEAR);
	}
	if (trace_in(n, 1) != TRACE_NONE && trace_in(n, 4) != TRACE_NONE && !im->t.failed)
		sum = import_binary(
		    im, sum, selected(im, n, 4, 1, &made), 1, 1, false, BACKEND_LINEAR);
	if (im->t.failed)
		return;
	const uint32_t gain = import_vector(im, trace_in(n, 5), made.size[2]),
	               shift = import_vector(im, trace_in(n, 6), made.size[2]);
	out = import_like(im, sum);
	struct backend_op *op =
	    import_node(im, BACKEND_LAYERNORM, out, sum, gain, shift, GRAPH_NONE);
	op->p.norm.eps = trace_float(n, "epsilon", 1e-12);
	op->p.norm.alpha = 1;
	import_done(im, n, out);
	if (trace_out(n, 2) != TRACE_NONE && !im->t.failed)
		import_output(im, n, 2, import_whole(im, sum, made));
}
