/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ref: streams and element-wise operations.
 */
#include "ref_priv.h"

static double hard_sigmoid(double x)
{
	double y = x / 6 + 0.5;

	return y < 0 ? 0 : y > 1 ? 1 : y; /* NaN remains */
}

double ref_act(enum backend_act act, double x)
{
	switch (act) {
	case BACKEND_RELU:
		return x < 0 ? 0 : x; /* NaN remains */
	case BACKEND_GELU:
		return x / 2 * (1 + erf(x * M_SQRT1_2));
	case BACKEND_GELU_TANH:
		return x / 2 * (1 + tanh(sqrt(M_2_PI) * (x + 0.044715 * x * x * x)));
	case BACKEND_QUICK_GELU:
		return x / (1 + exp(-1.702 * x));
	case BACKEND_SILU:
		return x / (1 + exp(-x));
	case BACKEND_TANH:
		return tanh(x);
	case BACKEND_SIGMOID:
		return 1 / (1 + exp(-x));
	case BACKEND_SOFTPLUS:
		/* exp of a large x would overflow. */
		return (x > 0 ? x : 0) + log1p(exp(-fabs(x)));
	case BACKEND_RELU6:
		return x < 0 ? 0 : x > 6 ? 6 : x;
	case BACKEND_HARD_SIGMOID:
		return hard_sigmoid(x);
	case BACKEND_HARD_SWISH:
		return x * hard_sigmoid(x);
	case BACKEND_EXP:
		return exp(x);
	case BACKEND_LOG:
		return log(x);
	case BACKEND_SQRT:
		return sqrt(x);
	case BACKEND_RECIPROCAL:
		return 1 / x;
	case BACKEND_ERF:
		return erf(x);
	case BACKEND_SIN:
		return sin(x);
	case BACKEND_COS:
		return cos(x);
	case BACKEND_LINEAR:
	case BACKEND_ACTS:
		break;
	}
	return x;
}

int ref_nop(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)s;
	(void)op;
	(void)why;
	return 0;
}

int ref_copy(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double *x = ref_data(op->in[0]);
	double *out = ref_data(op->out[0]);
	int64_t count = ref_elements(op->out[0]);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < count; i++)
		out[i] = x[i];
	return 0;
}

int ref_scale(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double *x = ref_data(op->in[0]);
	double *out = ref_data(op->out[0]);
	int64_t count = ref_elements(op->out[0]);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < count; i++)
		out[i] = op->p.stream.alpha * x[i];
	return 0;
}

int ref_triad(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double *x = ref_data(op->in[0]), *y = ref_data(op->in[1]);
	double *out = ref_data(op->out[0]);
	int64_t count = ref_elements(op->out[0]);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < count; i++)
		out[i] = x[i] + op->p.stream.alpha * y[i];
	return 0;
}

int ref_axpy(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double *x = ref_data(op->in[0]);
	double *out = ref_data(op->out[0]);
	int64_t count = ref_elements(op->out[0]);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < count; i++)
		out[i] += op->p.stream.alpha * x[i];
	return 0;
}

int ref_dot(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double *x = ref_data(op->in[0]), *y = ref_data(op->in[1]);
	int64_t count = ref_elements(op->in[0]);
	double sum = 0;

	(void)s;
	(void)why;
	for (int64_t i = 0; i < count; i++)
		sum += x[i] * y[i];
	ref_put(op->out[0], 0, sum);
	return 0;
}

int ref_fma(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double *in = ref_data(op->in[0]);
	double *out = ref_data(op->out[0]);
	int64_t count = ref_elements(op->out[0]);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < count; i++) {
		double x = in[i];

		for (int64_t k = 0; k < op->p.stream.repeat; k++)
			x = fma(x, op->p.stream.alpha, op->p.stream.beta);
		out[i] = x;
	}
	return 0;
}

int ref_unary(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double *x = ref_data(op->in[0]);
	double *out = ref_data(op->out[0]);
	int64_t count = ref_elements(op->out[0]);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < count; i++)
		out[i] = ref_act(op->act, op->p.element.alpha * x[i]);
	return 0;
}

int ref_binary(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double *x = ref_data(op->in[0]), *y = ref_data(op->in[1]);
	double *out = ref_data(op->out[0]);
	int64_t count = ref_elements(op->out[0]), others = ref_elements(op->in[1]);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < count; i++) {
		const double factor = y[i / op->p.element.inner % others],
		             other = op->p.element.alpha * factor;
		double joined = op->p.element.multiply ? x[i] * other : x[i] + other;

		if (op->p.element.select && factor == 0)
			joined = 0;
		out[i] = ref_act(op->act, joined);
	}
	return 0;
}

int ref_round(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double *x = ref_data(op->in[0]);
	double *out = ref_data(op->out[0]);
	int64_t count = ref_elements(op->out[0]);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < count; i++) {
		double q = nearbyint(x[i] / op->p.round.scale);

		if (q < op->p.round.low)
			q = op->p.round.low;
		else if (q > op->p.round.high)
			q = op->p.round.high;
		out[i] = op->p.round.alpha * q + op->p.round.beta;
	}
	return 0;
}

int ref_glu(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *in = op->in[0];
	double *out = ref_data(op->out[0]);
	int64_t d = ref_size(op->out[0], 0), rows = ref_elements(op->out[0]) / d;

	(void)s;
	(void)why;
	for (int64_t r = 0; r < rows; r++) {
		const double *x = ref_data(in);
		int64_t left = r;

		for (uint32_t dim = 1; dim < in->dims; dim++) {
			x += left % ref_size(in, dim) * ref_stride(in, dim);
			left /= ref_size(in, dim);
		}
		for (int64_t i = 0; i < d; i++)
			out[r * d + i] = op->p.element.gate_last
			                     ? x[i] * ref_act(op->act, x[d + i])
			                     : ref_act(op->act, x[i]) * x[d + i];
	}
	return 0;
}
