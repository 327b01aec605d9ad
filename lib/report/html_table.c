/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of HTML from CSV; see html.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/csv_table.h"
#include "report/html.h"
#include "text/display_text.h"
#include "text/display_width.h"
#include "text/markup.h"
#include "text/stamp.h"
#include "text/units.h"

/* The presentation of a column. */
struct html_column {
	bool shown, number, in_unit, folded;
	bool bounds;  /* has numbers that are bounds */
	bool percent; /* of fractions */
	bool commit, time;
	bool joined; /* the first of these columns has the strings of all */
	bool words;  /* has words that are shown in color */
	bool wide;   /* has strings that need room */
};

/* Columns whose names a narrow page can show next to each value; report.css has a rule for
 * each. */
enum { NAMED = 32 };
/* Strings of more columns of characters need room. */
enum { SHORT_TEXT = 24 };

static bool is_bound(const char *cell)
{
	return *cell == '>' || *cell == '<';
}

/* Returns whether a cell is a number, or a bound. */
static bool parse_number(const char *cell, double *out)
{
	struct fault f;

	return units_number(cell + is_bound(cell), out, &f) == 0;
}

static bool is_long(const char *cell)
{
	return display_width(text_of(cell)) > SHORT_TEXT;
}

static struct html_column column_of(
    const struct csv_table *g, size_t i, const struct html_table *how)
{
	const char *name = csv_table_name(g, i);
	struct html_column out = { .number = true };
	double value;

	for (size_t row = 0; row < csv_table_rows(g); row++) {
		const char *cell = csv_table_cell(g, row, i);

		out.shown = out.shown || *cell;
		out.number = out.number && (!*cell || parse_number(cell, &value));
		out.bounds = out.bounds || is_bound(cell);
		out.wide = out.wide || is_long(cell);
	}
	out.commit = strncmp(name, "commit", 6) == 0;
	out.number = out.number && out.shown && !out.commit;
	out.bounds = out.bounds && out.number;
	out.in_unit = out.number && how->in_unit && how->in_unit(text_of(name));
	out.percent = out.number && strncmp(name, "change", 6) == 0;
	out.time = strcmp(name, "time") == 0;
	out.wide = out.wide && !out.number && !out.commit && !out.time;
	out.words = strcmp(name, "verdict") == 0 || strcmp(name, "level") == 0;
	return out;
}

/* Returns whether there are several rows and a column is the same in all of them. */
static bool is_constant(const struct csv_table *g, size_t column)
{
	for (size_t row = 1; row < csv_table_rows(g); row++)
		if (strcmp(csv_table_cell(g, row, column), csv_table_cell(g, 0, column)) !=
		    0)
			return false;
	return csv_table_rows(g) > 1;
}

static void fold(const struct csv_table *g, struct html_column *column, size_t keep)
{
	long metric = csv_table_column(g, "metric"), bench = csv_table_column(g, "bench");

	for (long i = (long)keep; i < metric; i++) {
		struct html_column *c = &column[i];

		c->folded = c->shown && i != bench && is_constant(g, (size_t)i);
		c->shown = c->shown && !c->folded;
	}
}

/* Joins the columns before the metric, except bench, if there are too many of them. */
static void join(
    const struct csv_table *g, struct html_column *column, const struct html_table *how)
{
	long metric = csv_table_column(g, "metric"), bench = csv_table_column(g, "bench");
	size_t count = 0;

	for (long i = (long)how->keep; i < metric; i++)
		count += column[i].shown && i != bench;
	for (long i = (long)how->keep; i < metric && count > how->join; i++)
		column[i].joined = column[i].shown && i != bench;
}

/* Returns the column that a joined one is shown in. */
static size_t first_joined(const struct csv_table *g, const struct html_column *column)
{
	size_t i = 0;

	while (i < g->columns && !column[i].joined)
		i++;
	return i;
}

/* Appends a time stamp without seconds, or another string as it is. */
static void put_time(struct buf *b, const char *cell)
{
	enum { MINUTES = 16 }; /* of 2026-11-23T02:00:07Z */
	int64_t ns;
	int digits;

	if (!stamp_parse(text_of(cell), &ns, &digits) || strlen(cell) <= MINUTES) {
		markup_text(b, text_of(cell));
		return;
	}
	buf_str(b, "<time datetime=\"");
	markup_text(b, text_of(cell));
	buf_printf(b, "\">%.10s %.5s</time>", cell, cell + 11);
}

/* Appends the text of a cell. */
static void put_text(struct buf *b, const struct html_column *column, const char *cell,
    const struct html_table *how)
{
	if (column->commit)
		html_commit(b, text_of(cell), how->repo_url);
	else if (column->time)
		put_time(b, cell);
	else
		markup_text(b, text_of(cell));
}

static void put_caption(struct buf *b, const struct csv_table *g,
    const struct html_column *column, const struct html_table *how, size_t rows)
{
	const char *before = "; in all rows ";
	bool bounds = false;

	buf_str(b, "<caption>");
	markup_text(b, text_of(how->caption));
	if (rows < csv_table_rows(g))
		buf_printf(b, "; the first %zu of %zu rows", rows, csv_table_rows(g));
	for (size_t i = 0; i < g->columns; i++)
		bounds = bounds || (column[i].shown && column[i].bounds);
	if (bounds)
		buf_str(b, "; numbers after &gt; or &lt; are bounds of unknown values");
	for (size_t i = 0; i < g->columns; i++) {
		if (!column[i].folded)
			continue;
		buf_str(b, before);
		markup_text(b, text_of(csv_table_name(g, i)));
		buf_byte(b, ' ');
		put_text(b, &column[i], csv_table_cell(g, 0, i), how);
		before = ", ";
	}
	buf_str(b, "</caption>\n");
}

static void put_number(
    struct buf *b, const struct html_column *column, const char *cell, const char *unit)
{
	bool bound = is_bound(cell);
	char text[64];
	double value;

	if (!*cell || !parse_number(cell, &value)) {
		buf_str(b, " data-value=\"\">");
		return;
	}
	buf_printf(b, " data-value=\"%s\">", cell + bound);
	markup_text(b, (struct text){ cell, bound });
	if (column->percent) {
		units_put_change(b, value);
		return;
	}
	units_print(text, sizeof(text), value, unit);
	markup_text(b, text_of(text));
}

/* Returns the class of a word that a table shows in color; NULL: it has none. */
static const char *class_of(const char *cell)
{
	static const struct {
		const char *word, *class;
	} colored[] = { { "better", "better" }, { "worse", "worse" },
		{ "unsure", "unsure" }, { "unfit", "worse" }, { "broken", "worse" },
		{ "faster", "better" }, { "undecided", "unsure" }, { "met", "better" } };

	for (size_t i = 0; i < COUNT(colored); i++)
		if (strcmp(cell, colored[i].word) == 0)
			return colored[i].class;
	return NULL;
}

static void put_words(struct buf *b, const struct html_column *column, const char *cell,
    const struct html_table *how)
{
	const char *class = column->words ? class_of(cell) : NULL;

	if (!class && column->wide && is_long(cell))
		class = "long";
	if (class)
		buf_printf(b, " class=\"%s\"", class);
	buf_byte(b, '>');
	put_text(b, column, cell, how);
}

/* Appends the names and values of the joined columns that are not empty. */
static void put_joined(struct buf *b, const struct csv_table *g,
    const struct html_column *column, size_t row, const struct html_table *how)
{
	const char *before = "";

	for (size_t i = 0; i < g->columns; i++) {
		const char *cell = csv_table_cell(g, row, i);

		if (!column[i].joined || !*cell)
			continue;
		buf_str(b, before);
		markup_text(b, text_of(csv_table_name(g, i)));
		buf_byte(b, '=');
		put_text(b, &column[i], cell, how);
		before = ", ";
	}
}

/* Returns whether a column has cells of its own. */
static bool has_cells(const struct csv_table *g, const struct html_column *column, size_t i)
{
	return column[i].shown && (!column[i].joined || i == first_joined(g, column));
}

static void put_row(struct buf *b, const struct csv_table *g,
    const struct html_column *column, size_t row, long unit, const struct html_table *how)
{
	buf_str(b, "<tr>");
	for (size_t i = 0; i < g->columns; i++) {
		const char *cell = csv_table_cell(g, row, i);

		if (!has_cells(g, column, i))
			continue;
		buf_str(b, "<td");
		if (column[i].joined) {
			buf_str(b, " class=\"long\">");
			put_joined(b, g, column, row, how);
		} else if (column[i].number) {
			put_number(b, &column[i], cell,
			    column[i].in_unit && unit >= 0
			        ? csv_table_cell(g, row, (size_t)unit)
			        : "1");
		} else {
			put_words(b, &column[i], cell, how);
		}
		buf_str(b, "</td>");
	}
	buf_str(b, "</tr>\n");
}

/* Returns the name of a column that has cells. */
static const char *title_of(
    const struct csv_table *g, const struct html_column *column, size_t i)
{
	return column[i].joined ? "factors" : csv_table_name(g, i);
}

/* Appends a string as a string of CSS in an attribute, without characters of markup. */
static void put_css_string(struct buf *b, const char *text)
{
	struct buf clean = { 0 };

	display_text_clean(&clean, text_of(text));
	buf_byte(b, '\'');
	for (size_t i = 0; i < clean.len; i++) {
		unsigned char c = (unsigned char)clean.ptr[i];

		if (c >= 0x80 || isalnum(c) || c == '_' || c == '-')
			buf_byte(b, (char)c);
		else
			buf_printf(b, "\\%x ", c);
	}
	buf_byte(b, '\'');
	buf_free(&clean);
}

/* Appends the beginning of the table, with the names of its columns for a narrow page,
 * where each row is a list of names and values; each cell would repeat an attribute. */
static void put_start(struct buf *b, const struct csv_table *g,
    const struct html_column *column, const struct html_table *how)
{
	size_t count = 0, number = 0;

	for (size_t i = 0; i < g->columns; i++)
		count += has_cells(g, column, i);
	/* A tabindex makes it scrollable by keyboard. */
	buf_str(b, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
	markup_text(b, text_of(how->caption));
	buf_printf(b, "\"><table class=\"sortable%s\"", count <= NAMED ? " stack" : "");
	if (how->id)
		buf_printf(b, " id=\"%s\"", how->id);
	buf_str(b, count <= NAMED ? " style=\"" : ">");
	for (size_t i = 0; count <= NAMED && i < g->columns; i++)
		if (has_cells(g, column, i)) {
			buf_printf(b, "--c%zu:", ++number);
			put_css_string(b, title_of(g, column, i));
			buf_str(b, number == count ? "\">" : ";");
		}
}

static void put_head(
    struct buf *b, const struct csv_table *g, const struct html_column *column)
{
	buf_str(b, "<thead><tr>");
	for (size_t i = 0; i < g->columns; i++) {
		bool number = column[i].number && !column[i].joined,
		     wide = column[i].wide || column[i].joined;

		if (!has_cells(g, column, i))
			continue;
		buf_printf(b, "<th scope=\"col\"%s>",
		    number ? " class=\"number\""
		    : wide ? " class=\"long\""
		           : "");
		markup_text(b, text_of(title_of(g, column, i)));
		buf_str(b, "</th>");
	}
	buf_str(b, "</tr></thead>\n");
}

static void put_table(
    struct buf *b, const struct csv_table *g, const struct html_table *how, size_t rows)
{
	struct html_column *column = mem_zero(g->columns + 1, sizeof(*column));
	long unit = csv_table_column(g, "unit");

	for (size_t i = 0; i < g->columns; i++)
		column[i] = column_of(g, i, how);
	/* The numbers have their units. */
	if (how->in_unit && unit >= 0)
		column[unit].shown = false;
	if (how->fold)
		fold(g, column, how->keep);
	if (how->fold && how->join)
		join(g, column, how);
	if (how->id)
		buf_printf(b,
		    "<p class=\"tools needs-script\"><input type=\"search\" "
		    "data-table=\"%s\" "
		    "aria-label=\"filter the rows\" placeholder=\"filter rows by words\">"
		    "<span class=\"faint\" role=\"status\"></span></p>\n",
		    how->id);
	put_start(b, g, column, how);
	put_caption(b, g, column, how, rows);
	put_head(b, g, column);
	buf_str(b, "<tbody>\n");
	for (size_t row = 0; row < rows; row++)
		put_row(b, g, column, row, unit, how);
	buf_str(b, "</tbody></table></div>\n");
	free(column);
}

int html_table(struct buf *b, struct text csv, const struct html_table *how,
    size_t *left_out, struct fault *f)
{
	struct csv_table g = { 0 };
	int status = csv_table_read(&g, csv, f);
	size_t rows = csv_table_rows(&g),
	       most = how->most && rows > how->most ? how->most : rows;

	if (status == 0)
		put_table(b, &g, how, most);
	if (left_out)
		*left_out = rows - most;
	csv_table_free(&g);
	return status;
}
