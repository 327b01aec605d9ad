/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds recurrent networks, step by step; see onnx_import_priv.h. The products with the
 * input are computed for all steps at once, those with the state in each step. The formulas
 * are those of the operators LSTM, GRU and RNN: https://onnx.ai/onnx/operators.
 */
#include "translate/onnx_import_priv.h"

enum { GATES_MAX = 4, RECURRENT_STEPS_MAX = 1024 };

/* A direction of a recurrent network. */
struct recurrence {
	const struct trace_node *n;
	uint32_t direction;
	bool backward, is_lstm;
	uint32_t gates;
	int64_t steps, batch, width, hidden;
	/* Whether a step is a CELL, whose gates are computed by one product; otherwise,
	 * each gate has a product. */
	bool has_cell;
	uint32_t parts; /* of the products: 1, or the gates */
	/* By part: the products with the input, [steps batch,width of a part], and the
	 * weight of the state. */
	uint32_t input[GATES_MAX], weight[GATES_MAX];
	uint32_t inner;       /* the bias of the products with the state, or GRAPH_NONE */
	uint32_t state, cell; /* [batch,hidden] */
};

/* Fails if the node has something that is not computed. */
static void check_recurrent(struct import *im, const struct trace_node *n)
{
	const struct onnx_attribute *acts = onnx_attribute(n->call.node, "activations");
	const struct onnx_fact *lengths = trace_constant(&im->t, trace_in(n, 4));
	const int64_t steps = import_input(im, n, 0).shape.size[0];
	static const struct {
		const char *op, *acts[3];
	} usual[] = { { "LSTM", { "Sigmoid", "Tanh", "Tanh" } },
		{ "GRU", { "Sigmoid", "Tanh" } }, { "RNN", { "Tanh" } } };

	if (rule_int(&n->call, "layout", 0) != 0)
		trace_lack(&im->t, n, "its layout is not 0");
	if (rule_has_attribute(&n->call, "clip") ||
	    rule_int(&n->call, "input_forget", 0) != 0 ||
	    (trace_is(n, "LSTM") && trace_in(n, 7) != TRACE_NONE))
		trace_lack(&im->t, n, "it clips, joins gates, or has peepholes");
	for (size_t i = 0; acts && i < COUNT(usual); i++) {
		const uint32_t each = i == 0 ? 3 : i == 1 ? 2 : 1;

		for (uint32_t k = 0; k < acts->string_count && trace_is(n, usual[i].op);
		     k++)
			if (!text_is(acts->strings[k], usual[i].acts[k % each]))
				trace_lack(
				    &im->t, n, "its activations are not the usual ones");
	}
	if (trace_in(n, 4) != TRACE_NONE && !lengths)
		trace_lack(&im->t, n, "its sequence lengths are computed");
	for (int64_t i = 0; lengths && i < onnx_fact_elements(lengths); i++)
		if (onnx_fact_number(lengths, i) != (double)steps)
			trace_lack(&im->t, n, "its sequences have other lengths");
	if (steps > RECURRENT_STEPS_MAX)
		trace_lack(&im->t, n, "it has more than %d steps", RECURRENT_STEPS_MAX);
}

/* Fails if an input has another number of elements than the network needs. */
static void check_size(
    struct import *im, const struct trace_node *n, uint32_t i, int64_t count)
{
	if (trace_in(n, i) != TRACE_NONE && trace_elements(&im->t, n->in[i]) != count)
		trace_fail(&im->t, n, "input %u has other sizes than its network", i + 1);
}

/* Returns the rows of a part of the weights. */
static int64_t part_rows(const struct recurrence *r)
{
	return r->gates / r->parts * r->hidden;
}

/* Returns a part [rows,columns] of an input [directions,gates hidden,columns]. */
static struct import_view weight_part(
    struct import *im, const struct recurrence *r, uint32_t i, uint32_t part)
{
	struct import_view v = import_input(im, r->n, i);
	const int64_t columns = v.shape.size[2], rows = part_rows(r);

	v.offset += r->direction * v.stride[0] + part * rows * v.stride[1];
	v.stride[0] = v.stride[1];
	v.stride[1] = v.stride[2];
	v.shape = IMPORT_SHAPE(rows, columns);
	return v;
}

/* Adds act(a b' + bias + other). Returns it. */
static uint32_t gate_product(struct import *im, const struct recurrence *r, uint32_t a,
    uint32_t b, uint32_t bias, uint32_t other, enum backend_act act)
{
	const int64_t rows = im->g->value[a].size[0];
	const uint32_t out = import_new(im, IMPORT_SHAPE(rows, part_rows(r)));
	struct backend_op *op = import_node(im, BACKEND_GEMM, out, a, b, bias, other);

	op->p.gemm.alpha = 1;
	op->p.gemm.transpose = true;
	op->act = act;
	return out;
}

/* Returns the bias of a part of the products with the input; or, if `of_state`, of those
 * with the state. That of the input has the sum of both, except for the hidden gate of a
 * GRU that is a CELL, whose reset multiplies the product with the state. */
static uint32_t part_bias(
    struct import *im, const struct recurrence *r, uint32_t part, bool of_state)
{
	const struct onnx_fact *x = trace_constant(&im->t, trace_in(r->n, 3));
	const int64_t half = r->gates * r->hidden, rows = part_rows(r),
	              from = r->direction * 2 * half + part * rows,
	              split = r->has_cell && !r->is_lstm ? 2 * r->hidden : rows;
	double *sum;

	if (trace_in(r->n, 3) == TRACE_NONE || (of_state && split == rows))
		return GRAPH_NONE;
	if (!x) {
		trace_lack(&im->t, r->n, "its biases are computed");
		return GRAPH_NONE;
	}
	sum = mem_zero((size_t)rows, sizeof(*sum));
	for (int64_t i = 0; i < rows; i++) {
		const double input = onnx_fact_number(x, from + i),
		             state = onnx_fact_number(x, from + half + i);

		if (of_state)
			sum[i] = i < split ? 0 : state;
		else
			sum[i] = i < split ? input + state : input;
	}
	return import_constant(im, sum, IMPORT_SHAPE(rows));
}

/* Returns the state before the first step. */
static uint32_t first_state(struct import *im, const struct recurrence *r, uint32_t i)
{
	const struct trace_shape shape = IMPORT_SHAPE(r->batch, r->hidden);
	struct import_view v;

	if (trace_in(r->n, i) == TRACE_NONE)
		return import_operand(im,
		    import_whole(im, import_number(im, 0, r->batch * r->hidden), shape),
		    shape, IMPORT_WHOLE);
	v = import_input(im, r->n, i);
	v.offset += r->direction * v.stride[0];
	v.shape.size[0] = 1;
	return import_operand(im, v, shape, IMPORT_WHOLE);
}

/* Returns a part of the products with the input of a step. */
static uint32_t step_input(
    struct import *im, const struct recurrence *r, uint32_t part, int64_t step)
{
	const struct trace_shape all = IMPORT_SHAPE(r->steps, r->batch, part_rows(r));
	struct import_view v = import_whole(im, r->input[part], all);

	v.offset += step * v.stride[0];
	v.shape.size[0] = 1;
	return import_operand(im, v, IMPORT_SHAPE(r->batch, part_rows(r)), IMPORT_WHOLE);
}

static uint32_t state_product(struct import *im, uint32_t a, uint32_t b)
{
	return import_binary(im, a, b, 1, 1, true, BACKEND_LINEAR);
}

static uint32_t state_sum(struct import *im, uint32_t a, uint32_t b, double factor)
{
	return import_binary(im, a, b, factor, 1, false, BACKEND_LINEAR);
}

/* Adds a gate of a step. */
static uint32_t step_gate(struct import *im, const struct recurrence *r, uint32_t gate,
    int64_t step, uint32_t state, enum backend_act act)
{
	return gate_product(
	    im, r, state, r->weight[gate], GRAPH_NONE, step_input(im, r, gate, step), act);
}

/* Adds a step of an LSTM, or of a GRU whose reset follows the product. Writes the state to
 * a part of the output, or to a new value if there is none. */
static void cell_step(
    struct import *im, struct recurrence *r, int64_t step, const struct import_view *to)
{
	const struct trace_shape shape = IMPORT_SHAPE(r->batch, r->hidden);
	const uint32_t x = step_input(im, r, 0, step),
	               y = gate_product(im, r, r->state, r->weight[0], r->inner, GRAPH_NONE,
	                   BACKEND_LINEAR),
	               out = to ? import_operand(im, *to, shape, IMPORT_WHOLE)
	                        : import_new(im, shape),
	               after = r->is_lstm ? import_new(im, shape) : GRAPH_NONE;

	import_node(
	    im, BACKEND_CELL, out, x, y, r->is_lstm ? r->cell : r->state, GRAPH_NONE)
	    ->p.cell.gates = r->gates;
	im->g->node[im->g->nodes - 1].out[1] = after;
	r->state = out;
	r->cell = after;
}

/* Adds a step of a GRU whose reset precedes the product. */
static void gru_step(struct import *im, struct recurrence *r, int64_t step)
{
	/* The gates are update, reset and hidden. */
	const uint32_t z = step_gate(im, r, 0, step, r->state, BACKEND_SIGMOID),
	               reset = step_gate(im, r, 1, step, r->state, BACKEND_SIGMOID),
	               h = step_gate(im, r, 2, step, state_product(im, reset, r->state),
	                   BACKEND_TANH);

	/* z state + (1 - z) h */
	r->state =
	    state_sum(im, h, state_product(im, z, state_sum(im, r->state, h, -1)), 1);
}

/* Adds what does not depend on the state. */
static void begin_direction(struct import *im, struct recurrence *r)
{
	const struct import_view v = import_input(im, r->n, 0);
	const uint32_t x = import_operand(
	    im, v, IMPORT_SHAPE(r->steps * r->batch, r->width), IMPORT_WHOLE);

	r->inner = part_bias(im, r, 0, true);
	for (uint32_t k = 0; k < r->parts && !im->t.failed; k++) {
		struct import_view w = weight_part(im, r, 1, k),
		                   u = weight_part(im, r, 2, k);

		r->input[k] =
		    gate_product(im, r, x, import_operand(im, w, w.shape, IMPORT_ROWS),
		        part_bias(im, r, k, false), GRAPH_NONE, BACKEND_LINEAR);
		r->weight[k] = import_operand(im, u, u.shape, IMPORT_ROWS);
	}
	r->state = first_state(im, r, 5);
	r->cell = r->is_lstm ? first_state(im, r, 6) : GRAPH_NONE;
}

/* Returns the part of an output that holds a state [batch,hidden]. */
static struct import_view state_place(
    const struct recurrence *r, struct import_view to, int64_t offset)
{
	to.offset += offset;
	to.shape = IMPORT_SHAPE(r->batch, r->hidden);
	to.stride[0] = r->hidden;
	to.stride[1] = 1;
	return to;
}

/* Copies a state to such a part. */
static void put_state(struct import *im, uint32_t state, struct import_view to)
{
	import_move(im, import_whole(im, state, to.shape), to);
}

/* Adds the steps of a direction. out: the states of all steps, if `made` is true. */
static void add_steps(
    struct import *im, struct recurrence *r, struct import_view out, int64_t directions)
{
	const int64_t each = r->batch * r->hidden;

	for (int64_t i = 0; i < r->steps && !im->t.failed; i++) {
		const int64_t step = r->backward ? r->steps - 1 - i : i;
		const struct import_view to =
		    state_place(r, out, (step * directions + r->direction) * each);

		if (r->has_cell) {
			cell_step(im, r, step, out.made ? &to : NULL);
			continue;
		}
		if (r->gates == 3)
			gru_step(im, r, step);
		else
			r->state = step_gate(im, r, 0, step, r->state, BACKEND_TANH);
		if (out.made)
			put_state(im, r->state, to);
	}
}

void import_recurrent(IMPORT_PARAMS)
{
	struct recurrence r = { .n = n, .is_lstm = trace_is(n, "LSTM") };
	const struct import_view x = import_input(im, n, 0),
	                         weight = import_input(im, n, 2);
	const struct text way = rule_text(&n->call, "direction", "forward");
	struct import_view out[3] = { 0 };

	(void)m;
	if (!im->t.failed)
		check_recurrent(im, n);
	if (im->t.failed)
		return;
	r.gates = r.is_lstm ? 4 : trace_is(n, "GRU") ? 3 : 1;
	r.has_cell = r.is_lstm ||
	             (r.gates == 3 && rule_int(&n->call, "linear_before_reset", 0) != 0);
	r.parts = r.has_cell ? 1 : r.gates;
	r.steps = x.shape.size[0];
	r.batch = x.shape.size[1];
	r.width = x.shape.size[2];
	r.hidden = weight.shape.size[2];
	const int64_t directions = weight.shape.size[0], each = r.batch * r.hidden;
	check_size(im, n, 1, directions * r.gates * r.hidden * r.width);
	check_size(im, n, 2, directions * r.gates * r.hidden * r.hidden);
	check_size(im, n, 3, directions * 2 * r.gates * r.hidden);
	check_size(im, n, 5, directions * each);
	if (r.is_lstm)
		check_size(im, n, 6, directions * each);
	if (directions != (text_is(way, "bidirectional") ? 2 : 1))
		trace_fail(&im->t, n, "its weights have other directions");
	if (im->t.failed)
		return;
	for (uint32_t i = 0; i < 3; i++)
		if (trace_out(n, i) != TRACE_NONE) {
			const struct trace_shape made = *import_made(im, n, i);

			out[i] =
			    import_whole(im, import_new(im, import_shortened(made)), made);
			import_output(im, n, i, out[i]);
		}
	for (r.direction = 0; r.direction < directions && !im->t.failed; r.direction++) {
		r.backward = r.direction == 1 || text_is(way, "reverse");
		begin_direction(im, &r);
		add_steps(im, &r, out[0], directions);
		if (out[1].made)
			put_state(im, r.state, state_place(&r, out[1], r.direction * each));
		if (out[2].made)
			put_state(im, r.cell, state_place(&r, out[2], r.direction * each));
	}
}
