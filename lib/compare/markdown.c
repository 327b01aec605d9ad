/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Markdown; see markdown.h. Names are in <code>, where @name does not notify a person and
 * #number does not refer to a ticket.
 */
#include <math.h>
#include <stdlib.h>

#include "compare/compare_notes.h"
#include "compare/gate_lines.h"
#include "compare/geomean.h"
#include "compare/markdown.h"
#include "compare/two_sample_table.h"
#include "text/markup.h"
#include "text/units.h"

static const char table_head[] =
    "| verdict | benchmark | metric | old | new | change | p |\n"
    "|---|---|---|--:|--:|--:|--:|\n";

static void put_code(struct buf *b, struct text t)
{
	buf_str(b, "<code>");
	markdown_text(b, t);
	buf_str(b, "</code>");
}

/* Appends the cell of a location, or of its lower bound. */
static void put_location(struct buf *b, double at, double above, const char *unit)
{
	char text[64];

	if (!isnan(above)) {
		buf_str(b, "&gt;");
		at = above;
	}
	if (isnan(at))
		buf_str(b, "-");
	else
		markdown_text(
		    b, (struct text){ text, units_print(text, sizeof(text), at, unit) });
	buf_str(b, " | ");
}

static void put_change(struct buf *b, const struct two_sample *r, const char *unit)
{
	struct buf change = { 0 };

	two_sample_put_change(&change, r, unit);
	if (!isnan(r->ratio) || !isnan(r->ratio_lo))
		buf_put(b, change.ptr, change.len);
	else if (change.len) /* with a unit, which may be any string */
		markdown_text(b, text_in(&change));
	else
		buf_byte(b, '-');
	buf_str(b, " | ");
	buf_free(&change);
}

static char *unit_of(const struct compare *c, size_t group)
{
	struct text unit = groups_cell(compare_groups(c), group, COL_UNIT);

	return mem_text(unit.ptr, unit.len);
}

static void put_verdict(struct buf *b, const struct comparison *row)
{
	enum gravity gravity = gravity_of(row);

	if (row->result.basis == BASIS_NONE)
		buf_str(b, "not compared");
	else if (gravity == GRAVITY_WORSE)
		buf_printf(b, "**%s**", verdict_names[row->result.verdict]);
	else
		buf_str(b, gravity == GRAVITY_WARNING ? "warning"
		                                      : verdict_names[row->result.verdict]);
	if (!isnan(row->result.runs_needed))
		buf_printf(b, ", needs %.0f more values", row->result.runs_needed);
}

static void put_row(struct buf *b, const struct compare *c, const struct comparison *row)
{
	const struct two_sample *r = &row->result;
	char *unit = unit_of(c, row->group);
	struct buf label = { 0 };

	buf_str(b, "| ");
	put_verdict(b, row);
	buf_str(b, " | ");
	compare_put_label(&label, c, row);
	put_code(b, text_in(&label));
	buf_str(b, " | ");
	put_code(b, groups_cell(compare_groups(c), row->group, COL_METRIC));
	buf_str(b, " | ");
	put_location(b, r->old, r->old_above, unit);
	put_location(b, r->new, r->new_above, unit);
	put_change(b, r, unit);
	if (isnan(r->p_adj))
		buf_str(b, "- |\n");
	else
		buf_printf(b, "%.2g |\n", r->p_adj);
	buf_free(&label);
	free(unit);
}

/* Appends a collapsed table of the rows from `from` to `end`. */
static void put_folded(struct buf *b, const struct compare *c,
    const struct comparison *const *order, size_t from, size_t end, const char *what)
{
	if (from == end)
		return;
	buf_printf(
	    b, "\n<details><summary>%zu %s</summary>\n\n%s", end - from, what, table_head);
	for (size_t i = from; i < end; i++)
		put_row(b, c, order[i]);
	buf_str(b, "\n</details>\n");
}

/* Removes constant rows from the rows from `from` to `end`. Returns the new end. */
static size_t drop_constant(const struct comparison **order, size_t from, size_t end)
{
	size_t kept = from;

	for (size_t i = from; i < end; i++)
		if (!compare_constant(order[i]))
			order[kept++] = order[i];
	return kept;
}

/* Appends what the intervals and p of the tables are. */
static void put_intervals(struct buf *b, const struct compare *c)
{
	struct buf line = { 0 };

	compare_put_intervals(&line, c, "p");
	buf_str(b, "<sub>");
	markdown_text(b, (struct text){ line.ptr, line.len - 1 });
	buf_str(b, "</sub>\n");
	buf_free(&line);
}

/* Appends the findings as a list. */
static void put_findings(struct buf *b, const struct compare *c, const struct gate *g)
{
	struct buf lines = { 0 };
	char *rest, *line;

	gate_put_findings(&lines, c, g);
	rest = lines.ptr;
	while ((line = strsep(&rest, "\n")))
		if (*line) {
			buf_str(b, "- ");
			put_code(b, text_of(line));
			buf_byte(b, '\n');
		}
	buf_str(b, lines.len ? "\n" : "");
	buf_free(&lines);
}

static void put_means(struct buf *b, const struct compare *c)
{
	struct geomean *mean;
	size_t count = geomeans_of(c, &mean), shown = 0;

	for (size_t i = 0; i < count; i++) {
		if (!mean[i].varies)
			continue;
		if (!shown++)
			buf_str(
			    b, "\n| geometric mean | ratios | change |\n|---|--:|--:|\n");
		buf_str(b, "| ");
		put_code(b, groups_cell(compare_groups(c), mean[i].group, COL_METRIC));
		if (compare_by(c) >= 0) {
			buf_byte(b, ' ');
			put_code(b, compare_side_name(c, mean[i].side));
		}
		buf_printf(b, " | %zu | ", mean[i].count);
		if (isnan(mean[i].ratio))
			buf_byte(b, '-');
		else
			two_sample_put_ratio(b, mean[i].ratio, mean[i].lo, mean[i].hi);
		buf_str(b, " |\n");
	}
	free(mean);
}

int markdown_print(const struct compare *c, const struct gate *g, bool geomean, FILE *out)
{
	const struct comparison **order = gate_order(c);
	size_t at[GRAVITIES + 1] = { 0 }, unsure, better, same;
	struct buf b = { 0 };
	bool failed;

	for (size_t k = 0; k < GRAVITIES; k++)
		at[k + 1] = at[k] + g->rows[k];
	unsure = at[GRAVITY_UNSURE];
	better = at[GRAVITY_BETTER];
	same = at[GRAVITY_SAME];
	buf_str(&b, "**");
	gate_put(&b, g);
	buf_str(&b, "**\n\n");
	put_findings(&b, c, g);
	/* The rows that changed. Unsure rows are among them in the order of gravity. */
	if (unsure > 0 || same > better)
		buf_str(&b, table_head);
	for (size_t i = 0; i < same; i++)
		if (i < unsure || i >= better)
			put_row(&b, c, order[i]);
	if (unsure > 0 || same > better)
		buf_byte(&b, '\n');
	if (at[GRAVITY_NONE])
		put_intervals(&b, c);
	put_folded(&b, c, order, unsure, better, "unsure");
	put_folded(
	    &b, c, order, same, drop_constant(order, same, at[GRAVITY_NONE]), "the same");
	put_folded(&b, c, order, at[GRAVITY_NONE], at[GRAVITY_OTHER], "on one side only");
	put_folded(&b, c, order, at[GRAVITY_OTHER],
	    drop_constant(order, at[GRAVITY_OTHER], at[GRAVITIES]),
	    "of other metrics, which do not affect the verdict");
	if (geomean)
		put_means(&b, c);
	failed = fwrite(b.ptr, 1, b.len, out) != b.len || fflush(out) != 0;
	buf_free(&b);
	free(order);
	return failed ? -1 : 0;
}
