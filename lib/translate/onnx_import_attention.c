/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds attention: softmax(scale q k' + mask) v, in the ways in which exporters write it,
 * and adds it; see onnx_import_priv.h. The mask must be a constant: the masks of exported
 * models depend on the number of tokens and on an input of ones.
 */
#include <math.h>

#include "translate/onnx_import_priv.h"

/* A number that masks a key. */
static const double masked = -1e4;

/* Returns softmax(x) if a value is Where(IsNaN(softmax(x)), 0, softmax(x)), as PyTorch
 * exports masked attention; else the value. No row is masked entirely; see read_mask. */
static uint32_t without_nan(struct onnx_trace *t, uint32_t value)
{
	const struct trace_node *where = trace_made_by(t, value, "Where"), *nan_node;

	if (!where || trace_scalar(t, trace_in(where, 1)) != 0)
		return value;
	nan_node = trace_made_by(t, trace_in(where, 0), "IsNaN");
	return nan_node && trace_in(nan_node, 0) == trace_in(where, 2) ? where->in[2]
	                                                               : value;
}

/* Returns the softmax over the last dimension that makes a value, or NULL. */
static const struct trace_node *softmax_of(struct onnx_trace *t, uint32_t value)
{
	const struct trace_node *n = trace_made_by(t, value, "Softmax");
	int64_t dims, axis;

	if (!n || trace_in(n, 0) == TRACE_NONE)
		return NULL;
	dims = t->value[n->in[0]].shape.dims;
	axis = rule_int(&n->call, "axis", onnx_opset(t->model) < 13 ? 1 : -1);
	return axis == -1 || axis == dims - 1 ? n : NULL;
}

/* The effect of a mask: none, to hide later keys, or another one. */
enum mask_kind { MASK_NONE, MASK_CAUSAL, MASK_OTHER, MASK_UNUSABLE };

/* Returns whether a mask is the same for each of several batches. */
static bool repeats_batch(const struct onnx_fact *x, int64_t count)
{
	const int64_t each = x->dims == 4 ? count / x->dim[0] : count;

	for (int64_t i = each; i < count; i++)
		if (onnx_fact_number(x, i) != onnx_fact_number(x, i - each))
			return false;
	return true;
}

/* Whether all numbers of a mask are 0, and whether it hides exactly the later keys. */
struct mask_numbers {
	bool none, causal;
};

/* Reads the numbers of a row. Returns false if one is missing, or if they hide all keys. */
static bool read_mask_row(const struct onnx_fact *x, int64_t row, int64_t rows,
    int64_t columns, struct mask_numbers *numbers)
{
	bool open = false;

	for (int64_t k = 0; k < columns; k++) {
		const double value = onnx_fact_number(x, row * columns + k);
		const bool later = k > row % rows;

		if (isnan(value))
			return false;
		numbers->none &= value == 0;
		numbers->causal &= later ? value <= masked : value == 0;
		open |= value > masked;
	}
	return open;
}

/* Reads a mask of queries and keys, which is repeated over the heads. */
static enum mask_kind read_mask(
    struct onnx_trace *t, uint32_t mask, int64_t queries, int64_t keys)
{
	const struct onnx_fact *x = trace_constant(t, mask);
	const struct trace_shape *s = &t->value[mask].shape;
	const int64_t count = x ? trace_elements(t, mask) : 0,
	              columns = s->dims ? s->size[s->dims - 1] : 1,
	              rows = s->dims > 1 ? s->size[s->dims - 2] : 1;
	struct mask_numbers numbers = { .none = true,
		.causal = rows == queries && columns == keys && rows == columns };

	if (count < 1 || s->dims > 4 || !repeats_batch(x, count) ||
	    (columns != keys && columns != 1) || (rows != queries && rows != 1))
		return MASK_UNUSABLE;
	for (int64_t row = 0; row < count / columns; row++)
		if (!read_mask_row(x, row, rows, columns, &numbers))
			return MASK_UNUSABLE;
	return numbers.none ? MASK_NONE : numbers.causal ? MASK_CAUSAL : MASK_OTHER;
}

/* Goes from the input of the softmax to the product of queries and keys, through a mask and
 * factors. Returns the product, or NULL. */
static const struct trace_node *scores_of(
    struct onnx_trace *t, uint32_t value, struct import_match *m)
{
	const struct trace_node *add = trace_made_by(t, value, "Add");

	for (uint32_t i = 0; add && i < 2; i++) {
		const uint32_t mask = trace_in(add, i), other = trace_in(add, 1 - i);

		if (mask == TRACE_NONE || other == TRACE_NONE ||
		    !t->value[mask].is_constant ||
		    trace_elements(t, other) != trace_elements(t, value))
			continue;
		m->in[3] = mask;
		value = other;
		break;
	}
	value = import_unscaled(t, value, &m->number[0]);
	return trace_made_by(t, value, "MatMul");
}

/* Returns k if a value is k with its last two dimensions exchanged by way of Reshape,
 * Transpose and Reshape; or TRACE_NONE. */
static uint32_t turned_by_three(struct onnx_trace *t, uint32_t value)
{
	const struct trace_node *last = trace_made_by(t, value, "Reshape"), *turn, *first;
	const struct trace_shape *a, *b;
	const int64_t *perm;
	uint32_t count;

	turn = last ? trace_made_by(t, trace_in(last, 0), "Transpose") : NULL;
	first = turn ? trace_made_by(t, trace_in(turn, 0), "Reshape") : NULL;
	if (!first || trace_in(first, 0) == TRACE_NONE)
		return TRACE_NONE;
	perm = rule_ints(&turn->call, "perm", &count);
	if (count != 3 || perm[0] != 0 || perm[1] != 2)
		return TRACE_NONE;
	a = &t->value[first->in[0]].shape;
	b = &t->value[value].shape;
	const struct trace_shape *middle = &t->value[turn->in[0]].shape;
	if (a->dims != 4 || b->dims != 4 || middle->dims != 3)
		return TRACE_NONE;
	return a->size[0] == b->size[0] && a->size[1] == b->size[1] &&
	               a->size[2] == b->size[3] && a->size[3] == b->size[2] &&
	               middle->size[1] == a->size[2] && middle->size[2] == a->size[3]
	           ? first->in[0]
	           : (uint32_t)TRACE_NONE;
}

/* Returns whether the operands are [batch,heads,tokens,width], or [heads,tokens,width],
 * with as many heads of keys and values as of queries, or one. */
static bool fits(const struct onnx_trace *t, uint32_t q, uint32_t k, uint32_t v)
{
	const struct trace_shape *a = &t->value[q].shape, *b = &t->value[k].shape,
	                         *c = &t->value[v].shape;
	const uint32_t dims = a->dims;

	if ((dims != 3 && dims != 4) || b->dims != dims || c->dims != dims)
		return false;
	if (dims == 4 && (a->size[0] != b->size[0] || a->size[0] != c->size[0]))
		return false;
	return b->size[dims - 3] == c->size[dims - 3] &&
	       (b->size[dims - 3] == a->size[dims - 3] || b->size[dims - 3] == 1);
}

bool import_match_attention(IMPORT_MATCH)
{
	struct onnx_trace *t = &im->t;
	const struct trace_node *softmax, *scores;
	enum mask_kind kind = MASK_NONE;

	if (trace_in(n, 0) == TRACE_NONE || trace_in(n, 1) == TRACE_NONE)
		return false;
	softmax = softmax_of(t, without_nan(t, n->in[0]));
	m->number[0] = 1;
	m->in[3] = TRACE_NONE;
	scores = softmax ? scores_of(t, softmax->in[0], m) : NULL;
	if (!scores || trace_in(scores, 0) == TRACE_NONE ||
	    trace_in(scores, 1) == TRACE_NONE)
		return false;
	m->in[2] = n->in[1];
	m->in[0] = import_unscaled(t, scores->in[0], &m->number[0]);
	m->in[1] = import_unscaled(t, scores->in[1], &m->number[0]);
	if (!fits(t, m->in[0], m->in[1], m->in[2]))
		return false;
	const struct trace_shape *s = &t->value[scores->out[0]].shape;
	if (m->in[3] != TRACE_NONE)
		kind = read_mask(t, m->in[3], s->size[s->dims - 2], s->size[s->dims - 1]);
	if (kind == MASK_UNUSABLE)
		return false;
	m->number[1] = kind;
	const uint32_t keys = turned_by_three(t, m->in[1]);
	m->flag = keys != TRACE_NONE;
	m->in[1] = m->flag ? keys : m->in[1];
	return true;
}

/* A softmax whose rows of NAN become 0: the mask leaves each row a key. */
bool import_match_softmax(IMPORT_MATCH)
{
	const uint32_t softmax = trace_out(n, 0) == TRACE_NONE
	                             ? (uint32_t)TRACE_NONE
	                             : without_nan(&im->t, n->out[0]);
	const struct trace_node *made;

	if (softmax == TRACE_NONE || softmax == n->out[0])
		return false;
	made = softmax_of(&im->t, softmax);
	if (!made)
		return false;
	m->in[0] = softmax;
	m->number[0] = 1;
	m->in[3] = TRACE_NONE;
	(void)scores_of(&im->t, made->in[0], m);
	if (m->in[3] == TRACE_NONE)
		return true;
	const struct trace_shape *s = &im->t.value[softmax].shape;
	const bool usable =
	    s->dims >= 2 && read_mask(&im->t, m->in[3], s->size[s->dims - 2],
	                        s->size[s->dims - 1]) != MASK_UNUSABLE;
	m->in[3] = TRACE_NONE;
	return usable;
}

/* Returns queries, keys or values [..,heads,tokens,width] as [batch,tokens,heads width].
 * Stores the number of heads. */
static uint32_t tokens(struct import *im, struct import_view v, int64_t *heads)
{
	static const uint32_t order[] = { 0, 2, 1, 3 };
	struct import_view four = v;

	if (v.shape.dims == 3) {
		const int64_t *s = v.shape.size;

		four.shape = IMPORT_SHAPE(1, s[0], s[1], s[2]);
		for (uint32_t i = 3; i > 0; i--)
			four.stride[i] = v.stride[i - 1];
		four.stride[0] = s[0] * v.stride[0];
	}
	*heads = four.shape.size[1];
	four = import_permute(four, order);
	const int64_t *s = four.shape.size;
	return import_operand(im, four, IMPORT_SHAPE(s[0], s[1], s[2] * s[3]), IMPORT_ROWS);
}

/* Returns the bias [heads,queries,keys] of a mask, or GRAPH_NONE. */
static uint32_t mask_bias(struct import *im, const struct import_match *m, int64_t heads,
    int64_t queries, int64_t keys)
{
	struct import_view v;

	if (m->in[3] == TRACE_NONE || m->number[1] < 2)
		return GRAPH_NONE;
	v = import_see(im, m->in[3]);
	/* The mask is the same for all batches. */
	if (v.shape.dims == 4) {
		v.shape.size[0] = 1;
		(void)import_reshape(&v, import_shape(3, v.shape.size + 1));
	}
	v = import_broadcast(v, IMPORT_SHAPE(heads, queries, keys));
	return import_operand(im, v, v.shape, IMPORT_ROWS);
}

void import_matched_attention(IMPORT_PARAMS)
{
	static const uint32_t back[] = { 0, 2, 1, 3 };
	struct import_view q = import_see(im, m->in[0]), k = import_see(im, m->in[1]),
	                   v = import_see(im, m->in[2]), whole;
	const uint32_t dims = q.shape.dims;
	struct trace_shape made = *import_made(im, n, 0);
	int64_t heads, kv_heads, value_heads, batch = dims == 4 ? q.shape.size[0] : 1,
	                                      queries = q.shape.size[dims - 2],
	                                      width = v.shape.size[dims - 1];

	if (!m->flag)
		k = import_turned(k);
	const int64_t keys = k.shape.size[dims - 2];
	uint32_t a = tokens(im, q, &heads), b = tokens(im, k, &kv_heads),
	         c = tokens(im, v, &value_heads),
	         bias = mask_bias(im, m, heads, queries, keys),
	         out = import_new(im, IMPORT_SHAPE(batch, queries, heads * width));
	struct backend_op *op = import_node(im, BACKEND_ATTENTION, out, a, b, c, bias);
	op->p.attention.heads = heads;
	op->p.attention.kv_heads = kv_heads;
	op->p.attention.scale = m->number[0];
	op->p.attention.causal = m->number[1] == 1;
	whole = import_permute(
	    import_whole(im, out, IMPORT_SHAPE(batch, queries, heads, width)), back);
	if (dims == 3)
		(void)import_reshape(&whole, made);
	import_output(im, n, 0, whole);
}
