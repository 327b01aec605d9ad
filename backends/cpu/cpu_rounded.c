/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs products and convolutions of rounded numbers in int8; see cpu_rounded.h.
 *
 * The result of a ROUND is alpha (q - z), where q is a byte, and a weight is s w, so the
 * sums of QGEMM and QCONV are exact. Those of floating-point numbers are rounded, so the
 * results agree to their precision. A NaN has no byte: if there is one, the operation runs
 * on floating-point numbers.
 */
#include <math.h>
#include <stdlib.h>

#include "cpu_byte_ops.h"
#include "cpu_bytes.h"
#include "cpu_depthwise.h"
#include "cpu_gemm.h"
#include "cpu_im2col.h"
#include "cpu_qconv.h"
#include "cpu_rounded.h"

enum { WEIGHT_MOST = 127, PRODUCTS_MOST = 66311 };

/* The fewest channels of a group, and results of a group, for which a convolution of quads
 * pays. */
enum { CONV_CHANNELS_LEAST = 3, CONV_OUTS_LEAST = 8 };

/* The time that int8 takes beyond its products: of a number that is quantized, of a quad
 * that is copied to the matrix, and of a result that is finished. Its unit is the time that
 * a multiply-add in 16 bits saves. */
enum { MACS_STORE = 32, MACS_COPY = 24, MACS_FINISH = 12 };

/* How an operation in int8 is prepared and released. */
struct way {
	int (*prepare)(struct backend_session *s, struct backend_op *op, char *why);
	size_t (*scratch)(const struct backend_session *s, const struct backend_op *op);
	void (*release)(struct backend_session *s, struct backend_op *op);
};
static const struct way product = { cpu_qgemm_prepare, cpu_qgemm_scratch,
	cpu_qgemm_release };
static const struct way convolution = { cpu_qconv_prepare, cpu_qconv_scratch,
	cpu_qconv_release };
static const struct way depthwise = { cpu_depthwise_prepare, cpu_depthwise_scratch,
	cpu_depthwise_release };

/* The `own` of an operation that runs in int8. */
struct rounded {
	struct cpu_own head;
	const struct way *way;
	struct backend_op op; /* QGEMM or QCONV */
	struct backend_tensor weight, scales;
	struct cpu_scale in;
	const struct backend_op *round; /* that wrote the input; NULL if that is a view */
	struct cpu_bytes *to;           /* the bytes that are written, or NULL */
};

/* A weight as rows of k numbers: element (r,i) is at r row + i column. */
struct weight_rows {
	const float *from;
	int64_t rows, k, row, column;
};

static struct weight_rows rows_of(const struct backend_op *op)
{
	const struct backend_tensor *w = op->in[1];
	struct weight_rows r = { .from = cpu_f32(w) };
	if (op->kind == BACKEND_CONV) {
		r.rows = w->size[0];
		r.k = w->size[1] * w->size[2] * w->size[3];
		r.row = r.k;
		r.column = 1;
		return r;
	}
	const bool turned = op->p.gemm.transpose;
	r.rows = cpu_size(w, turned ? 2 : 1);
	r.k = cpu_size(w, turned ? 1 : 2);
	r.row = turned ? cpu_stride(w, 2) : 1;
	r.column = turned ? 1 : cpu_stride(w, 2);
	return r;
}

/* Stores row r as multiples of a scale. Returns false if it has other numbers. */
static bool row_store(int8_t *to, const struct weight_rows *w, int64_t r, float scale)
{
	for (int64_t i = 0; i < w->k; i++) {
		const float x = w->from[r * w->row + i * w->column];
		const float q = rintf(x / scale);
		/* A few roundings of float32; also false of a NaN. */
		if (!(fabsf(q) <= WEIGHT_MOST && fabsf(q * scale - x) <= 4e-7f * fabsf(x)))
			return false;
		to[i] = (int8_t)q;
	}
	return true;
}

/* Returns the largest absolute value of a row. */
static float row_most(const struct weight_rows *w, int64_t r)
{
	float most = 0;
	for (int64_t i = 0; i < w->k; i++)
		most = fmaxf(most, fabsf(w->from[r * w->row + i * w->column]));
	return most;
}

/* Stores the rows of a weight and their scales. The largest weight of a row is any multiple
 * of its scale. Returns false if the weight has other numbers. */
static bool rows_store(int8_t *to, float *scale, const struct weight_rows *w)
{
	for (int64_t r = 0; r < w->rows; r++) {
		const float most = row_most(w, r);
		int most_is = WEIGHT_MOST;
		if (!isfinite(most))
			return false;
		for (; most_is > 0; most_is--) {
			scale[r] = most > 0 ? most / (float)most_is : 1;
			if (row_store(to + r * w->k, w, r, scale[r]))
				break;
		}
		if (most_is == 0)
			return false;
	}
	return true;
}

/*
 * Returns whether a convolution in int8 is faster. Without VNNI, vectors of 256 bits have
 * almost twice the speed of oneDNN in float32, apart from what quantization takes, and
 * those of 512 bits the same speed. Convolutions of single pixels stay in float32 then:
 * those of oneDNN leave their results in the layout that the next convolution needs.
 */
static bool conv_pays(const struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0], *w = op->in[1], *out = op->out[0];
	const int64_t outs = w->size[0] / op->p.conv.groups, taps = w->size[2] * w->size[3];
	if (w->size[1] < CONV_CHANNELS_LEAST || outs < CONV_OUTS_LEAST)
		return false;
	const int64_t quads = (w->size[1] + 3) / 4 * taps * op->p.conv.groups,
	              pixels = out->size[0] * out->size[2] * out->size[3];
	if (cpu_uses_vnni(s))
		return true;
	return s->isa->bits == 256 && taps > 1 &&
	       pixels * quads * 4 * outs > cpu_count(in) * MACS_STORE +
	                                       pixels * quads * MACS_COPY +
	                                       cpu_count(out) * MACS_FINISH;
}

/* Returns whether a convolution is faster in int8 at least if it reads and writes bytes:
 * one of single channels, and one of single pixels. */
static bool bytes_pay(const struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *w = op->in[1];
	if (op->in[0]->dtype != BACKEND_FLOAT32 || w->role != BACKEND_WEIGHT)
		return false;
	if (cpu_is_depthwise(op))
		return rows_of(op).k <= PRODUCTS_MOST;
	return s->isa->bits == 256 && w->size[1] >= CONV_CHANNELS_LEAST &&
	       w->size[0] / op->p.conv.groups >= CONV_OUTS_LEAST &&
	       w->size[1] <= PRODUCTS_MOST && w->size[2] * w->size[3] == 1;
}

/* Returns whether QGEMM or QCONV has the sizes of an operation, and is faster. */
static bool op_may_round(const struct backend_session *s, const struct backend_op *op)
{
	if ((op->kind != BACKEND_GEMM && op->kind != BACKEND_CONV) ||
	    op->in[0]->dtype != BACKEND_FLOAT32 || op->in[1]->role != BACKEND_WEIGHT ||
	    op->own)
		return false;
	const struct weight_rows w = rows_of(op);
	if (op->kind == BACKEND_CONV)
		return w.k <= PRODUCTS_MOST && conv_pays(s, op);
	return w.k <= PRODUCTS_MOST && cpu_size(op->in[1], 3) == 1;
}

/* Describes memory as a contiguous tensor. */
static struct backend_tensor tensor_of(
    enum backend_dtype dtype, uint32_t dims, const int64_t *size, void *memory)
{
	struct backend_tensor t = {
		.dtype = dtype, .role = BACKEND_WEIGHT, .dims = dims, .buffer = memory
	};
	int64_t stride = 1;
	for (uint32_t i = dims; i-- > 0;) {
		t.size[i] = size[i];
		t.stride[i] = stride;
		stride *= size[i];
	}
	return t;
}

static void rounded_free(struct backend_session *s, struct rounded *r)
{
	cpu_free(s, r->weight.buffer);
	cpu_free(s, r->scales.buffer);
	free(r);
}

/* Makes QGEMM or QCONV of an operation. Returns 0, with the `own` set if the weights are
 * such numbers; or -1 and the reason. */
static int op_round(struct backend_session *s, struct backend_op *op,
    const struct backend_op *round, char *why)
{
	const struct weight_rows w = rows_of(op);
	const int64_t matrix[] = { w.rows, w.k };
	const bool convolves = op->kind == BACKEND_CONV;
	struct rounded *r = calloc(1, sizeof(*r));
	if (!r)
		return hook_fail(why, "out of memory");
	r->head.rounded = true;
	r->op = *op;
	r->op.kind = convolves ? BACKEND_QCONV : BACKEND_QGEMM;
	if (!convolves)
		r->op.p.gemm.transpose = true;
	r->op.in[1] = &r->weight;
	r->op.in[4] = &r->scales;
	r->round = round->out[0] == op->in[0] ? round : NULL;
	r->in.scale = (float)round->p.round.alpha;
	r->in.zero = (int32_t)-round->p.round.low;
	/* Products of numbers that are not normal may be inexact. */
	if (r->in.scale > 0x1p-64f && r->in.scale < 0x1p64f)
		r->in.inverse = 1 / r->in.scale;
	r->weight = tensor_of(BACKEND_INT8, convolves ? 4 : 2,
	    convolves ? op->in[1]->size : matrix, cpu_alloc(s, (size_t)(w.rows * w.k)));
	r->scales = tensor_of(
	    BACKEND_FLOAT32, 1, matrix, cpu_alloc(s, (size_t)w.rows * sizeof(float)));
	if (!r->weight.buffer || !r->scales.buffer) {
		rounded_free(s, r);
		return hook_fail(why, "out of memory for quantized weights");
	}
	if (!rows_store(r->weight.buffer, r->scales.buffer, &w)) {
		rounded_free(s, r);
		return 0;
	}
	r->way = !convolves                 ? &product
	         : cpu_is_depthwise(&r->op) ? &depthwise
	                                    : &convolution;
	if (r->way->prepare(s, &r->op, why) < 0) {
		rounded_free(s, r);
		return -1;
	}
	op->own = r;
	if (cpu_scratch(s, r->way->scratch(s, &r->op), why) < 0)
		return -1;
	return convolves ? cpu_scratch(s, cpu_im2col_scratch(s, op), why) : 0;
}

/* Lets the operation before operation `at`, a ROUND, write its result as bytes. Returns 0,
 * or -1 and the reason. */
static int result_round(
    struct backend_session *s, struct backend_op *op, size_t count, size_t at, char *why)
{
	struct backend_op *writer = cpu_bytes_writer(op, count, at);
	if (!writer)
		return 0;
	if (writer->kind != BACKEND_CONV)
		return cpu_byte_op_prepare(s, op, count, at, writer, why);
	if (!writer->own && bytes_pay(s, writer)) {
		const size_t place = (size_t)(writer - op);
		const struct backend_op *round =
		    cpu_bytes_round(op, count, place, writer->in[0]);
		if (round && round->out[0] == writer->in[0] && round->own &&
		    op_round(s, writer, round, why) < 0)
			return -1;
	}
	if (!cpu_is_rounded(writer))
		return 0;
	struct cpu_bytes *to = cpu_bytes_create(s, &op[at], writer->act);
	if (!to)
		return hook_fail(why, "out of memory for rounded results");
	((struct rounded *)writer->own)->to = to;
	return 0;
}

int cpu_rounded_prepare(
    struct backend_session *s, struct backend_op *op, size_t count, char *why)
{
	for (size_t i = 0; i < count; i++) {
		int status = 0;
		if (op[i].kind == BACKEND_ROUND && op[i].in[0]->dtype == BACKEND_FLOAT32)
			status = result_round(s, op, count, i, why);
		else if (op[i].kind == BACKEND_POOL)
			status = cpu_byte_mean_prepare(op, count, i, why);
		else if (op_may_round(s, &op[i])) {
			const struct backend_op *round =
			    cpu_bytes_round(op, count, i, op[i].in[0]);
			status = round ? op_round(s, &op[i], round, why) : 0;
		}
		if (status < 0)
			return -1;
	}
	for (size_t i = 0; i < count; i++)
		if (op[i].kind == BACKEND_ROUND && op[i].own)
			cpu_bytes_settle(op, count, op[i].own);
	return 0;
}

bool cpu_is_rounded(const struct backend_op *op)
{
	return (op->kind == BACKEND_GEMM || op->kind == BACKEND_CONV ||
	           op->kind == BACKEND_POOL || op->kind == BACKEND_BINARY ||
	           op->kind == BACKEND_ROUND) &&
	       op->own && ((const struct cpu_own *)op->own)->rounded;
}

void cpu_rounded_release(struct backend_session *s, struct backend_op *op)
{
	if (op->kind == BACKEND_ROUND) {
		cpu_bytes_release(s, op);
		return;
	}
	if (op->kind == BACKEND_POOL || op->kind == BACKEND_BINARY) {
		cpu_byte_op_release(op);
		return;
	}
	struct rounded *r = op->own;
	op->own = NULL;
	r->way->release(s, &r->op);
	rounded_free(s, r);
}

/* Runs an operation on floating-point numbers. */
static int op_run_plain(struct backend_session *s, const struct backend_op *op, char *why)
{
	struct backend_op plain = *op;
	plain.own = NULL;
	return (op->kind == BACKEND_CONV ? cpu_im2col : cpu_gemm)(s, &plain, why);
}

static int conv_run_rounded(
    struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct rounded *r = op->own;
	const struct cpu_bytes *from = r->round ? r->round->own : NULL;
	const uint8_t *bytes = from && from->filled ? from->by.q : NULL;
	const bool fine =
	    r->way == &depthwise ? bytes != NULL : cpu_qconv_store(s, &r->op, r->in, bytes);
	if (r->to)
		r->to->filled = fine;
	if (!fine)
		return op_run_plain(s, op, why);
	if (r->way == &depthwise)
		cpu_depthwise_run(s, &r->op, r->in, bytes, &r->to->by);
	else
		cpu_qconv_multiply(s, &r->op, r->in, r->to ? &r->to->by : NULL);
	return 0;
}

int cpu_rounded_run(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct rounded *r = op->own;
	switch (op->kind) {
	case BACKEND_ROUND:
		cpu_bytes_run(s, op);
		return 0;
	case BACKEND_POOL:
	case BACKEND_BINARY:
		cpu_byte_op_run(s, op);
		return 0;
	case BACKEND_CONV:
		return conv_run_rounded(s, op, why);
	default:
		if (isnan(cpu_activations_scale(s, op->in[0]).scale))
			return op_run_plain(s, op, why);
		cpu_qgemm_scaled(s, &r->op, r->in);
		return 0;
	}
}
