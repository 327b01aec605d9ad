/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes parts of sentences; see report_words.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/report_words.h"
#include "text/markup.h"
#include "text/stamp.h"
#include "text/units.h"

void words_open(struct buf *b, const char *class)
{
	buf_printf(b, "<div class=\"answer %s\"><p><strong>", class);
}

void words_end(struct buf *b)
{
	buf_str(b, "</div>\n");
}

void words_rest(struct buf *b, size_t count, const char *part)
{
	if (count > WORDS_LISTED)
		buf_printf(
		    b, "<li><a href=\"#%s\">%zu more</a></li>", part, count - WORDS_LISTED);
	buf_str(b, "</ul>\n");
}

void words_count(struct buf *b, size_t count, const char *one, const char *many)
{
	buf_printf(b, "%zu %s", count, count == 1 ? one : many);
}

void words_change(struct buf *b, double ratio)
{
	if (isfinite(ratio))
		units_put_change(b, ratio - 1);
	else
		buf_str(b, "?");
}

void words_step(struct buf *b, double before, double after, const char *unit)
{
	char text[64];

	units_print(text, sizeof(text), before, unit);
	markup_text(b, text_of(text));
	buf_str(b, " → ");
	units_print(text, sizeof(text), after, unit);
	markup_text(b, text_of(text));
}

void words_date(struct buf *b, struct text time)
{
	enum { DATE = 10 };
	int64_t ns;
	int digits;

	if (time.len > DATE && stamp_parse(time, &ns, &digits))
		time.len = DATE;
	markup_text(b, time);
}

/* Appends "METRIC of BENCH". */
static void put_main(struct buf *b, struct text metric, struct text bench)
{
	markup_text(b, metric);
	if (bench.len) {
		buf_str(b, " of ");
		markup_name(b, bench);
	}
}

/* Appends "name=value" of the list in parentheses that began at `start` if it has no value
 * yet. */
static void put_pair(struct buf *b, bool *open, const char *name, struct text value)
{
	buf_str(b, *open ? ", " : " (");
	*open = true;
	markup_text(b, text_of(name));
	buf_byte(b, '=');
	markup_name(b, value);
}

void words_group(struct buf *b, const struct groups *g, size_t group)
{
	size_t *id, count = groups_columns(g, &id);
	bool open = false;

	put_main(b, groups_cell(g, group, COL_METRIC), groups_cell(g, group, COL_BENCH));
	for (size_t i = 0; i < count; i++) {
		struct text cell = groups_cell(g, group, id[i]);

		if (id[i] != COL_METRIC && id[i] != COL_UNIT && id[i] != COL_BENCH &&
		    cell.len && !groups_constant(g, id[i]))
			put_pair(b, &open, groups_schema(g)->name[id[i]], cell);
	}
	buf_str(b, open ? ")" : "");
	free(id);
}

/* Returns whether a column has one string. Rows about all subjects have none. */
static bool is_same(const struct csv_table *g, size_t column)
{
	const char *first = "";

	for (size_t i = 0; i < csv_table_rows(g); i++) {
		const char *cell = csv_table_cell(g, i, column);

		if (*first && *cell && strcmp(cell, first) != 0)
			return false;
		first = *cell ? cell : first;
	}
	return true;
}

/* Appends a factor of a row. bench-stat appends "_" to a factor whose name is that of
 * another column. */
static void put_column(
    struct buf *b, bool *open, const struct csv_table *g, size_t column, struct text value)
{
	char *name = str_copy(csv_table_name(g, column));
	size_t len = strlen(name);

	if (len && name[len - 1] == '_') {
		name[len - 1] = '\0';
		if (csv_table_column(g, name) < 0)
			name[len - 1] = '_';
	}
	put_pair(b, open, name, value);
	free(name);
}

void words_row(struct buf *b, const struct csv_table *g, size_t row)
{
	long metric = csv_table_column(g, "metric"), bench = csv_table_column(g, "bench");
	bool open = false;

	put_main(b,
	    metric < 0 ? (struct text){ 0 }
	               : text_of(csv_table_cell(g, row, (size_t)metric)),
	    bench < 0 ? (struct text){ 0 }
	              : text_of(csv_table_cell(g, row, (size_t)bench)));
	for (long i = 0; i < metric; i++) {
		struct text cell = text_of(csv_table_cell(g, row, (size_t)i));

		if (i != bench && cell.len && !is_same(g, (size_t)i))
			put_column(b, &open, g, (size_t)i, cell);
	}
	buf_str(b, open ? ")" : "");
}
