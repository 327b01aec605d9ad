/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a report that answers first: what is worse or better than the baseline, what
 * changed over time, what failed, and which budgets are broken.
 */
#include <stdlib.h>
#include <string.h>

#include "report/report_items_priv.h"
#include "report/report_words.h"
#include "text/markup.h"
#include "text/plural.h"
#include "text/units.h"

void report_plan_answer(struct report *r, struct part *p)
{
	(void)r;
	part_add(p, ITEM_MARKUP, "answer");
}

/* Appends a number of a table in a unit; a bound has its sign, and another string is as it
 * is. */
static void put_value(struct buf *b, const char *cell, const char *unit)
{
	bool bound = *cell == '>' || *cell == '<';
	char text[64];
	double value;

	if (number_parse(text_of(cell + bound), &value)) {
		units_print(text, sizeof(text), value, unit);
		markup_text(b, (struct text){ cell, bound });
		cell = text;
	}
	markup_text(b, text_of(*cell ? cell : "no value"));
}

/* The table of budgets with the places of its columns; -1: it has no such column. */
struct budget_table {
	struct csv_table g;
	long verdict, unit, statistic, value, min, max;
};

static bool is_broken(const struct budget_table *t, size_t row)
{
	return strcmp(csv_table_cell(&t->g, row, (size_t)t->verdict), "broken") == 0;
}

/* Appends a number of a row after some words, if the row has one. */
static void put_budget_number(struct buf *b, const struct budget_table *t, size_t row,
    const char *before, long column)
{
	const char *text = column < 0 ? "" : csv_table_cell(&t->g, row, (size_t)column);

	if (!*text)
		return;
	buf_str(b, before);
	put_value(b, text, t->unit < 0 ? "1" : csv_table_cell(&t->g, row, (size_t)t->unit));
}

/* Appends a broken budget: "wall of BENCH, median: 3 ms, at most 2 ms". */
static void put_budget(struct buf *b, const struct budget_table *t, size_t row)
{
	const char *statistic =
	    t->statistic < 0 ? "" : csv_table_cell(&t->g, row, (size_t)t->statistic);

	buf_str(b, "<li>");
	words_row(b, &t->g, row);
	buf_str(b, *statistic ? ", " : "");
	markup_text(b, text_of(statistic));
	put_budget_number(b, t, row, ": ", t->value);
	put_budget_number(b, t, row, ", at least ", t->min);
	put_budget_number(b, t, row, ", at most ", t->max);
	buf_str(b, "</li>\n");
}

static void put_budgets(struct buf *b, const struct budget_table *t)
{
	size_t rows = csv_table_rows(&t->g), broken = 0, listed = 0;

	for (size_t i = 0; i < rows; i++)
		broken += is_broken(t, i);
	words_open(b, broken ? "worse" : "same");
	buf_printf(b, "%zu of ", broken);
	words_count(b, rows, "budget", "budgets");
	buf_printf(b, " %s broken</strong>%s</p>\n", plural(broken, "is", "are"),
	    broken ? ":" : ".");
	buf_str(b, broken ? "<ul>" : "");
	for (size_t i = 0; i < rows; i++)
		if (is_broken(t, i) && listed++ < WORDS_LISTED)
			put_budget(b, t, i);
	if (broken)
		words_rest(b, broken, "budgets");
	words_end(b);
}

static void answer_budgets(struct buf *b, const struct report *r)
{
	const struct item *it = report_item(r, "budgets-table");
	struct budget_table t = { 0 };
	struct fault f;

	if (it && it->out.ptr &&
	    csv_table_read(&t.g, text_in(&it->out), &f) == 0 &&
	    (t.verdict = csv_table_column(&t.g, "verdict")) >= 0) {
		t.unit = csv_table_column(&t.g, "unit");
		t.statistic = csv_table_column(&t.g, "statistic");
		t.value = csv_table_column(&t.g, "value");
		t.min = csv_table_column(&t.g, "min");
		t.max = csv_table_column(&t.g, "max");
		put_budgets(b, &t);
	}
	csv_table_free(&t.g);
}

/* The newest medians, if there is nothing to compare. */
static void answer_medians(struct buf *b, const struct report *r)
{
	const struct item *main = report_item(r, "summary-table"),
	                  *it = main ? main : report_item(r, "summary-others");
	struct csv_table g = { 0 };
	struct fault f;
	long median, lo, hi, unit;

	if (it && it->out.ptr &&
	    csv_table_read(&g, text_in(&it->out), &f) == 0 &&
	    csv_table_rows(&g) && (median = csv_table_column(&g, "median")) >= 0 &&
	    (unit = csv_table_column(&g, "unit")) >= 0 &&
	    (lo = csv_table_column(&g, "ci_lo")) >= 0 &&
	    (hi = csv_table_column(&g, "ci_hi")) >= 0) {
		buf_str(b, "<div class=\"answer same\"><ul>");
		for (size_t i = 0; i < csv_table_rows(&g) && i < WORDS_LISTED; i++) {
			const char *of = csv_table_cell(&g, i, (size_t)unit);

			buf_str(b, "<li><strong>");
			put_value(b, csv_table_cell(&g, i, (size_t)median), of);
			buf_str(b, "</strong> ");
			words_row(b, &g, i);
			if (*csv_table_cell(&g, i, (size_t)lo) &&
			    *csv_table_cell(&g, i, (size_t)hi)) {
				buf_str(b, ", 95% ");
				put_value(b, csv_table_cell(&g, i, (size_t)lo), of);
				buf_str(b, " to ");
				put_value(b, csv_table_cell(&g, i, (size_t)hi), of);
			}
			buf_str(b, "</li>\n");
		}
		words_rest(b, csv_table_rows(&g), "summary");
		words_end(b);
	}
	csv_table_free(&g);
}

/* Says what the profiles show, if there is nothing else to say. */
static void answer_profiles(struct buf *b, const struct report *r)
{
	for (size_t i = 0; i < r->parts; i++)
		for (size_t k = 0; k < r->part[i].count; k++)
			if (r->part[i].item[k].introduce)
				r->part[i].item[k].introduce(&r->part[i].item[k], b);
}

void report_complete_answer(struct report *r, struct part *p)
{
	struct buf *b = &p->item[0].out;

	if (r->opts->baseline)
		report_answer_baseline(b, r);
	report_fastest_put(b, r, r->fastest);
	if (r->history)
		report_answer_history(b, r);
	if (!b->len)
		answer_profiles(b, r);
	if (!b->len)
		answer_medians(b, r);
	if (!r->opts->baseline)
		report_answer_failures(b, r);
	if (r->opts->budget)
		answer_budgets(b, r);
	if (!b->len)
		html_paragraph(b, "There is nothing to compare.", true);
}
