/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Multiplies by matrices of 16 bits in float32. With few rows, the matrix is read once, so
 * its elements are converted in registers. With more rows, parts of it are converted that
 * stay in the second cache, and multiplied like float32. In both cases the memory is read
 * in 16 bits, and the weights have no second copy.
 */
#include "cpu_half_priv.h"
#include "cpu_product.h"

enum {
	ROWS_FEW = 8,        /* the most rows for which registers are faster */
	PART_MOST = 1 << 18, /* the numbers of a part */
	PART_GAP = 16        /* the numbers between its rows */
};

/* The product c[m,n] = act(alpha a[m,k] b + bias + residual). Rows of a, c and residual are
 * adjacent; those of b are ldb apart. */
struct half_product {
	int type;
	bool transpose;
	int64_t m, n, k;
	const float *a;
	const uint16_t *b;
	int64_t ldb;
	float *c;
	const float *bias, *residual; /* or NULL */
	float alpha;
	enum backend_act act;
	float *part; /* part_numbers() */
};

/* Returns the columns that are converted at once. */
static int64_t part_columns(int64_t n, int64_t k)
{
	return cpu_min(n, cpu_max(64, PART_MOST / cpu_max(1, k) / 16 * 16));
}

/* Returns the numbers of a part, or of a transposed one, with the gaps between its rows. */
static int64_t part_numbers(int64_t n, int64_t k)
{
	return (part_columns(n, k) + PART_GAP) * (k + PART_GAP);
}

/* Adds the terms of columns [from, until) of a row and applies the activation. */
static void row_finish(const struct backend_session *s, const struct half_product *p,
    int64_t i, int64_t from, int64_t until)
{
	float *c = p->c + i * p->n;
	const float *residual = p->residual ? p->residual + i * p->n : NULL;
	for (int64_t j = from; j < until; j++)
		c[j] += (p->bias ? p->bias[j] : 0) + (residual ? residual[j] : 0);
	s->isa->act[CPU_FLOAT32](c + from, until - from, p->act);
}

/* Multiplies few rows: the threads share the columns. */
static void few_multiply(const struct backend_session *s, const struct half_product *p)
{
	int team = cpu_team(s, p->n * (p->k / 16 + 1) * p->m);
#pragma omp parallel for num_threads(team) schedule(static)
	for (int part = 0; part < team; part++) {
		int64_t from = p->n * part / team, until = p->n * (part + 1) / team;
		s->isa->half[p->type].few(&(struct cpu_few){ .m = p->m,
		    .n = until - from,
		    .k = p->k,
		    .a = p->a,
		    .lda = p->k,
		    .b = p->b + from * p->ldb,
		    .ldb = p->ldb,
		    .c = p->c + from,
		    .ldc = p->n,
		    .alpha = (double)p->alpha });
		for (int64_t i = 0; i < p->m; i++)
			row_finish(s, p, i, from, until);
	}
}

/* Converts columns [from, from + count) of b: rows of a transposed b. */
static void part_load(const struct backend_session *s, const struct half_product *p,
    int64_t from, int64_t count)
{
	int64_t rows = p->transpose ? count : p->k, columns = p->transpose ? p->k : count;
	const uint16_t *b = p->b + (p->transpose ? from * p->ldb : from);
#pragma omp parallel for num_threads(cpu_team(s, rows *columns / 8)) schedule(static)
	for (int64_t r = 0; r < rows; r++)
		s->isa->half[p->type].load(
		    p->part + r * (columns + PART_GAP), b + r * p->ldb, columns);
}

static void half_multiply(struct backend_session *s, const struct half_product *p)
{
	int64_t wide = part_columns(p->n, p->k);
	if (p->transpose && p->m <= ROWS_FEW) {
		few_multiply(s, p);
		return;
	}
	for (int64_t from = 0; from < p->n; from += wide) {
		int64_t count = cpu_min(wide, p->n - from);
		part_load(s, p, from, count);
		cpu_product(s, &(struct cpu_product){
		                   .g = { .type = CPU_FLOAT32,
		                       .transpose = p->transpose,
		                       .m = p->m,
		                       .n = count,
		                       .k = p->k,
		                       .a = p->a,
		                       .lda = p->k,
		                       .b = p->part,
		                       .ldb = (p->transpose ? p->k : count) + PART_GAP,
		                       .c = p->c + from,
		                       .ldc = p->n,
		                       .alpha = (double)p->alpha },
		                   .bias = p->bias ? p->bias + from : NULL,
		                   .residual = p->residual ? p->residual + from : NULL,
		                   .residual_row = p->n,
		                   .act = p->act,
		                   .batch = 1 });
	}
}

static size_t products_room(const struct backend_session *s, const struct backend_op *op)
{
	size_t bytes = 0;
	(void)s;
	for (int i = 0; i < HALF_TENSORS; i++) {
		const struct backend_tensor *t = cpu_half_tensor(op, i);
		bool matrix = i == (op->kind == BACKEND_GEMV ? 0 : 1);
		if (t && !matrix)
			bytes += cpu_half_bytes(cpu_count(t));
	}
	if (op->kind == BACKEND_GEMM)
		bytes += cpu_half_bytes(
		    part_numbers(cpu_columns(op->out[0]), cpu_columns(op->in[0])));
	return bytes;
}

/* Converts an operand of a product in its room; NULL remains NULL. */
static float *operand_load(
    const struct backend_session *s, const struct backend_tensor *t, char **room)
{
	float *x = t ? cpu_half_take(room, cpu_count(t)) : NULL;
	if (t)
		cpu_half_load(s, x, t);
	return x;
}

static void gemv_run(struct backend_session *s, const struct backend_op *op, char *room)
{
	const struct backend_tensor *a = op->in[0];
	struct half_product p = { .type = cpu_half_of(a),
		.transpose = true,
		.m = 1,
		.n = cpu_size(a, 2),
		.k = cpu_size(a, 1),
		.a = operand_load(s, op->in[1], &room),
		.b = cpu_u16(a),
		.ldb = cpu_stride(a, 2),
		.alpha = 1 };
	p.c = cpu_half_take(&room, p.n);
	half_multiply(s, &p);
	cpu_half_store(s, op->out[0], p.c);
}

static int products_run(struct backend_session *s, struct half_plan *plan,
    const struct backend_op *op, char *why)
{
	const struct backend_tensor *b = op->in[1], *c = op->out[0];
	char *room = plan->room->bytes;
	(void)why;
	if (op->kind == BACKEND_GEMV) {
		gemv_run(s, op, room);
		return 0;
	}
	bool shared = cpu_size(b, 3) == 1;
	int64_t batch = shared ? 1 : cpu_size(c, 3);
	struct half_product p = { .type = cpu_half_of(b),
		.transpose = op->p.gemm.transpose,
		.m = cpu_row_count(c) / batch,
		.n = cpu_columns(c),
		.k = cpu_columns(op->in[0]),
		.a = operand_load(s, op->in[0], &room),
		.ldb = cpu_stride(b, 2),
		.bias = operand_load(s, op->in[2], &room),
		.residual = operand_load(s, op->in[3], &room),
		.alpha = (float)op->p.gemm.alpha,
		.act = op->act };
	p.part = cpu_half_take(&room, part_numbers(p.n, p.k));
	float *result = p.c = cpu_half_take(&room, cpu_count(c));
	for (int64_t i = 0; i < batch; i++) {
		p.b = cpu_u16(b) + i * cpu_stride(b, 3);
		half_multiply(s, &p);
		p.a += p.m * p.k;
		p.c += p.m * p.n;
		p.residual = p.residual ? p.residual + p.m * p.n : NULL;
	}
	cpu_half_store(s, c, result);
	return 0;
}

const struct half_way cpu_half_products = { products_room, NULL, products_run };

/* The arrays of experts in the room. */
struct sorted_rows {
	float *in, *out, *part; /* rows in the order of their experts */
	int64_t *row;           /* the rows in the order of out */
};

static struct sorted_rows rows_take(const struct backend_op *op, char **room)
{
	int64_t rows = cpu_row_count(op->out[0]), n = cpu_columns(op->out[0]),
	        k = cpu_columns(op->in[0]);
	struct sorted_rows sorted = { .in = cpu_half_take(room, rows * k) };
	sorted.out = cpu_half_take(room, rows * n);
	sorted.part = cpu_half_take(room, part_numbers(n, k));
	sorted.row = (int64_t *)(void *)cpu_half_take(room, 2 * rows);
	return sorted;
}

static size_t experts_room(const struct backend_session *s, const struct backend_op *op)
{
	int64_t rows = cpu_row_count(op->out[0]), n = cpu_columns(op->out[0]),
	        k = cpu_columns(op->in[0]);
	(void)s;
	return cpu_half_bytes(rows * k) + cpu_half_bytes(rows * n) +
	       cpu_half_bytes(part_numbers(n, k)) + cpu_half_bytes(2 * rows);
}

static int experts_run(struct backend_session *s, struct half_plan *plan,
    const struct backend_op *op, char *why)
{
	const struct backend_tensor *in = op->in[0], *out = op->out[0];
	const struct cpu_half_kernels *half = &s->isa->half[cpu_half_of(in)];
	int64_t rows = cpu_row_count(out), n = cpu_columns(out), k = cpu_columns(in);
	int64_t share = rows / cpu_row_count(in), first = 0;
	const int32_t *expert = cpu_i32(op->in[2]);
	char *room = plan->room->bytes;
	struct sorted_rows sorted = rows_take(op, &room);
	(void)why;
	for (int64_t e = 0; e < op->in[1]->size[0]; e++) {
		int64_t count = 0;
		for (int64_t i = 0; i < rows; i++)
			if (expert[i] == e)
				sorted.row[first + count++] = i;
		for (int64_t i = 0; i < count; i++)
			half->load(sorted.in + (first + i) * k,
			    cpu_u16(in) + sorted.row[first + i] / share * k, k);
		if (count)
			half_multiply(s, &(struct half_product){ .type = cpu_half_of(in),
			                     .transpose = true,
			                     .m = count,
			                     .n = n,
			                     .k = k,
			                     .a = sorted.in + first * k,
			                     .b = cpu_u16(op->in[1]) + e * n * k,
			                     .ldb = k,
			                     .c = sorted.out + first * n,
			                     .alpha = 1,
			                     .act = op->act,
			                     .part = sorted.part });
		first += count;
	}
	for (int64_t i = 0; i < rows; i++)
		half->store(cpu_u16(out) + sorted.row[i] * n, sorted.out + i * n, n);
	return 0;
}

const struct half_way cpu_half_experts = { experts_room, NULL, experts_run };
