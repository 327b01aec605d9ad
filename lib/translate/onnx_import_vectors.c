/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distances of rows, and support vector machines of the domain ai.onnx.ml: a kernel of each
 * row and each support vector, as a product of matrices, and sums of its results as another
 * product; see onnx_import_priv.h. Where the standard leaves the result open, it is that of
 * ONNX Runtime.
 */
#include <stdlib.h>

#include "translate/onnx_import_forest.h"
#include "translate/onnx_import_learning.h"

enum { LINEAR, POLY, RBF, SIGMOID };

/* The vectors and the kernel of a node. */
struct vector_set {
	double *vector; /* [vectors,features] */
	int64_t vectors, features;
	int kernel; /* LINEAR ... */
	double gamma, beta, degree;
};

/* Reads the kernel, and the vectors, of which there are more than 0. Free the vectors. */
static void vectors_read(struct import *im, const struct trace_node *n, int64_t vectors,
    int64_t features, struct vector_set *out)
{
	static const char *const words[] = { "LINEAR", "POLY", "RBF", "SIGMOID" };
	uint32_t count, params;
	double *param = import_attribute_numbers(im, n, "kernel_params", &params);

	*out = (struct vector_set){ .vectors = vectors, .features = features };
	out->kernel = import_choice(im, n, "kernel_type", words, COUNT(words), LINEAR);
	out->vector = import_attribute_numbers(im, n, "support_vectors", &count);
	if (vectors < 1 || features < 1 || count / vectors != features || count % vectors)
		trace_fail(&im->t, n,
		    "its support vectors have %u elements, and there are %lld with %lld "
		    "features",
		    count, (long long)vectors, (long long)features);
	if (params == 3) {
		out->gamma = param[0];
		out->beta = param[1];
		out->degree = param[2];
	} else if (out->kernel != LINEAR)
		trace_lack(&im->t, n, "it has %u kernel_params instead of 3", params);
	free(param);
}

/* Returns exp(-gamma |x - s|^2) of each row x and vector s. Their distance is computed from
 * products; the mean of the vectors is subtracted first, so that little of it cancels. */
static uint32_t gaussian(struct import *im, struct vector_set *s, uint32_t x)
{
	const size_t vectors = (size_t)s->vectors, features = (size_t)s->features;
	double *mean = mem_zero(features, sizeof(*mean)),
	       *one = mem_zero(features, sizeof(*one)),
	       *square = mem_zero(vectors, sizeof(*square));
	uint32_t squares, out;

	for (size_t k = 0; k < features; k++) {
		one[k] = 1;
		for (size_t i = 0; i < vectors; i++)
			mean[k] += s->vector[i * features + k] / (double)vectors;
		for (size_t i = 0; i < vectors; i++) {
			double *v = &s->vector[i * features + k];

			*v -= mean[k];
			square[i] += *v * *v;
		}
	}
	x = import_binary(im, x, import_constant(im, mean, IMPORT_SHAPE(s->features)), -1,
	    1, false, BACKEND_LINEAR);
	squares = import_binary(im, x, x, 1, 1, true, BACKEND_LINEAR);
	squares = import_product_with(im, squares, -s->gamma, one, 1);
	out = import_product_with(im, x, 2 * s->gamma, s->vector, s->vectors);
	s->vector = NULL;
	out = import_binary(im, out, import_constant(im, square, IMPORT_SHAPE(s->vectors)),
	    -s->gamma, 1, false, BACKEND_LINEAR);
	return import_binary(im, out, squares, 1, s->vectors, false, BACKEND_EXP);
}

/* Returns the kernel of each row of x[rows,features] and each vector as [rows,vectors], and
 * frees the vectors. */
static uint32_t kernel_of(
    struct import *im, const struct trace_node *n, struct vector_set *s, uint32_t x)
{
	uint32_t out;

	if (s->kernel == RBF)
		return gaussian(im, s, x);
	out = import_product_with(
	    im, x, s->kernel == LINEAR ? 1 : s->gamma, s->vector, s->vectors);
	s->vector = NULL;
	if (s->kernel == LINEAR)
		return out;
	out = import_plus(
	    im, out, 1, s->beta, s->kernel == SIGMOID ? BACKEND_TANH : BACKEND_LINEAR);
	return s->kernel == POLY ? import_power(im, n, out, s->degree) : out;
}

/* Returns the weights [pairs,vectors] of the vectors in the score of each pair of classes,
 * which the caller frees; NULL if it fails. */
static double *weights_of(struct import *im, const struct trace_node *n, int64_t classes,
    const int64_t *of_class, int64_t vectors)
{
	const int64_t pairs = classes * (classes - 1) / 2;
	uint32_t count;
	double *given = import_attribute_numbers(im, n, "coefficients", &count),
	       *out = NULL, *w;
	const int64_t most = vectors > classes ? vectors : classes;
	bool positive = true;

	for (uint32_t i = 0; i < count; i++)
		positive &= given[i] >= 0;
	if ((int64_t)count != (classes - 1) * vectors)
		trace_fail(&im->t, n, "it has %u coefficients instead of %lld", count,
		    (long long)((classes - 1) * vectors));
	else if (positive && classes == 2)
		trace_lack(&im->t, n, "none of its coefficients is negative");
	else if (pairs > TRACE_FOLD_MAX / most)
		trace_lack(&im->t, n, "its pairs of classes take more than %d coefficients",
		    TRACE_FOLD_MAX);
	if (im->t.failed) {
		free(given);
		return NULL;
	}
	w = out = mem_zero((size_t)(pairs * vectors), sizeof(*out));
	for (int64_t a = 0, a_from = 0; a < classes; a_from += of_class[a++])
		for (int64_t b = a + 1, from = a_from + of_class[a]; b < classes;
		    from += of_class[b++], w += vectors) {
			for (int64_t i = a_from; i < a_from + of_class[a]; i++)
				w[i] = given[(b - 1) * vectors + i];
			for (int64_t i = from; i < from + of_class[b]; i++)
				w[i] = given[a * vectors + i];
		}
	free(given);
	return out;
}

/* Lets output 0 be the label with the most votes: of a pair of classes, the first one has
 * the vote if the score is above 0. */
static void label_of_votes(
    struct import *im, const struct trace_node *n, uint32_t scores, int64_t classes)
{
	const int64_t pairs = classes * (classes - 1) / 2;
	double *votes = mem_zero((size_t)(classes * pairs), sizeof(*votes)),
	       *most = mem_zero((size_t)classes, sizeof(*most));
	int64_t pair = 0;
	uint32_t out;

	for (int64_t a = 0; a < classes; a++)
		for (int64_t b = a + 1; b < classes; b++, pair++) {
			votes[a * pairs + pair] = 1;
			votes[b * pairs + pair] = -1;
			most[b]++;
		}
	out = import_rounded(
	    im, scores, &(struct import_rounding){ IMPORT_LEAST, 0, 1, 1, 0 });
	out = import_product_with(im, out, 1, votes, classes);
	import_best_label(im, n,
	    import_binary(im, out, import_constant(im, most, IMPORT_SHAPE(classes)), 1, 1,
	        false, BACKEND_LINEAR));
}

/* Returns the scores of two classes [rows,2]: the score of the pair with either sign, or a
 * probability if the file has prob_a and prob_b. */
static uint32_t scores_of_two(struct import *im, const struct trace_node *n, uint32_t score)
{
	uint32_t as, bs, side[2];
	double *a = import_attribute_numbers(im, n, "prob_a", &as),
	       *b = import_attribute_numbers(im, n, "prob_b", &bs);

	if (as && (as != 1 || bs != 1))
		trace_fail(&im->t, n,
		    "prob_a has %u elements and prob_b %u instead of 1 each", as, bs);
	for (int i = 0; i < 2; i++) {
		const double sign = i ? 1 : -1;

		side[i] = score;
		if (as && !im->t.failed)
			side[i] = import_plus(im,
			    import_unary(im, score, sign * a[0], BACKEND_LINEAR), 1,
			    sign * b[0], BACKEND_SIGMOID);
		else if (i == 0)
			side[i] = import_unary(im, score, -1, BACKEND_LINEAR);
	}
	free(a);
	free(b);
	return import_two_columns(im, side[0], side[1]);
}

/* Returns the number of support vectors of all classes, after it checks these numbers. */
static int64_t count_vectors(
    struct import *im, const struct trace_node *n, const int64_t *of_class, uint32_t count)
{
	int64_t vectors = 0;

	for (uint32_t i = 0; i < count && !im->t.failed; i++) {
		if (of_class[i] < 0 || of_class[i] > INT32_MAX)
			trace_fail(&im->t, n, "a class has %lld support vectors",
			    (long long)of_class[i]);
		vectors += of_class[i];
	}
	return vectors;
}

/* Checks that the classifier can be imported. `count` is the number of classes that have
 * support vectors. */
static void check_classifier(struct import *im, const struct trace_node *n, int64_t classes,
    uint32_t count, enum import_transform transform)
{
	const bool chances = rule_has_attribute(&n->call, "prob_a");

	if (classes < 2)
		trace_lack(&im->t, n, "it has one class");
	else if (!count)
		trace_lack(&im->t, n, "it has no support vectors");
	else if ((int64_t)count != classes)
		trace_fail(&im->t, n,
		    "its vectors_per_class has %u elements for %lld labels", count,
		    (long long)classes);
	else if (chances && classes > 2)
		trace_lack(&im->t, n,
		    "the probabilities of more than two classes are found by iteration");
	else if (chances ? transform != IMPORT_NONE
	                 : classes == 2 && transform == IMPORT_SOFTMAX)
		trace_lack(&im->t, n, "its post_transform is that of more classes");
}

void import_vector_classifier(IMPORT_PARAMS)
{
	bool strings;
	const int64_t classes = rule_classes(&n->call, &strings);
	const enum import_transform transform = import_transform_of(im, n);
	const uint32_t x = import_features(im, n);
	uint32_t count, scores;
	const int64_t *of_class = rule_ints(&n->call, "vectors_per_class", &count);
	int64_t vectors;
	struct vector_set s;
	double *w;

	(void)m;
	check_classifier(im, n, classes, count, transform);
	vectors = count_vectors(im, n, of_class, count);
	if (im->t.failed)
		return;
	vectors_read(im, n, vectors, im->g->value[x].size[1], &s);
	w = im->t.failed ? NULL : weights_of(im, n, classes, of_class, vectors);
	if (!w) {
		free(s.vector);
		return;
	}
	scores = import_product_with(
	    im, kernel_of(im, n, &s, x), 1, w, classes * (classes - 1) / 2);
	scores = import_with_base(im, n, "rho", scores, classes * (classes - 1) / 2);
	if (im->t.failed)
		return;
	if (classes == 2)
		import_label_above(im, n, import_unary(im, scores, -1, BACKEND_LINEAR), 0);
	else
		label_of_votes(im, n, scores, classes);
	if (classes == 2)
		scores = scores_of_two(im, n, scores);
	import_scores(im, n, import_transformed(im, scores, transform));
}

void import_vector_regressor(IMPORT_PARAMS)
{
	const uint32_t x = import_features(im, n);
	const int64_t vectors = rule_int(&n->call, "n_supports", 0);
	uint32_t count, out;
	struct vector_set s;
	double *w = import_attribute_numbers(im, n, "coefficients", &count);

	(void)m;
	if (import_transform_of(im, n) != IMPORT_NONE)
		trace_lack(&im->t, n, "it has a post_transform");
	if (im->t.failed) {
		free(w);
		return;
	}
	vectors_read(im, n, vectors, im->g->value[x].size[1], &s);
	if ((int64_t)count != vectors)
		trace_fail(&im->t, n, "it has %u coefficients instead of %lld", count,
		    (long long)vectors);
	if (im->t.failed) {
		free(w);
		free(s.vector);
		return;
	}
	out = import_product_with(im, kernel_of(im, n, &s, x), 1, w, 1);
	out = import_with_base(im, n, "rho", out, 1);
	if (rule_int(&n->call, "one_class", 0))
		out = import_rounded(
		    im, out, &(struct import_rounding){ IMPORT_LEAST, 0, 1, 2, -1 });
	if (!im->t.failed)
		import_done(im, n, out);
}

/* The sums of the squares, or of the amounts, of the differences of two rows. They are not
 * computed from products, because a rounding would exchange neighbors. */
void import_distances(IMPORT_PARAMS)
{
	enum { DIFFERENCES_MAX = 1 << 30 };
	const struct import_view a = import_input(im, n, 1), b = import_input(im, n, 0);
	const int64_t rows = a.shape.size[0], others = b.shape.size[0],
	              features = a.shape.size[1];
	struct import_view apart;
	uint32_t x;
	double *one;

	(void)m;
	if (features < 1 || rows * others > DIFFERENCES_MAX / features)
		trace_lack(&im->t, n, "it has no features, or more than 2^30 differences");
	if (im->t.failed)
		return;
	one = mem_zero((size_t)features, sizeof(*one));
	for (int64_t i = 0; i < features; i++)
		one[i] = 1;
	apart = import_combined_as(im, IMPORT_SHAPE(rows, others, features),
	    import_reshaped(im, a, IMPORT_SHAPE(rows, 1, features)),
	    import_reshaped(im, b, IMPORT_SHAPE(1, others, features)), -1, false);
	x = import_operand(im, apart, IMPORT_SHAPE(rows * others, features), IMPORT_WHOLE);
	x = text_is(rule_text(&n->call, "norm", "L2"), "L1")
	        ? import_absolute(im, x)
	        : import_binary(im, x, x, 1, 1, true, BACKEND_LINEAR);
	x = import_product_with(im, x, 1, one, 1);
	if (!im->t.failed)
		import_done(im, n, x);
}
