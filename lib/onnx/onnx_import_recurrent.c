/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds recurrent networks, step by step; see onnx_import_priv.h. The products with the
 * input are computed for all steps at once, those with the state in each step. The formulas
 * are those of the operators LSTM, GRU and RNN: https://onnx.ai/onnx/operators.
 */
#include "onnx/onnx_import_priv.h"

enum { GATES_MAX = 4, RECURRENT_STEPS_MAX = 1024 };

/* A direction of a recurrent network. */
struct recurrence {
	const struct trace_node *n;
	uint32_t direction;
	bool backward, is_lstm;
	uint32_t gates;
	int64_t steps, batch, width, hidden;
	uint32_t input[GATES_MAX];  /* by gate: the products with the input, [steps
	                               batch,hidden] */
	uint32_t weight[GATES_MAX]; /* by gate: of the state */
	uint32_t inner;       /* the bias that the reset of GRU multiplies; GRAPH_NONE */
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

/* Returns a part [rows,columns] of an input [directions,gates rows,columns]. */
static struct import_view gate_part(
    struct import *im, const struct recurrence *r, uint32_t i, uint32_t gate)
{
	struct import_view v = import_input(im, r->n, i);
	const int64_t columns = v.shape.size[2];

	v.offset += r->direction * v.stride[0] + gate * r->hidden * v.stride[1];
	v.stride[0] = v.stride[1];
	v.stride[1] = v.stride[2];
	v.shape = IMPORT_SHAPE(r->hidden, columns);
	return v;
}

/* Adds act(a b' + bias + other). Returns it. */
static uint32_t gate_product(struct import *im, const struct recurrence *r, uint32_t a,
    uint32_t b, uint32_t bias, uint32_t other, enum backend_act act)
{
	const int64_t rows = im->g->value[a].size[0];
	const uint32_t out = import_new(im, IMPORT_SHAPE(rows, r->hidden));
	struct backend_op *op = import_node(im, BACKEND_GEMM, out, a, b, bias, other);

	op->p.gemm.alpha = 1;
	op->p.gemm.transpose = true;
	op->act = act;
	return out;
}

/* Returns the bias of a gate, of the input and of the state together; or, with a part of 0
 * or 1, of one of them. */
static uint32_t gate_bias(
    struct import *im, const struct recurrence *r, uint32_t gate, int part)
{
	const struct onnx_fact *x = trace_constant(&im->t, trace_in(r->n, 3));
	const int64_t half = r->gates * r->hidden,
	              from = r->direction * 2 * half + gate * r->hidden;
	double *sum;

	if (trace_in(r->n, 3) == TRACE_NONE)
		return GRAPH_NONE;
	if (!x) {
		trace_lack(&im->t, r->n, "its biases are computed");
		return GRAPH_NONE;
	}
	sum = mem_zero((size_t)r->hidden, sizeof(*sum));
	for (int64_t i = 0; i < r->hidden; i++)
		for (int k = 0; k < 2; k++)
			sum[i] += part < 0 || part == k
			              ? onnx_fact_number(x, from + k * half + i)
			              : 0;
	return import_constant(im, sum, IMPORT_SHAPE(r->hidden));
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

/* Returns the products of the gate with the input of a step. */
static uint32_t step_input(
    struct import *im, const struct recurrence *r, uint32_t gate, int64_t step)
{
	const struct trace_shape all = IMPORT_SHAPE(r->steps, r->batch, r->hidden);
	struct import_view v = import_whole(im, r->input[gate], all);

	v.offset += step * v.stride[0];
	v.shape.size[0] = 1;
	return import_operand(im, v, IMPORT_SHAPE(r->batch, r->hidden), IMPORT_WHOLE);
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

static void lstm_step(struct import *im, struct recurrence *r, int64_t step)
{
	/* The gates are input, output, forget and cell. */
	const uint32_t i = step_gate(im, r, 0, step, r->state, BACKEND_SIGMOID),
	               o = step_gate(im, r, 1, step, r->state, BACKEND_SIGMOID),
	               f = step_gate(im, r, 2, step, r->state, BACKEND_SIGMOID),
	               c = step_gate(im, r, 3, step, r->state, BACKEND_TANH);

	r->cell = state_sum(im, state_product(im, f, r->cell), state_product(im, i, c), 1);
	r->state = state_product(im, o, import_unary(im, r->cell, 1, BACKEND_TANH));
}

static void gru_step(struct import *im, struct recurrence *r, int64_t step)
{
	/* The gates are update, reset and hidden. */
	const uint32_t z = step_gate(im, r, 0, step, r->state, BACKEND_SIGMOID),
	               reset = step_gate(im, r, 1, step, r->state, BACKEND_SIGMOID);
	uint32_t h;

	if (rule_int(&r->n->call, "linear_before_reset", 0) != 0) {
		h = gate_product(
		    im, r, r->state, r->weight[2], r->inner, GRAPH_NONE, BACKEND_LINEAR);
		h = import_binary(im, state_product(im, reset, h),
		    step_input(im, r, 2, step), 1, 1, false, BACKEND_TANH);
	} else
		h = step_gate(
		    im, r, 2, step, state_product(im, reset, r->state), BACKEND_TANH);
	/* z state + (1 - z) h */
	r->state =
	    state_sum(im, h, state_product(im, z, state_sum(im, r->state, h, -1)), 1);
}

/* Adds what does not depend on the state. */
static void begin_direction(struct import *im, struct recurrence *r)
{
	const bool split =
	    trace_is(r->n, "GRU") && rule_int(&r->n->call, "linear_before_reset", 0) != 0;
	const struct import_view v = import_input(im, r->n, 0);
	const uint32_t x = import_operand(
	    im, v, IMPORT_SHAPE(r->steps * r->batch, r->width), IMPORT_WHOLE);

	r->inner = split ? gate_bias(im, r, 2, 1) : GRAPH_NONE;
	for (uint32_t k = 0; k < r->gates && !im->t.failed; k++) {
		struct import_view w = gate_part(im, r, 1, k), u = gate_part(im, r, 2, k);

		r->input[k] =
		    gate_product(im, r, x, import_operand(im, w, w.shape, IMPORT_ROWS),
		        gate_bias(im, r, k, split && k == 2 ? 0 : -1), GRAPH_NONE,
		        BACKEND_LINEAR);
		r->weight[k] = import_operand(im, u, u.shape, IMPORT_ROWS);
	}
	r->state = first_state(im, r, 5);
	r->cell = r->is_lstm ? first_state(im, r, 6) : GRAPH_NONE;
}

/* Copies a state [batch,hidden] to a part of an output. */
static void put_state(struct import *im, const struct recurrence *r, uint32_t state,
    struct import_view to, int64_t offset)
{
	to.offset += offset;
	to.shape = IMPORT_SHAPE(r->batch, r->hidden);
	to.stride[0] = r->hidden;
	to.stride[1] = 1;
	import_move(im, import_whole(im, state, to.shape), to);
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
		for (int64_t i = 0; i < r.steps && !im->t.failed; i++) {
			const int64_t step = r.backward ? r.steps - 1 - i : i;

			if (r.is_lstm)
				lstm_step(im, &r, step);
			else if (r.gates == 3)
				gru_step(im, &r, step);
			else
				r.state = step_gate(im, &r, 0, step, r.state, BACKEND_TANH);
			if (out[0].made)
				put_state(im, &r, r.state, out[0],
				    (step * directions + r.direction) * each);
		}
		if (out[1].made)
			put_state(im, &r, r.state, out[1], r.direction * each);
		if (out[2].made)
			put_state(im, &r, r.cell, out[2], r.direction * each);
	}
}
