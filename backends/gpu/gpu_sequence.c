/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs operations along tokens: positions, and the parts of Mamba.
 */
#include <math.h>
#include <stdlib.h>

#include "gpu_call.h"
#include "gpu_ops.h"

/* Appends the strides of b and t of a tensor [b,t,...]. */
static void call_add_steps(struct gpu_call *c, const struct backend_tensor *t)
{
	struct gpu_steps s;

	gpu_tensor_steps(t, &s);
	GPU_CALL_INTS(c, s.outer_stride, s.inner_stride);
}

/* Writes a table to the device as the operation's `own`, which release frees. */
static int table_write(
    struct gpu *g, struct backend_op *op, const void *table, size_t bytes, char *why)
{
	struct backend_session *s = (struct backend_session *)g;

	op->own = gpu_alloc(s, bytes, why);
	return op->own ? gpu_write(s, op->own, 0, table, bytes, why) : -1;
}

static void *table_handle(const struct backend_op *op)
{
	return ((struct gpu_buffer *)op->own)->handle;
}

/*
 * Writes the turns per position, base^(-i / half) / 2 pi for i < half, each as the sum of
 * two numbers of type R; see kernels/sequence.cl.
 */
static int table_write_frequencies(
    struct gpu *g, struct backend_op *op, double base, int64_t half, char *why)
{
	const bool wide = op->out[0]->dtype == BACKEND_FLOAT64;
	const size_t count = 2 * (size_t)half;
	double *in_double = calloc(count, sizeof(*in_double));
	float *in_float = calloc(count, sizeof(*in_float));
	int result = -1;

	if (!in_double || !in_float) {
		hook_fail(why, "out of memory");
		goto out;
	}
	for (int64_t i = 0; i < half; i++) {
		const double turns =
		    pow(base, -(double)i / (double)half) / (2 * 3.14159265358979323846);

		in_double[2 * i] = turns;
		in_float[2 * i] = (float)turns;
		in_float[2 * i + 1] = (float)(turns - (double)in_float[2 * i]);
	}
	result = wide ? table_write(g, op, in_double, count * sizeof(*in_double), why)
	              : table_write(g, op, in_float, count * sizeof(*in_float), why);
out:
	free(in_float);
	free(in_double);
	return result;
}

static int64_t rope_half(const struct backend_op *op)
{
	return gpu_tensor_columns(op->in[0]) / op->p.rope.heads / 2;
}

int gpu_table_rope(struct gpu *g, struct backend_op *op, char *why)
{
	return table_write_frequencies(g, op, op->p.rope.base, rope_half(op), why);
}

int gpu_op_rope(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0], *out = op->out[0];
	const int64_t half = rope_half(op);
	struct gpu_call c = gpu_call_begin(g, gpu_kernel_of("sequence", "rope", x->dtype),
	    gpu_tensor_elements(x) / 2, why);

	gpu_call_tensor(&c, out);
	gpu_call_tensor(&c, x);
	gpu_call_buffer(&c, table_handle(op), 0);
	GPU_CALL_INTS(&c, x->size[x->dims - 2], op->p.rope.heads, half);
	call_add_steps(&c, out);
	call_add_steps(&c, x);
	gpu_call_past(&c, op->past);
	return gpu_call_each(&c, 1, why);
}

int gpu_table_sinusoid(struct gpu *g, struct backend_op *op, char *why)
{
	return table_write_frequencies(
	    g, op, 10000, gpu_tensor_columns(op->out[0]) / 2, why);
}

int gpu_op_sinusoid(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0], *out = op->out[0];
	struct gpu_call c = gpu_call_begin(g,
	    (struct gpu_kernel){ .file = "sequence",
	        .name = "sinusoid",
	        .dtype = out->dtype,
	        .other = x->dtype },
	    gpu_tensor_elements(out) / 2, why);

	gpu_call_tensor(&c, out);
	gpu_call_tensor(&c, x);
	gpu_call_buffer(&c, table_handle(op), 0);
	gpu_call_int(&c, gpu_tensor_columns(out) / 2);
	return gpu_call_each(&c, 1, why);
}

/* Returns the bucket of a distance, which is the position of the key minus that of the
 * query, as Mesh TensorFlow's _relative_position_bucket does. */
static int32_t relative_bucket(
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

int gpu_table_relative(struct gpu *g, struct backend_op *op, char *why)
{
	const int64_t far_away = op->p.relative.distance;
	const size_t count = 2 * (size_t)far_away + 1;
	int32_t *bucket = calloc(count, sizeof(*bucket));

	if (!bucket)
		return hook_fail(why, "out of memory");
	for (int64_t d = -far_away; d <= far_away; d++)
		bucket[far_away + d] = relative_bucket(
		    d, op->p.relative.buckets, far_away, op->p.relative.both_ways);
	const int result = table_write(g, op, bucket, count * sizeof(*bucket), why);
	free(bucket);
	return result;
}

int gpu_op_relative(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *table = op->in[0], *out = op->out[0];
	const int64_t heads = out->size[0], tokens = out->size[1];
	/* the kernel leaves out those that are not in use */
	const int64_t columns =
	    op->p.relative.cached && !g->recording ? op->past + tokens : out->size[2];
	struct gpu_call c =
	    gpu_call_begin(g, gpu_kernel_of("sequence", "relative", out->dtype),
	        heads * tokens * columns, why);

	gpu_call_tensor(&c, out);
	gpu_call_tensor(&c, table);
	gpu_call_buffer(&c, table_handle(op), 0);
	GPU_CALL_INTS(&c, heads, tokens, columns, out->stride[0], out->stride[1],
	    op->p.relative.distance, op->p.relative.cached);
	gpu_call_past(&c, op->past);
	return gpu_call_each(&c, 1, why);
}

/* A kernel for a scan, its groups, its first argument, and the one before the sizes, which
 * is 0 if it has none. */
struct scan_kernel {
	struct gpu_kernel kernel;
	int64_t groups, count, extra;
};

static int64_t divide_up(int64_t a, int64_t b)
{
	return (a + b - 1) / b;
}

/*
 * Chooses the kernel for a scan. Many tokens are divided into chunks, whose states fit in
 * shared memory. There are more chunks, of fewer channels, if the groups are fewer than the
 * multiprocessors; but 8 adjacent channels, because those of float32 are as many bytes as
 * a device reads from memory at once. A few tokens have a work-item for each channel, or,
 * if those are few, for each state.
 */
static struct scan_kernel scan_kernel_choose(
    const struct gpu *g, const struct backend_op *op)
{
	enum { FEWEST_CHUNKS = 16, MOST_CHUNKS = 32, TOKENS = 2, ROOM = 40960 };
	const struct backend_tensor *x = op->in[0], *h = op->in[7];
	const int64_t samples = x->size[0], tokens = x->size[1], channels = x->size[2];
	const int64_t states = gpu_tensor_columns(op->in[2]), group = gpu_group(g);
	const int64_t real = gpu_is_wide(g, x->dtype, h->dtype) ? 8 : 4;
	const int64_t lines = samples * channels;
	struct gpu_kernel kernel = { .file = "sequence",
		.name = "scan",
		.dtype = x->dtype,
		.other = h->dtype,
		.states = states };
	int64_t groups = divide_up(lines, group), chunks = FEWEST_CHUNKS;

	if (!g->wide && tokens >= TOKENS * chunks && group * (states + 1) * real <= ROOM) {
		groups = samples * divide_up(channels * chunks, group);
		while (groups < (int64_t)g->units && chunks < MOST_CHUNKS &&
		       tokens >= TOKENS * 2 * chunks) {
			chunks *= 2;
			groups = samples * divide_up(channels * chunks, group);
		}
		kernel.file = "scan";
		kernel.name = "scan_chunks";
		return (struct scan_kernel){ kernel, groups, groups, chunks };
	}
	if (!g->wide && groups < (int64_t)g->units && states <= group) {
		groups = divide_up(lines, group / states);
		kernel.file = "scan_step";
		kernel.name = "scan_states";
		return (struct scan_kernel){ kernel, groups, groups, lines };
	}
	return (struct scan_kernel){ kernel, groups, lines, 0 };
}

int gpu_op_scan(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0];
	const struct scan_kernel scan = scan_kernel_choose(g, op);
	struct gpu_call c = gpu_call_begin(g, scan.kernel, scan.count, why);

	gpu_call_tensor(&c, op->out[0]);
	for (size_t i = 0; i < 8; i++)
		gpu_call_tensor(&c, op->in[i]);
	if (scan.extra)
		gpu_call_int(&c, scan.extra);
	GPU_CALL_INTS(&c, x->size[2], x->size[1]);
	call_add_steps(&c, op->out[0]);
	call_add_steps(&c, x);
	call_add_steps(&c, op->in[1]);
	call_add_steps(&c, op->in[3]);
	call_add_steps(&c, op->in[4]);
	gpu_call_past(&c, op->past);
	return gpu_call_go(&c, scan.groups, gpu_group(g), why);
}

int gpu_op_causal_conv(struct gpu *g, const struct backend_op *op, char *why)
{
	const struct backend_tensor *x = op->in[0], *out = op->out[0];
	struct gpu_call c =
	    gpu_call_begin(g, gpu_kernel_of("sequence", "causal_conv", x->dtype),
	        gpu_tensor_elements(out), why);

	gpu_call_tensor(&c, out);
	for (size_t i = 0; i < 3; i++)
		gpu_call_tensor(&c, op->in[i]);
	GPU_CALL_INTS(&c, out->size[2], out->size[1], gpu_tensor_columns(op->in[1]));
	call_add_steps(&c, out);
	call_add_steps(&c, x);
	gpu_call_int(&c, op->act);
	gpu_call_past(&c, op->past);
	return gpu_call_each(&c, 1, why);
}
