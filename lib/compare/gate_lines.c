/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines for the log of a build; see gate_lines.h.
 */
#include <math.h>
#include <stdlib.h>

#include "compare/compare_notes.h"
#include "compare/gate_lines.h"
#include "compare/pair_notes.h"
#include "compare/two_sample_table.h"
#include "text/display_text.h"
#include "text/plural.h"
#include "text/units.h"

enum { FINDINGS_SHOWN = 20 };

static void put_budgets(struct buf *b, size_t count, const char *what)
{
	if (count)
		buf_printf(b, ", %zu budget%s %s", count, plural_s(count), what);
}

void gate_put(struct buf *b, const struct gate *g)
{
	static const struct {
		enum gate_reason reason;
		const char *text;
	} also[] = {
		{ GATE_FAILING, "failing" },
		{ GATE_BEYOND, "beyond the worst ratio" },
		{ GATE_VANISHED, "vanished" },
		{ GATE_UNITS, "with different units" },
		{ GATE_LOST, "without a new value" },
		{ GATE_UNPAIRED, "with incomplete pairs" },
		{ GATE_UNMET, "without the metric of a threshold" },
		{ GATE_BROKEN, "failing on both sides" },
		{ GATE_IMPOSSIBLE, "with impossible values" },
		{ GATE_FEW, "with too few values" },
		{ GATE_UNBOUNDED, "without an interval" },
		{ GATE_BLIND, "without any interval" },
		{ GATE_MORE, "perhaps failing more often" },
		{ GATE_CUT, "incomplete" },
		{ GATE_OPEN, "perhaps incomplete" },
	};
	size_t warnings = g->rows[GRAVITY_WARNING];

	buf_printf(b, "%s: ", gate_status(g) == STATUS_FINE ? "PASS" : "FAIL");
	if (gate_is_empty(g))
		buf_str(b, "nothing could be compared");
	else
		buf_printf(b,
		    "%zu compared: %zu worse, %zu warning%s, %zu unsure, %zu better, %zu "
		    "same",
		    g->compared, g->rows[GRAVITY_WORSE], warnings, plural_s(warnings),
		    g->rows[GRAVITY_UNSURE], g->rows[GRAVITY_BETTER],
		    g->rows[GRAVITY_SAME]);
	if (g->rows[GRAVITY_DIFFERS])
		buf_printf(b, ", %zu different", g->rows[GRAVITY_DIFFERS]);
	if (g->rows[GRAVITY_NONE])
		buf_printf(b, ", %zu on one side only", g->rows[GRAVITY_NONE]);
	if (g->found[GATE_SELF])
		buf_str(b, ", same samples on both sides");
	for (size_t i = 0; i < COUNT(also); i++)
		if (g->found[also[i].reason] && !gate_allows(g, also[i].reason))
			buf_printf(b, ", %zu %s", g->found[also[i].reason], also[i].text);
	put_budgets(b, g->budgets.broken, "broken");
	put_budgets(b, g->budgets.undecided, "undecided");
	put_budgets(b, g->budgets.unmatched, "without samples");
}

static double change_of(const struct comparison *row)
{
	double change = fabs(log(row->result.ratio));

	return isnan(change) ? INFINITY : change;
}

static int by_gravity(const void *a, const void *b)
{
	const struct comparison *x = *(const struct comparison *const *)a,
	                        *y = *(const struct comparison *const *)b;
	int order = (int)gravity_of(x) - (int)gravity_of(y);
	double p = change_of(x), q = change_of(y);

	if (order == 0)
		order = (int)gravity_of_verdict(x) - (int)gravity_of_verdict(y);
	if (order == 0)
		order = (p < q) - (p > q);
	return order ? order : (x > y) - (x < y);
}

const struct comparison **gate_order(const struct compare *c)
{
	size_t count;
	const struct comparison *list = compare_list(c, &count);
	const struct comparison **order =
	    mem_zero(count + 1, sizeof(const struct comparison *));

	for (size_t i = 0; i < count; i++)
		order[i] = &list[i];
	qsort(order, count, sizeof(const struct comparison *), by_gravity);
	return order;
}

/* Appends the subject and the metric of a row. */
static void put_name(struct buf *b, const struct compare *c, const struct comparison *row)
{
	compare_put_label(b, c, row);
	buf_str(b, ": ");
	display_text_clean(b, groups_cell(compare_groups(c), row->group, COL_METRIC));
}

static void put_value(struct buf *b, double value, const char *unit)
{
	char text[64];
	size_t len = units_print(text, sizeof(text), value, unit);

	display_text_clean(b, (struct text){ text, len });
}

/* Appends a location, or its lower bound. */
static void put_location(struct buf *b, double at, double above, const char *unit)
{
	if (!isnan(above))
		buf_byte(b, '>');
	put_value(b, isnan(above) ? at : above, unit);
}

/* Appends the name of a row, its values, change, interval and margin. */
static void put_row(struct buf *b, const struct compare *c, const struct comparison *row)
{
	struct text unit = groups_cell(compare_groups(c), row->group, COL_UNIT);
	const struct two_sample *r = &row->result;
	char *unit_name = mem_text(unit.ptr, unit.len);
	struct buf change = { 0 };

	put_name(b, c, row);
	buf_byte(b, ' ');
	put_location(b, r->old, r->old_above, unit_name);
	buf_str(b, " -> ");
	put_location(b, r->new, r->new_above, unit_name);
	two_sample_put_change(&change, r, unit_name);
	if (change.len)
		buf_str(b, ", ");
	buf_put(b, change.ptr, change.len);
	buf_free(&change);
	buf_printf(b, ", margin %.3g%%", row->margin * 100);
	free(unit_name);
}

static void put_failing(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	const struct failing_subject *f = finding->failing;

	(void)g;
	compare_put_subject(b, c, f->group, (long)f->side);
	buf_printf(b, ": %zu of %zu samples failed", f->new.failed, f->new.all);
	compare_put_in_side(b, c, f->side);
	buf_printf(b, ", %zu of %zu", f->old.failed, f->old.all);
	compare_put_in_side(b, c, compare_reference(c));
	if (!isnan(f->p))
		buf_printf(b, ", p %.2g", f->p);
}

static void put_beyond(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	put_row(b, c, finding->row);
	buf_printf(b, "; --worst %g is in the interval", g->opts.worst);
}

static void put_vanished(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	compare_put_subject(b, c, finding->vanished->group, (long)finding->vanished->side);
	buf_str(b, ": no successful sample");
	compare_put_in_side(b, c, finding->vanished->side);
	buf_str(b,
	    gate_allows(g, GATE_VANISHED) ? "" : " (use --allow-missing to accept this)");
}

static void put_broken(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	(void)g;
	compare_put_subject(b, c, finding->failing->group, (long)finding->failing->side);
	buf_printf(b, ": all samples failed on both sides, %zu and %zu",
	    finding->failing->old.all, finding->failing->new.all);
}

static void put_impossible(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	const struct comparison *row = finding->row;

	(void)g;
	put_name(b, c, row);
	compare_put_impossible(b, row->impossible);
	compare_put_in_side(b, c, row->impossible_side);
	buf_str(b, " (correct what measures it, or leave it out with --filter)");
}

/* Appends the unit of a number of values. */
static void put_unit(struct buf *b, double count, enum basis basis)
{
	static const char *const names[][2] = {
		[BASIS_NONE] = { "value", "values" },
		[BASIS_BLOCK] = { "block", "blocks" },
		[BASIS_RUN] = { "run", "runs" },
		[BASIS_PROCESS] = { "process", "processes" },
		[BASIS_SAMPLE] = { "sample", "samples" },
		[BASIS_RUN_PAIR] = { "run", "runs" },
		[BASIS_PROCESS_PAIR] = { "process", "processes" },
		[BASIS_PAIR] = { "pair", "pairs" },
	};

	buf_str(b, names[basis][count != 1]);
}

/* Appends the values that a row has: "5 and 6 runs", "5 runs of each side" or "5 blocks".
 */
static void put_values(struct buf *b, const struct two_sample *r)
{
	bool paired = basis_is_paired(r->basis);

	if (paired || r->n_old == r->n_new) {
		buf_printf(b, "%zu ", r->n_new);
		put_unit(b, (double)r->n_new, r->basis);
		buf_str(b, paired ? "" : " of each side");
		return;
	}
	buf_printf(b, "%zu and %zu ", r->n_old, r->n_new);
	put_unit(b, (double)(r->n_old + r->n_new), r->basis);
}

static void put_remedy(struct buf *b, const struct two_sample *r, const char *about,
    double values, const char *more)
{
	buf_printf(b, "; measure %s %.0f %s", about, values, more);
	put_unit(b, values, r->basis);
	buf_str(b, basis_is_paired(r->basis) ? "" : " of each side");
}

static void put_few(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	const struct two_sample *r = &finding->row->result;

	(void)g;
	put_name(b, c, finding->row);
	buf_str(b, ": no difference can be significant with ");
	put_values(b, r);
	if (compare_tests(c) > 1)
		buf_printf(b, " if %zu rows are compared", compare_tests(c));
	put_remedy(b, r, "at least", (double)r->values_least, "");
}

static void put_unbounded(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	const struct two_sample *r = &finding->row->result;

	put_name(b, c, finding->row);
	buf_printf(b, ": no interval to compare with --worst %g, because %s", g->opts.worst,
	    isnan(r->diff) && isnan(r->diff_lo) && isnan(r->diff_hi)
	        ? "the test cannot bound the ratio"
	        : "values of 0 or less have no ratio");
}

static void put_blind(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	const struct two_sample *r = &finding->row->result;
	size_t censored = r->censored_old + r->censored_new;

	(void)g;
	put_name(b, c, finding->row);
	if (censored)
		buf_printf(b,
		    ": the test has no interval for these values, of which %zu "
		    "of %zu are timeouts",
		    censored, r->n_old + r->n_new);
	else
		buf_str(b, ": the test has no interval for these values");
}

static void put_lost(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	(void)g;
	put_name(b, c, finding->row);
	buf_str(b, ": no value");
	compare_put_in_side(b, c, finding->row->side);
	buf_str(b, " (use --allow-missing to accept this)");
}

static void put_unpaired(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	(void)g;
	pair_notes_put(b, c, finding->row, true);
	buf_str(b, " (use --allow-missing to accept this)");
}

static void put_unmet(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	const struct threshold *rule = finding->rule;

	(void)g;
	buf_printf(b, "%s:%llu: no value of '", thresholds_file(compare_thresholds(c)),
	    (unsigned long long)rule->line);
	display_text_clean(b, text_of(rule->metric));
	buf_str(b, "', which this line names (use --allow-missing to accept this)");
}

static void put_units(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	(void)g;
	put_name(b, c, finding->row);
	buf_str(b, ": the unit differs between the sides (convert one of them)");
}

static void put_self(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	(void)g;
	(void)finding;
	display_text_clean(b, compare_side_name(c, 1));
	buf_str(b, compare_same_samples(c) ? " has the same samples as "
	                                   : " has samples that are also in ");
	display_text_clean(b, compare_side_name(c, 0));
	buf_str(b, "; compare two measurements");
}

static void put_cut(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	(void)g;
	run_ends_refuse(compare_ends(c), finding->run, b);
}

static void put_unsure(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	const struct two_sample *r = &finding->row->result;

	(void)g;
	put_row(b, c, finding->row);
	if (!isnan(r->runs_needed))
		put_remedy(b, r, "about", r->runs_needed, "more ");
}

/* How a reason is written. A reason without a function has no line here. */
static const struct {
	const char *kind;
	void (*put)(struct buf *b, const struct compare *c, const struct gate *g,
	    const struct gate_finding *finding);
	const char *more; /* what is left after FINDINGS_SHOWN lines; NULL: all findings
	                     share one line */
} forms[GATE_REASONS] = {
	[GATE_FAILING] = { "failing", put_failing, "subjects fail" },
	[GATE_BEYOND] = { "beyond", put_beyond, "rows are beyond the worst ratio" },
	[GATE_UNSURE] = { "unsure", put_unsure, "rows are unsure" },
	[GATE_MORE] = { "unsure", put_failing, "subjects may fail more often" },
	[GATE_VANISHED] = { "vanished", put_vanished,
	    "subjects have no successful sample" },
	[GATE_BROKEN] = { "cannot decide", put_broken, "subjects fail on both sides" },
	[GATE_IMPOSSIBLE] = { "cannot decide", put_impossible,
	    "rows have impossible values" },
	[GATE_FEW] = { "cannot decide", put_few, NULL },
	[GATE_UNBOUNDED] = { "cannot decide", put_unbounded, NULL },
	[GATE_BLIND] = { "cannot decide", put_blind, NULL },
	[GATE_SELF] = { "cannot decide", put_self, NULL },
	[GATE_UNITS] = { "cannot decide", put_units, NULL },
	[GATE_LOST] = { "cannot decide", put_lost, NULL },
	[GATE_UNPAIRED] = { "cannot decide", put_unpaired, "rows have incomplete pairs" },
	[GATE_UNMET] = { "cannot decide", put_unmet, "lines name metrics without values" },
	[GATE_CUT] = { "cannot decide", put_cut, "runs are incomplete" },
	[GATE_OPEN] = { "cannot decide", put_cut, "runs may be incomplete" },
};

/* Returns whether the findings of a reason share one line, and whether they have any. */
static bool share_line(const struct gate *g, enum gate_reason reason)
{
	return !forms[reason].more || (reason == GATE_UNSURE && gate_allows(g, reason));
}

static bool has_lines(const struct gate *g, enum gate_reason reason)
{
	if ((reason == GATE_UNSURE || reason == GATE_MORE) && g->opts.unsure == UNSURE_PASS)
		return false;
	if ((reason == GATE_LOST || reason == GATE_UNMET || reason == GATE_CUT ||
	        reason == GATE_OPEN) &&
	    gate_allows(g, reason))
		return false;
	return forms[reason].put;
}

/* Returns the finding, among `count` of one reason, that needs the most values. */
static const struct gate_finding *neediest(const struct gate_finding *finding, size_t count)
{
	const struct gate_finding *most = finding;

	for (size_t i = 1; i < count; i++)
		if (finding[i].row->result.values_least > most->row->result.values_least)
			most = &finding[i];
	return most;
}

void gate_put_finding(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding)
{
	if (finding->reason == GATE_WORSE) {
		buf_str(b, "worse: ");
		put_row(b, c, finding->row);
		return;
	}
	buf_printf(b, "%s: ", forms[finding->reason].kind);
	forms[finding->reason].put(b, c, g, finding);
}

/* Appends the lines of `count` findings of one reason. */
static void put_reason(struct buf *b, const struct compare *c, const struct gate *g,
    const struct gate_finding *finding, size_t count)
{
	if (share_line(g, finding->reason)) {
		gate_put_finding(b, c, g, neediest(finding, count));
		if (count > 1)
			buf_printf(b, "; the same holds for %zu more row%s", count - 1,
			    plural_s(count - 1));
		buf_byte(b, '\n');
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (i == FINDINGS_SHOWN && count > i + 1) {
			buf_printf(b, "%s: %zu more %s\n", forms[finding->reason].kind,
			    count - i, forms[finding->reason].more);
			break;
		}
		gate_put_finding(b, c, g, &finding[i]);
		buf_byte(b, '\n');
	}
}

void gate_put_findings(struct buf *b, const struct compare *c, const struct gate *g)
{
	for (size_t i = 0, count; i < g->findings; i += count) {
		enum gate_reason reason = g->finding[i].reason;

		count = g->found[reason];
		if (has_lines(g, reason) &&
		    !(reason == GATE_VANISHED && g->found[GATE_DISJOINT]) &&
		    !(reason == GATE_UNPAIRED && g->found[GATE_NOTHING]))
			put_reason(b, c, g, &g->finding[i], count);
	}
	buf_text(b, text_in(&g->budgets.lines));
}

int gate_print(const struct compare *c, const struct gate *g, FILE *out)
{
	static const char *const names[] = {
		[GRAVITY_WORSE] = "worse",
		[GRAVITY_WARNING] = "warning",
		[GRAVITY_DIFFERS] = "differs",
	};
	const struct comparison **order = gate_order(c);
	struct buf b = { 0 };
	size_t count;
	bool failed;

	compare_list(c, &count);
	for (size_t i = 0; i < count && gravity_of(order[i]) <= GRAVITY_DIFFERS; i++) {
		buf_printf(&b, "%s: ", names[gravity_of(order[i])]);
		put_row(&b, c, order[i]);
		buf_byte(&b, '\n');
	}
	gate_put_findings(&b, c, g);
	gate_put(&b, g);
	buf_byte(&b, '\n');
	failed = fwrite(b.ptr, 1, b.len, out) != b.len || fflush(out) != 0;
	buf_free(&b);
	free(order);
	return failed ? -1 : 0;
}
