/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs operations of 16 bits a few rows at a time: converts the rows to float32, runs the
 * kernel of float32 on them, and rounds its results, while they are in the second cache.
 * The threads share the blocks of rows.
 */
#include <omp.h>

#include "cpu_half_priv.h"

/* The bytes of the rows in float32 that a thread converts at once. */
enum { BLOCK_BYTES = 128 << 10 };

#define IN(i) (1u << (i))
#define OUT(i) (1u << (BACKEND_INS + (i)))

/* The operands of each kind that are divided; the others are gains and the like. */
static const struct divided {
	uint32_t operands;
	bool of_elements; /* whether each element is a row */
} divided[BACKEND_KINDS] = {
	[BACKEND_FMA] = { IN(0) | OUT(0), true },
	[BACKEND_UNARY] = { IN(0) | OUT(0), true },
	[BACKEND_ROUND] = { IN(0) | OUT(0), true },
	[BACKEND_CELL] = { IN(0) | IN(1) | IN(2) | OUT(0) | OUT(1), false },
	[BACKEND_BINARY] = { IN(0) | IN(1) | OUT(0), true },
	[BACKEND_LAYERNORM] = { IN(0) | OUT(0), false },
	[BACKEND_RMSNORM] = { IN(0) | OUT(0), false },
	[BACKEND_SOFTMAX] = { IN(0) | OUT(0), false },
	[BACKEND_GLU] = { IN(0) | OUT(0), false },
	[BACKEND_ROUTE] = { IN(0) | OUT(0) | OUT(1), false },
	[BACKEND_TOPK] = { IN(0) | OUT(0) | OUT(1), false },
	[BACKEND_TREES] = { IN(0) | OUT(0), false },
	[BACKEND_COMBINE] = { IN(0) | IN(1) | IN(2) | OUT(0), false },
};

bool cpu_half_is_stream(const struct backend_op *op)
{
	return op->p.element.inner <= 1 && cpu_count(op->in[1]) == cpu_count(op->in[0]);
}

/* Returns how an operation is divided: rows of in1 if a BINARY has several of them. */
static struct divided op_divided(const struct backend_op *op)
{
	struct divided d = divided[op->kind];
	if (op->kind == BACKEND_BINARY && !cpu_half_is_stream(op))
		d = (struct divided){ IN(0) | OUT(0), false };
	return d;
}

bool cpu_half_has_rows(const struct backend_op *op)
{
	return divided[op->kind].operands &&
	       !(op->kind == BACKEND_BINARY && op->p.element.inner > 1);
}

static int64_t op_rows(const struct backend_op *op, const struct divided *d)
{
	if (op->kind == BACKEND_BINARY && !d->of_elements)
		return cpu_count(op->in[0]) / cpu_count(op->in[1]);
	if (op->kind == BACKEND_COMBINE)
		return cpu_row_count(op->out[0]);
	return d->of_elements ? cpu_count(op->in[0]) : cpu_row_count(op->in[0]);
}

/* Returns the elements of tensor i for each row; 0 if the tensor is absent or common. */
static int64_t row_elements(
    const struct backend_op *op, const struct divided *d, int64_t rows, int i)
{
	const struct backend_tensor *t = cpu_half_tensor(op, i);
	return t && rows > 0 && d->operands & 1u << i ? cpu_count(t) / rows : 0;
}

/* Returns whether tensor i of 16 bits is converted with all its elements. */
static bool tensor_is_common(const struct backend_op *op, const struct divided *d, int i)
{
	const struct backend_tensor *t = cpu_half_tensor(op, i);
	return t && cpu_is_half(t->dtype) && !(d->operands & 1u << i);
}

/* How the rows of an operation are divided among threads and blocks. */
struct rows_split {
	struct divided d;
	int64_t rows, block;
	size_t thread_bytes; /* of the blocks of a thread */
};

static struct rows_split split_of(
    const struct backend_session *s, const struct backend_op *op)
{
	struct rows_split r = { .d = op_divided(op) };
	int64_t each = 0;
	r.rows = op_rows(op, &r.d);
	for (int i = 0; i < HALF_TENSORS; i++)
		each += row_elements(op, &r.d, r.rows, i);
	r.block = BLOCK_BYTES / (int64_t)sizeof(float) / cpu_max(1, each);
	r.block = cpu_min(r.block, (r.rows + s->threads - 1) / s->threads);
	r.block = cpu_max(1, r.block);
	for (int i = 0; i < HALF_TENSORS; i++)
		r.thread_bytes +=
		    cpu_half_bytes(r.block * row_elements(op, &r.d, r.rows, i));
	return r;
}

static size_t rows_room(const struct backend_session *s, const struct backend_op *op)
{
	struct rows_split r = split_of(s, op);
	size_t bytes = r.thread_bytes * (size_t)s->threads;
	for (int i = 0; i < HALF_TENSORS; i++)
		if (tensor_is_common(op, &r.d, i))
			bytes += cpu_half_bytes(cpu_count(cpu_half_tensor(op, i)));
	return bytes;
}

/* Converts rows [first, first + count) of tensor i to packed float32, or back. */
static void rows_convert(const struct backend_session *s, const struct backend_tensor *t,
    float *x, int64_t first, int64_t count, int64_t each, bool store)
{
	const struct cpu_half_kernels *half = &s->isa->half[cpu_half_of(t)];
	bool packed = cpu_half_is_packed(t);
	int64_t columns = packed ? count * each : cpu_columns(t);
	for (int64_t at = 0; at < count * each; at += columns) {
		int64_t place = first * each + at;
		uint16_t *half_at =
		    cpu_u16(t) + (packed ? place : cpu_row(t, place / columns));
		if (store)
			half->store(half_at, x + at, columns);
		else
			half->load(x + at, half_at, columns);
	}
}

/* Makes a tensor of these elements of t, in rows; of float32 at `bytes`, if that is not
 * NULL. */
static struct backend_tensor rows_tensor(
    const struct backend_tensor *t, int64_t elements, int64_t columns, void *bytes)
{
	return (struct backend_tensor){ .dtype = bytes ? BACKEND_FLOAT32 : t->dtype,
		.dims = 2,
		.size = { elements / columns, columns },
		.stride = { columns, 1 },
		.buffer = bytes ? bytes : t->buffer };
}

/* Runs rows [first, first + count) on the calling thread. */
static void block_run(struct backend_session *s, const struct half_plan *p,
    const struct backend_op *op, const struct rows_split *r, int64_t first, int64_t count,
    char *room)
{
	struct backend_session alone = *s;
	struct backend_tensor part[HALF_TENSORS];
	struct backend_op now = p->op;
	alone.threads = 1;
	for (int i = 0; i < HALF_TENSORS; i++) {
		const struct backend_tensor *t = cpu_half_tensor(op, i);
		int64_t each = row_elements(op, &r->d, r->rows, i);
		if (each == 0)
			continue;
		int64_t columns = r->d.of_elements ? 1 : cpu_min(each, cpu_columns(t));
		bool is_half = cpu_is_half(t->dtype);
		float *x = is_half ? cpu_half_take(&room, r->block * each) : NULL;
		part[i] = rows_tensor(t, count * each, columns, x);
		if (!is_half)
			part[i].offset = t->offset + first * each;
		*(i < BACKEND_INS ? &now.in[i] : &now.out[i - BACKEND_INS]) = &part[i];
		if (is_half && i < BACKEND_INS)
			rows_convert(s, t, x, first, count, each, false);
	}
	s->isa->run[op->kind][CPU_FLOAT32](&alone, &now);
	for (int i = BACKEND_INS; i < HALF_TENSORS; i++) {
		const struct backend_tensor *t = cpu_half_tensor(op, i);
		if (t && cpu_is_half(t->dtype))
			rows_convert(s, t, cpu_f32(&part[i]), first, count,
			    row_elements(op, &r->d, r->rows, i), true);
	}
}

/* Converts the common operands, which are weights or small. */
static char *common_load(const struct backend_session *s, struct half_plan *p,
    const struct backend_op *op, const struct divided *d)
{
	char *room = p->room->bytes;
	for (int i = 0; i < BACKEND_INS; i++) {
		const struct backend_tensor *t = op->in[i];
		if (!tensor_is_common(op, d, i))
			continue;
		float *x = cpu_half_take(&room, cpu_count(t));
		cpu_half_load(s, x, t);
		p->copy[i] = rows_tensor(t, cpu_count(t), cpu_columns(t), x);
		p->op.in[i] = &p->copy[i];
	}
	return room;
}

static int rows_run(
    struct backend_session *s, struct half_plan *p, const struct backend_op *op, char *why)
{
	struct rows_split r = split_of(s, op);
	char *room = common_load(s, p, op, &r.d);
	(void)why;
	p->op.past = op->past;
	int64_t each = row_elements(op, &r.d, r.rows, 0);
	int team = cpu_team(s, r.rows * each * 2);
#pragma omp parallel for num_threads(team) schedule(static)
	for (int64_t first = 0; first < r.rows; first += r.block)
		block_run(s, p, op, &r, first, cpu_min(r.block, r.rows - first),
		    room + (size_t)omp_get_thread_num() * r.thread_bytes);
	return 0;
}

const struct half_way cpu_half_rows = { rows_room, NULL, rows_run };
