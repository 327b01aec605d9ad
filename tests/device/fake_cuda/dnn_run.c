/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes convolutions with plain loops, in double precision; see dnn.h.
 */
#include <math.h>
#include <string.h>

#include "../../../backends/gpu/cuda_dnn_api.h"
#include "dnn.h"
#include "numbers.h"

static double number_load(const struct dnn_tensor *t, int64_t i)
{
	uint32_t bits;
	float x;

	if (t->type == DNN_HALF)
		return (double)((const _Float16 *)(const void *)t->data)[i];
	if (t->type == DNN_BFLOAT16)
		bits = (uint32_t)((const uint16_t *)(const void *)t->data)[i] << 16;
	else
		bits = ((const uint32_t *)(const void *)t->data)[i];
	memcpy(&x, &bits, sizeof(x));
	return (double)x;
}

static void number_store(const struct dnn_tensor *t, int64_t i, double value)
{
	const float x = (float)value;
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	if (t->type == DNN_HALF)
		((_Float16 *)(void *)t->data)[i] = (_Float16)value;
	else if (t->type == DNN_BFLOAT16)
		((uint16_t *)(void *)t->data)[i] =
		    (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
	else
		((float *)(void *)t->data)[i] = x;
}

static double act(const struct dnn_step *s, double x)
{
	switch (s->mode) {
	case DNN_RELU:
		return x > 0 ? x : 0;
	case DNN_TANH:
		return tanh(x);
	case DNN_SIGMOID:
		return 1 / (1 + exp(-x));
	case DNN_GELU:
		return x / 2 * (1 + erf(x / sqrt(2)));
	case DNN_GELU_TANH:
		return x / 2 * (1 + tanh(0.79788456080286536 * (x + 0.044715 * x * x * x)));
	case DNN_SOFTPLUS:
		return fmax(x, 0) + log1p(exp(-fabs(x)));
	case DNN_SWISH:
		return x / (1 + exp(-s->beta * x));
	}
	return NAN;
}

static int64_t element_at(const struct dnn_tensor *t, const int64_t at[4])
{
	int64_t sum = 0;

	for (int i = 0; i < 4; i++)
		sum += t->size[i] == 1 ? 0 : at[i] * t->stride[i];
	return sum;
}

static double factor_load(const struct dnn_tensor *t, const int64_t at[4])
{
	const double x = number_load(t, element_at(t, at));

	return t->type == DNN_FLOAT ? fake_tf32(x) : x;
}

static double convolution_sum(const struct dnn_job *j, const int64_t at[4])
{
	const int64_t share = j->weight.size[1], groups = j->x.size[1] / share;
	const int64_t first = at[1] / (j->weight.size[0] / groups) * share;
	double sum = 0;

	for (int64_t c = 0; c < share; c++)
		for (int64_t ky = 0; ky < j->weight.size[2]; ky++)
			for (int64_t kx = 0; kx < j->weight.size[3]; kx++) {
				const int64_t from[] = { at[0], first + c,
					at[2] * j->stride[0] - j->before[0] +
					    ky * j->dilation[0],
					at[3] * j->stride[1] - j->before[1] +
					    kx * j->dilation[1] };
				const int64_t by[] = { at[1], c, ky, kx };

				if (from[2] >= 0 && from[2] < j->x.size[2] &&
				    from[3] >= 0 && from[3] < j->x.size[3])
					sum += factor_load(&j->x, from) *
					       factor_load(&j->weight, by);
			}
	return j->narrow ? rint(sum * 16) / 16 : sum;
}

int dnn_run(const void *data)
{
	const struct dnn_job *j = data;
	const int64_t *size = j->out.size;
	int64_t at[4];

	for (int64_t i = 0; i < size[0] * size[1] * size[2] * size[3]; i++) {
		int64_t left = i;

		for (int d = 3; d >= 0; left /= size[d], d--)
			at[d] = left % size[d];
		double value = convolution_sum(j, at);

		for (size_t k = 0; k < j->steps; k++) {
			const struct dnn_step *s = &j->step[k];

			value = s->has_other ? value + number_load(&s->other,
			                                   element_at(&s->other, at))
			                     : act(s, value);
		}
		number_store(&j->out, element_at(&j->out, at), value);
	}
	return 0;
}
