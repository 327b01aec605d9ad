/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of Fourier transforms; see onnx_rules_priv.h.
 */
#include "onnx/onnx_rules_priv.h"

/* Stores the only integer of an operand. Returns the status of the rule. */
static int operand_number(struct rule_call *c, uint32_t i, int64_t *out)
{
	const struct onnx_fact *x = rule_in(c, i);

	if (!x)
		return rule_missing(c);
	if (onnx_fact_elements(x) != 1 || !onnx_fact_known(c->shapes, x) || !x->integer)
		return RULE_UNKNOWN;
	*out = x->integer[0];
	return RULE_FINE;
}

int rule_transform_read(struct rule_call *c, struct rule_transform *t)
{
	const struct onnx_fact *x = rule_in(c, 0);
	int64_t axis = rule_int(c, "axis", -2);
	int status = RULE_FINE;

	*t = (struct rule_transform){ .inverse = rule_int(c, "inverse", 0) != 0,
		.onesided = rule_int(c, "onesided", 0) != 0 };
	if (!x)
		return rule_missing(c);
	if (x->dims < 2)
		return rule_wrong(c, "its operand has fewer than two dimensions");
	if (rule_has(c, 2))
		status = operand_number(c, 2, &axis);
	/* The default was 1 before version 20. */
	else if (!rule_has_attribute(c, "axis") && x->dims != 3)
		status = RULE_UNKNOWN;
	if (status != RULE_FINE)
		return status;
	if (!rule_axis(c, axis, x->dims, &t->axis))
		return RULE_WRONG;
	/* The inverse of half a spectrum is real. */
	t->is_real = t->inverse && t->onesided;
	t->length = t->is_real ? 2 * (x->dim[t->axis] - 1) : x->dim[t->axis];
	if (rule_has(c, 1))
		status = operand_number(c, 1, &t->length);
	if (status != RULE_FINE)
		return status;
	if (t->axis == x->dims - 1 || t->length < 1 || t->length > INT32_MAX ||
	    (x->dim[x->dims - 1] != 1 && x->dim[x->dims - 1] != 2))
		return rule_wrong(
		    c, "its axis, its length or its last dimension is impossible");
	t->bins = t->onesided && !t->inverse ? t->length / 2 + 1 : t->length;
	return RULE_FINE;
}

int rule_dft(struct rule_call *c)
{
	struct rule_transform t;
	int64_t dim[ONNX_DIMS_MAX];
	const int status = rule_transform_read(c, &t);

	if (status != RULE_FINE)
		return status;
	memcpy(dim, c->in[0]->dim, c->in[0]->dims * sizeof(*dim));
	dim[t.axis] = t.bins;
	dim[c->in[0]->dims - 1] = t.is_real ? 1 : 2;
	return rule_out(c, 0, dim, c->in[0]->dims);
}

int rule_windows_read(struct rule_call *c, struct rule_windows *w)
{
	const struct onnx_fact *x = rule_in(c, 0);
	int status = x ? operand_number(c, 1, &w->step) : rule_missing(c);

	if (status != RULE_FINE)
		return status;
	if (rule_has(c, 3)) {
		status = operand_number(c, 3, &w->length);
	} else {
		const struct onnx_fact *window = rule_in(c, 2);

		if (!window)
			return rule_missing(c);
		w->length = onnx_fact_elements(window);
	}
	if (status != RULE_FINE)
		return status;
	if (x->dims < 2 || x->dims > 3 || w->step < 1 || w->step > INT32_MAX ||
	    w->length < 1 || w->length > x->dim[1])
		return rule_wrong(c, "its signal, its step or its length is impossible");
	w->windows = (x->dim[1] - w->length) / w->step + 1;
	w->bins = rule_int(c, "onesided", 1) ? w->length / 2 + 1 : w->length;
	return RULE_FINE;
}

int rule_stft(struct rule_call *c)
{
	struct rule_windows w = { 0 };
	const int status = rule_windows_read(c, &w);

	return status == RULE_FINE
	           ? rule_out(
	                 c, 0, (int64_t[]){ c->in[0]->dim[0], w.windows, w.bins, 2 }, 4)
		   : status;
}
