/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the frame of each page; see site_html.h. */
#include <string.h>

#include "site/site_html.h"
#include "text/markup.h"

static const char profiles_path[] = "profiles.html"; /* only if there are profiles */

static const struct {
	const char *path, *name;
} places_of_nav[] = {
	{ "index.html", "Overview" },
	{ "regressions.html", "Regressions" },
	{ "improvements.html", "Improvements" },
	{ profiles_path, "Profiles" },
	{ "compare.html", "Compare" },
	{ "machines.html", "Machines" },
	{ "feed.xml", "Feed" },
};

static void put_nav(
    struct buf *b, const struct site_model *m, const struct site_frame *frame)
{
	buf_str(b, "<nav aria-label=\"Site\">");
	for (size_t i = 0; i < COUNT(places_of_nav); i++) {
		if (places_of_nav[i].path == profiles_path && !m->profiles)
			continue;
		buf_printf(b, "<a href=\"%s%s\"%s>%s</a> ", frame->base,
		    places_of_nav[i].path,
		    frame->current && strcmp(frame->current, places_of_nav[i].path) == 0
		        ? " aria-current=\"page\""
		        : "",
		    places_of_nav[i].name);
	}
	buf_str(b, "</nav>\n");
}

void site_html_begin(
    struct buf *b, const struct site_model *m, const struct site_frame *frame)
{
	const char *theme = m->opts->theme;

	buf_printf(b, "<!DOCTYPE html>\n<html lang=\"en\"%s%s%s>\n<head>\n",
	    theme ? " data-theme=\"" : "", theme ? theme : "", theme ? "\"" : "");
	buf_str(b,
	    "<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    /* Scripts and style sheets come only from the site, regardless of the strings.
	     * Tables have the names of their columns in attributes. */
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	    "style-src 'self'; style-src-attr 'unsafe-inline'; script-src 'self'; img-src "
	    "data:");
	buf_printf(
	    b, "%s\">\n", frame->plots ? "; object-src 'self'; frame-src 'self'" : "");
	buf_str(b, "<link rel=\"icon\" href=\"data:,\">\n<title>");
	if (frame->title)
		buf_printf(b, "%s \u2013 ", frame->title);
	markup_text(b, text_of(m->opts->title));
	buf_printf(b,
	    "</title>\n<link rel=\"stylesheet\" href=\"%ssite.css\">\n"
	    "<link rel=\"alternate\" type=\"application/atom+xml\" title=\"Changes\" "
	    "href=\"%sfeed.xml\">\n</head>\n<body>\n"
	    "<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header>\n"
	    "<p class=\"title\">",
	    frame->base, frame->base);
	markup_text(b, text_of(m->opts->title));
	buf_str(b, "</p>\n");
	put_nav(b, m, frame);
	buf_str(b, "</header>\n<main id=\"main\">\n");
}

void site_html_end(struct buf *b, const char *base, const char *const *scripts)
{
	buf_printf(b, "</main>\n<script src=\"%ssite.js\"></script>\n", base);
	for (; *scripts; scripts++)
		buf_printf(b, "<script src=\"%s%s.js\"></script>\n", base, *scripts);
	buf_str(b, "</body>\n</html>\n");
}

/* Appends the names of the columns for a narrow page, on which each row is a list of names
 * and values. */
static void put_names(struct buf *b, const char *const *columns)
{
	buf_str(b, " class=\"stack\" style=\"");
	for (size_t i = 0; columns[i]; i++)
		buf_printf(b, "%s--c%zu:'%s'", i ? ";" : "", i + 1,
		    columns[i] + (*columns[i] == '#'));
	buf_byte(b, '"');
}

void site_html_table(
    struct buf *b, const char *id, const char *caption, const char *const *columns)
{
	/* A tabindex makes it scrollable by keyboard. */
	buf_printf(b,
	    "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">"
	    "<table id=\"%s\"",
	    caption, id);
	/* The style sheet lays out the index in its own way. */
	if (strcmp(id, "index") != 0)
		put_names(b, columns);
	buf_printf(b, "><caption>%s</caption>\n<thead><tr>", caption);
	for (; *columns; columns++)
		buf_printf(b, "<th scope=\"col\"%s>%s</th>",
		    **columns == '#' ? " class=\"number\"" : "",
		    *columns + (**columns == '#'));
	buf_str(b, "</tr></thead>\n<tbody>\n");
}

void site_html_table_end(struct buf *b)
{
	buf_str(b, "</tbody></table></div>\n");
}
