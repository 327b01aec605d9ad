/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes a profile in sentences; see report_profile_words.h. */
#include <string.h>

#include "io/csv_table.h"
#include "report/report_profile_words.h"
#include "text/markup.h"
#include "text/units.h"

enum { SENTENCES = 3 };

static void put_percent(struct buf *page, const char *number)
{
	double value;

	if (!number_parse(text_of(number), &value))
		value = 0;
	buf_printf(page, "%.3g%%", value);
}

static void put_name(struct buf *page, const char *name)
{
	buf_str(page, "<strong>");
	markup_text(page, text_of(name));
	buf_str(page, "</strong>");
}

/* Says in which functions most of the profile is. */
static void say_functions(const struct csv_table *t, const char *bench, struct buf *page)
{
	size_t rows = csv_table_rows(t);

	buf_str(page, "<p>Most of the profile of ");
	markup_text(page, text_of(bench));
	buf_str(page, " is in ");
	for (size_t i = 0; i < rows && i < SENTENCES; i++) {
		buf_str(page, !i                                    ? ""
		              : i + 1 == rows || i + 1 == SENTENCES ? " and "
		                                                    : ", ");
		put_name(page, csv_table_cell(t, i, 0));
		buf_str(page, " (");
		put_percent(page, csv_table_cell(t, i, 1));
		buf_str(page, ")");
	}
	buf_str(page, ".</p>\n");
}

/* Says which functions changed most. If none did significantly, says so first. */
static void say_differences(const struct csv_table *t, const char *bench, struct buf *page)
{
	size_t rows = csv_table_rows(t), verdict = t->columns - 1;
	const char *first = csv_table_cell(t, 0, verdict);
	bool tested = *first, changed = tested && strcmp(first, "within noise") != 0;

	buf_str(page, "<p>");
	buf_str(page, changed  ? "Functions whose share changed most in the profile of "
	              : tested ? "No function's share changed significantly. The largest "
	                         "differences in the profile of "
	                       : "Differences, which were not tested, in the profile of ");
	markup_text(page, text_of(bench));
	buf_str(page, ":</p>\n<ul>\n");
	/* Changes are before all others. */
	for (size_t i = 0; i < rows && i < SENTENCES; i++) {
		if (changed && strcmp(csv_table_cell(t, i, verdict), "within noise") == 0)
			break;
		buf_str(page, "<li>");
		put_name(page, csv_table_cell(t, i, 0));
		buf_str(page, " itself went from ");
		put_percent(page, csv_table_cell(t, i, 1));
		buf_str(page, " to ");
		put_percent(page, csv_table_cell(t, i, 2));
		buf_str(page, " of the profile.</li>\n");
	}
	buf_str(page, "</ul>\n");
}

void report_profile_words(struct buf *page, struct text functions, const char *bench)
{
	struct csv_table t = { .file = "the table of functions" };
	struct fault f;

	if (csv_table_read(&t, functions, &f) == 0 && csv_table_rows(&t)) {
		if (strcmp(csv_table_name(&t, t.columns - 1), "verdict") == 0)
			say_differences(&t, bench, page);
		else
			say_functions(&t, bench, page);
	}
	csv_table_free(&t);
}
