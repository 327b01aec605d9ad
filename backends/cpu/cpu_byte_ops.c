/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs poolings and sums on bytes; see cpu_byte_ops.h. If an input has no bytes, because of
 * a NaN before, the operation runs on floating-point numbers.
 */
#include <stdlib.h>

#include "cpu_byte_ops.h"

/* The bytes that a thread adds up at once. */
enum { SUM_SPAN = 4096 };

/* The `own` of such an operation. */
struct byte_op {
	struct cpu_own head;
	const struct cpu_bytes *from[2];
	struct cpu_bytes *to; /* NULL: means, which are numbers */
};

/* Returns the bytes of the ROUND that wrote an input of an operation, or NULL. */
static const struct cpu_bytes *bytes_of(
    const struct backend_op *op, size_t count, size_t at, const struct backend_tensor *t)
{
	const struct backend_op *round = cpu_bytes_round(op, count, at, t);
	return round && round->out[0] == t ? round->own : NULL;
}

/* Returns whether every window of a pooling has an element, in each direction. */
static bool windows_have_elements(const struct backend_op *op)
{
	for (int i = 0; i < 2; i++) {
		const int64_t last = (op->out[0]->size[2 + i] - 1) * op->p.pool.stride[i] -
		                     op->p.pool.before[i];
		if (op->p.pool.kernel[i] <= op->p.pool.before[i] ||
		    last >= op->in[0]->size[2 + i])
			return false;
	}
	return true;
}

/* Returns whether a ROUND changes no maximum of numbers that another one rounded. */
static bool rounds_alike(const struct backend_op *round, const struct cpu_bytes *from)
{
	return (float)round->p.round.scale == from->alpha &&
	       (int32_t)round->p.round.low == from->by.base &&
	       (int32_t)round->p.round.high == from->by.high;
}

static bool pool_takes_bytes(const struct backend_op *op, const struct backend_op *round,
    const struct cpu_bytes *from)
{
	return !op->p.pool.average && op->act == BACKEND_LINEAR && from &&
	       rounds_alike(round, from) && windows_have_elements(op) &&
	       op->in[0]->size[3] <= CPU_POOL_WIDTH_MOST;
}

static bool sum_takes_bytes(
    const struct backend_op *op, const struct cpu_bytes *const from[2])
{
	return from[0] && from[1] && cpu_count(op->in[0]) == cpu_count(op->in[1]) &&
	       !op->p.element.multiply && !op->p.element.select &&
	       op->p.element.inner <= 1 &&
	       (op->act == BACKEND_LINEAR || op->act == BACKEND_RELU);
}

int cpu_byte_op_prepare(struct backend_session *s, struct backend_op *op, size_t count,
    size_t at, struct backend_op *writer, char *why)
{
	const size_t place = (size_t)(writer - op);
	const struct cpu_bytes *from[2] = { NULL, NULL };
	if ((writer->kind != BACKEND_POOL && writer->kind != BACKEND_BINARY) || writer->own)
		return 0;
	for (int k = 0; k < 2; k++)
		if (writer->in[k])
			from[k] = bytes_of(op, count, place, writer->in[k]);
	if (!(writer->kind == BACKEND_POOL ? pool_takes_bytes(writer, &op[at], from[0])
	                                   : sum_takes_bytes(writer, from)))
		return 0;
	struct byte_op *own = calloc(1, sizeof(*own));
	struct cpu_bytes *to = cpu_bytes_create(s, &op[at], writer->act);
	if (!own || !to) {
		free(own);
		return hook_fail(why, "out of memory for rounded results");
	}
	*own = (struct byte_op){ { .rounded = true }, { from[0], from[1] }, to };
	writer->own = own;
	return 0;
}

/* Returns whether a pooling computes the means of whole planes. */
static bool pool_is_mean(const struct backend_op *op)
{
	if (op->kind != BACKEND_POOL || !op->p.pool.average || op->act != BACKEND_LINEAR ||
	    op->in[0]->dtype != BACKEND_FLOAT32)
		return false;
	for (int i = 0; i < 2; i++)
		if (op->out[0]->size[2 + i] != 1 ||
		    op->p.pool.kernel[i] - op->p.pool.before[i] < op->in[0]->size[2 + i])
			return false;
	return true;
}

int cpu_byte_mean_prepare(struct backend_op *op, size_t count, size_t at, char *why)
{
	const struct cpu_bytes *from;
	if (!pool_is_mean(&op[at]) || op[at].own ||
	    !(from = bytes_of(op, count, at, op[at].in[0])))
		return 0;
	struct byte_op *own = calloc(1, sizeof(*own));
	if (!own)
		return hook_fail(why, "out of memory");
	*own = (struct byte_op){ { .rounded = true }, { from, NULL }, NULL };
	op[at].own = own;
	return 0;
}

void cpu_byte_op_release(struct backend_op *op)
{
	free(op->own);
	op->own = NULL;
}

static void pool_run(struct backend_session *s, const struct backend_op *op)
{
	const struct byte_op *own = op->own;
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	const int64_t planes = out->size[0] * out->size[1],
	              from = in->size[2] * in->size[3], to = out->size[2] * out->size[3];
	struct cpu_pool_bytes p = { .height = in->size[2],
		.width = in->size[3],
		.to_height = out->size[2],
		.to_width = out->size[3] };
	for (int i = 0; i < 2; i++) {
		p.kernel[i] = op->p.pool.kernel[i];
		p.stride[i] = op->p.pool.stride[i];
		p.before[i] = op->p.pool.before[i];
	}
#pragma omp parallel for num_threads(cpu_team(s, planes * from * p.kernel[0] / 16)) \
    schedule(static)
	for (int64_t i = 0; i < planes; i++) {
		uint8_t *q = own->to->by.q + i * to;
		s->isa->quantizing.pool_bytes(q, own->from[0]->by.q + i * from, &p);
	}
}

static void sum_run(struct backend_session *s, const struct backend_op *op)
{
	const struct byte_op *own = op->own;
	const struct cpu_rounding *to = &own->to->by;
	const struct cpu_bytes *a = own->from[0], *b = own->from[1];
	const int64_t n = cpu_count(op->out[0]);
	struct cpu_sum_bytes f = {
		.by = { a->alpha / to->scale,
		    b->alpha * (float)op->p.element.alpha / to->scale },
		.low = to->low,
		.high = to->high,
		.base = to->base,
	};
	f.bias = f.by[0] * (float)a->by.base + f.by[1] * (float)b->by.base;
#pragma omp parallel for num_threads(cpu_team(s, n / 4)) schedule(static) firstprivate(f)
	for (int64_t i = 0; i < n; i += SUM_SPAN) {
		f.x[0] = a->by.q + i;
		f.x[1] = b->by.q + i;
		s->isa->quantizing.sum_bytes(to->q + i, cpu_min(SUM_SPAN, n - i), &f);
	}
}

static void mean_run(struct backend_session *s, const struct backend_op *op)
{
	const struct cpu_bytes *from = ((const struct byte_op *)op->own)->from[0];
	const struct backend_tensor *in = op->in[0];
	const int64_t planes = in->size[0] * in->size[1], n = in->size[2] * in->size[3];
	const double each = (double)from->alpha / (double)n;
	float *out = cpu_f32(op->out[0]);
#pragma omp parallel for num_threads(cpu_team(s, planes *n / 16)) schedule(static)
	for (int64_t i = 0; i < planes; i++) {
		const int64_t sum = s->isa->quantizing.add_bytes(from->by.q + i * n, n);
		out[i] = (float)(each * (double)(sum + n * from->by.base));
	}
}

void cpu_byte_op_run(struct backend_session *s, const struct backend_op *op)
{
	const struct byte_op *own = op->own;
	bool filled = true;
	for (int k = 0; k < 2; k++)
		filled = filled && (!own->from[k] || own->from[k]->filled);
	if (own->to)
		own->to->filled = filled;
	if (filled) {
		(!own->to                      ? mean_run
		    : op->kind == BACKEND_POOL ? pool_run
		                               : sum_run)(s, op);
		return;
	}
	for (int k = 0; k < 2; k++)
		if (own->from[k] && own->from[k]->filled && !own->from[k]->numbers)
			cpu_bytes_load(s, own->from[k]);
	s->isa->run[op->kind][CPU_FLOAT32](s, op);
}
