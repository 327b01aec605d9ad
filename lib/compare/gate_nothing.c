/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explains why nothing could be compared; see gate_lines.h.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "compare/compare_notes.h"
#include "compare/gate_lines.h"
#include "text/display_text.h"

/* Returns for each side whether it has a value in any row. The caller frees the array. */
static bool *valued_sides(const struct compare *c)
{
	bool *valued = mem_zero(compare_sides(c) + 1, sizeof(*valued));
	size_t count;
	const struct comparison *row = compare_list(c, &count);

	for (size_t i = 0; i < count; i++) {
		if (row[i].side < compare_sides(c) && row[i].result.n_new)
			valued[row[i].side] = true;
		if (row[i].result.n_old)
			valued[compare_reference(c)] = true;
	}
	return valued;
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

/* Appends the subjects of a side, at most a few. */
static void put_side(struct buf *b, const struct compare *c, size_t side)
{
	enum { NAMES_MOST = 3 };
	const bool is_old = side == compare_reference(c);
	size_t count;
	const struct comparison *row = compare_list(c, &count);
	struct intern names = { 0 };
	struct buf name = { 0 };

	for (size_t i = 0; i < count; i++) {
		if (is_old ? !row[i].result.n_old
		           : row[i].side != side || !row[i].result.n_new)
			continue;
		name.len = 0;
		compare_put_label(&name, c, &row[i]);
		intern_add(&names, text_in(&name));
	}
	buf_str(b, "; ");
	display_text_clean(b, compare_side_name(c, side));
	buf_str(b, " has ");
	for (size_t i = 0; i < names.count && i < NAMES_MOST; i++) {
		buf_str(b, i ? ", '" : "'");
		buf_text(b, intern_text(&names, i));
		buf_byte(b, '\'');
	}
	if (names.count > NAMES_MOST)
		buf_printf(b, " and %zu more", names.count - NAMES_MOST);
	intern_free(&names);
	buf_free(&name);
}

/* Appends what can be done if one column separates the sides, or several. */
static void put_remedy(struct buf *b, const struct compare *c)
{
	const struct schema *schema = groups_schema(compare_groups(c));
	size_t *id, columns = groups_columns(compare_groups(c), &id), found = 0;
	struct buf parting = { 0 }, others = { 0 };

	for (size_t i = 0; i < columns; i++) {
		struct buf *to = &others;

		if (id[i] == COL_UNIT)
			continue;
		if (id[i] != COL_METRIC && is_disjoint(c, id[i])) {
			to = &parting;
			found++;
		}
		buf_str(to, to->len ? "," : "");
		display_text_clean(to, text_of(schema->name[id[i]]));
	}
	if (found)
		buf_printf(b, "; the sides have different values of %s (", parting.ptr);
	if (found == 1 && compare_by(c) < 0)
		buf_printf(b,
		    "give equal subjects equal names, or compare the values with "
		    "-b %s",
		    parting.ptr);
	else if (found)
		buf_printf(b,
		    "choose the columns that must be equal with -g, for example -g %s",
		    others.ptr);
	buf_str(b, found ? ")" : "");
	buf_free(&parting);
	buf_free(&others);
	free(id);
}

bool gate_shares_nothing(const struct compare *c)
{
	bool *valued = valued_sides(c), all = !compare_any(c);

	for (size_t side = 0; side < compare_sides(c); side++)
		all &= valued[side];
	free(valued);
	return all;
}

void gate_put_nothing(struct buf *b, const struct compare *c)
{
	enum { SIDES_MOST = 5 };
	const bool shares_nothing = gate_shares_nothing(c);
	bool *valued = valued_sides(c);
	size_t named = 0;

	buf_str(b, "nothing could be compared: no subject and metric has successful "
	           "samples on both sides");
	for (size_t side = 0; side < compare_sides(c); side++) {
		if ((valued[side] && !shares_nothing) || named++ >= SIDES_MOST)
			continue;
		if (shares_nothing)
			put_side(b, c, side);
		else {
			buf_str(b, "; there are none");
			compare_put_in_side(b, c, side);
		}
	}
	if (named > SIDES_MOST)
		buf_printf(b, "; the same holds for %zu more", named - SIDES_MOST);
	if (shares_nothing)
		put_remedy(b, c);
	buf_byte(b, '\n');
	free(valued);
}
