/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule of Einsum; see onnx_rules_priv.h.
 */
#include "onnx/onnx_rules_priv.h"

enum { LETTERS = 52 };

struct equation {
	int64_t size[LETTERS];
	uint32_t uses[LETTERS];
	bool is_out[LETTERS];
	uint32_t order[ONNX_DIMS_MAX], outs; /* the letters of the result */
};

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
    struct rule_call *c, struct equation *e, uint32_t i, struct text *left)
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
		e->size[letter] = x->dim[dims++];
		e->uses[letter]++;
	}
	if (dims != x->dims)
		return rule_wrong(c, "operand %u does not fit the equation", i);
	if (left->len && *left->ptr == ',')
		*left = (struct text){ left->ptr + 1, left->len - 1 };
	return RULE_FINE;
}

/* Reads the letters of the result. Without an arrow, they are those that occur once, in
 * alphabetical order. */
static int read_result(struct rule_call *c, struct equation *e, struct text left)
{
	uint32_t letter;

	if (!left.len)
		for (letter = 0; letter < LETTERS; letter++)
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

/* Counts the product of all sizes if two operands are multiplied and summed. */
int rule_einsum(struct rule_call *c)
{
	struct text left = rule_text(c, "equation", "");
	struct equation e = { 0 };
	int64_t dim[ONNX_DIMS_MAX];
	double product = 1;
	bool sums = false;
	int status = RULE_FINE;

	if (c->ins > 2)
		return rule_wrong(c, "products of %u operands are not counted", c->ins);
	for (uint32_t i = 0; i < c->ins && status == RULE_FINE; i++)
		status = read_operand(c, &e, i, &left);
	if (status == RULE_FINE)
		status = read_result(c, &e, left);
	if (status != RULE_FINE)
		return status;
	for (uint32_t i = 0; i < LETTERS; i++)
		if (e.uses[i]) {
			product *= (double)e.size[i];
			sums |= !e.is_out[i];
		}
	for (uint32_t i = 0; i < e.outs; i++)
		dim[i] = e.size[e.order[i]];
	c->macs = sums && c->ins == 2 ? product : 0;
	return rule_out(c, 0, dim, e.outs);
}
