/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of html.h. */
#ifndef REPORT_HTML_PRIV_H
#define REPORT_HTML_PRIV_H

#include "base/intern.h"

/* Appends an SVG of gnuplot or flame_svg, with a prefix before each of its ids. */
void html_svg(struct buf *b, struct text svg, const char *prefix);

/* Reads the numbers that bench-plot --data embeds in an SVG, which must outlive the result.
 * Returns NULL if there are none. */
struct html_numbers;
struct html_numbers *html_numbers_open(struct text svg);
/* Appends a fold with a table; nothing if n is NULL. */
void html_numbers_table(struct buf *b, const struct html_numbers *n);
/* Appends attributes with the places of the marks; nothing if n is NULL. */
void html_numbers_places(struct buf *b, const struct html_numbers *n);
void html_numbers_close(struct html_numbers *n);

#endif
