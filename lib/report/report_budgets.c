/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a report that shows whether the stream keeps its budgets: the table of
 * bench-stat --budget, the broken ones first.
 */
#include <stdlib.h>
#include <string.h>

#include "io/csv_table.h"
#include "report/report_items_priv.h"

/* The verdicts of bench-stat --budget in order of importance. */
static const char *const budget_verdicts[] = { "broken", "undecided", "met" };

static bool budget_in_unit(struct text column)
{
	static const char *const names[] = { "value", "lo", "hi", "min", "max" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (text_is(column, names[i]))
			return true;
	return false;
}

/* Sorts the rows by verdict, and returns their number for each verdict as a sentence,
 * allocated. */
static char *sort_rows(const struct csv_table *g, size_t verdict, struct buf *out)
{
	size_t count[COUNT(budget_verdicts)] = { 0 };

	out->len = 0;
	csv_table_put_header(g, out);
	for (size_t k = 0; k < COUNT(budget_verdicts); k++)
		for (size_t i = 0; i < csv_table_rows(g); i++) {
			if (strcmp(csv_table_cell(g, i, verdict), budget_verdicts[k]) != 0)
				continue;
			csv_table_put_row(g, i, out);
			count[k]++;
		}
	return str_format(
	    "%zu broken, %zu undecided, %zu met.", count[0], count[1], count[2]);
}

void report_plan_budgets(struct report *r, struct part *p)
{
	struct item *it;
	struct csv_table g = { 0 };
	long verdict;

	part_add(p, ITEM_TEXT, "No budget could be checked.");
	it = part_add(p, ITEM_TABLE, "budgets, broken ones first");
	it->id = "budgets-table";
	it->in_unit = budget_in_unit;
	it->judges = true;
	item_run(it, "bench-stat", "--csv", "-q", "--budget", r->opts->budget, NULL);
	report_run_item(r, it);
	if (csv_table_read(&g, text_in(&it->out), &it->fault) ==
	        0 &&
	    (verdict = csv_table_column(&g, "verdict")) >= 0 && csv_table_rows(&g)) {
		free(p->item[0].caption);
		p->item[0].caption = sort_rows(&g, (size_t)verdict, &it->out);
	}
	csv_table_free(&g);
}
