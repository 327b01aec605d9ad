/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results of budgets as text; see budget_print.h.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "budget/budget_print.h"
#include "summary/group_table.h"
#include "text/display_text.h"
#include "text/plural.h"
#include "text/units.h"

/* Appends why a verdict is what it is, unless the range explains it. */
static void put_note(struct buf *b, const struct budget_result *r)
{
	const char *name = r->budget->statistic->name;

	if (!isnan(r->impossible))
		buf_printf(b,
		    "all values must be above 0, but one is %g: correct what measures it, "
		    "or leave it out with --filter",
		    r->impossible);
	else if (r->failed)
		buf_printf(b, "%zu of %zu samples failed", r->failed, r->n + r->failed);
	else if (!r->n)
		buf_str(b, "there is no value");
	else if (r->values_least > 0)
		buf_printf(b, "%zu value%s; the interval needs at least %.0f", r->n,
		    plural_s(r->n), r->values_least);
	else if (!r->range.is_interval)
		buf_printf(b, "judged by the value, because %s has no interval", name);
	else if (r->verdict == BUDGET_UNDECIDED && !r->hopeless)
		buf_str(b, "the interval contains the limit; more values narrow it");
}

/* Returns the unit of a statistic: that of the metric, or 1 for a count. */
static struct text unit_of(const struct budget_check *c, const struct budget_result *r)
{
	return r->budget->statistic->kind == STATISTIC_COUNT
	           ? text_of("1")
	           : groups_cell(budget_check_groups(c), r->group, COL_UNIT);
}

static bool shows_range(const struct budget_result *r)
{
	return r->range.is_interval || r->failed;
}

static void print_result(
    struct group_table *table, const struct budget_check *c, const struct budget_result *r)
{
	static const enum tint tints[] = { [BUDGET_BROKEN] = TINT_BAD,
		[BUDGET_UNDECIDED] = TINT_DIM,
		[BUDGET_MET] = TINT_GOOD };
	const struct statistic *s = r->budget->statistic;
	bool shown = shows_range(r);
	struct text unit = unit_of(c, r);
	struct buf note = { 0 };
	struct cell verdict = CELL_OF_TEXT(text_of(budget_verdict_names[r->verdict]));

	verdict.tint = tints[r->verdict];
	put_note(&note, r);
	const struct cell cells[] = {
		CELL_OF_TEXT(text_of(s->name)),
		CELL_OF_INTEGER(r->n),
		CELL_OF_INTEGER(r->failed),
		CELL_IN_UNIT(r->value, group_table_unit),
		CELL_IN_UNIT(shown ? r->range.lo : (double)NAN, group_table_unit),
		CELL_IN_UNIT(shown ? r->range.hi : (double)NAN, group_table_unit),
		CELL_IN_UNIT(r->min, group_table_unit),
		CELL_IN_UNIT(r->max, group_table_unit),
		verdict,
		CELL_OF_TEXT(text_in(&note)),
	};
	group_table_row_in(table, r->group, unit, cells);
	buf_free(&note);
}

int budget_print_table(const struct budget_check *c, const struct output *out)
{
	static const struct render_column columns[] = { { .name = "statistic" },
		{ .name = "n", .rank = 3 }, { .name = "failed", .rank = 2 },
		{ .name = "value" }, { .name = "lo", .rank = 4 },
		{ .name = "hi", .rank = 4 }, { .name = "min", .rank = 1 },
		{ .name = "max", .rank = 1 }, { .name = "verdict", .kept = true },
		{ .name = "note", .look = LOOK_PROSE } };
	struct group_table *table = group_table_open(budget_check_groups(c), out,
	    &(struct group_table_opts){ .column = columns, .columns = COUNT(columns) });
	size_t count;
	const struct budget_result *r = budget_check_results(c, &count);

	for (size_t i = 0; i < count; i++)
		print_result(table, c, &r[i]);
	return group_table_close(table);
}

/* Appends the columns that identify a group and are no quantity. Columns other than bench
 * have their names, and those that never vary are left out. */
static void put_subject(struct buf *b, const struct groups *g, size_t group)
{
	size_t *id, keys = groups_columns(g, &id), begin = b->len;

	for (size_t k = 0; k < keys; k++) {
		struct text t = groups_cell(g, group, id[k]);

		if (!t.len || id[k] == COL_METRIC || id[k] == COL_UNIT ||
		    (id[k] != COL_BENCH && groups_constant(g, id[k])))
			continue;
		buf_str(b, b->len > begin ? " " : "");
		if (id[k] != COL_BENCH)
			buf_printf(b, "%s=", groups_schema(g)->name[id[k]]);
		display_text_clean(b, t);
	}
	free(id);
}

static void put_quantity(struct buf *b, double value, const char *unit)
{
	char text[64];

	if (isfinite(value))
		display_text_clean(
		    b, (struct text){ text, units_print(text, sizeof(text), value, unit) });
	else
		buf_str(b, isnan(value) ? "none" : value < 0 ? "-inf" : "inf");
}

/* Appends "wall: p95 at most 5 ms". */
static void put_limits(
    struct buf *b, const struct budget_check *c, const struct budget_result *r)
{
	const struct budget *budget = r->budget;

	display_text_clean(b, groups_cell(budget_check_groups(c), r->group, COL_METRIC));
	buf_printf(b, ": %s", budget->statistic->name);
	if (budget->min) {
		buf_str(b, " at least ");
		display_text_clean(b, text_of(budget->min));
	}
	if (budget->max) {
		buf_str(b, budget->min ? " and at most " : " at most ");
		display_text_clean(b, text_of(budget->max));
	}
}

/* Appends "6.1 ms [6 ms, 6.3 ms] (note)". */
static void put_outcome(
    struct buf *b, const struct budget_check *c, const struct budget_result *r)
{
	struct text t = unit_of(c, r);
	char *unit = mem_text(t.ptr, t.len);
	struct buf note = { 0 };

	put_quantity(b, r->value, unit);
	if (shows_range(r)) {
		buf_str(b, " [");
		put_quantity(b, r->range.lo, unit);
		buf_str(b, ", ");
		put_quantity(b, r->range.hi, unit);
		buf_byte(b, ']');
	}
	put_note(&note, r);
	if (note.len)
		buf_printf(b, " (%s)", note.ptr);
	buf_free(&note);
	free(unit);
}

static void put_gap(
    struct buf *b, const struct budget_check *c, const struct budget_gap *gap)
{
	buf_printf(b, "%s:%" PRIu64 ": ", budgets_file(budget_check_budgets(c)),
	    gap->budget->line);
	if (gap->has_subject) {
		buf_str(b, "samples of '");
		put_subject(b, budget_check_subjects(c), gap->subject);
		buf_str(b, "' failed and have no metric that matches '");
		display_text_clean(b, text_of(gap->budget->metric));
		buf_byte(b, '\'');
		return;
	}
	buf_str(b, "no samples match the budget for bench '");
	display_text_clean(b, text_of(*gap->budget->bench ? gap->budget->bench : "*"));
	buf_str(b, "' and metric '");
	display_text_clean(b, text_of(gap->budget->metric));
	buf_byte(b, '\'');
}

/* Appends a line for each run that prevents a decision. */
static void put_cut(struct buf *b, const struct budget_check *c, bool strict)
{
	if (budget_check_ends(c))
		run_ends_put_cut(budget_check_ends(c), "cannot decide: ", strict, b);
}

void budget_put_lines(struct buf *b, const struct budget_check *c, bool strict, bool quiet)
{
	size_t gaps, results;
	const struct budget_gap *gap = budget_check_gaps(c, &gaps);
	const struct budget_result *r = budget_check_results(c, &results);

	put_cut(b, c, strict);
	for (size_t i = 0; i < gaps; i++) {
		put_gap(b, c, &gap[i]);
		buf_byte(b, '\n');
	}
	for (int v = BUDGET_BROKEN; v <= BUDGET_UNDECIDED; v++)
		for (size_t i = 0; i < results; i++) {
			if ((int)r[i].verdict != v || (quiet && !r[i].hopeless))
				continue;
			buf_printf(b,
			    "%s:%" PRIu64 ": %s: ", budgets_file(budget_check_budgets(c)),
			    r[i].budget->line, budget_verdict_names[v]);
			put_subject(b, budget_check_groups(c), r[i].group);
			buf_str(b, ": ");
			put_limits(b, c, &r[i]);
			buf_str(b, ", is ");
			put_outcome(b, c, &r[i]);
			buf_byte(b, '\n');
		}
}

static enum junit_outcome outcome_of(const struct budget_result *r, bool strict)
{
	if (r->verdict == BUDGET_MET)
		return JUNIT_PASSED;
	if (r->verdict == BUDGET_BROKEN || strict)
		return JUNIT_FAILURE;
	return r->hopeless ? JUNIT_ERROR : JUNIT_SKIPPED;
}

void budget_put_cases(struct junit *j, const struct budget_check *c, bool strict)
{
	size_t gaps, results;
	const struct budget_gap *gap = budget_check_gaps(c, &gaps);
	const struct budget_result *r = budget_check_results(c, &results);
	struct buf cut = { 0 };

	for (size_t i = 0; i < results; i++) {
		struct buf class = { 0 }, name = { 0 }, message = { 0 };

		put_subject(&class, budget_check_groups(c), r[i].group);
		put_limits(&name, c, &r[i]);
		buf_printf(&message, "%s: ", budget_verdict_names[r[i].verdict]);
		put_outcome(&message, c, &r[i]);
		junit_case(j, text_in(&class), text_in(&name),
		    outcome_of(&r[i], strict), text_in(&message));
		buf_free(&class);
		buf_free(&name);
		buf_free(&message);
	}
	put_cut(&cut, c, strict);
	if (cut.len)
		junit_case(j, text_of(budgets_file(budget_check_budgets(c))), TEXT("runs"),
		    JUNIT_ERROR, (struct text){ cut.ptr, cut.len - 1 });
	buf_free(&cut);
	for (size_t i = 0; i < gaps; i++) {
		struct buf message = { 0 }, name = { 0 };

		put_gap(&message, c, &gap[i]);
		buf_printf(&name, "line %" PRIu64, gap[i].budget->line);
		if (gap[i].has_subject) {
			buf_str(&name, ": ");
			put_subject(&name, budget_check_subjects(c), gap[i].subject);
		}
		junit_case(j, text_of(budgets_file(budget_check_budgets(c))),
		    text_in(&name), JUNIT_ERROR, text_in(&message));
		buf_free(&message);
		buf_free(&name);
	}
}
