/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ways to corrupt a database for corruption.c: its bytes, and with SQL its values, rows and
 * schema. Checksums are left as they were, unless they are what is changed.
 */
#ifndef TESTS_STORE_CORRUPTION_H
#define TESTS_STORE_CORRUPTION_H

#include "base/base.h"
#include "base/rng.h"

/* The tables of a database and their columns, learned from one that is sound. */
struct corruption_table {
	char *name;
	char *keys; /* a condition that selects the row `chosen`, by the primary key */
	char **column;
	size_t columns, column_cap;
};
struct corruption_tables {
	struct corruption_table *table;
	size_t count, cap;
	char **view;
	size_t views, view_cap;
};

void corruption_learn(struct corruption_tables *t, const char *database);
void corruption_forget(struct corruption_tables *t);

enum { CORRUPTION_KINDS = 12 };
extern const char *const corruption_names[CORRUPTION_KINDS];

/*
 * Corrupts a database file, of one of the kinds, by chance. Returns a description,
 * allocated, or NULL if the attempt changed nothing.
 */
char *corruption_apply(
    const struct corruption_tables *t, size_t kind, const char *database, struct rng *rng);

#endif
