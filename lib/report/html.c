/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of HTML; see html.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/csv_table.h"
#include "report/html.h"
#include "text/markup.h"
#include "text/units.h"

void html_begin(struct buf *b, const char *title, const char *theme, struct text style)
{
	buf_printf(b, "<!DOCTYPE html>\n<html lang=\"en\"%s%s%s>\n",
	    theme ? " data-theme=\"" : "", theme ? theme : "", theme ? "\"" : "");
	buf_str(b,
	    "<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    /* The browser loads nothing, whatever the texts contain. */
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
	    "<link rel=\"icon\" href=\"data:,\">\n<title>");
	markup_text(b, text_of(title));
	buf_str(b, "</title>\n<style>\n");
	buf_text(b, style);
	buf_str(b, "</style>\n</head>\n<body>\n");
}

void html_end(struct buf *b, struct text script)
{
	buf_str(b, "<script>\n");
	buf_text(b, script);
	buf_str(b, "</script>\n</body>\n</html>\n");
}

void html_section(struct buf *b, const char *id, const char *title)
{
	buf_printf(b, "<section id=\"%s\">\n<h2>", id);
	markup_text(b, text_of(title));
	buf_str(b, "</h2>\n");
}

void html_section_end(struct buf *b)
{
	buf_str(b, "</section>\n");
}

void html_paragraph(struct buf *b, const char *text, bool faint)
{
	buf_printf(b, "<p%s>", faint ? " class=\"faint\"" : "");
	markup_text(b, text_of(text));
	buf_str(b, "</p>\n");
}

/* The presentation of a column. */
struct html_column {
	bool shown, number, in_unit, folded;
	bool bounds; /* has numbers that are bounds */
};

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

static struct html_column column_of(
    const struct csv_table *g, size_t i, const struct html_table *how)
{
	struct html_column out = { .number = true };
	double value;

	for (size_t row = 0; row < csv_table_rows(g); row++) {
		const char *cell = csv_table_cell(g, row, i);

		out.shown = out.shown || *cell;
		out.number = out.number && (!*cell || parse_number(cell, &value));
		out.bounds = out.bounds || is_bound(cell);
	}
	out.number = out.number && out.shown;
	out.bounds = out.bounds && out.number;
	out.in_unit =
	    out.number && how->in_unit && how->in_unit(text_of(csv_table_name(g, i)));
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

static void fold(const struct csv_table *g, struct html_column *column)
{
	long metric = csv_table_column(g, "metric"), bench = csv_table_column(g, "bench");

	for (long i = 0; i < metric; i++) {
		struct html_column *c = &column[i];

		c->folded = c->shown && i != bench && is_constant(g, (size_t)i);
		c->shown = c->shown && !c->folded;
	}
}

static void put_caption(struct buf *b, const struct csv_table *g,
    const struct html_column *column, const char *caption)
{
	const char *before = "; in all rows ";
	bool bounds = false;

	buf_str(b, "<caption>");
	markup_text(b, text_of(caption));
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
		markup_text(b, text_of(csv_table_cell(g, 0, i)));
		before = ", ";
	}
	buf_str(b, "</caption>\n");
}

static void put_number(struct buf *b, const char *cell, const char *unit)
{
	bool bound = is_bound(cell);
	char text[64];
	double value;

	if (!*cell || !parse_number(cell, &value)) {
		buf_str(b, "<td data-value=\"\">");
		return;
	}
	units_print(text, sizeof(text), value, unit);
	buf_printf(b, "<td data-value=\"%s\">", cell + bound);
	markup_text(b, (struct text){ cell, bound });
	markup_text(b, text_of(text));
}

static void put_row(struct buf *b, const struct csv_table *g,
    const struct html_column *column, size_t row, long unit)
{
	static const struct {
		const char *word, *class;
	} coloured[] = { { "better", "better" }, { "worse", "worse" },
		{ "unsure", "unsure" }, { "unfit", "worse" }, { "broken", "worse" },
		{ "undecided", "unsure" }, { "met", "better" } };

	buf_str(b, "<tr>");
	for (size_t i = 0; i < g->columns; i++) {
		const char *cell = csv_table_cell(g, row, i), *class = NULL;

		if (!column[i].shown)
			continue;
		for (size_t k = 0; k < COUNT(coloured); k++)
			if (strcmp(cell, coloured[k].word) == 0)
				class = coloured[k].class;
		if (column[i].number) {
			put_number(b, cell,
			    column[i].in_unit && unit >= 0
			        ? csv_table_cell(g, row, (size_t)unit)
			        : "1");
		} else {
			buf_printf(b, class ? "<td class=\"%s\">" : "<td>", class);
			markup_text(b, text_of(cell));
		}
		buf_str(b, "</td>");
	}
	buf_str(b, "</tr>\n");
}

static void put_table(
    struct buf *b, const struct csv_table *g, const struct html_table *how, size_t rows)
{
	struct html_column *column = mem_zero(g->columns + 1, sizeof(*column));
	long unit = csv_table_column(g, "unit");

	for (size_t i = 0; i < g->columns; i++)
		column[i] = column_of(g, i, how);
	if (how->fold)
		fold(g, column);
	if (how->id)
		buf_printf(b,
		    "<p class=\"tools needs-script\"><input type=\"search\" "
		    "data-table=\"%s\" "
		    "aria-label=\"filter the rows\" placeholder=\"filter rows by words\">"
		    "<span class=\"faint\" role=\"status\"></span></p>\n",
		    how->id);
	/* A tabindex makes it scrollable by keyboard. */
	buf_str(b, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
	markup_text(b, text_of(how->caption));
	buf_str(b, "\"><table class=\"sortable\"");
	if (how->id)
		buf_printf(b, " id=\"%s\"", how->id);
	buf_byte(b, '>');
	put_caption(b, g, column, how->caption);
	buf_str(b, "<thead><tr>");
	for (size_t i = 0; i < g->columns; i++) {
		if (!column[i].shown)
			continue;
		buf_printf(
		    b, "<th scope=\"col\"%s>", column[i].number ? " class=\"number\"" : "");
		markup_text(b, text_of(csv_table_name(g, i)));
		buf_str(b, "</th>");
	}
	buf_str(b, "</tr></thead>\n<tbody>\n");
	for (size_t row = 0; row < rows; row++)
		put_row(b, g, column, row, unit);
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

/*
 * Appends an SVG with unique ids, which are global to a page: id="gpDot" becomes
 * id="f3-gpDot", and so do references to it. Texts are escaped and contain no quotes.
 */
static void put_renamed(struct buf *b, struct text svg, unsigned number)
{
	static const char *const before[] = { "id=\"", "id='", "href=\"#", "href='#",
		"url(#", "aria-labelledby=\"" };
	const char *end = svg.ptr + svg.len;

	for (const char *p = svg.ptr; p < end;) {
		size_t len = 0;

		for (size_t i = 0; i < COUNT(before) && !len; i++) {
			size_t n = strlen(before[i]);

			if ((size_t)(end - p) >= n && memcmp(p, before[i], n) == 0)
				len = n;
		}
		if (len) {
			buf_put(b, p, len);
			buf_printf(b, "f%u-", number);
			p += len;
		} else {
			buf_byte(b, *p++);
		}
	}
}

void html_figure(
    struct buf *b, struct text svg, unsigned number, const char *caption, bool wide)
{
	const char *from = memmem(svg.ptr, svg.len, "<svg", 4);
	/* Skip the XML declaration, which only a separate file has. */
	size_t len = from ? svg.len - (size_t)(from - svg.ptr) : 0;

	buf_printf(b, "<figure%s>\n", wide ? " class=\"wide\"" : "");
	put_renamed(b, (struct text){ from, len }, number);
	buf_str(b, "<figcaption>");
	markup_text(b, text_of(caption));
	buf_str(b, "</figcaption></figure>\n");
}

static void put_base64(struct buf *b, struct text t)
{
	static const char digit[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = (const unsigned char *)t.ptr;

	buf_room(b, t.len / 3 * 4 + 4);
	for (size_t i = 0; i < t.len; i += 3) {
		size_t left = t.len - i;
		unsigned bits = (unsigned)p[i] << 16 |
		                (left > 1 ? (unsigned)p[i + 1] << 8 : 0) |
		                (left > 2 ? p[i + 2] : 0u);
		char four[4] = { digit[bits >> 18], digit[bits >> 12 & 63],
			left > 1 ? digit[bits >> 6 & 63] : '=',
			left > 2 ? digit[bits & 63] : '=' };

		buf_put(b, four, sizeof(four));
	}
}

void html_download(struct buf *b, const char *name, const char *type, struct text content,
    const char *text)
{
	buf_printf(b, "<a download=\"%s\" href=\"data:%s;base64,", name, type);
	put_base64(b, content);
	buf_str(b, "\">");
	markup_text(b, text_of(text));
	buf_str(b, "</a>\n");
}
