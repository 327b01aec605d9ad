/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes products with several threads. The threads share the result as tiles of a grid,
 * and each computes its tile by a kernel of its own or by a call of OpenBLAS or oneDNN, so
 * the threads of these libraries do not matter. Bias and residual are written to the result
 * before the product is added to it, instead of zeros; the activation follows tile by tile.
 */
#include <omp.h>
#include <string.h>

#include "cpu_dnn.h"
#include "cpu_product.h"

/* Tiles begin at multiples of this, so that few cross OpenBLAS's own; those of packed
 * columns begin at whole panels. */
enum { UNIT = 16 };

struct tile {
	int64_t row, rows, column, columns;
};

static const void *matrix_at(const struct cpu_blas *g, const void *base, int64_t place)
{
	return base ? (const char *)base + place * (int64_t)cpu_type_bytes(g->type) : NULL;
}

#define PRELOAD(T)                                                                        \
	static void preload_##T(T *c, const T *bias, T all, const T *residual, int64_t n) \
	{                                                                                 \
		for (int64_t i = 0; i < n; i++)                                           \
			c[i] = (bias ? bias[i] : 0) + (residual ? residual[i] : 0) + all; \
	}
PRELOAD(float)
PRELOAD(double)

/* Writes the terms to which the product is added. Returns whether there are any. */
static bool terms_preload(const struct cpu_product *p, const struct cpu_blas *g,
    const void *bias, const void *row_bias, const void *residual)
{
	if (!bias && !row_bias && !residual)
		return false;
	if (residual == g->c && p->residual_row == g->ldc && !bias && !row_bias)
		return true;
	for (int64_t i = 0; i < g->m; i++) {
		void *c = (void *)matrix_at(g, g->c, i * g->ldc);
		const void *more = matrix_at(g, residual, i * p->residual_row);
		if (g->type == CPU_FLOAT32)
			preload_float(c, bias, row_bias ? ((const float *)row_bias)[i] : 0,
			    more, g->n);
		else
			preload_double(c, bias,
			    row_bias ? ((const double *)row_bias)[i] : 0, more, g->n);
	}
	return true;
}

static void tile_run(const struct backend_session *s, const struct cpu_product *p,
    int64_t batch, const struct tile *t, void *room)
{
	struct cpu_blas g = p->g;
	int64_t b_column = g.transpose ? g.ldb : 1;
	int64_t c_place = batch * p->c_next + t->row * g.ldc + t->column;
	int64_t residual_place =
	    batch * p->residual_next + t->row * p->residual_row + t->column;
	g.m = t->rows;
	g.n = t->columns;
	g.a = matrix_at(&g, g.a, batch * p->a_next + t->row * g.lda);
	g.b = matrix_at(&g, g.b, batch * p->b_next + t->column * b_column);
	g.c = (void *)matrix_at(&g, g.c, c_place);
	const void *bias = matrix_at(&g, p->bias, t->column);
	const void *residual = matrix_at(&g, p->residual, residual_place);
	if (p->packed) {
		const void *panels = matrix_at(&g, p->packed, t->column * g.k);
		s->isa->packing[g.type].run(&(struct cpu_packed){ g.m, g.n, g.k, g.a, g.lda,
		    panels, g.c, g.ldc, bias, residual, p->residual_row, p->act, room });
		return;
	}
	bool add = terms_preload(p, &g, bias, matrix_at(&g, p->row_bias, t->row), residual);
	g.beta = add;
	if (g.transpose && g.m <= CPU_FEW_ROWS)
		s->isa->few[g.type](&(struct cpu_few){
		    g.m, g.n, g.k, g.a, g.lda, g.b, g.ldb, g.c, g.ldc, g.alpha, add });
	/* A product with a vector does not gain from tiles. */
	else if (s->dnn_products && g.type == CPU_FLOAT32 && g.m > 1)
		cpu_dnn_gemm(&g);
	else
		cpu_blas_gemm(&g);
	if (p->act == BACKEND_LINEAR)
		return;
	for (int64_t i = 0; i < g.m; i++)
		s->isa->act[g.type]((void *)matrix_at(&g, g.c, i * g.ldc), g.n, p->act);
}

static int64_t count_units(int64_t n, int64_t unit)
{
	return (n + unit - 1) / unit;
}

/* Chooses the rows and columns of a grid of `parts` tiles, such that the largest tile is
 * small, and nearly square among equal choices, so that little is packed twice. */
static void grid_choose(int64_t m, int64_t n, int64_t wide, int64_t parts, int64_t grid[2])
{
	int64_t best = INT64_MAX;
	for (int64_t rows = 1; rows <= parts; rows++) {
		if (parts % rows)
			continue;
		int64_t columns = parts / rows;
		int64_t tile_rows = (count_units(m, UNIT) + rows - 1) / rows * UNIT;
		int64_t tile_columns =
		    (count_units(n, wide) + columns - 1) / columns * wide;
		int64_t cost = tile_rows * tile_columns * 64 + tile_rows + tile_columns;
		if (cost < best) {
			best = cost;
			grid[0] = rows;
			grid[1] = columns;
		}
	}
}

static void tile_span(
    int64_t n, int64_t unit, int64_t part, int64_t parts, int64_t *from, int64_t *count)
{
	*from = cpu_min(n, count_units(n, unit) * part / parts * unit);
	*count = cpu_min(n, count_units(n, unit) * (part + 1) / parts * unit) - *from;
}

void cpu_product(struct backend_session *s, const struct cpu_product *p)
{
	/* The work in operations on vectors, each of some sixteen multiplications. */
	int team = cpu_team(s, p->batch * p->g.m * p->g.n * (p->g.k / 16 + 1));
	const struct cpu_packing *packing = &s->isa->packing[p->g.type];
	int64_t grid[2] = { 1, 1 }, wide = p->packed ? packing->wide : UNIT;
	if (team > 1 && p->batch % team)
		grid_choose(p->g.m, p->g.n, wide, team, grid);
	int64_t tiles = grid[0] * grid[1];
#pragma omp parallel for num_threads(team) schedule(static)
	for (int64_t i = 0; i < p->batch * tiles; i++) {
		struct tile t;
		tile_span(p->g.m, UNIT, i % tiles / grid[1], grid[0], &t.row, &t.rows);
		tile_span(
		    p->g.n, wide, i % tiles % grid[1], grid[1], &t.column, &t.columns);
		if (t.rows > 0 && t.columns > 0)
			tile_run(s, p, i / tiles, &t,
			    (char *)s->scratch +
			        (size_t)omp_get_thread_num() * packing->room_bytes);
	}
}

void cpu_product_alone(const struct backend_session *s, const struct cpu_product *p)
{
	for (int64_t i = 0; i < p->batch; i++)
		tile_run(s, p, i, &(struct tile){ 0, p->g.m, 0, p->g.n }, NULL);
}
