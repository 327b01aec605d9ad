/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a report that compares the stream with a baseline: the table of
 * bench-compare, worst first, and a picture of the worst rows.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/csv_table.h"
#include "report/report_items_priv.h"
#include "text/units.h"

enum { RATIOS = 40 }; /* in the picture */

/* The verdicts of bench-compare in order of importance. */
static const char *const verdicts[] = { "worse", "unsure", "better", "same" };
enum { ONE_SIDED = COUNT(verdicts), COUNTED }; /* counted after the verdicts */

struct ratio {
	size_t row, verdict; /* COUNT(verdicts): none of them */
	bool decides;        /* a row of a primary metric; these come first */
	double change;       /* |log ratio| */
};

static int worst_first(const void *a, const void *b)
{
	const struct ratio *x = a, *y = b;

	if (x->decides != y->decides)
		return x->decides ? -1 : 1;
	if (x->verdict != y->verdict)
		return x->verdict < y->verdict ? -1 : 1;
	if (x->change != y->change)
		return x->change > y->change ? -1 : 1;
	return x->row < y->row ? -1 : 1;
}

/* Returns whether one side has no values; the verdict is then "unsure" for this reason. */
static bool is_one_sided(const struct csv_table *g, size_t row)
{
	static const char *const counts[] = { "n_old", "n_new" };

	for (size_t i = 0; i < COUNT(counts); i++) {
		long column = csv_table_column(g, counts[i]);

		if (column >= 0 && strcmp(csv_table_cell(g, row, (size_t)column), "0") == 0)
			return true;
	}
	return false;
}

/* Returns the rows of a comparison, worst first, allocated, and counts those of primary
 * metrics by verdict. */
static struct ratio *rank(const struct csv_table *g, size_t in[COUNTED])
{
	long ratio = csv_table_column(g, "ratio"), verdict = csv_table_column(g, "verdict"),
	     primary = csv_table_column(g, "primary");
	struct ratio *list = mem_zero(csv_table_rows(g) + 1, sizeof(*list));
	double value;

	for (size_t i = 0; i < csv_table_rows(g); i++) {
		size_t k = verdict < 0 ? COUNT(verdicts) : 0;

		while (k < COUNT(verdicts) &&
		       strcmp(csv_table_cell(g, i, (size_t)verdict), verdicts[k]) != 0)
			k++;
		list[i] = (struct ratio){ .row = i, .verdict = k };
		list[i].decides = primary >= 0 && *csv_table_cell(g, i, (size_t)primary);
		if (k < COUNT(verdicts) && list[i].decides)
			in[is_one_sided(g, i) ? ONE_SIDED : k]++;
		/* Rows without a ratio come after rows with a ratio. */
		list[i].change = -1;
		if (ratio >= 0 &&
		    number_parse(text_of(csv_table_cell(g, i, (size_t)ratio)), &value) &&
		    value > 0)
			list[i].change = fabs(log(value));
	}
	qsort(list, csv_table_rows(g), sizeof(*list), worst_first);
	return list;
}

static void plan_forest(struct part *p, const struct csv_table *g, const struct ratio *list)
{
	struct buf rows = { 0 };
	struct item *it;
	size_t count = 0;

	csv_table_put_header(g, &rows);
	for (size_t i = 0; i < csv_table_rows(g); i++)
		if (list[i].decides && list[i].verdict < COUNT(verdicts) &&
		    list[i].change >= 0 && count++ < RATIOS)
			csv_table_put_row(g, list[i].row, &rows);
	if (!count) {
		buf_free(&rows);
		return;
	}
	it = part_add(p, ITEM_FIGURE, "ratios of new to old, worst first%s",
	    count > RATIOS ? "; the table has the rest" : "");
	item_run(it, "bench-plot", "compare", "-F", "svg", "-o", "-", NULL);
	it->text = rows;
	it->wide = true;
}

void report_plan_verdicts(struct report *r, struct part *p)
{
	struct item *it, *counts;
	size_t in[COUNTED] = { 0 };
	struct buf text = { 0 };
	struct csv_table g = { 0 };
	char path[64];

	part_add(p, ITEM_TEXT, "No series could be compared.");
	it = part_add(p, ITEM_TABLE,
	    "comparison with the baseline, worst first; "
	    "each interval is at 95%%, not corrected for the number of rows as p_adj is");
	it->id = "verdicts-table";
	it->judges = true;
	snprintf(path, sizeof(path), "/proc/%ld/fd/%d", (long)getpid(), r->baseline);
	item_run(it, "bench-compare", "--csv", "--allow-missing", path, "-", NULL);
	for (size_t i = 0; i < r->opts->metrics; i++)
		item_option(it, "--metric", r->opts->metric[i]);
	/* Run now: the picture needs the result. */
	report_run_item(r, it);
	if (csv_table_read(&g, (struct text){ it->out.ptr, it->out.len }, &it->fault) ==
	        0 &&
	    csv_table_rows(&g)) {
		struct ratio *list = rank(&g, in);

		it->out.len = 0;
		csv_table_put_header(&g, &it->out);
		for (size_t i = 0; i < csv_table_rows(&g); i++)
			csv_table_put_row(&g, list[i].row, &it->out);
		counts = &p->item[0];
		free(counts->caption);
		buf_printf(&text, "%zu worse, %zu unsure, %zu better, %zu same", in[0],
		    in[1], in[2], in[3]);
		if (in[ONE_SIDED])
			buf_printf(&text, ", %zu on one side only", in[ONE_SIDED]);
		buf_byte(&text, '.');
		counts->caption = text.ptr;
		plan_forest(p, &g, list);
		free(list);
	}
	csv_table_free(&g);
}
