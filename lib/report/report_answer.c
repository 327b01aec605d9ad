/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a report that answers first: what is worse or better than the baseline, what
 * changed over time, what failed, and which budgets are broken.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "history/history_notes.h"
#include "report/report_items_priv.h"
#include "report/report_words.h"
#include "text/markup.h"
#include "text/units.h"

enum { LISTED = 5 }; /* results in a list; the tables have all */

void report_plan_answer(struct report *r, struct part *p)
{
	(void)r;
	part_add(p, ITEM_MARKUP, "answer");
}

/* Begins a block: a sentence, of which a class gives the color, and then a list. */
static void open_block(struct buf *b, const char *class)
{
	buf_printf(b, "<div class=\"answer %s\"><p><strong>", class);
}

static void end_block(struct buf *b)
{
	buf_str(b, "</div>\n");
}

/* Appends the number of results that a list leaves out. */
static void put_rest(struct buf *b, size_t count, const char *part)
{
	if (count > LISTED)
		buf_printf(
		    b, "<li><a href=\"#%s\">%zu more</a></li>", part, count - LISTED);
	buf_str(b, "</ul>\n");
}

/* A change: percent first, then what changed, since when, and the values. */
static void put_changed(
    struct buf *b, const struct report *r, const struct series_change *c)
{
	const struct groups *g = history_groups(r->history);
	struct text text = groups_cell(g, c->series->group, COL_UNIT);
	char *unit = mem_text(text.ptr, text.len);

	buf_str(b, "<li><strong>");
	words_change(b, change_ratio(c->change->before, c->change->after));
	buf_str(b, "</strong> ");
	words_group(b, g, c->series->group);
	buf_str(b, c->change == &c->series->whole ? ", drifting from " : ", since ");
	words_date(b, c->change == &c->series->whole ? c->from->time : c->at->time);
	if (c->change == &c->series->whole) {
		buf_str(b, " to ");
		words_date(b, c->at->time);
	} else if (c->at->commit.len) {
		buf_str(b, c->at->time.len ? ", commit " : " ");
		html_commit(b, c->at->commit, r->opts->repo_url);
	}
	buf_str(b, ": ");
	words_step(b, c->change->before, c->change->after, unit);
	buf_str(b, "</li>\n");
	free(unit);
}

/* Returns the number of series that decide and can have changes. Whether samples succeeded
 * counts only if that changed. */
static size_t tested_series(const struct report *r)
{
	size_t count, tested = 0;
	const struct history_series *list = history_list(r->history, &count);

	for (size_t i = 0; i < count; i++)
		tested +=
		    list[i].decides && list[i].tested &&
		    (list[i].changes || !text_is(groups_cell(history_groups(r->history),
		                                     list[i].group, COL_METRIC),
		                            "ok"));
	return tested;
}

/* Appends the newest changes of series with a verdict, worst first. Returns their number.
 */
static size_t put_changes(
    struct buf *b, const struct report *r, int verdict, const char *class, const char *what)
{
	size_t count = 0, listed = 0;

	for (size_t i = 0; i < r->changes; i++)
		count += r->change[i].newest && r->change[i].series->decides &&
		         (int)r->change[i].verdict == verdict;
	if (!count)
		return 0;
	open_block(b, class);
	buf_printf(b, "%zu of %zu series %s.</strong>%s</p>\n<ul>", count, tested_series(r),
	    what, count > 1 ? " The newest change of each, the largest first:" : "");
	for (size_t i = 0; i < r->changes; i++)
		if (r->change[i].newest && r->change[i].series->decides &&
		    (int)r->change[i].verdict == verdict && listed++ < LISTED)
			put_changed(b, r, &r->change[i]);
	put_rest(b, count, "trend");
	end_block(b);
	return count;
}

static void put_common(struct buf *b, const struct report *r)
{
	size_t count;
	struct history_common *list = history_common_changes(r->history, &count);

	for (size_t i = 0; i < count; i++) {
		struct text host =
		    groups_cell(history_groups(r->history), list[i].at->group, COL_HOST);

		open_block(b, "unsure");
		buf_printf(b, "%zu of %zu series", list[i].changed, list[i].series);
		if (host.len) {
			buf_str(b, " on ");
			markup_text(b, host);
		}
		buf_str(b, " changed together</strong> on ");
		words_date(b, list[i].at->time);
		if (list[i].at->commit.len) {
			buf_str(b, " at ");
			html_commit(b, list[i].at->commit, r->opts->repo_url);
		}
		buf_str(b,
		    ", so they probably have one cause, such as the machine or a library");
		buf_str(b, list[i].env_changed
		               ? "; the environment of the machine changed there also.</p>"
		               : ".</p>");
		end_block(b);
	}
	free(list);
}

static void answer_history(struct buf *b, const struct report *r)
{
	size_t tested = tested_series(r), changed;

	changed = put_changes(b, r, CHANGE_WORSE, "worse", "got worse");
	put_common(b, r);
	changed += put_changes(b, r, CHANGE_BETTER, "better", "got better");
	changed += put_changes(b, r, CHANGE_DIFFERS, "unsure", "changed");
	if (changed || !tested)
		return;
	open_block(b, "same");
	buf_str(b, "Nothing got worse:</strong> ");
	words_count(b, tested, "series", "series");
	buf_str(b, " of primary metrics kept their level");
	if (r->inventory.commits.count > 1) {
		buf_str(b, " over ");
		words_count(b, r->inventory.commits.count, "commit", "commits");
	}
	buf_str(b, ".</p>");
	end_block(b);
}

/* The table of bench-compare, and the columns that sentences need. */
struct verdict_table {
	struct csv_table g;
	long verdict, primary, ratio, lo, hi, old, new, unit;
};

static const char *cell(const struct verdict_table *t, size_t row, long column)
{
	return column < 0 ? "" : csv_table_cell(&t->g, row, (size_t)column);
}

static bool open_verdicts(const struct report *r, struct verdict_table *t)
{
	const struct item *it = report_item(r, "verdicts-table");
	struct fault f;

	if (!it || !it->out.ptr ||
	    csv_table_read(&t->g, (struct text){ it->out.ptr, it->out.len }, &f) < 0)
		return false;
	t->verdict = csv_table_column(&t->g, "verdict");
	t->primary = csv_table_column(&t->g, "primary");
	t->ratio = csv_table_column(&t->g, "ratio");
	t->lo = csv_table_column(&t->g, "ratio_lo");
	t->hi = csv_table_column(&t->g, "ratio_hi");
	t->old = csv_table_column(&t->g, "old");
	t->new = csv_table_column(&t->g, "new");
	t->unit = csv_table_column(&t->g, "unit");
	return true;
}

static bool has_verdict(const struct verdict_table *t, size_t row, const char *verdict)
{
	return *cell(t, row, t->primary) && strcmp(cell(t, row, t->verdict), verdict) == 0;
}

/* Appends a ratio or its bound, and the interval if both ends are known. */
static void put_ratio(struct buf *b, const struct verdict_table *t, size_t row)
{
	const char *ratio = cell(t, row, t->ratio);
	bool bound = *ratio == '>' || *ratio == '<';
	double value, lo, hi;

	buf_str(b, "<strong>");
	markup_text(b, (struct text){ ratio, bound });
	words_change(b, number_parse(text_of(ratio + bound), &value) ? value : (double)NAN);
	buf_str(b, "</strong> ");
	words_row(b, &t->g, row);
	if (number_parse(text_of(cell(t, row, t->lo)), &lo) &&
	    number_parse(text_of(cell(t, row, t->hi)), &hi)) {
		buf_str(b, ", 95% ");
		words_change(b, lo);
		buf_str(b, " to ");
		words_change(b, hi);
	}
}

static void put_compared(struct buf *b, const struct verdict_table *t, size_t row)
{
	double old, new;

	buf_str(b, "<li>");
	put_ratio(b, t, row);
	if (number_parse(text_of(cell(t, row, t->old)), &old) &&
	    number_parse(text_of(cell(t, row, t->new)), &new)) {
		buf_str(b, ": ");
		words_step(b, old, new, cell(t, row, t->unit));
	}
	buf_str(b, "</li>\n");
}

static size_t put_verdict(struct buf *b, const struct verdict_table *t, const char *verdict,
    const char *class, const char *what)
{
	static const char *const verdicts[] = { "worse", "better", "same", "unsure" };
	size_t count = 0, all = 0, listed = 0;

	for (size_t i = 0; i < csv_table_rows(&t->g); i++) {
		count += has_verdict(t, i, verdict);
		for (size_t k = 0; k < COUNT(verdicts); k++)
			all += has_verdict(t, i, verdicts[k]);
	}
	if (!count)
		return 0;
	open_block(b, class);
	buf_printf(b, "%zu of ", count);
	words_count(b, all, "result", "results");
	buf_printf(b, " %s %s</strong>:</p>\n<ul>", count == 1 ? "is" : "are", what);
	for (size_t i = 0; i < csv_table_rows(&t->g); i++)
		if (has_verdict(t, i, verdict) && listed++ < LISTED)
			put_compared(b, t, i);
	put_rest(b, count, "verdicts");
	end_block(b);
	return count;
}

static void answer_baseline(struct buf *b, const struct report *r)
{
	struct verdict_table t = { 0 };
	size_t changed = 0, same = 0, unsure = 0;

	if (open_verdicts(r, &t)) {
		changed = put_verdict(b, &t, "worse", "worse", "worse than the baseline");
		changed +=
		    put_verdict(b, &t, "better", "better", "better than the baseline");
		for (size_t i = 0; i < csv_table_rows(&t.g); i++) {
			same += has_verdict(&t, i, "same");
			unsure += has_verdict(&t, i, "unsure");
		}
		if (same || unsure) {
			open_block(b, "same");
			buf_str(b,
			    changed ? "" : "Nothing is worse than the baseline:</strong> ");
			buf_printf(b, "%zu the same, %zu unsure%s.</p>", same, unsure,
			    changed ? "</strong>" : "");
			end_block(b);
		}
	}
	csv_table_free(&t.g);
}

static void answer_budgets(struct buf *b, const struct report *r)
{
	static const char *const columns[] = { "statistic", "value", "min", "max" };
	const struct item *it = report_item(r, "budgets-table");
	struct csv_table g = { 0 };
	size_t broken = 0, listed = 0;
	long verdict, unit, at[COUNT(columns)];
	struct fault f;

	if (!it || !it->out.ptr ||
	    csv_table_read(&g, (struct text){ it->out.ptr, it->out.len }, &f) < 0 ||
	    (verdict = csv_table_column(&g, "verdict")) < 0) {
		csv_table_free(&g);
		return;
	}
	unit = csv_table_column(&g, "unit");
	for (size_t i = 0; i < COUNT(columns); i++)
		at[i] = csv_table_column(&g, columns[i]);
	for (size_t i = 0; i < csv_table_rows(&g); i++)
		broken += strcmp(csv_table_cell(&g, i, (size_t)verdict), "broken") == 0;
	open_block(b, broken ? "worse" : "same");
	buf_printf(b, "%zu of ", broken);
	words_count(b, csv_table_rows(&g), "budget", "budgets");
	buf_printf(b, " %s broken</strong>%s</p>\n", broken == 1 ? "is" : "are",
	    broken ? ":" : ".");
	buf_str(b, broken ? "<ul>" : "");
	for (size_t i = 0; i < csv_table_rows(&g); i++) {
		if (strcmp(csv_table_cell(&g, i, (size_t)verdict), "broken") != 0 ||
		    listed++ >= LISTED)
			continue;
		buf_str(b, "<li>");
		words_row(b, &g, i);
		for (size_t k = 0; k < COUNT(columns); k++) {
			static const char *const before[] = { ", ", ": ", ", at least ",
				", at most " };
			const char *text =
			    at[k] < 0 ? "" : csv_table_cell(&g, i, (size_t)at[k]);
			char number[64];
			double value;

			if (!*text)
				continue;
			if (k && number_parse(text_of(text), &value)) {
				units_print(number, sizeof(number), value,
				    unit < 0 ? "1" : csv_table_cell(&g, i, (size_t)unit));
				text = number;
			}
			buf_str(b, before[k]);
			markup_text(b, text_of(text));
		}
		buf_str(b, "</li>\n");
	}
	if (broken)
		put_rest(b, broken, "budgets");
	end_block(b);
	csv_table_free(&g);
}

static void answer_failures(struct buf *b, const struct report *r)
{
	const struct inventory *s = &r->inventory;
	size_t failed = s->failed_samples.count;

	if (!failed)
		return;
	open_block(b, "worse");
	words_count(b, failed, "sample", "samples");
	buf_str(b, " failed</strong>:</p>\n<ul>");
	for (size_t i = 0; i < s->failures && i < LISTED; i++) {
		const struct inventory_failure *f = &s->failure[i];

		buf_str(b, "<li>");
		markup_text(
		    b, text_of(*f->bench ? f->bench : "a benchmark without a name"));
		buf_printf(b, ": %zu with status ", f->samples);
		markup_text(b, text_of(f->status));
		buf_str(b, "</li>\n");
	}
	put_rest(b, s->failures, "warnings");
	end_block(b);
}

void report_complete_answer(struct report *r, struct part *p)
{
	struct buf *b = &p->item[0].out;

	answer_baseline(b, r);
	if (r->history)
		answer_history(b, r);
	answer_failures(b, r);
	answer_budgets(b, r);
}
