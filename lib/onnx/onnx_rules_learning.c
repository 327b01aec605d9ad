/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rules of the operators of the domain ai.onnx.ml, in which exporters of scikit-learn and
 * of boosted trees write models; see onnx_rules_priv.h.
 */
#include "onnx/onnx_rules_priv.h"

/* Returns the number of rows of operand 0, [rows,features] or [features]. */
static int64_t row_count(const struct onnx_fact *x)
{
	return x->dims > 1 ? x->dim[0] : 1;
}

static void set_type(struct rule_call *c, uint32_t i, int64_t type)
{
	if (i < c->outs && c->out[i])
		c->out[i]->type = type;
}

int64_t rule_classes(const struct rule_call *c, bool *strings)
{
	static const char *const names[] = { "classlabels_int64s", "classlabels_ints",
		"classlabels_strings" };

	for (size_t i = 0; i < COUNT(names); i++) {
		const struct onnx_attribute *a = onnx_attribute(c->node, names[i]);
		const uint32_t count = !a             ? 0
		                       : a->int_count ? a->int_count
		                                      : a->string_count;

		*strings = i == 2;
		if (count)
			return count;
	}
	return 0;
}

/* A label for each row, and scores of its classes, or of pairs of them. */
static int rule_labels(struct rule_call *c, bool pairs)
{
	const struct onnx_fact *x = rule_in(c, 0);
	bool strings;
	const int64_t classes = rule_classes(c, &strings);
	int64_t dim[2];

	if (!x)
		return rule_missing(c);
	if (classes < 1)
		return rule_wrong(c, "it has no labels");
	set_type(c, 0, strings ? ONNX_STRING : ONNX_INT64);
	set_type(c, 1, ONNX_FLOAT);
	dim[0] = row_count(x);
	dim[1] = pairs ? classes * (classes - 1) / 2 : classes;
	rule_out(c, 0, dim, 1);
	return rule_out(c, 1, dim, 2);
}

/* A score for each class. */
int rule_classify(struct rule_call *c)
{
	return rule_labels(c, false);
}

/* Of more than two classes without probabilities, a score for each pair. */
int rule_classify_pairs(struct rule_call *c)
{
	bool strings;

	return rule_labels(
	    c, rule_classes(c, &strings) > 2 && !rule_has_attribute(c, "prob_a"));
}

/* Distances of each row of operand 1 and each row of operand 0. */
int rule_distances(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0), *y = x ? rule_in(c, 1) : NULL;

	if (!y)
		return rule_missing(c);
	if (x->dims != 2 || y->dims != 2 || x->dim[1] != y->dim[1])
		return rule_wrong(c, "its operands do not have rows of the same size");
	c->macs = rule_product(x->dim, 2) * (double)y->dim[0];
	return rule_out(c, 0, (int64_t[]){ y->dim[0], x->dim[0] }, 2);
}

/* Numbers for each row. */
int rule_predict(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);

	if (!x)
		return rule_missing(c);
	return rule_out(c, 0,
	    (int64_t[]){
	        row_count(x), rule_int(c, "n_targets", rule_int(c, "targets", 1)) },
	    2);
}

/* A value for each element, of the type of the attribute that has the values. */
int rule_encode_label(struct rule_call *c)
{
	static const struct {
		const char *name;
		int64_t type;
	} values[] = { { "values_int64s", ONNX_INT64 }, { "values_floats", ONNX_FLOAT },
		{ "values_strings", ONNX_STRING } };
	const struct onnx_fact *x = rule_in(c, 0);
	const struct onnx_attribute *tensor = onnx_attribute(c->node, "values_tensor");

	if (!x)
		return rule_missing(c);
	set_type(c, 0, tensor && tensor->t ? tensor->t->type : ONNX_UNDEFINED);
	for (size_t i = 0; i < COUNT(values); i++)
		if (rule_has_attribute(c, values[i].name))
			set_type(c, 0, values[i].type);
	return rule_out_same(c, 0, x);
}

/* A number for each category of each element. */
int rule_encode_one_hot(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0);
	const struct onnx_attribute *a = onnx_attribute(c->node, "cats_int64s"),
	                            *b = onnx_attribute(c->node, "cats_strings");
	int64_t dim[ONNX_DIMS_MAX];

	if (!x)
		return rule_missing(c);
	if (x->dims == ONNX_DIMS_MAX)
		return rule_wrong(c, "too many dimensions");
	for (uint32_t i = 0; i < x->dims; i++)
		dim[i] = x->dim[i];
	dim[x->dims] = a && a->int_count ? a->int_count : b ? b->string_count : 0;
	return rule_out(c, 0, dim, x->dims + 1);
}

/* Features of each row. */
int rule_select_features(struct rule_call *c)
{
	const struct onnx_fact *x = rule_in(c, 0), *y = x ? rule_in(c, 1) : NULL;
	int64_t dim[ONNX_DIMS_MAX];
	uint32_t dims = 0;

	if (!y)
		return rule_missing(c);
	if (!x->dims)
		return rule_wrong(c, "its operand has no dimensions");
	for (; dims + 1 < x->dims; dims++)
		dim[dims] = x->dim[dims];
	if (!dims)
		dim[dims++] = 1;
	dim[dims++] = onnx_fact_elements(y);
	return rule_out(c, 0, dim, dims);
}
