/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of rows. The key of a row consists of the columns that struct group_by selects.
 * Equal keys get equal numbers, 0, 1, 2 ... in the order of first appearance. A factor that
 * a table lacks counts as empty, so such rows belong together with rows in which it is
 * empty.
 */
#ifndef RECORD_GROUP_H
#define RECORD_GROUP_H

#include "record/record.h"

struct group_by {
	/* the key is these columns, metric and unit; NULL: chosen by the kind of column */
	const char *const *names;
	size_t count;
	bool provenance; /* if by kind: also host, env and commit (not run and time) */
	const char *const *except; /* columns that are never in the key */
	size_t excepts;
	const char *const *also; /* columns of any kind that are also in the key */
	size_t alsos;
};

struct groups;
/* Returns an empty set of groups. The schema must outlive it, and may get more columns. */
struct groups *groups_open(const struct schema *schema, const struct group_by *by);
/* Returns the number of the row's group, which is added if it is new. */
size_t groups_find(struct groups *g, const struct row *row);
const struct schema *groups_schema(const struct groups *g);
size_t groups_count(const struct groups *g);
/* Returns 0 if the input had all columns of `names`, or -1 and a message that names a
 * missing one. */
int groups_check(const struct groups *g, struct fault *f);
/* Returns the text of a column in the key of a group; empty if it is not in the key. */
struct text groups_cell(const struct groups *g, size_t group, size_t column);
/* Sets cell[id] as groups_cell() does, for each id below schema->count. */
void groups_cells(const struct groups *g, size_t group, struct text *cell);
/*
 * Finds the columns of the key that are not empty in all groups, all columns of `names`,
 * and always metric and unit. Sets *ids, allocated, in the order of bench-csv(5): bench,
 * factors and others, then metric and unit. Returns how many there are.
 */
size_t groups_columns(const struct groups *g, size_t **ids);
/* Returns whether two groups differ at most in metric and unit: they have the same subject.
 */
bool groups_same_subject(const struct groups *g, size_t a, size_t b);
/* Returns a hash of the key of a group without metric and unit. */
uint64_t groups_subject_hash(const struct groups *g, size_t group);
/* Returns whether a column has the same string in all groups. */
bool groups_constant(const struct groups *g, size_t column);
/* Frees what only groups_find() needs, which must not be called any more. */
void groups_complete(struct groups *g);
void groups_close(struct groups *g);

#endif
