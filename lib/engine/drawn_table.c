/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws weights as elements of their type; see drawn_table.h.
 */
#include <stdlib.h>

#include "bench-backend.h"
#include "engine/drawn_table.h"
#include "engine/fill.h"
#include "graph/dtype.h"
#include "graph/graph_quantize.h"

/* The tables that are kept, and the numbers that are converted at once. */
enum { TABLES_MAX = 16, ROUNDED = 256 };

void drawn_round(enum backend_dtype dtype, double *x, size_t count)
{
	char bytes[ROUNDED * sizeof(double)];

	if (dtype == BACKEND_FLOAT64)
		return;
	if (!dtype_is_float(dtype))
		dtype = BACKEND_FLOAT32;
	for (size_t at = 0; at < count; at += ROUNDED) {
		size_t n = count - at < ROUNDED ? count - at : ROUNDED;

		dtype_store(dtype, bytes, x + at, n);
		dtype_load(dtype, x + at, bytes, n);
	}
}

const void *drawn_table_of(struct drawn_tables *tables, const struct graph_value *v)
{
	struct drawn_table *t;
	double *x;

	for (size_t i = 0; i < tables->count; i++) {
		t = &tables->table[i];
		if (t->at == v->at && t->spread == v->spread && t->dtype == v->dtype)
			return t->elements;
	}
	if (tables->count == TABLES_MAX)
		drawn_tables_free(tables);
	x = mem_zero(BACKEND_DRAWN, sizeof(*x));
	fill_table(v, x);
	if (dtype_is_float(v->dtype))
		drawn_round(tables->rounding, x, BACKEND_DRAWN);
	t = VEC_ADD(tables->table, tables->count, tables->cap);
	*t = (struct drawn_table){ .at = v->at,
		.spread = v->spread,
		.dtype = v->dtype,
		.elements = mem_zero(BACKEND_DRAWN, dtype_bytes(v->dtype)) };
	dtype_store(v->dtype, t->elements, x, BACKEND_DRAWN);
	free(x);
	return t->elements;
}

/* Draws rows of the weight from which a value is made, and stores the value's elements from
 * index `at` on: those of the rows in int8, or a scale for each row. */
static void draw_quantized(
    const struct graph_value *v, uint64_t seed, uint64_t at, size_t count, char *to)
{
	struct graph_value weight = *v;
	const size_t row = (size_t)v->row, each = v->fill == FILL_SCALES ? 1 : row,
	             size = dtype_bytes(v->dtype);
	double *x = mem_zero(row, sizeof(*x));
	int8_t *q = mem_zero(row, sizeof(*q));
	struct fill fill;

	weight.fill = FILL_NORMAL;
	fill_begin(&fill, &weight, seed);
	for (size_t done = 0, part; done < count; done += part) {
		const size_t within = (at + done) % each;
		float scale;

		part = each - within < count - done ? each - within : count - done;
		fill.at = (at + done) / each * row;
		fill_next(&fill, x, row);
		scale = graph_quantize_row(x, row, q);
		memcpy(to + done * size,
		    v->fill == FILL_SCALES ? (void *)&scale : q + within, part * size);
	}
	free(x);
	free(q);
}

void drawn_elements(struct drawn_tables *tables, const struct graph_value *v, uint64_t seed,
    uint64_t at, size_t count, void *to)
{
	size_t size = dtype_bytes(v->dtype);
	double x[ROUNDED];
	struct fill fill;

	if (v->source) {
		draw_quantized(v, seed, at, count, to);
		return;
	}
	fill_begin(&fill, v, seed);
	fill.at = at;
	if (v->fill == FILL_NORMAL && graph_elements(v) >= DRAWN_TABLE_LEAST) {
		fill_next_from(&fill, drawn_table_of(tables, v), size, to, count);
		return;
	}
	for (size_t i = 0; i < count; i += ROUNDED) {
		size_t n = count - i < ROUNDED ? count - i : ROUNDED;

		fill_next(&fill, x, n);
		if (dtype_is_float(v->dtype))
			drawn_round(tables->rounding, x, n);
		dtype_store(v->dtype, (char *)to + i * size, x, n);
	}
}

void drawn_tables_free(struct drawn_tables *tables)
{
	for (size_t i = 0; i < tables->count; i++)
		free(tables->table[i].elements);
	free(tables->table);
	tables->table = NULL;
	tables->count = tables->cap = 0;
}
