/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of a report about a baseline. */
#include <math.h>
#include <string.h>

#include "report/report_items_priv.h"
#include "report/report_words.h"
#include "text/markup.h"
#include "text/units.h"

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
	words_open(b, class);
	buf_printf(b, "%zu of ", count);
	words_count(b, all, "result", "results");
	buf_printf(b, " %s %s</strong>:</p>\n<ul>", count == 1 ? "is" : "are", what);
	for (size_t i = 0; i < csv_table_rows(&t->g); i++)
		if (has_verdict(t, i, verdict) && listed++ < WORDS_LISTED)
			put_compared(b, t, i);
	words_rest(b, count, "verdicts");
	words_end(b);
	return count;
}

void report_answer_baseline(struct buf *b, const struct report *r)
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
			words_open(b, "same");
			buf_str(b,
			    changed ? "" : "Nothing is worse than the baseline:</strong> ");
			buf_printf(b, "%zu the same, %zu unsure%s.</p>", same, unsure,
			    changed ? "</strong>" : "");
			words_end(b);
		}
	}
	csv_table_free(&t.g);
}
