/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes parts of an HTML page that needs no other file. Every string is escaped. Pure.
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "base/base.h"

/*
 * Begin and end a page. style is trusted CSS, script trusted JavaScript. theme is "light",
 * "dark", or NULL for the preference of the reader's system.
 */
void html_begin(struct buf *b, const char *title, const char *theme, struct text style);
void html_end(struct buf *b, struct text script);

/* Begins a section of the page, which links can name and html_section_end ends. */
void html_section(struct buf *b, const char *id, const char *title);
void html_section_end(struct buf *b);
/* Appends a paragraph; a faint one is less prominent. */
void html_paragraph(struct buf *b, const char *text, bool faint);
/* Begins a fold, which shows its contents when its summary is clicked. */
void html_fold(struct buf *b, const char *summary);
void html_fold_end(struct buf *b);

/* Returns whether a template of the addresses of commits begins with http:// or https://
 * and names a host. */
bool html_repo_url_valid(const char *url);
/* Appends the short name of a commit: the first characters of a hash, and what follows it.
 */
void html_commit_name(struct buf *b, struct text commit);
/*
 * Appends a commit: its short name, which links to the commit if repo_url is
 * not NULL. In repo_url, %s is replaced by the commit; without %s, the commit is appended.
 */
void html_commit(struct buf *b, struct text commit, const char *repo_url);

struct html_table {
	const char *id;      /* of the table; NULL: no filter above it */
	const char *caption; /* one line */
	/* Returns whether the numbers of a column are in the unit that the row has in its
	 * column `unit`; NULL: no column is. */
	bool (*in_unit)(struct text column);
	size_t most; /* rows at most; 0: all */
	/* Moves columns before the metric, except bench, into the caption if they have the
	 * same value in all rows. */
	bool fold;
	size_t keep; /* first columns that are never moved */
	/* Joins the columns that fold may move if more than this number of them is left; 0:
	 * never. */
	size_t join;
	const char *repo_url; /* of commits, as for html_commit(); NULL: no links */
};

/*
 * Appends a table from CSV with a header, as bench-stat writes it. On a narrow page, each
 * row is a list of names and values. Columns that are empty in all rows are left out. Numbers are formatted for people and keep their value for
 * sorting. The numbers of a column whose name begins with "change" are fractions and shown
 * in percent, commits are shortened, and times are shown without seconds. A number after
 * ">" or "<" is a bound and sorted as the number. The caption counts the rows if there are
 * more than `most`. *left_out, unless NULL, is set to the
 * number of rows beyond `most`. Returns 0, or -1 and the message.
 */
int html_table(struct buf *b, struct text csv, const struct html_table *how,
    size_t *left_out, struct fault *f);

/*
 * Appends an SVG of gnuplot or flame_svg; number makes its ids unique on the page. narrow
 * is another plot of the same data for narrow pages, or empty. A wide figure takes the
 * whole width of the page.
 */
void html_figure(struct buf *b, struct text svg, struct text narrow, unsigned number,
    const char *caption, bool wide);

/* Appends a link that saves the content as a file of this name, without a server. */
void html_download(struct buf *b, const char *name, const char *type, struct text content,
    const char *text);

#endif
