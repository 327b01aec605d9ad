/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts a finished picture into an HTML page.
 */
#ifndef PLOT_PICTURE_H
#define PLOT_PICTURE_H

#include "plot/gnuplot_script.h"

/* Puts an SVG into an HTML page of the same theme that needs no other file. */
void picture_page(struct buf *svg, const char *title, const struct gnuplot_look *look);

#endif
