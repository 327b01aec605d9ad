/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes on pairs; see pair_notes.h.
 */
#include <stdlib.h>

#include "compare/compare_notes.h"
#include "compare/pair_notes.h"
#include "stats/least_p.h"
#include "text/display_text.h"

static void put_label(struct buf *b, const struct compare *c, const struct comparison *row)
{
	compare_put_label(b, c, row);
	buf_str(b, ": ");
	display_text_clean(b, groups_cell(compare_groups(c), row->group, COL_METRIC));
	buf_str(b, ": ");
}

/* Appends the first of the pairs that are incomplete, and the number of others. */
static void put_pairs(struct buf *b, const struct compare *c, const struct unpaired *u)
{
	for (size_t i = 0; i < u->count && i < UNPAIRED_NAMED; i++) {
		buf_str(b, i ? ", " : "");
		pair_keys_put(b, compare_pair_keys(c), u->pair[i]);
	}
	if (u->count > UNPAIRED_NAMED)
		buf_printf(b, " and %zu more", u->count - UNPAIRED_NAMED);
}

/* Appends "3 of 20 values of file". */
static void put_share(struct buf *b, const struct compare *c, size_t count, size_t all)
{
	buf_printf(b, "%zu of %zu value%s of ", count, all, all == 1 ? "" : "s");
	pair_keys_put_columns(b, compare_pair_keys(c));
}

void pair_notes_put(
    struct buf *b, const struct compare *c, const struct comparison *row, bool old)
{
	const struct two_sample *r = &row->result;
	const struct unpaired *u = old ? &r->unpaired_old : &r->unpaired_new;

	put_label(b, c, row);
	put_share(b, c, u->count, u->count + r->n_new);
	buf_printf(b, " ha%s no successful sample", u->count == 1 ? "s" : "ve");
	compare_put_in_side(b, c, old ? row->side : compare_reference(c));
	buf_str(b, ": ");
	put_pairs(b, c, u);
}

bool pair_notes_put_none(struct buf *b, const struct compare *c)
{
	const size_t reference = compare_reference(c);
	size_t count;
	const struct comparison *row = compare_list(c, &count);

	for (size_t i = 0; i < count; i++) {
		const struct two_sample *r = &row[i].result;

		if (!r->unpaired_old.count || !r->unpaired_new.count)
			continue;
		buf_str(b, "nothing could be compared: no value of ");
		pair_keys_put_columns(b, compare_pair_keys(c));
		buf_str(b, " has successful samples on both sides; ");
		display_text_clean(b, compare_side_name(c, reference));
		buf_str(b, " has ");
		put_pairs(b, c, &r->unpaired_old);
		buf_str(b, "; ");
		display_text_clean(b, compare_side_name(c, row[i].side));
		buf_str(b, " has ");
		put_pairs(b, c, &r->unpaired_new);
		buf_byte(b, '\n');
		return true;
	}
	return false;
}

/* Notes the pairs of which only one side has samples. Rows mostly lack the same pairs, so
 * only the first row is named. */
static void note_unpaired(const struct compare *c, bool old, struct buf *lines)
{
	size_t count, rows = 0;
	const struct comparison *list = compare_list(c, &count);

	for (size_t i = 0; i < count; i++) {
		const struct two_sample *r = &list[i].result;

		if (list[i].decides && r->basis == BASIS_PAIR &&
		    (old ? r->unpaired_old.count : r->unpaired_new.count) && rows++ == 0)
			pair_notes_put(lines, c, &list[i], old);
	}
	if (rows > 1)
		buf_printf(
		    lines, "; %zu more row%s likewise", rows - 1, rows == 2 ? "" : "s");
	buf_str(lines, rows ? "\n" : "");
}

/* Notes the first row that has pairs with several samples on a side. */
static void note_reduced(const struct compare *c, struct buf *lines)
{
	size_t count;
	const struct comparison *list = compare_list(c, &count);

	for (size_t i = 0; i < count; i++) {
		const struct two_sample *r = &list[i].result;

		if (!list[i].decides || !r->reduced)
			continue;
		put_label(lines, c, &list[i]);
		put_share(lines, c, r->reduced, r->n_new);
		buf_printf(lines,
		    " ha%s several samples on a side, which are reduced to one value\n",
		    r->reduced == 1 ? "s" : "ve");
		return;
	}
}

/* Suggests the column of the subjects with the most values, if these are enough pairs for a
 * decision. */
static void suggest_column(const struct compare *c, struct buf *lines)
{
	const struct groups *subjects = compare_subjects(c);
	size_t *id, columns = groups_columns(subjects, &id), best = 0;
	size_t most =
	    least_p_values(&infer_signed_ranks, true, 1, 1, 1, compare_confidence(c)) - 1;

	for (size_t i = 0; i < columns; i++) {
		struct intern values = { 0 };

		for (size_t k = 0; k < groups_count(subjects); k++)
			intern_add(&values, groups_cell(subjects, k, id[i]));
		if (values.count > most) {
			most = values.count;
			best = id[i];
		}
		intern_free(&values);
	}
	free(id);
	if (!best)
		return;
	buf_str(lines, "--pair ");
	display_text_clean(lines, text_of(groups_schema(subjects)->name[best]));
	buf_printf(lines,
	    " would compare the sides in up to %zu pairs, one for each value of this "
	    "column\n",
	    most);
}

void pair_notes(const struct compare *c, const struct gate *g, struct buf *lines)
{
	if (!compare_pair_keys(c)) {
		if (g->found[GATE_FEW])
			suggest_column(c, lines);
		return;
	}
	if (!g->found[GATE_UNPAIRED])
		note_unpaired(c, true, lines);
	note_unpaired(c, false, lines);
	note_reduced(c, lines);
}
