/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules of operators that compute each element of the result from elements at the same
 * place, and of reductions; see onnx_rules_priv.h.
 */
#include "onnx/onnx_rules_priv.h"

int rule_same(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);

	return x ? rule_out_same(c, 0, x) : rule_missing(c);
}

int rule_broadcasted(struct rule_call *c)
{
	int64_t dim[ONNX_DIMS_MAX];
	uint32_t dims = 0;

	if (!c->ins)
		return rule_wrong(c, "an operand is missing");
	for (uint32_t i = 0; i < c->ins; i++) {
		const struct onnx_fact *v = rule_in(c, i);

		if (!v)
			return rule_missing(c);
		if (!rule_broadcast(c, dim, &dims, v->dim, v->dims))
			return RULE_WRONG;
	}
	return rule_out(c, 0, dim, dims);
}

int rule_where(struct rule_call *c)
{
	if (c->ins != 3)
		return rule_wrong(c, "%u operands instead of 3", c->ins);
	if (rule_has(c, 1) && c->outs && c->out[0])
		c->out[0]->type = c->in[1]->type;
	return rule_broadcasted(c);
}

int rule_reduced_axes(struct rule_call *c, uint32_t rank, bool reduced[ONNX_DIMS_MAX])
{
	uint32_t count, axis;
	const int64_t *axes = rule_integers(c, 1, "axes", &count);

	if (!axes && rule_has(c, 1))
		return RULE_UNKNOWN;
	for (uint32_t i = 0; i < rank; i++)
		reduced[i] = !count && !rule_int(c, "noop_with_empty_axes", 0);
	for (uint32_t i = 0; i < count; i++) {
		if (!rule_axis(c, axes[i], rank, &axis))
			return RULE_WRONG;
		reduced[axis] = true;
	}
	return RULE_FINE;
}

/* Sets result i to the shape of v without the reduced dimensions. */
static int out_reduced(struct rule_call *c, uint32_t i, const struct onnx_fact *v,
    const bool *reduced, bool keep)
{
	int64_t dim[ONNX_DIMS_MAX];
	uint32_t dims = 0;

	for (uint32_t j = 0; j < v->dims; j++)
		if (!reduced[j])
			dim[dims++] = v->dim[j];
		else if (keep)
			dim[dims++] = 1;
	return rule_out(c, i, dim, dims);
}

int rule_reduce(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	bool reduced[ONNX_DIMS_MAX];
	int status = x ? rule_reduced_axes(c, x->dims, reduced) : rule_missing(c);

	return status == RULE_FINE
	           ? out_reduced(c, 0, x, reduced, rule_int(c, "keepdims", 1) != 0)
	           : status;
}

int rule_arg(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	bool reduced[ONNX_DIMS_MAX] = { false };
	uint32_t axis;

	if (!x)
		return rule_missing(c);
	if (!rule_axis(c, rule_int(c, "axis", 0), x->dims, &axis))
		return RULE_WRONG;
	reduced[axis] = true;
	return out_reduced(c, 0, x, reduced, rule_int(c, "keepdims", 1) != 0);
}

int rule_cast(struct rule_call *c)
{
	int64_t type = rule_int(c, "to", rule_int(c, "dtype", 0));

	if (type < 0 || type >= ONNX_TYPES)
		return rule_wrong(c, "element type %lld is unknown", (long long)type);
	if (c->outs && c->out[0])
		c->out[0]->type = type             ? type
		                  : rule_has(c, 1) ? c->in[1]->type /* CastLike */
		                                   : c->out[0]->type;
	return rule_same(c);
}

/* LayerNormalization with its mean and deviation, BatchNormalization, Dropout: the first
 * result has the shape of the operand. */
int rule_normalize(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	uint32_t axis;

	if (!x)
		return rule_missing(c);
	rule_out_same(c, 0, x);
	if (text_is(c->node->op, "Dropout")) {
		if (c->outs > 1 && c->out[1])
			c->out[1]->type = ONNX_BOOL;
		return rule_out_same(c, 1, x);
	}
	if (!text_is(c->node->op, "LayerNormalization"))
		return RULE_FINE;
	if (!rule_axis(c, rule_int(c, "axis", -1), x->dims, &axis))
		return RULE_WRONG;
	bool reduced[ONNX_DIMS_MAX];
	for (uint32_t i = 0; i < x->dims; i++)
		reduced[i] = i >= axis;
	return out_reduced(c, 1, x, reduced, true) < 0 ||
	               out_reduced(c, 2, x, reduced, true) < 0
	           ? RULE_WRONG
	           : RULE_FINE;
}

int rule_quantize(struct rule_call *c)
{
	int64_t type = rule_int(c, "output_dtype", 0);
	const struct onnx_fact *x = rule_in(c, 0);

	if (!x)
		return rule_missing(c);
	if (text_is(c->node->op, "DynamicQuantizeLinear")) {
		if (rule_out(c, 1, NULL, 0) < 0 || rule_out(c, 2, NULL, 0) < 0)
			return RULE_WRONG;
		if (c->outs > 1 && c->out[1])
			c->out[1]->type = ONNX_FLOAT;
	} else if (c->outs && c->out[0] && rule_has(c, 2)) {
		c->out[0]->type = c->in[2]->type;
	} else if (c->outs && c->out[0] && type > 0 && type < ONNX_TYPES) {
		c->out[0]->type = type;
	}
	return rule_out_same(c, 0, x);
}

/* DequantizeLinear, and DequantizeBlocks, which replaces a part of GatherBlockQuantized:
 * numbers of fewer than 8 bits may be packed in those of uint8. */
int rule_dequantize(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	const int64_t bits = rule_int(c, "bits", 4);
	int64_t dim[ONNX_DIMS_MAX];

	if (rule_has(c, 1) && c->outs && c->out[0])
		c->out[0]->type = c->in[1]->type;
	if (!x || !x->dims || x->type != ONNX_UINT8 ||
	    !text_is(c->node->op, "DequantizeBlocks"))
		return rule_same(c);
	if (bits != 2 && bits != 4 && bits != 8)
		return rule_wrong(c, "numbers of %lld bits", (long long)bits);
	memcpy(dim, x->dim, x->dims * sizeof(*dim));
	if (dim[x->dims - 1] <= INT32_MAX)
		dim[x->dims - 1] *= 8 / bits;
	return rule_out(c, 0, dim, x->dims);
}

int rule_top_k(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	int64_t dim[ONNX_DIMS_MAX], k;
	uint32_t axis, count;
	const int64_t *given = rule_integers(c, 1, NULL, &count);

	if (!x)
		return rule_missing(c);
	if (!rule_has_attribute(c, "k") && (!given || count != 1))
		return RULE_UNKNOWN;
	k = rule_has_attribute(c, "k") ? rule_int(c, "k", 0) : given[0];
	if (!rule_axis(c, rule_int(c, "axis", -1), x->dims, &axis))
		return RULE_WRONG;
	memcpy(dim, x->dim, x->dims * sizeof(*dim));
	dim[axis] = k;
	if (c->outs > 1 && c->out[1])
		c->out[1]->type = ONNX_INT64;
	return rule_out(c, 0, dim, x->dims) < 0 || rule_out(c, 1, dim, x->dims) < 0
	           ? RULE_WRONG
	           : RULE_FINE;
}

int rule_data(struct rule_call *c)
{
	(void)c;
	return RULE_DATA;
}
