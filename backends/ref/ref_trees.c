/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operation of ref on decision trees.
 */
#include "ref_priv.h"

/* Returns whether a number passes the test of a branch. */
static bool test_passes(int32_t test, double x, double y)
{
	if (isnan(x))
		return test & 4;
	return (test & 3) == 0 ? x <= y : (test & 3) == 1 ? x < y : x == y;
}

/* Returns the leaf that a row of features reaches. */
static const int32_t *tree_leaf(const struct backend_op *op, const double *x, int32_t at)
{
	const int32_t *node = ref_ids(op->in[1]);
	const double *y = ref_data(op->in[2]);

	while (node[2 * at] >= 0)
		at = test_passes(node[2 * at] & 7, x[node[2 * at] >> 3], y[at])
		         ? at + 1
		         : node[2 * at + 1];
	return node + 2 * at;
}

int ref_trees(struct backend_session *s, const struct backend_op *op, char *why)
{
	const int64_t features = ref_size(op->in[0], 0), targets = ref_size(op->out[0], 0),
	              rows = ref_size(op->in[0], 1), trees = ref_size(op->in[5], 0);

	(void)s;
	(void)why;
	for (int64_t r = 0; r < rows; r++) {
		double *out = ref_data(op->out[0]) + r * targets;

		for (int64_t t = 0; t < targets; t++)
			out[t] = 0;
		for (int64_t t = 0; t < trees; t++) {
			const int32_t *leaf = tree_leaf(
			    op, ref_data(op->in[0]) + r * features, ref_ids(op->in[5])[t]);

			for (int32_t e = leaf[1]; e < leaf[1] - 1 - leaf[0]; e++)
				out[ref_ids(op->in[3])[e]] += ref_data(op->in[4])[e];
		}
		for (int64_t t = 0; t < targets; t++)
			out[t] *= op->p.trees.alpha;
	}
	return 0;
}
