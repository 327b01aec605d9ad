/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps the results of a ROUND as bytes; see cpu_bytes.h. If the convolution runs on
 * floating-point numbers, because its input has a NaN, the ROUND runs on its result as
 * usual, and so do the operations that read it.
 */
#include <math.h>
#include <stdlib.h>

#include "cpu_bytes.h"
#include "cpu_rounded.h"

/* The bytes that a thread converts to numbers at once. */
enum { BYTES_SPAN = 4096 };

static bool is_int8_conv(const struct backend_op *op)
{
	return op->kind == BACKEND_CONV && cpu_is_rounded(op);
}

/* Returns whether only operations that are known from the list use a tensor. */
static bool is_internal(const struct backend_tensor *t)
{
	return t->role == BACKEND_ACTIVATION && t->whole && !t->of;
}

/* Returns whether the results of a convolution may be rounded in integers: all are numbers.
 */
static bool conv_gives_numbers(const struct backend_op *op)
{
	const struct backend_tensor *bias = op->in[2];
	if (op->in[3] || (op->act != BACKEND_LINEAR && op->act != BACKEND_RELU))
		return false;
	if (bias && bias->role != BACKEND_WEIGHT)
		return false;
	for (int64_t i = 0; bias && i < cpu_count(bias); i++)
		if (!isfinite(cpu_f32(bias)[i]))
			return false;
	return true;
}

struct backend_op *cpu_bytes_writer(struct backend_op *op, size_t count, size_t at)
{
	const struct backend_tensor *t = op[at].in[0];
	struct backend_op *writer = NULL;
	if (!is_internal(t))
		return NULL;
	for (size_t i = 0; i < count; i++) {
		for (int k = 0; k < BACKEND_INS; k++)
			if (i != at && op[i].in[k] == t)
				return NULL;
		if (i < at && op[i].out[0] == t)
			writer = &op[i];
	}
	return writer && is_int8_conv(writer) && conv_gives_numbers(writer) ? writer : NULL;
}

/* Returns whether an operation other than convolutions in int8 reads a tensor. */
static bool numbers_are_read(
    const struct backend_op *op, size_t count, const struct backend_tensor *t)
{
	if (!is_internal(t))
		return true;
	for (size_t i = 0; i < count; i++)
		for (int k = 0; k < BACKEND_INS; k++)
			if (op[i].in[k] == t && (k > 0 || !is_int8_conv(&op[i])))
				return true;
	return false;
}

struct cpu_bytes *cpu_bytes_create(
    struct backend_session *s, struct backend_op *op, size_t count, size_t at)
{
	struct backend_op *round = &op[at];
	const int32_t low = (int32_t)round->p.round.low;
	struct cpu_bytes *b = calloc(1, sizeof(*b));
	uint8_t *q = cpu_alloc(s, (size_t)cpu_count(round->out[0]));
	if (!b || !q) {
		cpu_free(s, q);
		free(b);
		return NULL;
	}
	b->head.rounded = true;
	b->by = (struct cpu_rounding){ .q = q,
		.scale = (float)round->p.round.scale,
		.low = low,
		.high = (int32_t)round->p.round.high,
		.base = low };
	b->numbers = numbers_are_read(op, count, round->out[0]);
	round->own = b;
	return b;
}

void cpu_bytes_release(struct backend_session *s, struct backend_op *op)
{
	struct cpu_bytes *b = op->own;
	op->own = NULL;
	cpu_free(s, b->by.q);
	free(b);
}

void cpu_bytes_run(struct backend_session *s, const struct backend_op *op)
{
	const struct cpu_bytes *b = op->own;
	const int64_t n = cpu_count(op->out[0]);
	if (!b->filled) {
		s->isa->run[BACKEND_ROUND][CPU_FLOAT32](s, op);
		return;
	}
	if (!b->numbers)
		return;
#pragma omp parallel for num_threads(cpu_team(s, n / 8)) schedule(static)
	for (int64_t i = 0; i < n; i += BYTES_SPAN)
		s->isa->quantizing.load(cpu_f32(op->out[0]) + i, b->by.q + i,
		    cpu_min(BYTES_SPAN, n - i), (float)op->p.round.alpha, -b->by.base);
}
