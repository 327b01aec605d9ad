/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frame of each page of a site. Pure.
 */
#ifndef SITE_SITE_HTML_H
#define SITE_SITE_HTML_H

#include "site/site_model.h"

/* Changes whenever the files of a site change although the store did not. */
#define SITE_FORMAT "bench-site 4"

struct site_frame {
	const char *title;   /* escaped; of the page, or NULL: the title of the site */
	const char *base;    /* "" or "../", before paths of the site */
	bool plots;          /* shows plots of the site that are files */
	const char *current; /* path of the page in the navigation, or NULL */
};

void site_html_begin(
    struct buf *b, const struct site_model *m, const struct site_frame *frame);
/* Ends a page. scripts: that it loads after site.js, without ".js", NULL-terminated. */
void site_html_end(struct buf *b, const char *base, const char *const *scripts);
/* Begins a table that scrolls inside the page. columns: NULL-terminated, at most 10,
 * without quotation marks and characters of markup; one that begins with "#" has numbers.
 */
void site_html_table(
    struct buf *b, const char *id, const char *caption, const char *const *columns);
void site_html_table_end(struct buf *b);

#endif
