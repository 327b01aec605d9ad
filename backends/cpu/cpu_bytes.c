/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps the results of a ROUND as bytes; see cpu_bytes.h. If the operation before it runs
 * on floating-point numbers, because its input has a NaN, the ROUND runs on its result as
 * usual, and so do the operations that read it.
 */
#include <math.h>
#include <stdlib.h>

#include "cpu_bytes.h"
#include "cpu_rounded.h"

/* The bytes that a thread converts to numbers at once. */
enum { BYTES_SPAN = 4096 };

enum { BYTE_MOST = 255 };

/* Returns whether the results of a ROUND are multiples of alpha by bytes less a zero point.
 */
static bool round_gives_bytes(const struct backend_op *round)
{
	return round->p.round.beta == 0 && round->p.round.alpha > 0 &&
	       round->p.round.low <= 0 && round->p.round.high >= 0 &&
	       round->p.round.high - round->p.round.low <= BYTE_MOST &&
	       round->p.round.low >= -BYTE_MOST;
}

/* Returns whether only operations that are known from the list use a tensor. */
static bool is_internal(const struct backend_tensor *t)
{
	return t->role == BACKEND_ACTIVATION && t->whole && !t->of;
}

static const struct backend_tensor *whole_of(const struct backend_tensor *t)
{
	while (t->of)
		t = t->of;
	return t;
}

const struct backend_op *cpu_bytes_round(
    const struct backend_op *op, size_t count, size_t at, const struct backend_tensor *t)
{
	const struct backend_tensor *whole = whole_of(t);
	const struct backend_op *found = NULL;
	if (whole->role != BACKEND_ACTIVATION)
		return NULL;
	for (size_t i = 0; i < count; i++)
		for (int k = 0; k < BACKEND_OUTS; k++) {
			if (!op[i].out[k] || whole_of(op[i].out[k]) != whole)
				continue;
			if (found || i >= at || op[i].kind != BACKEND_ROUND ||
			    op[i].out[k] != whole)
				return NULL;
			found = &op[i];
		}
	return found && round_gives_bytes(found) ? found : NULL;
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
	if (!is_internal(t) || !round_gives_bytes(&op[at]))
		return NULL;
	for (size_t i = 0; i < count; i++) {
		for (int k = 0; k < BACKEND_INS; k++)
			if (i != at && op[i].in[k] == t)
				return NULL;
		if (i < at && op[i].out[0] == t)
			writer = &op[i];
	}
	if (writer && writer->kind == BACKEND_CONV && !conv_gives_numbers(writer))
		return NULL;
	return writer;
}

/* Returns whether input k of an operation is read as bytes if they are there. */
static bool reads_bytes(const struct backend_op *op, int k)
{
	return cpu_is_rounded(op) && (op->kind == BACKEND_CONV || op->kind == BACKEND_POOL
	                                     ? k == 0
					     : op->kind == BACKEND_BINARY);
}

void cpu_bytes_settle(const struct backend_op *op, size_t count, struct cpu_bytes *b)
{
	b->numbers = !is_internal(b->of);
	for (size_t i = 0; i < count; i++)
		for (int k = 0; k < BACKEND_INS; k++)
			if (op[i].in[k] == b->of && !reads_bytes(&op[i], k))
				b->numbers = true;
}

struct cpu_bytes *cpu_bytes_create(
    struct backend_session *s, struct backend_op *round, enum backend_act act)
{
	const int32_t low = (int32_t)round->p.round.low;
	struct cpu_bytes *b = calloc(1, sizeof(*b));
	uint8_t *q = cpu_alloc(s, (size_t)cpu_count(round->out[0]) + CPU_BYTES_BEYOND);
	if (!b || !q) {
		cpu_free(s, q);
		free(b);
		return NULL;
	}
	b->head.rounded = true;
	b->by = (struct cpu_rounding){ .q = q,
		.scale = (float)round->p.round.scale,
		/* Of a number below 0, RELU is 0. */
		.low = act == BACKEND_RELU ? 0 : low,
		.high = (int32_t)round->p.round.high,
		.base = low };
	b->of = round->out[0];
	b->alpha = (float)round->p.round.alpha;
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

void cpu_bytes_load(struct backend_session *s, const struct cpu_bytes *b)
{
	const int64_t n = cpu_count(b->of);
#pragma omp parallel for num_threads(cpu_team(s, n / 8)) schedule(static)
	for (int64_t i = 0; i < n; i += BYTES_SPAN)
		s->isa->quantizing.load(cpu_f32(b->of) + i, b->by.q + i,
		    cpu_min(BYTES_SPAN, n - i), b->alpha, -b->by.base);
}

void cpu_bytes_run(struct backend_session *s, const struct backend_op *op)
{
	const struct cpu_bytes *b = op->own;
	if (!b->filled)
		s->isa->run[BACKEND_ROUND][CPU_FLOAT32](s, op);
	else if (b->numbers)
		cpu_bytes_load(s, b);
}
