/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule of Einsum; see onnx_rules_priv.h.
 */
#include "onnx/onnx_fold_priv.h"

static bool letter_of(char c, uint32_t *out)
{
	if (c >= 'A' && c <= 'Z')
		*out = (uint32_t)(c - 'A');
	else if (c >= 'a' && c <= 'z')
		*out = (uint32_t)(c - 'a') + 26;
	else
		return false;
	return true;
}

/* Reads the letters of operand i, up to a comma or an arrow. */
static int read_operand(
    struct rule_call *c, struct rule_equation *e, uint32_t i, struct text *left)
{
	const struct onnx_fact *x = rule_in(c, i);
	uint32_t dims = 0, letter;

	if (!x)
		return rule_missing(c);
	for (; left->len && *left->ptr != ',' && *left->ptr != '-';
	     left->ptr++, left->len--) {
		if (*left->ptr == ' ')
			continue;
		if (!letter_of(*left->ptr, &letter))
			return rule_wrong(c, "ellipses in its equation are not supported");
		if (dims >= x->dims || (e->uses[letter] && e->size[letter] != x->dim[dims]))
			return rule_wrong(c, "operand %u does not fit the equation", i);
		if (i < RULE_OPERANDS)
			e->letter[i][dims] = letter;
		e->size[letter] = x->dim[dims++];
		e->uses[letter]++;
	}
	if (dims != x->dims)
		return rule_wrong(c, "operand %u does not fit the equation", i);
	if (left->len && *left->ptr == ',')
		*left = text_after(*left, 1);
	return RULE_FINE;
}

/* Reads the letters of the result. Without an arrow, they are those that occur once, in
 * alphabetical order. */
static int read_result(struct rule_call *c, struct rule_equation *e, struct text left)
{
	uint32_t letter;

	if (!left.len)
		for (letter = 0; letter < RULE_LETTERS; letter++)
			if (e->uses[letter] == 1) {
				e->order[e->outs++] = letter;
				e->is_out[letter] = true;
			}
	for (size_t i = 2; i < left.len; i++) {
		if (left.ptr[i] == ' ')
			continue;
		if (!letter_of(left.ptr[i], &letter) || !e->uses[letter] ||
		    e->is_out[letter])
			return rule_wrong(c, "its equation is not supported");
		e->order[e->outs++] = letter;
		e->is_out[letter] = true;
	}
	return RULE_FINE;
}

int rule_equation_read(struct rule_call *c, struct rule_equation *e)
{
	struct text left = rule_text(c, "equation", "");
	int status = RULE_FINE;

	*e = (struct rule_equation){ 0 };
	if (c->ins > RULE_OPERANDS)
		return rule_wrong(c, "products of %u operands are not counted", c->ins);
	for (uint32_t i = 0; i < c->ins && status == RULE_FINE; i++)
		status = read_operand(c, e, i, &left);
	return status == RULE_FINE ? read_result(c, e, left) : status;
}

/* Counts the product of all sizes if two operands are multiplied and summed. */
int rule_einsum(struct rule_call *c)
{
	struct rule_equation e;
	int64_t dim[ONNX_DIMS_MAX];
	double product = 1;
	bool sums = false;
	const int status = rule_equation_read(c, &e);

	if (status != RULE_FINE)
		return status;
	for (uint32_t i = 0; i < RULE_LETTERS; i++)
		if (e.uses[i]) {
			product *= (double)e.size[i];
			sums |= !e.is_out[i];
		}
	for (uint32_t i = 0; i < e.outs; i++)
		dim[i] = e.size[e.order[i]];
	c->macs = sums && c->ins == 2 ? product : 0;
	return rule_out(c, 0, dim, e.outs);
}

/* Folds a product without sums, such as the angles of a rotary embedding. */
bool fold_einsum(const struct folding *f)
{
	struct rule_equation e;
	struct fold_walk walk[RULE_OPERANDS] = { { 0 } };

	if (rule_equation_read(f->call, &e) != RULE_FINE || !fold_is_real(f->result->type))
		return false;
	for (uint32_t i = 0; i < RULE_LETTERS; i++)
		if (e.uses[i] && !e.is_out[i])
			return false;
	for (uint32_t i = 0; i < f->ins; i++) {
		int64_t own[ONNX_DIMS_MAX];

		if (f->shape[i]->type != f->result->type)
			return false;
		walk[i] =
		    (struct fold_walk){ .dim = f->result->dim, .dims = f->result->dims };
		fold_strides(f->shape[i], own);
		for (uint32_t d = 0; d < f->shape[i]->dims; d++)
			for (uint32_t k = 0; k < e.outs; k++)
				if (e.order[k] == e.letter[i][d])
					walk[i].stride[k] += own[d];
	}
	for (int64_t at = 0; at < f->elements; at++) {
		union fold_cell product = { .r = 1 };

		for (uint32_t i = 0; i < f->ins; i++) {
			product.r *= f->in[i][walk[i].from].r;
			fold_walk_on(&walk[i]);
		}
		f->out[at] = fold_narrowed(f->result->type, product);
	}
	return true;
}
