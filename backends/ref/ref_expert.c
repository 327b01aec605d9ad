/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ref: the largest elements, experts, and their combination.
 */
#include <string.h>

#include "ref_priv.h"

/* Returns whether element i comes before element j: the larger first, NaN before all
 * numbers, and the lower index first among equal ones. */
static bool row_precedes(const double *row, int32_t i, int32_t j)
{
	if (isnan(row[i]) || isnan(row[j]))
		return isnan(row[i]) && (!isnan(row[j]) || i < j);
	return row[i] > row[j] || (row[i] == row[j] && i < j);
}

/* Returns the index of the first element that comes after `last`, which is -1 for none. */
static int32_t row_next_best(const double *row, int64_t count, int32_t last)
{
	int32_t best = -1;

	for (int32_t i = 0; i < count; i++)
		if ((last < 0 || row_precedes(row, last, i)) &&
		    (best < 0 || row_precedes(row, i, best)))
			best = i;
	return best;
}

/* Writes the indices of the k largest elements of a row. */
static void row_best(const double *row, int64_t count, int64_t k, int32_t *places)
{
	int32_t last = -1;

	for (int64_t j = 0; j < k; j++)
		places[j] = last = row_next_best(row, count, last);
}

int ref_topk(struct backend_session *s, const struct backend_op *op, char *why)
{
	int64_t k = op->p.route.k, count = ref_size(op->in[0], 0),
	        rows = ref_elements(op->in[0]) / count;

	(void)s;
	(void)why;
	for (int64_t r = 0; r < rows; r++) {
		const double *row = ref_data(op->in[0]) + r * count;
		int32_t *places = ref_ids(op->out[1]) + r * k;

		row_best(row, count, k, places);
		for (int64_t j = 0; j < k && op->out[0]; j++)
			ref_data(op->out[0])[r * k + j] = row[places[j]];
	}
	return 0;
}

int ref_route(struct backend_session *s, const struct backend_op *op, char *why)
{
	int64_t k = op->p.route.k, experts = ref_size(op->in[0], 0),
	        tokens = ref_elements(op->in[0]) / experts;

	(void)why;
	for (int64_t t = 0; t < tokens; t++) {
		const double *logits = ref_data(op->in[0]) + t * experts;
		double *weights = ref_data(op->out[0]) + t * k;
		int32_t *chosen = ref_ids(op->out[1]) + t * k;

		row_best(logits, experts, k, chosen);
		if (op->p.route.renormalise) {
			for (int64_t j = 0; j < k; j++)
				weights[j] = logits[chosen[j]];
			ref_softmax_row(weights, k);
			continue;
		}
		memcpy(s->scratch, logits, (size_t)experts * sizeof(*logits));
		ref_softmax_row(s->scratch, experts);
		for (int64_t j = 0; j < k; j++)
			weights[j] = s->scratch[chosen[j]];
	}
	return 0;
}

int ref_experts(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *in = op->in[0], *w = op->in[1], *out = op->out[0];
	int64_t rows = ref_size(out, 1), n = w->size[1], k = w->size[2];
	int64_t share = rows / ref_size(in, 1); /* the rows of out for each row of in */

	(void)s;
	(void)why;
	for (int64_t r = 0; r < rows; r++) {
		const double *x = ref_data(in) + r / share * k;
		const double *matrix = ref_data(w) + ref_ids(op->in[2])[r] * n * k;

		for (int64_t j = 0; j < n; j++) {
			double sum = 0;

			for (int64_t l = 0; l < k; l++)
				sum += x[l] * matrix[j * k + l];
			ref_data(out)[r * n + j] = ref_act(op->act, sum);
		}
	}
	return 0;
}

int ref_combine(struct backend_session *s, const struct backend_op *op, char *why)
{
	int64_t k = op->p.route.k, d = ref_size(op->out[0], 0);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < ref_elements(op->out[0]); i++) {
		int64_t t = i / d, c = i % d;
		double sum = op->in[2] ? ref_data(op->in[2])[i] : 0;

		for (int64_t j = 0; j < k; j++)
			sum += ref_data(op->in[1])[t * k + j] *
			       ref_data(op->in[0])[(t * k + j) * d + c];
		ref_data(op->out[0])[i] = sum;
	}
	return 0;
}
