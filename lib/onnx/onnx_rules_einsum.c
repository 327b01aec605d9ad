/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule of Einsum; see onnx_rules_priv.h.
 */
#include "onnx/onnx_fold_priv.h"

/* The first letters are the dimensions of an ellipsis, the last one at the end. */
static bool letter_of(char c, uint32_t *out)
{
	if (c >= 'A' && c <= 'Z')
		*out = RULE_ELLIPSIS + (uint32_t)(c - 'A');
	else if (c >= 'a' && c <= 'z')
		*out = RULE_ELLIPSIS + (uint32_t)(c - 'a') + 26;
	else
		return false;
	return true;
}

/* Gives the next dimension of operand i a letter. Returns whether it fits. */
static bool use_letter(struct rule_equation *e, uint32_t i, const struct onnx_fact *x,
    uint32_t *dims, uint32_t letter)
{
	if (*dims >= x->dims || (e->uses[letter] && e->size[letter] != x->dim[*dims]))
		return false;
	if (i < RULE_OPERANDS)
		e->letter[i][*dims] = letter;
	e->size[letter] = x->dim[(*dims)++];
	e->uses[letter]++;
	return true;
}

/* Returns the part of an equation before a comma or an arrow, which is removed. */
static struct text take_part(struct text *left)
{
	struct text part = { left->ptr, 0 };

	while (
	    part.len < left->len && part.ptr[part.len] != ',' && part.ptr[part.len] != '-')
		part.len++;
	*left = text_after(*left, part.len);
	return part;
}

/* Reads the letters of operand i. */
static int read_operand(
    struct rule_call *c, struct rule_equation *e, uint32_t i, struct text *left)
{
	const struct onnx_fact *x = rule_in(c, i);
	const struct text part = take_part(left);
	uint32_t dims = 0, letter, letters = 0;
	bool fits = true;

	if (!x)
		return rule_missing(c);
	for (size_t k = 0; k < part.len; k++)
		letters += letter_of(part.ptr[k], &letter);
	for (size_t k = 0; k < part.len && fits; k++) {
		const uint32_t rest = x->dims > letters ? x->dims - letters : 0;

		if (part.ptr[k] == ' ')
			continue;
		if (letter_of(part.ptr[k], &letter)) {
			fits = use_letter(e, i, x, &dims, letter);
			continue;
		}
		fits = text_begins(text_after(part, k), "...") && rest <= RULE_ELLIPSIS;
		for (uint32_t d = 0; d < rest && fits; d++)
			fits = use_letter(e, i, x, &dims, RULE_ELLIPSIS - rest + d);
		k += 2;
	}
	if (!fits || dims != x->dims)
		return rule_wrong(c, "operand %u does not fit the equation", i);
	if (left->len && *left->ptr == ',')
		*left = text_after(*left, 1);
	return RULE_FINE;
}

/* Adds a letter to the result. Returns whether it is one of the operands, and new. */
static bool put_letter(struct rule_equation *e, uint32_t letter)
{
	if (!e->uses[letter] || e->is_out[letter] || e->outs == ONNX_DIMS_MAX)
		return false;
	e->order[e->outs++] = letter;
	e->is_out[letter] = true;
	return true;
}

/* Reads the letters of the result. Without an arrow, they are those of the ellipsis, and
 * those that occur once, in alphabetical order. */
static int read_result(struct rule_call *c, struct rule_equation *e, struct text left)
{
	uint32_t letter;
	bool fits = true;

	for (letter = 0; letter < RULE_LETTERS && !left.len; letter++)
		if (e->uses[letter] == 1 || letter < RULE_ELLIPSIS)
			(void)put_letter(e, letter);
	for (size_t i = 2; i < left.len && fits; i++) {
		if (left.ptr[i] == ' ')
			continue;
		if (letter_of(left.ptr[i], &letter)) {
			fits = put_letter(e, letter);
			continue;
		}
		fits = text_begins(text_after(left, i), "...");
		for (letter = 0; letter < RULE_ELLIPSIS && fits; letter++)
			(void)put_letter(e, letter);
		i += 2;
	}
	return fits ? RULE_FINE : rule_wrong(c, "its equation is not supported");
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
