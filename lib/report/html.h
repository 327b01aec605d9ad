/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pieces of a page of HTML that needs no other file. Every text is escaped wherever it
 * goes. Pure.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "base/base.h"

/*
 * Begin and end a page; style and script are CSS and JavaScript of ours. theme is "light",
 * "dark", or NULL for the preference of the reader's machine.
 */
void html_begin(struct buf *b, const char *title, const char *theme, struct text style);
void html_end(struct buf *b, struct text script);

/* Begins a part of the page that links can name, until html_section_end. */
void html_section(struct buf *b, const char *id, const char *title);
void html_section_end(struct buf *b);
/* Appends a paragraph; faint: of less weight. */
void html_paragraph(struct buf *b, const char *text, bool faint);

struct html_table {
	const char *id;      /* of the table; NULL: no filter above it */
	const char *caption; /* a line about the table */
	/* Whether a column's numbers are in the unit that the row's column `unit` has;
	 * NULL: none is. */
	bool (*in_unit)(struct text column);
	size_t most; /* rows at most; 0: all */
	/* Columns before that of the metric, bench aside, that say the same in all rows go
	 * into the caption. */
	bool fold;
};

/*
 * Appends a table of CSV with a header, as bench-stat and others write it: columns that are
 * empty in all rows are left out, numbers are written for people and keep their value for
 * sorting. *left_out, unless NULL, is how many rows were beyond the most. 0, or -1 and the
 * message.
 */
int html_table(struct buf *b, struct text csv, const struct html_table *how,
    size_t *left_out, struct fault *f);

/*
 * Appends an SVG that gnuplot or flame_svg wrote; number tells its ids from those of other
 * pictures. wide: the whole width of the page.
 */
void html_figure(
    struct buf *b, struct text svg, unsigned number, const char *caption, bool wide);

/* Appends a link that saves this content under a name, without a server. */
void html_download(struct buf *b, const char *name, const char *type, struct text content,
    const char *text);

#endif
