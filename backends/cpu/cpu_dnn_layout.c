/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the tensors of a list that are laid out in blocks of channels: all that may be,
 * except those for which one of their operations does not support it.
 */
#include <string.h>

#include "cpu_dnn_priv.h"

/* The mark of a tensor, which is in its `layout` while a list is prepared. */
enum { UNSEEN, PLAIN, BLOCKED };

static bool tensor_may_block(const struct cpu_dnn *d, const struct backend_tensor *t)
{
	return t->role == BACKEND_ACTIVATION && t->whole && cpu_dnn_takes(d, t->dtype) &&
	       t->dims == 4 && t->size[1] % d->block == 0;
}

bool cpu_dnn_is_pixel(const struct backend_tensor *t)
{
	return t->dims == 4 && t->size[2] == 1 && t->size[3] == 1;
}

static bool tensors_same_size(
    const struct backend_tensor *a, const struct backend_tensor *b)
{
	return a->dims == b->dims &&
	       memcmp(a->size, b->size, a->dims * sizeof(*a->size)) == 0;
}

bool cpu_dnn_takes_weights(const struct backend_op *op)
{
	return op->in[1]->role == BACKEND_WEIGHT;
}

bool cpu_dnn_groups_fit(const struct cpu_dnn *d, const struct backend_op *op)
{
	int64_t groups = op->p.conv.groups, in = op->in[0]->size[1],
	        out = op->out[0]->size[1];
	return groups == 1 || (groups == in && groups == out) ||
	       (in / groups % d->block == 0 && out / groups % d->block == 0);
}

/* The marks that an operation supports on its tensors. */
enum demand { ALL_PLAIN, ALL_ALIKE, EACH, OUT_FOLLOWS_IN };

static enum demand op_demand(const struct cpu_dnn *d, const struct backend_op *op)
{
	/* An operation that runs in int8. */
	if (op->own)
		return ALL_PLAIN;
	switch (op->kind) {
	case BACKEND_CONV:
		return cpu_dnn_takes_weights(op) && cpu_dnn_groups_fit(d, op) ? EACH
		                                                              : ALL_PLAIN;
	case BACKEND_POOL:
		return OUT_FOLLOWS_IN;
	case BACKEND_UNARY:
	case BACKEND_ROUND:
		return ALL_ALIKE;
	case BACKEND_BINARY:
		return tensors_same_size(op->in[0], op->in[1]) && op->p.element.inner == 1
		           ? ALL_ALIKE
		           : ALL_PLAIN;
	default:
		return ALL_PLAIN;
	}
}

static bool tensor_make_plain(struct backend_tensor *t)
{
	bool changed = t && t->layout == BLOCKED;
	if (changed)
		t->layout = PLAIN;
	return changed;
}

bool cpu_dnn_is_blocked(const struct backend_tensor *t)
{
	return t && t->layout == BLOCKED;
}

/* Returns tensor i of an operation, inputs first; it may be NULL. */
static struct backend_tensor *op_tensor(const struct backend_op *op, int i)
{
	return i < BACKEND_INS ? op->in[i] : op->out[i - BACKEND_INS];
}

enum { TENSORS = BACKEND_INS + BACKEND_OUTS };

bool cpu_dnn_make_plain(const struct backend_op *op)
{
	bool changed = false;
	for (int i = 0; i < TENSORS; i++)
		changed = tensor_make_plain(op_tensor(op, i)) || changed;
	return changed;
}

bool cpu_dnn_settle(const struct cpu_dnn *d, const struct backend_op *op)
{
	switch (op_demand(d, op)) {
	case ALL_PLAIN:
		return cpu_dnn_make_plain(op);
	case ALL_ALIKE:
		for (int i = 0; i < TENSORS; i++)
			if (op_tensor(op, i) && !cpu_dnn_is_blocked(op_tensor(op, i)))
				return cpu_dnn_make_plain(op);
		return false;
	case EACH:
		/* The residual has the layout of the result. */
		if (op->in[3] &&
		    cpu_dnn_is_blocked(op->in[3]) != cpu_dnn_is_blocked(op->out[0]))
			return tensor_make_plain(op->in[3]) ||
			       tensor_make_plain(op->out[0]);
		return false;
	case OUT_FOLLOWS_IN:
		if (cpu_dnn_is_blocked(op->in[0]) &&
		    (cpu_dnn_is_blocked(op->out[0]) || cpu_dnn_is_pixel(op->out[0])))
			return false;
		return cpu_dnn_make_plain(op);
	}
	return false;
}

void cpu_dnn_mark(const struct cpu_dnn *d, struct backend_op *op, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (int j = 0; j < TENSORS; j++) {
			struct backend_tensor *t = op_tensor(&op[i], j);
			if (t)
				t->layout = tensor_may_block(d, t) ? BLOCKED : PLAIN;
		}
	}
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 0; i < count; i++)
			changed = cpu_dnn_settle(d, &op[i]) || changed;
	}
}
