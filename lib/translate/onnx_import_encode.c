/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Encoders of categories of the domain ai.onnx.ml: each number is compared with all keys;
 * see onnx_import_priv.h.
 */
#include <math.h>
#include <stdlib.h>

#include "translate/onnx_import_forest.h"
#include "translate/onnx_import_learning.h"

/* Returns the numbers of the list NAME_int64s, NAME_floats or NAME_tensor of a node, which
 * the caller frees, and stores how many; fails if it has none. */
static double *category_numbers(
    struct import *im, const struct trace_node *n, const char *name, uint32_t *count)
{
	static const char *const suffix[] = { "int64s", "floats", "tensor" };
	double *x = NULL;

	*count = 0;
	for (size_t i = 0; i < COUNT(suffix) && !x; i++) {
		char *full = str_format("%s_%s", name, suffix[i]);
		const int64_t *whole = rule_ints(&n->call, full, count);

		x = *count ? mem_zero(*count, sizeof(*x))
		           : import_attribute_numbers(im, n, full, count);
		for (uint32_t k = 0; whole && k < *count; k++)
			x[k] = (double)whole[k];
		free(full);
	}
	for (uint32_t i = 0; x && i < *count; i++)
		if (!(fabs(x[i]) <= 1 << 24))
			trace_lack(
			    &im->t, n, "one of its %s is not from -2^24 to 2^24", name);
	if (!x)
		trace_lack(&im->t, n, "its %s are not numbers", name);
	return x;
}

static int compare_keys(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Whether two keys are equal. */
static bool has_equal_keys(const double *key, uint32_t keys)
{
	double *sorted = mem_zero(keys, sizeof(*sorted));
	bool equal = false;

	memcpy(sorted, key, keys * sizeof(*sorted));
	qsort(sorted, keys, sizeof(*sorted), compare_keys);
	for (uint32_t i = 1; i < keys; i++)
		equal |= sorted[i] == sorted[i - 1];
	free(sorted);
	return equal;
}

/* Returns 1 where a number is a key, otherwise 0: [numbers,keys]. The graph frees the keys.
 */
static uint32_t category_found(struct import *im, const struct trace_node *n,
    struct import_view v, double *key, uint32_t keys)
{
	const int64_t count = import_count(&v.shape);
	const struct trace_shape made = IMPORT_SHAPE(count, keys),
	                         row = IMPORT_SHAPE(1, keys);
	struct import_view apart;
	uint32_t x;

	if (!im->t.failed && has_equal_keys(key, keys))
		trace_lack(&im->t, n, "two of its categories are equal");
	else if (!im->t.failed && count > TRACE_FOLD_MAX / (int64_t)keys)
		trace_lack(&im->t, n, "it compares more than 2^24 pairs of numbers");
	if (im->t.failed) {
		free(key);
		return GRAPH_NONE;
	}
	apart = import_combined_as(im, made, import_reshaped(im, v, IMPORT_SHAPE(count, 1)),
	    import_whole(im, import_constant(im, key, row), row), -1, false);
	x = import_operand(im, apart, made, IMPORT_WHOLE);
	x = import_rounded(im, x, &(struct import_rounding){ IMPORT_LEAST, -1, 1, 1, 0 });
	x = import_binary(im, x, x, 1, 1, true, BACKEND_LINEAR);
	return import_rounded(im, x, &(struct import_rounding){ 1, 0, 1, -1, 1 });
}

/* A value for each key, and a default for other numbers. */
void import_label_encoder(IMPORT_PARAMS)
{
	uint32_t keys, values, x;
	double *key = category_numbers(im, n, "keys", &keys),
	       *value = category_numbers(im, n, "values", &values);
	const bool whole = !onnx_type_is_float(n->call.out[0]->type);
	const double otherwise = whole ? (double)rule_int(&n->call, "default_int64", -1)
	                               : trace_float(n, "default_float", 0);

	(void)m;
	if (!im->t.failed && keys != values)
		trace_fail(&im->t, n, "it has %u keys and %u values", keys, values);
	if (rule_has_attribute(&n->call, "default_tensor") || !(fabs(otherwise) <= 1 << 24))
		trace_lack(
		    &im->t, n, "its default is in a tensor, or not from -2^24 to 2^24");
	if (im->t.failed) {
		free(key);
		free(value);
		return;
	}
	for (uint32_t i = 0; i < keys; i++)
		value[i] -= otherwise;
	x = category_found(im, n, import_numbers(im, import_input(im, n, 0)), key, keys);
	if (im->t.failed) {
		free(value);
		return;
	}
	x = import_product_with(im, x, 1, value, 1);
	x = import_plus(im, x, 1, otherwise, BACKEND_LINEAR);
	import_done(im, n, x);
}

/* A column for each category of whole numbers. */
void import_one_hot_encoder(IMPORT_PARAMS)
{
	struct import_view v;
	uint32_t keys, x;
	double *key = category_numbers(im, n, "cats", &keys);

	(void)m;
	if (im->t.failed) {
		free(key);
		return;
	}
	v = import_numbers(im, import_input(im, n, 0));
	if (onnx_type_is_float(n->call.in[0]->type))
		v = import_truncated(im, v);
	x = category_found(im, n, v, key, keys);
	if (!im->t.failed)
		import_done(im, n, x);
}
