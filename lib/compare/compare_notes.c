/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes on a comparison; see compare_notes.h.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "compare/compare_notes.h"
#include "compare/machine_notes.h"
#include "compare/other_changes.h"
#include "text/display_text.h"
#include "text/plural.h"
#include "text/units.h"

static void put_side_name(struct buf *b, const struct compare *c, size_t side)
{
	display_text_clean(b, compare_side_name(c, side));
}

void compare_put_in_side(struct buf *b, const struct compare *c, size_t side)
{
	buf_str(b, " in '");
	put_side_name(b, c, side);
	buf_byte(b, '\'');
}

void compare_put_impossible(struct buf *b, double value)
{
	buf_printf(b, ": all values must be above 0, but one is %g", value);
}

/* Appends a column of a subject and its value, after those since `start`. */
static void put_cell(
    struct buf *b, const struct compare *c, size_t column, struct text value, size_t start)
{
	if (!value.len)
		return;
	buf_str(b, b->len > start ? " " : "");
	display_text_clean(b, text_of(groups_schema(compare_subjects(c))->name[column]));
	buf_byte(b, '=');
	display_text_clean(b, value);
}

void compare_put_subject(struct buf *b, const struct compare *c, size_t subject, long side)
{
	const struct groups *subjects = compare_subjects(c);
	size_t *id, count = groups_columns(subjects, &id), start = b->len, i = 0;
	long by = compare_by(c);

	if (side < 0 || by < 0 || column_kind((size_t)by) != COLUMN_SUBJECT)
		by = LONG_MAX;
	for (; i < count && (long)id[i] < by; i++)
		put_cell(b, c, id[i], groups_cell(subjects, subject, id[i]), start);
	if (by != LONG_MAX)
		put_cell(b, c, (size_t)by, compare_side_name(c, (size_t)side), start);
	for (; i < count; i++)
		put_cell(b, c, id[i], groups_cell(subjects, subject, id[i]), start);
	free(id);
	if (b->len == start)
		buf_str(b, "the only subject");
}

/* Appends the value of the compared column, which is a note if a subject is before it. A
 * bench needs no name of its column. */
static void put_side(struct buf *b, const struct compare *c, size_t side, bool is_note)
{
	const struct schema *schema = groups_schema(compare_subjects(c));

	buf_str(b, is_note ? " (" : "");
	if (is_note || compare_by(c) != COL_BENCH) {
		display_text_clean(b, text_of(schema->name[compare_by(c)]));
		buf_byte(b, '=');
	}
	put_side_name(b, c, side);
	buf_str(b, is_note ? ")" : "");
}

/* Appends the columns of the subject of a row: all, or those that differ between subjects.
 * The bench has no name of its column. */
static void put_columns(
    struct buf *b, const struct compare *c, const struct comparison *row, bool all)
{
	const struct groups *subjects = compare_subjects(c);
	const struct schema *schema = groups_schema(subjects);
	size_t *id, count = groups_columns(subjects, &id), start = b->len;
	size_t subject = compare_subject(c, row->group);

	for (size_t i = 0; i < count; i++) {
		struct text t = groups_cell(subjects, subject, id[i]);

		if (!t.len || id[i] == COL_KIND ||
		    (!all && id[i] != COL_BENCH && groups_constant(subjects, id[i])))
			continue;
		buf_str(b, b->len > start ? " " : "");
		if (id[i] != COL_BENCH) {
			display_text_clean(b, text_of(schema->name[id[i]]));
			buf_byte(b, '=');
		}
		display_text_clean(b, t);
	}
	free(id);
	if (compare_by(c) >= 0)
		put_side(b, c, row->side, b->len > start);
}

void compare_put_label(struct buf *b, const struct compare *c, const struct comparison *row)
{
	put_columns(b, c, row, true);
}

/* Notes limits of the clock of a GPU that applied to more samples of one side. */
static void note_limits(const struct compare *c, struct buf *lines)
{
	static const struct {
		const char *metric, *limit;
	} limits[] = { { "gpu_throttle_power", "the limit of its power" },
		{ "gpu_throttle_thermal", "its temperature" },
		{ "gpu_throttle_other", "another limit" } };
	const double noted = 0.1; /* the least difference of the shares of samples */
	const struct groups *groups = compare_groups(c);
	size_t count;
	const struct comparison *list = compare_list(c, &count);

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < COUNT(limits); k++) {
			/* Of values that are 0 or 1, Cliff's delta is the difference of the
			 * shares of 1. */
			double more = list[i].result.effect;

			if (!(fabs(more) >= noted) ||
			    !text_equal(groups_cell(groups, list[i].group, COL_METRIC),
			        text_of(limits[k].metric)))
				continue;
			compare_put_label(lines, c, &list[i]);
			buf_printf(lines,
			    ": %s lowered the clock of the GPU in %.0f%% more of the %s "
			    "samples, so the sides are not measured under the same "
			    "conditions\n",
			    limits[k].limit, fabs(more) * 100, more > 0 ? "new" : "old");
		}
}

void compare_put_intervals(struct buf *b, const struct compare *c, const char *p)
{
	size_t tests = compare_tests(c);

	buf_printf(b, "each interval is at %g%%", 100 * compare_confidence(c));
	if (tests > 1)
		buf_printf(b,
		    ", not corrected for the number of rows; %s is corrected for %zu rows",
		    p, tests);
	buf_byte(b, '\n');
}

/* Notes the columns that follow from the side. */
static void note_implied(const struct compare *c, const char *by, struct buf *lines)
{
	size_t count;
	const char *const *name = compare_implied(c, &count);

	for (size_t i = 0; i < count; i++) {
		buf_str(lines, i == 0 ? "" : i + 1 < count ? ", " : " and ");
		display_text_clean(lines, text_of(name[i]));
	}
	if (count)
		buf_printf(lines,
		    " follow%s from the %s, so rows are matched without %s (-g selects the "
		    "columns that must be equal)\n",
		    plural(count, "s", ""), by, plural(count, "it", "them"));
}

/* Notes samples that profilers lost, so that the values of stacks are too low. */
static void note_lost(const struct compare *c, struct buf *lines)
{
	size_t count;
	const struct lost_samples *lost = compare_lost(c, &count);

	for (size_t i = 0; i < count; i++) {
		buf_str(lines, "the values of the stacks of '");
		put_side_name(lines, c, lost[i].side);
		buf_printf(lines,
		    "' are too low, because bench-prof lost samples (%s %.0f)\n",
		    lost[i].metric, lost[i].count);
	}
}

void compare_note_sides(const struct compare *c, const char *by, struct buf *lines)
{
	if (by) {
		buf_printf(lines, "old is %s '", by);
		put_side_name(lines, c, compare_reference(c));
		buf_str(lines, "'\n");
		note_implied(c, by, lines);
	}
	if (compare_repeated(c))
		buf_printf(lines, "%zu duplicate row%s ignored\n", compare_repeated(c),
		    plural_s(compare_repeated(c)));
	machine_notes(c, by, lines);
	note_limits(c, lines);
	note_lost(c, lines);
}

/* Returns the key of a row without its unit. */
static struct text without_unit(
    const struct compare *c, const struct comparison *row, struct buf *key)
{
	size_t part[] = { compare_subject(c, row->group), row->side };

	key->len = 0;
	buf_put(key, part, sizeof(part));
	buf_text(key, groups_cell(compare_groups(c), row->group, COL_METRIC));
	return text_in(key);
}

static void put_units(struct buf *lines, const struct compare *c,
    const struct comparison *old, const struct comparison *new)
{
	const struct groups *groups = compare_groups(c);

	compare_put_label(lines, c, old);
	buf_str(lines, ": ");
	display_text_clean(lines, groups_cell(groups, old->group, COL_METRIC));
	buf_str(lines, ": not compared, because the unit is '");
	display_text_clean(lines, groups_cell(groups, old->group, COL_UNIT));
	buf_str(lines, "' on the old side and '");
	display_text_clean(lines, groups_cell(groups, new->group, COL_UNIT));
	buf_str(lines, "' on the new side");
}

void compare_note_units(const struct compare *c, struct buf *lines)
{
	struct intern olds = { 0 };
	struct buf key = { 0 };
	size_t count, olds_cap = 0, found = 0;
	const struct comparison *list = compare_list(c, &count), **old = NULL;

	for (size_t i = 0, olds_count = 0; i < count; i++)
		if (list[i].result.n_old && !list[i].result.n_new &&
		    intern_add(&olds, without_unit(c, &list[i], &key)) == olds_count)
			*VEC_ADD(old, olds_count, olds_cap) = &list[i];
	for (size_t i = 0; i < count; i++) {
		long before = -1;

		if (list[i].result.n_new && !list[i].result.n_old)
			before = intern_find(&olds, without_unit(c, &list[i], &key));
		if (before >= 0 && ++found == 1)
			put_units(lines, c, old[before], &list[i]);
	}
	if (found > 1)
		buf_printf(
		    lines, "; %zu more metric%s likewise", found - 1, plural_s(found - 1));
	buf_str(lines, found ? "\n" : "");
	free(old);
	buf_free(&key);
	intern_free(&olds);
}

/* Appends a note on the lines that are marked. */
static void note_lines(struct buf *lines, const char *file, const struct threshold *rule,
    const bool *marked, size_t rules, const char *note)
{
	size_t count = 0;

	for (size_t i = 0; i < rules; i++)
		if (marked[i] && count++ == 0)
			buf_printf(lines, "%s:%llu: %s", file,
			    (unsigned long long)rule[i].line, note);
	if (count > 1)
		buf_printf(
		    lines, "; %zu more line%s likewise", count - 1, plural_s(count - 1));
	buf_str(lines, count ? "\n" : "");
}

void compare_note_thresholds(const struct compare *c, bool unmet, struct buf *lines)
{
	const struct thresholds *t = compare_thresholds(c);
	size_t count, rules;
	const struct comparison *list = compare_list(c, &count);
	const struct threshold *rule;
	bool *unused, *doubtful;

	if (!t)
		return;
	rule = thresholds_list(t, &rules);
	unused = mem_zero(rules + 1, sizeof(*unused));
	doubtful = mem_zero(rules + 1, sizeof(*doubtful));
	for (size_t i = 0; i < rules; i++) {
		unused[i] = unmet || !compare_is_unmet(c, &rule[i]);
		doubtful[i] = rule[i].is_doubtful;
	}
	for (size_t i = 0; i < count; i++) {
		const struct threshold *of = compare_threshold(c, &list[i]);

		if (of)
			unused[of - rule] = false;
	}
	note_lines(lines, thresholds_file(t), rule, doubtful, rules,
	    "a margin below 1 is below 1%; for 5% write 5 or 5%");
	note_lines(lines, thresholds_file(t), rule, unused, rules, "no row uses this line");
	free(unused);
	free(doubtful);
}

/* Appends a row that does not decide. A comparison of one subject on one new side needs no
 * name of it. */
static void put_other(
    struct other_changes *o, const struct compare *c, const struct comparison *row)
{
	struct buf subject = { 0 };

	if (groups_count(compare_subjects(c)) > 1 || compare_sides(c) > 2)
		put_columns(&subject, c, row, false);
	other_changes_subject(o, &subject);
	display_text_clean(
	    o->lines, groups_cell(compare_groups(c), row->group, COL_METRIC));
	if (!isnan(row->result.ratio)) {
		buf_byte(o->lines, ' ');
		units_put_change(o->lines, row->result.ratio - 1);
	}
}

void compare_note_others(const struct compare *c, struct buf *lines)
{
	static const enum verdict noted[] = { VERDICT_WORSE, VERDICT_DIFFERS,
		VERDICT_BETTER };
	struct other_changes o = { .lines = lines };
	size_t count;
	const struct comparison *list = compare_list(c, &count);

	for (size_t v = 0; v < COUNT(noted); v++)
		for (size_t i = 0; i < count; i++)
			if (!list[i].decides && list[i].result.verdict == noted[v] &&
			    other_changes_next(&o, verdict_names[noted[v]]))
				put_other(&o, c, &list[i]);
	other_changes_end(&o);
}

/* Appends the label and the metric of a row. */
static void put_metric(
    struct buf *lines, const struct compare *c, const struct comparison *row)
{
	compare_put_label(lines, c, row);
	buf_str(lines, ": ");
	display_text_clean(lines, groups_cell(compare_groups(c), row->group, COL_METRIC));
}

void compare_note_warnings(const struct compare *c, struct buf *lines)
{
	size_t count;
	const struct comparison *list = compare_list(c, &count);

	for (size_t i = 0; i < count; i++) {
		if (list[i].severity != SEVERITY_WARNING)
			continue;
		buf_str(lines, "warning: ");
		put_metric(lines, c, &list[i]);
		if (!isnan(list[i].result.ratio)) {
			buf_byte(lines, ' ');
			units_put_change(lines, list[i].result.ratio - 1);
			buf_byte(lines, ',');
		}
		buf_printf(lines, " which is worse but within the margin of %.3g%%\n",
		    list[i].margin * 100);
	}
}

/* Notes the rows without a noise floor although there are A/A rows, or although the user
 * asked for floors. */
static void note_missing_floors(const struct compare *c, bool asked, struct buf *lines)
{
	const struct comparison *few = NULL;
	size_t count, deciding = 0, known = 0, fews = 0;
	const struct comparison *list = compare_list(c, &count);

	for (size_t i = 0; i < count; i++) {
		if (!list[i].decides)
			continue;
		deciding++;
		known += isnan(list[i].floor) ? 0 : 1;
		if (list[i].few_aa && fews++ == 0)
			few = &list[i];
	}
	if (few) {
		buf_printf(lines,
		    "the A/A rows are too few for a noise floor in %zu of %zu rows (", fews,
		    deciding);
		put_metric(lines, c, few);
		buf_str(lines, ")\n");
	} else if (asked && deciding && !known)
		buf_str(lines, "--floor: no row has a noise floor, because the files have "
		               "no A/A rows of its subject and too few runs of it\n");
}

/* Notes the rows whose margin is their noise floor. */
static void note_high_floors(const struct compare *c, struct buf *lines)
{
	const struct comparison *most = NULL;
	size_t count, deciding = 0, high = 0;
	const struct comparison *list = compare_list(c, &count);

	for (size_t i = 0; i < count; i++) {
		const struct comparison *row = &list[i];

		deciding += row->decides;
		if (!row->decides || !(row->floor > 0 && row->floor >= row->margin))
			continue;
		high++;
		if (!most || row->floor > most->floor)
			most = row;
	}
	if (!most)
		return;
	buf_printf(lines,
	    "the noise floor exceeds the threshold in %zu of %zu rows (up to %.3g%%, ",
	    high, deciding, most->floor * 100);
	put_metric(lines, c, most);
	buf_str(lines, "), so smaller changes cannot be detected\n");
}

void compare_note_floors(const struct compare *c, bool asked, struct buf *lines)
{
	note_missing_floors(c, asked, lines);
	note_high_floors(c, lines);
}

void compare_note_ends(const struct compare *c, bool open, struct buf *lines)
{
	if (!compare_ends(c))
		return;
	if (open)
		run_ends_note(compare_ends(c), RUN_END_OPEN, lines);
	run_ends_note(compare_ends(c), RUN_END_SHORT, lines);
}

void compare_note_runs(const struct compare *c, struct buf *lines)
{
	size_t count;
	const struct comparison *list = compare_list(c, &count);

	for (size_t i = 0; i < count; i++) {
		const struct two_sample *r = &list[i].result;

		if (!list[i].decides ||
		    (r->basis != BASIS_SAMPLE && r->basis != BASIS_PROCESS) ||
		    r->verdict == VERDICT_UNSURE || r->verdict == VERDICT_SAME)
			continue;
		buf_str(lines, "each side is one run, so a difference may come from the "
		               "machine (measure both sides in one run, or each in "
		               "several runs)\n");
		return;
	}
}
