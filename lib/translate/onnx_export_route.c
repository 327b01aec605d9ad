/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sequences, experts and search, as nodes of ONNX; see onnx_export_priv.h.
 */
#include <stdlib.h>

#include "translate/onnx_export_priv.h"

/* The tensors of one step of a scan, without a dimension for tokens. */
struct scan_step {
	uint32_t dt, x, in, out; /* in and out: B and C */
};

/* Computes a step: updates the state, and returns the result without D. */
static uint32_t scan_token(
    struct emit *e, const struct scan_step *s, uint32_t decay, uint32_t *state)
{
	struct emit_shape shape = emit_shape(e, s->dt), row = emit_shape(e, s->in);
	int64_t batch = shape.size[0], channels = shape.size[1], states = row.size[1];
	uint32_t dt = emit_reshape(e, s->dt, EMIT_SHAPE(batch, channels, 1)),
	         in = emit_reshape(e, s->in, EMIT_SHAPE(batch, 1, states)),
	         read = emit_reshape(e, s->out, EMIT_SHAPE(batch, states, 1)), more;

	more = emit_binary(
	    e, "Mul", emit_reshape(e, s->x, EMIT_SHAPE(batch, channels, 1)), dt);
	more = emit_binary(e, "Mul", more, in);
	dt = emit_unary(e, "Exp", emit_binary(e, "Mul", dt, decay));
	*state = emit_binary(e, "Add", emit_binary(e, "Mul", dt, *state), more);
	return emit_reshape(e, emit_matmul(e, *state, read), EMIT_SHAPE(batch, channels));
}

/* Scans all tokens, with a node Scan. The decay is passed on like a state, because OpenVINO
 * accepts no other tensors in the body. */
static uint32_t scan_tokens(struct emit *e, const uint32_t in[4], uint32_t decay,
    uint32_t *state, struct emit_shape shape)
{
	static const int64_t axes[] = { 1, 1, 1, 1 };
	enum onnx_type type = emit_type(e, *state);
	struct emit_like like[] = { { type, emit_shape(e, *state) },
		{ type, emit_shape(e, decay) }, { type, shape } };
	uint32_t part[4], out[3], made;
	struct emit_body body;
	struct scan_step s;

	emit_begin_body(e, &body);
	out[0] = emit_body_input(e, type, like[0].shape);
	out[1] = emit_body_input(e, type, like[1].shape);
	for (int i = 0; i < 4; i++) {
		struct emit_shape all = emit_shape(e, in[i]);

		part[i] = emit_body_input(e, type, EMIT_SHAPE(all.size[0], all.size[2]));
	}
	s = (struct scan_step){ part[0], part[1], part[2], part[3] };
	out[2] = scan_token(e, &s, out[1], &out[0]);
	out[1] = emit_unary(e, "Identity", out[1]);
	emit_end_body(e, out, 3);
	emit_attr_int(e, "num_scan_inputs", 4);
	emit_attr_ints(e, "scan_input_axes", axes, 4);
	emit_attr_ints(e, "scan_output_axes", axes, 1);
	made = emit_add_with_body(
	    e, "Scan", &body, like, 3, EMIT_INS(*state, decay, in[0], in[1], in[2], in[3]));
	*state = made;
	return made + 2;
}

/* Returns the state before the first token: 0 if there are no earlier ones. */
static uint32_t scan_state(struct emit *e, const struct graph_node *n, enum onnx_type type)
{
	struct emit_shape shape = emit_value_shape(&e->g->value[n->in[7]]);
	uint32_t state, none = emit_number(e, type, 0);

	if (!e->opts->step && n->op.past == 0)
		return emit_expand(e, none, shape);
	state = emit_cast(e, emit_read(e, n->in[7]), type);
	if (!e->opts->step)
		return state;
	return emit_add(e, "Where", type, shape,
	    EMIT_INS(emit_compare(e, "Equal", emit_past(e), emit_int(e, 0)), none, state));
}

void emit_scan(struct emit *e, const struct graph_node *n)
{
	uint32_t in[8], state, decay, y, step[4];
	enum onnx_type type;
	struct emit_shape shape;

	for (int i = 0; i < 7; i++)
		in[i] = emit_read(e, n->in[i]);
	type = emit_type(e, in[0]);
	shape = emit_shape(e, in[0]);
	state = scan_state(e, n, type);
	decay = emit_unary(e, "Neg", emit_unary(e, "Exp", in[2]));
	step[0] = emit_unary(e, "Softplus", emit_binary(e, "Add", in[1], in[6]));
	step[1] = in[0];
	step[2] = in[3];
	step[3] = in[4];
	if (shape.size[1] == 1) {
		for (int i = 0; i < 4; i++) {
			struct emit_shape s = emit_shape(e, step[i]);

			step[i] =
			    emit_reshape(e, step[i], EMIT_SHAPE(s.size[0], s.size[2]));
		}
		y = scan_token(e, &(struct scan_step){ step[0], step[1], step[2], step[3] },
		    decay, &state);
		y = emit_reshape(e, y, shape);
	} else
		y = scan_tokens(e, step, decay, &state, shape);
	y = emit_binary(e, "Add", y, emit_binary(e, "Mul", in[0], in[5]));
	emit_write(
	    e, n->in[7], emit_cast(e, state, emit_type_of(e->g->value[n->in[7]].dtype)));
	emit_write(e, n->out[0], y);
}

void emit_causal_conv(struct emit *e, const struct graph_node *n)
{
	static const int64_t order[] = { 0, 2, 1 }, zero[] = { 0, 0 }, one = 1;
	struct graph_value rows = e->g->value[n->in[0]];
	const struct graph_value *out = &e->g->value[n->out[0]];
	uint32_t w = emit_read(e, n->in[1]), bias = emit_read(e, n->in[2]), x;
	int64_t channels = out->size[2], taps = emit_shape(e, w).size[1],
	        count = out->size[1] + taps - 1;

	if (e->opts->step)
		x = emit_gather(e, emit_read(e, n->in[0]),
		    emit_binary(
		        e, "Add", emit_past(e), emit_count(e, 0, EMIT_SHAPE(count))),
		    1);
	else {
		rows.offset += n->op.past * rows.stride[1];
		rows.size[1] = count;
		x = emit_read_view(e, &rows);
	}
	x = emit_transpose(e, x, order);
	w = emit_reshape(e, w, EMIT_SHAPE(channels, 1, taps));
	emit_attr_int(e, "group", channels);
	emit_attr_ints(e, "kernel_shape", &taps, 1);
	emit_attr_ints(e, "strides", &one, 1);
	emit_attr_ints(e, "pads", zero, 2);
	x = emit_add(e, "Conv", emit_type(e, x),
	    EMIT_SHAPE(out->size[0], channels, out->size[1]),
	    (struct emit_ins){ (uint32_t[]){ x, w, bias }, bias == EMIT_NONE ? 2 : 3 });
	emit_write(e, n->out[0], emit_act(e, n->op.act, emit_transpose(e, x, order)));
}

/* Adds a node TopK along the last dimension. Returns the values; the places follow. */
static uint32_t largest(struct emit *e, uint32_t x, int64_t k)
{
	struct emit_shape shape = emit_shape(e, x);
	struct emit_like like[2];

	/* TopK does not take bfloat16; float32 keeps all its numbers. */
	if (emit_type(e, x) == ONNX_BFLOAT16)
		x = emit_cast(e, x, ONNX_FLOAT);
	shape.size[shape.dims - 1] = k;
	like[0] = (struct emit_like){ emit_type(e, x), shape };
	like[1] = (struct emit_like){ ONNX_INT64, shape };
	emit_attr_int(e, "axis", -1);
	return emit_add_all(e, "TopK", like, 2, EMIT_INS(x, emit_list(e, &k, 1)));
}

void emit_topk(struct emit *e, const struct graph_node *n)
{
	uint32_t best = largest(e, emit_read(e, n->in[0]), n->op.p.route.k);

	if (n->out[0] != GRAPH_NONE)
		emit_write(e, n->out[0],
		    emit_cast(e, best, emit_type_of(e->g->value[n->out[0]].dtype)));
	emit_write(e, n->out[1], emit_cast(e, best + 1, ONNX_INT32));
}

void emit_route(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]), best = largest(e, x, n->op.p.route.k), share;

	if (n->op.p.route.renormalise) {
		share = emit_cast(e, best, emit_type(e, x));
		emit_attr_int(e, "axis", -1);
		share = emit_unary(e, "Softmax", share);
	} else {
		emit_attr_int(e, "axis", -1);
		x = emit_unary(e, "Softmax", x);
		emit_attr_int(e, "axis", -1);
		share = emit_add(e, "GatherElements", emit_type(e, x), emit_shape(e, best),
		    EMIT_INS(x, best + 1));
	}
	emit_write(e, n->out[0], share);
	emit_write(e, n->out[1], emit_cast(e, best + 1, ONNX_INT32));
}

/* The operands of experts: rows, matrices, and if these are quantized the zero point of the
 * rows and the scales of the products. */
struct expert_operands {
	uint32_t x, w, zero, scales;
};

/* Multiplies rows by the matrix of an expert. */
static uint32_t expert_product(struct emit *e, const struct expert_operands *o,
    uint32_t row, int64_t expert, int64_t width)
{
	struct emit_shape shape = EMIT_SHAPE(-1, width);
	uint32_t x = emit_gather(e, o->x, row, 0),
	         matrix = emit_gather(e, o->w, emit_int(e, expert), 0);

	if (o->zero == EMIT_NONE) {
		emit_attr_int(e, "transB", 1);
		return emit_add(e, "Gemm", emit_type(e, x), shape, EMIT_INS(x, matrix));
	}
	x = emit_add(e, "MatMulInteger", ONNX_INT32, shape, EMIT_INS(x, matrix, o->zero));
	return emit_binary(e, "Mul", emit_cast(e, x, ONNX_FLOAT),
	    emit_gather(e, o->scales, emit_int(e, expert), 0));
}

/* The rows of an expert are gathered, so that each is multiplied by its matrix only. Their
 * number is known when the model runs. */
static void emit_routed(
    struct emit *e, const struct graph_node *n, const struct expert_operands *o)
{
	uint32_t x, chosen = emit_read(e, n->in[2]), *row, *made;
	struct emit_shape shape = emit_value_shape(&e->g->value[n->out[0]]);
	int64_t rows = shape.size[0], share = rows / emit_shape(e, o->x).size[0],
	        experts = emit_shape(e, o->w).size[0];
	enum onnx_type type = emit_type_of(e->g->value[n->out[0]].dtype);

	row = mem_zero((size_t)experts, sizeof(*row));
	made = mem_zero((size_t)experts, sizeof(*made));
	chosen = emit_cast(e, emit_reshape(e, chosen, EMIT_SHAPE(rows)), ONNX_INT64);
	for (int64_t i = 0; i < experts; i++) {
		uint32_t from, at = emit_compare(e, "Equal", chosen, emit_int(e, i));

		at = emit_add(e, "NonZero", ONNX_INT64, EMIT_SHAPE(1, -1), EMIT_INS(at));
		row[i] = emit_reshape(e, at, EMIT_SHAPE(-1));
		from =
		    share == 1 ? row[i] : emit_binary(e, "Div", row[i], emit_int(e, share));
		made[i] = expert_product(e, o, from, i, shape.size[1]);
	}
	chosen =
	    emit_reshape(e, emit_concat(e, 0, row, (uint32_t)experts), EMIT_SHAPE(-1, 1));
	x = emit_concat(e, 0, made, (uint32_t)experts);
	x = emit_add(e, "ScatterND", type, shape,
	    EMIT_INS(emit_expand(e, emit_number(e, type, 0), shape), chosen, x));
	emit_write(e, n->out[0], emit_act(e, n->op.act, x));
	free(row);
	free(made);
}

void emit_experts(struct emit *e, const struct graph_node *n)
{
	struct expert_operands o = { emit_read(e, n->in[0]), emit_read(e, n->in[1]),
		EMIT_NONE, EMIT_NONE };

	emit_routed(e, n, &o);
}

void emit_qexperts(struct emit *e, const struct graph_node *n)
{
	static const int64_t order[] = { 0, 2, 1 };
	uint32_t q = emit_quantized(e, emit_read(e, n->in[0])),
	         w = emit_transpose(e, emit_read(e, n->in[1]), order);
	struct expert_operands o = { q, w, q + 2,
		emit_binary(e, "Mul", emit_read(e, n->in[4]), q + 1) };

	emit_routed(e, n, &o);
}

void emit_combine(struct emit *e, const struct graph_node *n)
{
	uint32_t x = emit_read(e, n->in[0]), share = emit_read(e, n->in[1]),
	         more = emit_read(e, n->in[2]);
	int64_t tokens = emit_shape(e, share).size[0], k = emit_shape(e, share).size[1],
	        width = emit_shape(e, x).size[1];

	x = emit_matmul(e, emit_reshape(e, share, EMIT_SHAPE(tokens, 1, k)),
	    emit_reshape(e, x, EMIT_SHAPE(tokens, k, width)));
	x = emit_reshape(e, x, EMIT_SHAPE(tokens, width));
	if (more != EMIT_NONE)
		x = emit_binary(e, "Add", x, more);
	emit_write(e, n->out[0], x);
}
