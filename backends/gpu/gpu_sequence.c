/*
 * Operations along tokens: positions, and the parts of Mamba.
 */
#include <math.h>
#include <stdlib.h>

#include "gpu_call.h"

/* The steps of [b,t,...]: of b and of t. */
static void call_steps(struct gpu_call *c, const struct backend_tensor *t)
{
	struct tensor_steps s;

	tensor_steps(t, &s);
	INTS(c, s.outer_stride, s.inner_stride);
}

/* A table of numbers on the device, which release frees. */
static int keep_table(
    struct gpu *g, struct backend_op *op, const void *table, size_t bytes, char *why)
{
	struct backend_session *s = (struct backend_session *)g;

	op->own = gpu_alloc(s, bytes, why);
	return op->own ? gpu_write(s, op->own, 0, table, bytes, why) : -1;
}

static void *table_of(const struct backend_op *op)
{
	return ((struct gpu_buffer *)op->own)->handle;
}

/*
 * Turns a step of base^(-i / half), i < half, each as the sum of two numbers of type R; see
 * backends/gpu/kernels/sequence.cl.
 */
static int keep_frequencies(
    struct gpu *g, struct backend_op *op, double base, int64_t half, char *why)
{
	const bool wide = op->out[0]->dtype == BACKEND_FLOAT64;
	const size_t count = 2 * (size_t)half;
	double *in_double = calloc(count, sizeof(*in_double));
	float *in_float = calloc(count, sizeof(*in_float));
	int result = -1;

	if (!in_double || !in_float) {
		gpu_fail(why, "out of memory");
		goto out;
	}
	for (int64_t i = 0; i < half; i++) {
		const double turns =
		    pow(base, -(double)i / (double)half) / (2 * 3.14159265358979323846);

		in_double[2 * i] = turns;
		in_float[2 * i] = (float)turns;
		in_float[2 * i + 1] = (float)(turns - (double)in_float[2 * i]);
	}
	result = wide ? keep_table(g, op, in_double, count * sizeof(*in_double), why)
	              : keep_table(g, op, in_float, count * sizeof(*in_float), why);
out:
	free(in_float);
	free(in_double);
	return result;
}

static int64_t rope_half(const struct backend_op *op)
{
	return tensor_columns(op->in[0]) / op->p.rope.heads / 2;
}

int table_rope(struct gpu *g, struct backend_op *op, char *why)
{
	return keep_frequencies(g, op, op->p.rope.base, rope_half(op), why);
}

int op_rope(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0], *out = op->out[0];
	const int64_t half = rope_half(op);
	struct gpu_call c = call_begin(
	    g, "sequence", "rope", x->dtype, x->dtype, 0, tensor_elements(x) / 2, why);

	call_tensor(&c, out);
	call_tensor(&c, x);
	call_buffer(&c, table_of(op), 0);
	INTS(&c, x->size[x->dims - 2], op->p.rope.heads, half);
	call_steps(&c, out);
	call_steps(&c, x);
	call_int(&c, op->past);
	return call_each(&c, 1, why);
}

int table_sinusoid(struct gpu *g, struct backend_op *op, char *why)
{
	return keep_frequencies(g, op, 10000, tensor_columns(op->out[0]) / 2, why);
}

int op_sinusoid(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0], *out = op->out[0];
	struct gpu_call c = call_begin(g, "sequence", "sinusoid", out->dtype, x->dtype, 0,
	    tensor_elements(out) / 2, why);

	call_tensor(&c, out);
	call_tensor(&c, x);
	call_buffer(&c, table_of(op), 0);
	call_int(&c, tensor_columns(out) / 2);
	return call_each(&c, 1, why);
}

/* As Mesh TensorFlow's _relative_position_bucket; distance is the key's place less the
 * query's. */
static int32_t bucket_of(
    int64_t distance, int64_t buckets, int64_t farthest, bool both_ways)
{
	int64_t first = 0, behind = -distance;

	if (both_ways) {
		buckets /= 2;
		first = behind < 0 ? buckets : 0;
		behind = behind < 0 ? -behind : behind;
	} else if (behind < 0) {
		behind = 0;
	}
	const int64_t exact = buckets / 2;
	if (behind < exact)
		return (int32_t)(first + behind);
	const double scale = log((double)behind / (double)exact) /
	                     log((double)farthest / (double)exact) *
	                     (double)(buckets - exact);
	const int64_t far_bucket = exact + (int64_t)scale;

	return (int32_t)(first + (far_bucket < buckets ? far_bucket : buckets - 1));
}

int table_relative(struct gpu *g, struct backend_op *op, char *why)
{
	const int64_t far_away = op->p.relative.distance;
	const size_t count = 2 * (size_t)far_away + 1;
	int32_t *bucket = calloc(count, sizeof(*bucket));

	if (!bucket)
		return gpu_fail(why, "out of memory");
	for (int64_t d = -far_away; d <= far_away; d++)
		bucket[far_away + d] = bucket_of(
		    d, op->p.relative.buckets, far_away, op->p.relative.both_ways);
	const int result = keep_table(g, op, bucket, count * sizeof(*bucket), why);
	free(bucket);
	return result;
}

int op_relative(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *table = op->in[0], *out = op->out[0];
	const int64_t heads = out->size[0], tokens = out->size[1];
	const int64_t columns = op->p.relative.cached ? op->past + tokens : out->size[2];
	struct gpu_call c = call_begin(g, "sequence", "relative", out->dtype, out->dtype, 0,
	    heads * tokens * columns, why);

	call_tensor(&c, out);
	call_tensor(&c, table);
	call_buffer(&c, table_of(op), 0);
	INTS(&c, heads, tokens, columns, out->stride[0], out->stride[1], op->past,
	    op->p.relative.distance);
	return call_each(&c, 1, why);
}

int op_scan(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0], *h = op->in[7];
	const int64_t channels = x->size[2], states = tensor_columns(op->in[2]);
	struct gpu_call c = call_begin(
	    g, "sequence", "scan", x->dtype, h->dtype, states, x->size[0] * channels, why);

	call_tensor(&c, op->out[0]);
	for (size_t i = 0; i < 8; i++)
		call_tensor(&c, op->in[i]);
	INTS(&c, channels, x->size[1]);
	call_steps(&c, op->out[0]);
	call_steps(&c, x);
	call_steps(&c, op->in[1]);
	call_steps(&c, op->in[3]);
	call_steps(&c, op->in[4]);
	call_int(&c, op->past);
	return call_each(&c, 1, why);
}

int op_causal_conv(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0], *out = op->out[0];
	struct gpu_call c = call_begin(
	    g, "sequence", "causal_conv", x->dtype, x->dtype, 0, tensor_elements(out), why);

	call_tensor(&c, out);
	for (size_t i = 0; i < 3; i++)
		call_tensor(&c, op->in[i]);
	INTS(&c, out->size[2], out->size[1], tensor_columns(op->in[1]));
	call_steps(&c, out);
	call_steps(&c, x);
	call_int(&c, op->past);
	call_int(&c, op->act);
	return call_each(&c, 1, why);
}
