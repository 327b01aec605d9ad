/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ways to corrupt a database for corruption.c: bytes of the file and, with SQL, values,
 * rows and the schema. Checksums stay unchanged unless they are what is corrupted.
 */
#ifndef TESTS_STORE_CORRUPTION_H
#define TESTS_STORE_CORRUPTION_H

#include "base/base.h"
#include "base/rng.h"

/* The tables of a database and their columns, read from a sound database. */
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
 * Corrupts a database file in a random way. Returns a description, allocated, or NULL if
 * the attempt changed nothing.
 */
char *corruption_apply(
    const struct corruption_tables *t, size_t kind, const char *database, struct rng *rng);

#endif
