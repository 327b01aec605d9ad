/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules of operators that make tensors of constants and sizes; see onnx_rules_priv.h.
 */
#include <math.h>

#include "onnx/onnx_rules_priv.h"

static void set_type(struct rule_call *c, int64_t type)
{
	if (c->outs && c->out[0])
		c->out[0]->type = type;
}

int rule_constant(struct rule_call *c)
{
	const struct onnx_attribute *a =
	    c->node->attributes == 1 ? &c->node->attribute[0] : NULL;
	int64_t count = !a                                 ? 0
	                : a->type == ONNX_ATTRIBUTE_INTS   ? a->int_count
	                : a->type == ONNX_ATTRIBUTE_FLOATS ? a->float_count
	                                                   : a->string_count;

	if (!a)
		return rule_wrong(c, "%u attributes instead of one", c->node->attributes);
	switch (a->type) {
	case ONNX_ATTRIBUTE_TENSOR:
		set_type(c, a->t->type);
		if (c->outs && c->out[0])
			c->out[0]->tensor = a->t;
		return rule_out(c, 0, a->t->dim, a->t->dims);
	case ONNX_ATTRIBUTE_INT:
	case ONNX_ATTRIBUTE_INTS:
		set_type(c, ONNX_INT64);
		break;
	case ONNX_ATTRIBUTE_FLOAT:
	case ONNX_ATTRIBUTE_FLOATS:
		set_type(c, ONNX_FLOAT);
		break;
	case ONNX_ATTRIBUTE_STRING:
	case ONNX_ATTRIBUTE_STRINGS:
		set_type(c, ONNX_STRING);
		break;
	default:
		return rule_wrong(c, "its value is no tensor, number or string");
	}
	return rule_out(c, 0, &count, a->type >= ONNX_ATTRIBUTE_FLOATS);
}

int rule_shape(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	int64_t rank, start, end, count;

	if (!x)
		return rule_missing(c);
	rank = x->dims;
	start = rule_int(c, "start", 0);
	end = rule_int(c, "end", rank);
	start = start < -rank ? 0 : start < 0 ? start + rank : start > rank ? rank : start;
	end = end < -rank ? 0 : end < 0 ? end + rank : end > rank ? rank : end;
	count = end > start ? end - start : 0;
	return rule_out(c, 0, &count, 1);
}

int rule_size(struct rule_call *c)
{
	return rule_in(c, 0) ? rule_out(c, 0, NULL, 0) : rule_missing(c);
}

/* ConstantOfShape: the operand has the sizes. */
int rule_filled(struct rule_call *c)
{
	const struct onnx_attribute *a = onnx_attribute(c->node, "value");
	uint32_t count;
	const int64_t *dim = rule_integers(c, 0, NULL, &count);

	if (a && a->t)
		set_type(c, a->t->type);
	if (!rule_in(c, 0))
		return rule_missing(c);
	return dim ? rule_out(c, 0, dim, count) : RULE_UNKNOWN;
}

int rule_range(struct rule_call *c)
{
	double at[3];
	int64_t count;

	for (uint32_t i = 0; i < 3; i++) {
		const struct onnx_fact *v = rule_in(c, i);

		if (!v)
			return rule_missing(c);
		if (onnx_fact_elements(v) != 1 || !onnx_fact_known(c->shapes, v))
			return RULE_UNKNOWN;
		at[i] = onnx_fact_number(v, 0);
	}
	at[0] = ceil((at[1] - at[0]) / at[2]);
	if (!(fabs(at[0]) <= ONNX_ELEMENTS_MAX))
		return rule_wrong(c, "the range is infinite");
	count = at[0] > 0 ? (int64_t)at[0] : 0;
	return rule_out(c, 0, &count, 1);
}

int rule_one_hot(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	const struct onnx_fact *depth = x ? rule_in(c, 1) : NULL;
	int64_t dim[ONNX_DIMS_MAX];
	uint32_t axis;

	if (!depth)
		return rule_missing(c);
	if (rule_has(c, 2))
		set_type(c, c->in[2]->type);
	if (onnx_fact_elements(depth) != 1 || !onnx_fact_known(c->shapes, depth))
		return RULE_UNKNOWN;
	if (x->dims == ONNX_DIMS_MAX)
		return rule_wrong(c, "too many dimensions");
	if (!rule_axis(c, rule_int(c, "axis", -1), x->dims + 1, &axis))
		return RULE_WRONG;
	for (uint32_t i = 0; i <= x->dims; i++)
		dim[i] = i < axis ? x->dim[i] : i > axis ? x->dim[i - 1] : -1;
	if (depth->integer)
		dim[axis] = depth->integer[0];
	else if (fabs(depth->real[0]) < ONNX_ELEMENTS_MAX)
		dim[axis] = (int64_t)depth->real[0];
	return rule_out(c, 0, dim, x->dims + 1);
}

/* The places of the elements that are not 0, which must be known. */
int rule_non_zero(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	int64_t count = 0;

	if (!x)
		return rule_missing(c);
	if (!onnx_fact_known(c->shapes, x))
		return RULE_DATA;
	for (int64_t i = 0; i < onnx_fact_elements(x); i++)
		count += onnx_fact_number(x, i) != 0;
	return rule_out(c, 0, (int64_t[]){ x->dims ? x->dims : 1, count }, 2);
}

/* EmbedLayerNormalization of ONNX Runtime: tokens [batch,tokens], and a table [rows,width]
 * as operand 2. The sum before the normalization is result 2. */
int rule_embed(struct rule_call *c)
{
	const struct onnx_fact *ids = rule_in(c, 0), *table = ids ? rule_in(c, 2) : NULL;

	if (!table)
		return rule_missing(c);
	if (ids->dims != 2 || table->dims != 2)
		return rule_wrong(c, "its tokens or its table do not have two dimensions");
	const int64_t dim[] = { ids->dim[0], ids->dim[1], table->dim[1] };
	for (uint32_t i = 0; i < c->outs; i++)
		if (c->out[i])
			c->out[i]->type = i == 1 ? (int64_t)ONNX_INT32 : table->type;
	return rule_out(c, 1, dim, 1) < 0 || rule_out(c, 2, dim, 3) < 0
	           ? RULE_WRONG
		   : rule_out(c, 0, dim, 3);
}
