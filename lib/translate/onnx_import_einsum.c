/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds an Einsum of two operands as a product of matrices; see onnx_import_priv.h.
 */
#include "translate/onnx_import_priv.h"

/* The roles of letters: in both operands and the result, in one operand and the result, and
 * in both operands only. */
enum letter_role { LETTER_BATCH, LETTER_OWN, LETTER_SUM, LETTER_ROLES };

static bool has_letter(
    const struct rule_equation *e, uint32_t i, uint32_t dims, uint32_t letter)
{
	for (uint32_t d = 0; d < dims; d++)
		if (e->letter[i][d] == letter)
			return true;
	return false;
}

/* Returns the role of a letter of an operand. */
static enum letter_role role_of(const struct rule_equation *e,
    const struct trace_shape *other, uint32_t i, uint32_t letter)
{
	if (!has_letter(e, 1 - i, other->dims, letter))
		return LETTER_OWN;
	return e->is_out[letter] ? LETTER_BATCH : LETTER_SUM;
}

/* An operand as [batch,own,sum], and the letters of the result that it has. */
struct einsum_side {
	struct import_view view;
	int64_t size[LETTER_ROLES];
	uint32_t letter[TRACE_DIMS], letters; /* of LETTER_OWN */
};

/* Puts the dimensions of an operand in the order of their roles, those of a role in the
 * order of their letters. */
static void order_side(struct import *im, const struct trace_node *n,
    const struct rule_equation *e, uint32_t i, struct einsum_side *side)
{
	const struct import_view v = import_input(im, n, i);
	const struct trace_shape other = import_input(im, n, 1 - i).shape;
	uint32_t order[TRACE_DIMS], at = 0;

	*side = (struct einsum_side){ .size = { 1, 1, 1 } };
	for (int role = 0; role < LETTER_ROLES; role++)
		for (uint32_t letter = 0; letter < RULE_LETTERS; letter++)
			for (uint32_t d = 0; d < v.shape.dims; d++) {
				if (e->letter[i][d] != letter ||
				    (int)role_of(e, &other, i, letter) != role)
					continue;
				if (role == LETTER_OWN)
					side->letter[side->letters++] = letter;
				if (role == LETTER_OWN && !e->is_out[letter])
					trace_lack(&im->t, n,
					    "it sums a dimension of one operand");
				side->size[role] *= v.shape.size[d];
				order[at++] = d;
			}
	for (uint32_t letter = 0; letter < RULE_LETTERS; letter++)
		if (e->uses[letter] >
		    1 + (uint32_t)has_letter(e, 1 - i, other.dims, letter))
			trace_lack(&im->t, n, "an operand has a letter twice");
	side->view = import_permute(v, order);
}

/* Returns an operand as matrices. */
static uint32_t matrices(struct import *im, const struct einsum_side *side)
{
	return import_operand(im, side->view,
	    IMPORT_SHAPE(side->size[0], side->size[1], side->size[2]), IMPORT_ROWS);
}

void import_einsum(IMPORT_PARAMS)
{
	const struct trace_shape made = *import_made(im, n, 0);
	struct rule_call call = n->call;
	struct rule_equation e;
	struct einsum_side a, b;
	struct trace_shape shape = { 0 };
	uint32_t letter[TRACE_DIMS], back[TRACE_DIMS];

	(void)m;
	if (n->call.ins != 2 || rule_equation_read(&call, &e) != RULE_FINE) {
		trace_lack(&im->t, n, "it does not have two operands");
		return;
	}
	order_side(im, n, &e, 0, &a);
	order_side(im, n, &e, 1, &b);
	if (im->t.failed)
		return;
	const uint32_t x = matrices(im, &a), y = matrices(im, &b),
	               out = import_new(im, IMPORT_SHAPE(a.size[0], a.size[1], b.size[1]));
	struct backend_op *op =
	    import_node(im, BACKEND_GEMM, out, x, y, GRAPH_NONE, GRAPH_NONE);
	op->p.gemm.alpha = 1;
	op->p.gemm.transpose = true;
	/* The letters of the product: those of the batch, of a and of b. */
	for (uint32_t l = 0; l < RULE_LETTERS; l++)
		if (e.is_out[l] && e.uses[l] == 2)
			letter[shape.dims++] = l;
	for (uint32_t i = 0; i < a.letters; i++)
		letter[shape.dims++] = a.letter[i];
	for (uint32_t i = 0; i < b.letters; i++)
		letter[shape.dims++] = b.letter[i];
	for (uint32_t i = 0; i < shape.dims; i++)
		shape.size[i] = e.size[letter[i]];
	for (uint32_t k = 0; k < made.dims; k++)
		for (uint32_t i = 0; i < shape.dims; i++)
			if (e.order[k] == letter[i])
				back[k] = i;
	import_output(im, n, 0, import_permute(import_whole(im, out, shape), back));
}
