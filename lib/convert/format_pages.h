/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pages of bench-format-page(5) that are installed, in share/formats, and those of the
 * user, in $XDG_CONFIG_HOME/benchutils/formats or ~/.config/benchutils/formats. A page of
 * the user replaces an installed one of the same name.
 */
#ifndef CONVERT_FORMAT_PAGES_H
#define CONVERT_FORMAT_PAGES_H

#include "convert/convert.h"

/* Zero it to begin; the functions load the pages when they need them. */
struct format_pages {
	/* In the order in which formats are recognized: those with more needs first. */
	struct format *format;
	size_t count, cap;
	bool loaded;
	struct fault missing; /* the message about a directory that cannot be read, or "" */
	struct broken_page {
		char *name;
		struct fault why;
	} * broken; /* pages of the user that cannot be read */
	size_t broken_count, broken_cap;
};

/*
 * Loads the pages, unless they are loaded. A page of the user that is wrong, or that has
 * the name of a format that is not a page, becomes an element of `broken`; an installed
 * page of its name is not used instead. Returns 0, or -1 and the message if an installed
 * page is wrong.
 */
int format_pages_load(struct format_pages *p, struct fault *f);
/* Appends the messages about broken and missing pages, one a line. p may be NULL. */
void format_pages_note(const struct format_pages *p, struct buf *notes);
/*
 * Sets *out to the format of this name, or, if the name contains a slash, to that of the
 * page with this path. Returns 0, even if there is none, or -1 and the message if the page
 * is broken.
 */
int format_pages_find(
    struct format_pages *p, const char *name, const struct format **out, struct fault *f);
/* Sets *out to the first format that recognizes the source. Returns 0, even if there is
 * none or p is NULL, or -1 and the message if the pages cannot be loaded. */
int format_pages_recognize(struct format_pages *p, const struct source *s,
    const struct format **out, struct fault *f);
/* Adds the names of the pages that are loaded. p may be NULL. */
void format_pages_names(const struct format_pages *p, struct known_names *k);
void format_pages_free(struct format_pages *p);

#endif
