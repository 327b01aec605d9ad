/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * HTML pages of pictures; see picture.h.
 */
#include <string.h>

#include "plot/picture.h"
#include "text/markup.h"

void picture_page(struct buf *svg, const char *title, const struct gnuplot_look *look)
{
	const char *element = svg->ptr ? strstr(svg->ptr, "<svg") : NULL;
	struct buf page = { 0 };

	buf_str(&page,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>");
	markup_text(&page, text_of(title));
	buf_printf(&page,
	    "</title>\n<style>body { margin: 1em; background: %s } svg { max-width: 100%%; "
	    "height: auto }</style>\n<body>\n%s</body>\n</html>\n",
	    look->adaptive ? "var(--xffffff,#ffffff)"
	    : look->dark   ? "#16191d"
	                   : "#ffffff",
	    element ? element : "");
	buf_free(svg);
	*svg = page;
}
