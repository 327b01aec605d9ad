/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Embeds the numbers of a plot and their places in its SVG, for programs that show a
 * table of them or the number at the pointer. Pure.
 */
#ifndef PLOT_SVG_DATA_H
#define PLOT_SVG_DATA_H

#include "plot/layout.h"

/*
 * Adds an element metadata with a line that names x, and a line for each mark that has a
 * value, in the order of the series that are drawn. Its fields are separated by tabs: the
 * number of the series from 0 and its name, the color on a light page as in "ff0000", the
 * text of x or of the lane, the median and the ends of its interval with their units, n,
 * and the place in pixels. Unknown fields are empty. Only plots with lines or lanes have
 * places; other SVGs stay as they are.
 */
void svg_data(struct buf *svg, const struct figure *fig, const struct layout *l);

#endif
