/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the operations that are matrix products: gemm, including int8, gemv, and experts. */
#include <stdlib.h>
#include <string.h>

#include "cpu_dnn.h"
#include "cpu_gemm.h"
#include "cpu_op.h"
#include "cpu_product.h"

int cpu_gemv(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *a = op->in[0];
	(void)why;
	/* y' = x' a': one row for each column of the result, which the threads share. */
	cpu_product(s, &(struct cpu_product){ .g = { .type = cpu_type_of(a),
	                                          .transpose = true,
	                                          .m = 1,
	                                          .n = cpu_size(a, 2),
	                                          .k = cpu_size(a, 1),
	                                          .a = cpu_first(op->in[1]),
	                                          .lda = cpu_size(a, 1),
	                                          .b = cpu_first(a),
	                                          .ldb = cpu_stride(a, 2),
	                                          .c = cpu_first(op->out[0]),
	                                          .ldc = cpu_size(a, 2),
	                                          .alpha = 1 },
	                   .batch = 1 });
	return 0;
}

/* Transposes b[k,n] to [n,k]. */
static void int8_transpose(int8_t *to, const int8_t *b, int64_t ldb, int64_t n, int64_t k)
{
	for (int64_t i = 0; i < k; i++)
		for (int64_t j = 0; j < n; j++)
			to[j * k + i] = b[i * ldb + j];
}

/* Computes a product whose b is transposed; the threads share its columns. */
static void int8_multiply(struct backend_session *s, const struct cpu_int8_product *p)
{
	int team = cpu_team(s, p->m * p->n * (p->k / 16 + 1));
#pragma omp parallel for num_threads(team) schedule(static)
	for (int part = 0; part < team; part++) {
		int64_t from = p->n * part / team, until = p->n * (part + 1) / team;
		struct cpu_int8_product own = *p;
		own.n = until - from;
		own.b += from * p->ldb;
		own.c += from;
		s->isa->gemm_int8(&own);
	}
}

static int int8_gemm(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *a = op->in[0], *b = op->in[1], *c = op->out[0];
	for (int64_t i = 0; i < cpu_size(c, 3); i++) {
		struct cpu_int8_product p = {
			.m = cpu_size(c, 2),
			.n = cpu_size(c, 1),
			.k = cpu_size(a, 1),
			.a = cpu_i8(a) + i * cpu_stride(a, 3),
			.b = cpu_i8(b) + (cpu_size(b, 3) > 1 ? i * cpu_stride(b, 3) : 0),
			.c = cpu_i32(c) + i * cpu_stride(c, 3),
			.lda = cpu_stride(a, 2),
			.ldb = cpu_stride(b, 2),
			.ldc = cpu_stride(c, 2),
			.transpose = op->p.gemm.transpose,
		};
		if (cpu_dnn_gemm_int8(s, &p) == 0)
			continue;
		if (!p.transpose) {
			int8_transpose(s->scratch, p.b, p.ldb, p.n, p.k);
			p.b = s->scratch;
			p.ldb = p.k;
			p.transpose = true;
		}
		int8_multiply(s, &p);
	}
	(void)why;
	return 0;
}

/* The least number of rows for which packed panels pay; with fewer, reading the weights
 * takes most of the time. With many rows, oneDNN is as fast and needs no second copy of the
 * weights. */
enum { PACKED_ROWS_LEAST = 8, PACKED_ROWS_MOST = 1023 };

/* The fewest rows for which the panels of a small weight pay, such as that of a recurrent
 * layer: it stays in the caches from one step to the next. */
enum { PACKED_SMALL_ROWS = 3, PACKED_SMALL_BYTES = 1 << 20 };

/* The `own` of a packed weight, and of each operation that uses its panels. */
struct packed_weights {
	struct cpu_own head;
	size_t users;
	bool transpose; /* whether the products with the panels are with transpose */
	void *panels;
};

/* Returns the fewest rows for which the panels of a weight pay. */
static int64_t packed_rows_least(const struct backend_tensor *b)
{
	const int64_t bytes = cpu_count(b) * (int64_t)cpu_type_bytes(cpu_type_of(b));
	return bytes <= PACKED_SMALL_BYTES ? PACKED_SMALL_ROWS : PACKED_ROWS_LEAST;
}

static bool weights_are_packed(const struct backend_session *s, const struct backend_op *op)
{
	const struct backend_tensor *b = op->in[1];
	const int64_t rows = cpu_row_count(op->out[0]);
	return op->kind == BACKEND_GEMM && op->in[0]->dtype != BACKEND_INT8 &&
	       (rows <= PACKED_ROWS_MOST ||
	           !(s->dnn_products && b->dtype == BACKEND_FLOAT32)) &&
	       b->role == BACKEND_WEIGHT && cpu_size(b, 3) == 1 && op->p.gemm.alpha == 1 &&
	       rows >= packed_rows_least(b);
}

/* Packs weights. The threads share the panels, and therefore the first touch of their
 * pages.
 */
static void weights_pack(
    struct backend_session *s, const struct backend_op *op, void *panels)
{
	const struct backend_tensor *b = op->in[1];
	const struct cpu_packing *packing = &s->isa->packing[cpu_type_of(b)];
	int64_t n = cpu_size(op->out[0], 1), k = cpu_size(op->in[0], 1);
	int64_t size = (int64_t)cpu_type_bytes(cpu_type_of(b)), wide = packing->wide;
	int64_t apart = op->p.gemm.transpose ? cpu_stride(b, 2) : 1;
#pragma omp parallel for num_threads(cpu_team(s, n *k)) schedule(static)
	for (int64_t j = 0; j < n; j += wide)
		packing->pack((char *)panels + j * k * size,
		    (const char *)cpu_first(b) + j * apart * size, cpu_stride(b, 2),
		    op->p.gemm.transpose, cpu_min(wide, n - j), k);
}

int cpu_gemm_prepare(struct backend_session *s, struct backend_op *op, char *why)
{
	struct backend_tensor *b = op->in[1];
	struct packed_weights *own = weights_are_packed(s, op) ? b->own : NULL;
	/* The panels of a weight that is also used the other way are the first way's. */
	if (!weights_are_packed(s, op) || (own && own->transpose != op->p.gemm.transpose))
		return 0;
	int64_t n = cpu_size(op->out[0], 1), k = cpu_size(op->in[0], 1);
	const struct cpu_packing *packing = &s->isa->packing[cpu_type_of(b)];
	if (!own) {
		int64_t columns = (n + packing->wide - 1) / packing->wide * packing->wide;
		own = calloc(1, sizeof(*own));
		if (own)
			own->panels = cpu_alloc(
			    s, (size_t)(columns * k) * cpu_type_bytes(cpu_type_of(b)));
		if (!own || !own->panels) {
			free(own);
			return hook_fail(why, "out of memory for packed weights");
		}
		own->transpose = op->p.gemm.transpose;
		weights_pack(s, op, own->panels);
		b->own = own;
	}
	own->users++;
	op->own = own;
	return 0;
}

void cpu_gemm_release(struct backend_session *s, struct backend_op *op)
{
	struct packed_weights *own = op->own;
	op->own = NULL;
	if (--own->users)
		return;
	op->in[1]->own = NULL;
	cpu_free(s, own->panels);
	free(own);
}

int cpu_gemm(struct backend_session *s, const struct backend_op *op, char *why)
{
	const struct backend_tensor *a = op->in[0], *b = op->in[1], *bias = op->in[2];
	const struct backend_tensor *residual = op->in[3], *c = op->out[0];
	if (a->dtype == BACKEND_INT8)
		return int8_gemm(s, op, why);
	struct cpu_product p = {
		.g = { .type = cpu_type_of(a),
		    .transpose = op->p.gemm.transpose,
		    .m = cpu_size(c, 2),
		    .n = cpu_size(c, 1),
		    .k = cpu_size(a, 1),
		    .a = cpu_first(a),
		    .lda = cpu_stride(a, 2),
		    .b = cpu_first(b),
		    .ldb = cpu_stride(b, 2),
		    .c = cpu_first(c),
		    .ldc = cpu_stride(c, 2),
		    .alpha = op->p.gemm.alpha },
		.bias = bias ? cpu_first(bias) : NULL,
		.residual = residual ? cpu_first(residual) : NULL,
		.residual_row = residual ? cpu_stride(residual, 2) : 0,
		.act = op->act,
		.packed = op->own ? ((const struct packed_weights *)op->own)->panels : NULL,
		.batch = cpu_size(c, 3),
		.a_next = cpu_stride(a, 3),
		.b_next = cpu_size(b, 3) > 1 ? cpu_stride(b, 3) : 0,
		.c_next = cpu_stride(c, 3),
		.residual_next = residual ? cpu_stride(residual, 3) : 0,
	};
	/* If all share one matrix and their rows have no gaps, compute a single product. */
	bool joined = !p.b_next && p.a_next == p.g.m * p.g.lda &&
	              p.c_next == p.g.m * p.g.ldc &&
	              (!residual || p.residual_next == p.g.m * p.residual_row);
	if (joined) {
		p.g.m *= p.batch;
		p.batch = 1;
	}
	cpu_product(s, &p);
	return 0;
}

/* The arrays of experts in the scratch memory. */
struct sorted_rows {
	struct cpu_sorting order;
	char *in, *out; /* the rows of input and result in sorted order */
};

static struct sorted_rows rows_layout(
    const struct backend_op *op, char *scratch, size_t *bytes)
{
	int64_t rows = cpu_row_count(op->out[0]), experts = op->in[1]->size[0];
	size_t size = cpu_type_bytes(cpu_type_of(op->in[0]));
	size_t in_bytes = (size_t)(rows * cpu_columns(op->in[0])) * size;
	size_t out_bytes = (size_t)(rows * cpu_columns(op->out[0])) * size;
	struct sorted_rows at = { .order.begin = (int64_t *)scratch };
	at.order.row = at.order.begin + experts + 1;
	at.in = (char *)(at.order.row + rows);
	at.out = at.in + in_bytes;
	*bytes = (size_t)(experts + 1 + rows) * sizeof(int64_t) + in_bytes + out_bytes;
	return at;
}

size_t cpu_gemm_scratch(const struct backend_session *s, const struct backend_op *op)
{
	size_t bytes = 0;
	if (op->kind == BACKEND_GEMM && weights_are_packed(s, op))
		bytes =
		    (size_t)s->threads * s->isa->packing[cpu_type_of(op->in[0])].room_bytes;
	else if (op->kind == BACKEND_EXPERTS)
		rows_layout(op, NULL, &bytes);
	else if (op->kind == BACKEND_GEMM && op->in[0]->dtype == BACKEND_INT8)
		bytes = (size_t)(cpu_size(op->in[1], 1) * cpu_size(op->in[1], 2));
	return bytes;
}

void cpu_rows_sort(const struct backend_op *op, const struct cpu_sorting *at)
{
	int64_t experts = op->in[1]->size[0], rows = cpu_row_count(op->out[0]);
	const int32_t *expert = cpu_i32(op->in[2]);
	memset(at->begin, 0, (size_t)(experts + 1) * sizeof(*at->begin));
	for (int64_t i = 0; i < rows; i++)
		at->begin[expert[i] + 1]++;
	for (int64_t e = 0; e < experts; e++)
		at->begin[e + 1] += at->begin[e];
	for (int64_t i = 0; i < rows; i++)
		at->row[at->begin[expert[i]]++] = i;
	for (int64_t e = experts; e > 0; e--)
		at->begin[e] = at->begin[e - 1];
	at->begin[0] = 0;
}

int cpu_experts(struct backend_session *s, const struct backend_op *op, char *why)
{
	int64_t rows = cpu_row_count(op->out[0]), n = cpu_columns(op->out[0]);
	int64_t k = cpu_columns(op->in[0]), experts = op->in[1]->size[0];
	int type = cpu_type_of(op->in[0]);
	size_t size = cpu_type_bytes(type), bytes;
	struct sorted_rows at = rows_layout(op, s->scratch, &bytes);
	(void)why;
	const size_t row_bytes = (size_t)k * size;
	const int64_t share = rows / cpu_row_count(op->in[0]);
	const char *from = cpu_first(op->in[0]);
	cpu_rows_sort(op, &at.order);
	for (int64_t i = 0; i < rows; i++)
		memcpy(at.in + (size_t)i * row_bytes,
		    from + (size_t)(at.order.row[i] / share) * row_bytes, row_bytes);
	for (int64_t e = 0; e < experts; e++) {
		size_t begin = (size_t)at.order.begin[e];
		int64_t count = at.order.begin[e + 1] - at.order.begin[e];
		if (count == 0)
			continue;
		cpu_product(s,
		    &(struct cpu_product){
		        .g = { .type = type,
		            .transpose = true,
		            .m = count,
		            .n = n,
		            .k = k,
		            .a = at.in + begin * (size_t)k * size,
		            .lda = k,
		            .b = (char *)cpu_first(op->in[1]) + (size_t)(e * n * k) * size,
		            .ldb = k,
		            .c = at.out + begin * (size_t)n * size,
		            .ldc = n,
		            .alpha = 1 },
		        .act = op->act,
		        .batch = 1 });
	}
	char *to = cpu_first(op->out[0]);
	for (int64_t i = 0; i < rows; i++)
		memcpy(to + (size_t)(at.order.row[i] * n) * size,
		    at.out + (size_t)(i * n) * size, (size_t)n * size);
	return 0;
}
