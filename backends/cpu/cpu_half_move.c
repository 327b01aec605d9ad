/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies and moves elements of 16 bits, and gathers rows of them, without a conversion
 * where the factor is 1. */
#include <omp.h>
#include <string.h>

#include "cpu_half_priv.h"

static size_t moves_room(const struct backend_session *s, const struct backend_op *op)
{
	return op->kind == BACKEND_GATHER
	           ? cpu_half_bytes(cpu_columns(op->out[0])) * (size_t)s->threads
	           : 0;
}

static void elements_copy(const struct backend_session *s, const struct backend_op *op)
{
	enum { SPAN = 1 << 16 };
	int64_t n = cpu_count(op->out[0]);
	uint16_t *to = cpu_u16(op->out[0]);
	const uint16_t *from = cpu_u16(op->in[0]);
#pragma omp parallel for num_threads(cpu_team(s, n / 8)) schedule(static)
	for (int64_t at = 0; at < n; at += SPAN)
		memcpy(to + at, from + at, (size_t)cpu_min(SPAN, n - at) * sizeof(*to));
}

/* Copies a row of n elements, multiplied by alpha in a room of n numbers. */
static void row_scale(const struct backend_session *s, const struct backend_tensor *t,
    uint16_t *to, const uint16_t *from, float alpha, int64_t n, float *room)
{
	const struct cpu_half_kernels *half = &s->isa->half[cpu_half_of(t)];
	if (alpha == 1) {
		memcpy(to, from, (size_t)n * sizeof(*to));
		return;
	}
	half->load(room, from, n);
	for (int64_t i = 0; i < n; i++)
		room[i] *= alpha;
	half->store(to, room, n);
}

static void rows_gather(
    const struct backend_session *s, struct half_plan *p, const struct backend_op *op)
{
	const struct backend_tensor *table = op->in[0], *out = op->out[0];
	int64_t rows = cpu_row_count(out), d = cpu_columns(out), t = cpu_size(out, 2);
	const int32_t *index = op->in[1] ? cpu_i32(op->in[1]) : NULL;
	float alpha = (float)op->p.gather.alpha;
#pragma omp parallel for num_threads(cpu_team(s, rows *d / 4)) schedule(static)
	for (int64_t r = 0; r < rows; r++) {
		int64_t row = cpu_gather_row(op, index, r, t);
		char *room =
		    p->room->bytes + (size_t)omp_get_thread_num() * cpu_half_bytes(d);
		row_scale(s, out, cpu_u16(out) + cpu_row(out, r),
		    cpu_u16(table) + cpu_row(table, row), alpha, d, (float *)(void *)room);
	}
}

static int moves_run(
    struct backend_session *s, struct half_plan *p, const struct backend_op *op, char *why)
{
	(void)why;
	if (op->kind == BACKEND_GATHER)
		rows_gather(s, p, op);
	else
		elements_copy(s, op);
	return 0;
}

const struct half_way cpu_half_moves = { moves_room, NULL, moves_run };

static inline void square_move(uint16_t *to, const uint16_t *from, int64_t rows,
    int64_t columns, const int64_t out[2], const int64_t in[2])
{
	for (int64_t y = 0; y < rows; y++)
		for (int64_t x = 0; x < columns; x++)
			to[y * out[0] + x * out[1]] = from[y * in[0] + x * in[1]];
}

/* Moves the two innermost dimensions, in squares, because one of them often has a large
 * stride on one of the sides. `out` and `in` are strides. */
static void plane_move(uint16_t *to, const uint16_t *from, const int64_t size[2],
    const int64_t out[2], const int64_t in[2])
{
	enum { SQUARE = 32 };
	const bool contiguous = out[1] == 1 && in[1] == 1;

	for (int64_t i = 0; contiguous && i < size[0]; i++)
		memcpy(to + i * out[0], from + i * in[0], (size_t)size[1] * sizeof(*to));
	for (int64_t i = 0; !contiguous && i < size[0]; i += SQUARE)
		for (int64_t j = 0; j < size[1]; j += SQUARE)
			square_move(to + i * out[0] + j * out[1],
			    from + i * in[0] + j * in[1], cpu_min(size[0] - i, SQUARE),
			    cpu_min(size[1] - j, SQUARE), out, in);
}

void cpu_half_move(struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	int64_t out_stride[2] = { cpu_stride(out, 2), cpu_stride(out, 1) };
	int64_t in_stride[2] = { cpu_stride(in, 2), cpu_stride(in, 1) };
	int64_t high = cpu_size(out, 2), middle = cpu_size(out, 3),
	        planes = cpu_size(out, 4) * middle;
	uint16_t *to = cpu_u16(out) + op->past * op->p.move.advance;
	/* The rows of a single plane are divided among the threads. */
	int64_t parts = planes == 1 ? cpu_min(s->threads, high) : 1;
#pragma omp parallel for num_threads(cpu_team(s, cpu_count(out) / 2)) schedule(static)
	for (int64_t i = 0; i < planes * parts; i++) {
		int64_t a = i / parts / middle, b = i / parts % middle;
		int64_t first = high * (i % parts) / parts;
		int64_t size[2] = { high * (i % parts + 1) / parts - first,
			cpu_size(out, 1) };
		plane_move(to + a * cpu_stride(out, 4) + b * cpu_stride(out, 3) +
		               first * out_stride[0],
		    cpu_u16(in) + a * cpu_stride(in, 4) + b * cpu_stride(in, 3) +
		        first * in_stride[0],
		    size, out_stride, in_stride);
	}
}
