/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which rows belong together. A key is made of the columns of a row that its policy
 * selects; equal keys get equal numbers, 0, 1, 2 ... in the order of first appearance. A
 * factor that one table lacks is empty there, so it does not part rows from those that have
 * it empty.
 */
#ifndef RECORD_GROUP_H
#define RECORD_GROUP_H

#include "record/record.h"

struct group_by {
	const char *const *names; /* these columns, and metric and unit; NULL: by kind */
	size_t count;
	bool provenance; /* by kind: also run's host, env, commit (not run and time) */
	const char *const *except; /* columns that never part rows */
	size_t excepts;
	const char *const *also; /* columns that part rows as well, whatever their kind */
	size_t alsos;
};

struct groups;
/* The schema must outlive the groups; names that it does not know yet may come later. */
struct groups *groups_open(const struct schema *schema, const struct group_by *by);
size_t groups_find(struct groups *g, const struct row *row);
const struct schema *groups_schema(const struct groups *g);
size_t groups_count(const struct groups *g);
/* Whether what was read has all columns that `names` asks for. 0, or -1 naming one it
 * lacks. */
int groups_check(const struct groups *g, struct fault *f);
/* The text of a key column in a group; empty when it is not part of the key. */
struct text groups_cell(const struct groups *g, size_t group, size_t column);
/* Those of all columns; cell has room for schema->count, by id. */
void groups_cells(const struct groups *g, size_t group, struct text *cell);
/*
 * The key's columns that some group has a text in, with names all of those, and always
 * metric and unit, in the contract's order (bench, factors, ..., metric, unit last).
 * Returns how many; *ids is allocated.
 */
size_t groups_columns(const struct groups *g, size_t **ids);
/* Whether a column says the same in all groups. */
bool groups_constant(const struct groups *g, size_t column);
void groups_close(struct groups *g);

#endif
