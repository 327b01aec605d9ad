/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of html.h. */
#ifndef REPORT_HTML_PRIV_H
#define REPORT_HTML_PRIV_H

#include "base/intern.h"

/* Appends an SVG of gnuplot or flame_svg, with a prefix before each of its ids. */
void html_svg(struct buf *b, struct text svg, const char *prefix);

#endif
