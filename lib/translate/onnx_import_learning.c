/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators of the domain ai.onnx.ml; see onnx_import_priv.h. Where the standard leaves the
 * result of a classifier open, it is that of ONNX Runtime, and forms whose results differ
 * from row to row are refused.
 */
#include <math.h>
#include <stdlib.h>

#include "translate/onnx_import_forest.h"
#include "translate/onnx_import_learning.h"

/* How the results of trees are joined. */
enum aggregate { AVERAGE, SUM };

int import_choice(struct import *im, const struct trace_node *n, const char *name,
    const char *const *words, int count, int otherwise)
{
	const struct onnx_attribute *a = onnx_attribute(n->call.node, name);
	int i = 0;

	if (!a)
		return otherwise;
	if (a->type == ONNX_ATTRIBUTE_INT && a->i >= 0 && a->i < count)
		return (int)a->i;
	while (i < count && !(a->type == ONNX_ATTRIBUTE_STRING && text_is(a->s, words[i])))
		i++;
	if (i == count)
		trace_lack(&im->t, n, "its %s is '%.*s'", name, (int)a->s.len, a->s.ptr);
	return i == count ? otherwise : i;
}

enum import_transform import_transform_of(struct import *im, const struct trace_node *n)
{
	static const char *const words[] = { "NONE", "SOFTMAX", "LOGISTIC" };

	return (enum import_transform)import_choice(
	    im, n, "post_transform", words, COUNT(words), IMPORT_NONE);
}

uint32_t import_features(struct import *im, const struct trace_node *n)
{
	struct import_view v = import_input(im, n, 0);
	const uint32_t dims = v.shape.dims;

	if (dims != 1 && dims != 2)
		trace_lack(&im->t, n, "its input has %u dimensions instead of 2", dims);
	if (im->t.failed)
		return GRAPH_NONE;
	const int64_t rows = dims == 2 ? v.shape.size[0] : 1;
	return import_operand(
	    im, v, IMPORT_SHAPE(rows, v.shape.size[dims - 1]), IMPORT_WHOLE);
}

uint32_t import_transformed(
    struct import *im, uint32_t scores, enum import_transform transform)
{
	uint32_t out;

	if (transform == IMPORT_LOGISTIC)
		return import_unary(im, scores, 1, BACKEND_SIGMOID);
	if (transform == IMPORT_NONE)
		return scores;
	out = import_like(im, scores);
	import_node(im, BACKEND_SOFTMAX, out, scores, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE);
	return out;
}

uint32_t import_with_base(struct import *im, const struct trace_node *n, const char *name,
    uint32_t x, int64_t targets)
{
	uint32_t count;
	double *base;

	if (im->t.failed)
		return x;
	base = import_attribute_numbers(im, n, name, &count);
	if (count && (int64_t)count != targets)
		trace_lack(&im->t, n, "its %s has %u elements instead of %lld", name, count,
		    (long long)targets);
	if (!count || im->t.failed) {
		free(base);
		return x;
	}
	return import_binary(im, x, import_constant(im, base, IMPORT_SHAPE(count)), 1, 1,
	    false, BACKEND_LINEAR);
}

/* Returns the number of a label: integers as they are, and strings by their place. */
static double label_of(struct import *im, const struct trace_node *n, int64_t i)
{
	uint32_t count;
	const int64_t *label = rule_ints(&n->call, "classlabels_int64s", &count);

	if (!count)
		label = rule_ints(&n->call, "classlabels_ints", &count);
	if (i < count && llabs(label[i]) > 1 << 24)
		trace_lack(&im->t, n, "a label is beyond 2^24");
	return i < count ? (double)label[i] : (double)i;
}

void import_best_label(struct import *im, const struct trace_node *n, uint32_t scores)
{
	const int64_t rows = im->g->value[scores].size[0],
	              classes = im->g->value[scores].size[1];
	const uint32_t ids = import_new(im, IMPORT_SHAPE(rows, 1));
	double *label = mem_zero((size_t)classes, sizeof(*label));
	bool counts = true; /* the labels count from 0 */
	struct import_view v;

	for (int64_t i = 0; i < classes; i++) {
		label[i] = label_of(im, n, i);
		counts &= label[i] == (double)i;
	}
	im->g->value[ids].dtype = BACKEND_INT32;
	import_node(
	    im, BACKEND_TOPK, GRAPH_NONE, scores, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE)
	    ->p.route.k = 1;
	im->g->node[im->g->nodes - 1].out[1] = ids;
	v = import_whole(im, ids, IMPORT_SHAPE(rows));
	if (counts)
		free(label);
	else
		v = import_selected_rows(im, n,
		    import_whole(im, import_constant(im, label, IMPORT_SHAPE(classes, 1)),
		        IMPORT_SHAPE(classes, 1)),
		    v);
	if (!im->t.failed)
		import_output(im, n, 0, import_reshaped(im, v, *import_made(im, n, 0)));
}

void import_label_above(
    struct import *im, const struct trace_node *n, uint32_t score, double least)
{
	const double first = label_of(im, n, 0), second = label_of(im, n, 1);

	score = import_plus(im, score, 1, -least, BACKEND_LINEAR);
	score = import_rounded(im, score,
	    &(struct import_rounding){ IMPORT_LEAST, 0, 1, second - first, first });
	if (!im->t.failed)
		import_output(im, n, 0, import_whole(im, score, *import_made(im, n, 0)));
}

/* Returns column `at` of a value [rows,columns] as [rows,1]. */
static struct import_view column_of(struct import *im, uint32_t value, int64_t at)
{
	const struct graph_value *v = &im->g->value[value];
	struct import_view view =
	    import_whole(im, value, IMPORT_SHAPE(v->size[0], v->size[1]));

	view.offset = at;
	view.shape.size[1] = 1;
	return view;
}

static uint32_t copied_column(struct import *im, uint32_t value, int64_t at)
{
	const struct import_view v = column_of(im, value, at);

	return import_operand(im, v, v.shape, IMPORT_WHOLE);
}

uint32_t import_two_columns(struct import *im, uint32_t first, uint32_t second)
{
	const uint32_t both = import_new(im, IMPORT_SHAPE(im->g->value[first].size[0], 2));

	for (int i = 0; i < 2; i++) {
		const struct import_view to = column_of(im, both, i);

		import_move(im, import_whole(im, i ? second : first, to.shape), to);
	}
	return both;
}

void import_scores(struct import *im, const struct trace_node *n, uint32_t scores)
{
	if (!im->t.failed && trace_out(n, 1) != TRACE_NONE)
		import_output(im, n, 1, import_whole(im, scores, *import_made(im, n, 1)));
}

/* Whether no weight is negative. */
static bool is_positive(const struct tree_set *f)
{
	bool positive = true;

	for (uint32_t i = 0; i < f->entries; i++)
		positive &= f->entry[i].weight >= 0;
	return positive;
}

/* Two classes, of which the file has scores of the first one only, which are those of the
 * second one: probabilities, or numbers of any sign. */
static void one_score(struct import *im, const struct trace_node *n, struct tree_set *f)
{
	const enum import_transform transform = import_transform_of(im, n);
	const bool positive = is_positive(f);
	uint32_t score, other, both;

	f->targets = 1;
	score = import_forest_sum(im, n, f, import_features(im, n), 1);
	score = import_with_base(im, n, "base_values", score, 1);
	if (im->t.failed)
		return;
	import_label_above(im, n, score, positive ? 0.5 : 0);
	other = import_unary(im, score, -1, BACKEND_LINEAR);
	if (positive && transform != IMPORT_LOGISTIC)
		other = import_plus(im, other, 1, 1, BACKEND_LINEAR);
	both = import_two_columns(im, other, score);
	/* ONNX Runtime ignores SOFTMAX here. */
	import_scores(im, n,
	    import_transformed(
	        im, both, transform == IMPORT_LOGISTIC ? IMPORT_LOGISTIC : IMPORT_NONE));
}

/* Two or more classes, with scores of each; or of the second one of two only. */
static void many_scores(
    struct import *im, const struct trace_node *n, const struct tree_set *f, bool second)
{
	const bool positive = is_positive(f);
	uint32_t scores = import_forest_sum(im, n, f, import_features(im, n), 1), bases;

	free(import_attribute_numbers(im, n, "base_values", &bases));
	if (f->targets == 2 && bases)
		trace_lack(&im->t, n, "its base_values are for two classes with scores");
	for (int64_t i = f->targets == 2; i < f->targets && !im->t.failed; i++)
		if (!(positive && f->targets > 2) && !bases && !import_forest_reaches(f, i))
			trace_lack(&im->t, n, "some leaves have no score of class %lld",
			    (long long)i);
	if (!im->t.failed && f->targets == 2 && !second &&
	    (label_of(im, n, 0) != 0 || label_of(im, n, 1) != 1))
		trace_lack(&im->t, n, "its two labels are not 0 and 1");
	scores = import_with_base(im, n, "base_values", scores, f->targets);
	if (im->t.failed)
		return;
	if (f->targets == 2)
		import_label_above(
		    im, n, copied_column(im, scores, 1), second && positive ? 0.5 : 0);
	else
		import_best_label(im, n, scores);
	import_scores(im, n, import_transformed(im, scores, import_transform_of(im, n)));
}

void import_tree_classifier(IMPORT_PARAMS)
{
	bool strings, has[2] = { false, false };
	struct tree_set f;

	(void)m;
	import_forest_read(im, n, rule_classes(&n->call, &strings), &f);
	for (uint32_t i = 0; i < f.entries && !im->t.failed && f.targets == 2; i++)
		has[f.entry[i].target] = true;
	if (f.targets == 1)
		trace_lack(&im->t, n, "it has one class");
	if (!im->t.failed && f.targets == 2 && !has[1])
		one_score(im, n, &f);
	else if (!im->t.failed)
		many_scores(im, n, &f, f.targets == 2 && !has[0]);
	import_forest_free(&f);
}

/* TreeEnsembleRegressor and TreeEnsemble. */
void import_tree_regressor(IMPORT_PARAMS)
{
	static const char *const words[] = { "AVERAGE", "SUM" };
	const int64_t targets = rule_int(&n->call, "n_targets", 1);
	const enum aggregate aggregate = (enum aggregate)import_choice(
	    im, n, "aggregate_function", words, COUNT(words), SUM);
	struct tree_set f;
	uint32_t sum;

	(void)m;
	import_forest_read(im, n, targets, &f);
	sum = import_forest_sum(
	    im, n, &f, import_features(im, n), aggregate == SUM ? 1 : 1 / (double)f.roots);
	import_forest_free(&f);
	sum = import_with_base(im, n, "base_values", sum, targets);
	if (im->t.failed)
		return;
	/* ONNX Runtime does not transform a single target. */
	if (targets > 1)
		sum = import_transformed(im, sum, import_transform_of(im, n));
	import_done(im, n, sum);
}

uint32_t import_product_with(
    struct import *im, uint32_t x, double alpha, double *w, int64_t columns)
{
	const uint32_t out = import_new(im, IMPORT_SHAPE(im->g->value[x].size[0], columns));
	const uint32_t by =
	    import_constant(im, w, IMPORT_SHAPE(columns, im->g->value[x].size[1]));
	struct backend_op *op =
	    import_node(im, BACKEND_GEMM, out, x, by, GRAPH_NONE, GRAPH_NONE);

	op->p.gemm.alpha = alpha;
	op->p.gemm.transpose = true;
	return out;
}

/* Returns x w' + b of attributes of a node. */
static uint32_t linear_scores(
    struct import *im, const struct trace_node *n, uint32_t x, int64_t targets)
{
	uint32_t count, out;
	double *w = import_attribute_numbers(im, n, "coefficients", &count);
	const int64_t features = im->t.failed ? 1 : im->g->value[x].size[1];

	if ((int64_t)count != features * targets)
		trace_lack(&im->t, n, "it has %u coefficients instead of %lld", count,
		    (long long)(features * targets));
	if (im->t.failed) {
		free(w);
		return x;
	}
	out = import_product_with(im, x, 1, w, targets);
	return import_with_base(im, n, "intercepts", out, targets);
}

void import_linear_classifier(IMPORT_PARAMS)
{
	bool strings;
	const int64_t classes = rule_classes(&n->call, &strings);
	uint32_t scores;

	(void)m;
	if (classes < 2)
		trace_lack(&im->t, n, "it has one class");
	scores = linear_scores(im, n, import_features(im, n), classes);
	if (im->t.failed)
		return;
	import_best_label(im, n, scores);
	import_scores(im, n, import_transformed(im, scores, import_transform_of(im, n)));
}

void import_linear_regressor(IMPORT_PARAMS)
{
	const int64_t targets = rule_int(&n->call, "targets", 1);
	const uint32_t x = linear_scores(im, n, import_features(im, n), targets);

	(void)m;
	if (!im->t.failed)
		import_done(im, n, import_transformed(im, x, import_transform_of(im, n)));
}

/* (x - offset) scale */
void import_scaler(IMPORT_PARAMS)
{
	const uint32_t x = import_features(im, n);
	uint32_t out = x, count;

	(void)m;
	for (int i = 0; i < 2 && !im->t.failed; i++) {
		double *by =
		    import_attribute_numbers(im, n, i ? "scale" : "offset", &count);

		if (count && count != 1 && (int64_t)count != im->g->value[x].size[1])
			trace_fail(&im->t, n, "its %s has %u elements instead of %lld",
			    i ? "scale" : "offset", count,
			    (long long)im->g->value[x].size[1]);
		if (!count || im->t.failed) {
			free(by);
			continue;
		}
		out = import_binary(im, out, import_constant(im, by, IMPORT_SHAPE(count)),
		    i ? 1 : -1, 1, i != 0, BACKEND_LINEAR);
	}
	if (!im->t.failed)
		import_done(im, n, out);
}

/* Replaces NaN, or a number, by a number for each feature. */
void import_imputer(IMPORT_PARAMS)
{
	const uint32_t x = import_features(im, n);
	const double replaced = trace_float(n, "replaced_value_float", 0);
	struct import_view v, found, by;
	uint32_t count;
	double *number = import_attribute_numbers(im, n, "imputed_value_floats", &count);

	(void)m;
	if (!isnan(replaced))
		trace_lack(&im->t, n, "it replaces numbers, and not NaN");
	if (!im->t.failed && count != 1 && (int64_t)count != im->g->value[x].size[1])
		trace_lack(&im->t, n, "it has %u floating-point numbers instead of %lld",
		    count, (long long)im->g->value[x].size[1]);
	if (im->t.failed) {
		free(number);
		return;
	}
	v = import_whole(
	    im, x, IMPORT_SHAPE(im->g->value[x].size[0], im->g->value[x].size[1]));
	by = import_whole(
	    im, import_constant(im, number, IMPORT_SHAPE(count)), IMPORT_SHAPE(1, count));
	found = import_nans(im, v);
	by = import_combined_as(im, v.shape, found, by, 1, true);
	found = import_whole(im,
	    import_rounded(im, import_operand(im, found, found.shape, IMPORT_WHOLE),
	        &(struct import_rounding){ 1, 0, 1, -1, 1 }),
	    v.shape);
	v = import_combined(im, n, import_selected(im, n, v, found), by, 1, false);
	import_output(im, n, 0, import_reshaped(im, v, *import_made(im, n, 0)));
}

/* 1 where x is above the threshold, otherwise 0. */
void import_binarizer(IMPORT_PARAMS)
{
	struct import_rows x = import_full(im, n, 0);

	(void)m;
	if (im->t.failed)
		return;
	x.value =
	    import_plus(im, x.value, 1, -trace_float(n, "threshold", 0), BACKEND_LINEAR);
	import_done_rows(im, n, &x,
	    import_rounded(
	        im, x.value, &(struct import_rounding){ IMPORT_LEAST, 0, 1, 1, 0 }));
}

/* Features at constant places, or elements of a list at computed places. */
void import_select_features(IMPORT_PARAMS)
{
	struct import_view v = import_input(im, n, 0);
	const struct onnx_fact *places = trace_constant(&im->t, trace_in(n, 1));
	const uint32_t last = v.shape.dims - 1;
	const int64_t size = v.shape.size[last];

	(void)m;
	if (places && places->integer) {
		const int64_t count = onnx_fact_elements(places);
		int64_t *place = import_places_new(im, n, count);

		for (int64_t i = 0; place && i < count; i++) {
			place[i] = places->integer[i];
			if (place[i] < 0 || place[i] >= size)
				trace_fail(&im->t, n, "it selects feature %lld of %lld",
				    (long long)place[i], (long long)size);
		}
		if (!im->t.failed)
			v = import_places(im, n, v, last, place, count);
		free(place);
	} else if (import_count(&v.shape) == size)
		v = import_selected_rows(im, n,
		    import_reshaped(im, import_numbers(im, v), IMPORT_SHAPE(size, 1)),
		    import_input(im, n, 1));
	else
		trace_lack(&im->t, n, "it selects computed features of several rows");
	if (!im->t.failed)
		import_output(im, n, 0, import_reshaped(im, v, *import_made(im, n, 0)));
}
