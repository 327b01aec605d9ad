/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ref: operations along tokens.
 */
#include "ref_priv.h"

/* Scans one channel of one sequence over all tokens; h is its row of the state. */
static void channel_scan(const struct backend_op *op, int64_t batch, int64_t c)
{
	const struct backend_tensor *x = op->in[0], *in3 = op->in[3], *in4 = op->in[4];
	int64_t tokens = x->size[1], channels = x->size[2], states = ref_size(op->in[2], 0);
	int64_t h = (batch * channels + c) * states;
	const double *decay = ref_data(op->in[2]) + c * states;

	for (int64_t n = 0; n < states && op->past == 0; n++)
		ref_put(op->in[7], h + n, 0);
	for (int64_t t = 0; t < tokens; t++) {
		int64_t at = (batch * tokens + t) * channels + c;
		const double *b =
		    ref_data(in3) + batch * in3->stride[0] + t * in3->stride[1];
		const double *read =
		    ref_data(in4) + batch * in4->stride[0] + t * in4->stride[1];
		double value = ref_data(x)[at], sum = ref_data(op->in[5])[c] * value;
		double dt = ref_act(
		    BACKEND_SOFTPLUS, ref_data(op->in[1])[at] + ref_data(op->in[6])[c]);

		for (int64_t n = 0; n < states; n++) {
			double state =
			    exp(-exp(decay[n]) * dt) * ref_get(op->in[7], h + n) +
			    dt * b[n] * value;

			ref_put(op->in[7], h + n, state);
			sum += state * read[n];
		}
		ref_data(op->out[0])[at] = sum;
	}
}

int ref_scan(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0];

	(void)s;
	(void)why;
	for (int64_t i = 0; i < x->size[0] * x->size[2]; i++)
		channel_scan(op, i / x->size[2], i % x->size[2]);
	return 0;
}

int ref_causal_conv(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *in = op->in[0], *w = op->in[1], *out = op->out[0];
	int64_t tokens = out->size[1], channels = out->size[2], taps = ref_size(w, 0);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < ref_elements(out); i++) {
		int64_t c = i % channels, t = i / channels % tokens,
		        batch = i / channels / tokens;
		const double *x =
		    ref_data(in) + (batch * in->size[1] + op->past + t) * channels + c;
		double sum = op->in[2] ? ref_data(op->in[2])[c] : 0;

		for (int64_t k = 0; k < taps; k++)
			sum += ref_data(w)[c * taps + k] * x[k * channels];
		ref_data(out)[i] = ref_act(op->act, sum);
	}
	return 0;
}

int ref_cell(struct backend_session *s, const struct backend_op *op, char *why)
{
	const double *x = ref_data(op->in[0]), *y = ref_data(op->in[1]),
	             *before = ref_data(op->in[2]);
	double *out = ref_data(op->out[0]);
	const int64_t gates = op->p.cell.gates, h = ref_size(op->out[0], 0);

	(void)s;
	(void)why;
	for (int64_t i = 0; i < ref_elements(op->out[0]); i++) {
		const int64_t at = i / h * gates * h + i % h;
		double gate[3];

		for (int64_t k = 0; k + 1 < gates; k++)
			gate[k] = ref_act(BACKEND_SIGMOID, x[at + k * h] + y[at + k * h]);
		const double x_last = x[at + (gates - 1) * h],
		             y_last = y[at + (gates - 1) * h];
		if (gates == 4) {
			const double cell =
			    gate[2] * before[i] + gate[0] * tanh(x_last + y_last);

			ref_data(op->out[1])[i] = cell;
			out[i] = gate[1] * tanh(cell);
		} else {
			out[i] = (1 - gate[0]) * tanh(x_last + gate[1] * y_last) +
			         gate[0] * before[i];
		}
	}
	return 0;
}
