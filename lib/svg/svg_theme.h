/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the colors of an SVG follow the theme of its reader. Pure.
 */
#ifndef SVG_THEME_H
#define SVG_THEME_H

#include "base/base.h"

/*
 * Replaces the colors of palette.h in an SVG that gnuplot drew for a light page by CSS
 * variables, and adds a style element that sets them. The colors are dark if the reader's
 * system prefers a dark theme; the attribute data-theme ("light" or "dark") of the root
 * element of an HTML page that contains the SVG takes precedence. A printed page is light.
 */
void svg_theme(struct buf *svg);

#endif
