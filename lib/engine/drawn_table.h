/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws weights as elements of their type, quickly: a FILL_NORMAL number is one of
 * BACKEND_DRAWN numbers (fill.h), which are converted once and kept. Pure.
 */
#ifndef ENGINE_DRAWN_TABLE_H
#define ENGINE_DRAWN_TABLE_H

#include "graph/graph.h"

/* The least elements of a value for which a table is worth its time. */
enum { DRAWN_TABLE_LEAST = 1 << 18 };

/* The numbers of a FILL_NORMAL value as elements of its type. */
struct drawn_table {
	double at, spread;
	enum backend_dtype dtype;
	void *elements; /* BACKEND_DRAWN of them */
};

/* The tables in use. Set `rounding`, and zero the rest, to begin. */
struct drawn_tables {
	/* The type to which floating-point numbers are rounded before they are converted to
	 * the type of the value; float32 if it is not a floating-point type. */
	enum backend_dtype rounding;
	struct drawn_table *table;
	size_t count, cap;
};

/* Rounds numbers to a floating-point type; for another type, to float32. */
void drawn_round(enum backend_dtype dtype, double *x, size_t count);
/* Returns the table of a FILL_NORMAL value. It lives until the next call. */
const void *drawn_table_of(struct drawn_tables *tables, const struct graph_value *v);
/* Stores the elements of a value from index `at` on, drawn from a seed. */
void drawn_elements(struct drawn_tables *tables, const struct graph_value *v, uint64_t seed,
    uint64_t at, size_t count, void *to);
/* Frees the tables. */
void drawn_tables_free(struct drawn_tables *tables);

#endif
