/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The numbers that bench-plot --data embeds in a plot: a table below the plot, and
 * the places of the marks for the script of the page. All strings are markup already.
 */
#include <stdlib.h>
#include <string.h>

#include "report/html_priv.h"

enum field { SERIES, NAME, COLOR, AT, MEDIAN, LO, HI, COUNT_OF, X, Y, FIELDS };

struct number_mark {
	struct text field[FIELDS];
	size_t series, row;
};

struct html_numbers {
	struct text x; /* its name */
	struct number_mark *mark;
	size_t marks, cap;
	struct text *row; /* texts of x */
	size_t rows, row_cap;
	size_t series;
	bool same_count;
};

/* Takes the text up to a character off another string, or all of it. */
static struct text take_until(struct text *from, char end)
{
	const char *at = memchr(from->ptr, end, from->len);
	struct text out = { from->ptr, at ? (size_t)(at - from->ptr) : from->len };
	size_t used = out.len + (at != NULL);

	*from = text_after(*from, used);
	return out;
}

/* Returns the row of a mark: the next one with its x in which its series has no mark. */
static size_t row_of(struct html_numbers *n, const struct number_mark *mark)
{
	size_t first = 0;

	if (n->marks && n->mark[n->marks - 1].series == mark->series)
		first = n->mark[n->marks - 1].row + 1;
	for (size_t i = first; i < n->rows; i++)
		if (text_equal(n->row[i], mark->field[AT]))
			return i;
	*VEC_ADD(n->row, n->rows, n->row_cap) = mark->field[AT];
	return n->rows - 1;
}

struct html_numbers *html_numbers_open(struct text svg)
{
	static const char start[] = "<metadata>\n", end[] = "</metadata>";
	const char *from = memmem(svg.ptr, svg.len, start, sizeof(start) - 1), *to;
	struct html_numbers *n;
	struct text rest;

	if (!from)
		return NULL;
	from += sizeof(start) - 1;
	to = memmem(from, (size_t)(svg.ptr + svg.len - from), end, sizeof(end) - 1);
	if (!to)
		return NULL;
	n = mem_zero(1, sizeof(*n));
	n->same_count = true;
	rest = (struct text){ from, (size_t)(to - from) };
	n->x = take_until(&rest, '\n');
	while (rest.len) {
		struct text line = take_until(&rest, '\n');
		struct number_mark mark = { 0 };

		for (size_t i = 0; i < FIELDS; i++)
			mark.field[i] = take_until(&line, '\t');
		mark.series = (size_t)strtoul(mark.field[SERIES].ptr, NULL, 10);
		mark.row = row_of(n, &mark);
		*VEC_ADD(n->mark, n->marks, n->cap) = mark;
		n->series = mark.series < n->series ? n->series : mark.series + 1;
		n->same_count = n->same_count && text_equal(mark.field[COUNT_OF],
		                                     n->mark[0].field[COUNT_OF]);
	}
	return n;
}

/* Returns the first mark of a series; its name and color are those of all. */
static const struct number_mark *first_of(const struct html_numbers *n, size_t series)
{
	for (size_t i = 0; i < n->marks; i++)
		if (n->mark[i].series == series)
			return &n->mark[i];
	return NULL;
}

static void put_cell(
    struct buf *b, const struct html_numbers *n, const struct number_mark *m)
{
	bool interval = m && m->field[LO].len && m->field[HI].len;

	buf_str(b, "<td>");
	if (m)
		buf_text(b, m->field[MEDIAN]);
	if (interval) {
		buf_str(b, " <small>");
		buf_text(b, m->field[LO]);
		buf_str(b, " to ");
		buf_text(b, m->field[HI]);
		buf_str(b, "</small>");
	}
	if (m && !n->same_count) {
		buf_str(b, "<small>, n = ");
		buf_text(b, m->field[COUNT_OF]);
		buf_str(b, "</small>");
	}
	buf_str(b, "</td>");
}

static void put_head(struct buf *b, const struct html_numbers *n)
{
	buf_str(b,
	    "<details class=\"numbers\"><summary>Numbers</summary>\n<div class=\"scroll\" "
	    "role=\"region\" tabindex=\"0\" aria-label=\"numbers of the plot\"><table>"
	    "<caption>medians with their intervals");
	if (n->same_count) {
		buf_str(b, ", n = ");
		buf_text(b, n->mark[0].field[COUNT_OF]);
	}
	buf_str(b, "</caption><thead><tr><th scope=\"col\">");
	buf_text(b, n->x);
	buf_str(b, "</th>");
	for (size_t s = 0; s < n->series; s++) {
		const struct number_mark *m = first_of(n, s);

		buf_printf(b, "<th scope=\"col\" data-color=\"%.*s\">",
		    m ? (int)m->field[COLOR].len : 0, m ? m->field[COLOR].ptr : "");
		buf_text(b, m && m->field[NAME].len ? m->field[NAME] : TEXT("median"));
		buf_str(b, "</th>");
	}
	buf_str(b, "</tr></thead><tbody>\n");
}

void html_numbers_table(struct buf *b, const struct html_numbers *n)
{
	const struct number_mark **cell;

	if (!n || !n->marks)
		return;
	cell = mem_zero(n->rows * n->series + 1, sizeof(*cell));
	for (size_t i = 0; i < n->marks; i++)
		cell[n->mark[i].row * n->series + n->mark[i].series] = &n->mark[i];
	put_head(b, n);
	for (size_t row = 0; row < n->rows; row++) {
		buf_str(b, "<tr><th scope=\"row\">");
		buf_text(b, n->row[row]);
		buf_str(b, "</th>");
		for (size_t s = 0; s < n->series; s++)
			put_cell(b, n, cell[row * n->series + s]);
		buf_str(b, "</tr>\n");
	}
	buf_str(b, "</tbody></table></div></details>\n");
	free(cell);
}

void html_numbers_places(struct buf *b, const struct html_numbers *n)
{
	size_t series = SIZE_MAX;

	if (!n || !n->marks)
		return;
	buf_printf(b, " data-series=\"%zu\" data-marks=\"", n->series);
	for (size_t i = 0; i < n->marks; i++) {
		const struct number_mark *m = &n->mark[i];

		/* The number of the series, then its marks: row, x and y. */
		if (m->series != series)
			buf_printf(b, "%s%zu:", i ? ";" : "", m->series);
		else
			buf_byte(b, ' ');
		series = m->series;
		buf_printf(b, "%zu,%.*s,%.*s", m->row, (int)m->field[X].len,
		    m->field[X].ptr, (int)m->field[Y].len, m->field[Y].ptr);
	}
	buf_byte(b, '"');
}

void html_numbers_close(struct html_numbers *n)
{
	if (!n)
		return;
	free(n->mark);
	free(n->row);
	free(n);
}
