/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ref: normalizations and softmax. Variances are computed from deviations from the mean
 * (two passes).
 */
#include "ref_priv.h"

static void row_moments(const double *x, int64_t count, double *mean, double *variance)
{
	double sum = 0, squares = 0;

	for (int64_t i = 0; i < count; i++)
		sum += x[i];
	*mean = sum / (double)count;
	for (int64_t i = 0; i < count; i++)
		squares += (x[i] - *mean) * (x[i] - *mean);
	*variance = squares / (double)count;
}

/* Returns an element of a tensor, or `otherwise` if the tensor is absent. */
static double tensor_element(const struct backend_tensor *t, int64_t i, double otherwise)
{
	return t ? ref_data(t)[i] : otherwise;
}

int ref_layernorm(struct backend_session *s, const struct backend_op *op, char *why)
{
	int64_t d = ref_size(op->in[0], 0), rows = ref_elements(op->in[0]) / d;

	(void)s;
	(void)why;
	for (int64_t r = 0; r < rows; r++) {
		const double *x = ref_data(op->in[0]) + r * d;
		double *out = ref_data(op->out[0]) + r * d, mean, variance;

		row_moments(x, d, &mean, &variance);
		for (int64_t i = 0; i < d; i++)
			out[i] = (x[i] - mean) / sqrt(variance + op->p.norm.eps) *
			             tensor_element(op->in[1], i, 1) +
			         tensor_element(op->in[2], i, 0);
	}
	return 0;
}

int ref_rmsnorm(struct backend_session *s, const struct backend_op *op, char *why)
{
	int64_t d = ref_size(op->in[0], 0), rows = ref_elements(op->in[0]) / d;

	(void)s;
	(void)why;
	for (int64_t r = 0; r < rows; r++) {
		const double *x = ref_data(op->in[0]) + r * d;
		double *out = ref_data(op->out[0]) + r * d, squares = 0;

		for (int64_t i = 0; i < d; i++)
			squares += x[i] * x[i];
		for (int64_t i = 0; i < d; i++)
			out[i] = op->p.norm.alpha * x[i] /
			         sqrt(squares / (double)d + op->p.norm.eps) *
			         tensor_element(op->in[1], i, 1);
	}
	return 0;
}

int ref_groupnorm(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *in = op->in[0];
	int64_t groups = op->p.norm.groups, channels = in->size[1] / groups;
	int64_t inner = ref_elements(in) / in->size[0] / in->size[1],
	        count = channels * inner;

	(void)s;
	(void)why;
	for (int64_t r = 0; r < in->size[0] * groups; r++) {
		const double *x = ref_data(in) + r * count;
		double *out = ref_data(op->out[0]) + r * count, mean, variance;

		row_moments(x, count, &mean, &variance);
		for (int64_t i = 0; i < count; i++) {
			int64_t c = r % groups * channels + i / inner;

			out[i] = ref_act(op->act, (x[i] - mean) /
			                                  sqrt(variance + op->p.norm.eps) *
			                                  ref_data(op->in[1])[c] +
			                              ref_data(op->in[2])[c]);
		}
	}
	return 0;
}

int ref_batchnorm(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *in = op->in[0];
	int64_t inner = ref_elements(in) / in->size[0] / in->size[1];

	(void)s;
	(void)why;
	for (int64_t i = 0; i < ref_elements(in); i++) {
		int64_t c = i / inner % in->size[1];

		ref_data(op->out[0])[i] =
		    ref_act(op->act, (ref_data(in)[i] - ref_data(op->in[3])[c]) /
		                             sqrt(ref_data(op->in[4])[c] + op->p.norm.eps) *
		                             ref_data(op->in[1])[c] +
		                         ref_data(op->in[2])[c]);
	}
	return 0;
}

void ref_softmax_row(double *row, int64_t count)
{
	double most = -INFINITY, sum = 0;

	for (int64_t i = 0; i < count; i++)
		most = row[i] > most ? row[i] : most;
	for (int64_t i = 0; i < count; i++) {
		row[i] = exp(row[i] - most);
		sum += row[i];
	}
	for (int64_t i = 0; i < count; i++)
		row[i] /= sum;
}

int ref_softmax(struct backend_session *s, const struct backend_op *op, char *why)
{
	int64_t d = ref_size(op->in[0], 0), count = ref_elements(op->in[0]);
	const double *x = ref_data(op->in[0]);
	double *out = ref_data(op->out[0]);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < count; i++)
		out[i] = x[i];
	for (int64_t i = 0; i < count; i += d)
		ref_softmax_row(out + i, d);
	return 0;
}
