/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explains why nothing could be compared; see gate_lines.h.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "compare/compare_notes.h"
#include "compare/gate_lines.h"
#include "text/display_text.h"

/* Returns whether a side has a value in any row. */
static bool has_values(const struct compare *c, size_t side)
{
	size_t count;
	const struct comparison *row = compare_list(c, &count);

	for (size_t i = 0; i < count; i++)
		if ((row[i].side == side && row[i].result.n_new) ||
		    (side == compare_reference(c) && row[i].result.n_old))
			return true;
	return false;
}

/* Returns whether no value of a column is both on the reference side and on another. */
static bool is_disjoint(const struct compare *c, size_t column)
{
	size_t count, distinct;
	const struct comparison *row = compare_list(c, &count);
	struct intern values = { 0 };
	bool disjoint = true;

	for (size_t i = 0; i < count; i++)
		if (row[i].result.n_old)
			intern_add(
			    &values, groups_cell(compare_groups(c), row[i].group, column));
	distinct = values.count;
	for (size_t i = 0; i < count; i++)
		if (row[i].result.n_new)
			disjoint &=
			    intern_add(&values, groups_cell(compare_groups(c), row[i].group,
			                            column)) >= distinct;
	intern_free(&values);
	return disjoint;
}

/* Appends the columns that separate the sides, if there are any. */
static void put_disjoint(struct buf *b, const struct compare *c)
{
	size_t *id, columns = groups_columns(compare_groups(c), &id), found = 0;
	struct buf others = { 0 };

	for (size_t i = 0; i < columns; i++) {
		if (id[i] == COL_UNIT)
			continue;
		if (id[i] == COL_METRIC || !is_disjoint(c, id[i])) {
			buf_str(&others, others.len ? "," : "");
			display_text_clean(&others,
			    text_of(groups_schema(compare_groups(c))->name[id[i]]));
			continue;
		}
		buf_str(b, found++ ? ", " : "; the sides have different values of ");
		display_text_clean(
		    b, text_of(groups_schema(compare_groups(c))->name[id[i]]));
	}
	if (found)
		buf_printf(b,
		    " (choose the columns that must be equal with -g, for example -g %s)",
		    others.ptr);
	buf_free(&others);
	free(id);
}

void gate_put_nothing(struct buf *b, const struct compare *c)
{
	bool all = true;

	buf_str(b, "nothing could be compared: no subject and metric has successful "
	           "samples on both sides");
	for (size_t side = 0; side < compare_sides(c); side++)
		if (!has_values(c, side)) {
			all = false;
			buf_str(b, "; there are none");
			compare_put_in_side(b, c, side);
		}
	if (all)
		put_disjoint(b, c);
	buf_byte(b, '\n');
}
