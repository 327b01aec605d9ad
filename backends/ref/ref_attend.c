/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ref: attention, and the encodings of positions.
 */
#include "ref_priv.h"

/* Computes the scores of one query over the keys it uses, then the weighted mean of their
 * values. */
static void attention_query(const struct backend_op *op, double *score, int64_t batch,
    int64_t head, int64_t i, int64_t seen)
{
	const struct backend_tensor *q = op->in[0], *k = op->in[1], *v = op->in[2],
	                            *bias = op->in[3], *out = op->out[0];
	int64_t heads = op->p.attention.heads, kv_heads = op->p.attention.kv_heads;
	int64_t d = ref_size(q, 0) / heads, dv = ref_size(out, 0) / heads;
	int64_t kv_head = head * kv_heads / heads;
	const double *query =
	    ref_data(q) + batch * ref_stride(q, 2) + i * ref_stride(q, 1) + head * d;
	const double *keys = ref_data(k) + batch * ref_stride(k, 2) + kv_head * d;
	const double *values = ref_data(v) + batch * ref_stride(v, 2) + kv_head * dv;
	double *to =
	    ref_data(out) + batch * ref_stride(out, 2) + i * ref_stride(out, 1) + head * dv;

	for (int64_t j = 0; j < seen; j++) {
		double sum = 0;

		for (int64_t c = 0; c < d; c++)
			sum += query[c] * keys[j * ref_stride(k, 1) + c];
		score[j] = op->p.attention.scale * sum;
		if (bias)
			score[j] += ref_data(
			    bias)[head * ref_stride(bias, 2) + i * ref_stride(bias, 1) + j];
	}
	ref_softmax_row(score, seen);
	for (int64_t c = 0; c < dv; c++) {
		double sum = 0;

		for (int64_t j = 0; j < seen; j++)
			sum += score[j] * values[j * ref_stride(v, 1) + c];
		to[c] = sum;
	}
}

int ref_attention(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *q = op->in[0];
	int64_t tokens = ref_size(q, 1), keys = ref_size(op->in[1], 1);

	(void)why;
	if (op->p.attention.cached && op->past + tokens < keys)
		keys = op->past + tokens;
	for (int64_t batch = 0; batch < ref_size(q, 2); batch++)
		for (int64_t head = 0; head < op->p.attention.heads; head++)
			for (int64_t i = 0; i < tokens; i++) {
				bool fewer =
				    op->p.attention.causal && op->past + i + 1 < keys;

				attention_query(op, s->scratch, batch, head, i,
				    fewer ? op->past + i + 1 : keys);
			}
	return 0;
}

int ref_rope(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	int64_t heads = op->p.rope.heads, tokens = ref_size(in, 1);
	int64_t d = ref_size(in, 0) / heads, half = d / 2;

	(void)s;
	(void)why;
	for (int64_t r = 0; r < ref_size(in, 2) * tokens * heads; r++) {
		int64_t head = r % heads, token = r / heads % tokens,
		        batch = r / heads / tokens;
		const double *x = ref_data(in) + batch * ref_stride(in, 2) +
		                  token * ref_stride(in, 1) + head * d;
		double *to = ref_data(out) + batch * ref_stride(out, 2) +
		             token * ref_stride(out, 1) + head * d;

		for (int64_t i = 0; i < half; i++) {
			double angle = (double)(op->past + token) *
			               pow(op->p.rope.base, -2 * (double)i / (double)d);
			double a = x[i], b = x[i + half];

			to[i] = a * cos(angle) - b * sin(angle);
			to[i + half] = a * sin(angle) + b * cos(angle);
		}
	}
	return 0;
}

/*
 * Returns the bucket of a distance: half of the buckets have one distance each, the others
 * grow exponentially. The small addend keeps a logarithm that should be an integer from
 * being rounded below it.
 */
static int64_t relative_bucket(const struct backend_op *op, int64_t distance)
{
	int64_t buckets = op->p.relative.buckets, first = 0, far;

	if (op->p.relative.both_ways) {
		buckets /= 2;
		first = distance > 0 ? buckets : 0;
		distance = distance < 0 ? -distance : distance;
	} else {
		distance = distance < 0 ? -distance : 0;
	}
	if (distance < buckets / 2)
		return first + distance;
	far = buckets / 2 +
	      (int64_t)(log((double)distance / (double)(buckets / 2)) /
	                    log((double)op->p.relative.distance / (double)(buckets / 2)) *
	                    (double)(buckets - buckets / 2) +
	                1e-9);
	return first + (far < buckets ? far : buckets - 1);
}

int ref_relative(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *table = op->in[0], *out = op->out[0];
	int64_t heads = ref_size(out, 2), tokens = ref_size(out, 1),
	        columns = ref_size(out, 0);

	(void)s;
	(void)why;
	if (op->p.relative.cached && op->past + tokens < columns)
		columns = op->past + tokens;
	for (int64_t h = 0; h < heads; h++)
		for (int64_t i = 0; i < tokens; i++)
			for (int64_t j = 0; j < columns; j++)
				ref_data(out)[h * ref_stride(out, 2) +
				              i * ref_stride(out, 1) + j] = ref_data(table)
				    [relative_bucket(op, j - (op->past + i)) * heads + h];
	return 0;
}
