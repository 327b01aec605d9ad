/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Products with quantized weights, and what convolutions share with them; see
 * cpu_quantized.h.
 *
 * The weights are not shifted, so the sum of (q - z) w is that of q w minus z times the sum
 * of w, which is known before. Products of many rows are oneDNN's and those of few rows are
 * by VNNI (cpu_vnni.h), where the processor has it. Elsewhere the weights are packed once
 * (cpu_qpanel_kernels.h). All are exact.
 */
#include <math.h>
#include <stdlib.h>

#include "cpu_dispatch.h"
#include "cpu_dnn.h"
#include "cpu_gemm.h"
#include "cpu_quantized.h"
#include "cpu_vnni.h"

/* The most rows for which VNNI without oneDNN is faster, and the numbers whose range is
 * found at once. */
enum { ROWS_FEW = 16, RANGE_MOST = 8192 };

/* The `own` of a quantized weight, and of each product with it. */
struct packed_rows {
	size_t users;
	int32_t *sums;  /* of the rows */
	int8_t *panels; /* of each expert, or of all rows; NULL if VNNI is used */
};

/* The parts of the scratch memory: activations in bytes, or in 16 bits for packed weights,
 * sums in 32 bits, and for experts the order of the rows in both. */
struct quantized_room {
	uint8_t *bytes;
	size_t row_bytes; /* of the activations */
	int32_t *sum;
	struct cpu_sorting order;
};

static bool dnn_has_vnni(const struct backend_session *s)
{
	return s->dnn && cpu_dnn_int8() && cpu_vnni_of(s->isa);
}

/* Returns the function for few rows; NULL if weights are packed. */
static cpu_vnni *few_rows_of(const struct backend_session *s)
{
	return s->isa->bits == 512 && !dnn_has_vnni(s) ? NULL : cpu_vnni_of(s->isa);
}

bool cpu_uses_vnni(const struct backend_session *s)
{
	return few_rows_of(s) != NULL;
}

cpu_qtile_run *cpu_qtile_of(const struct backend_session *s, bool *finishes)
{
	*finishes = false;
	return few_rows_of(s) ? cpu_qtile_vnni(s->isa, finishes) : s->isa->quantizing.tile;
}

const char *cpu_int8_name(void)
{
	const struct cpu_isa *isa = cpu_isa_best();
	bool vnni = cpu_vnni_of(isa) && (isa->bits < 512 || cpu_dnn_int8());
	return vnni ? "VNNI" : isa->name;
}

/* Returns the pairs of numbers in a row of k. */
static int64_t count_pairs(int64_t k)
{
	return (k + 1) / 2;
}

static struct quantized_room room_layout(const struct backend_session *s,
    const struct backend_op *op, char *scratch, size_t *bytes)
{
	const size_t rows = (size_t)cpu_row_count(op->out[0]);
	const int64_t k = cpu_columns(op->in[0]);
	const size_t row_bytes =
	    few_rows_of(s) ? (size_t)k : (size_t)count_pairs(k) * 2 * sizeof(uint16_t);
	const size_t in = (rows * row_bytes + 63) / 64 * 64;
	struct quantized_room room = { .bytes = (uint8_t *)scratch,
		.row_bytes = row_bytes,
		.sum = (int32_t *)(void *)(scratch + in) };
	*bytes = in + (size_t)cpu_count(op->out[0]) * sizeof(int32_t);
	if (op->kind == BACKEND_QEXPERTS) {
		*bytes = (*bytes + 63) / 64 * 64;
		room.order.row = (int64_t *)(void *)(scratch + *bytes);
		room.order.begin = room.order.row + rows;
		*bytes += (rows + (size_t)op->in[1]->size[0] + 1) * sizeof(int64_t);
	}
	return room;
}

size_t cpu_qgemm_scratch(const struct backend_session *s, const struct backend_op *op)
{
	size_t bytes;
	room_layout(s, op, NULL, &bytes);
	return bytes;
}

int32_t *cpu_qsums(
    struct backend_session *s, const int8_t *weight, int64_t rows, int64_t row)
{
	int32_t *sums = cpu_alloc(s, (size_t)rows * sizeof(*sums));
	for (int64_t r = 0; r < rows && sums; r++) {
		int32_t sum = 0;
		for (int64_t i = 0; i < row; i++)
			sum += weight[r * row + i];
		sums[r] = sum;
	}
	return sums;
}

/* Returns the bytes of the panels of a weight, or of one expert, of n rows of k. */
static size_t panels_bytes(const struct backend_session *s, int64_t n, int64_t k)
{
	const int64_t wide = s->isa->quantizing.packing.wide;
	return (size_t)((n + wide - 1) / wide * wide * count_pairs(k) * 2);
}

/* Packs a weight, whose results have n columns, expert after expert. */
static int8_t *weight_pack(
    struct backend_session *s, const struct backend_tensor *b, int64_t n)
{
	const int64_t k = cpu_columns(b), experts = cpu_row_count(b) / n;
	const size_t each = panels_bytes(s, n, k);
	int8_t *panels = cpu_alloc(s, (size_t)experts * each);
	for (int64_t e = 0; e < experts && panels; e++)
		s->isa->quantizing.packing.pack(
		    panels + (size_t)e * each, cpu_i8(b) + e * n * k, n, k);
	return panels;
}

static void rows_free(struct backend_session *s, struct packed_rows *own)
{
	if (!own)
		return;
	cpu_free(s, own->sums);
	cpu_free(s, own->panels);
	free(own);
}

int cpu_qgemm_prepare(struct backend_session *s, struct backend_op *op, char *why)
{
	struct backend_tensor *b = op->in[1];
	struct packed_rows *own = b->own;
	if (!own) {
		const bool packs = !few_rows_of(s);
		own = calloc(1, sizeof(*own));
		if (own) {
			own->sums =
			    cpu_qsums(s, cpu_i8(b), cpu_row_count(b), cpu_columns(b));
			if (packs)
				own->panels = weight_pack(s, b, cpu_columns(op->out[0]));
		}
		if (!own || !own->sums || (packs && !own->panels)) {
			rows_free(s, own);
			return hook_fail(why, "out of memory for packed weights");
		}
		b->own = own;
	}
	own->users++;
	op->own = own;
	return 0;
}

void cpu_qgemm_release(struct backend_session *s, struct backend_op *op)
{
	struct packed_rows *own = op->own;
	op->own = NULL;
	if (--own->users)
		return;
	op->in[1]->own = NULL;
	rows_free(s, own);
}

struct cpu_scale cpu_activations_scale(
    const struct backend_session *s, const struct backend_tensor *a)
{
	int64_t rows = cpu_row_count(a), k = cpu_columns(a), count = rows * k;
	const bool joined = cpu_row(a, rows - 1) == count - k;
	float low = 0, high = 0, wrong = 0;
	/* Short rows without gaps are read as longer ones. */
	if (joined) {
		k = RANGE_MOST;
		rows = (count + k - 1) / k;
	}
	const int team = cpu_team(s, count / 8);
	/* clang-format off */
#pragma omp parallel for num_threads(team) schedule(static) \
	reduction(min : low) reduction(max : high) reduction(+ : wrong)
	/* clang-format on */
	for (int64_t r = 0; r < rows; r++)
		s->isa->quantizing.range(cpu_f32(a) + (joined ? r * k : cpu_row(a, r)),
		    joined ? cpu_min(k, count - r * k) : k, &low, &high, &wrong);
	/* `wrong` is 0 or NaN. */
	struct cpu_scale q = { .scale = (high > low ? (high - low) / 255 : 1) + wrong };
	const float z = 0 - low / q.scale;
	q.zero = (int32_t)lrintf(z < 255 ? z : 255);
	return q;
}

/* Stores in0 as bytes: for each row of the result, in the order of experts if there are
 * any, the row that it is computed from. */
static void activations_store(const struct backend_session *s,
    const struct backend_tensor *a, struct cpu_scale q, const struct quantized_room *room,
    int64_t rows)
{
	const int64_t k = cpu_columns(a), share = rows / cpu_row_count(a);
	const bool packs = !few_rows_of(s);
#pragma omp parallel for num_threads(cpu_team(s, rows *k / 8)) schedule(static)
	for (int64_t i = 0; i < rows; i++) {
		const int64_t r = room->order.row ? room->order.row[i] / share : i;
		const float *x = cpu_f32(a) + cpu_row(a, r);
		uint8_t *to = room->bytes + (size_t)i * room->row_bytes;
		if (!packs) {
			s->isa->quantizing.store(to, x, k, q.scale, (float)q.zero);
			continue;
		}
		s->isa->quantizing.store_wide(
		    (uint16_t *)(void *)to, x, k, q.scale, (float)q.zero);
		if (k % 2)
			((uint16_t *)(void *)to)[k] = 0;
	}
}

/* Multiplies m rows by packed weights, those of an expert if `at` is not 0; the threads
 * share the panels. */
static void panels_multiply(struct backend_session *s, const struct backend_op *op,
    const uint8_t *bytes, int64_t m, int64_t at, int32_t *sum)
{
	const struct cpu_qpacking *packing = &s->isa->quantizing.packing;
	const int64_t n = cpu_columns(op->out[0]), k = cpu_columns(op->in[0]),
	              pairs = count_pairs(k),
	              panels = (n + packing->wide - 1) / packing->wide;
	const int8_t *b = ((const struct packed_rows *)op->own)->panels +
	                  (size_t)(at / n) * panels_bytes(s, n, k);
	const int team = (int)cpu_min(cpu_team(s, m * n * (k / 32 + 1)), panels);
#pragma omp parallel for num_threads(team) schedule(static)
	for (int part = 0; part < team; part++) {
		const int64_t from = panels * part / team * packing->wide;
		const int64_t until =
		    cpu_min(n, panels * (part + 1) / team * packing->wide);
		packing->run(&(struct cpu_qproduct){ .m = m,
		    .n = until - from,
		    .pairs = pairs,
		    .a = (const uint16_t *)(const void *)bytes,
		    .b = b + from * pairs * 2,
		    .c = sum + from,
		    .ldc = n });
	}
}

/* Multiplies m rows of bytes, from `row` on, by the rows of a weight, from `at` on; the
 * threads share the columns. */
static void bytes_multiply(struct backend_session *s, const struct backend_op *op,
    const struct quantized_room *room, int64_t row, int64_t m, int64_t at)
{
	const int64_t n = cpu_columns(op->out[0]), k = cpu_columns(op->in[0]);
	const int8_t *b = cpu_i8(op->in[1]) + at * k;
	const uint8_t *bytes = room->bytes + (size_t)row * room->row_bytes;
	int32_t *sum = room->sum + row * n;
	cpu_vnni *vnni = few_rows_of(s);
	if (!vnni) {
		panels_multiply(s, op, bytes, m, at, sum);
		return;
	}
	if (m > ROWS_FEW && dnn_has_vnni(s) &&
	    cpu_dnn_gemm_u8s8(s, m, n, k, bytes, b, sum) == 0)
		return;
	const int team = cpu_team(s, m * n * (k / 64 + 1));
#pragma omp parallel for num_threads(team) schedule(static)
	for (int part = 0; part < team; part++) {
		int64_t from = n * part / team, count = n * (part + 1) / team - from;
		vnni(m, count, k, bytes, b + from * k, sum + from, n);
	}
}

/* Writes row r of the result from its sums, with the rows of the weight from `at` on. */
static void row_finish(const struct backend_session *s, const struct backend_op *op,
    struct cpu_scale q, int64_t r, const int32_t *sum, int64_t at)
{
	const bool experts = op->kind == BACKEND_QEXPERTS;
	const struct backend_tensor *c = op->out[0], *bias = experts ? NULL : op->in[2],
	                            *more = op->in[3];
	const int64_t n = cpu_columns(c);
	float *out = cpu_f32(c) + cpu_row(c, r);
	s->isa->quantizing.finish(out, n,
	    &(struct cpu_finish){ .sum = sum,
	        .sums = ((const struct packed_rows *)op->own)->sums + at,
	        .zero = q.zero,
	        .scale = q.scale * (experts ? 1 : (float)op->p.gemm.alpha),
	        .scales = cpu_f32(op->in[4]) + at,
	        .bias = bias ? cpu_f32(bias) : NULL,
	        .residual = more ? cpu_f32(more) + cpu_row(more, r) : NULL });
	s->isa->act[CPU_FLOAT32](out, n, op->act);
}

void cpu_qgemm_scaled(
    struct backend_session *s, const struct backend_op *op, struct cpu_scale q)
{
	const int64_t m = cpu_row_count(op->out[0]), n = cpu_columns(op->out[0]);
	size_t bytes;
	const struct quantized_room room = room_layout(s, op, s->scratch, &bytes);
	activations_store(s, op->in[0], q, &room, m);
	bytes_multiply(s, op, &room, 0, m, 0);
#pragma omp parallel for num_threads(cpu_team(s, m *n / 8)) schedule(static)
	for (int64_t r = 0; r < m; r++)
		row_finish(s, op, q, r, room.sum + r * n, 0);
}

int cpu_qgemm(struct backend_session *s, const struct backend_op *op, char *why)
{
	(void)why;
	cpu_qgemm_scaled(s, op, cpu_activations_scale(s, op->in[0]));
	return 0;
}

int cpu_qexperts(struct backend_session *s, const struct backend_op *op, char *why)
{
	const int64_t rows = cpu_row_count(op->out[0]), n = cpu_columns(op->out[0]);
	size_t bytes;
	const struct quantized_room room = room_layout(s, op, s->scratch, &bytes);
	struct cpu_scale q = cpu_activations_scale(s, op->in[0]);
	(void)why;
	cpu_rows_sort(op, &room.order);
	activations_store(s, op->in[0], q, &room, rows);
	for (int64_t e = 0; e < op->in[1]->size[0]; e++) {
		const int64_t from = room.order.begin[e],
		              count = room.order.begin[e + 1] - from;
		if (count > 0)
			bytes_multiply(s, op, &room, from, count, e * n);
	}
#pragma omp parallel for num_threads(cpu_team(s, rows *n / 8)) schedule(static)
	for (int64_t i = 0; i < rows; i++) {
		const int64_t r = room.order.row[i];
		row_finish(s, op, q, r, room.sum + i * n, cpu_i32(op->in[2])[r] * n);
	}
	return 0;
}
