/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of a report about a baseline. */
#include <math.h>
#include <string.h>

#include "report/report_items_priv.h"
#include "report/report_words.h"
#include "text/markup.h"
#include "text/plural.h"
#include "text/units.h"

/* The table of bench-compare, and the columns that sentences need. */
struct verdict_table {
	struct csv_table g;
	long verdict, primary, ratio, lo, hi, old, new, n_old, n_new, unit;
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
	    csv_table_read(&t->g, text_in(&it->out), &f) < 0)
		return false;
	t->verdict = csv_table_column(&t->g, "verdict");
	t->primary = csv_table_column(&t->g, "primary");
	t->ratio = csv_table_column(&t->g, "ratio");
	t->lo = csv_table_column(&t->g, "ratio_lo");
	t->hi = csv_table_column(&t->g, "ratio_hi");
	t->old = csv_table_column(&t->g, "old");
	t->new = csv_table_column(&t->g, "new");
	t->n_old = csv_table_column(&t->g, "n_old");
	t->n_new = csv_table_column(&t->g, "n_new");
	t->unit = csv_table_column(&t->g, "unit");
	return true;
}

static bool has_verdict(const struct verdict_table *t, size_t row, const char *verdict)
{
	return *cell(t, row, t->primary) && strcmp(cell(t, row, t->verdict), verdict) == 0;
}

/* Returns whether a row that could decide has no values in this column of counts. */
static bool lacks(const struct verdict_table *t, size_t row, long count)
{
	return has_verdict(t, row, "unsure") && strcmp(cell(t, row, count), "0") == 0;
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

static void put_verdict(struct buf *b, const struct verdict_table *t, const char *verdict,
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
		return;
	words_open(b, class);
	buf_printf(b, "%zu of ", count);
	words_count(b, all, "result", "results");
	buf_printf(b, " %s %s</strong>:</p>\n<ul>", plural(count, "is", "are"), what);
	for (size_t i = 0; i < csv_table_rows(&t->g); i++)
		if (has_verdict(t, i, verdict) && listed++ < WORDS_LISTED)
			put_compared(b, t, i);
	words_rest(b, count, "verdicts");
	words_end(b);
}

/* Names the results that the baseline has and the stream lacks. */
static void put_lost(struct buf *b, const struct verdict_table *t)
{
	size_t count = 0, listed = 0;

	for (size_t i = 0; i < csv_table_rows(&t->g); i++)
		count += lacks(t, i, t->n_new) && !lacks(t, i, t->n_old);
	if (!count)
		return;
	words_open(b, "worse");
	words_count(b, count, "result", "results");
	buf_printf(b, " of the baseline %s no value now</strong>:</p>\n<ul>",
	    plural(count, "has", "have"));
	for (size_t i = 0; i < csv_table_rows(&t->g); i++)
		if (lacks(t, i, t->n_new) && !lacks(t, i, t->n_old) &&
		    listed++ < WORDS_LISTED) {
			buf_str(b, "<li>");
			words_row(b, &t->g, i);
			buf_str(b, "</li>\n");
		}
	words_rest(b, count, "verdicts");
	words_end(b);
}

/* Counts the results that are not listed. Only says that nothing is worse if nothing was
 * said before. */
static void put_rest(struct buf *b, const struct verdict_table *t, bool changed)
{
	size_t same = 0, unsure = 0, added = 0;

	for (size_t i = 0; i < csv_table_rows(&t->g); i++) {
		bool without_old = lacks(t, i, t->n_old),
		     without_new = lacks(t, i, t->n_new);

		same += has_verdict(t, i, "same");
		unsure += has_verdict(t, i, "unsure") && !without_old && !without_new;
		added += without_old && !without_new;
	}
	if (!same && !unsure && !added)
		return;
	words_open(b, "same");
	if (changed)
		buf_printf(b, "%zu the same, %zu unsure", same, unsure);
	else if (same || unsure)
		buf_printf(b,
		    "Nothing is worse than the baseline:</strong> %zu the same, %zu unsure",
		    same, unsure);
	else
		buf_str(b, "Nothing could be compared with the baseline");
	if (added)
		buf_printf(b, ", %zu without a value in the baseline", added);
	buf_printf(b, ".%s</p>", !changed && (same || unsure) ? "" : "</strong>");
	words_end(b);
}

void report_answer_baseline(struct buf *b, const struct report *r)
{
	struct verdict_table t = { 0 };
	bool is_open = open_verdicts(r, &t);
	size_t before = b->len;

	if (is_open) {
		put_verdict(b, &t, "worse", "worse", "worse than the baseline");
		put_lost(b, &t);
	}
	report_answer_failures(b, r);
	if (is_open) {
		put_verdict(b, &t, "better", "better", "better than the baseline");
		put_rest(b, &t, b->len > before);
	}
	csv_table_free(&t.g);
}
