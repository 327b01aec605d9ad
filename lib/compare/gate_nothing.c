/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explains why nothing could be compared; see gate_lines.h.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "compare/compare_notes.h"
#include "compare/gate_lines.h"
#include "compare/pair_notes.h"
#include "text/display_text.h"
#include "text/shell_words.h"

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
	buf_str(b, compare_side_name(c, side).len ? " has " : "'' has ");
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

/* Appends an option and its value, quoted for the shell. */
static void put_option(struct buf *b, const char *option, const char *value)
{
	struct buf word = { 0 };

	shell_words_put(&word, value);
	buf_printf(b, "%s ", option);
	display_text_clean(b, text_in(&word));
	buf_free(&word);
}

/* Appends what can be done about sides that differ in `found` columns, the names of which
 * are in `parting`; `others` has those of the other columns. */
static void put_remedy(struct buf *b, const struct compare *c, size_t found,
    const char *parting, const char *others)
{
	if (found == 1 && compare_by(c) < 0) {
		buf_str(b, "give equal subjects equal names, or compare the values with ");
		put_option(b, "-b", parting);
	} else if (found) {
		buf_str(b, "choose the columns that must be equal with -g, for example ");
		put_option(b, "-g", others);
	}
}

/* Appends in which columns the sides differ and, unless that is allowed, what can be done.
 */
static void put_difference(struct buf *b, const struct compare *c, const struct gate *g)
{
	const struct schema *schema = groups_schema(compare_groups(c));
	size_t *id, columns = groups_columns(compare_groups(c), &id), found = 0;
	struct buf parting = { 0 }, others = { 0 }, remedy = { 0 };

	for (size_t i = 0; i < columns; i++) {
		struct buf *to = &others;

		if (id[i] == COL_UNIT)
			continue;
		if (id[i] != COL_METRIC && is_disjoint(c, id[i])) {
			to = &parting;
			found++;
		}
		buf_str(to, to->len ? "," : "");
		buf_str(to, schema->name[id[i]]);
	}
	if (found) {
		buf_str(b, "; the sides have different values of ");
		display_text_clean(b, text_in(&parting));
	}
	if (!gate_allows(g, GATE_DISJOINT)) {
		put_remedy(&remedy, c, found, parting.ptr, others.ptr);
		if (!g->opts.must_share)
			buf_printf(&remedy, "%suse --allow-missing to accept this",
			    remedy.len ? "; " : "");
		if (remedy.len)
			buf_printf(b, " (%s)", remedy.ptr);
	}
	buf_free(&remedy);
	buf_free(&parting);
	buf_free(&others);
	free(id);
}

bool gate_shares_nothing(const struct compare *c)
{
	bool *valued = valued_sides(c), all = !compare_any(c);
	size_t count;
	const struct comparison *row = compare_list(c, &count);

	/* the metric ok also has values of failures */
	for (size_t i = 0; i < count; i++)
		all &= !row[i].result.n_old || !row[i].result.n_new;
	for (size_t side = 0; side < compare_sides(c); side++)
		all &= valued[side];
	free(valued);
	return all;
}

void gate_put_nothing(struct buf *b, const struct compare *c, const struct gate *g)
{
	enum { SIDES_MOST = 5 };
	const bool shares_nothing = g->found[GATE_DISJOINT];
	bool *valued;
	size_t named = 0;

	if (pair_notes_put_none(b, c))
		return;
	valued = valued_sides(c);
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
		put_difference(b, c, g);
	buf_byte(b, '\n');
	free(valued);
}
